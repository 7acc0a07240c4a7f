"""What drawings on a plot canvas share: the hand's defaults, ranges that hold still, the hover box."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QWidget

from engine.core.views import View
from gui.theme.theme import theme
from gui.views.canvas import PlotCanvas
from gui.views.drawing import Drawing
from gui.views.hand import Drag, PanDrag
from gui.views.hover import HoverBox
from gui.views.layer import Layer
from gui.views.selection import NONE, Mode
from gui.views.ticks import from_drawn, nice_limits

Span = tuple[float, float]
NOTICE = 18.0
"""Height of the line that says what is not shown."""


def held(
    before: Span | None,
    low: float,
    high: float,
    *,
    log: bool = False,
    zero: bool = False,
    exact: bool = False,
) -> Span:
    """Limits of an axis: as ``before`` while the data stay inside and fill half of it, else round ones.

    ``exact`` asks for the data's own ends instead of round ones.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return before or (0.0, 1.0)
    if exact and high > low:
        return low, high
    if before is not None and before[0] <= low and high <= before[1]:
        inside = max(high, 0.0) - min(low, 0.0) if zero else high - low
        if inside >= 0.5 * (before[1] - before[0]):
            return before
    return nice_limits(low, high, log=log, zero=zero)


class PlotDrawing(Drawing):
    """A drawing on a ``PlotCanvas``: pans, zooms, hovers; kinds add what they know."""

    def __init__(self, view: View, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.canvas = PlotCanvas(self, self)
        self.canvas.setAccessibleName(view.title)
        self.hover_box = HoverBox(self.canvas)
        self.notice_layer = NoticeLayer(self.canvas)
        self.x_log = self.y_log = False
        self.canvas.ranged.connect(self.on_ranged)
        self.canvas.rescaled.connect(self.recolour)
        self.set_body(self.canvas)

    def on_ranged(self) -> None:
        """The shown range changed; kinds with labels place them anew."""

    def view_range(self) -> tuple[float, float, float, float]:
        """Shown limits in the data's units."""
        x0, x1, y0, y1 = self.canvas.view()
        x_low, x_high = from_drawn(x0, self.x_log), from_drawn(x1, self.x_log)
        return x_low, x_high, from_drawn(y0, self.y_log), from_drawn(y1, self.y_log)

    def reset_view(self) -> None:
        """Show everything."""
        self.canvas.go_home()

    def notice(self) -> str:
        """What the plot cannot show, in words; '' where all is shown."""
        return self.notice_layer.text

    def set_notice(self, text: str) -> None:
        """Say what cannot be shown."""
        if bool(text) != bool(self.notice_layer.text):
            self.canvas.notice_room = NOTICE if text else 0.0
            self.canvas.arrange()
        self.notice_layer.text = text
        self.notice_layer.update()

    def recolour(self) -> None:
        """New ground, then the kind's own colours."""
        self.canvas.set_ground()
        super().recolour()
        self.canvas.arrange()

    @staticmethod
    def mode_of(keys: Qt.KeyboardModifier) -> Mode:
        """Ctrl adds and takes away, Shift adds, nothing replaces."""
        if keys & Qt.KeyboardModifier.ControlModifier:
            return "toggle"
        return "add" if keys & Qt.KeyboardModifier.ShiftModifier else "replace"

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """Any drag moves the shown range."""
        return PanDrag(self.canvas, pos)

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A click on nothing selects nothing."""
        if not keys:
            self.pick(NONE)

    def double_click_at(self, pos: QPointF) -> bool:
        """Nothing is opened: the whole is shown again."""
        return False

    def hover_at(self, pos: QPointF) -> None:
        """Nothing to say."""

    def hover_left(self) -> None:
        """Take the box away."""
        self.hover_box.hide()

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape:
        """The plain arrow."""
        return Qt.CursorShape.ArrowCursor

    def key(self, event: QKeyEvent) -> bool:
        """Esc clears the selection."""
        if event.key() == Qt.Key.Key_Escape and self.chosen().size:
            self.pick(NONE)
            return True
        return False


class NoticeLayer(Layer):
    """One line over the plot, at the right, that says what is left out."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.text = ""
        super().__init__(canvas, 60)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """The line."""
        if not self.text:
            return
        font = theme().font("caption")
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(self.text)
        painter.setFont(font)
        painter.setPen(theme().colour("text_tertiary"))
        top = plot.top() - self.canvas.names_room - NOTICE
        painter.drawText(QPointF(self.canvas.width() - 12 - width, top + metrics.ascent()), self.text)
