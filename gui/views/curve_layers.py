"""What stands around curves: marks, references, levels, rugs, spans, live end, hairline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from engine.core.views.lines import Level, ReferenceKind
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.bands import decimate, runs
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.marks import draw_mark
from gui.views.pens import in_px, line_pen
from gui.views.ticks import to_drawn

LINE_OF: dict[ReferenceKind, str] = {
    "bound": "dashed",
    "baseline": "dashed",
    "optimum": "solid",
    "chance": "dotted",
}


NAMES = 15.0
"""Room over the plot for the names of upright levels."""


@dataclass(frozen=True, eq=False)
class MarkRun:
    """Marks of one curve at drawn ``x``, ``y``; hollow ones are outlined only."""

    x: np.ndarray
    y: np.ndarray
    colour: QColor
    shape: str
    hollow: bool
    opacity: float


class CurveMarks(Layer):
    """Marks where values were measured."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.marks: list[MarkRun] = []
        super().__init__(canvas, 10)
        self.clipped = False

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Each with an outline in the ground's colour, so that crossings stay readable."""
        ground = theme().colour("plot_bg")
        room = plot.adjusted(-1, -4, 1, 4)
        for run in self.marks:
            painter.setOpacity(run.opacity)
            for x, y in zip(run.x.tolist(), run.y.tolist(), strict=True):
                if x != x or y != y:
                    continue
                pos = self.canvas.to_scene(x, y)
                if not room.contains(pos):
                    continue
                if run.hollow:
                    draw_mark(painter, pos, run.shape, ground, 6.5, run.colour, 1.5)
                else:
                    draw_mark(painter, pos, run.shape, run.colour, 7.0, ground, 0.75)


@dataclass(frozen=True, eq=False)
class ReferenceLine:
    """A neutral curve in drawn numbers."""

    x: np.ndarray
    y: np.ndarray
    pen: QPen


class ReferenceLayer(Layer):
    """Neutral curves to read others against."""

    def __init__(self, canvas: PlotCanvas, z: float) -> None:
        self.lines: list[ReferenceLine] = []
        super().__init__(canvas, z)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Gaps where undefined; extremes kept per px column."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x0, x1, _, _ = self.canvas.view()
        for line in self.lines:
            painter.setPen(line.pen)
            x, low, high = line.x, line.y, line.y
            if len(x) > 2000 and np.all(np.diff(x) >= 0):
                x, low, high = decimate(x, low, high, x0, x1, max(int(plot.width()), 1))
            for run in runs(np.isfinite(x) & np.isfinite(low)):
                points = []
                for a, b, c in zip(x[run].tolist(), low[run].tolist(), high[run].tolist(), strict=True):
                    points.append(self.canvas.to_scene(a, b))
                    if c != b:
                        points.append(self.canvas.to_scene(a, c))
                painter.drawPolyline(QPolygonF(points))


@dataclass(frozen=True)
class Stretch:
    """A shaded stretch of x, drawn numbers; ``chosen`` while the hand drags it."""

    name: str
    low: float
    high: float
    chosen: bool = False


class StretchLayer(Layer):
    """Spans of the x axis and ticks along it."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.stretches: list[Stretch] = []
        self.rugs: list[tuple[np.ndarray, QColor]] = []
        super().__init__(canvas, -50)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Grounds with their names at the top, ticks 6 px high."""
        font = theme().font("caption")
        metrics = QFontMetricsF(font)
        for stretch in self.stretches:
            left, right = self.canvas.x_to_scene(stretch.low), self.canvas.x_to_scene(stretch.high)
            box = QRectF(QPointF(left, plot.top()), QPointF(right, plot.bottom())).normalized()
            token, opacity = ("selection", 0.10) if stretch.chosen else ("muted_mark", 0.18)
            painter.fillRect(box, theme().colour(token, opacity))
            if stretch.name:
                painter.setFont(font)
                painter.setPen(theme().colour("text_tertiary"))
                room = max(box.width() - 8, 0)
                text = metrics.elidedText(stretch.name, Qt.TextElideMode.ElideRight, room)
                if room >= min(metrics.horizontalAdvance(stretch.name), 36.0):
                    painter.drawText(QPointF(box.left() + 4, box.top() + 3 + metrics.ascent()), text)
        for places, colour in self.rugs:
            painter.setPen(line_pen(colour, 1))
            for place in np.unique(np.round([self.canvas.x_to_scene(x) for x in places.tolist()])):
                painter.drawLine(QPointF(place, plot.bottom() - 6), QPointF(place, plot.bottom()))


class LevelLayer(Layer):
    """Straight lines across the plot; those that can be dragged have a grip at their end."""

    def __init__(self, canvas: PlotCanvas, z: float = 20) -> None:
        self.levels: tuple[Level, ...] = ()
        self.values: dict[str, float] = {}
        self.logs = (False, False)
        super().__init__(canvas, z)
        self.clipped = False

    def show_levels(self, levels: tuple[Level, ...], x_log: bool, y_log: bool) -> None:
        """Paint these; values still dragged are forgotten."""
        self.levels, self.logs, self.values = levels, (x_log, y_log), {}
        self.update()

    def place(self, level: Level) -> float:
        """Px of a level across its axis; NaN where it cannot be shown."""
        value = self.values.get(level.name, level.value)
        drawn = float(to_drawn(np.array([value]), self.logs[level.axis == "y"])[0])
        if level.axis == "y":
            return self.canvas.y_to_scene(drawn)
        return self.canvas.x_to_scene(drawn)

    def at(self, pos: QPointF) -> Level | None:
        """The draggable level within 6 px of ``pos``."""
        if not self.canvas.plot_rect().adjusted(-8, -8, 8, 8).contains(pos):
            return None
        for level in self.levels:
            across = pos.y() if level.axis == "y" else pos.x()
            if level.draggable and abs(across - self.place(level)) <= 6:
                return level
        return None

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Lines and grips."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for level in self.levels:
            place = self.place(level)
            low, high = (plot.top(), plot.bottom()) if level.axis == "y" else (plot.left(), plot.right())
            if not low - 0.5 <= place <= high + 0.5:
                continue
            along = level.axis == "y"
            start = QPointF(plot.left(), place) if along else QPointF(place, plot.bottom())
            end = QPointF(plot.right(), place) if along else QPointF(place, plot.top())
            pen = in_px(PlotTheme().reference_pen(LINE_OF[level.kind]))
            painter.setPen(in_px(PlotTheme().selection_pen(dashed=True)) if level.draggable else pen)
            painter.drawLine(start, end)
            if level.draggable:
                draw_mark(
                    painter, end, "circle", theme().colour("selection"), 10, theme().colour("plot_bg"), 1.5
                )
        self._write_names(painter, plot)

    def names(self, plot: QRectF) -> list[tuple[str, float]]:
        """Names of upright levels with their left ends, px, none over another."""
        metrics = QFontMetricsF(theme().font("caption"))
        upright = [
            (self.place(level), level.name) for level in self.levels if level.axis == "x" and level.name
        ]
        upright = sorted(one for one in upright if plot.left() - 0.5 <= one[0] <= plot.right() + 0.5)
        widths = [metrics.horizontalAdvance(name) for _, name in upright]
        lefts: list[float] = []
        for (place, _), width in zip(upright, widths, strict=True):
            after = lefts[-1] + widths[len(lefts) - 1] + 8 if lefts else plot.left()
            lefts.append(max(place - width / 2, after))
        edge = self.canvas.width() - 4.0
        for index in range(len(lefts) - 1, -1, -1):
            lefts[index] = min(lefts[index], edge - widths[index])
            edge = lefts[index] - 8
        return [(name, left) for (_, name), left in zip(upright, lefts, strict=True)]

    def _write_names(self, painter: QPainter, plot: QRectF) -> None:
        font = theme().font("caption")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme().colour("text_secondary"))
        for name, left in self.names(plot):
            painter.drawText(QPointF(left, plot.top() - NAMES + metrics.ascent()), name)


class HairLayer(Layer):
    """The hairline under the mouse and the dots at live ends."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.place: float | None = None
        self.live: list[tuple[float, float]] = []
        super().__init__(canvas, 30)
        self.clipped = False

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """A vertical line at a drawn x; dots at drawn points."""
        if self.place is not None:
            across = round(self.canvas.x_to_scene(self.place))
            painter.setPen(line_pen(theme().colour("reference"), TOKENS.line.axis))
            painter.drawLine(QPointF(across, plot.top()), QPointF(across, plot.bottom()))
        for x, y in self.live:
            pos = self.canvas.to_scene(x, y)
            if plot.adjusted(-1, -1, 1, 1).contains(pos):
                colour, ground = theme().colour("selection"), theme().colour("plot_bg")
                draw_mark(painter, pos, "circle", colour, 8, ground, 1)
