"""What was read from the data, or why it cannot be used: over the views, with every way out offered."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from engine.core.data.report import ColumnReport
from engine.core.data.values import Table
from engine.core.errors import DataError, PapertabError, Repair
from gui.tab.experiment import Experiment
from gui.widgets.banner import Banner
from gui.widgets.button import Button
from gui.widgets.card import Card
from gui.widgets.data_table import DataTable
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.option import Option
from gui.widgets.table_column import Column

ROWS_SHOWN = 1_000
"""Rows of the data in the preview; the caption says of how many."""


class DataReport(QWidget):
    """The account of a reading: banners, columns, rows."""

    closed = Signal()

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.caption = ElidedLabel("", "small", "secondary")
        self.banners = QVBoxLayout()
        self.banners.setSpacing(12)
        self.columns = DataTable(name="Columns")
        self.rows = DataTable(name="Rows")
        self.columns_card = Card("Columns", tools=())
        self.rows_card = Card("Rows", tools=())
        self.columns_card.set_body(self.columns)
        self.rows_card.set_body(self.rows)
        self._lay_out()

    def fill(self) -> None:
        """Show the present data, or the present error."""
        self._clear_banners()
        error, loaded = self.experiment.data_error, self.experiment.loaded
        self.columns_card.setVisible(error is None and loaded is not None)
        self.rows_card.setVisible(error is None and loaded is not None)
        if error is not None:
            self.caption.set_text(self.experiment.source)
            self.banners.addWidget(self._error_banner(error))
            return
        if loaded is None:
            return
        report = loaded.report
        self.caption.set_text(report.lines()[0] if report.lines() else loaded.value.summary())
        for text in report.lines()[1:]:
            level: Any = "warning" if text.startswith(("Note", "Left out", "Missing", "Constant")) else "info"
            self.banners.addWidget(Banner(level, text))
        self._fill_columns(report.columns)
        self._fill_rows(loaded.value)

    def _error_banner(self, error: PapertabError) -> Banner:
        if not isinstance(error, DataError):
            return Banner("danger", str(error))
        choices = [Option(c, c.label, note=c.consequence) for c in error.choices]
        place = [f"Row {error.row:,}"] if error.row is not None else []
        place += [f"column {error.column}"] if error.column is not None else []
        where = ", ".join(place) or error.file
        more = f" {error.further:,} further cases." if error.further else ""
        banner = Banner(
            "danger",
            f"{where[:1].upper()}{where[1:]}: {error.found}",
            f"{error.allowed[:1].upper()}{error.allowed[1:]}.{more}",
            choices=choices,
            actions=("Choose another file…",),
        )
        banner.applied.connect(self._repair)
        banner.action.connect(lambda _: self._choose_another())
        return banner

    def _repair(self, choice: object) -> None:
        if isinstance(choice, Repair):
            self.experiment.repair(choice)

    def _choose_another(self) -> None:
        from PySide6.QtWidgets import QFileDialog

        name, _ = QFileDialog.getOpenFileName(self, "Open data")
        if name:
            self.experiment.choose_data(name)

    def _fill_columns(self, reports: list[ColumnReport]) -> None:
        remarks = [_remark(report) for report in reports]
        self.columns.set_columns(
            [
                Column("Column", [report.name for report in reports], bold=[True] * len(reports)),
                Column("Read as", [report.type for report in reports]),
                Column("Role", [report.role for report in reports], tone="text_secondary"),
                Column("Missing", [sum(report.missing.values()) for report in reports], kind="number"),
                Column("Why", [report.reason for report in reports], tone="text_secondary"),
                Column("To know", remarks),
            ]
        )
        self.columns_card.set_caption(f"{len(reports):,} read")

    def _fill_rows(self, value: Any) -> None:
        columns = _columns_of(value)
        self.rows.set_columns(columns)
        shown = len(columns[0]) if columns else 0
        self.rows_card.set_caption(f"{shown:,} of {value.n:,}")

    def _clear_banners(self) -> None:
        while self.banners.count():
            item = self.banners.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.deleteLater()

    def _lay_out(self) -> None:
        back = Button("Back to the views", "ghost")
        back.clicked.connect(self.closed)
        top = QHBoxLayout()
        top.addWidget(Label("Data report", "section"))
        top.addWidget(self.caption, 1)
        top.addWidget(back)
        tables = QSplitter(Qt.Orientation.Horizontal)
        tables.setHandleWidth(12)
        tables.addWidget(self.columns_card)
        tables.addWidget(self.rows_card)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(top)
        column.addLayout(self.banners)
        column.addWidget(tables, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)


def _remark(report: ColumnReport) -> str:
    if report.constant:
        return "always the same"
    return f"repeats {report.duplicate_of}" if report.duplicate_of else ""


def _columns_of(value: Any) -> list[Column]:
    if isinstance(value, Table):
        lines = value.lines if value.lines is not None else np.arange(1, value.n + 1)
        first = Column("row", [str(line) for line in lines[:ROWS_SHOWN]], tone="text_tertiary")
        named = [column for column in (value.id, value.label, *value.columns) if column is not None]
        return [first, *(_data_column(column) for column in named)]
    matrix = getattr(value, "square", None)
    if callable(matrix):
        cells = np.asarray(matrix())[:ROWS_SHOWN, :24]
        return [Column(str(place + 1), cells[:, place], kind="number") for place in range(cells.shape[1])]
    return []


def _data_column(column: Any) -> Column:
    if column.type == "number":
        return Column(column.name, column.values[:ROWS_SHOWN], kind="number", missing="")
    return Column(column.name, list(column.values[:ROWS_SHOWN]))
