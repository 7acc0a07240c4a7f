"""A worker process as its owner holds it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.core.sweeps.task import RunTask

ROOT = Path(__file__).parents[3]
LIMITED = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
TAIL = 2_000
"""Characters of what a lost worker printed last, for the person who asks why."""

Tell = Callable[["Child", Mapping[str, Any]], None]


class Child:
    """One ``worker`` process with `threads` threads. `tell` is called with each of its messages, from a
    thread of the child's; the last message is ``{"gone": exit status, "said": what it printed last}``."""

    def __init__(self, threads: int, tell: Tell) -> None:
        self._tell = tell
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 — open as long as the process
        self.task: RunTask | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-m", "engine.core.sweeps.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._printed,
            env=_environment(threads),
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, name="worker messages", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def give(self, task: RunTask) -> None:
        """Hand over a task; one at a time. A child that is gone says so by its last message."""
        self.task = task
        self._order(task.as_json())

    def stop_run(self) -> None:
        """The run on its way ends at its next yield."""
        self._order({"stop": True})

    def close(self, timeout: float = 15.0) -> None:
        """No more tasks: stops the run, waits for the process to end; ends it by force after `timeout`."""
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(timeout)
        self._printed.close()

    def _order(self, order: Mapping[str, Any]) -> None:
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._tell(self, json.loads(line))
        status = self._process.wait()
        self._process.stdout.close()
        self._tell(self, {"gone": status, "said": self._said()})

    def _said(self) -> str:
        with contextlib.suppress(OSError, ValueError):
            size = self._printed.seek(0, os.SEEK_END)
            self._printed.seek(max(0, size - TAIL))
            return self._printed.read().decode(errors="replace").strip()
        return ""


def ended_words(status: int, said: str) -> str:
    """Why a worker is gone, in words."""
    how = f"signal {-status}" if status < 0 else f"exit status {status}"
    last = said.splitlines()[-1:] if said else []
    memory = " It may have needed more memory than there was." if status == -9 else ""
    return f"The worker process ended ({how}).{memory}{' ' + last[0] if last else ''}"


def _environment(threads: int) -> dict[str, str]:
    """The environment of a worker: its threads, and where Papertab lies."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **dict.fromkeys(LIMITED, str(threads)), "PYTHONPATH": path}
