"""What a view shows, as a table in a window of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.widgets.data_table import DataTable
from gui.widgets.table_column import Column


class DataWindow(QWidget):
    """Sorts and copies; closes with Escape."""

    def __init__(
        self,
        title: str,
        headers: Sequence[str],
        columns: Sequence[Sequence[Any]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Data of {title}")
        self.resize(720, 480)
        self.table = DataTable(
            [Column(h, list(c), kind=_kind(c)) for h, c in zip(headers, columns, strict=True)], name=title
        )
        column = QVBoxLayout(self)
        column.addWidget(self.table)

    def keyPressEvent(self, event: Any) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _kind(values: Sequence[Any]) -> Any:
    first = next(iter(values), "")
    return "text" if isinstance(first, str) else "number"
