"""Hulls with their names, segments, stars, error bars and the ring under the mouse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPolygonF

from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.marks import draw_mark
from gui.views.pens import in_px, line_pen


@dataclass(frozen=True, eq=False)
class Hull:
    """A polygon in drawn numbers; the first word of its label is bold."""

    x: np.ndarray
    y: np.ndarray
    colour: int | None
    label: str
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Strokes:
    """Segments, drawn numbers (m, 2)."""

    x: np.ndarray
    y: np.ndarray
    colour: int | None
    dashed: bool


class HullLayer(Layer):
    """Under the points: hulls and segments."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.hulls: list[Hull] = []
        self.strokes: list[Strokes] = []
        super().__init__(canvas, -10)

    def outline(self, hull: Hull) -> QPolygonF:
        """A hull in px."""
        return QPolygonF(
            [self.canvas.to_scene(x, y) for x, y in zip(hull.x.tolist(), hull.y.tolist(), strict=True)]
        )

    def at(self, pos: QPointF) -> int | None:
        """Index of the hull around ``pos``."""
        for index, hull in enumerate(self.hulls):
            if self.outline(hull).containsPoint(pos, Qt.FillRule.OddEvenFill):
                return index
        return None

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Fill 10%, edge 60%."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        muted = theme().colour("muted_mark", TOKENS.opacity.hull_edge)
        for hull in self.hulls:
            painter.setOpacity(hull.opacity)
            painter.setPen(line_pen(muted, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if hull.colour is not None:
                painter.setPen(in_px(PlotTheme().hull_pen(hull.colour)))
                painter.setBrush(PlotTheme().hull_brush(hull.colour))
            painter.drawPolygon(self.outline(hull))
        painter.setOpacity(1)


class SegmentLayer(Layer):
    """Over the points: segments, error bars, stars, the ring under the mouse."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.strokes: list[Strokes] = []
        self.stars: list[tuple[float, float, str]] = []
        self.bars: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self.ring: tuple[float, float] | None = None
        super().__init__(canvas, 15)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Lines, then marks, then the ring."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for stroke in self.strokes:
            self._draw_strokes(painter, stroke)
        if self.bars is not None:
            painter.setPen(line_pen(theme().colour("reference"), 1.25))
            for x, low, high in zip(*(part.tolist() for part in self.bars), strict=True):
                if low == low and high == high:
                    painter.drawLine(self.canvas.to_scene(x, low), self.canvas.to_scene(x, high))
        ground = theme().colour("plot_bg")
        for x, y, fill in self.stars:
            draw_mark(painter, self.canvas.to_scene(x, y), "star", QColor(fill), 10, ground, 0.75)
        if self.ring is not None:
            pos = self.canvas.to_scene(*self.ring)
            painter.setPen(in_px(PlotTheme().selection_pen()))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(pos, 6, 6)

    def _draw_strokes(self, painter: QPainter, stroke: Strokes) -> None:
        colour = theme().colour("reference")
        if stroke.colour is not None:
            # A line in the group's own colour would drown among its points.
            edge = QColor(PlotTheme().entity(stroke.colour).edge)
            colour = edge.darker(140) if theme().name == "light" else edge
        dashes = (4.0, 3.0) if stroke.dashed else ()
        painter.setPen(line_pen(colour, TOKENS.line.reference, dashes))
        for (xa, xb), (ya, yb) in zip(stroke.x.tolist(), stroke.y.tolist(), strict=True):
            if xa == xa and xb == xb and ya == ya and yb == yb:
                painter.drawLine(self.canvas.to_scene(xa, ya), self.canvas.to_scene(xb, yb))


class HullNames(Layer):
    """Names beside hulls, where they cover the fewest points and no other name."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.places: list[tuple[Hull, QRectF]] = []
        super().__init__(canvas, 45)

    def place(self, hulls: list[Hull], x: np.ndarray, y: np.ndarray) -> None:
        """Find a place for each name; ``x``, ``y`` are the points in px."""
        self.places = []
        plot = self.canvas.plot_rect()
        bold = QFontMetricsF(theme().font("caption", weight=600))
        plain = QFontMetricsF(theme().font("caption", tabular=True))
        if len(x) > 5000:
            x, y = x[:: len(x) // 5000], y[:: len(x) // 5000]
        for hull in hulls:
            corners = [
                self.canvas.to_scene(a, b) for a, b in zip(hull.x.tolist(), hull.y.tolist(), strict=True)
            ]
            if not hull.label or not corners:
                continue
            first, _, rest = hull.label.partition(" ")
            width = bold.horizontalAdvance(first) + plain.horizontalAdvance(f" {rest}" if rest else "") + 2
            box = self._best(corners, width, bold.height(), plot, x, y)
            if box is not None:
                self.places.append((hull, box))
        self.update()

    def _best(
        self, corners: list[QPointF], width: float, height: float, plot: QRectF, x: np.ndarray, y: np.ndarray
    ) -> QRectF | None:
        top = min(corners, key=lambda p: p.y())
        bottom = max(corners, key=lambda p: p.y())
        left, right = min(corners, key=lambda p: p.x()), max(corners, key=lambda p: p.x())
        if not plot.intersects(QPolygonF(corners).boundingRect().adjusted(-1, -1, 1, 1)):
            return None
        middles = (
            QPointF(top.x(), top.y() - height / 2 - 5),
            QPointF((left.x() + right.x()) / 2, top.y() - height / 2 - 5),
            QPointF(bottom.x(), bottom.y() + height / 2 + 5),
            QPointF(right.x() + width / 2 + 6, right.y()),
            QPointF(left.x() - width / 2 - 6, left.y()),
            QPointF(right.x() + width / 2 + 6, right.y() - height),
            QPointF(right.x() + width / 2 + 6, right.y() + height),
            QPointF(left.x() - width / 2 - 6, left.y() + height),
        )
        room = plot.adjusted(0, -10, 0, 0)
        candidates = []
        for rank, middle in enumerate(middles):
            box = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
            box.moveLeft(min(max(box.left(), room.left()), room.right() - width))
            box.moveTop(min(max(box.top(), room.top()), room.bottom() - height))
            inside = (
                (x > box.left() - 3) & (x < box.right() + 3) & (y > box.top() - 3) & (y < box.bottom() + 3)
            )
            covered = int(np.count_nonzero(inside))
            covered += 1000 * sum(box.intersects(other.adjusted(-2, 0, 2, 0)) for _, other in self.places)
            candidates.append((covered, rank, box))
        covered, _, box = min(candidates, key=lambda one: one[:2])
        # a mark's name over another's reads as neither; hover still tells it
        return None if len(corners) < 3 and covered >= 1000 else box

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """First word 600, the rest 400."""
        bold, plain = theme().font("caption", weight=600), theme().font("caption", tabular=True)
        for hull, box in self.places:
            first, _, rest = hull.label.partition(" ")
            baseline = box.top() + QFontMetricsF(bold).ascent()
            painter.fillRect(box.adjusted(-2, 0, 2, 0), QBrush(theme().colour("plot_bg", 0.7)))
            painter.setPen(theme().colour("text"))
            painter.setFont(bold)
            painter.drawText(QPointF(box.left(), baseline), first)
            painter.setFont(plain)
            left = box.left() + QFontMetricsF(bold).horizontalAdvance(first)
            painter.drawText(QPointF(left, baseline), f" {rest}" if rest else "")
