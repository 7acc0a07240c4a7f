"""Tables on the screen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.core.views import Column, Table, TableState
from gui.theme.categories import SHAPES, entity_style
from gui.theme.theme import theme
from gui.theme.typeset import typeset
from gui.views.cell_editor import CellEditor
from gui.views.drawing import DataTable as Data
from gui.views.drawing import Drawing
from gui.views.selection import as_ids
from gui.widgets.data_table import DataTable
from gui.widgets.table_column import Best
from gui.widgets.table_column import Column as Shown

_MINUS, _DASH = "\N{MINUS SIGN}", "–"
_BEST: dict[str, Best] = {"": "", "low": "lowest", "high": "highest"}
_GOOD = ("exact", "finished", "yes", "holds")


class TableDrawing(Drawing):
    """Rows of one entity: sorted by header, copied, selected with the other views, edited where allowed."""

    view: Table
    state: TableState
    inset = 0

    def __init__(self, view: Table, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        body = QWidget()
        self.table = DataTable(name=view.title)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("tone", "tertiary")
        body.setProperty("ground", "surface")
        self.note.setContentsMargins(12, 4, 12, 6)
        typeset(self.note, "small")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.note)
        self.editor = CellEditor(self.table.viewport())
        self.editor.given.connect(self._on_given)
        self._editing: tuple[int, int] | None = None
        self.table.selection_changed.connect(self._on_picked)
        self.table.row_activated.connect(self._on_activated)
        self.table.cell_toggled.connect(self._on_toggled)
        self.table.installEventFilter(self)
        self.set_body(body)
        self.setFocusProxy(self.table)

    def refresh(self) -> None:
        """Show the state; order by header and selection stay."""
        state = self.state
        sorted_by = self.table.model().sorted_by  # type: ignore[attr-defined]
        columns = [_shown(column, state, first=place == 0) for place, column in enumerate(state.columns)]
        if not self._same_heads(columns):
            sorted_by = None
        self.table.set_columns(columns)
        if sorted_by is not None:
            self.table.sort_by(sorted_by[0], descending=sorted_by[1])
        self.note.setText(state.note)
        self.note.setVisible(bool(state.note))
        self.show_selection()

    def _same_heads(self, columns: list[Shown]) -> bool:
        return [one.title for one in self.table.columns()] == [one.title for one in columns]

    def show_selection(self) -> None:
        """Rows whose ids are selected."""
        if self.state is None:
            return
        chosen = set(self.chosen().tolist())
        rows = [row for row, ident in enumerate(self.state.ids) if ident in chosen] if chosen else []
        self.table.set_selection(rows)

    def _on_picked(self, rows: tuple[int, ...]) -> None:
        ids = self.state.ids if self.state is not None else ()
        if len(ids):
            chosen = [ids[row] for row in rows if row < len(ids)]
            if len(chosen) == 1:
                self.make_gesture("click", id=chosen[0])
            self.pick(as_ids(chosen))

    def _on_activated(self, row: int) -> None:
        """Double click or Enter: the cell is edited where it may be."""
        index = self.table.currentIndex()
        place = int(np.flatnonzero(self.table.row_order() == row)[0])
        column = index.column() if index.isValid() else self._first_editable()
        if not (0 <= column < len(self.state.columns) and self.state.columns[column].editable):
            return
        shown = self.state.columns[column]
        if shown.kind != "check":
            self.edit(place, column)
        elif not index.isValid():
            # By key; the mouse has ticked the box with its first press.
            self._on_toggled((row, column, not shown.values[row]))

    def _on_toggled(self, cell: tuple[int, int, bool]) -> None:
        """A box was ticked; the method answers with a state, until then the box stays as it is."""
        row, place, on = cell
        column, ids = self.state.columns[place], self.state.ids
        if column.editable:
            ident = ids[row] if len(ids) > row else row
            self.make_gesture("edit-cell", id=ident, column=column.name, value=on)

    def _first_editable(self) -> int:
        return next((i for i, column in enumerate(self.state.columns) if column.editable), -1)

    def edit(self, place: int, column: int) -> None:
        """Open the editor over the cell in this place."""
        if "edit-cell" not in self.view.gestures:
            return
        row = int(self.table.row_order()[place])
        self._editing = (row, column)
        rect = self.table.visualRect(self.table.model().index(place, column))
        value = self.state.columns[column].values[row]
        self.editor.open(rect, value, number=not isinstance(value, str))

    def _on_given(self, value: Any) -> None:
        if self._editing is not None:
            row, column = self._editing
            self._editing = None
            ids = self.state.ids
            ident = ids[row] if len(ids) > row else row
            self.make_gesture("edit-cell", id=ident, column=self.state.columns[column].name, value=value)
        self.table.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Alt+Up and Alt+Down move the current row where rows can be moved."""
        if watched is self.table and event.type() == QEvent.Type.KeyPress and "move" in self.view.gestures:
            assert isinstance(event, QKeyEvent)
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            if step is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _move(self, step: int) -> None:
        rows, ids = self.table.selection(), self.state.ids
        if len(rows) == 1 and 0 <= rows[0] + step < len(ids):
            self.make_gesture("move", id=ids[rows[0]], to=rows[0] + step)

    def recolour(self) -> None:
        """The widget reads its colours when it paints."""
        self.table.viewport().update()

    def describe(self) -> str:
        """Rows, columns, and the best of each column that has one."""
        if self.state is None:
            return super().describe()
        columns = self.state.columns
        rows = len(columns[0].values) if columns else 0
        return f"{self.view.title}: {rows:,} rows; columns {', '.join(c.title for c in columns)}."

    def data_table(self) -> Data:
        """What stands in the cells."""
        if self.state is None:
            return [], []
        shown = [_shown(column, self.state, first=False) for column in self.state.columns]
        return [one.title for one in shown], [[one.text(row) for row in range(len(one))] for one in shown]


def _shown(column: Column, state: TableState, *, first: bool) -> Shown:
    """The widget's column for a declared one."""
    title = f"{column.title} ({column.unit})" if column.unit else column.title
    marks = _marks(state, len(column.values)) if first and state.colours else None
    if column.kind == "text":
        return Shown(title, [str(value) for value in column.values], "text", marks=marks, tip=column.help)
    if column.kind == "check":
        return Shown(title, [bool(value) for value in column.values], "check", marks=marks, tip=column.help)
    if column.kind == "badge":
        words = [str(value) for value in column.values]
        states = ["finished" if word in _GOOD else "queued" for word in words]
        return Shown(title, words, "badge", states=states, marks=marks, tip=column.help)
    numbers = np.asarray(column.values, np.float64)
    digits = 0 if column.kind == "integer" else column.digits
    if column.kind in ("interval", "spread"):
        words = _interval(column, numbers) if column.kind == "interval" else _spread(column, numbers)
        words = (
            [given or word for given, word in zip(column.texts, words, strict=True)]
            if column.texts
            else words
        )
        bold = _bold(numbers, digits, column.best)
        return Shown(title, words, "number", keys=numbers, bold=bold, marks=marks, tip=column.help)
    return Shown(
        title,
        numbers,
        "number",
        decimals=digits,
        best=_BEST[column.best],
        bar=column.kind == "bar",
        marks=marks,
        tip=column.help,
    )


def _words(value: float, digits: int) -> str:
    if math.isnan(value):
        return "not defined"
    if math.isinf(value):
        return f"{_MINUS if value < 0 else ''}∞"
    return f"{value:,.{digits}f}".replace("-", _MINUS)


def _interval(column: Column, numbers: np.ndarray) -> list[str]:
    """ "1.20–1.23", or one number where both ends are printed alike."""
    lows = numbers if column.low is None else np.asarray(column.low, np.float64)
    highs = numbers if column.high is None else np.asarray(column.high, np.float64)
    pairs = [(_words(a, column.digits), _words(b, column.digits)) for a, b in zip(lows, highs, strict=True)]
    return [low if low == high else f"{low}{_DASH}{high}" for low, high in pairs]


def _spread(column: Column, numbers: np.ndarray) -> list[str]:
    """ "0.770 ± 0.012"; without a spread the number alone."""
    half = np.full(len(numbers), np.nan) if column.high is None else np.asarray(column.high, np.float64)
    return [
        _words(value, column.digits) + ("" if math.isnan(d) else f" ± {_words(d, column.digits)}")
        for value, d in zip(numbers.tolist(), half.tolist(), strict=True)
    ]


def _bold(numbers: np.ndarray, digits: int, best: str) -> list[bool]:
    """The best value and its equals in print; none where all are equal or nothing is best."""
    printed = np.round(numbers, digits)
    finite = np.isfinite(printed)
    if not best or not finite.any() or np.ptp(printed[finite]) == 0:
        return [False] * len(numbers)
    top = printed[finite].min() if best == "low" else printed[finite].max()
    return (finite & (printed == top)).tolist()


def _marks(state: TableState, rows: int) -> list[tuple[int, str] | None]:
    colours = list(state.colours) + [None] * (rows - len(state.colours))
    distinct = list(dict.fromkeys(colour for colour in colours if colour is not None))
    few = len(distinct) <= len(SHAPES)

    def shape(colour: int) -> str:
        return SHAPES[distinct.index(colour)] if few else entity_style(colour, theme().name).marker

    return [None if colour is None else (colour, shape(colour)) for colour in colours[:rows]]
