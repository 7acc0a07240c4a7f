"""What a worker of a Dask cluster does: gives the run to a process of its own, and sends the record back.

A process of its own, because a Dask worker may carry out several tasks at once in one process, and because
a run can then be stopped, and leaves no state behind.
"""

from __future__ import annotations

import dataclasses
import hashlib
import queue
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.core.errors import RunError
from engine.core.records.archive import export_runs
from engine.core.records.header import versions
from engine.core.records.reader import RunRecord
from engine.core.sweeps.child import Child, ended_words
from engine.core.sweeps.task import RunTask

ASK_EVERY = 1.0
"""Seconds between two looks whether the sweep was stopped, and between two messages of progress."""

Outcome = tuple[dict[str, Any], bytes | None]
"""How the run ended, and its record as a zip where there is one."""

_idle: dict[int, list[_Runner]] = {}
_idle_lock = threading.Lock()


class _Runner:
    """A child process with the queue of what it tells; used for one run after another."""

    def __init__(self, threads: int) -> None:
        self.messages: queue.Queue[Mapping[str, Any]] = queue.Queue()
        self.child = Child(threads, lambda _, message: self.messages.put(message))


def versions_there() -> dict[str, str]:
    """The versions of a worker."""
    return versions()


def carry_out(task: Mapping[str, Any], file: tuple[str, bytes] | None, topic: str) -> Outcome:
    """The task given by `ClusterWorkers`. Runs on a worker of the cluster.

    Raises:
        RunError: the process that carried out the run is gone.
    """
    from distributed import get_worker

    asked = RunTask.from_json(task)
    with tempfile.TemporaryDirectory(prefix="papertab-") as place:
        placed = dataclasses.replace(asked, folder=str(Path(place) / "run"))
        if file is not None:
            own = _kept(file, Path(get_worker().local_directory))
            placed = dataclasses.replace(placed, read_from=str(own))
        outcome = _followed(placed, topic)
        record = Path(placed.folder)
        if outcome["ended"] not in ("finished", "failed") or not (record / "run.json").exists():
            return outcome, None
        packed = Path(place) / "run.zip"
        with RunRecord(record) as run:
            export_runs([run], packed)
        return outcome, packed.read_bytes()


def _followed(task: RunTask, topic: str) -> dict[str, Any]:
    from distributed import Event, get_client, get_worker

    worker = get_worker()
    halt = Event(f"{topic}-stop", client=get_client())
    if halt.is_set():
        return {"key": task.key, "ended": "stopped"}
    runner = _borrowed(task.threads)
    runner.child.give(task)
    asked = told = time.monotonic()
    stopping = False
    while True:
        now = time.monotonic()
        if not stopping and now - asked > ASK_EVERY:
            asked = now
            stopping = bool(halt.is_set())
            if stopping:
                runner.child.stop_run()
        try:
            message = runner.messages.get(timeout=ASK_EVERY / 2)
        except queue.Empty:
            continue
        if "gone" in message:
            runner.child.close()
            raise RunError(ended_words(message["gone"], message["said"]))
        if "ended" in message:
            _give_back(runner, task.threads)
            return dict(message)
        if now - told > ASK_EVERY:
            told = now
            worker.log_event(topic, dict(message))


def _kept(file: tuple[str, bytes], folder: Path) -> Path:
    """The person's file on this worker, written once."""
    name, content = file
    path = folder / "papertab" / hashlib.sha256(content).hexdigest()[:16] / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{name}.{threading.get_ident()}")
        part.write_bytes(content)
        part.replace(path)
    return path


def _borrowed(threads: int) -> _Runner:
    with _idle_lock:
        waiting = [runner for runner in _idle.get(threads, []) if runner.child.lives]
        _idle[threads] = waiting
        if waiting:
            return waiting.pop()
    return _Runner(threads)


def _give_back(runner: _Runner, threads: int) -> None:
    with _idle_lock:
        _idle.setdefault(threads, []).append(runner)
