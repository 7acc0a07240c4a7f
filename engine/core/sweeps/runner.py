"""Brings the runs of a sweep to workers and takes in what comes back; anyone may look where it stands."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.core.errors import RunError, StorageError
from engine.core.sweeps.folder import Outcome, SweepFolder
from engine.core.sweeps.plan import PlannedRun, SweepPlan
from engine.core.sweeps.sheets import write_sheets
from engine.core.sweeps.task import task_of
from engine.core.sweeps.workers import News, Workers

WAIT = 0.2
"""Seconds the runner waits for news before it looks whether it is to stop."""
HEARTBEAT = 5.0
"""Seconds between two signs of life in ``sweep.json``, and between two writings of the tables."""
ATTEMPTS = 3
"""Workers a run may lose before it counts as failed."""

RunStatus = Literal["waiting", "running", "finished", "failed"]


@dataclass(frozen=True)
class RunState:
    """Where one run stands."""

    status: RunStatus = "waiting"
    fraction: float | None = None
    phase: str = ""
    seconds: float | None = None
    error: str = ""


@dataclass(frozen=True)
class SweepProgress:
    """Where the sweep stands. `left` is about how many seconds remain, None while nothing backs it."""

    total: int
    finished: int
    failed: int
    running: int
    seconds: float
    left: float | None
    status: str
    reason: str = ""


class SweepRunner:
    """One sweep being carried out. `run` blocks; everything else may be called from any thread."""

    def __init__(self, folder: SweepFolder, plan: SweepPlan, workers: Workers) -> None:
        self.folder = folder
        self.plan = plan
        self.workers = workers
        self.runs = {run.key: run for run in plan.runs()}
        self.status = "waiting"
        self.reason = ""
        self._states: dict[str, RunState] = {key: RunState() for key in self.runs}
        self._outcomes: dict[str, Outcome] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._todo: deque[PlannedRun] = deque()
        self._attempts: dict[str, Path] = {}
        self._lost: dict[str, int] = {}
        self._begin = 0.0
        self._written = self._beaten = 0.0
        self._here = 0

    # ------------------------------------------------------------------ looking at it

    def states(self) -> dict[str, RunState]:
        """Every run's state, by key."""
        with self._lock:
            return dict(self._states)

    def outcomes(self) -> dict[str, Outcome]:
        """The runs that ended, by key."""
        with self._lock:
            return dict(self._outcomes)

    def progress(self) -> SweepProgress:
        """The counts."""
        states = self.states().values()
        finished = sum(1 for s in states if s.status == "finished")
        failed = sum(1 for s in states if s.status == "failed")
        running = [s for s in states if s.status == "running"]
        seconds = time.monotonic() - self._begin if self._begin else 0.0
        left = self._left(len(self._states) - finished - failed, running, seconds)
        return SweepProgress(
            len(self._states), finished, failed, len(running), seconds, left, self.status, self.reason
        )

    def stop(self) -> None:
        """End the runs on their way and keep what is done; `run` returns soon."""
        self._stop.set()

    # ------------------------------------------------------------------ carrying it out

    def run(self, retry_failed: bool = False, tick: Callable[[], None] = lambda: None) -> str:
        """Carries out what is not done yet; returns "finished" or "stopped". `tick` is called a few times
        a second, on this thread.

        Raises:
            StorageError: another process works on this sweep, or the disk does not allow it.
            FieldError: something else lies in the folder.
        """
        self.folder.take()
        try:
            self.plan = self.folder.begin(self.plan)
            self._take_stock(retry_failed)
            self.status, self._begin = "running", time.monotonic()
            self._beat(force=True)
            self._carry_out(tick)
            self.status = "stopped" if self._todo else "finished"
            self._beat(force=True)
            self.folder.tidy()
            return self.status
        except BaseException:
            self.status = "stopped"
            raise
        finally:
            self.workers.close()
            self.folder.leave()

    def _take_stock(self, retry_failed: bool) -> None:
        self.folder.recover(list(self.runs.values()))
        for key, run in self.runs.items():
            outcome = self.folder.outcome(key)
            if outcome is not None and outcome.status == "failed" and retry_failed:
                self.folder.forget_failure(key)
                outcome = self.folder.outcome(key)
            if outcome is None:
                self._todo.append(run)
            else:
                self._enter(outcome)

    def _carry_out(self, tick: Callable[[], None]) -> None:
        told_to_stop = False
        while self._attempts or (self._todo and not self._stop.is_set()):
            if self._stop.is_set() and not told_to_stop:
                told_to_stop = True
                self.workers.stop()
            try:
                while self._todo and not self._stop.is_set() and self.workers.has_room(len(self._attempts)):
                    self._give(self._todo.popleft())
                for news in self.workers.news(WAIT):
                    self._take_in(news)
            except RunError as error:
                self._give_up(str(error))
                return
            self._beat()
            tick()

    def _give(self, run: PlannedRun) -> None:
        attempt = self.folder.attempt(run.key)
        self._attempts[run.key] = attempt
        self._set(run.key, RunState("running"))
        self.workers.give(task_of(self.plan, run, attempt))

    def _take_in(self, news: News) -> None:
        attempt = self._attempts.get(news.key)
        if attempt is None:
            return
        if news.kind == "progress":
            self._set(news.key, RunState("running", news.fraction, news.phase))
            return
        del self._attempts[news.key]
        try:
            self._settle(news, attempt)
        except StorageError as error:
            self._put_back(news.key, attempt)
            self._say_and_stop(str(error))

    def _settle(self, news: News, attempt: Path) -> None:
        if news.kind == "finished":
            self.folder.finish(news.key, attempt)
            self._here += 1
        elif news.kind == "failed":
            self.folder.fail(news.key, attempt if attempt.exists() else None, news.error or {})
            self._here += 1
        elif news.kind == "lost" and self._count_loss(news.key) >= ATTEMPTS and not self._stop.is_set():
            self.folder.drop(attempt)
            error = {"kind": "worker", "message": news.reason, "field": None}
            self.folder.fail(news.key, None, error)
        else:
            self._put_back(news.key, attempt)
            if news.reason and news.kind == "stopped":
                self._say_and_stop(news.reason)
            return
        outcome = self.folder.outcome(news.key)
        if outcome is not None:
            self._enter(outcome)

    def _count_loss(self, key: str) -> int:
        self._lost[key] = self._lost.get(key, 0) + 1
        return self._lost[key]

    def _put_back(self, key: str, attempt: Path) -> None:
        self.folder.drop(attempt)
        self._todo.appendleft(self.runs[key])
        self._set(key, RunState())

    def _say_and_stop(self, reason: str) -> None:
        self.reason = reason
        self._stop.set()

    def _give_up(self, reason: str) -> None:
        """The workers are gone: what was on its way is to be done again."""
        self._say_and_stop(reason)
        for key, attempt in list(self._attempts.items()):
            del self._attempts[key]
            self._put_back(key, attempt)

    def _enter(self, outcome: Outcome) -> None:
        message = str((outcome.error or {}).get("message", ""))
        status: RunStatus = "finished" if outcome.status == "finished" else "failed"
        with self._lock:
            self._outcomes[outcome.key] = outcome
            self._states[outcome.key] = RunState(status, 1.0, "", outcome.seconds, message)

    def _set(self, key: str, state: RunState) -> None:
        with self._lock:
            self._states[key] = state

    def _beat(self, force: bool = False) -> None:
        """The tables after something ended, a sign of life in any case."""
        now = time.monotonic()
        if not force and now - self._beaten < HEARTBEAT:
            return
        self._beaten = now
        write_sheets(self.folder.folder, self.plan, self.outcomes())
        progress = self.progress()
        counts: Mapping[str, Any] = {
            name: getattr(progress, name) for name in ("total", "finished", "failed")
        }
        self.folder.describe(self.plan, self.status, counts)

    def _left(self, remaining: int, running: list[RunState], seconds: float) -> float | None:
        """From the runs carried out since this process began."""
        if not self._here or self.status != "running":
            return None
        begun = sum(state.fraction or 0.0 for state in running)
        return max(0.0, (remaining - begun) * seconds / (self._here + begun))
