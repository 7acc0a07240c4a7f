"""The thread that draws and writes figures, so that neither the window nor the reading of data waits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from engine.core.running.lane import Lane


class FiguresLane:
    """Begun with the first figure; `close` ends it."""

    def __init__(self) -> None:
        self._lane: Lane | None = None

    def call(self, task: Callable[[], Any], key: object = None) -> Future[Any]:
        """Queue a task; one with the `key` of a task still waiting takes its place."""
        if self._lane is None:
            self._lane = Lane("figures")
        return self._lane.call(task, key)

    def close(self, timeout: float = 2.0) -> bool:
        """Drop what waits and end the thread; False if the present figure takes longer."""
        lane, self._lane = self._lane, None
        return lane.close(timeout) if lane is not None else True
