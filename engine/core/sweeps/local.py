"""Workers on this machine: a few processes, each carrying out one run at a time."""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping
from typing import Any

from engine.core.sweeps.child import Child, ended_words
from engine.core.sweeps.estimate import SHARE_OF_MEMORY, free_bytes
from engine.core.sweeps.task import RunTask
from engine.core.sweeps.workers import News


class LocalWorkers:
    """`count` processes, begun when they are first needed. `need` is the memory one run takes (bytes)."""

    def __init__(self, count: int, threads: int = 1, need: int = 0) -> None:
        self._count, self._threads, self._need = count, threads, need
        self._children: list[Child] = []
        self._messages: queue.Queue[tuple[Child, Mapping[str, Any]]] = queue.Queue()
        self._stopping = False

    @property
    def slots(self) -> int:
        return self._count

    @property
    def pids(self) -> list[int]:
        """The processes that live."""
        return [child.pid for child in self._children if child.lives]

    def has_room(self, running: int) -> bool:
        """A process is idle, and the memory for one more run is there (the first run always goes)."""
        if running >= self._count or self._stopping:
            return False
        return running == 0 or self._need <= SHARE_OF_MEMORY * free_bytes()

    def give(self, task: RunTask) -> None:
        idle = [child for child in self._children if child.task is None and child.lives]
        if not idle:
            self._children.append(Child(self._threads, lambda *told: self._messages.put(told)))
        (idle or self._children)[-1].give(task)

    def news(self, seconds: float) -> list[News]:
        found: list[News] = []
        until = time.monotonic() + seconds
        while True:
            try:
                wait = 0.0 if found else max(0.0, until - time.monotonic())
                child, message = self._messages.get(wait > 0, wait or None)
            except queue.Empty:
                return found
            told = self._told(child, message)
            if told is not None:
                found.append(told)

    def stop(self) -> None:
        self._stopping = True
        for child in self._children:
            if child.task is not None:
                child.stop_run()

    def close(self) -> None:
        self._stopping = True
        for child in self._children:
            child.close()
        self._children.clear()

    def _told(self, child: Child, message: Mapping[str, Any]) -> News | None:
        if "gone" in message:
            if child in self._children:
                self._children.remove(child)
                child.close()
            task, child.task = child.task, None
            if task is None:
                return None
            return News(task.key, "lost", reason=ended_words(message["gone"], message["said"]))
        return news_of(child, message)


def news_of(child: Child, message: Mapping[str, Any]) -> News:
    """A worker's message about its run as news."""
    if "ended" not in message:
        return News(message["key"], "progress", message["fraction"], message["phase"])
    child.task = None
    return News(
        message["key"],
        message["ended"],
        seconds=float(message.get("seconds", 0.0)),
        error=message.get("error"),
        reason=message.get("reason", ""),
    )
