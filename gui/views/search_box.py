"""A field over a plot that looks for a name (Ctrl+F)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.theme.sheet import repolish
from gui.theme.typeset import typeset

_WIDTH = 200


class SearchBox(QLineEdit):
    """Enter goes to the next match, Shift+Enter to the one before, Esc closes."""

    found = Signal(int)
    """Index of the name gone to."""

    def __init__(self, parent: QWidget, placeholder: str) -> None:
        super().__init__(parent)
        self._over = parent
        self.names: Sequence[str] | np.ndarray = ()
        self._place = -1
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        typeset(self, "small")
        self.setClearButtonEnabled(True)
        self.textChanged.connect(self._start)
        self.hide()

    def open(self) -> None:
        """Show the field at the upper right and take the keyboard."""
        self.setGeometry(self._over.width() - _WIDTH - 12, 8, _WIDTH, self.sizeHint().height())
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def matches(self) -> list[int]:
        """Indices of the names that hold the text, whatever the case."""
        wanted = self.text().strip().casefold()
        return [i for i, name in enumerate(self.names) if wanted in str(name).casefold()] if wanted else []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Next, before, close."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._over.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _start(self) -> None:
        self._place = -1
        missing = bool(self.text().strip()) and not self.matches()
        repolish(self, "state", "error" if missing else "")
        self.setToolTip("No name holds this text" if missing else "")

    def _go(self, step: int) -> None:
        matches = self.matches()
        if matches:
            self._place = (
                (self._place + step) % len(matches) if self._place >= 0 or step > 0 else len(matches) - 1
            )
            self.found.emit(matches[self._place])
