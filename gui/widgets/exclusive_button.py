"""A radio button that is drawn by its subclass: arrows move the choice, one Tab stop for the whole row."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QRadioButton, QSizePolicy, QWidget

from gui.widgets.option import Option

_FORWARD = (Qt.Key.Key_Right, Qt.Key.Key_Down)
_BACKWARD = (Qt.Key.Key_Left, Qt.Key.Key_Up)
_KEYS = (*_FORWARD, *_BACKWARD, Qt.Key.Key_Home, Qt.Key.Key_End)


class ExclusiveButton(QRadioButton):
    """One option of an exclusive row; buttons with the same parent exclude each other."""

    left = Signal()

    def __init__(self, option: Option, parent: QWidget) -> None:
        super().__init__(option.label, parent)
        self.option = option
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(option.label)
        self.set_blocked(option.reason)

    def set_blocked(self, reason: str) -> None:
        """Disable with a reason in the tooltip, or enable again with an empty one."""
        self.setEnabled(not reason)
        self.setToolTip(reason or self.option.help)
        self.setAccessibleDescription(reason or self.option.help)

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key not in _KEYS:
            super().keyPressEvent(event)
            return
        parent = self.parentWidget()
        assert parent is not None
        row = [b for b in parent.findChildren(ExclusiveButton) if b.isEnabled()]
        place = row.index(self)
        if key == Qt.Key.Key_Home:
            target = row[0]
        elif key == Qt.Key.Key_End:
            target = row[-1]
        else:
            target = row[min(len(row) - 1, max(0, place + (1 if key in _FORWARD else -1)))]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        if not target.isChecked():
            target.click()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()
