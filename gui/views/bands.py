"""Spreads around curves, brackets of unknown curves, stacked areas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF

from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer


@dataclass(frozen=True, eq=False)
class Band:
    """Area between ``low`` and ``high`` (n,) over ascending ``x``, drawn numbers; NaN is a gap."""

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    fill: QBrush
    edge: QPen | None = None
    opacity: float = 1.0


def decimate(
    x: np.ndarray, low: np.ndarray, high: np.ndarray, x0: float, x1: float, columns: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The part in [x0, x1] with one neighbour each side; least low and greatest high per px column."""
    first = max(int(np.searchsorted(x, x0)) - 1, 0)
    last = min(int(np.searchsorted(x, x1, side="right")) + 1, len(x))
    x, low, high = x[first:last], low[first:last], high[first:last]
    if len(x) <= 4 * columns:
        return x, low, high
    starts = np.arange(0, len(x), int(np.ceil(len(x) / (2 * columns))))
    return x[starts], np.fmin.reduceat(low, starts), np.fmax.reduceat(high, starts)


def runs(defined: np.ndarray) -> list[slice]:
    """Stretches of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], defined, [False])).astype(np.int8)))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


class BandLayer(Layer):
    """All bands of one plot."""

    def __init__(self, canvas: PlotCanvas, z: float) -> None:
        self.bands: list[Band] = []
        super().__init__(canvas, z)

    def show_bands(self, bands: list[Band]) -> None:
        """Paint these."""
        self.bands = bands
        self.update()

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Fills first, then both borders."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x0, x1, _, _ = self.canvas.view()
        for band in self.bands:
            painter.setOpacity(band.opacity)
            x, low, high = decimate(band.x, band.low, band.high, x0, x1, max(int(plot.width()), 1))
            for run in runs(np.isfinite(low) & np.isfinite(high) & np.isfinite(x)):
                self._draw_run(painter, band, x[run], low[run], high[run])

    def _draw_run(
        self, painter: QPainter, band: Band, x: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> None:
        upper = [self.canvas.to_scene(a, b) for a, b in zip(x.tolist(), high.tolist(), strict=True)]
        lower = [self.canvas.to_scene(a, b) for a, b in zip(x.tolist(), low.tolist(), strict=True)]
        if len(upper) == 1:
            upper = [upper[0] - QPointF(2, 0), upper[0] + QPointF(2, 0)]
            lower = [lower[0] - QPointF(2, 0), lower[0] + QPointF(2, 0)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(band.fill)
        painter.drawPolygon(QPolygonF(upper + lower[::-1]))
        if band.edge is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(band.edge)
            painter.drawPolyline(QPolygonF(upper))
            painter.drawPolyline(QPolygonF(lower))
