"""How far a run is: a bar, a thin line under the header, and a ring for lists."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gui.theme.theme import EASING, theme
from gui.theme.tokens import TOKENS

_STEPS = 1000
_STRIPE = 0.25
_STRIPE_FRAME_MS = 33
_STRIPE_PERIOD = 1.6
_RING = 14


class ProgressBar(QProgressBar):
    """Bar of 6 px, or of 2 px without round ends if ``thin``.

    ``set_share(None)`` shows a moving stripe for an unknown total.
    """

    def __init__(self, *, thin: bool = False, name: str = "Progress", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thin = thin
        self._paused = False
        self._share: float | None = 0.0
        self._drawn = 0.0
        self._phase = 0.0
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(EASING)
        self._motion.valueChanged.connect(self._on_frame)
        self._stripe = QTimer(self)
        self._stripe.setInterval(_STRIPE_FRAME_MS)
        self._stripe.timeout.connect(self._on_stripe)

    def share(self) -> float | None:
        """What is done, 0 to 1, None if the total is unknown."""
        return self._share

    def set_share(self, share: float | None) -> None:
        """Show how much is done, 0 to 1, or a moving stripe for None. It runs back at once, on slowly."""
        self._share = share if share is None else min(1.0, max(0.0, share))
        if self._share is None:
            self._motion.stop()
            self._run_stripe()
            self.update()
            return
        self._stripe.stop()
        self.setValue(round(self._share * _STEPS))
        duration = theme().duration(TOKENS.motion.progress_ms)
        self._motion.stop()
        if duration and self.isVisible() and self._share > self._drawn:
            self._motion.setDuration(duration)
            self._motion.setStartValue(self._drawn)
            self._motion.setEndValue(self._share)
            self._motion.start()
        else:
            self._drawn = self._share
            self.update()

    def set_paused(self, paused: bool) -> None:
        """Grey while paused."""
        self._paused = paused
        if self._share is None:
            self._run_stripe()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(120), theme().px(self._height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(24), theme().px(self._height()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._share is None:
            self._run_stripe()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stripe.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            height = theme().px(self._height())
            box = QRectF(0, (self.height() - height) / 2, self.width(), height)
            radius = 0 if self._thin else height / 2
            painter.setBrush(theme().colour("hover"))
            painter.drawRoundedRect(box, radius, radius)
            if self._share is None:
                span = self.width() * _STRIPE
                box.setLeft(self._phase * (self.width() + span) - span)
                box.setWidth(span)
            else:
                box.setWidth(self.width() * self._drawn)
            if box.width() > 0:
                painter.setBrush(theme().colour("control_border" if self._paused else "accent"))
                painter.setClipRect(self.rect())
                painter.drawRoundedRect(box, min(radius, box.width() / 2), radius)
        finally:
            painter.end()

    def _height(self) -> int:
        return TOKENS.size.progress_top if self._thin else TOKENS.size.progress

    def _run_stripe(self) -> None:
        if self._paused or theme().reduce_motion or not self.isVisible():
            self._stripe.stop()
            self._phase = 0.5
        elif not self._stripe.isActive():
            self._stripe.start()

    def _on_stripe(self) -> None:
        self._phase = (self._phase + _STRIPE_FRAME_MS / 1000 / _STRIPE_PERIOD) % 1.0
        self.update()

    def _on_frame(self, value: object) -> None:
        assert isinstance(value, float)
        self._drawn = value
        self.update()


def paint_ring(painter: QPainter, box: QRectF, share: float, token: str) -> None:
    """Draw a ring filled clockwise from the top by ``share`` (0 to 1) in the colour of ``token``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    width = max(1.5, box.width() / 7)
    inner = box.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.setPen(QPen(theme().colour("border_strong"), width))
    painter.drawEllipse(inner)
    pen = QPen(theme().colour(token), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawArc(inner, 90 * 16, -round(share * 360 * 16))
    painter.restore()


class ProgressRing(QWidget):
    """Ring that fills with the share done."""

    def __init__(self, share: float = 0.0, token: str = "accent", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share, self._token = share, token
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_share(share)

    def set_share(self, share: float) -> None:
        """Show how much is done, 0 to 1."""
        self._share = min(1.0, max(0.0, share))
        self.setAccessibleName(f"{self._share:.0%} done")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(_RING), theme().px(_RING))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            side = min(self.width(), self.height())
            paint_ring(painter, QRectF(0, 0, side, side), self._share, self._token)
        finally:
            painter.end()
