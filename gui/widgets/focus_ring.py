"""The ring around what has the keyboard: 2 px, 2 px away, only after a move by keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QFocusFrame,
    QGraphicsView,
    QPushButton,
    QRadioButton,
    QSlider,
    QToolButton,
    QWidget,
)

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS

_RINGED = (QAbstractButton, QSlider)
_RINGED_INSIDE = (QAbstractItemView, QGraphicsView)
_RADIUS = "focusRadius"
_RING = "focusRing"


def set_focus_ring(widget: QWidget, where: str, radius: int = 6) -> None:
    """Ask for a ring around a widget that is no button: ``outside``, ``inside`` or ``none``."""
    widget.setProperty(_RING, where)
    widget.setProperty(_RADIUS, radius)


class FocusRing(QFocusFrame):
    """One per program: follows the keyboard focus. Fields show focus by their own border instead."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self._inside = False
        self._radius = float(TOKENS.radius.control)
        app.focusChanged.connect(self._on_focus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        handled = super().eventFilter(watched, event)
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.StyleChange):
            self._fit()
        return handled

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            # The frame of Qt would go back to the style's own margin.
            return QWidget.event(self, event)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme().colour("focus"), TOKENS.line.focus))
            half = TOKENS.line.focus / 2
            box = QRectF(self.rect()).adjusted(half, half, -half, -half)
            painter.drawRoundedRect(box, self._radius, self._radius)
        finally:
            painter.end()

    def surround(self, widget: QWidget, *, inside: bool = False) -> None:
        """Put the ring around ``widget``, or within its edge."""
        self._inside = inside
        self._radius = _radius_of(widget) + (0.0 if inside else TOKENS.line.focus_offset)
        self.setWidget(widget)
        self._fit()

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        where = self._place_of(now)
        if now is None or not where:
            self.setWidget(None)  # type: ignore[arg-type]
        else:
            self.surround(now, inside=where == "inside")

    def _place_of(self, now: QWidget | None) -> str:
        """Where the ring of this widget goes, empty for nowhere."""
        # Qt sets this attribute on a move by Tab, Backtab or shortcut, and takes it off on a click.
        if now is None or not now.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            return ""
        wish = now.property(_RING)
        if wish is not None:
            return "" if wish == "none" else str(wish)
        if isinstance(now, _RINGED):
            return "outside"
        return "inside" if isinstance(now, _RINGED_INSIDE) else ""

    def _fit(self) -> None:
        """Put the frame where the tokens want it; the style's own margin is 2 px short."""
        target, ground = self.widget(), self.parentWidget()
        if target is None or ground is None:
            return
        reach = 0 if self._inside else round(TOKENS.line.focus_offset + TOKENS.line.focus)
        corner = target.mapTo(ground, target.rect().topLeft())
        self.setGeometry(
            corner.x() - reach, corner.y() - reach, target.width() + 2 * reach, target.height() + 2 * reach
        )
        self.clearMask()
        self.raise_()


def _radius_of(widget: QWidget) -> float:
    asked = widget.property(_RADIUS)
    if asked is not None:
        return float(asked)
    if isinstance(widget, QPushButton) and widget.property("tall"):
        return theme().px(TOKENS.radius.button_large)
    if isinstance(widget, QCheckBox | QRadioButton | QPushButton | QToolButton):
        return theme().px(TOKENS.radius.control)
    return theme().px(TOKENS.radius.badge)
