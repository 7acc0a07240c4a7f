"""Many marks at once: pictures of marks stamped at their places.

Up to 20,000 marks Qt blits them from one pixmap; above, a compiled loop stamps them into an image of the
plot's size in device px (17 against 60 ms for 100,000 marks); above 200,000 visible ones the number per
px is shown instead. Colours change by an array of indices, never mark by mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from gui.theme.colour_maps import colour_map
from gui.theme.plot import DENSE_POINTS
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.marks import draw_mark

DENSITY_POINTS = 200_000
NORMAL, CHOSEN, PALE, GONE = 0, 1, 2, 3
_FEW_CHOSEN = 200
_OUTLINED = 4.0


@dataclass(frozen=True)
class Picture:
    """How a mark looks: ``fill`` ``#RRGGBB``, shape, diameter in px, hollow, ``edge`` around pale fills."""

    fill: str
    shape: str
    size: float
    hollow: bool = False
    edge: str = ""


class PointLayer(Layer):
    """Marks at drawn ``xs``, ``ys`` (n,). Drawn in a seeded random order, so that no group hides another."""

    def __init__(self, canvas: PlotCanvas, z: float) -> None:
        self.xs: np.ndarray = np.empty(0)
        self.ys: np.ndarray = np.empty(0)
        self.base = np.empty(0, np.int64)
        self.states = np.empty(0, np.uint8)
        self.pictures: Sequence[Picture] = ()
        self.density_shown = False
        self._order: np.ndarray = np.empty(0, np.int64)
        self._drawn_order: np.ndarray = np.empty(0, np.int64)
        self._in_order: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._style: np.ndarray = np.empty(0, np.int64)
        self._by_x: np.ndarray = np.empty(0, np.int64)
        self._atlas: tuple[object, np.ndarray, QPixmap, np.ndarray] | None = None
        self._image: tuple[object, QImage, np.ndarray] | None = None
        self._version = 0
        super().__init__(canvas, z)

    def show_points(
        self, x: np.ndarray, y: np.ndarray, base: np.ndarray, pictures: Sequence[Picture]
    ) -> None:
        """Marks that look like ``pictures[base[i]]``."""
        if len(x) != len(self._order):
            self._order = np.random.default_rng(0).permutation(len(x))
        self.xs, self.ys = np.ascontiguousarray(x), np.ascontiguousarray(y)
        self.base, self.pictures = np.asarray(base, np.int64), tuple(pictures)
        self._by_x = np.empty(0, np.int64)
        self._atlas = None
        self.show_states(np.zeros(len(x), np.uint8))

    def show_states(self, states: np.ndarray) -> None:
        """Which marks are normal, chosen, pale or gone, uint8 (n,); chosen ones are drawn last."""
        self.states = states
        order = self._order
        if states.any():
            there = states[order]
            order = np.concatenate([order[(there == NORMAL) | (there == PALE)], order[there == CHOSEN]])
        self._drawn_order = order
        self._in_order = None
        self._style = self.base + states * np.int64(len(self.pictures))
        self._version += 1
        self.update()

    def recolour(self) -> None:
        """Make the pictures of marks again."""
        self._atlas = None
        self._version += 1
        self.update()

    def near(self, pos: QPointF, within: float) -> np.ndarray:
        """Indices of the marks within ``within`` px of ``pos``, nearest first."""
        if not len(self.xs):
            return np.empty(0, np.int64)
        if len(self._by_x) != len(self.xs):
            self._by_x = np.argsort(self.xs, kind="stable")
        x0, x1, y0, y1 = self.canvas.view()
        plot = self.canvas.plot_rect()
        px, py = (x1 - x0) / plot.width(), (y1 - y0) / plot.height()
        x, y = self.canvas.to_data(pos)
        low, high = np.searchsorted(self.xs[self._by_x], [x - within * px, x + within * px])
        window = self._by_x[low:high]
        window = window[self.states[window] != GONE]
        distance = np.hypot((self.xs[window] - x) / px, (self.ys[window] - y) / py)
        close = distance <= within
        return window[close][np.argsort(distance[close], kind="stable")]

    def on_screen(self) -> tuple[np.ndarray, np.ndarray]:
        """Px of all marks."""
        xs, x_at, ys, y_at = self._mapping(self.canvas.plot_rect(), 1.0)
        plot = self.canvas.plot_rect()
        return self.xs * xs + x_at + plot.left(), self.ys * ys + y_at + plot.top()

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Blit, stamp or count."""
        if not len(self._drawn_order):
            return
        if len(self.xs) > DENSE_POINTS:
            painter.drawImage(plot.topLeft(), self._stamped(painter, plot))
        else:
            self._blit(painter, plot)

    def _mapping(self, plot: QRectF, ratio: float) -> tuple[float, float, float, float]:
        x0, x1, y0, y1 = self.canvas.view()
        xs = plot.width() * ratio / (x1 - x0)
        ys = plot.height() * ratio / (y1 - y0)
        return xs, -x0 * xs, -ys, y1 * ys

    def _stamped(self, painter: QPainter, plot: QRectF) -> QImage:
        from gui.views.kernels import count_per_pixel, stamp

        ratio = painter.device().devicePixelRatioF()
        key = (self.canvas.view(), plot.width(), plot.height(), ratio, self._version)
        if self._image is not None and self._image[0] == key:
            return self._image[1]
        width, height = max(int(plot.width() * ratio), 1), max(int(plot.height() * ratio), 1)
        mapping = self._mapping(plot, ratio)
        order, self.density_shown = self._drawn_order, False
        pixels = np.zeros((height, width), np.uint32)
        if len(order) > DENSITY_POINTS:
            counts = np.zeros((height, width), np.int32)
            if count_per_pixel(counts, self.xs, self.ys, *mapping) > DENSITY_POINTS:
                pixels = _density(counts)
                self.density_shown = True
                order = order[self.states[order] == CHOSEN]
        atlas, _, reach = self._pictured(ratio)
        if self.density_shown:
            marks = self.xs[order], self.ys[order], self._style[order]
        else:
            # Laid out once in the order of drawing: the loop then reads memory from end to end.
            marks = self._in_order or (self.xs[order], self.ys[order], self._style[order])
            self._in_order = marks
        stamp(pixels, *marks, atlas, reach, *mapping)
        image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        self._image = (key, image, pixels)
        return image

    def _blit(self, painter: QPainter, plot: QRectF) -> None:
        ratio = painter.device().devicePixelRatioF()
        atlas, pixmap, _ = self._pictured(ratio)
        x, y = self.on_screen()
        order, cell = self._drawn_order, atlas.shape[1]
        room = cell / ratio
        seen = (x >= plot.left() - room) & (x <= plot.right() + room)
        seen &= (y >= plot.top() - room) & (y <= plot.bottom() + room)
        order = order[seen[order]]
        if not order.size:
            return
        fragments = pg.Qt.internals.PrimitiveArray(QPainter.PixmapFragment, 10)
        fragments.resize(len(order))
        table = fragments.ndarray()
        table[:, 0] = np.floor(x[order] * ratio) / ratio + 0.5 / ratio
        table[:, 1] = np.floor(y[order] * ratio) / ratio + 0.5 / ratio
        table[:, 2] = self._style[order] * cell
        table[:, 3] = 0
        table[:, 4] = table[:, 5] = cell
        table[:, 6] = table[:, 7] = 1 / ratio
        table[:, 8], table[:, 9] = 0, 1
        painter.drawPixmapFragments(*fragments.drawargs(), pixmap)  # type: ignore[call-arg]

    def _pictured(self, ratio: float) -> tuple[np.ndarray, QPixmap, np.ndarray]:
        """Pictures of all marks in three states: uint32 (3·p, c, c), side by side, how far each reaches."""
        chosen = int(np.count_nonzero(self.states == CHOSEN))
        key = (ratio, theme().name, chosen > _FEW_CHOSEN, bool(self.states.any()))
        if self._atlas is None or self._atlas[0] != key:
            sheet = self._painted(ratio, chosen > _FEW_CHOSEN, bool(self.states.any()))
            height, width = sheet.height(), sheet.width()
            flat = np.frombuffer(sheet.constBits(), np.uint32).reshape(height, sheet.bytesPerLine() // 4)
            cells = flat[:, :width].reshape(height, width // height, height).transpose(1, 0, 2)
            atlas = np.ascontiguousarray(cells)
            self._atlas = (key, atlas, QPixmap.fromImage(sheet), _reach(atlas))
        return self._atlas[1:]

    def _painted(self, ratio: float, many: bool, states: bool) -> QImage:
        largest = max((picture.size for picture in self.pictures), default=6.0)
        reach = max(largest, TOKENS.marker.size_selected) if states else largest
        cell = (int(np.ceil((reach * 1.5 + 2) * ratio)) // 2) * 2 + 1
        kinds = (NORMAL, CHOSEN, PALE) if states else (NORMAL,)
        count = len(self.pictures)
        sheet = QImage(cell * count * len(kinds), cell, QImage.Format.Format_ARGB32_Premultiplied)
        sheet.fill(Qt.GlobalColor.transparent)
        painter = QPainter(sheet)
        try:
            for kind in kinds:
                for index, picture in enumerate(self.pictures):
                    centre = QPointF((kind * count + index + 0.5) * cell, cell / 2)
                    self._paint_picture(painter, picture, kind, centre, ratio, many)
        finally:
            painter.end()
        return sheet

    def _paint_picture(
        self, painter: QPainter, picture: Picture, kind: int, at: QPointF, ratio: float, many: bool
    ) -> None:
        colour, ground = QColor(picture.fill), theme().colour("plot_bg")
        dense = len(self.xs) > DENSE_POINTS
        # Around the smallest marks an outline would take more than the mark.
        outline: QColor | None = None if dense or picture.size < _OUTLINED else ground
        width, size = 0.75, picture.size
        if picture.edge and not dense:
            outline = QColor(picture.edge)
        if kind == CHOSEN:
            outline, width = theme().colour("selection"), 1.0 if many else 1.5
            size = size + 1 if many else max(size, TOKENS.marker.size_selected * 0.75)
        opacity = {NORMAL: TOKENS.marker.opacity, CHOSEN: 1.0, PALE: TOKENS.opacity.unselected}[kind]
        painter.setOpacity(opacity)
        if picture.hollow:
            draw_mark(
                painter,
                at,
                picture.shape,
                None,
                size * ratio,
                outline if kind == CHOSEN else colour,
                1.25 * ratio,
            )
        else:
            draw_mark(painter, at, picture.shape, colour, size * ratio, outline, width * ratio)


def _reach(atlas: np.ndarray) -> np.ndarray:
    """Greatest distance in px, along an axis, of a painted px from the middle of each picture (p, c, c)."""
    away = np.abs(np.arange(atlas.shape[1]) - atlas.shape[1] // 2)
    return (np.maximum(away[:, None], away[None]) * (atlas > 0)).max(axis=(1, 2)).astype(np.int64)


def _density(counts: np.ndarray) -> np.ndarray:
    """Premultiplied ARGB (h, w): px without points are clear, the others by the logarithm of the count."""
    table = colour_map("from_zero", theme().name).getLookupTable(nPts=256, alpha=False).astype(np.uint32)
    colours = 0xFF000000 | table[:, 0] << 16 | table[:, 1] << 8 | table[:, 2]
    most = max(int(counts.max()), 1)
    place = np.arange(most + 1) if most < 1 << 22 else np.arange(1 << 22)
    # From a quarter of the map on, so that a single point is told from none.
    shades = colours[np.minimum(64 + 191 * np.log1p(place) / np.log1p(most), 255).astype(np.int64)]
    shades[0] = 0
    return np.ascontiguousarray(shades[np.minimum(counts, len(shades) - 1)].astype(np.uint32))
