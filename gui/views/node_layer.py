"""Nodes, edges and their names, in px."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPolygonF

from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.marks import draw_mark
from gui.views.pens import line_pen
from gui.views.ticks import MINUS

BOXED = 40
"""Most nodes drawn as boxes with their names."""
BOX_HEIGHT = 26.0
_WIDEST, _PAD, _SQUARE, _ARROW = 168.0, 10.0, 9.0, 7.0
_MANY_EDGES = 2000


@dataclass(eq=False)
class Nodes:
    """A graph in drawn numbers; ``colours`` −1 is muted."""

    x: np.ndarray
    y: np.ndarray
    names: list[str]
    colours: list[int]
    radius: np.ndarray
    boxed: bool
    edges: np.ndarray
    edge_names: list[str]
    directed: bool
    layered: bool
    emphasised: np.ndarray
    chosen: np.ndarray = field(default_factory=lambda: np.empty(0, np.bool_))


class NodeLayer(Layer):
    """Edges first, then nodes, then what is written on edges."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.nodes: Nodes = None  # type: ignore[assignment]
        self.hovered: int | None = None
        self.hovered_edge: int | None = None
        self.headings: tuple[str, ...] = ()
        super().__init__(canvas, 5)

    def width_of(self, name: str) -> float:
        """Width of a node's box, px."""
        metrics = QFontMetricsF(theme().font("small"))
        return min(metrics.horizontalAdvance(name), _WIDEST) + 2 * _PAD + _SQUARE + 7

    def place(self, index: int) -> QPointF:
        """Middle of a node, px."""
        return self.canvas.to_scene(float(self.nodes.x[index]), float(self.nodes.y[index]))

    def box(self, index: int) -> QRectF:
        """Where a node is, px."""
        middle = self.place(index)
        if not self.nodes.boxed:
            radius = float(self.nodes.radius[index])
            return QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
        width = self.width_of(self.nodes.names[index])
        return QRectF(middle.x() - width / 2, middle.y() - BOX_HEIGHT / 2, width, BOX_HEIGHT)

    def at(self, pos: QPointF) -> int | None:
        """The node under ``pos``; the last drawn first."""
        if self.nodes is None:
            return None
        slack = 0.0 if self.nodes.boxed else 6.0
        for index in range(len(self.nodes.x) - 1, -1, -1):
            if self.box(index).adjusted(-slack, -slack, slack, slack).contains(pos):
                return index
        return None

    def edge_at(self, pos: QPointF) -> int | None:
        """The edge within 6 px of ``pos``, or whose name is under it."""
        if self.nodes is None or len(self.nodes.edges) > _MANY_EDGES:
            return None
        for index in range(len(self.nodes.edges)):
            path = self.edge_path(index)
            if self.nodes.edge_names[index] and self._pill(index, path).contains(pos):
                return index
            near = path.boundingRect().adjusted(-6, -6, 6, 6).contains(pos)
            if near and any(
                (path.pointAtPercent(share) - pos).manhattanLength() <= 8
                for share in np.linspace(0.05, 0.95, 40)
            ):
                return index
        return None

    def edge_path(self, index: int) -> QPainterPath:
        """An edge from border to border: an S in layered graphs, bent where another runs back."""
        start, end = (int(node) for node in self.nodes.edges[index])
        a, b = self.box(start), self.box(end)
        path = QPainterPath()
        if start == end:
            top = QPointF(a.center().x(), a.top())
            path.moveTo(top - QPointF(8, 0))
            path.cubicTo(top - QPointF(26, 34), top + QPointF(26, -34), top + QPointF(8, 0))
            return path
        if self.nodes.layered and abs(b.center().x() - a.center().x()) > 4:
            forward = b.center().x() > a.center().x()
            first = QPointF(a.right() if forward else a.left(), a.center().y())
            last = QPointF(b.left() if forward else b.right(), b.center().y())
            halfway = (first.x() + last.x()) / 2
            path.moveTo(first)
            path.cubicTo(QPointF(halfway, first.y()), QPointF(halfway, last.y()), last)
            return path
        bend = QPointF(0, 0)
        if self.nodes.directed and (end, start) in self._pairs():
            along = b.center() - a.center()
            length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1e-9)
            bend = QPointF(-along.y(), along.x()) * (18 / length)
        middle = (a.center() + b.center()) / 2 + bend
        path.moveTo(_border(a, middle, round_=not self.nodes.boxed))
        path.quadTo(middle, _border(b, middle, round_=not self.nodes.boxed))
        return path

    def _pairs(self) -> set[tuple[int, int]]:
        return {(int(a), int(b)) for a, b in self.nodes.edges}

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Everything; antialiased unless there are very many."""
        if self.nodes is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(self.nodes.edges) <= _MANY_EDGES)
        self._draw_headings(painter)
        if len(self.nodes.edges) > _MANY_EDGES:
            self._draw_many(painter)
        else:
            self._draw_edges(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(len(self.nodes.x)):
            self._draw_node(painter, index)
        painter.setOpacity(1)
        if len(self.nodes.edges) <= _MANY_EDGES:
            for index, name in enumerate(self.nodes.edge_names):
                if name:
                    self._draw_pill(painter, index, name)

    def _draw_many(self, painter: QPainter) -> None:
        painter.setPen(line_pen(theme().colour("border_strong"), 1))
        places = [self.place(index) for index in range(len(self.nodes.x))]
        for a, b in self.nodes.edges.tolist():
            painter.drawLine(places[a], places[b])

    def _lit(self, index: int) -> bool:
        a, b = (int(node) for node in self.nodes.edges[index])
        chosen = self.nodes.chosen
        picked = bool(chosen.any()) and (bool(chosen[a]) or bool(chosen[b]))
        return picked or index == self.hovered_edge or self.hovered in (a, b)

    def _draw_edges(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for index in sorted(range(len(self.nodes.edges)), key=self._lit):
            lit = self._lit(index)
            colour = theme().colour("selection" if lit else "control_border")
            pale = self.nodes.chosen.any() and not lit
            painter.setOpacity(TOKENS.opacity.unselected if pale else 1.0)
            path = self.edge_path(index)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(line_pen(colour, 2 if lit else 1.25))
            painter.drawPath(path)
            if self.nodes.directed and path.length() > 2 * _ARROW:
                self._draw_arrow(painter, path, colour)
        painter.setOpacity(1)

    @staticmethod
    def _draw_arrow(painter: QPainter, path: QPainterPath, colour: QColor) -> None:
        tip = path.pointAtPercent(1.0)
        back = path.pointAtPercent(max(1 - _ARROW / path.length(), 0.0))
        along = tip - back
        length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1e-9)
        side = QPointF(-along.y(), along.x()) * (0.42 * _ARROW / length)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([tip, back + side, back - side]))

    def _draw_node(self, painter: QPainter, index: int) -> None:
        nodes, box = self.nodes, self.box(index)
        chosen = bool(nodes.chosen[index]) if len(nodes.chosen) else False
        painter.setOpacity(TOKENS.opacity.unselected if nodes.chosen.any() and not chosen else 1.0)
        lit = chosen or bool(nodes.emphasised[index]) or index == self.hovered
        colour = nodes.colours[index]
        fill = theme().colour("muted_mark") if colour < 0 else QColor(PlotTheme().entity(colour).fill)
        if not nodes.boxed:
            outline = theme().colour("selection" if lit else "plot_bg")
            draw_mark(painter, box.center(), "circle", fill, box.width(), outline, 2 if lit else 1)
            self._name_dot(painter, index, box)
            return
        painter.setPen(line_pen(theme().colour("selection" if lit else "border_strong"), 2 if lit else 1))
        painter.setBrush(theme().colour("accent_soft" if chosen else "sunken"))
        painter.drawRoundedRect(box, 6, 6)
        left = box.left() + _PAD
        draw_mark(painter, QPointF(left + _SQUARE / 2, box.center().y()), "square", fill, _SQUARE + 1)
        font = theme().font("small")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme().colour("text"))
        name = metrics.elidedText(nodes.names[index], Qt.TextElideMode.ElideRight, _WIDEST)
        baseline = box.center().y() - metrics.height() / 2 + metrics.ascent()
        painter.drawText(QPointF(left + _SQUARE + 7, baseline), name)

    def _name_dot(self, painter: QPainter, index: int, box: QRectF) -> None:
        if len(self.nodes.x) > BOXED or not self.nodes.names[index]:
            return
        font = theme().font("caption")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme().colour("text_secondary"))
        name = metrics.elidedText(self.nodes.names[index], Qt.TextElideMode.ElideRight, 120)
        ground = QRectF(box.right() + 3, box.center().y() - metrics.height() / 2, 0, metrics.height())
        ground.setWidth(metrics.horizontalAdvance(name) + 2)
        painter.fillRect(ground, theme().colour("plot_bg", 0.75))
        painter.drawText(QPointF(box.right() + 4, box.center().y() + metrics.ascent() / 2 - 1), name)

    def _pill(self, index: int, path: QPainterPath) -> QRectF:
        metrics = QFontMetricsF(theme().font("caption", tabular=True))
        middle = path.pointAtPercent(0.5)
        width = metrics.horizontalAdvance(self.nodes.edge_names[index]) + 14
        return QRectF(middle.x() - width / 2, middle.y() - 9, width, 18)

    def _draw_pill(self, painter: QPainter, index: int, name: str) -> None:
        pill, lit = self._pill(index, self.edge_path(index)), self._lit(index)
        painter.setPen(line_pen(theme().colour("selection" if lit else "border_strong"), 1))
        painter.setBrush(theme().colour("surface"))
        painter.drawRoundedRect(pill, 9, 9)
        painter.setFont(theme().font("caption", tabular=True))
        painter.setPen(theme().colour("text_secondary"))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, name)

    def _draw_headings(self, painter: QPainter) -> None:
        """Names of the columns of a layered graph, over them."""
        if not self.headings:
            return
        font = theme().font("caption")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme().colour("text_tertiary"))
        for place, heading in zip(np.unique(self.nodes.x).tolist(), self.headings, strict=False):
            left = self.canvas.x_to_scene(place) - metrics.horizontalAdvance(heading) / 2
            left = min(max(left, 6.0), self.canvas.width() - 6 - metrics.horizontalAdvance(heading))
            painter.drawText(QPointF(left, 4 + metrics.ascent()), heading)


def edge_words(name: str, score: float | None) -> str:
    """What stands on an edge: its name, its score."""
    number = "" if score is None or score != score else f"{score:.2f}".replace("-", MINUS)
    return " ".join(filter(None, (name, number)))


def _border(box: QRectF, towards: QPointF, *, round_: bool) -> QPointF:
    """Where the line from a box's middle towards a place leaves it."""
    middle = box.center()
    along = towards - middle
    length = (along.x() ** 2 + along.y() ** 2) ** 0.5
    if length < 1e-9:
        return middle
    if round_:
        return middle + along * ((box.width() / 2 + 1) / length)
    across = box.width() / 2 / abs(along.x()) if along.x() else np.inf
    up = box.height() / 2 / abs(along.y()) if along.y() else np.inf
    return middle + along * min(float(across), float(up), 1.0)
