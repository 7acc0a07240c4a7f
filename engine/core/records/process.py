"""Which process writes a record, and whether it still lives: what a run's state is derived from."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

#: Seconds without a heartbeat after which a process on another machine is taken for gone.
SILENCE = 60.0
#: Start times of one process may differ by this much, since the clock is set while it lives.
CLOCK_SLACK = 5.0


@dataclass(frozen=True)
class ProcessMark:
    """A process: its number, when it started (seconds since 1970) and the name of its machine."""

    pid: int
    started: float
    host: str

    def as_json(self) -> dict[str, Any]:
        return {"pid": self.pid, "process_started": self.started, "host": self.host}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ProcessMark | None:
        """The mark in a record; None where it is missing or makes no sense."""
        try:
            return cls(int(stored["pid"]), float(stored["process_started"]), str(stored["host"]))
        except (KeyError, TypeError, ValueError):
            return None


def this_process() -> ProcessMark:
    """The mark of the process that asks."""
    return _mark(os.getpid())


@lru_cache(maxsize=1)
def _mark(pid: int) -> ProcessMark:
    import psutil

    return ProcessMark(pid, psutil.Process(pid).create_time(), platform.node())


def lives(mark: ProcessMark | None, heartbeat: float | None) -> bool:
    """Whether the process of `mark` still runs.

    On this machine its number and start time are looked up. On another one only `heartbeat` (seconds
    since 1970, or None) can tell: silent for a minute means gone.
    """
    if mark is None:
        return False
    if mark.host != platform.node():
        return heartbeat is not None and time.time() - heartbeat < SILENCE
    import psutil

    try:
        process = psutil.Process(mark.pid)
        return (
            process.status() != psutil.STATUS_ZOMBIE
            and abs(process.create_time() - mark.started) < CLOCK_SLACK
        )
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
