"""What a tab is about, without a widget: its data, its parameters, its preview, its run.

The form, the data panel, the run bar and the views each show a part of one `Experiment` and change it
through its methods; it tells them by signals. Slow work (reading files, checks that import libraries)
goes to the engine's lanes and comes back through the bridge.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.core.data import Loaded, ReadOptions
from engine.core.data.datasets import resolve
from engine.core.errors import FieldError, PapertabError, Repair, UnknownNameError
from engine.core.method import Estimate, Method, Problem, load
from engine.core.parameters import MethodParameters
from engine.core.records.reader import RunRecord
from engine.core.running.feed import Changes
from engine.core.running.job import Job, RunRequest
from engine.core.running.preview import Preview
from engine.core.running.priority import default_threads
from engine.core.running.steerable import Steerable
from gui.bridge import EngineBridge

CHECK_DELAY_MS = 150
"""How long after the last keystroke what depends on the data is checked and the preview redrawn."""


class Experiment(QObject):
    """State of one tab. `shown` is what the views draw: the preview, a run, or a reopened record."""

    data_changed = Signal()
    parameters_changed = Signal()
    problems_changed = Signal()
    target_changed = Signal()
    news = Signal(object)
    """(Changes): something happened to what is shown."""
    told = Signal(str)
    """A sentence for a toast."""

    def __init__(self, method: Method, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.bridge = bridge
        self.engine = bridge.engine
        self.preset = method.presets[0].name
        self.values: dict[str, Any] = self._preset_values(self.preset)
        self.seed = 0
        self.threads = default_threads()
        self.device = "auto"
        self.source = method.presets[0].data or method.sets[0].name
        self.options = ReadOptions()
        self.loaded: Loaded | None = None
        self.loading = False
        self.data_error: PapertabError | None = None
        self.problems: dict[str, Problem | FieldError] = {}
        self.estimate: Estimate | None = None
        self.preview: Preview | None = None
        self.job: Job | None = None
        self.record: RunRecord | None = None
        self._run_when_read = ""
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(CHECK_DELAY_MS)
        self._delay.timeout.connect(self._check)
        bridge.changed.connect(self._take_news)

    # ------------------------------------------------------------------ data

    def open(self) -> None:
        """Load the present data; called when the tab is first shown."""
        if self.loaded is None and not self.loading:
            self.choose_data(self.source, self.options)

    def choose_data(self, source: str, options: ReadOptions | None = None) -> None:
        """Read an embedded set by name, or a file by path, off the main thread."""
        self.source, self.options = source, options or ReadOptions()
        self.loading, self.data_error = True, None
        self.data_changed.emit()
        method, chosen = self.method, self.options
        future = self.engine.loading.call(
            lambda: resolve(source, method.sets, method.data, chosen), key=(self.method.slug, "data")
        )
        self.bridge.then(future, self._data_read, self._data_refused)

    def repair(self, choice: Repair) -> None:
        """Read again with the way out the person chose."""
        self.choose_data(self.source, self.options.repaired(choice))

    @property
    def is_file(self) -> bool:
        """Whether the data is the person's own file."""
        return self.source not in {data.name for data in self.method.sets}

    def _data_read(self, loaded: Loaded) -> None:
        self.loading, self.loaded, self.data_error = False, loaded, None
        self.data_changed.emit()
        self._check()
        if self._run_when_read:
            name, self._run_when_read = self._run_when_read, ""
            self.run(name=name)

    def _data_refused(self, error: BaseException) -> None:
        self.loading = False
        if not isinstance(error, PapertabError):
            raise error
        self.data_error = error
        self.data_changed.emit()
        self.problems_changed.emit()

    # ------------------------------------------------------------------ parameters

    def set_value(self, name: str, value: Any) -> None:
        """The person changed a field; what is wrong with it shows in `problems`."""
        if self.values.get(name) == value and type(self.values.get(name)) is type(value):
            return
        self.values[name] = value
        self._validate()
        self.parameters_changed.emit()
        self._delay.start()

    def choose_preset(self, name: str) -> None:
        """All values of a preset, and its data where it names one."""
        preset = self.method.preset(name)
        self.preset = name
        self.values = self._preset_values(name)
        self._validate()
        self.parameters_changed.emit()
        if preset.data and preset.data != self.source:
            self.choose_data(preset.data)
        else:
            self._delay.start()

    def take_values(self, values: Mapping[str, Any]) -> None:
        """Values of a record or of the last session; names this version does not know are left out."""
        known = {name: value for name, value in values.items() if name in self.values}
        self.values = {**self.values, **known}
        self._validate()
        self.parameters_changed.emit()
        self._delay.start()

    def changed_fields(self) -> list[str]:
        """Fields that differ from the preset."""
        preset = self._preset_values(self.preset)
        return [name for name, value in self.values.items() if _plain(value) != _plain(preset[name])]

    def preset_value(self, name: str) -> Any:
        """The value of a field in the chosen preset."""
        return self._preset_values(self.preset)[name]

    def parameters(self) -> MethodParameters | None:
        """The checked parameters; None while a field is wrong."""
        if self.method.parameters.problems(self.values):
            return None
        return self.method.parameters.build(self.values)

    def errors(self) -> dict[str, str]:
        """Field → sentence for everything that keeps a run from starting."""
        return {
            name: _sentence(problem)
            for name, problem in self.problems.items()
            if getattr(problem, "severity", "error") == "error"
        }

    def blocked(self) -> str:
        """Why Run is disabled; empty when it is not."""
        if self.loading:
            return "The data is being read."
        if self.data_error is not None:
            return "The data cannot be used as it is."
        if self.loaded is None:
            return "No data is chosen."
        count = len(self.errors())
        if count:
            return f"{_count_in_words(count)} to settle before a run"
        return ""

    def _preset_values(self, name: str) -> dict[str, Any]:
        parameters = self.method.settings(name)
        return {field: getattr(parameters, field) for field in self.method.parameters.model_fields}

    def _validate(self) -> None:
        self.problems = {
            error.field or "": error
            for error in self.method.parameters.problems(self.values)
            if not isinstance(error, UnknownNameError)
        }
        self.problems_changed.emit()

    # ------------------------------------------------------------------ what depends on the data

    def _check(self) -> None:
        parameters, loaded = self.parameters(), self.loaded
        if parameters is None or loaded is None:
            self._validate()
            return
        method = self.method

        def check() -> tuple[list[Problem], Estimate | None]:
            problems = load(method.check)(parameters, loaded.value) if method.check else []
            estimate = load(method.estimate)(parameters, loaded.value) if method.estimate else None
            return problems, estimate

        future = self.engine.steering.call(check, key=(method.slug, "check"))
        self.bridge.then(future, self._checked)
        if self.job is None and self.record is None:
            self._redraw_preview(parameters)

    def _checked(self, outcome: tuple[list[Problem], Estimate | None]) -> None:
        self._validate()
        problems, self.estimate = outcome
        for problem in problems:
            self.problems.setdefault(problem.field, problem)
        self.problems_changed.emit()

    def _redraw_preview(self, parameters: MethodParameters) -> None:
        if self.preview is not None:
            self.bridge.leave(self.preview)
        self.preview = self.engine.preview(self.method, parameters, self.loaded, self.seed)
        self.bridge.watch(self.preview)
        if self.preview.future is not None:
            self.bridge.then(self.preview.future, lambda _: None, self._preview_failed)
        self.target_changed.emit()

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

    def run(self, seed: int | None = None, name: str = "") -> Job | None:
        """Queue a run with the present data and parameters; None while something is to be settled."""
        parameters = self.parameters()
        if self.blocked() or parameters is None or self.loaded is None:
            return None
        request = RunRequest(
            method=self.method,
            parameters=parameters,
            data=self.loaded,
            source=self.source,
            seed=self.seed if seed is None else seed,
            threads=self.threads,
            device=self.device,  # type: ignore[arg-type]
            preset=self.preset,
            name=name or self._run_name(),
            parent=self.record.header.id if self.record else None,
            steering=tuple(self.preview.steering) if self.preview and self.job is None else (),
        )
        self.show_job(self.engine.submit(request))
        return self.job

    def show_job(self, job: Job) -> None:
        """The views follow `job` from now on; the run before is freed when it has ended."""
        if self.job is not None and self.job is not job:
            self.bridge.leave(self.job)
            self.engine.forget(self.job)
        self.job, self.record = job, None
        self.bridge.watch(job)
        self.target_changed.emit()

    def show_record(self, record: RunRecord) -> None:
        """The views show a reopened run."""
        self.record = record
        self.take_values(record.header.parameters)
        self.seed = record.header.seed
        self.target_changed.emit()

    def repeat(self, record: RunRecord) -> None:
        """Take the settings of a recorded run, read its data again, and run."""
        header = record.header
        self.record = None
        if header.preset in {preset.name for preset in self.method.presets}:
            self.preset = header.preset
        self.take_values(header.parameters)
        self.seed = header.seed
        self._run_when_read = header.name
        stored = {k: v for k, v in header.data.get("options", {}).items() if k != "reader"}
        source = header.data.get("path") or header.data.get("source") or self.source
        self.choose_data(str(source), ReadOptions().with_settings(stored))

    def show_preview(self) -> None:
        """Back to the state before a run; an ended run is freed."""
        if self.job is not None:
            self.bridge.leave(self.job)
            self.engine.forget(self.job)
        self.job = self.record = None
        self._check()

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

    def _run_name(self) -> str:
        title = next((d.title for d in self.method.sets if d.name == self.source), Path(self.source).stem)
        return f"{title}, {self.preset}"

    def _take_news(self, target: Steerable, changes: Changes) -> None:
        if target is self.job or (target is self.preview and self.job is None):
            self.news.emit(changes)
            for failure in changes.failures:
                self.told.emit(failure)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (tuple, list, set, frozenset)) else value


def _sentence(problem: Problem | FieldError) -> str:
    return problem.message if isinstance(problem, Problem) else str(problem)


def _count_in_words(count: int) -> str:
    words = ("No things", "One thing", "Two things", "Three things", "Four things", "Five things")
    return words[count] if count < len(words) else f"{count} things"
