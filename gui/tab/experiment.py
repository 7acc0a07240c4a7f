"""What a tab is about, without a widget: its data, its parameters, its preview, its run.

The form, the data panel, the run bar and the views each show a part of one `Experiment` and change it
through its methods; it tells them by signals. Slow work (reading files, checks that import libraries)
goes to the engine's lanes and comes back through the bridge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.core.board import Board
from engine.core.data import ReadOptions
from engine.core.errors import FieldError, PapertabError
from engine.core.events import Acted
from engine.core.method import Estimate, Method, Problem, load
from engine.core.parameters import MethodParameters
from engine.core.records.reader import RunRecord
from engine.core.running.feed import Changes
from engine.core.running.job import Job, RunRequest
from engine.core.running.preview import Preview
from engine.core.running.priority import default_threads
from engine.core.running.steerable import Steerable
from gui.bridge import EngineBridge
from gui.tab.data_source import DataSource
from gui.tab.values import ParameterValues

CHECK_DELAY_MS = 150
"""How long after the last keystroke what depends on the data is checked and the preview redrawn."""


class Experiment(QObject):
    """State of one tab. `target` is what the views draw and actions change; a reopened record has none."""

    data_changed = Signal()
    parameters_changed = Signal()
    problems_changed = Signal()
    target_changed = Signal()
    settings_changed = Signal()
    """Seed, threads or device are different."""
    news = Signal(object)
    """(Changes): something happened to what is shown."""
    told = Signal(str)
    """A sentence for a toast."""
    submitted = Signal(object)
    """(Job): a run was queued."""

    def __init__(self, method: Method, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.bridge = bridge
        self.engine = bridge.engine
        self.data = DataSource(method, bridge, self)
        self.values = ParameterValues(method)
        self.seed = 0
        self.threads = default_threads()
        self.device = "auto"
        self.problems: dict[str, Problem | FieldError] = {}
        self.estimate: Estimate | None = None
        self.preview: Preview | None = None
        self.job: Job | None = None
        self.record: RunRecord | None = None
        self.recorded: Board | None = None
        self.parent_run: str | None = None
        self._replay: tuple[Any, ...] = ()
        self._run_when_read = ""
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(CHECK_DELAY_MS)
        self._delay.timeout.connect(self._check)
        self.data.changed.connect(self._on_data)
        self.data.read.connect(self._on_read)
        bridge.changed.connect(self._take_news)

    # ------------------------------------------------------------------ data and parameters

    def open(self) -> None:
        """Load the present data; called when the tab is first shown."""
        self.data.open()

    def choose_data(self, source: str, options: ReadOptions | None = None) -> None:
        """Use an embedded set by name, or a file by path."""
        self.data.choose(source, options)

    def set_value(self, name: str, value: Any) -> None:
        """The person changed a field; what is wrong with it shows in `problems`."""
        if self.values.set(name, value):
            self._parameters_moved()

    def choose_preset(self, name: str) -> None:
        """All values of a preset, and its data where it names one."""
        data = self.values.choose(name)
        if data and data != self.data.source:
            self._parameters_moved()
            self.data.choose(data)
        else:
            self._parameters_moved()

    def take_values(self, values: Mapping[str, Any]) -> None:
        """Values of a record or of the last session."""
        self.values.take(values)
        self._parameters_moved()

    def set_settings(self, *, seed: int | None = None, threads: int | None = None, device: str = "") -> None:
        """Change what a repetition needs besides the parameters."""
        self.seed = self.seed if seed is None else seed
        self.threads = threads or self.threads
        self.device = device or self.device
        self.settings_changed.emit()
        self._delay.start()

    def parameters(self) -> MethodParameters | None:
        """The checked parameters; None while a field is wrong."""
        return self.values.parameters()

    def errors(self) -> dict[str, str]:
        """Field → sentence for everything that keeps a run from starting."""
        return {
            name: problem.message if isinstance(problem, Problem) else str(problem)
            for name, problem in self.problems.items()
            if getattr(problem, "severity", "error") == "error"
        }

    def blocked(self) -> str:
        """Why Run is disabled; empty when it is not."""
        if self.data.loading:
            return "The data is being read"
        count = len(self.errors()) + (self.data.error is not None)
        if count:
            return f"{_count_in_words(count)} to settle before a run"
        return "No data is chosen" if self.data.loaded is None else ""

    def _parameters_moved(self) -> None:
        self._validate()
        self.parameters_changed.emit()
        self._delay.start()

    def _on_data(self) -> None:
        self.data_changed.emit()
        self.problems_changed.emit()

    def _on_read(self) -> None:
        self._check()
        if self._run_when_read:
            name, self._run_when_read = self._run_when_read, ""
            if self.run(name=name) is None:
                self.told.emit(f"{self.blocked()}: the run was not begun.")

    # ------------------------------------------------------------------ what depends on the data

    def _validate(self) -> None:
        self.problems = dict(self.values.problems())
        self.problems_changed.emit()

    def _check(self) -> None:
        parameters, loaded = self.parameters(), self.data.loaded
        if parameters is None or loaded is None:
            self._validate()
            return
        method = self.method

        def check() -> tuple[list[Problem], Estimate | None]:
            problems = load(method.check)(parameters, loaded.value) if method.check else []
            estimate = load(method.estimate)(parameters, loaded.value) if method.estimate else None
            return problems, estimate

        future = self.engine.steering.call(check, key=(id(self), "check"))
        self.bridge.then(future, self._checked)
        if self.job is None and self.record is None:
            self._redraw_preview(parameters)

    def _checked(self, outcome: tuple[list[Problem], Estimate | None]) -> None:
        problems, self.estimate = outcome
        found: dict[str, Problem | FieldError] = dict(self.values.problems())
        for problem in problems:
            found.setdefault(problem.field, problem)
        self.problems = found
        self.problems_changed.emit()

    def _redraw_preview(self, parameters: MethodParameters) -> None:
        earlier = self._edits_to_keep()
        if self.preview is not None:
            self.bridge.leave(self.preview)
        self.preview = self.engine.preview(self.method, parameters, self.data.loaded, self.seed, earlier)
        self.bridge.watch(self.preview)
        if self.preview.future is not None:
            self.bridge.then(self.preview.future, lambda _: None, self._preview_failed, self)
        self.target_changed.emit()

    def _edits_to_keep(self) -> list[Acted]:
        """Edits of the preview on show: done again on its next drawing unless the data is other data."""
        if self.preview is None or not self.preview.steering:
            return []
        if self.preview.data is self.data.loaded:
            return list(self.preview.steering)
        self.told.emit("The edits belonged to the data before and were left with it.")
        return []

    def _preview_failed(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.told.emit(str(error))

    # ------------------------------------------------------------------ the run

    @property
    def target(self) -> Steerable | None:
        """What actions go to: the run if there is one, else the preview."""
        if self.record is not None:
            return None
        return self.job or self.preview

    @property
    def computing(self) -> bool:
        """Whether the run on show has not ended."""
        return self.record is None and self.job is not None and not self.job.status.ended

    def board(self) -> Board | None:
        """What the views draw from."""
        if self.record is not None:
            return self.recorded
        return self.target.board if self.target is not None else None

    def run(self, seed: int | None = None, name: str = "") -> Job | None:
        """Queue a run with the present data and parameters and show it; None while something is wrong."""
        job = self.queue(self.seed if seed is None else seed, name)
        if job is not None:
            self.parent_run = None
            self.show_job(job)
        return job

    def run_seeds(self, count: int) -> list[Job]:
        """Queue `count` runs that differ in their seed, from the present one on; the first is shown."""
        jobs = [self.queue(self.seed + place) for place in range(count)]
        begun = [job for job in jobs if job is not None]
        if begun:
            self.parent_run = None
            self.show_job(begun[0])
        return begun

    def queue(self, seed: int, name: str = "") -> Job | None:
        """Queue a run without showing it; None while something is to be settled."""
        parameters = self.parameters()
        if self.blocked() or parameters is None or self.data.loaded is None:
            return None
        replay, self._replay = self._replay, ()
        request = RunRequest(
            method=self.method,
            parameters=parameters,
            data=self.data.loaded,
            source=self.data.source,
            seed=seed,
            threads=self.threads,
            device=self.device,  # type: ignore[arg-type]
            preset=self.values.preset,
            name=name or self._run_name(seed),
            parent=self.parent_run,
            steering=_before_the_run(replay) or self._steering(),
            replay=replay,
        )
        try:
            job = self.engine.submit(request)
        except PapertabError as error:
            self.told.emit(str(error))
            return None
        self.bridge.watch(job)
        self.submitted.emit(job)
        return job

    def show_job(self, job: Job) -> None:
        """The views follow `job` from now on; the run before is freed when it has ended."""
        self._leave_shown(job)
        self.job = job
        self.bridge.watch(job)
        self.target_changed.emit()

    def show_record(self, record: RunRecord, board: Board) -> None:
        """The views show a reopened run; the form takes its settings, the data is read in the background."""
        self._leave_shown(None)
        self.record, self.recorded = record, board
        self._take_settings(record)
        self.target_changed.emit()

    def repeat(self, record: RunRecord) -> None:
        """Take the settings of a recorded run, do again what the person did, and run."""
        self._leave_shown(None)
        self._run_when_read = record.header.name or record.header.id
        self._take_settings(record)
        self._replay = tuple(event for _, _, event in record.steering())
        record.close()

    def branch(self, record: RunRecord) -> None:
        """Take the settings of a recorded run into the form, to be changed; the next run names its parent."""
        self._leave_shown(None)
        self._take_settings(record)
        record.close()
        self._check()
        self.target_changed.emit()

    def show_preview(self) -> None:
        """Back to the state before a run; an ended run is freed."""
        self._leave_shown(None)
        self.parent_run = None
        self._check()
        self.target_changed.emit()

    def _take_settings(self, record: RunRecord) -> None:
        header = record.header
        if header.preset in self.values.presets():
            self.values.preset = str(header.preset)
        self.take_values(header.parameters)
        self.parent_run = header.id
        self.set_settings(seed=header.seed, threads=header.threads, device=header.device)
        stored = {k: v for k, v in header.data.get("options", {}).items() if k != "reader"}
        source = header.data.get("path") or header.data.get("source") or self.data.source
        self.data.choose(str(source), ReadOptions().with_settings(stored))

    def _leave_shown(self, next_job: Job | None) -> None:
        if self.job is not None and self.job is not next_job and self.job.status.ended:
            self.bridge.leave(self.job)
            self.engine.forget(self.job)
        if self.record is not None:
            self.record.close()
        self.job = self.record = self.recorded = None
        self._replay = ()

    def _steering(self) -> tuple[Acted, ...]:
        return tuple(self.preview.steering) if self.preview and self.job is None else ()

    def _run_name(self, seed: int) -> str:
        named = f"{self.data.title()}, {self.values.preset}"
        return f"{named}, seed {seed}" if seed else named

    # ------------------------------------------------------------------ actions

    def act(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Carry out an action on what is shown."""
        target = self.target
        if target is None:
            self.told.emit("Run again to change this: a reopened run shows what was recorded.")
            return
        try:
            self.engine.act(target, name, arguments)
        except PapertabError as error:
            self.told.emit(str(error))

    def undo(self) -> None:
        """Take back the last edit."""
        if self.target is not None:
            self.engine.undo(self.target)

    def redo(self) -> None:
        """Do again what was taken back."""
        if self.target is not None:
            self.engine.redo(self.target)

    def _take_news(self, target: Steerable, changes: Changes) -> None:
        if target is self.job or (target is self.preview and self.job is None and self.record is None):
            self.news.emit(changes)
            for sentence in (*changes.failures, *changes.said):
                self.told.emit(sentence)


def _before_the_run(replay: tuple[Any, ...]) -> tuple[Acted, ...]:
    return tuple(event for event in replay if isinstance(event, Acted) and event.after < 0)


def _count_in_words(count: int) -> str:
    words = ("No things", "One thing", "Two things", "Three things", "Four things", "Five things")
    return words[count] if count < len(words) else f"{count} things"
