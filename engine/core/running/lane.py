"""A named thread with a queue of small tasks: steering and loading, beside the engine's own thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from engine.core.running.priority import step_down


class Lane:
    """Runs tasks one after another. A task with the `key` of one still waiting takes its place."""

    def __init__(self, name: str) -> None:
        self._tasks: deque[tuple[object, Callable[[], Any], Future[Any]]] = deque()
        self._ready = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=False)
        self._thread.start()

    def call(self, task: Callable[[], Any], key: object = None) -> Future[Any]:
        """Queue `task`; the future holds its result or error, or is cancelled if it was replaced."""
        future: Future[Any] = Future()
        with self._ready:
            if self._closing:
                future.cancel()
                return future
            if key is not None:
                self._drop(key)
            self._tasks.append((key, task, future))
            self._ready.notify()
        return future

    def close(self, timeout: float | None = None) -> bool:
        """Drop what waits, let the present task end, join. False if it did not end in time."""
        with self._ready:
            self._closing = True
            for _, _, future in self._tasks:
                future.cancel()
            self._tasks.clear()
            self._ready.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _drop(self, key: object) -> None:
        for item in [item for item in self._tasks if item[0] == key]:
            self._tasks.remove(item)
            item[2].cancel()

    def _work(self) -> None:
        step_down()
        while True:
            with self._ready:
                self._ready.wait_for(lambda: self._tasks or self._closing)
                if self._closing:
                    return
                _, task, future = self._tasks.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(task())
            except BaseException as error:
                future.set_exception(error)
