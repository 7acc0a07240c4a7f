"""Twice a second, for every run on its way: write its record, sample memory, give a sign of life."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.core.errors import StorageError
from engine.core.running.priority import step_down

if TYPE_CHECKING:
    from engine.core.running.job import Job

BEAT = 0.5
"""Seconds between two beats: half of what may be missing from the record of a killed process."""


class Heart:
    """A thread of its own, so that a slow disk holds up neither the run nor the window."""

    def __init__(
        self, out_of_room: Callable[[Job, StorageError], None], close_record: Callable[[Job], None]
    ) -> None:
        self._close_record = close_record
        self._watched: list[Job] = []
        self._out_of_room = out_of_room
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heart", daemon=False)
        self._thread.start()

    def watch(self, job: Job) -> None:
        """Write the record of `job` from now on."""
        with self._lock:
            self._watched.append(job)

    def leave(self, job: Job) -> None:
        """`job` ended; its writer is closed by the engine."""
        with self._lock:
            self._watched[:] = [item for item in self._watched if item is not job]

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        import psutil

        step_down()
        process = psutil.Process()
        while not self._stop.wait(BEAT):
            with self._lock:
                watched = list(self._watched)
            used = process.memory_info().rss if watched else 0
            for job in watched:
                if job.status == "running":
                    job.peak_bytes = max(job.peak_bytes, used + _children(process))
                self._write(job)

    def _write(self, job: Job) -> None:
        if job.closing is not None:
            self.leave(job)
            self._close_record(job)
            return
        try:
            job.writer.flush()
        except StorageError as error:
            self._out_of_room(job, error)


def _children(process: object) -> int:
    """Bytes held by child processes; one that ends while it is asked counts nothing."""
    import psutil

    total = 0
    for child in process.children(recursive=True):  # type: ignore[attr-defined]
        try:
            total += child.memory_info().rss
        except psutil.Error:
            continue
    return total
