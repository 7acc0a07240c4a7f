"""What was read from the data, or why it cannot be used: over the views, with every way out offered."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from engine.core.data.preview import Preview, preview
from engine.core.errors import DataError, PapertabError, Repair, sentence_start
from gui.tab import report_tables
from gui.tab.experiment import Experiment
from gui.tab.reading_line import ReadingLine
from gui.widgets.banner import Banner, InlineNote
from gui.widgets.button import Button
from gui.widgets.card import Card
from gui.widgets.data_table import DataTable
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.menu import Menu
from gui.widgets.option import Option

AROUND = (6, 9)
"""Lines of the file shown before and after the one that cannot be read."""
FARTHEST = 20_000
"""A fault below this line shows the lines beside it and the first ones, not all between."""


class DataReport(QWidget):
    """The account of a reading: banners, columns, rows; types and columns in use can be changed."""

    closed = Signal()
    told = Signal(str)

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.caption = ElidedLabel("", "small", "secondary")
        self.reading = ReadingLine(experiment)
        self.facts = Label("", "small", "secondary", wrap=True)
        self.undo_button = Button("Undo the last change", "ghost", "arrow-u-up-left")
        self.banners = QVBoxLayout()
        self.banners.setSpacing(12)
        self.columns = DataTable(name="Columns")
        self.rows = DataTable(name="Rows")
        self.columns_card = Card("Columns", tools=())
        self.rows_card = Card("Rows", tools=())
        self.columns_card.set_body(self.columns)
        self.rows_card.set_body(self.rows)
        self._types: dict[str, str] = {}
        self._lay_out()
        self.reading.told.connect(self.told)
        self.columns.clicked.connect(self._on_cell)
        self.columns.row_activated.connect(self._offer_types)
        self.columns.cell_toggled.connect(lambda cell: self._use(cell[0], cell[2]))

    def fill(self) -> None:
        """Show the present data, or the present error."""
        data = self.experiment.data
        self._clear_banners()
        self.undo_button.setVisible(data.can_undo)
        self.reading.fill()
        self.columns_card.setVisible(data.error is None and data.loaded is not None)
        self.rows_card.setVisible(data.error is None and data.loaded is not None)
        self.facts.setVisible(data.error is None)
        if data.error is not None:
            self._show_error(data.error)
        elif data.loaded is not None:
            self._show_reading()

    def change_type(self, column: str, kind: str) -> None:
        """Read the file again with another type for one column; "skip" leaves it out."""
        try:
            self.experiment.data.set_option(f"types.{column}", kind)
        except PapertabError as error:
            self.told.emit(str(error))

    # ------------------------------------------------------------------ a reading that went well

    def _show_reading(self) -> None:
        loaded = self.experiment.data.loaded
        assert loaded is not None
        report, editable = loaded.report, self.experiment.data.is_file
        lines = report.lines()
        told = report_tables.warnings_of(report)
        self.caption.set_text(report_tables.form_words(report) or loaded.value.summary())
        self.facts.setText(" ".join(line for line in lines[1:] if not line.startswith(report_tables.TOLD)))
        for headline, detail in told:
            self.banners.addWidget(Banner("warning", headline, detail))
        for text in report.conversions:
            self.banners.addWidget(InlineNote(f"Converted: {text}."))
        self._types.update({c.name: c.type for c in report.columns if c.type != "skip"})
        self.columns.set_columns(report_tables.columns_table(loaded.value, report, editable=editable))
        used = sum(column.type != "skip" for column in report.columns)
        self.columns_card.set_caption(f"{len(report.columns):,} read, {used:,} used")
        shown = report_tables.rows_table(loaded.value)
        self.rows.set_columns(shown)
        count = len(shown[0]) if shown else 0
        self.rows_card.set_caption(f"{count:,} of {loaded.value.n:,}")
        self.columns_card.setVisible(bool(report.columns))

    def _on_cell(self, index: QModelIndex) -> None:
        if self.experiment.data.is_file and index.column() == report_tables.READ_AS:
            self._offer_types(int(self.columns.row_order()[index.row()]))

    def _offer_types(self, row: int) -> None:
        loaded = self.experiment.data.loaded
        if loaded is None or not self.experiment.data.is_file:
            return
        report = loaded.report.columns[row]
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for kind, words in report_tables.TYPES:
            entry = menu.add(words, partial(self.change_type, report.name, kind))
            entry.setCheckable(True)
            entry.setChecked(report.type == kind)
        place = list(self.columns.row_order()).index(row)
        left = self.columns.columnViewportPosition(report_tables.READ_AS)
        corner = QPoint(left, self.columns.rowViewportPosition(place) + self.columns.rowHeight(place))
        menu.popup(self.columns.viewport().mapToGlobal(corner))

    def _use(self, row: int, used: bool) -> None:
        loaded = self.experiment.data.loaded
        if loaded is not None:
            name = loaded.report.columns[row].name
            self.change_type(name, self._types.get(name, "number") if used else "skip")

    # ------------------------------------------------------------------ a reading that failed

    def _show_error(self, error: PapertabError) -> None:
        self.caption.set_text(self.experiment.data.source)
        self.banners.addWidget(self._error_banner(error))
        if isinstance(error, DataError) and self.experiment.data.is_file:
            self._read_lines(error)

    def _error_banner(self, error: PapertabError) -> Banner:
        if not isinstance(error, DataError):
            return Banner("danger", str(error))
        headline, detail = report_tables.error_words(error)
        choices = [
            Option(choice, sentence_start(choice.label), note=choice.consequence) for choice in error.choices
        ]
        banner = Banner("danger", headline, detail, choices=choices, actions=("Choose another file…",))
        banner.applied.connect(self._repair)
        banner.action.connect(lambda _: self._choose_another())
        return banner

    def _read_lines(self, error: DataError) -> None:
        """The lines of the file around the fault, as text."""
        experiment = self.experiment
        path, options, kinds = experiment.data.source, experiment.data.options, experiment.method.data
        bad = error.row or 1
        first = bad + AROUND[1] if bad < FARTHEST else 12
        future = experiment.engine.loading.call(
            lambda: preview(path, kinds, options, first=first), key=(id(self), "lines")
        )
        experiment.bridge.then(future, lambda found: self._show_lines(found, error), owner=self)

    def _show_lines(self, found: Preview, error: DataError) -> None:
        if self.experiment.data.error is not error or not found.rows:
            return
        around = [r for r in found.rows if -AROUND[0] <= r.line - (error.row or 1) <= AROUND[1]]
        self.rows.set_columns(report_tables.lines_table(found.rows[0], around, error))
        self.rows_card.set_caption(f"lines {around[0].line:,} – {around[-1].line:,} of the file")
        self.rows_card.show()

    def _repair(self, choice: object) -> None:
        if isinstance(choice, Repair):
            self.experiment.data.repair(choice)

    def _choose_another(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open data")
        if name:
            self.experiment.choose_data(name)

    # ------------------------------------------------------------------ parts

    def _clear_banners(self) -> None:
        while self.banners.count():
            item = self.banners.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _lay_out(self) -> None:
        back = Button("Back to the views", "ghost")
        back.clicked.connect(self.closed)
        self.undo_button.clicked.connect(self.experiment.data.undo)
        top = QHBoxLayout()
        top.addWidget(Label("Data report", "section"))
        top.addWidget(self.caption, 1)
        top.addWidget(self.undo_button)
        top.addWidget(back)
        tables: Any = QSplitter(Qt.Orientation.Horizontal)
        tables.setHandleWidth(12)
        tables.setChildrenCollapsible(False)
        tables.addWidget(self.columns_card)
        tables.addWidget(self.rows_card)
        tables.setSizes([480, 480])
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(12)
        column.addLayout(top)
        column.addWidget(self.reading)
        column.addWidget(self.facts)
        column.addLayout(self.banners)
        column.addWidget(tables, 1)
        column.addStretch(0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)
