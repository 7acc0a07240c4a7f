"""Points on the screen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.core.views import Axis, Scatter, ScatterState
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.axes import Face
from gui.views.colour_bar import ColourBar, ColourScale
from gui.views.curve_layers import LINE_OF, ReferenceLayer, ReferenceLine
from gui.views.direct_labels import DirectLabel, DirectLabels
from gui.views.drawing import DataTable
from gui.views.hand import Drag
from gui.views.hover import Row
from gui.views.lasso import LassoDrag, LassoLayer, Outline, points_inside
from gui.views.legend_row import ROW, LegendRow
from gui.views.pens import in_px
from gui.views.plot import PlotDrawing, Span
from gui.views.point_drag import PointDrag
from gui.views.point_layer import CHOSEN, GONE, NORMAL, PALE, PointLayer
from gui.views.point_reading import point_summary, point_table, say_hull, say_point
from gui.views.point_styles import entries, pictures, shown_group
from gui.views.search_box import SearchBox
from gui.views.shape_layer import Hull, HullLayer, HullNames, SegmentLayer, Strokes
from gui.views.ticks import to_drawn

_NEAR, _GRAB = 12.0, 8.0


class ScatterDrawing(PlotDrawing):
    """Points with hulls, segments, stars and references. ``tool`` is what a left drag does."""

    view: Scatter
    state: ScatterState

    def __init__(self, view: Scatter, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.canvas.axes.grid = "both"
        self.tool: Outline | str = "freehand" if view.entity or "select" in view.gestures else "pan"
        self.ids = np.empty(0, np.int64)
        self.scale: ColourScale | None = None
        self._sorted: np.ndarray | None = None
        self._limits: tuple[Span, Span] | None = None
        self._hidden: frozenset[str] = frozenset()
        self.hulls = HullLayer(self.canvas)
        self.reference_layer = ReferenceLayer(self.canvas, -5)
        self.points = PointLayer(self.canvas, 5)
        self.segments = SegmentLayer(self.canvas)
        self.bar = ColourBar(self.canvas)
        self.legend = LegendRow(self.canvas)
        self.hull_names = HullNames(self.canvas)
        self.labels = DirectLabels(self.canvas)
        self.lasso = LassoLayer(self.canvas)
        self.search = SearchBox(self.canvas, "Find a name")
        self.search.found.connect(self.go_to)

    def axes(self) -> tuple[Axis, Axis]:
        """The axes that hold now."""
        state = self.state
        return (state and state.x_axis) or self.view.x, (state and state.y_axis) or self.view.y

    def is_map(self) -> bool:
        """Whether x and y are longitude and latitude: by the state where it says so, else by the view."""
        told = self.state.geographic if self.state is not None else None
        return self.view.geographic if told is None else told

    # State

    def refresh(self) -> None:
        """Draw the state."""
        state, (x, y) = self.state, self.axes()
        self.x_log, self.y_log = x.log, y.log
        geographic = self.is_map()
        self.canvas.axes.x = Face(x.shown(), x.log, degrees="longitude" if geographic else "")
        self.canvas.axes.y = Face(y.shown(), y.log, degrees="latitude" if geographic else "")
        self.ids = np.arange(len(state.x)) if state.ids is None else np.asarray(state.ids)
        self._sorted = None
        self.search.names = state.names
        self._set_scale()
        here, there = to_drawn(state.x, x.log), to_drawn(state.y, y.log)
        self.points.show_points(here, there, *pictures(state, self.scale))
        self._show_shapes(here, there)
        self._show_references()
        self._fit(here, there)
        self._make_room()
        self.show_selection()
        self.canvas.arrange()
        self._say_lost(here, there)

    def _set_scale(self) -> None:
        state = self.state
        self.scale, title = None, ""
        if state.value is not None:
            values = np.asarray(state.value, np.float64)
            self.scale = ColourScale.fitted(state.value_map, values, None, state.value_centre)
            title = state.value_axis.shown() if state.value_axis else ""
        self.bar.colours, self.bar.title = self.scale, title

    def _show_shapes(self, x: np.ndarray, y: np.ndarray) -> None:
        state = self.state
        self.hulls.hulls = [
            Hull(to_drawn(one.x, self.x_log), to_drawn(one.y, self.y_log), one.colour, one.label)
            for one in state.polygons
        ]
        self.segments.strokes = [
            Strokes(to_drawn(one.x, self.x_log), to_drawn(one.y, self.y_log), one.colour, one.dashed)
            for one in state.segments
        ]
        self.segments.bars = None
        if state.low is not None and state.high is not None:
            self.segments.bars = (x, to_drawn(state.low, self.y_log), to_drawn(state.high, self.y_log))
        self.segments.stars = self._stars(x, y)
        self.segments.ring = None

    def _stars(self, x: np.ndarray, y: np.ndarray) -> list[tuple[float, float, str]]:
        """Stars at coordinates (k, 2), or at the marks with these indices (k,)."""
        stars, ink = self.state.stars, PlotTheme().entity(7).fill
        if stars is None:
            return []
        stars = np.asarray(stars)
        if stars.ndim == 2:
            places = to_drawn(stars[:, 0], self.x_log), to_drawn(stars[:, 1], self.y_log)
            return [(a, b, ink) for a, b in zip(*(p.tolist() for p in places), strict=True)]
        look = self.points
        return [
            (float(x[index]), float(y[index]), look.pictures[look.base[index]].fill)
            for index in stars.astype(np.int64).tolist()
        ]

    def _show_references(self) -> None:
        self.reference_layer.lines = [
            ReferenceLine(
                to_drawn(one.x, self.x_log),
                to_drawn(one.y, self.y_log),
                in_px(PlotTheme().reference_pen(LINE_OF[one.kind])),
            )
            for one in self.state.references
        ]

    def _fit(self, x: np.ndarray, y: np.ndarray) -> None:
        """Limits 5% beyond the data, held while they stay inside."""
        hulls = self.hulls.hulls
        ends = (_ends(x, [one.x for one in hulls]), _ends(y, [one.y for one in hulls]))
        if self.segments.bars is not None:
            ends = (ends[0], _ends(y, list(self.segments.bars[1:])))
        before = self._limits or (None, None)
        self._limits = (_padded(before[0], *ends[0]), _padded(before[1], *ends[1]))
        equal = self.view.equal if self.state.equal is None else self.state.equal
        self.canvas.aspect = 1.0 if equal else None
        if self.is_map():
            middle = sum(self._limits[1]) / 2
            self.canvas.aspect = 1 / max(math.cos(math.radians(middle)), 0.05)
        self.canvas.set_home(*self._limits[0], *self._limits[1])

    def _make_room(self) -> None:
        named = any(hull.label for hull in self.hulls.hulls)
        self.legend.entries = [] if named or self.scale else entries(self.state)
        self.legend.hidden = self._hidden
        self.canvas.top = ROW + 4 if self.legend.entries else 12.0
        references = [self.labels.width_of(one.name, 400) for one in self.state.references]
        margin = max(references, default=0.0) + (18 if references else 0)
        self.canvas.right_margin = max(self.bar.width_needed(), min(margin, self.canvas.width() * 0.3))

    def show_selection(self) -> None:
        """Recolour by arrays: chosen marks keep their colour, the others pale."""
        if self.state is None:
            return
        states = np.full(len(self.ids), NORMAL, np.uint8)
        chosen = self._places_of(self.chosen())
        if chosen.size:
            states[:] = PALE
            states[chosen] = CHOSEN
        if self._hidden:
            names = [group.name for group in self.state.groups]
            gone = [i for i, name in enumerate(names) if name in self._hidden]
            states[np.isin(shown_group(self.state), gone)] = GONE
        self.points.show_states(states)

    def _places_of(self, ids: np.ndarray) -> np.ndarray:
        """Indices of the marks with these ids."""
        if not ids.size or not len(self.ids) or ids.dtype.kind != np.asarray(self.ids).dtype.kind:
            return np.empty(0, np.int64)
        if self._sorted is None:
            self._sorted = np.argsort(self.ids, kind="stable")
        ordered = self.ids[self._sorted]
        first, last = np.searchsorted(ordered, ids), np.searchsorted(ordered, ids, side="right")
        if np.all(last - first <= 1):
            return self._sorted[first[last > first]]
        return np.flatnonzero(np.isin(self.ids, ids))

    def on_ranged(self) -> None:
        """Names of hulls and references follow."""
        if self.state is None:
            return
        self.hull_names.place(self.hulls.hulls, *self.points.on_screen())
        plot, grey = self.canvas.plot_rect(), theme().colours.text_secondary
        labels = []
        # Axes may move after a new state came and before its references were laid out.
        for one, line in zip(self.state.references, self.reference_layer.lines, strict=False):
            x0, x1, y0, y1 = self.canvas.view()
            seen = np.flatnonzero((line.x <= x1) & (line.x >= x0) & (line.y >= y0) & (line.y <= y1))
            if one.name and seen.size:
                y = self.canvas.y_to_scene(float(line.y[seen[-1]]))
                labels.append(DirectLabel(one.name, grey, y, plot.right() + 8, weight=400))
        self.labels.place(labels)

    def _say_lost(self, x: np.ndarray, y: np.ndarray) -> None:
        lost = int(len(x) - np.count_nonzero(np.isfinite(x) & np.isfinite(y)))
        why = "no number or not above zero" if self.x_log or self.y_log else "no number"
        self.set_notice(f"{lost:,} point{'s' if lost > 1 else ''} not shown ({why})" if lost else "")

    def recolour(self) -> None:
        """Colours come from the theme in force."""
        self.points.recolour()
        super().recolour()

    def hidden(self) -> frozenset[str]:
        """Names of hidden groups."""
        return self._hidden

    def hide_groups(self, names: frozenset[str]) -> None:
        """Hide exactly these groups."""
        self._hidden = names
        self.legend.hidden = names
        self.legend.update()
        self.show_selection()
        self.visibility.emit(names)

    # The hand

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """Left: a point where the view lets points be dragged, else lasso (Alt: box); others: the range."""
        if button != Qt.MouseButton.LeftButton or not self.canvas.plot_rect().contains(pos):
            return super().drag_at(pos, button, keys)
        if "drag-point" in self.view.gestures:
            near = self.points.near(pos, _GRAB)
            if near.size:
                return PointDrag(self, int(near[0]))
        if self.tool == "pan":
            return super().drag_at(pos, button, keys)
        box = self.tool == "box" or bool(keys & Qt.KeyboardModifier.AltModifier)
        mode = self.mode_of(keys & ~Qt.KeyboardModifier.AltModifier)
        return LassoDrag(
            self.lasso, pos, "box" if box else "freehand", lambda corners: self._choose(corners, mode)
        )

    def _choose(self, corners: np.ndarray, mode: Any) -> None:
        x, y = self.points.on_screen()
        inside = points_inside(x, y, corners) & (self.points.states != GONE)
        ids = self.ids[inside]
        self.pick(ids, mode)
        self.make_gesture("select", ids=ids)

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A group's name hides it; a point is selected."""
        key = self.legend.at(pos)
        if key:
            names = frozenset(entry.key for entry in self.legend.entries)
            alone = bool(keys & Qt.KeyboardModifier.AltModifier)
            rest = names - {key}
            wanted = (frozenset() if self._hidden == rest else rest) if alone else self._hidden ^ {key}
            self.hide_groups(wanted)
            return
        near = self.points.near(pos, _NEAR)
        if not near.size:
            super().click_at(pos, keys)
            return
        ident = self.ids[near[0]]
        self.make_gesture("click", id=ident.item() if hasattr(ident, "item") else ident)
        self.pick(self.ids[near[:1]], self.mode_of(keys))

    def double_click_at(self, pos: QPointF) -> bool:
        """Tells the place where the view takes it."""
        if "double-click" not in self.view.gestures or not self.canvas.plot_rect().contains(pos):
            return False
        self.make_gesture("double-click", **self.place_at(pos))
        return True

    def place_at(self, pos: QPointF) -> dict[str, float]:
        """x and y of a px in the data's units."""
        x, y = self.canvas.to_data(pos)
        return {"x": 10**x if self.x_log else x, "y": 10**y if self.y_log else y}

    def hover_at(self, pos: QPointF) -> None:
        """Ring and name of the nearest point; a pile says how many."""
        left_out = self.legend.left_out(pos)
        if left_out:
            rows = tuple(Row(one.name, "", one.colour, one.shape) for one in left_out[:12])
            self.hover_box.say(pos, f"{len(left_out)} more", "", rows)
            return
        near = self.points.near(pos, _NEAR) if self.canvas.plot_rect().contains(pos) else np.empty(0)
        ring = (float(self.points.xs[near[0]]), float(self.points.ys[near[0]])) if near.size else None
        if ring != self.segments.ring:
            self.segments.ring = ring
            self.segments.update()
        if ring is not None:
            say_point(self, int(near[0]), self.canvas.to_scene(*ring))
        else:
            say_hull(self, pos)

    def name_of(self, index: int) -> str:
        """Name of a mark, else what it stands for and its id."""
        if len(self.state.names) > index:
            return str(self.state.names[index])
        return f"{self.view.entity or 'point'} {self.ids[index]}"

    def hover_left(self) -> None:
        """No ring, no box."""
        super().hover_left()
        if self.segments.ring is not None:
            self.segments.ring = None
            self.segments.update()

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape:
        """A hand over names, a cross where the lasso draws."""
        if self.legend.at(pos):
            return Qt.CursorShape.PointingHandCursor
        inside = self.canvas.plot_rect().contains(pos)
        if inside and "drag-point" in self.view.gestures and self.points.near(pos, _GRAB).size:
            return Qt.CursorShape.OpenHandCursor
        return Qt.CursorShape.CrossCursor if inside and self.tool != "pan" else Qt.CursorShape.ArrowCursor

    def key(self, event: QKeyEvent) -> bool:
        """Ctrl+F looks for a name, Ctrl+A selects all, arrows move the one selected point."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() == Qt.Key.Key_F and len(self.search.names):
            self.search.open()
            return True
        if control and event.key() == Qt.Key.Key_A:
            self.pick(self.ids[self.points.states != GONE])
            return True
        if "drag-point" in self.view.gestures and self._nudge(event):
            return True
        return super().key(event)

    def _nudge(self, event: QKeyEvent) -> bool:
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        chosen = self._places_of(self.chosen())
        if event.key() not in steps or chosen.size != 1:
            return False
        far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        right, down = steps[Qt.Key(event.key())]
        index = int(chosen[0])
        pos = self.canvas.to_scene(float(self.points.xs[index]), float(self.points.ys[index]))
        moved = self.place_at(pos + QPointF(right * far, down * far))
        self.make_gesture("drag-point", id=self.ids[index].item(), **moved)
        return True

    def go_to(self, index: int) -> None:
        """Select a mark and bring it into view."""
        self.pick(self.ids[index : index + 1])
        x, y = float(self.points.xs[index]), float(self.points.ys[index])
        x0, x1, y0, y1 = self.canvas.view()
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            half_x, half_y = (x1 - x0) / 2, (y1 - y0) / 2
            self.canvas.look_at(x - half_x, x + half_x, y - half_y, y + half_y, by_hand=True)

    def describe(self) -> str:
        """How many points, of which groups, over which axes."""
        return super().describe() if self.state is None else point_summary(self)

    def data_table(self) -> DataTable:
        """One row per point."""
        return ([], []) if self.state is None else point_table(self)


def _ends(values: np.ndarray, others: list[np.ndarray]) -> Span:
    finite = [part[np.isfinite(part)] for part in (values, *others)]
    finite = [part for part in finite if part.size]
    if not finite:
        return math.inf, -math.inf
    return min(float(part.min()) for part in finite), max(float(part.max()) for part in finite)


def _padded(before: Span | None, low: float, high: float) -> Span:
    """5% beyond [low, high]; ``before`` while the data stay inside it and fill half of it."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return before or (0.0, 1.0)
    if (
        before is not None
        and before[0] <= low
        and high <= before[1]
        and high - low >= (before[1] - before[0]) / 2
    ):
        return before
    pad = (high - low) * 0.05 or abs(high) * 0.05 or 0.5
    return low - pad, high + pad
