"""Nodes and edges on the screen."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.core.views import Graph, GraphState
from gui.views.axes import Face
from gui.views.drawing import DataTable
from gui.views.hand import Drag
from gui.views.hover import Row
from gui.views.node_layer import BOX_HEIGHT, BOXED, NodeLayer, Nodes, edge_words
from gui.views.per_frame import PerFrame
from gui.views.plot import PlotDrawing
from gui.views.search_box import SearchBox

_DOT, _SMALL_DOT = 6.0, 4.0


class GraphDrawing(PlotDrawing):
    """Named boxes for up to 40 nodes, dots beyond. Places come from the method and are kept."""

    view: Graph
    state: GraphState

    def __init__(self, view: Graph, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.canvas.axes.grid = "none"
        self.canvas.axes.x = Face(shown=False)
        self.canvas.axes.y = Face(shown=False)
        self._fitted_for = (0, 0)
        self.layer = NodeLayer(self.canvas)
        self.search = SearchBox(self.canvas, "Find a node")
        self.search.found.connect(lambda index: self.pick(np.array([index])))

    def refresh(self) -> None:
        """Draw the state."""
        state = self.state
        x, y = np.asarray(state.x, np.float64), np.asarray(state.y, np.float64)
        count = len(x)
        names = [str(name) for name in state.names] + [""] * (count - len(state.names))
        edges = np.empty((0, 2), np.int64) if state.edges is None else np.asarray(state.edges, np.int64)
        scores = [None] * len(edges) if state.edge_score is None else np.asarray(state.edge_score).tolist()
        written = [*state.edge_names, *[""] * (len(edges) - len(state.edge_names))]
        self.layer.nodes = Nodes(
            x=np.nan_to_num(x),
            y=np.nan_to_num(y),
            names=names,
            colours=[-1] * count if state.colours is None else np.asarray(state.colours).tolist(),
            radius=self._radii(count),
            boxed=state.shape == "box" and count <= BOXED and len(state.names) == count,
            edges=edges,
            edge_names=[edge_words(name, score) for name, score in zip(written, scores, strict=True)],
            directed=state.directed,
            layered=bool(state.columns),
            emphasised=np.zeros(count, bool)
            if state.emphasised is None
            else np.asarray(state.emphasised, bool),
        )
        self.layer.headings = state.columns
        self.search.names = state.names
        self.canvas.top = 22.0 if state.columns else 8.0
        self._fit()
        self.show_selection()
        self.canvas.arrange()

    def _radii(self, count: int) -> np.ndarray:
        plain = _DOT if count <= 200 else _SMALL_DOT
        if self.state.size is None:
            return np.full(count, plain)
        weight = np.maximum(np.nan_to_num(np.asarray(self.state.size, np.float64)), 0)
        middle = float(np.median(weight[weight > 0])) if np.any(weight > 0) else 1.0
        return plain * np.clip(np.sqrt(weight / middle), 0.5, 4.0)

    def _fit(self) -> None:
        """Limits that leave room for boxes at the border."""
        nodes = self.layer.nodes
        if not len(nodes.x):
            return
        half_width, half_height = 14.0, 14.0
        if np.any(nodes.edges[:, 0] == nodes.edges[:, 1]):
            half_height = 34.0
        if nodes.boxed:
            half_width = max(self.layer.width_of(name) for name in nodes.names) / 2 + 4
            half_height = max(half_height, BOX_HEIGHT / 2 + 4)
        elif len(nodes.x) <= BOXED and any(nodes.names):
            half_width = 60.0
        width, height = max(self.canvas.width() - 26.0, 50.0), max(self.canvas.height() - 16.0, 50.0)
        ends = []
        for values, half, room in ((nodes.x, half_width, width), (nodes.y, half_height, height)):
            low, high = float(values.min()), float(values.max())
            span = (high - low) or 1.0
            share = min(half / room, 0.4)
            pad = span * share / (1 - 2 * share)
            middle = (low + high) / 2
            ends += [middle - span / 2 - pad, middle + span / 2 + pad]
        self.canvas.set_home(*ends)

    def on_ranged(self) -> None:
        """Names keep their size in px, so the limits follow the size of the card."""
        size = (self.canvas.width(), self.canvas.height())
        if self.layer.nodes is not None and self._fitted_for != size:
            self._fitted_for = size
            self._fit()

    def show_selection(self) -> None:
        """Selected nodes and their edges stand out."""
        nodes = self.layer.nodes
        if nodes is None:
            return
        nodes.chosen = np.zeros(len(nodes.x), np.bool_)
        ids = self.chosen()
        if ids.size and ids.dtype.kind in "iu":
            nodes.chosen[ids[(ids >= 0) & (ids < len(nodes.x))]] = True
        self.layer.update()

    # The hand

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """A node where the view takes it, else the range."""
        index = self.layer.at(pos)
        if index is not None and button == Qt.MouseButton.LeftButton and "drag-node" in self.view.gestures:
            return NodeDrag(self, index, pos)
        return super().drag_at(pos, button, keys)

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A node is selected; an edge is told."""
        index = self.layer.at(pos)
        if index is not None:
            self.make_gesture("click", id=index)
            self.pick(np.array([index]), self.mode_of(keys))
            return
        edge = self.layer.edge_at(pos)
        if edge is not None:
            self.make_gesture("click-edge", edge=edge)
            return
        super().click_at(pos, keys)

    def double_click_at(self, pos: QPointF) -> bool:
        """Only the ground shows everything again."""
        return self.layer.at(pos) is not None

    def hover_at(self, pos: QPointF) -> None:
        """The node's whole name and note; the edge's ends."""
        index = self.layer.at(pos)
        edge = self.layer.edge_at(pos) if index is None else None
        if (index, edge) != (self.layer.hovered, self.layer.hovered_edge):
            self.layer.hovered, self.layer.hovered_edge = index, edge
            self.layer.update()
        nodes = self.layer.nodes
        if index is not None:
            notes = self.state.notes
            rows = tuple(Row(line) for line in notes[index].splitlines()) if index < len(notes) else ()
            self.hover_box.say(pos, nodes.names[index] or f"{self.view.entity or 'node'} {index}", "", rows)
        elif edge is not None:
            a, b = (nodes.names[int(node)] or str(int(node)) for node in nodes.edges[edge])
            arrow = "→" if nodes.directed else "–"
            words = nodes.edge_names[edge]
            self.hover_box.say(pos, f"{a} {arrow} {b}", "", (Row(words),) if words else ())
        else:
            self.hover_box.hide()

    def hover_left(self) -> None:
        """Nothing stands out."""
        super().hover_left()
        if self.layer.hovered is not None or self.layer.hovered_edge is not None:
            self.layer.hovered = self.layer.hovered_edge = None
            self.layer.update()

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape:
        """A hand over nodes."""
        return Qt.CursorShape.ArrowCursor if self.layer.at(pos) is None else Qt.CursorShape.PointingHandCursor

    def key(self, event: QKeyEvent) -> bool:
        """Ctrl+F looks for a node; arrows move the one selected node (Shift: ten times as far)."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() == Qt.Key.Key_F and len(self.search.names):
            self.search.open()
            return True
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        chosen = np.flatnonzero(self.layer.nodes.chosen) if self.layer.nodes is not None else np.empty(0)
        if event.key() in steps and len(chosen) == 1 and "drag-node" in self.view.gestures:
            far = 20 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 2
            right, down = steps[Qt.Key(event.key())]
            x, y = self.canvas.to_data(self.layer.place(int(chosen[0])) + QPointF(right * far, down * far))
            self.make_gesture("drag-node", id=int(chosen[0]), x=x, y=y)
            return True
        return super().key(event)

    # In words

    def describe(self) -> str:
        """How many nodes and edges, and the names of few."""
        if self.state is None or self.layer.nodes is None:
            return super().describe()
        nodes = self.layer.nodes
        text = f"{self.view.title}: {len(nodes.x):,} nodes, {len(nodes.edges):,} edges."
        if 0 < len(nodes.x) <= BOXED and all(nodes.names):
            text += f" Nodes: {', '.join(nodes.names)}."
        return text

    def data_table(self) -> DataTable:
        """One row per edge; one per node where there are no edges."""
        nodes = self.layer.nodes
        if nodes is None:
            return [], []
        names = [name or str(index) for index, name in enumerate(nodes.names)]
        if not len(nodes.edges):
            columns: list[list[Any]] = [names, nodes.x.tolist(), nodes.y.tolist()]
            return ["node", "x", "y"], columns
        ends = nodes.edges.tolist()
        return ["from", "to", "edge"], [
            [names[a] for a, _ in ends],
            [names[b] for _, b in ends],
            nodes.edge_names,
        ]


class NodeDrag:
    """Moves a node; its place is told once a frame."""

    def __init__(self, drawing: GraphDrawing, index: int, pos: QPointF) -> None:
        self._drawing, self._index = drawing, index
        nodes = drawing.layer.nodes
        self._before = float(nodes.x[index]), float(nodes.y[index])
        self._grip = drawing.layer.place(index) - pos
        self._tell = PerFrame(lambda x, y: drawing.make_gesture("drag-node", id=index, x=x, y=y), drawing)

    def move(self, pos: QPointF) -> None:
        """The node follows the mouse."""
        x, y = self._drawing.canvas.to_data(pos + self._grip)
        self._put(x, y)
        self._tell.offer(x=x, y=y)

    def finish(self, pos: QPointF) -> None:
        """The last place counts."""
        self.move(pos)
        self._tell.finish()

    def cancel(self) -> None:
        """Back to where it was."""
        self._tell.drop()
        self._put(*self._before)
        self._drawing.make_gesture("drag-node", id=self._index, x=self._before[0], y=self._before[1])

    def _put(self, x: float, y: float) -> None:
        nodes = self._drawing.layer.nodes
        nodes.x, nodes.y = nodes.x.copy(), nodes.y.copy()
        nodes.x[self._index], nodes.y[self._index] = x, y
        self._drawing.layer.update()
