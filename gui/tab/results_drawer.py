"""The drawer of a tab: the named results known so far, and the log of the run."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from engine.core.board import Board
from engine.core.events import Message
from engine.core.method import Method
from gui.tab.times import clock
from gui.theme.typeset import typeset
from gui.widgets.data_table import DataTable
from gui.widgets.drawer import Drawer
from gui.widgets.table_column import Column

LOG_LINES = 5_000
RESULTS, LOG = "Results", "Log"


class ResultsDrawer(Drawer):
    """Results and log of what the tab shows."""

    def __init__(self, method: Method, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.method = method
        self.results = DataTable(name="Results")
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setMaximumBlockCount(LOG_LINES)
        self.log.setAccessibleName("Log")
        self.log.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.log.setStyleSheet("QPlainTextEdit, QPlainTextEdit:focus { border: none; padding: 4px 10px; }")
        typeset(self.log, "code")
        self.add_page(RESULTS, self.results)
        self.add_page(LOG, self.log)

    def show_results(self, board: Board | None, *, live: bool = False) -> None:
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
                Column("Value", numbers, kind="number"),
                Column("Unit", [scalar.unit if scalar else "" for scalar in declared]),
                Column("Meaning", meanings, tone="text_secondary"),
            ]
        )
        so_far = "so far " if live else ""
        self.set_note(
            RESULTS, f"{so_far}{_counts(board)}" if board is not None else "appear after the first run"
        )

    def clear_log(self) -> None:
        """An empty log, for a new run."""
        self.log.clear()

    def add_messages(self, seconds: float, messages: Sequence[Message]) -> None:
        """Lines of the log, with the time of the run."""
        if messages:
            self.log.appendPlainText("\n".join(f"{clock(seconds):>7}  {m.text}" for m in messages))

    def show_failure(self, traceback: str) -> None:
        """The traceback of a failed run, in the log."""
        self.log.appendPlainText(traceback)
        self.open(LOG)


def _counts(board: Board | None) -> str:
    if board is None:
        return ""
    counts = ((len(board.values), "value"), (len(board.tables), "table"))
    return " · ".join(f"{count} {word}{'s' * (count != 1)}" for count, word in counts if count) or "none"


def _number(value: float | int | str, digits: int, spread: float | None) -> str:
    if isinstance(value, str):
        return value
    if value != value:
        return "not defined"
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
    text = text.replace("-", "−")
    return f"{text} ± {spread:,.{digits}f}" if spread is not None else text
