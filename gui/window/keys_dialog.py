"""The list of all keys."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from gui.widgets.label import Label
from gui.window.shortcuts import KEYS


class KeysDialog(QDialog):
    """Two columns: keys, deed. Esc closes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        grid = QGridLayout(self)
        grid.setContentsMargins(24, 24, 24, 24)
        grid.setHorizontalSpacing(24)
        for row, (keys, deed) in enumerate(KEYS):
            grid.addWidget(Label(keys, "code"), row, 0)
            grid.addWidget(Label(deed, "body", "secondary"), row, 1)
