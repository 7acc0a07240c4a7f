"""Under the views: results, log, and what else a tab has to say; closed it is one row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from engine.core.board import Board
from engine.core.events import Message
from engine.core.method import Method
from gui.tab.times import clock
from gui.theme.typeset import typeset
from gui.widgets.button import Button, IconButton
from gui.widgets.data_table import DataTable
from gui.widgets.label import ElidedLabel
from gui.widgets.table_column import Column

LOG_LINES = 5_000
OPEN_HEIGHT = 240


class Drawer(QWidget):
    """Results and log of what the tab shows."""

    rename_requested = Signal()

    def __init__(self, method: Method, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.results = DataTable(name="Results")
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setMaximumBlockCount(LOG_LINES)
        self.log.setAccessibleName("Log")
        self.log.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        typeset(self.log, "code")
        self.pages = QStackedWidget()
        self.results_button = Button("Results", "ghost", "caret-up")
        self.log_button = Button("Log", "ghost")
        self.name = ElidedLabel("", "small", "secondary")
        self.rename_button = IconButton("pencil-simple", "Rename the run", small=True)
        self._lay_out()
        self.pages.hide()
        self.results_button.clicked.connect(lambda: self.toggle(0))
        self.log_button.clicked.connect(lambda: self.toggle(1))
        self.rename_button.clicked.connect(self.rename_requested)

    def toggle(self, page: int) -> None:
        """Open a page, or close it if it is open."""
        if self.pages.isVisible() and self.pages.currentIndex() == page:
            self.pages.hide()
        else:
            self.open_page(page)
        self.results_button.set_icon("caret-down" if self.pages.isVisible() else "caret-up")

    def open_page(self, page: int) -> None:
        """Show results (0) or log (1)."""
        self.pages.setCurrentIndex(page)
        self.pages.setFixedHeight(OPEN_HEIGHT)
        self.pages.show()
        self.results_button.set_icon("caret-down")

    def show_results(self, board: Board | None) -> None:
        """The named results known so far, with meaning, unit and spread."""
        values = list(board.values.values()) if board is not None else []
        declared = [self.method.scalar(value.name) for value in values]
        numbers = [
            _number(value.value, scalar.digits if scalar else 3, value.spread)
            for value, scalar in zip(values, declared, strict=True)
        ]
        meanings = [scalar.meaning if scalar else "" for scalar in declared]
        self.results.set_columns(
            [
                Column("Result", [value.name for value in values]),
                Column("Meaning", meanings, tone="text_secondary"),
                Column("Value", numbers, kind="number"),
                Column("Unit", [scalar.unit if scalar else "" for scalar in declared]),
            ]
        )
        count = len(values)
        tables = len(board.tables) if board is not None else 0
        parts = [f"{count} value{'s' * (count != 1)}"] if count else []
        parts += [f"{tables} table{'s' * (tables != 1)}"] if tables else []
        self.results_button.setText(f"Results  {' · '.join(parts)}".strip())

    def clear_log(self) -> None:
        """An empty log, for a new run."""
        self.log.clear()

    def add_messages(self, seconds: float, messages: Sequence[Message]) -> None:
        """Lines of the log, with the time of the run."""
        if messages:
            lines = "\n".join(f"{clock(seconds):>7}  {message.text}" for message in messages)
            self.log.appendPlainText(lines)

    def show_name(self, name: str) -> None:
        """What the run is saved as; empty before the first."""
        self.name.set_text(f"Saved as  {name}" if name else "")
        self.rename_button.setVisible(bool(name))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.pages.addWidget(self.results)
        self.pages.addWidget(self.log)
        column.addWidget(self.pages)
        row = QHBoxLayout()
        row.setContentsMargins(12, 2, 12, 2)
        row.addWidget(self.results_button)
        row.addWidget(self.log_button)
        row.addStretch(1)
        row.addWidget(self.name, 1)
        row.addWidget(self.rename_button)
        column.addLayout(row)


def _number(value: float | int | str, digits: int, spread: float | None) -> str:
    if isinstance(value, str):
        return value
    if value != value:
        return "not defined"
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
    return f"{text} ± {spread:,.{digits}f}" if spread is not None else text
