"""Choosing points with a freehand line or a box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QPainter, QPolygonF

from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.pens import in_px

Outline = Literal["freehand", "box"]
_STEP = 3.0
_FEW = 2_000_000


class LassoLayer(Layer):
    """The outline while it is drawn."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.points: list[QPointF] = []
        super().__init__(canvas, 55)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Line 1.5 px, fill 8%."""
        if len(self.points) > 1:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(in_px(PlotTheme().selection_pen()))
            painter.setBrush(QBrush(theme().colour("selection", 0.08)))
            painter.drawPolygon(QPolygonF(self.points))


class LassoDrag:
    """Draws the outline; ``done`` gets its corners (m, 2) in px when let go."""

    def __init__(
        self, layer: LassoLayer, pos: QPointF, outline: Outline, done: Callable[[np.ndarray], None]
    ) -> None:
        self._layer, self._outline, self._done = layer, outline, done
        self._start = pos
        layer.points = [pos]

    def move(self, pos: QPointF) -> None:
        """One more corner, or the opposite corner of the box."""
        points = self._layer.points
        if self._outline == "box":
            box = QRectF(self._start, pos).normalized()
            self._layer.points = [box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()]
        elif (pos - points[-1]).manhattanLength() >= _STEP:
            points.append(pos)
        self._layer.update()

    def finish(self, pos: QPointF) -> None:
        """Hand over the corners."""
        self.move(pos)
        corners = np.array([(point.x(), point.y()) for point in self._layer.points])
        self.cancel()
        if len(corners) > 2:
            self._done(corners)

    def cancel(self) -> None:
        """Take the outline away."""
        self._layer.points = []
        self._layer.update()


def points_inside(x: np.ndarray, y: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Bool (n,): points inside the polygon ``corners`` (m, 2) by the even-odd rule."""
    corners_x, corners_y = np.ascontiguousarray(corners[:, 0]), np.ascontiguousarray(corners[:, 1])
    if len(x) * len(corners) > _FEW:
        from gui.views.kernels import inside_polygon

        return inside_polygon(x, y, corners_x, corners_y)
    odd = np.zeros(len(x), bool)
    before = len(corners) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        for here in range(len(corners)):
            crosses = (corners_y[here] > y) != (corners_y[before] > y)
            share = (y - corners_y[here]) / (corners_y[before] - corners_y[here])
            odd ^= crosses & (x < corners_x[here] + share * (corners_x[before] - corners_x[here]))
            before = here
    return odd
