"""A process of its own that carries out runs: ``python -m engine.core.sweeps.worker``.

Orders come as JSON lines on stdin: a task (`RunTask`), or ``{"stop": true}`` for the run on its way. Told
on stdout, a JSON line each: progress, and how a run ended. When stdin closes, whoever gave the orders is
gone: the run is stopped and the process ends, so that nothing is left behind.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from engine.core.places import cache_folder
from engine.core.records.library import Library
from engine.core.running.engine import Engine
from engine.core.running.job import Failure, Job
from engine.core.running.status import Status
from engine.core.sweeps.task import DataShelf, RunTask, request_of

TELL_EVERY = 0.2
"""Seconds between two lines of progress."""


class Worker:
    """Carries out one task after another."""

    def __init__(self, orders: IO[str], told: IO[bytes]) -> None:
        self._orders = orders
        self._told = told
        self._tasks: queue.Queue[RunTask | None] = queue.Queue()
        self._shelf = DataShelf()
        self._job: Job | None = None
        self._stopped = False
        self._engine: Engine | None = None

    def work(self) -> None:
        """Until stdin closes."""
        reader = threading.Thread(target=self._read, name="orders", daemon=True)
        reader.start()
        with tempfile.TemporaryDirectory() as nowhere:
            self._engine = Engine(Library(Path(nowhere), folder_only=True), cache_folder())
            try:
                while (task := self._tasks.get()) is not None:
                    self._tell(self._carry_out(task))
            finally:
                self._engine.close(timeout=10)

    def _read(self) -> None:
        for line in self._orders:
            order = json.loads(line)
            if order.get("stop"):
                self._stop()
            else:
                self._stopped = False
                self._tasks.put(RunTask.from_json(order))
        self._tasks.put(None)
        self._stop()

    def _stop(self) -> None:
        self._stopped = True
        job = self._job
        if job is not None and self._engine is not None:
            self._engine.stop(job)

    def _carry_out(self, task: RunTask) -> dict[str, Any]:
        assert self._engine is not None
        try:
            request = request_of(task, self._shelf)
            if self._stopped:
                return {"key": task.key, "ended": "stopped"}
            self._job = job = self._engine.submit(request, Path(task.folder))
        except Exception as error:
            failure = Failure.of(error, traceback.format_exc())
            return {"key": task.key, "ended": "failed", "error": failure.as_record()}
        try:
            return self._follow(task, job, self._engine)
        finally:
            self._job = None
            self._engine.forget(job)

    def _follow(self, task: RunTask, job: Job, engine: Engine) -> dict[str, Any]:
        if self._stopped:
            engine.stop(job)
        reason = ""
        while not job.ended.wait(TELL_EVERY):
            changes = job.feed.drain()
            if changes is not None and changes.progress is not None:
                fraction, phase = changes.progress.fraction, changes.progress.phase
                self._tell({"key": task.key, "fraction": fraction, "phase": phase})
            if job.status is Status.PAUSED and job.reason:
                reason = job.reason
                engine.stop(job)
        error = job.failure.as_record() if job.failure else None
        seconds = job.clock.elapsed
        return {
            "key": task.key,
            "ended": job.status.value,
            "error": error,
            "seconds": seconds,
            "reason": reason,
        }

    def _tell(self, message: Mapping[str, Any]) -> None:
        try:
            self._told.write(json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            self._stop()


def main() -> int:
    """Take orders from stdin; whatever libraries print goes to stderr."""
    told = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # Ctrl-C in a terminal reaches the whole group: the one who gives the orders decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = os.fdopen(os.dup(0), "r", encoding="utf-8")
    Worker(orders, told).work()
    return 0


if __name__ == "__main__":
    sys.exit(main())
