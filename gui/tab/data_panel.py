"""The data chooser: embedded sets, a file by dialog or by drop, what was understood in one line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from engine.core.data.datasets import DataSet
from engine.core.data.report import Report
from engine.core.data.source import FOLDER
from engine.core.errors import DataError, PapertabError
from gui.tab.experiment import Experiment
from gui.widgets.announce import announce
from gui.widgets.button import Button
from gui.widgets.choice_field import ChoiceField
from gui.widgets.icon_label import IconLabel
from gui.widgets.label import Label
from gui.widgets.option import Option
from gui.widgets.section import Section


class DataPanel(QWidget):
    """Chooses the data of an experiment and says how the reading went."""

    report_requested = Signal()
    """The person wants to see what was read."""
    file_chosen = Signal(str)
    """The person opened this file."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.chooser = ChoiceField([], two_lines=True, name="Data set")
        folders = any(FOLDER in kind.accepts for kind in experiment.method.data)
        # Three words fit beside each other, with icons only two.
        self.open_button = Button("Open file…", icon_name="" if folders else "folder-open")
        self.folder_button = Button("Folder…")
        self.folder_button.setVisible(folders)
        self.preview_button = Button("Preview", icon_name="" if folders else "table")
        self.status = Label("", "small", "secondary", wrap=True)
        section = Section("Data", "database")
        section.add(self.chooser)
        section.add(_side_by_side(self.open_button, self.folder_button, self.preview_button))
        self.sign = IconLabel("check-circle")
        self._said = ""
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.status, 1)
        section.add(line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(section)
        self.chooser.value_changed.connect(self._choose)
        self.open_button.clicked.connect(self.open_file)
        self.folder_button.clicked.connect(self.open_folder)
        self.preview_button.clicked.connect(self.report_requested)
        experiment.data_changed.connect(self.fill)
        experiment.target_changed.connect(self.lock)
        self.fill()

    def fill(self) -> None:
        """Show the present choice and what was understood."""
        experiment = self.experiment
        choices = [Option(d.name, d.title, note=self._note(d)) for d in experiment.method.sets]
        if experiment.data.file:
            note = self._summary() if experiment.data.is_file else str(Path(experiment.data.file).parent)
            choices.insert(0, Option(experiment.data.file, Path(experiment.data.file).name, note=note))
        self.chooser.blockSignals(True)
        self.chooser.set_options(choices, experiment.data.source)
        self.chooser.blockSignals(False)
        self._say()

    def lock(self) -> None:
        """The data of a run that computes stays chosen until it ends."""
        running = self.experiment.computing
        self.chooser.setEnabled(not running)
        self.chooser.setToolTip("Locked while the run goes on." if running else "")
        for button in (self.open_button, self.folder_button):
            button.set_blocked("Locked while the run goes on." if running else "")

    def open_file(self) -> None:
        """Let the person choose a file of a format the method takes."""
        accepted = {suffix for kind in self.experiment.method.data for suffix in kind.accepts} - {FOLDER}
        patterns = sorted(f"*{suffix}" for suffix in accepted)
        name, _ = QFileDialog.getOpenFileName(
            self, "Open data", "", f"Data ({' '.join(patterns)});;All files (*)"
        )
        if name:
            self.file_chosen.emit(name)

    def open_folder(self) -> None:
        """Let the person choose a folder of a layout the method takes."""
        name = QFileDialog.getExistingDirectory(self, "Open a folder of data")
        if name:
            self.file_chosen.emit(name)

    def _choose(self, source: object) -> None:
        if source is not None and source != self.experiment.data.source:
            self.experiment.choose_data(str(source))

    def _say(self) -> None:
        experiment = self.experiment
        self.preview_button.set_blocked(
            "" if experiment.data.loaded or experiment.data.error else "Nothing is read yet."
        )
        if experiment.data.loading:
            self._status("Reading…", "hourglass", "secondary")
        elif experiment.data.error is not None:
            self._status(_short(experiment.data.error), "warning-circle-fill", "danger")
        elif experiment.data.loaded is not None:
            self._status(self._understood(), "check-circle", "secondary")

    def _status(self, text: str, icon: str, tone: str) -> None:
        self.status.setText(text)
        self.status.set_tone(tone)
        self.sign.set_icon(icon, "danger" if tone == "danger" else "text_secondary")
        if text != self._said:
            self._said = text
            announce(self.status, text, urgent=tone == "danger")

    def _note(self, data: DataSet) -> str:
        """Size and unit once it is read; until then what the set is."""
        loaded = self.experiment.data.loaded
        if loaded is not None and data.name == self.experiment.data.source == loaded.name:
            return str(loaded.value.summary())
        return data.description

    def _summary(self) -> str:
        data = self.experiment.data
        if data.loaded is None or data.loading or data.error is not None:
            return str(Path(data.file).parent)
        return str(data.loaded.value.summary())

    def _understood(self) -> str:
        loaded = self.experiment.data.loaded
        assert loaded is not None
        report = loaded.report
        parts = _columns_in_words(report) or [loaded.value.summary()]
        missing = sum(report.missing.values())
        parts.append(f"{missing:,} missing" if missing else "0 missing")
        if report.duplicate_rows:
            rows = "row" if report.duplicate_rows == 1 else "rows"
            parts.append(f"{report.duplicate_rows:,} duplicate {rows} kept")
        if report.warnings:
            parts.append(f"{len(report.warnings)} to know, see Preview")
        return " · ".join(parts)


def _columns_in_words(report: Report) -> list[str]:
    """["4 numeric", "1 category"]."""
    kinds = [column.type for column in report.columns if column.role == "value"]
    return [f"{kinds.count(kind):,} {word}" for kind, word in _KINDS.items() if kind in kinds]


_KINDS = {"number": "numeric", "category": "category", "text": "text", "skip": "left out"}


def _short(error: PapertabError) -> str:
    """The error without the ways out, which the report offers."""
    if not isinstance(error, DataError):
        return str(error)
    place = [f"row {error.row:,}"] if error.row is not None else []
    place += [f"column {error.column}"] if error.column is not None else []
    where = ", ".join(place)
    more = f"; {error.further:,} more" if error.further else ""
    return f"{where[:1].upper()}{where[1:]}: {error.found}{more}" if where else f"{error.found}{more}"


def _side_by_side(*widgets: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget, 1)
    return box
