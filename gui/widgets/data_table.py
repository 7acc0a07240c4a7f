"""A table over columns of plain values: sorts by its headings, copies, marks the best, selects rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.table_column import Column
from gui.widgets.table_delegate import PAD, TableDelegate, TableHeader
from gui.widgets.table_model import TableModel

_MEASURED_ROWS = 200
_WIDEST = 360
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CTRL = Qt.KeyboardModifier.ControlModifier


class DataTable(QTableView):
    """Rows are named by their number in the data, whatever the order on screen.

    Selection is a flag per row, kept through sorting, and quick for a hundred thousand rows.
    """

    selection_changed = Signal(object)
    """The person selected these rows: a tuple of row numbers, ascending."""
    row_hovered = Signal(object)
    """The pointer is over this row, None if over none."""
    row_activated = Signal(object)
    """A row was double-clicked, or Enter pressed on it."""
    cell_toggled = Signal(object)
    """A check box was clicked: ``(row, column, new state)``; the owner changes the data."""

    def __init__(
        self, columns: Sequence[Column] = (), *, name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = TableModel()
        self._delegate = TableDelegate(self)
        self._anchor = 0
        self._natural: list[int] = []
        self._fitting = False
        self.setAccessibleName(name)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setHorizontalHeader(TableHeader(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme().px(TOKENS.size.table_row))
        self.verticalHeader().setMinimumSectionSize(theme().px(TOKENS.size.table_row))
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().sectionClicked.connect(self._on_heading)
        self.horizontalHeader().sectionResized.connect(self._on_resize)
        self.set_columns(columns)

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show other data; the selection stays if the number of rows does.

        Raises:
            ValueError: the columns differ in length.
        """
        self._model.set_columns(columns)
        self._fit_columns()

    def columns(self) -> tuple[Column, ...]:
        """Columns on show."""
        return self._model.columns

    def sort_by(self, column: int, *, descending: bool = False) -> None:
        """Order the rows by a column; -1 gives the data's own order back."""
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self._model.sort(column, order)
        self.horizontalHeader().viewport().update()

    def row_order(self) -> np.ndarray:
        """Row numbers from top to bottom."""
        return self._model.order

    def set_filter(self, shown: np.ndarray | None) -> None:
        """Show only the rows where ``shown`` (bool per row) holds; None shows all."""
        self._model.set_filter(shown)

    def selection(self) -> tuple[int, ...]:
        """Selected rows, ascending."""
        return tuple(int(row) for row in np.flatnonzero(self._model.selected))

    def set_selection(self, rows: Iterable[int]) -> None:
        """Select exactly these rows, without a signal."""
        self._model.select(rows)
        self.viewport().update()

    def selectAll(self) -> None:
        """Select every row on show; a flag per row, since Qt's own takes seconds on long tables."""
        self._model.selected[self._model.order] = True
        self._tell()

    def copy(self) -> str:
        """Put the selected rows, or all if none is, on the clipboard as tab-separated text with a heading."""
        order = self._model.order
        picked = order[self._model.selected[order]]
        text = self._model.tab_separated(picked if picked.size else order)
        QGuiApplication.clipboard().setText(text)
        return text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
        elif event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._pick(self.currentIndex().row(), _CTRL)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.row_activated.emit(int(self._model.order[self.currentIndex().row()]))
        else:
            before = self.currentIndex().row()
            super().keyPressEvent(event)
            place = self.currentIndex().row()
            if place != before and place >= 0 and not event.modifiers() & _CTRL:
                self._pick(place, event.modifiers())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if not index.isValid():
            self._model.selected[:] = False
            self._tell()
        elif self._model.columns[index.column()].kind == "check":
            row = int(self._model.order[index.row()])
            state = not self._model.columns[index.column()].values[row]
            self.cell_toggled.emit((row, index.column(), state))
        else:
            self._pick(index.row(), event.modifiers())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.row_activated.emit(int(self._model.order[index.row()]))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(QModelIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_delegate"):
            self._delegate.refresh()
            self.verticalHeader().setDefaultSectionSize(theme().px(TOKENS.size.table_row))
            self._fit_columns()

    def _on_heading(self, column: int) -> None:
        """First click up, second down, third the data's own order."""
        now = self._model.sorted_by
        if now is None or now[0] != column:
            self.sort_by(column)
        elif not now[1]:
            self.sort_by(column, descending=True)
        else:
            self.sort_by(-1)

    def _pick(self, place: int, modifiers: Qt.KeyboardModifier) -> None:
        order, selected = self._model.order, self._model.selected
        if modifiers & _SHIFT:
            first, last = sorted((min(self._anchor, order.size - 1), place))
            selected[:] = False
            selected[order[first : last + 1]] = True
        elif modifiers & _CTRL:
            selected[order[place]] ^= True
            self._anchor = place
        else:
            selected[:] = False
            selected[order[place]] = True
            self._anchor = place
        self._tell()

    def _tell(self) -> None:
        self.viewport().update()
        self.selection_changed.emit(self.selection())

    def _hover(self, index: QModelIndex) -> None:
        place = index.row() if index.isValid() else -1
        if place != self._delegate.hovered:
            self._delegate.hovered = place
            self.viewport().update()
            self.row_hovered.emit(int(self._model.order[place]) if place >= 0 else None)

    def _fit_columns(self) -> None:
        """Widths from the headings and the first rows: measuring all takes seconds on long tables."""
        head = QFontMetrics(theme().font("small"))
        cells = QFontMetrics(self._delegate.font(bold=True))
        widths = []
        for column in self._model.columns:
            width = theme().px(column.width)
            if not width:
                texts = (column.text(row) for row in range(min(len(column), _MEASURED_ROWS)))
                extra = {"badge": 32, "check": 0}.get(column.kind, 0) + (
                    18 if column.marks is not None else 0
                )
                extra += 56 if column.bar else 0
                widest = max((cells.horizontalAdvance(text) for text in texts), default=0)
                if column.kind == "check":
                    widest = theme().px(16)
                widest = max(
                    widest + theme().px(extra), head.horizontalAdvance(column.title) + theme().px(16)
                )
                width = min(theme().px(_WIDEST), widest + 2 * theme().px(PAD))
            widths.append(width)
        self._natural = widths
        self._stretch()

    def _on_resize(self, section: int, _old: int, new: int) -> None:
        if not self._fitting and section < len(self._natural):
            self._natural[section] = new

    def _stretch(self) -> None:
        """Share room that is left over among the columns without a fixed width."""
        widths = list(self._natural)
        spare = self.viewport().width() - sum(widths)
        free = [number for number, column in enumerate(self._model.columns) if not column.width]
        if spare > 0 and free:
            total, given = sum(widths[number] for number in free), 0
            for number in free:
                share = spare - given if number == free[-1] else round(spare * self._natural[number] / total)
                widths[number] += share
                given += share
        self._fitting = True
        for number, width in enumerate(widths):
            self.setColumnWidth(number, width)
        self._fitting = False
