"""On or off, taking effect at once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from gui.theme.theme import theme
from gui.theme.typeset import typeset

_WIDTH, _HEIGHT, _KNOB = 28, 16, 12
_ROW = 28


class ToggleSwitch(QCheckBox):
    """Switch with its word at right; a field of a form."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self, text: str = "", value: bool = False, *, name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self.setChecked(value)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(name or text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        typeset(self, "body")
        self.clicked.connect(lambda checked: self.value_changed.emit(bool(checked)))

    def value(self) -> bool:
        """Whether it is on."""
        return self.isChecked()

    def set_value(self, value: object) -> None:
        """Switch without a signal."""
        self.setChecked(bool(value))

    def problem(self) -> str:
        """Always empty."""
        return ""

    def set_state(self, state: str) -> None:
        """Nothing is drawn: the line below says it."""

    def hitButton(self, position: object) -> bool:
        return True

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(theme().px(_WIDTH) + (theme().px(8) + words if words else 0), theme().px(_ROW))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width, height, knob = theme().px(_WIDTH), theme().px(_HEIGHT), theme().px(_KNOB)
            top = (self.height() - height) / 2
            track = "control_border"
            if self.isChecked():
                track = "accent_hover" if self.underMouse() else "accent"
            elif self.underMouse():
                track = "text_tertiary"
            if not self.isEnabled():
                track = "border_strong"
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour(track))
            painter.drawRoundedRect(QRectF(0, top, width, height), height / 2, height / 2)
            painter.setBrush(theme().colour("on_accent" if self.isEnabled() else "sunken"))
            inset = (height - knob) / 2
            x = width - inset - knob / 2 if self.isChecked() else inset + knob / 2
            painter.drawEllipse(QPointF(x, top + height / 2), knob / 2, knob / 2)
            painter.setPen(theme().colour("text" if self.isEnabled() else "text_disabled"))
            words = self.rect().adjusted(width + theme().px(8), 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        finally:
            painter.end()
