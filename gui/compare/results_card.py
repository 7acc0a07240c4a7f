"""What came out on every side, sides as columns or as rows."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.core.comparison.comparison import Comparison
from engine.core.comparison.results import ResultLine, caption, head
from engine.core.intervals import Mean
from gui.theme.theme import theme
from gui.widgets.button import IconButton
from gui.widgets.card import Card
from gui.widgets.data_table import DataTable
from gui.widgets.empty_view import EmptyView
from gui.widgets.table_column import Column

NAMES_SHARE = 0.42
NARROWEST = 120
_MINUS = "\N{MINUS SIGN}"


class ResultsCard(Card):
    """Numbers with their spread and the differences to A; words beneath."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Results", tools=(), parent=parent)
        self.comparison: Comparison | None = None
        self.marked = ""
        self.upright = True
        self.table = DataTable(name="Results")
        self.empty = EmptyView("Results appear here", "The runs have named none so far.", "table")
        turn = IconButton("swap", "Sides as rows or as columns", small=True)
        turn.clicked.connect(self.turn)
        self.add_tool(turn)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        column.addWidget(self.empty)
        self.set_body(body)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show the results of these runs."""
        self.comparison = comparison
        self.refresh()

    def turn(self) -> None:
        """Exchange rows and columns."""
        self.upright = not self.upright
        self.refresh()

    def mark(self, letter: str) -> None:
        """The column of this side stands out; empty for none."""
        self.marked = letter
        self.refresh()

    def refresh(self) -> None:
        """Show the present state."""
        if self.comparison is None:
            return
        lines = self.comparison.results()
        self.table.setVisible(bool(lines))
        self.empty.setVisible(not lines)
        self.set_caption(caption(self.comparison.sides))
        self.table.set_columns(self._sides_as_columns(lines) if self.upright else self._sides_as_rows(lines))

    def _sides_as_columns(self, lines: list[ResultLine]) -> list[Column]:
        assert self.comparison is not None
        sides = self.comparison.sides
        titles = [f"{line.name} ({line.unit})" if line.unit else line.name for line in lines]
        columns = [Column("Result", titles, width=self._first_width())]
        for place, side in enumerate(sides):
            marked = [side.letter == self.marked] * len(lines)
            texts = [_text(line, place) for line in lines]
            keys = np.array([line.means[place].mean for line in lines])
            columns.append(Column(head(side), texts, "number", bold=marked, keys=keys, tip=side.name))
        for place, side in enumerate(sides[1:], start=1):
            texts = [_difference(line, place) for line in lines]
            keys = np.array([line.differences[place] for line in lines])
            columns.append(Column(f"{side.letter} {_MINUS} {sides[0].letter}", texts, "number", keys=keys))
        return columns

    def _first_width(self) -> int:
        """The names give way to the numbers; whole in the tooltip of a wider window."""
        return max(NARROWEST, round(NAMES_SHARE * self.width() / theme().px(1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.refresh()

    def _sides_as_rows(self, lines: list[ResultLine]) -> list[Column]:
        assert self.comparison is not None
        sides = self.comparison.sides
        columns = [
            Column("Side", [side.name for side in sides], bold=[s.letter == self.marked for s in sides])
        ]
        for line in lines:
            title = f"{line.name} ({line.unit})" if line.unit else line.name
            texts = [_text(line, place) for place in range(len(sides))]
            keys = np.array([mean.mean for mean in line.means])
            columns.append(Column(title, texts, "number", keys=keys, tip=line.meaning))
        return columns


def _text(line: ResultLine, place: int) -> str:
    if not line.is_number:
        return line.words[place]
    return _spread(line.means[place], line.digits)


def _spread(mean: Mean, digits: int) -> str:
    if math.isnan(mean.mean):
        return "not reached" if mean.n == 0 else "not defined"
    text = _signed(f"{mean.mean:,.{digits}f}")
    return text if math.isnan(mean.half) else f"{text} ± {mean.half:,.{digits}f}"


def _difference(line: ResultLine, place: int) -> str:
    if not line.is_number:
        return "same" if line.words[place] == line.words[0] else "differs"
    value = line.differences[place]
    return "" if math.isnan(value) else _signed(f"{value:+,.{line.digits}f}")


def _signed(text: str) -> str:
    """A minus sign of print; no sign before a zero."""
    return text[1:] if text[:1] in "+-" and not text.strip("+-0.,") else text.replace("-", _MINUS)
