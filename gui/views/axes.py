"""Frame of a plot: ground of what is still to come, grid, bottom line, ticks, titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.ticks import Ticks, degree_ticks, linear_ticks, log_ticks

if TYPE_CHECKING:
    from gui.views.canvas import PlotCanvas

Degrees = Literal["", "longitude", "latitude"]
TICK = 4.0
LABEL_GAP = 8.0
_NAME_WIDTH = 130.0


@dataclass
class Face:
    """How one axis looks: title, scale, names in place of numbers (at 0, 1, 2, …), degrees of a map."""

    title: str = ""
    log: bool = False
    names: tuple[str, ...] | None = None
    degrees: Degrees = ""
    shown: bool = True
    slanted: bool = False

    def ticks(self, low: float, high: float, wanted: float) -> Ticks:
        """Positions in [low, high] and their words."""
        if self.names is not None:
            first, last = max(0, round(low + 0.4999)), min(len(self.names) - 1, round(high - 0.4999))
            return [(float(index), self.names[index]) for index in range(first, last + 1)]
        if self.degrees:
            return degree_ticks(low, high, wanted, latitude=self.degrees == "latitude")
        return (log_ticks if self.log else linear_ticks)(low, high, wanted)


class AxesItem(pg.GraphicsObject):
    """Paints around and under the plot; ``right`` maps the left axis' numbers linearly to its own."""

    def __init__(self, canvas: PlotCanvas) -> None:
        super().__init__()
        self.setZValue(-100)
        self.canvas = canvas
        self.x = Face()
        self.y = Face()
        self.right: Face | None = None
        self.right_map = (0.0, 1.0)
        self.grid: Literal["y", "x", "both", "none"] = "y"
        self.to_come: float | None = None
        self.line = True
        self.bottom_fixed: float | None = None
        self._cached: tuple[object, dict[str, Ticks]] | None = None

    def boundingRect(self) -> QRectF:
        """The whole canvas."""
        return self.canvas.whole()

    def invalidate(self) -> None:
        """Work out ticks again and repaint."""
        self._cached = None
        self.prepareGeometryChange()
        self.update()

    def ticks(self) -> dict[str, Ticks]:
        """Ticks now shown, by axis: x, y, right; those that would touch a neighbour are left out."""
        view, plot = self.canvas.view(), self.canvas.plot_rect()
        key = (view, plot.width(), plot.height(), self.right_map, theme().scale)
        if self._cached is None or self._cached[0] != key:
            self._cached = (key, self._placed(view, plot))
        return self._cached[1]

    def left_needed(self) -> float:
        """Width the left side needs for labels and title."""
        if not self.y.shown:
            return 12.0
        metrics = QFontMetricsF(PlotTheme().tick_font())
        widest = max((self._width(metrics, text) for _, text in self.ticks()["y"]), default=0.0)
        return widest + LABEL_GAP + (metrics.height() + 8 if self.y.title else 4.0) + 4

    def right_needed(self) -> float:
        """Width the right axis needs."""
        if self.right is None:
            return 0.0
        metrics = QFontMetricsF(PlotTheme().tick_font())
        widest = max((metrics.horizontalAdvance(text) for _, text in self.ticks()["right"]), default=0.0)
        return widest + LABEL_GAP + (metrics.height() + 8 if self.right.title else 4.0)

    def bottom_needed(self) -> float:
        """Height the bottom needs for ticks and title."""
        if self.bottom_fixed is not None:
            return self.bottom_fixed
        if not self.x.shown:
            return 8.0
        metrics = QFontMetricsF(PlotTheme().tick_font())
        labels = metrics.height()
        if self.x.names is not None:
            labels = self._names_height(metrics)
        return TICK + 3 + labels + (metrics.height() + 2 if self.x.title else 0.0) + 6

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Ground, grid, line, ticks, labels, titles."""
        plot, ticks = self.canvas.plot_rect(), self.ticks()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._paint_to_come(painter, plot)
        self._paint_grid(painter, plot, ticks)
        painter.setFont(PlotTheme().tick_font())
        if self.x.shown:
            self._paint_bottom(painter, plot, ticks["x"])
        if self.y.shown:
            self._paint_side(painter, plot, ticks["y"], self.y.title, left=True)
        if self.right is not None:
            self._paint_side(painter, plot, ticks["right"], self.right.title, left=False)

    def _placed(self, view: tuple[float, float, float, float], plot: QRectF) -> dict[str, Ticks]:
        x0, x1, y0, y1 = view
        metrics = QFontMetricsF(PlotTheme().tick_font())
        wide = max(2.0, min(7.0, plot.width() / (80.0 if self.x.degrees else 62.0)))
        high = max(2.0, min(6.0, plot.height() / 42.0))
        placed = {
            "x": self._apart_x(self.x.ticks(x0, x1, wide), metrics),
            "y": self._apart_y(self.y.ticks(y0, y1, high), metrics),
            "right": [],
        }
        if self.right is not None:
            shift, factor = self.right_map
            low, top = (y0 - shift) / factor, (y1 - shift) / factor
            ticks = self.right.ticks(low, top, high)
            placed["right"] = self._apart_y([(v * factor + shift, words) for v, words in ticks], metrics)
        return placed

    def _apart_x(self, ticks: Ticks, metrics: QFontMetricsF) -> Ticks:
        if self.x.names is not None:
            return self._apart_names(ticks, metrics)
        kept: Ticks = []
        edge = -1e9
        for value, words in ticks:
            width, place = metrics.horizontalAdvance(words), self.canvas.x_to_scene(value)
            if place - width / 2 >= edge + 6:
                kept.append((value, words))
                edge = place + width / 2
        return kept

    def _apart_names(self, ticks: Ticks, metrics: QFontMetricsF) -> Ticks:
        room = abs(self.canvas.x_to_scene(1.0) - self.canvas.x_to_scene(0.0))
        widest = max((metrics.horizontalAdvance(words) for _, words in ticks), default=0.0)
        self.x.slanted = widest > room - 3 and room < 48
        needed = metrics.height() if self.x.slanted else 24.0
        every = max(1, round(needed / max(room, 1e-9) + 0.4999))
        upright = min(_NAME_WIDTH, max(0.3 * self.canvas.height(), 40.0))
        limit = upright if self.x.slanted else max(room * every - 3, 10.0)
        elide = Qt.TextElideMode.ElideRight
        return [(value, metrics.elidedText(words, elide, limit)) for value, words in ticks[::every]]

    def _apart_y(self, ticks: Ticks, metrics: QFontMetricsF) -> Ticks:
        kept: Ticks = []
        last = 1e9
        limit = max(_NAME_WIDTH, self.canvas.width() * 0.25)
        for value, words in sorted(ticks, key=lambda tick: -self.canvas.y_to_scene(tick[0])):
            place = self.canvas.y_to_scene(value)
            if last - place >= metrics.height() - 1:
                kept.append((value, metrics.elidedText(words, Qt.TextElideMode.ElideRight, limit)))
                last = place
        return sorted(kept)

    def _names_height(self, metrics: QFontMetricsF) -> float:
        ticks = self.ticks()["x"]
        if not self.x.slanted:
            return metrics.height()
        return max((metrics.horizontalAdvance(words) for _, words in ticks), default=0.0)

    @staticmethod
    def _width(metrics: QFontMetricsF, text: str) -> float:
        return metrics.horizontalAdvance(text)

    def _paint_to_come(self, painter: QPainter, plot: QRectF) -> None:
        if self.to_come is None:
            return
        left = max(plot.left(), self.canvas.x_to_scene(self.to_come))
        if left < plot.right():
            painter.fillRect(
                QRectF(left, plot.top(), plot.right() - left, plot.height()), theme().colour("sunken")
            )

    def _paint_grid(self, painter: QPainter, plot: QRectF, ticks: dict[str, Ticks]) -> None:
        painter.setPen(PlotTheme().grid_pen())
        if self.grid in ("y", "both"):
            for value, _ in ticks["y"]:
                place = round(self.canvas.y_to_scene(value))
                painter.drawLine(QPointF(plot.left(), place), QPointF(plot.right(), place))
        if self.grid in ("x", "both"):
            for value, _ in ticks["x"]:
                place = round(self.canvas.x_to_scene(value))
                painter.drawLine(QPointF(place, plot.top()), QPointF(place, plot.bottom()))

    def _paint_bottom(self, painter: QPainter, plot: QRectF, ticks: Ticks) -> None:
        metrics, bottom = QFontMetricsF(painter.font()), round(plot.bottom())
        painter.setPen(PlotTheme().axis_pen())
        if self.line:
            painter.drawLine(QPointF(plot.left(), bottom), QPointF(plot.right(), bottom))
            for value, _ in ticks:
                place = round(self.canvas.x_to_scene(value))
                painter.drawLine(QPointF(place, bottom), QPointF(place, bottom + TICK))
        painter.setPen(PlotTheme().tick_colour())
        top = bottom + TICK + 3
        for value, words in ticks:
            self._paint_name(painter, metrics, self.canvas.x_to_scene(value), top, words)
        if self.x.title:
            below = self.canvas.height() - 6 - metrics.height()
            limit = self.canvas.width() - 16.0
            title = metrics.elidedText(self.x.title, Qt.TextElideMode.ElideRight, limit)
            width = metrics.horizontalAdvance(title)
            left = min(max(plot.center().x() - width / 2, 8.0), self.canvas.width() - 8 - width)
            painter.drawText(QPointF(left, below + metrics.ascent()), title)

    def _paint_name(
        self, painter: QPainter, metrics: QFontMetricsF, place: float, top: float, words: str
    ) -> None:
        width = metrics.horizontalAdvance(words)
        if not self.x.slanted:
            left = min(place - width / 2, self.canvas.width() - width - 2)
            painter.drawText(QPointF(left, top + metrics.ascent()), words)
            return
        painter.save()
        painter.translate(place, top)
        painter.rotate(-90)
        painter.drawText(QPointF(-width, metrics.ascent() - metrics.height() / 2), words)
        painter.restore()

    def _paint_side(self, painter: QPainter, plot: QRectF, ticks: Ticks, title: str, *, left: bool) -> None:
        metrics = QFontMetricsF(painter.font())
        painter.setPen(PlotTheme().tick_colour())
        for value, words in ticks:
            place = self.canvas.y_to_scene(value) - metrics.height() / 2 + metrics.ascent()
            width = metrics.horizontalAdvance(words)
            edge = plot.left() - LABEL_GAP - width if left else plot.right() + LABEL_GAP
            painter.drawText(QPointF(edge, place), words)
        if title:
            centre = 6 + metrics.height() / 2 if left else self.canvas.width() - 6 - metrics.height() / 2
            painter.save()
            painter.translate(centre, plot.center().y())
            painter.rotate(-90)
            limit = self.canvas.height() - 12.0
            text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, limit)
            width = metrics.horizontalAdvance(text)
            # A title longer than the axis stays inside the card rather than be cut at its edge.
            half = plot.height() / 2
            shift = max(0.0, width / 2 - half - plot.top() + 4)
            below = max(0.0, width / 2 - half - (self.canvas.height() - plot.bottom()) + 4)
            painter.drawText(
                QPointF(-width / 2 - shift + below, metrics.ascent() - metrics.height() / 2), text
            )
            painter.restore()
