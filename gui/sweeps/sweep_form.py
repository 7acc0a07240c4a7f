"""What is varied, how many seeds, where runs are carried out; how many there are and how long they take."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from engine.core.sweeps.estimate import PROCESS_BYTES
from gui.sweeps.sweep_model import SweepModel
from gui.sweeps.values_field import values_field, values_of
from gui.tab.times import bytes_in_words, clock
from gui.theme.theme import theme
from gui.widgets.button import Button, IconButton
from gui.widgets.field_row import FieldRow
from gui.widgets.label import Label
from gui.widgets.menu import Menu
from gui.widgets.number_field import NumberField
from gui.widgets.progress import ProgressBar
from gui.widgets.section import Section
from gui.widgets.text_field import TextField

MOST_SEEDS = 10_000
NOTES_SHOWN = 6


class SweepForm(QWidget):
    """Shows a ``SweepModel`` and changes it; Start, Stop and Resume at its foot."""

    stored_requested = Signal()

    def __init__(self, model: SweepModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.rows: dict[str, FieldRow] = {}
        self._holders: dict[str, QWidget] = {}
        self.varied = Section("Varied", "stack")
        self.add_button = Button("Vary a parameter", icon_name="plus")
        alone = "Each parameter keeps its one value: the seeds alone differ."
        self.nothing = Label(alone, "small", "tertiary", wrap=True)
        self.seeds = NumberField(1, whole=True, minimum=1, maximum=MOST_SEEDS, name="Seeds")
        self.first = NumberField(0, whole=True, minimum=0, maximum=2**53, name="First seed")
        self.threads = NumberField(1, whole=True, minimum=1, maximum=1024, name="Threads a run")
        self.workers = NumberField(1, whole=True, minimum=1, maximum=1024, name="Runs at once")
        self.dask = TextField("", placeholder="tcp://host:8786", check=_address, name="Dask scheduler")
        self.line = Label("", "body", wrap=True)
        self.notes = Label("", "small", "warning", wrap=True)
        self.bar = ProgressBar(name="Progress of the sweep")
        self.counted = Label("", "small", "secondary", wrap=True)
        self.start_button = Button("Start", "primary", "play-fill", large=True)
        self.stop_button = Button("Stop", "danger", "stop-fill", large=True)
        self.retry_button = Button("Try failed runs again", icon_name="arrow-clockwise")
        self._lay_out()
        self._connect()
        self._filling = False

    # ------------------------------------------------------------------ fields

    def fill(self) -> None:
        """Show what the model holds."""
        self._filling = True
        for name in list(self.rows):
            self._remove(name)
        for name, values in self.model.grid.items():
            self._add(name, values)
        self.seeds.set_value(self.model.seeds)
        self.first.set_value(self.model.first_seed)
        self.threads.set_value(self.model.threads)
        self.dask.set_value(self.model.dask)
        self._filling = False
        self.refresh()

    def vary(self, name: str) -> None:
        """Turn a parameter into a list, beginning with the value it has."""
        subject = self.model.subject
        if subject is None or name in self.rows:
            return
        value = getattr(subject.base, name)
        spec = subject.spec(name)
        values: tuple[Any, ...] = (True, False) if spec.kind == "toggle" else (value,)
        self._add(name, values)
        self.model.vary(name, values)
        self.rows[name].field.setFocus()  # type: ignore[attr-defined]
        self.refresh()

    def fix(self, name: str) -> None:
        """Let a parameter keep its one value."""
        self._remove(name)
        self.model.fix(name)
        self.refresh()

    def problem(self) -> str:
        """What is wrong in a field; empty if nothing."""
        for row in self.rows.values():
            if text := row.field.problem():
                return text
        return self.dask.problem()

    # ------------------------------------------------------------------ state

    def refresh(self) -> None:
        """Show plan, progress and which deeds are possible."""
        model = self.model
        running = model.running
        self.nothing.setVisible(not self.rows)
        self._show_plan()
        self._show_progress()
        ended = model.outcomes()
        failed = sum(1 for state in model.states().values() if state.status == "failed")
        self.start_button.setVisible(not running)
        self.start_button.setText("Resume" if ended and not self._all_done() else "Start")
        reason = self.problem() or model.blocked() or ("All runs are done." if self._all_done() else "")
        self.start_button.set_blocked(reason)
        self.stop_button.setVisible(running)
        self.retry_button.setVisible(bool(failed) and not running)
        for widget in (self.seeds, self.first, self.threads, self.workers, self.dask, self.add_button):
            widget.setEnabled(not running)
        self.threads.setEnabled(not running and model.folder is None)
        for row in self.rows.values():
            row.field.setEnabled(not running)  # type: ignore[attr-defined]

    def _all_done(self) -> bool:
        states = self.model.states()
        return bool(states) and all(state.status in ("finished", "failed") for state in states.values())

    def _show_plan(self) -> None:
        model = self.model
        if model.problem:
            self.line.setText(model.problem)
            self.line.set_tone("danger")
        elif model.estimate is not None:
            self.line.set_tone("")
            self.line.setText(self._estimate_words())
            if model.workers is None and not self.workers.hasFocus():
                self.workers.set_value(model.estimate.workers)
        else:
            self.line.setText("")
        more = len(model.notes) - NOTES_SHOWN
        shown = [*model.notes[:NOTES_SHOWN], *([f"{more} more"] if more > 0 else [])]
        self.notes.setText("\n".join(shown))
        self.notes.setVisible(bool(shown))

    def _estimate_words(self) -> str:
        estimate = self.model.estimate
        assert estimate is not None
        parts = [f"{estimate.runs:,} run{'s' * (estimate.runs != 1)}"]
        if self.model.dask:
            parts.append("on the cluster")
        else:
            parts.append(f"{estimate.workers:,} at once")
            if estimate.bytes > PROCESS_BYTES:
                parts.append(f"{bytes_in_words(estimate.bytes)} each")
        seconds = estimate.seconds if self.model.dask else estimate.wall_seconds
        parts.append("how long is not known" if seconds is None else f"about {clock(seconds)}")
        return " · ".join(parts)

    def _show_progress(self) -> None:
        progress = self.model.progress()
        self.bar.setVisible(self.model.running)
        if progress is None or not self.model.running:
            states = self.model.states().values()
            done = sum(state.status == "finished" for state in states)
            failed = sum(state.status == "failed" for state in states)
            words = f"{done:,} of {len(states):,} runs done" + (f", {failed:,} failed" if failed else "")
            self.counted.setText(words if done or failed else "")
            return
        states_share = sum((s.fraction or 0.0) for s in self.model.states().values() if s.status == "running")
        share = (progress.finished + progress.failed + states_share) / max(1, progress.total)
        self.bar.set_share(share)
        failed_words = f", {progress.failed:,} failed" if progress.failed else ""
        left = f" · about {clock(progress.left)} left" if progress.left is not None else ""
        self.counted.setText(
            f"{progress.finished:,} of {progress.total:,} runs{failed_words} · "
            f"{progress.running:,} running · {clock(progress.seconds)} elapsed{left}"
        )

    # ------------------------------------------------------------------ rows

    def _add(self, name: str, values: tuple[Any, ...]) -> None:
        subject = self.model.subject
        assert subject is not None
        spec = subject.spec(name)
        field = values_field(subject.method, spec, values)
        title = f"{spec.title} ({spec.unit})" if spec.unit else spec.title
        row = FieldRow(title, field, help_text=spec.help, above=True)
        row.field.value_changed.connect(partial(self._take, name))
        row.field.problem_changed.connect(lambda _: self.refresh())
        away = IconButton("x", f"Do not vary {spec.title}", small=True)
        away.clicked.connect(lambda _=False: self.fix(name))
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(row, 1)
        line.addWidget(away)
        self.rows[name], self._holders[name] = row, holder
        self.varied.add(holder)

    def _remove(self, name: str) -> None:
        del self.rows[name]
        holder = self._holders.pop(name)
        holder.setParent(None)
        holder.deleteLater()

    def _take(self, name: str, held: object) -> None:
        subject = self.model.subject
        if not self._filling and subject is not None:
            self.model.vary(name, values_of(subject.spec(name), held))

    def _offer_parameters(self) -> None:
        menu = self.parameter_menu()
        corner = self.add_button.mapToGlobal(QPoint(0, self.add_button.height()))
        menu.popup(corner)

    def parameter_menu(self) -> Menu:
        """The parameters that can be varied."""
        menu = Menu(self)
        subject = self.model.subject
        for spec in subject.method.parameters.fields() if subject is not None else ():
            reason = f"{spec.title} is varied already." if spec.name in self.rows else ""
            menu.add(spec.title, partial(self.vary, spec.name), reason=reason)
        return menu

    # ------------------------------------------------------------------ lay-out

    def _connect(self) -> None:
        model = self.model
        self.add_button.clicked.connect(self._offer_parameters)
        self.seeds.value_changed.connect(lambda value: self._set(seeds=value))
        self.first.value_changed.connect(lambda value: self._set(first_seed=value))
        self.threads.value_changed.connect(lambda value: self._set(threads=value))
        self.workers.value_changed.connect(lambda value: self._set(workers=value))
        self.dask.value_changed.connect(lambda value: self._set(dask=value.strip()))
        self.start_button.clicked.connect(lambda _: model.start())
        self.stop_button.clicked.connect(lambda _: model.stop())
        self.retry_button.clicked.connect(lambda _: model.start(retry_failed=True))
        model.subject_changed.connect(self.fill)
        model.planned.connect(self.refresh)
        model.progressed.connect(self.refresh)

    def _set(self, **settings: Any) -> None:
        if not self._filling:
            self.model.set_settings(**settings)

    def _lay_out(self) -> None:
        self.varied.add(self.nothing)
        self.varied.add(self.add_button)
        seeds = Section("Seeds", "dice-five")
        seeds.add(FieldRow("Seeds", self.seeds, help_text="Runs of each setting, which differ in their seed"))
        seeds.add(FieldRow("First seed", self.first, help_text="The others follow it"))
        where = Section("Where", "cpu")
        where.add(FieldRow("Runs at once", self.workers, help_text="Processes on this machine"))
        where.add(FieldRow("Threads", self.threads, help_text="Of each run; numbers may depend on it"))
        cluster = "Address of a scheduler; empty for this machine"
        where.add(FieldRow("Dask", self.dask, help_text=cluster))
        inside = QWidget()
        fields = QVBoxLayout(inside)
        fields.setContentsMargins(24, 12, 16, 12)
        fields.setSpacing(16)
        for section in (self.varied, seeds, where):
            fields.addWidget(section)
        fields.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        foot = QVBoxLayout()
        foot.setContentsMargins(24, 12, 16, 16)
        foot.setSpacing(8)
        buttons = QHBoxLayout()
        buttons.addWidget(self.start_button, 1)
        buttons.addWidget(self.stop_button, 1)
        for widget in (self.line, self.notes, self.bar, self.counted, self.retry_button):
            foot.addWidget(widget)
        foot.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(scroll, 1)
        column.addLayout(foot)
        self.setFixedWidth(theme().px(320))


def _address(text: str) -> str:
    """What is wrong with the address of a scheduler."""
    text = text.strip()
    head, colon, port = text.rpartition(":")
    right = not text or ("://" in text and bool(colon) and port.isdigit() and not head.endswith(":"))
    return "" if right else "Write an address such as tcp://host:8786."
