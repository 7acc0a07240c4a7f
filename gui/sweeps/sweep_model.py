"""One sweep, without a widget: what is varied, what it will take, how far it is, what came out."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.core.errors import PapertabError
from engine.core.sweeps.estimate import SweepEstimate, estimate_sweep
from engine.core.sweeps.folder import Outcome, SweepFolder
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.preparing import plan_sweep
from engine.core.sweeps.results import SettingResult, setting_results
from engine.core.sweeps.runner import RunState, SweepProgress, SweepRunner
from engine.core.sweeps.shelf import sweeps_folder
from engine.core.sweeps.workers import Workers
from gui.bridge import EngineBridge
from gui.sweeps.subject import Subject, subject_of

POLL_MS = 250
PLAN_DELAY_MS = 200
STOP_SECONDS = 5.0


class SweepModel(QObject):
    """Planning goes through the loading lane; the sweep itself has a thread of its own."""

    planned = Signal()
    """The plan, its estimate or what is wrong with it is different."""
    progressed = Signal()
    """Runs began, went on or ended."""
    subject_changed = Signal()
    """Another method, data or stored sweep."""
    told = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.subject: Subject | None = None
        self.grid: dict[str, tuple[Any, ...]] = {}
        self.seeds = 1
        self.first_seed = 0
        self.threads = 1
        self.workers: int | None = None
        self.dask = ""
        self.plan: SweepPlan | None = None
        self.notes: list[str] = []
        self.estimate: SweepEstimate | None = None
        self.problem = ""
        self.folder: Path | None = None
        self.runner: SweepRunner | None = None
        self._identity: SweepPlan | None = None
        self._thread: threading.Thread | None = None
        self._error = ""
        self._stored: dict[str, Outcome] = {}
        self._stop_asked = False
        self._pending = False
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(PLAN_DELAY_MS)
        self._delay.timeout.connect(self._plan)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._look)

    # ------------------------------------------------------------------ what is asked for

    def begin(self, subject: Subject, first_seed: int = 0) -> None:
        """A new sweep of what a tab shows."""
        self._take(subject)
        self.grid, self.seeds, self.first_seed = {}, 1, first_seed
        self.folder, self._identity = None, None
        self.subject_changed.emit()
        self._plan()

    def open(self, folder: Path, methods: Mapping[str, Any]) -> None:
        """A sweep on disk: shown with what it has, to be gone on with."""

        def read() -> tuple[SweepPlan, Subject, dict[str, Outcome]]:
            place = SweepFolder(folder)
            plan = place.read()
            if plan.method not in methods:
                raise PapertabError(f"This sweep is of “{plan.title}”, a method that is not installed.")
            outcomes = {run.key: place.outcome(run.key) for run in plan.runs()}
            known = {key: outcome for key, outcome in outcomes.items() if outcome is not None}
            return plan, subject_of(methods[plan.method], plan), known

        future = self.bridge.engine.loading.call(read, key="sweep")
        self.bridge.then(future, lambda found: self._opened(folder, *found), self._refused, self)

    def vary(self, name: str, values: tuple[Any, ...]) -> None:
        """Parameter `name` takes these values."""
        self.grid[name] = values
        self._changed()

    def fix(self, name: str) -> None:
        """Parameter `name` keeps its one value."""
        self.grid.pop(name, None)
        self._changed()

    def set_settings(self, **settings: Any) -> None:
        """Change seeds, first_seed, threads, workers or dask."""
        for name, value in settings.items():
            setattr(self, name, value)
        self._changed()

    def blocked(self) -> str:
        """Why the sweep cannot be started; empty if it can."""
        if self.running:
            return "The sweep is running."
        if self.problem:
            return self.problem
        return "The plan is being made." if self._pending or self.plan is None else ""

    # ------------------------------------------------------------------ carrying it out

    @property
    def running(self) -> bool:
        """Whether runs are carried out now."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, retry_failed: bool = False) -> None:
        """Carry out what is not done yet."""
        plan, estimate = self.plan, self.estimate
        if self.blocked() or plan is None:
            return
        if self.folder is None:
            self.folder = sweeps_folder() / plan.id
        self._identity = plan
        folder, dask = self.folder, self.dask
        self._error, self._stop_asked = "", False

        def work() -> None:
            try:
                workers = _workers(plan, estimate, dask)
                runner = SweepRunner(SweepFolder(folder), plan, workers)
                self.runner = runner
                if self._stop_asked:
                    runner.stop()
                runner.run(retry_failed)
            except PapertabError as error:
                self._error = str(error)

        self._thread = threading.Thread(target=work, name="sweep")
        self._thread.start()
        self._poll.start()
        self.progressed.emit()

    def stop(self) -> None:
        """End the runs on their way; what is done is kept."""
        self._stop_asked = True
        if self.runner is not None:
            self.runner.stop()

    def shut(self) -> bool:
        """Stop and wait; False if something did not end in time."""
        self._poll.stop()
        self._delay.stop()
        self.stop()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
            return not self._thread.is_alive()
        return True

    # ------------------------------------------------------------------ how far it is

    def outcomes(self) -> dict[str, Outcome]:
        """The runs that ended, by key."""
        known = self.runner.outcomes() if self.runner is not None else {}
        return {**self._stored, **known}

    def states(self) -> dict[str, RunState]:
        """Every run of the plan: its state, by key."""
        if self.plan is None:
            return {}
        present = self.runner.states() if self.runner is not None else {}
        states = {}
        for run in self.plan.runs():
            state = present.get(run.key)
            if state is None or state.status == "waiting":
                state = _of_outcome(self._stored.get(run.key)) or state or RunState()
            states[run.key] = state
        return states

    def results(self) -> list[SettingResult]:
        """What every setting gave so far."""
        return setting_results(self.plan, self.outcomes()) if self.plan is not None else []

    def progress(self) -> SweepProgress | None:
        """The counts of a sweep that was begun in this session."""
        return self.runner.progress() if self.runner is not None else None

    # ------------------------------------------------------------------ within

    def _changed(self) -> None:
        """What is asked for is different: until it is planned nothing can be started."""
        self._pending = True
        self._delay.start()
        self.planned.emit()

    def _take(self, subject: Subject) -> None:
        self.subject = subject
        self.runner, self._stored, self.plan, self.estimate = None, {}, None, None
        self.problem, self.notes = "", []

    def _opened(self, folder: Path, plan: SweepPlan, subject: Subject, known: dict[str, Outcome]) -> None:
        self._take(subject)
        self.grid = dict(plan.grid)
        self.seeds, self.first_seed, self.threads = len(plan.seeds), min(plan.seeds), plan.threads
        self.folder, self._stored, self._identity, self.plan = folder, known, plan, plan
        self.subject_changed.emit()
        self.progressed.emit()
        self._plan()

    def _plan(self) -> None:
        subject = self.subject
        if subject is None or self.running:
            return
        self._pending = True
        grid, seeds = dict(self.grid), range(self.first_seed, self.first_seed + self.seeds)
        threads, workers, identity, on_cluster = self.threads, self.workers, self._identity, bool(self.dask)

        def plan() -> tuple[SweepPlan, list[str], SweepEstimate | None]:
            made, notes = plan_sweep(
                subject.method,
                subject.base,
                subject.loaded,
                source=subject.source,
                grid=grid,
                seeds=list(seeds),
                threads=threads,
                device=subject.device,  # type: ignore[arg-type]
                preset=subject.preset,
            )
            if identity is not None:
                made = dataclasses.replace(made, id=identity.id, created=identity.created)
            value = subject.loaded.value
            told = estimate_sweep(subject.method, made, value, None if on_cluster else workers)
            return made, notes, told

        future = self.bridge.engine.loading.call(plan, key=(id(self), "plan"))
        self.bridge.then(future, self._planned, self._not_planned, self)

    def _planned(self, found: tuple[SweepPlan, list[str], SweepEstimate | None]) -> None:
        if self._delay.isActive():
            return
        self.plan, self.notes, self.estimate = found
        self.problem, self._pending = "", False
        self.planned.emit()

    def _not_planned(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.problem, self._pending = str(error), False
        self.planned.emit()

    def _refused(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.told.emit(str(error))

    def _look(self) -> None:
        if self.running:
            self.progressed.emit()
            return
        self._poll.stop()
        self._stored = self.outcomes()
        self.progressed.emit()
        reason = self._error or (self.runner.reason if self.runner is not None else "")
        if reason:
            self.told.emit(reason)


def _workers(plan: SweepPlan, estimate: SweepEstimate | None, dask: str) -> Workers:
    if dask:
        from engine.core.sweeps.cluster import ClusterWorkers

        return ClusterWorkers(dask, plan.id)
    from engine.core.sweeps.local import LocalWorkers

    count, need = (estimate.workers, estimate.bytes) if estimate is not None else (1, 0)
    return LocalWorkers(count, plan.threads, need)


def _of_outcome(outcome: Outcome | None) -> RunState | None:
    if outcome is None:
        return None
    message = str((outcome.error or {}).get("message", ""))
    finished = outcome.status == "finished"
    return RunState("finished" if finished else "failed", 1.0, "", outcome.seconds, message)
