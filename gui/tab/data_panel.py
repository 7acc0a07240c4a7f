"""The data chooser: embedded sets, a file by dialog or by drop, what was understood in one line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.tab.experiment import Experiment
from gui.widgets.button import Button
from gui.widgets.choice_field import ChoiceField
from gui.widgets.label import Label
from gui.widgets.option import Option
from gui.widgets.section import Section


class DataPanel(QWidget):
    """Chooses the data of an experiment and says how the reading went."""

    report_requested = Signal()
    """The person wants to see what was read."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.chooser = ChoiceField([], two_lines=True, name="Data set")
        self.open_button = Button("Open file…", icon_name="folder-open")
        self.preview_button = Button("Preview", icon_name="table")
        self.status = Label("", "small", "secondary", wrap=True)
        section = Section("Data", "database")
        section.add(self.chooser)
        section.add(_side_by_side(self.open_button, self.preview_button))
        section.add(self.status)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(section)
        self.chooser.value_changed.connect(self._choose)
        self.open_button.clicked.connect(self.open_file)
        self.preview_button.clicked.connect(self.report_requested)
        experiment.data_changed.connect(self.fill)
        experiment.target_changed.connect(self.lock)
        self.fill()

    def fill(self) -> None:
        """Show the present choice and what was understood."""
        experiment = self.experiment
        choices = [Option(d.name, d.title, note=d.description) for d in experiment.method.sets]
        if experiment.is_file:
            choices.insert(0, Option(experiment.source, Path(experiment.source).name, note=self._summary()))
        self.chooser.blockSignals(True)
        self.chooser.set_options(choices, experiment.source)
        self.chooser.blockSignals(False)
        self._say()

    def lock(self) -> None:
        """The data of a run that computes stays chosen until it ends."""
        job = self.experiment.job
        running = job is not None and not job.status.ended and self.experiment.record is None
        self.chooser.setEnabled(not running)
        self.chooser.setToolTip("Locked while the run goes on." if running else "")
        self.open_button.set_blocked("Locked while the run goes on." if running else "")

    def open_file(self) -> None:
        """Let the person choose a file of a format the method takes."""
        patterns = sorted({f"*{suffix}" for kind in self.experiment.method.data for suffix in kind.accepts})
        name, _ = QFileDialog.getOpenFileName(
            self, "Open data", "", f"Data ({' '.join(patterns)});;All files (*)"
        )
        if name:
            self.experiment.choose_data(name)

    def _choose(self, source: object) -> None:
        if source is not None and source != self.experiment.source:
            self.experiment.choose_data(str(source))

    def _say(self) -> None:
        experiment = self.experiment
        self.preview_button.set_blocked(
            "" if experiment.loaded or experiment.data_error else "Nothing is read yet."
        )
        if experiment.loading:
            self._status("Reading…", "secondary")
        elif experiment.data_error is not None:
            self._status(str(experiment.data_error), "danger")
        elif experiment.loaded is not None:
            self._status(self._understood(), "secondary")

    def _status(self, text: str, tone: str) -> None:
        self.status.setText(text)
        self.status.set_tone(tone)

    def _summary(self) -> str:
        loaded = self.experiment.loaded
        return loaded.value.summary() if loaded is not None else "a file of yours"

    def _understood(self) -> str:
        loaded = self.experiment.loaded
        assert loaded is not None
        report = loaded.report
        parts = [loaded.value.summary()]
        missing = sum(report.missing.values())
        parts.append(f"{missing:,} missing" if missing else "0 missing")
        if report.duplicate_rows:
            rows = "row" if report.duplicate_rows == 1 else "rows"
            parts.append(f"{report.duplicate_rows:,} duplicate {rows} kept")
        if report.warnings:
            parts.append(f"{len(report.warnings)} to know, see Preview")
        return " · ".join(parts)


def _side_by_side(*widgets: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget, 1)
    return box
