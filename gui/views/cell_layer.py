"""What stands on and under the cells of a heat map: hatch, values, frames, level lines."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPolygonF

from gui.theme.contrast import luminance
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.canvas import PlotCanvas
from gui.views.colour_bar import ColourScale
from gui.views.layer import Layer
from gui.views.pens import in_px, line_pen
from gui.views.ticks import value_words

WRITTEN = (36.0, 20.0)
"""Smallest cell, px, in which its value is written."""
_MIDDLE_GREY = 0.18


def cell_edges(centres: np.ndarray | None, count: int) -> np.ndarray:
    """Borders (count+1,) halfway between drawn centres, or whole numbers less a half."""
    if centres is None:
        return np.arange(count + 1) - 0.5
    if count < 2:
        return np.array([centres[0] - 0.5, centres[0] + 0.5]) if count else np.array([0.0, 1.0])
    middles = (centres[1:] + centres[:-1]) / 2
    return np.concatenate(([2 * centres[0] - middles[0]], middles, [2 * centres[-1] - middles[-1]]))


class HatchLayer(Layer):
    """Under the image: a hatched ground seen through cells that are not defined."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.area: tuple[float, float, float, float] | None = None
        super().__init__(canvas, -1)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Lines at 45° in the muted colour."""
        if self.area is None:
            return
        x0, x1, y0, y1 = self.area
        box = QRectF(self.canvas.to_scene(x0, y0), self.canvas.to_scene(x1, y1)).normalized()
        painter.fillRect(box, theme().colour("sunken"))
        painter.fillRect(box, QBrush(theme().colour("muted_mark"), Qt.BrushStyle.BDiagPattern))


class CellLayer(Layer):
    """Over the image."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.values = np.empty((0, 0))
        self.across = self.up = np.array([0.0, 1.0])
        self.colours = ColourScale("sequential", 0, 1)
        self.outlined: np.ndarray | None = None
        self.contours: list[np.ndarray] = []
        self.hovered: tuple[int, int] | None = None
        self.chosen = np.empty(0, np.int64)
        self.brush: tuple[int, int, int, int] | None = None
        super().__init__(canvas, 10)

    def box(self, row: int, column: int, last_row: int = -1, last_column: int = -1) -> QRectF:
        """Px of a cell, or of the block up to another."""
        end_row, end_column = max(row, last_row) + 1, max(column, last_column) + 1
        first = self.canvas.to_scene(float(self.across[column]), float(self.up[row]))
        return QRectF(
            first, self.canvas.to_scene(float(self.across[end_column]), float(self.up[end_row]))
        ).normalized()

    def at(self, pos: QPointF) -> tuple[int, int] | None:
        """Row and column under ``pos``."""
        if not self.canvas.plot_rect().contains(pos) or not self.values.size:
            return None
        x, y = self.canvas.to_data(pos)
        row = int(np.searchsorted(self.up, y, side="right")) - 1
        column = int(np.searchsorted(self.across, x, side="right")) - 1
        inside = 0 <= row < self.values.shape[0] and 0 <= column < self.values.shape[1]
        return (row, column) if inside else None

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Level lines, values, frames, the cell under the mouse, the brush."""
        if not self.values.size:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_contours(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        rows, columns = self._seen()
        self._write(painter, rows, columns)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.outlined is not None:
            painter.setPen(line_pen(theme().colour("text"), 2))
            found = np.argwhere(self.outlined[rows.start : rows.stop, columns.start : columns.stop])
            for row, column in found[:5000].tolist():
                painter.drawRect(self.box(row + rows.start, column + columns.start).adjusted(1, 1, -2, -2))
        painter.setPen(in_px(PlotTheme().selection_pen()))
        for row in self.chosen.tolist():
            painter.drawRect(self.box(row, 0, row, self.values.shape[1] - 1).adjusted(0, 0, -1, -1))
        if self.hovered is not None:
            painter.setPen(line_pen(theme().colour("text"), 1.5))
            painter.drawRect(self.box(*self.hovered))
        if self.brush is not None:
            low_row, high_row, low_column, high_column = self.brush
            box = self.box(low_row, low_column, high_row, high_column)
            painter.setPen(in_px(PlotTheme().selection_pen()))
            painter.fillRect(box, theme().colour("selection", 0.08))
            painter.drawRect(box)

    def _seen(self) -> tuple[range, range]:
        x0, x1, y0, y1 = self.canvas.view()
        rows = np.searchsorted(self.up, [y0, y1])
        columns = np.searchsorted(self.across, [x0, x1])
        high, wide = self.values.shape
        return (
            range(max(int(rows[0]) - 1, 0), min(int(rows[1]), high)),
            range(max(int(columns[0]) - 1, 0), min(int(columns[1]), wide)),
        )

    def _write(self, painter: QPainter, rows: range, columns: range) -> None:
        """Values in cells of at least 36 × 20 px, black or white by contrast."""
        if not rows or not columns:
            return
        first = self.box(rows[0], columns[0])
        if first.width() < WRITTEN[0] or first.height() < WRITTEN[1] or len(rows) * len(columns) > 2000:
            return
        font = theme().font("caption", tabular=True)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        table = self.colours.table()
        for row in rows:
            places = self.colours.places(self.values[row, columns.start : columns.stop])
            for column, place in zip(columns, places.tolist(), strict=True):
                value = float(self.values[row, column])
                if value != value:
                    continue
                red, green, blue = table[place, :3].tolist()
                light = luminance(f"#{red:02X}{green:02X}{blue:02X}") > _MIDDLE_GREY
                painter.setPen(QColor("#000000" if light else "#FFFFFF"))
                box, text = self.box(row, column), value_words(value, 3)
                if metrics.horizontalAdvance(text) <= box.width() - 4:
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_contours(self, painter: QPainter) -> None:
        painter.setPen(line_pen(theme().colour("text", 0.75), 1))
        for line in self.contours:
            painter.drawPolyline(QPolygonF([self.canvas.to_scene(x, y) for x, y in line.tolist()]))


def level_lines(
    x: np.ndarray, y: np.ndarray, values: np.ndarray, levels: tuple[float, ...]
) -> list[np.ndarray]:
    """Lines (m, 2) where ``values`` (r, c) over ``x`` (c,), ``y`` (r,) take each level, linearly between."""
    if not levels or min(values.shape) < 2:
        return []
    from contourpy import contour_generator

    generator = contour_generator(x=x, y=y, z=np.ma.masked_invalid(values))
    return [np.asarray(line) for level in levels for line in generator.lines(level)]
