"""A sweep on disk: readable without Papertab, and the only truth about what is done.

    sweep.json      what was asked for, and how far it is
    results.csv     one line a setting: mean, 95% half-width and n of every result
    runs.csv        one line a run
    failures.csv    runs that failed, and settings that are not allowed, with the reason
    runs/<key>/     records of finished runs, each like one of ``run --out``
    failed/<key>/   what failed runs left, and failure.json
    attempts/       runs on their way; what was cut off is begun anew

A run is in ``runs`` or ``failed`` once, whoever carried it out how often: it gets there whole, by one
renaming that fails where it is already.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.encoding import number
from engine.core.errors import FieldError, StorageError
from engine.core.records import description, lock
from engine.core.records.disk import json_text, storage_error, write_whole
from engine.core.records.process import ProcessMark, lives, this_process
from engine.core.sweeps.plan import PlannedRun, SweepPlan

NAME = "sweep.json"
RUNS, FAILED, ATTEMPTS = "runs", "failed", "attempts"
FAILURE = "failure.json"
PATIENCE = 10.0
"""Seconds for the workers of a killed process to end."""


@dataclass(frozen=True)
class Outcome:
    """What is known of a run that ended. `results` name → number or text, `error` kind, message, field."""

    key: str
    status: str
    seconds: float | None = None
    peak_mb: float | None = None
    results: Mapping[str, float | int | str] | None = None
    error: Mapping[str, Any] | None = None


class SweepFolder:
    """The folder of one sweep. `take` before anything is written, `leave` afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder).absolute()

    # ------------------------------------------------------------------ the description

    @property
    def exists(self) -> bool:
        """Whether a sweep lies here."""
        return (self.folder / NAME).exists()

    def read(self) -> SweepPlan:
        """The plan.

        Raises:
            StorageError: there is none, or it is damaged.
        """
        return SweepPlan.from_json(self.described())

    def described(self) -> dict[str, Any]:
        """All of ``sweep.json``.

        Raises:
            StorageError: it is missing or damaged.
        """
        path = self.folder / NAME
        try:
            stored = json.loads(path.read_bytes())
        except OSError as error:
            raise StorageError(f"{path} cannot be read: {error.strerror or error}.") from error
        except ValueError as error:
            raise StorageError(f"{path} is damaged ({error}).") from error
        if not isinstance(stored, dict):
            raise StorageError(f"{path} is damaged (it is not a description of a sweep).")
        return stored

    def status(self) -> str:
        """running, finished, stopped; "interrupted" where the process that worked on it is gone."""
        stored = self.described()
        status = str(stored.get("status", "interrupted"))
        if status != "running":
            return status
        return status if lives(ProcessMark.from_json(stored), stored.get("heartbeat")) else "interrupted"

    def begin(self, plan: SweepPlan) -> SweepPlan:
        """Writes the plan, or takes up the sweep that lies here: what is done and belongs to it counts.

        The plan may have other values or seeds than before. Returns the plan with the identity it has here.

        Raises:
            FieldError: another sweep, a run or something else lies here.
            StorageError: it cannot be written.
        """
        if self.exists:
            before = self.read()
            if not before.same_subject(plan):
                allowed = "this folder holds a sweep of another method, data, device or number of threads"
                raise FieldError("--out", found=str(self.folder), allowed=allowed)
            plan = _with_identity(plan, before)
        elif (self.folder / description.NAME).exists():
            allowed = "this folder holds a run; name a new or empty one"
            raise FieldError("--out", found=str(self.folder), allowed=allowed)
        self.describe(plan, "running", {})
        return plan

    def describe(self, plan: SweepPlan, status: str, counts: Mapping[str, int]) -> None:
        """Writes ``sweep.json``.

        Raises:
            StorageError: it cannot be written.
        """
        state = {"status": status, "counts": dict(counts), **this_process().as_json()}
        content = json_text({**plan.as_json(), **state, "heartbeat": time.time()}, indent=2)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / NAME, content, durable=True)
        except OSError as error:
            raise storage_error(error, self.folder) from error

    def take(self) -> None:
        """From now on this process works on the sweep.

        Raises:
            StorageError: another one does, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(self.folder)
        except OSError as error:
            raise storage_error(error, self.folder) from error

    def leave(self) -> None:
        """The sweep is free again."""
        with contextlib.suppress(OSError):
            lock.release(self.folder)

    # ------------------------------------------------------------------ runs

    def place(self, key: str) -> Path | None:
        """Where the record of a run lies that ended; None where there is none."""
        for room in (RUNS, FAILED):
            if (self.folder / room / key / description.NAME).exists():
                return self.folder / room / key
        return None

    def outcome(self, key: str) -> Outcome | None:
        """How a run ended; None while it has not."""
        finished = self.folder / RUNS / key
        if finished.is_dir():
            return _outcome(key, finished)
        failed = self.folder / FAILED / key
        if failed.is_dir():
            return _failure(key, failed)
        return None

    def attempt(self, key: str) -> Path:
        """A new folder for a run to be carried out in."""
        return self.folder / ATTEMPTS / f"{key}-{secrets.token_hex(4)}"

    def finish(self, key: str, attempt: Path) -> bool:
        """The run in `attempt` is whole: it counts from now on. False if it counted before.

        Raises:
            StorageError: it is not whole, or cannot be moved.
        """
        described, _ = description.read(attempt)
        if described.get("status") != "finished":
            raise StorageError(f"The record in {attempt} is not finished.")
        return self._settle(attempt, self.folder / RUNS / key)

    def fail(self, key: str, attempt: Path | None, error: Mapping[str, Any]) -> bool:
        """The run failed; what it left is kept apart. False if it had ended before.

        Raises:
            StorageError: the disk does not allow it.
        """
        if (self.folder / RUNS / key).exists():
            return False
        target = attempt if attempt is not None else self.attempt(key)
        try:
            target.mkdir(parents=True, exist_ok=True)
            write_whole(target / FAILURE, json_text(dict(error), indent=2), durable=True)
        except OSError as problem:
            raise storage_error(problem, self.folder) from problem
        return self._settle(target, self.folder / FAILED / key)

    def forget_failure(self, key: str) -> None:
        """A failed run is to be carried out once more."""
        shutil.rmtree(self.folder / FAILED / key, ignore_errors=True)

    def recover(self, runs: list[PlannedRun]) -> None:
        """After a process was killed: whole attempts count, the others go.

        Raises:
            StorageError: the disk does not allow it.
        """
        known = {run.key for run in runs}
        until = time.monotonic() + PATIENCE
        attempts = self.folder / ATTEMPTS
        for attempt in sorted(attempts.iterdir()) if attempts.is_dir() else ():
            key = attempt.name.partition("-")[0]
            if not _left_alone(attempt, until):
                continue
            with contextlib.suppress(StorageError):
                described, _ = description.read(attempt)
                if key in known and described.get("status") == "finished":
                    self.finish(key, attempt)
            shutil.rmtree(attempt, ignore_errors=True)

    def drop(self, attempt: Path) -> None:
        """What a run left that was cut off."""
        shutil.rmtree(attempt, ignore_errors=True)

    def tidy(self) -> None:
        """Removes what no process works on any more, and the folder of attempts where none is left."""
        with contextlib.suppress(OSError):
            for attempt in (self.folder / ATTEMPTS).iterdir():
                if lock.holder(attempt) is None:
                    self.drop(attempt)
            (self.folder / ATTEMPTS).rmdir()

    def _settle(self, attempt: Path, target: Path) -> bool:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                shutil.rmtree(attempt, ignore_errors=True)
                return False
            shutil.rmtree(attempt / "scratch", ignore_errors=True)
            os.rename(attempt, target)
        except OSError as error:
            if target.exists():
                shutil.rmtree(attempt, ignore_errors=True)
                return False
            raise storage_error(error, self.folder) from error
        return True


def _left_alone(attempt: Path, until: float) -> bool:
    """Whether no process works on an attempt any more: one whose owner was killed ends by itself."""
    while lock.holder(attempt) is not None:
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _outcome(key: str, folder: Path) -> Outcome:
    try:
        described, _ = description.read(folder)
    except StorageError as error:
        return Outcome(key, "failed", error={"kind": "storage", "message": str(error), "field": None})
    results = {name: number(value) for name, value in (described.get("results") or {}).items()}
    return Outcome(key, "finished", described.get("seconds"), described.get("peak_mb"), results)


def _failure(key: str, folder: Path) -> Outcome:
    error: Mapping[str, Any] = {"kind": "unknown", "message": "It left no reason.", "field": None}
    with contextlib.suppress(OSError, ValueError):
        error = json.loads((folder / FAILURE).read_bytes())
    seconds = None
    with contextlib.suppress(StorageError):
        seconds = description.read(folder)[0].get("seconds")
    return Outcome(key, "failed", seconds, error=error)


def _with_identity(plan: SweepPlan, before: SweepPlan) -> SweepPlan:
    return dataclasses.replace(plan, id=before.id, created=before.created, name=plan.name or before.name)
