"""The links of a merge tree, its strip of leaves, its cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPolygonF

from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.pens import in_px, line_pen
from gui.views.tree_layout import DIM, TreeLayout

STRIP = 5.0
_PALE_ON_WHITE = (4, 5, 6)
_MANY_RUNS = 2000


def tint_colour(tint: int) -> QColor:
    """Colour of a link: secondary text above the cut, the cluster's below, 30% where not selected."""
    dim, index = tint >= DIM, tint % DIM - 1
    if index < 0:
        colour = QColor(theme().colour("text_secondary"))
    else:
        style = PlotTheme().entity(index)
        pale = theme().name == "light" and index % 8 in _PALE_ON_WHITE
        colour = QColor(style.edge if pale else style.fill)
    colour.setAlphaF(TOKENS.opacity.unselected if dim else 1.0)
    return colour


class TreeLayer(Layer):
    """All links as one array of lines per colour, no antialiasing."""

    def __init__(self, canvas: PlotCanvas) -> None:
        self.tree: TreeLayout = None  # type: ignore[assignment]
        self.tint = np.empty(0, np.int64)
        self.ringed: int | None = None
        self._lines = np.empty((0, 4))
        self._line_tint = np.empty(0, np.int64)
        self._stack = np.empty(0, np.int64)
        self._primitives = pg.Qt.internals.PrimitiveArray(QLineF, 4)
        super().__init__(canvas, 0)

    def show_tree(self, tree: TreeLayout, tint: np.ndarray) -> None:
        """Paint this tree in these tints."""
        self.tree, self.tint = tree, np.ascontiguousarray(tint)
        room = 3 * len(tree.x) + 64
        if len(self._stack) < room:
            self._lines, self._line_tint = np.empty((room + 20_000, 4)), np.empty(room + 20_000, np.int64)
            self._stack = np.empty(room, np.int64)
        self.update()

    def lines(self, plot: QRectF) -> tuple[np.ndarray, np.ndarray]:
        """Lines (k, 4) in px from the plot's corner, and their tints."""
        from gui.views.kernels import tree_lines

        tree = self.tree
        x0, x1, y0, y1 = self.canvas.view()
        xs, ys = plot.width() / (x1 - x0), plot.height() / (y1 - y0)
        count = tree_lines(
            tree.left,
            tree.right,
            tree.leaves,
            tree.roots,
            tree.x,
            tree.low,
            tree.high,
            tree.height,
            self.tint,
            tree.closed,
            float(x0),
            xs,
            plot.height() + y0 * ys,
            ys,
            max(int(np.ceil(plot.width())), 1),
            max(int(np.ceil(plot.height())), 1),
            tree.base,
            self._lines,
            self._line_tint,
            self._stack,
        )
        return self._lines[:count], self._line_tint[:count]

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Pale lines first, then neutral, then coloured ones."""
        if self.tree is None or not len(self.tree.roots):
            return
        lines, tints = self.lines(plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        width, height = plot.width(), plot.height()
        moved = np.clip(lines, (-width, -height, -width, -height), (2 * width, 2 * height) * 2)
        moved += (plot.left(), plot.top(), plot.left(), plot.top())
        for tint in sorted(np.unique(tints).tolist(), key=lambda one: (one < DIM, one % DIM)):
            chosen = moved[tints == tint]
            self._primitives.resize(len(chosen))
            self._primitives.ndarray()[:] = chosen
            painter.setPen(line_pen(tint_colour(tint), 1))
            painter.drawLines(*self._primitives.drawargs())
        self._draw_closed(painter)
        self._draw_ring(painter)

    def _draw_closed(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for node in np.flatnonzero(self.tree.closed).tolist():
            apex = self.canvas.to_scene(float(self.tree.x[node]), float(self.tree.height[node]))
            left = self.canvas.to_scene(float(self.tree.low[node]) - 0.3, self.tree.base)
            right = self.canvas.to_scene(float(self.tree.high[node]) + 0.3, self.tree.base)
            colour = tint_colour(int(self.tint[node]))
            painter.setPen(line_pen(colour, 1))
            painter.setBrush(colour)
            painter.drawPolygon(QPolygonF([apex, left, right]))

    def _draw_ring(self, painter: QPainter) -> None:
        """The node under the mouse: its crossbar, thicker."""
        if self.ringed is None or self.ringed >= len(self.tree.x) or self.ringed < self.tree.leaves:
            return
        merge = self.ringed - self.tree.leaves
        ends = sorted(float(self.tree.x[child]) for child in (self.tree.left[merge], self.tree.right[merge]))
        height = float(self.tree.height[self.ringed])
        painter.setPen(line_pen(theme().colour("selection"), 2))
        painter.drawLine(self.canvas.to_scene(ends[0], height), self.canvas.to_scene(ends[1], height))


class StripLayer(Layer):
    """Leaves as a strip of cluster colours under the tree, with names of clusters where they fit."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.tree: TreeLayout = None  # type: ignore[assignment]
        self.names: Sequence[str] = ()
        self.chosen = np.empty(0, np.bool_)
        self.captions: list[tuple[str, float]] = []
        super().__init__(canvas, 5)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Runs of one label; px by px where there are too many."""
        if self.tree is None or not self.tree.leaves:
            return
        top = round(plot.bottom()) + 1
        runs = self.tree.runs() or [(0, self.tree.leaves - 1, -2)]
        painter.setClipRect(QRectF(plot.left(), top, plot.width() + 1, self.canvas.height() - top))
        if len(runs) > _MANY_RUNS:
            self._by_px(painter, plot, top)
        else:
            for first, last, label in runs:
                left, right = self._ends(first, last)
                if right > plot.left() and left < plot.right():
                    painter.fillRect(QRectF(left, top, right - left, STRIP), self._colour(label))
            self._draw_captions(painter, plot, top, runs)
        self._draw_chosen(painter, top)

    def _ends(self, first: float, last: float) -> tuple[float, float]:
        return self.canvas.x_to_scene(first - 0.5), self.canvas.x_to_scene(last + 0.5)

    def _colour(self, label: int) -> QColor:
        if label == -2 or label < 0:
            return QColor(theme().colour("muted_mark"))
        return QColor(PlotTheme().entity(label).fill)

    def _by_px(self, painter: QPainter, plot: QRectF, top: float) -> None:
        places = [
            round(self.canvas.to_data(QPointF(x + 0.5, 0))[0])
            for x in range(int(plot.left()), int(plot.right()))
        ]
        known = np.asarray(self.tree.labels)
        labels = known[np.clip(places, 0, self.tree.leaves - 1)].tolist()
        for x, label in zip(range(int(plot.left()), int(plot.right())), labels, strict=True):
            painter.fillRect(QRectF(x, top, 1, STRIP), self._colour(label))

    def _draw_chosen(self, painter: QPainter, top: float) -> None:
        """A line under the selected leaves."""
        if not self.chosen.any():
            return
        placed = self.chosen[self.tree.order]
        edges = np.flatnonzero(np.diff(np.concatenate(([False], placed, [False])).astype(np.int8)))
        if len(edges) > 2 * _MANY_RUNS:
            edges = edges[: 2 * _MANY_RUNS]
        for first, after in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            left, right = self._ends(first, after - 1)
            box = QRectF(left, top + STRIP + 1, max(right - left, 1.5), 2)
            painter.fillRect(box, theme().colour("selection"))

    def _draw_captions(
        self, painter: QPainter, plot: QRectF, top: float, runs: list[tuple[int, int, int]]
    ) -> None:
        font = theme().font("caption", tabular=True)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme().colour("text_secondary"))
        self.captions = []
        widest = {label: max(b - a for a, b, other in runs if other == label) for _, _, label in runs}
        for first, last, label in runs if len(runs) <= 200 else ():
            left, right = self._ends(first, last)
            left, right = max(left, plot.left()), min(right, plot.right())
            if not 0 <= label < len(self.names) or last - first < widest[label]:
                continue
            # Where the whole does not fit, the part before the count may.
            name = self.names[label]
            if metrics.horizontalAdvance(name) + 6 > right - left:
                name = name.partition(" · ")[0]
            width = metrics.horizontalAdvance(name)
            if width + 6 <= right - left:
                at = (left + right) / 2 - width / 2
                self.captions.append((name, at))
                painter.drawText(QPointF(at, top + STRIP + 4 + metrics.ascent()), name)


class CutLayer(Layer):
    """The line that cuts the tree, with a tag at its end as handle."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.height: float | None = None
        self.label = ""
        self.focused = False
        super().__init__(canvas, 20)

    def tag_width(self) -> float:
        """Width of the tag."""
        return max(QFontMetricsF(self._font()).horizontalAdvance(self.label) + 20, 44.0)

    def place(self) -> float | None:
        """Px of the line, kept inside the plot."""
        if self.height is None:
            return None
        plot = self.canvas.plot_rect()
        return min(max(self.canvas.y_to_scene(self.height), plot.top()), plot.bottom())

    def tag(self) -> QRectF:
        """Where the tag is."""
        return QRectF(self.canvas.plot_rect().right() + 3, (self.place() or 0) - 10, self.tag_width(), 20)

    def at(self, pos: QPointF) -> bool:
        """Whether ``pos`` is on the line (6 px each side) or the tag."""
        place, plot = self.place(), self.canvas.plot_rect()
        if place is None:
            return False
        on_line = plot.left() <= pos.x() <= plot.right() + 4 and abs(pos.y() - place) <= 6
        return on_line or self.tag().adjusted(-2, -2, 2, 2).contains(pos)

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Dashed 5-3, tag in the accent."""
        place = self.place()
        if place is None:
            return
        painter.setPen(in_px(PlotTheme().selection_pen(dashed=True)))
        painter.drawLine(QPointF(plot.left(), round(place)), QPointF(plot.right() + 3, round(place)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("accent"))
        painter.drawRoundedRect(self.tag(), 4, 4)
        painter.setPen(theme().colour("on_accent"))
        painter.setFont(self._font())
        painter.drawText(self.tag(), Qt.AlignmentFlag.AlignCenter, self.label)

    @staticmethod
    def _font() -> QFont:
        return theme().font("caption", weight=600, tabular=True)
