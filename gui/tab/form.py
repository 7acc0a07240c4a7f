"""The parameter form, derived from the parameter model: no range, default or help is written here."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from engine.core.method import Problem
from engine.core.parameters import FieldSpec
from gui.tab.editors import editor, meant, shown
from gui.tab.experiment import Experiment
from gui.widgets.field_row import FieldRow
from gui.widgets.option import Option
from gui.widgets.preset_chips import PresetChips
from gui.widgets.section import Section

ABOVE = ("several",)
LOCKED = "Locked while the run goes on"


class ParameterForm(QWidget):
    """Presets, then a section per group of fields; what depends on other fields comes and goes."""

    own_requested = Signal()
    """The person wants to keep the present values under a name."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.rows: dict[str, FieldRow] = {}
        self._specs = {spec.name: spec for spec in experiment.method.parameters.fields()}
        self._filling = self._locked = False
        self.chips = PresetChips([], own=True)
        self.chips.chosen.connect(lambda name: experiment.choose_preset(str(name)))
        self.chips.own_requested.connect(self.own_requested)
        self.sections: dict[str, Section] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        for spec in self._specs.values():
            self._section_for(spec, column).add(self._row(spec))
        self.offer_presets()
        experiment.parameters_changed.connect(self.fill)
        experiment.problems_changed.connect(self.mark_problems)
        experiment.target_changed.connect(self.lock)
        self.fill()

    def field(self, name: str) -> Any:
        """The editor of a parameter."""
        return self.rows[name].field

    def show_field(self, name: str) -> None:
        """Open the section of a field, scroll to it and give it the keyboard."""
        row = self.rows[name]
        self.sections[self._title(self._specs[name])].set_open(True)
        row.field.setFocus(Qt.FocusReason.OtherFocusReason)  # type: ignore[attr-defined]
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(row)

    def offer_presets(self) -> None:
        """Show the method's presets and the person's own."""
        presets = [
            Option(p.name, p.title or p.name.capitalize(), help=p.help)
            for p in self.experiment.method.presets
        ]
        own = [Option(name, name, help="A preset of your own") for name in self.experiment.values.own]
        self.chips.set_options([*presets, *own], self.experiment.values.preset)

    def refresh(self) -> None:
        """Presets and values anew."""
        self.offer_presets()
        self.fill()

    def fill(self) -> None:
        """Show the experiment's values, what differs from the preset, and only what applies."""
        self._filling = True
        changed = set(self.experiment.values.changed())
        for name, row in self.rows.items():
            spec = self._specs[name]
            value = shown(spec, self.experiment.values[name])
            if row.field.value() != value:
                row.field.set_value(value)
            row.set_changed(name in changed, _words(spec, self.experiment.values.preset_value(name)))
            row.setVisible(spec.when is None or spec.when.holds(self.experiment.values.values))
        self.chips.set_value(self.experiment.values.preset)
        for title, section in self.sections.items():
            mine = [name for name in changed if self._title(self._specs[name]) == title]
            section.set_note(self._note(title, len(mine)))
            section.set_reset_blocked("" if mine else "Nothing differs from the preset.")
        self._filling = False
        self.mark_problems()

    def mark_problems(self) -> None:
        """Errors and warnings beside their fields."""
        for name, row in self.rows.items():
            problem = self.experiment.problems.get(name)
            if problem is None:
                row.set_note("")
                continue
            warning = isinstance(problem, Problem) and problem.severity == "warning"
            text = problem.message if isinstance(problem, Problem) else str(problem)
            row.set_note(text, "warning" if warning else "error")
        if self._locked:
            self._say_locked()

    def lock(self) -> None:
        """While a run computes the fields stay as they were asked for."""
        running = self.experiment.computing
        if running == self._locked:
            return
        self._locked = running
        for row in self.rows.values():
            row.field.setEnabled(not running)  # type: ignore[attr-defined]
            row.field.setToolTip(self._specs_help(row))  # type: ignore[attr-defined]
        self.chips.setEnabled(not running)
        if running:
            self._say_locked()
            for section in self.sections.values():
                section.set_note("locked while running")
                section.set_reset_blocked(LOCKED)
        else:
            self.fill()

    def _say_locked(self) -> None:
        for row in self.rows.values():
            row.field.setToolTip(LOCKED)  # type: ignore[attr-defined]

    def _specs_help(self, row: FieldRow) -> str:
        return next(self._specs[name].help for name, each in self.rows.items() if each is row)

    def _row(self, spec: FieldSpec) -> FieldRow:
        widget = editor(spec, self.experiment.values[spec.name])
        row = FieldRow(spec.title, widget, help_text=spec.help, above=spec.kind in ABOVE)
        row.field.value_changed.connect(lambda held, spec=spec: self._take(spec, held))
        row.reset_requested.connect(
            lambda name=spec.name: self.experiment.set_value(name, self.experiment.values.preset_value(name))
        )
        self.rows[spec.name] = row
        return row

    def _take(self, spec: FieldSpec, held: Any) -> None:
        if not self._filling:
            self.experiment.set_value(spec.name, meant(spec, held))

    def _section_for(self, spec: FieldSpec, column: QVBoxLayout) -> Section:
        title = self._title(spec)
        if title not in self.sections:
            advanced = title == "Advanced"
            section = Section(
                title,
                "" if advanced else "sliders-horizontal",
                collapsible=advanced,
                opened=not advanced,
                resettable=True,
            )
            section.reset_requested.connect(lambda title=title: self._reset(title))
            if not self.sections:
                section.add(self.chips)
            self.sections[title] = section
            column.addWidget(section)
        return self.sections[title]

    def _reset(self, title: str) -> None:
        for name in self.experiment.values.changed():
            if self._title(self._specs[name]) == title:
                self.experiment.set_value(name, self.experiment.values.preset_value(name))

    def _title(self, spec: FieldSpec) -> str:
        return "Advanced" if spec.group == "advanced" else spec.section

    def _note(self, title: str, changed: int) -> str:
        if title != "Advanced":
            return f"changed: {changed}" if changed else ""
        count = sum(1 for spec in self._specs.values() if self._title(spec) == title)
        return f"· {count} fields, {f'{changed} changed' if changed else 'all at default'}"


def _words(spec: FieldSpec, value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(spec.label(item) for item in value)
    return spec.label(value)
