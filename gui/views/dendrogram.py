"""Merge trees on the screen."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.core.views import Axis, Dendrogram, DendrogramState
from gui.theme.plot import PlotTheme
from gui.views.axes import Face
from gui.views.drawing import DataTable
from gui.views.hand import Drag
from gui.views.hover import Row
from gui.views.per_frame import PerFrame
from gui.views.plot import PlotDrawing, Span, held
from gui.views.search_box import SearchBox
from gui.views.selection import NONE
from gui.views.ticks import from_drawn, to_drawn, value_words
from gui.views.tree_layer import STRIP, CutLayer, StripLayer, TreeLayer
from gui.views.tree_layout import TreeLayout

_LEAF_WIDE = 4.0
_SEARCH_AROUND = 30
_MOST_NAMED = 60
"""Trees of so few leaves have the leaves' names under them."""


class DendrogramDrawing(PlotDrawing):
    """A merge tree with a cut that can be dragged. The wheel zooms along the leaves, Ctrl+wheel in height."""

    view: Dendrogram
    state: DendrogramState

    def __init__(self, view: Dendrogram, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.canvas.zoom_axes = "x"
        self.canvas.bounded = True
        self.canvas.axes.line = False
        self.tree: TreeLayout = None  # type: ignore[assignment]
        self.cut: float | None = None
        self._limits: Span | None = None
        self._by_hand_closed: set[int] = set()
        self.links = TreeLayer(self.canvas)
        self.strip = StripLayer(self.canvas)
        self.cut_layer = CutLayer(self.canvas)
        self.search = SearchBox(self.canvas, "Find a leaf")
        self.search.found.connect(self.go_to)
        self._tell_cut = PerFrame(lambda height: self.make_gesture("cut", height=height), self)
        self._dragging = False

    def axis(self) -> Axis:
        """The height axis that holds now."""
        return (self.state and self.state.height) or self.view.height

    # State

    def refresh(self) -> None:
        """Draw the state; the tree is laid out again only where it changed."""
        state, before = self.state, self.tree
        self.y_log = state.log or self.axis().log
        named = 0 < state.leaves == len(state.names) <= _MOST_NAMED and not state.clusters
        names = tuple(str(state.names[leaf]) for leaf in state.order) if named else None
        self.canvas.axes.x = Face(names=names, shown=named)
        self.canvas.axes.y = Face(self.axis().shown(), self.y_log)
        self.tree = TreeLayout(state, self.y_log)
        if before is not None and before.leaves == self.tree.leaves:
            self._keep_closed()
        else:
            self._by_hand_closed.clear()
        self.search.names = state.names
        if not self._dragging:
            self.cut = state.cut
        self._show_cut()
        self.strip.tree, self.strip.names = self.tree, state.clusters
        self.canvas.axes.bottom_fixed = None if named else STRIP + (24.0 if state.clusters else 8.0)
        self.canvas.right_margin = self.cut_layer.tag_width() + 11 if self.cut is not None else 14.0
        self._fit()
        self.show_selection()
        self.canvas.arrange()

    def _keep_closed(self) -> None:
        known = [node for node in self._by_hand_closed if node < len(self.tree.x)]
        self.tree.closed[known] = ~self.tree.closed[known]

    def _fit(self) -> None:
        tree = self.tree
        top = float(tree.height[tree.leaves :].max()) if tree.merges else tree.base + 1.0
        if self.state.cut is not None:
            drawn = float(to_drawn(np.array([self.state.cut]), self.y_log)[0])
            top = max(top, drawn if np.isfinite(drawn) else top)
        low, high = held(self._limits, tree.base, top, log=self.y_log, zero=not self.y_log)
        self._limits = (tree.base, high) if self.y_log or low > tree.base else (low, high)
        self.canvas.set_home(-0.5, max(tree.leaves - 0.5, 0.5), *self._limits)

    def _show_cut(self) -> None:
        layer = self.cut_layer
        layer.height, layer.label = None, ""
        if self.cut is not None:
            drawn = float(to_drawn(np.array([self.cut]), self.y_log)[0])
            layer.height = drawn if np.isfinite(drawn) else self.tree.base
            layer.label = self._cut_words(self.cut)
        layer.update()

    def _cut_words(self, cut: float) -> str:
        """The state's label, or the number of clusters where the hand has moved on."""
        if cut == self.state.cut and self.state.cut_label:
            return self.state.cut_label
        return f"k = {self.tree.clusters_at(cut):,}"

    def show_selection(self) -> None:
        """Subtrees that are selected keep their colour, the others pale."""
        if self.tree is None:
            return
        chosen = np.zeros(self.tree.leaves, np.bool_)
        ids = self.chosen()
        if ids.size and ids.dtype.kind in "iu":
            chosen[ids[(ids >= 0) & (ids < self.tree.leaves)]] = True
        self.strip.chosen = chosen
        self.links.show_tree(self.tree, self.tree.shown_tint(chosen))
        self.strip.update()

    # The hand

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """The cut, else the range."""
        can_cut = "cut" in self.view.gestures and button == Qt.MouseButton.LeftButton
        if can_cut and self.cut_layer.at(pos):
            return CutDrag(self)
        return super().drag_at(pos, button, keys)

    def move_cut(self, height: float) -> None:
        """Show the cut at a height and tell it, at most once a frame."""
        self.cut = height
        self._show_cut()
        self._tell_cut.offer(height=height)

    def hold_cut(self, holding: bool) -> None:
        """While held, states do not move the cut."""
        self._dragging = holding
        if not holding:
            self._tell_cut.flush()

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A link selects its leaves, the strip a cluster."""
        node, leaves = self._under(pos)
        if node is None and not leaves.size:
            super().click_at(pos, keys)
            return
        if node is not None:
            self.make_gesture("click", node=node)
        self.pick(leaves, self.mode_of(keys))

    def _under(self, pos: QPointF) -> tuple[int | None, np.ndarray]:
        """Node and leaves at a place; no node on the strip."""
        if self.tree is None or not self.tree.leaves:
            return None, NONE
        plot = self.canvas.plot_rect()
        place, height = self.canvas.to_data(pos)
        leaf = int(np.clip(round(place), 0, self.tree.leaves - 1))
        if plot.left() <= pos.x() <= plot.right() and plot.bottom() < pos.y() <= plot.bottom() + 24:
            if self.tree.labels is None:
                return None, self.tree.order[leaf : leaf + 1]
            return None, self.tree.order[self.tree.labels == self.tree.labels[leaf]]
        if not plot.contains(pos):
            return None, NONE
        node = self.tree.node_at(place, height - 3 * self._per_px())
        return (node, NONE) if node is None else (node, self.tree.leaves_of(node))

    def _per_px(self) -> float:
        _, _, y0, y1 = self.canvas.view()
        return (y1 - y0) / self.canvas.plot_rect().height()

    def double_click_at(self, pos: QPointF) -> bool:
        """Closes a subtree to a triangle, or opens it."""
        node, _ = self._under(pos)
        if node is None:
            return False
        if "collapse" in self.view.gestures:
            self.make_gesture("collapse", node=node)
        else:
            self._by_hand_closed ^= {node}
            self.refresh()
        return True

    def hover_at(self, pos: QPointF) -> None:
        """The merge under the mouse: height, size, cluster; a leaf's name where leaves are wide enough."""
        node, leaves = (None, NONE) if self.cut_layer.at(pos) else self._under(pos)
        if node != self.links.ringed:
            self.links.ringed = node
            self.links.update()
        if node is None and not leaves.size:
            self.hover_box.hide()
            return
        rows = []
        if node is not None:
            merge = node - self.tree.leaves
            height = float(self.tree.real_height[merge])
            rows.append(Row(self.axis().title, f"{value_words(height)} {self.axis().unit}".rstrip()))
        labels = self.tree.labels
        tint = int(self.tree.tint[node]) if node is not None else 0
        if node is None and labels is not None:
            tint = int(labels[self.tree.place[leaves[0]]]) + 1
        if 0 < tint <= len(self.state.clusters):
            fill = PlotTheme().entity(tint - 1).fill
            rows.append(Row(self.state.clusters[tint - 1], "", fill, "square"))
        place, _ = self.canvas.to_data(pos)
        leaf = int(self.tree.order[int(np.clip(round(place), 0, self.tree.leaves - 1))])
        x0, x1, _, _ = self.canvas.view()
        if self.canvas.plot_rect().width() / (x1 - x0) >= _LEAF_WIDE:
            rows.append(Row(self.name_of(leaf)))
        count = len(leaves)
        self.hover_box.say(pos, f"{count:,} {'leaves' if count != 1 else 'leaf'}", "", tuple(rows))

    def hover_left(self) -> None:
        """No ring, no box."""
        super().hover_left()
        if self.links.ringed is not None:
            self.links.ringed = None
            self.links.update()

    def name_of(self, leaf: int) -> str:
        """Name of a leaf, else what it stands for and its number."""
        if len(self.state.names) > leaf:
            return str(self.state.names[leaf])
        return f"{self.view.entity or 'leaf'} {leaf}"

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape:
        """An arrow up and down over the cut."""
        can_cut = "cut" in self.view.gestures and self.cut_layer.at(pos)
        return Qt.CursorShape.SizeVerCursor if can_cut else Qt.CursorShape.ArrowCursor

    def key(self, event: QKeyEvent) -> bool:
        """Up and down move the cut by one cluster (Shift: ten), Ctrl+F looks for a leaf."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() == Qt.Key.Key_F and len(self.search.names):
            self.search.open()
            return True
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in steps and self.cut is not None and "cut" in self.view.gestures:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            clusters = self.tree.clusters_at(self.cut) + steps[Qt.Key(event.key())] * far
            self.move_cut(self.tree.cut_for(max(1, min(clusters, self.tree.leaves))))
            return True
        return super().key(event)

    def go_to(self, leaf: int) -> None:
        """Select a leaf and bring it into view."""
        self.pick(np.array([leaf]))
        place = float(self.tree.place[leaf])
        x0, x1, y0, y1 = self.canvas.view()
        half = min((x1 - x0) / 2, float(_SEARCH_AROUND))
        self.canvas.look_at(place - half, place + half, y0, y1, by_hand=True)

    # In words

    def describe(self) -> str:
        """Leaves, merges, height, cut."""
        if self.state is None or self.tree is None:
            return super().describe()
        tree, unit = self.tree, self.axis().unit
        text = f"{self.view.title}: {tree.leaves:,} leaves, {tree.merges:,} merges"
        if tree.merges:
            text += f" up to {value_words(float(tree.real_height.max()))} {unit}".rstrip()
        text += "."
        if self.cut is not None:
            text += f" Cut at {value_words(self.cut)} {unit}".rstrip() + f": {self.cut_layer.label}."
        if self.state.clusters:
            text += f" Clusters: {', '.join(self.state.clusters[:12])}."
        return text

    def data_table(self) -> DataTable:
        """One row per merge: the two nodes, height, size."""
        headers = ["node", "first", "second", self.axis().shown(), "leaves"]
        if self.tree is None:
            return headers, [[] for _ in headers]
        tree = self.tree
        columns: list[list[Any]] = [
            list(range(tree.leaves, len(tree.x))),
            tree.left.tolist(),
            tree.right.tolist(),
            tree.real_height.tolist(),
            tree.sizes.astype(np.int64).tolist(),
        ]
        return headers, columns


class CutDrag:
    """Moves the cut with the mouse."""

    def __init__(self, drawing: DendrogramDrawing) -> None:
        self._drawing, self._before = drawing, drawing.cut
        drawing.hold_cut(True)

    def move(self, pos: QPointF) -> None:
        """The line is where the mouse is, inside the plot."""
        drawing, plot = self._drawing, self._drawing.canvas.plot_rect()
        inside = QPointF(pos.x(), min(max(pos.y(), plot.top()), plot.bottom()))
        drawing.move_cut(from_drawn(drawing.canvas.to_data(inside)[1], drawing.y_log))

    def finish(self, pos: QPointF) -> None:
        """The last height counts."""
        self.move(pos)
        self._drawing.hold_cut(False)

    def cancel(self) -> None:
        """Back to where it was."""
        if self._before is not None:
            self._drawing.move_cut(self._before)
        self._drawing.hold_cut(False)
