"""A field over a cell: takes exactly what is typed, or says what is wrong."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.theme.sheet import repolish
from gui.theme.typeset import typeset


class CellEditor(QLineEdit):
    """Enter gives the value, Esc and leaving close without."""

    given = Signal(object)
    """The new value: a float, or a text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._number = True
        typeset(self, "small", tabular=True)
        self.setAccessibleName("Value of the cell")
        self.textEdited.connect(self._judge)
        self.hide()

    def open(self, rect: QRect, value: Any, *, number: bool) -> None:
        """Show the field over ``rect`` with ``value``."""
        self._number = number
        self.setText(f"{value:.6g}" if number else str(value))
        room = rect.adjusted(0, -1, 0, 1)
        room.setWidth(max(room.width(), 72))
        room.setHeight(max(room.height(), 26))
        self.setGeometry(room)
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def value(self) -> float | str | None:
        """What was typed; None where a number is needed and it is none."""
        text = self.text().strip()
        if not self._number:
            return text
        try:
            return float(text.replace("\N{MINUS SIGN}", "-"))
        except ValueError:
            return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            value = self.value()
            if value is not None:
                self._close()
                self.given.emit(value)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving changes nothing."""
        super().focusOutEvent(event)
        self.hide()

    def _close(self) -> None:
        self.hide()
        self._over.setFocus(Qt.FocusReason.OtherFocusReason)

    def _judge(self) -> None:
        wrong = self.value() is None
        repolish(self, "state", "error" if wrong else "")
        self.setToolTip(f"“{self.text()}” is not a number" if wrong else "")
