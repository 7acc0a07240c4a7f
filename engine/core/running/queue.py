"""The order in which runs are advanced."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.running.job import Job


class JobQueue:
    """Jobs that wait for the work thread, first to last. Thread-safe."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._changed = threading.Condition()

    def add(self, job: Job, first: bool = False) -> None:
        """Queue `job`, at the front if `first`; a job already queued is moved."""
        with self._changed:
            self._remove(job)
            self._jobs.insert(0 if first else len(self._jobs), job)
            self._changed.notify()

    def hold(self, job: Job) -> None:
        """Take `job` out of the queue."""
        with self._changed:
            self._remove(job)

    def move(self, job: Job, place: int) -> None:
        """Put a queued job at `place` (0 is next)."""
        with self._changed:
            if job in self._jobs:
                self._remove(job)
                self._jobs.insert(place, job)

    def waiting(self) -> list[Job]:
        """The queued jobs in order."""
        with self._changed:
            return list(self._jobs)

    def take(self, closing: Callable[[], bool]) -> Job | None:
        """The next job, waiting for one; None when the engine closes and nothing is left."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or closing())
            return self._jobs.pop(0) if self._jobs else None

    def wake(self) -> None:
        """Let `take` look again whether the engine closes."""
        with self._changed:
            self._changed.notify_all()

    def _remove(self, job: Job) -> None:
        self._jobs[:] = [item for item in self._jobs if item is not job]
