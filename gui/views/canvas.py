"""The widget a plot is drawn on: ranges, margins, mouse, wheel and keys. One hand at a time.

A ``ViewBox`` of pyqtgraph carries the items; everything the hand does is dealt with here, so that its
context menu, its exporters and its own mouse modes never appear.
"""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsView, QWidget

from gui.theme.plot import cosmetic_pen
from gui.theme.theme import theme
from gui.views.axes import AxesItem
from gui.views.hand import Drag, Hand
from gui.views.layer import Layer

View = tuple[float, float, float, float]
START = 4.0
"""Distance in px a pressed mouse must move before it drags."""
_ZOOM_PER_DEGREE = 1.0015
_FARTHEST, _NEAREST = 20.0, 1e-9
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class PlotCanvas(pg.GraphicsView):
    """Plot area with margins for what stands around it. Ranges are in drawn numbers (exponents if log)."""

    ranged = Signal()
    """The shown range or the size of the plot is different now."""
    rescaled = Signal()
    """The screen has another number of device px per px now."""

    def __init__(self, hand: Hand, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.hand = hand
        self.downwards = False
        self.aspect: float | None = None
        self.zoom_axes = "xy"
        self.bounded = False
        self.by_hand = False
        self.top, self.right_margin = 10.0, 14.0
        self.notice_room = 0.0
        self.names_room = 0.0
        self._home: View = (0.0, 1.0, 0.0, 1.0)
        self._wanted: View = self._home
        self._view: View = self._home
        self._left = 40.0
        self._bottom = 40.0
        self._plot = QRectF(0, 0, 1, 1)
        self._drag: Drag | None = None
        self._pressed: tuple[QPointF, Qt.MouseButton, Qt.KeyboardModifier] | None = None
        self._ringed = False
        self.box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self.box.disableAutoRange()
        self.box.setAcceptHoverEvents(False)
        # A view box starts at -100, under the grid.
        self.box.setZValue(0)
        self.addItem(self.box)
        self.axes = AxesItem(self)
        self.addItem(self.axes)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setMouseTracking(True)
        self.setMinimumSize(40, 40)
        self.layers: list[Layer] = []
        self.set_ground()

    def add_layer(self, layer: Layer) -> None:
        """Put a layer into the scene."""
        self.layers.append(layer)
        self.addItem(layer)

    def repaint_layers(self) -> None:
        """Paint all layers anew at the next frame."""
        for layer in self.layers:
            layer.prepareGeometryChange()
            layer.update()

    def set_ground(self) -> None:
        """Take the ground's colour from the theme."""
        self.setBackground(theme().colour("plot_bg"))
        self.axes.invalidate()

    # Ranges

    def view(self) -> View:
        """Shown x0, x1, y0, y1."""
        return self._view

    def home(self) -> View:
        """Range that shows everything."""
        return self._home

    def set_home(self, x0: float, x1: float, y0: float, y1: float) -> None:
        """Range that shows everything; shown at once unless the hand has zoomed."""
        self._home = _wide(x0, x1, y0, y1)
        if not self.by_hand:
            self.look_at(*self._home)

    def go_home(self) -> None:
        """Show everything again."""
        self.by_hand = False
        self.look_at(*self._home)

    def look_at(self, x0: float, x1: float, y0: float, y1: float, *, by_hand: bool = False) -> None:
        """Show this range, widened where the aspect asks for it."""
        self.by_hand |= by_hand
        self._wanted = _wide(x0, x1, y0, y1)
        if self.bounded:
            home = self._home
            self._wanted = (*_inside(*self._wanted[:2], *home[:2]), *_inside(*self._wanted[2:], *home[2:]))
        self.arrange()

    def zoom(self, factor: float, pos: QPointF | None = None, axes: str = "") -> None:
        """Show ``factor`` times as much around ``pos``, by default the middle, along ``axes``."""
        axes = axes or self.zoom_axes
        x0, x1, y0, y1 = self._view
        at_x, at_y = self.to_data(pos if pos is not None else self._plot.center())
        home = self._home
        fx = self._allowed(factor, x1 - x0, home[1] - home[0]) if "x" in axes else 1.0
        fy = self._allowed(factor, y1 - y0, home[3] - home[2]) if "y" in axes else 1.0
        if self.aspect is not None:
            fx = fy = min(fx, fy) if factor > 1 else max(fx, fy)
        self.look_at(
            at_x + (x0 - at_x) * fx,
            at_x + (x1 - at_x) * fx,
            at_y + (y0 - at_y) * fy,
            at_y + (y1 - at_y) * fy,
            by_hand=True,
        )

    def pan(self, right: float, up: float) -> None:
        """Move by shares of the shown range."""
        x0, x1, y0, y1 = self._view
        dx = right * (x1 - x0)
        dy = up * (y1 - y0) * (-1 if self.downwards else 1)
        self.look_at(x0 + dx, x1 + dx, y0 + dy, y1 + dy, by_hand=True)

    # Places

    def whole(self) -> QRectF:
        """The canvas in scene coordinates."""
        return QRectF(0, 0, self.width(), self.height())

    def plot_rect(self) -> QRectF:
        """Where the data are drawn, px."""
        return self._plot

    def x_to_scene(self, x: float) -> float:
        """Px of a drawn x."""
        x0, x1, _, _ = self._view
        return self._plot.left() + (x - x0) / (x1 - x0) * self._plot.width()

    def y_to_scene(self, y: float) -> float:
        """Px of a drawn y."""
        _, _, y0, y1 = self._view
        share = (y - y0) / (y1 - y0)
        return self._plot.top() + (share if self.downwards else 1 - share) * self._plot.height()

    def to_scene(self, x: float, y: float) -> QPointF:
        """Px of a drawn point."""
        return QPointF(self.x_to_scene(x), self.y_to_scene(y))

    def to_data(self, pos: QPointF) -> tuple[float, float]:
        """Drawn x and y of a place in px."""
        x0, x1, y0, y1 = self._view
        share_x = (pos.x() - self._plot.left()) / self._plot.width()
        share_y = (pos.y() - self._plot.top()) / self._plot.height()
        share_y = share_y if self.downwards else 1 - share_y
        return x0 + share_x * (x1 - x0), y0 + share_y * (y1 - y0)

    def arrange(self) -> None:
        """Place the plot between its margins and apply the wanted range."""
        if self.width() < 8 or self.height() < 8:
            return
        self._view = self._wanted
        self._place()
        self._apply_aspect()
        # Labels of the new range may need another margin; twice is enough to settle.
        for _ in range(2):
            left, bottom = math.ceil(self.axes.left_needed()), math.ceil(self.axes.bottom_needed())
            settled = self._left - 12 <= left <= self._left and bottom == self._bottom
            if settled:
                break
            self._left, self._bottom = left, bottom
            self._place()
            self._apply_aspect()
        x0, x1, y0, y1 = self._view
        self.box.invertY(self.downwards)
        self.box.setGeometry(self._plot)
        self.box.setRange(xRange=(x0, x1), yRange=(y0, y1), padding=0)
        self.axes.invalidate()
        self.repaint_layers()
        self.ranged.emit()

    def _place(self) -> None:
        right = self.right_margin + self.axes.right_needed()
        width = max(self.width() - self._left - right, 10.0)
        top = self.top + self.notice_room + self.names_room
        height = max(self.height() - top - self._bottom, 10.0)
        self._plot = QRectF(self._left, top, width, height)

    def _apply_aspect(self) -> None:
        self._view = self._wanted
        if self.aspect is None:
            return
        x0, x1, y0, y1 = self._wanted
        per_x, per_y = (x1 - x0) / self._plot.width(), (y1 - y0) / self._plot.height() * self.aspect
        if per_x < per_y:
            half, middle = per_y * self._plot.width() / 2, (x0 + x1) / 2
            x0, x1 = middle - half, middle + half
        else:
            half, middle = per_x * self._plot.height() / 2 / self.aspect, (y0 + y1) / 2
            y0, y1 = middle - half, middle + half
        self._view = (x0, x1, y0, y1)

    @staticmethod
    def _allowed(factor: float, span: float, home: float) -> float:
        return min(max(factor, home * _NEAREST / span), max(home * _FARTHEST / span, 1e-12))

    # The hand

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep margins, let the plot grow."""
        super().resizeEvent(event)
        if hasattr(self, "axes"):
            self.arrange()

    def event(self, event: QEvent) -> bool:
        """Tell when the window moves to a screen of another scale."""
        if event.type() == QEvent.Type.DevicePixelRatioChange and hasattr(self, "axes"):
            self.rescaled.emit()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the mouse inside the plot; outside it, let the page scroll."""
        degrees = event.angleDelta().y() / 8.0
        if not self._plot.contains(event.position()) or degrees == 0:
            event.ignore()
            return
        across = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier) and self.zoom_axes == "x"
        self.zoom(_ZOOM_PER_DEGREE ** (-degrees * 8), event.position(), "y" if across else "")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where; a drag begins only after a few px."""
        self._pressed = (event.position(), event.button(), event.modifiers())
        self._drag = None
        self.hand.hover_left()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag, or tell what is under the mouse."""
        pos = event.position()
        self.lastMousePos = pos
        if self._pressed is None:
            self.viewport().setCursor(self.hand.cursor_at(pos))
            self.hand.hover_at(pos)
        elif self._drag is not None:
            self._drag.move(pos)
        elif (pos - self._pressed[0]).manhattanLength() >= START:
            start, button, keys = self._pressed
            self._drag = self.hand.drag_at(start, button, keys)
            if self._drag is not None:
                self._drag.move(pos)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, or click."""
        pressed, drag = self._pressed, self._drag
        self._pressed = self._drag = None
        if drag is not None:
            drag.finish(event.position())
        elif (
            pressed is not None
            and pressed[1] == Qt.MouseButton.LeftButton
            and (event.position() - pressed[0]).manhattanLength() < START
        ):
            self.hand.click_at(event.position(), event.modifiers())
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """What the plot does there; else show everything again."""
        if event.button() == Qt.MouseButton.LeftButton and not self.hand.double_click_at(event.position()):
            self.go_home()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        self.hand.hover_left()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The plot's own keys first, then pan, zoom, reset and Esc."""
        if event.key() == Qt.Key.Key_Escape and self._drag is not None:
            self._drag.cancel()
            self._pressed = self._drag = None
        elif not self.hand.key(event) and not self._key(event):
            event.ignore()
            return
        event.accept()

    def _key(self, event: QKeyEvent) -> bool:
        far = 0.5 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0.1
        steps = {
            Qt.Key.Key_Left: (-far, 0.0),
            Qt.Key.Key_Right: (far, 0.0),
            Qt.Key.Key_Up: (0.0, far),
            Qt.Key.Key_Down: (0.0, -far),
        }
        if event.key() in steps:
            self.pan(*steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(0.8)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom(1.25)
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_0):
            self.go_home()
        else:
            return False
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows only where the keyboard brought the focus."""
        super().focusInEvent(event)
        self._ringed = event.reason() in _TAB
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No ring without focus."""
        super().focusOutEvent(event)
        self._ringed = False
        self.viewport().update()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """The focus ring, inside the card."""
        if self._ringed:
            path = QPainterPath()
            path.addRoundedRect(self.whole().adjusted(2, 2, -2, -2), 6, 6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(cosmetic_pen(theme().colour("focus"), 2))
            painter.drawPath(path)


def _wide(x0: float, x1: float, y0: float, y1: float) -> View:
    """The range in floats, never empty, never backwards."""

    def pair(low: float, high: float) -> tuple[float, float]:
        low, high = float(low), float(high)
        if not (math.isfinite(low) and math.isfinite(high)):
            return 0.0, 1.0
        if high - low > 1e-12 * max(abs(low), abs(high), 1e-300):
            return low, high
        return low - 0.5, low + 0.5

    return (*pair(x0, x1), *pair(y0, y1))


def _inside(low: float, high: float, first: float, last: float) -> tuple[float, float]:
    """[low, high] moved into [first, last], all of it where it is larger."""
    if high - low >= last - first:
        return first, last
    shift = max(first - low, 0.0) + min(last - high, 0.0)
    return low + shift, high + shift
