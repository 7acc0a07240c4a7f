"""Rows of a table in an order of their own, over columns that are never copied or moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from gui.widgets.table_column import Column

Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class TableModel(QAbstractTableModel):
    """Columns with an order array. "Row" in method names is a row of the data; "place" is where it stands."""

    def __init__(self, columns: Sequence[Column] = ()) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.order = np.arange(0)
        self.selected = np.zeros(0, bool)
        self.sorted_by: tuple[int, bool] | None = None
        self._shown: np.ndarray | None = None
        self.set_columns(columns)

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show other data, in its own order.

        Raises:
            ValueError: the columns differ in length.
        """
        lengths = {len(column) for column in columns}
        if len(lengths) > 1:
            raise ValueError(f"columns of {sorted(lengths)} rows in one table")
        self.beginResetModel()
        count = lengths.pop() if lengths else 0
        if self.selected.size != count:
            self.selected = np.zeros(count, bool)
        self.columns = tuple(columns)
        self.order = np.arange(count)
        self.sorted_by = None
        self._shown = None
        self.endResetModel()

    def set_filter(self, shown: np.ndarray | None) -> None:
        """Show only the rows where ``shown`` (bool per row of the data) holds; None shows all."""
        self.beginResetModel()
        self._shown = None if shown is None else np.asarray(shown, bool)
        self._arrange()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else int(self.order.size)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column, row = self.columns[index.column()], int(self.order[index.row()])
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.kind == "number" else _LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = [column.title, column.text(row)]
            words += ["best"] if column.best_rows[row] else []
            words += ["selected"] if self.selected[row] else []
            return ", ".join(words)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal:
            column = self.columns[section]
            if role == Qt.ItemDataRole.DisplayRole:
                return column.title
            if role == Qt.ItemDataRole.ToolTipRole:
                return column.tip
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order the rows by a column; -1 gives the data's own order back."""
        self.layoutAboutToBeChanged.emit()
        self.sorted_by = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self._arrange()
        self.layoutChanged.emit()

    def select(self, rows: Iterable[int]) -> None:
        """Select exactly these rows of the data."""
        self.selected[:] = False
        self.selected[np.fromiter(rows, np.intp)] = True

    def tab_separated(self, rows: np.ndarray) -> str:
        """Rows of the data as tab-separated text with a heading, for the clipboard."""
        lines = ["\t".join(column.title for column in self.columns)]
        lines += ["\t".join(column.text(int(row)) for column in self.columns) for row in rows]
        return "\n".join(lines)

    def _arrange(self) -> None:
        order = np.arange(self.selected.size)
        if self.sorted_by is not None:
            place, descending = self.sorted_by
            order = self.columns[place].order(descending=descending)
        self.order = order if self._shown is None else order[self._shown[order]]
