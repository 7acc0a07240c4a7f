"""Curves on the screen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QWidget

from engine.core.views import Axis, Level, Lines, LinesState
from gui.theme.categories import SHAPES
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.axes import Face
from gui.views.bands import Band, BandLayer
from gui.views.curve import Curve, ends, joined
from gui.views.curve_drags import LevelDrag, SpanDrag
from gui.views.curve_layers import (
    LINE_OF,
    CurveMarks,
    HairLayer,
    LevelLayer,
    MarkRun,
    ReferenceLayer,
    ReferenceLine,
    Stretch,
    StretchLayer,
)
from gui.views.curve_names import CurveNames
from gui.views.curve_reading import CurveReading
from gui.views.direct_labels import DirectLabels
from gui.views.drawing import DataTable
from gui.views.hand import Drag
from gui.views.pens import in_px, line_pen
from gui.views.plot import PlotDrawing, Span, held
from gui.views.ticks import to_drawn, value_words

_NEAR = 12.0
_ROOM = 1.3
_EMPTY = ((math.inf, -math.inf),)


class LinesDrawing(PlotDrawing):
    """Curves with bands, brackets, references, levels, rugs and spans."""

    view: Lines
    state: LinesState

    def __init__(self, view: Lines, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.curves: dict[str, Curve] = {}
        self.growing: set[str] = set()
        self._limits: dict[str, Span] = {}
        self.right_map = (0.0, 1.0)
        self._hovered = ""
        self.bands = BandLayer(self.canvas, -30)
        self.reference_layer = ReferenceLayer(self.canvas, -20)
        self.stretches = StretchLayer(self.canvas)
        self.marks = CurveMarks(self.canvas)
        self.levels = LevelLayer(self.canvas)
        self.hair = HairLayer(self.canvas)
        self.labels = DirectLabels(self.canvas)
        self.reading = CurveReading(self)
        self.naming = CurveNames(self)

    # State

    def axes(self) -> tuple[Axis, Axis]:
        """The x and y axes that hold now."""
        state = self.state or LinesState()
        return state.x or self.view.x, state.y or self.view.y

    def refresh(self) -> None:
        """Draw the state; only curves whose numbers changed are handed over again."""
        x, y = self.axes()
        self.x_log, self.y_log = x.log, y.log
        self.canvas.axes.x = Face(x.shown(), x.log, names=x.names or None)
        self.canvas.axes.y, self.canvas.downwards = Face(y.shown(), y.log), y.reversed
        self._take_series()
        self._fit()
        self._show_curves()
        self._show_bands()
        self._show_neutral()
        self.naming.make_room()
        self.canvas.set_home(*self._limits["x"], *self._limits["y"])
        self.canvas.arrange()
        self.set_notice(self._lost())

    def _take_series(self) -> None:
        series = self.state.series
        names = {one.name for one in series}
        for name in set(self.curves) - names:
            self.canvas.box.removeItem(self.curves.pop(name).item)
        changed = set()
        for place, one in enumerate(series):
            curve = self.curves.get(one.name)
            if curve is None:
                curve = self.curves[one.name] = Curve.begun(one, self.canvas.box)
            curve.index = place if one.colour is None else one.colour
            right_log = self.view.right is not None and self.view.right.log
            known = curve.x.size
            taken = curve.take(one, self.x_log, right_log if one.right else self.y_log)
            if taken and curve.x.size > known:
                changed.add(one.name)
        self.curves = {one.name: self.curves[one.name] for one in series}
        self.growing = changed or (self.growing & names)
        colours = list(dict.fromkeys(curve.index for curve in self.curves.values() if not curve.series.muted))
        for curve in self.curves.values():
            few = len(colours) <= len(SHAPES) and curve.index in colours
            entity = PlotTheme().entity(curve.index).marker
            curve.shape = SHAPES[colours.index(curve.index)] if few else entity
        if self.view.stacked:
            self._stack()

    def _stack(self) -> None:
        """Each curve on top of those before it, over the x of all."""
        shown = [curve for curve in self.curves.values() if not curve.hidden and curve.x.size]
        if not shown:
            return
        x = np.unique(np.concatenate([to_drawn(curve.series.x, self.x_log) for curve in shown]))
        below = np.zeros(len(x))
        for curve in shown:
            here = to_drawn(curve.series.x, self.x_log)
            height = np.interp(x, here, np.asarray(curve.series.y, np.float64), left=np.nan, right=np.nan)
            curve.x, curve.low, curve.high = x, below, below + height
            curve.y, below = curve.high, below + np.nan_to_num(height)
            curve.x_ends, curve.y_ends = ends(curve.x), joined(ends(curve.low), ends(curve.high))

    def _fit(self) -> None:
        """Limits of both axes, held where the data allow it."""
        shown = [curve for curve in self.curves.values() if not curve.hidden]
        left = [curve.y_ends for curve in shown if not curve.series.right]
        x_low, x_high = joined(*(curve.x_ends for curve in shown), *map(ends, self._neutral_x()), *_EMPTY)
        farthest = (curve.x_ends[1] for name, curve in self.curves.items() if name in self.growing)
        grows = self.live and max(farthest, default=-math.inf) >= x_high - 1e-12
        before = self._limits.get("x") if grows else None
        if grows and (before is None or x_high > before[1]):
            # Room to grow, so that the axis changes some twenty times and not at every step.
            x_high = x_low + _ROOM * (x_high - x_low)
        self._limits["x"] = held(before, x_low, x_high, log=self.x_log, exact=not grows)
        y_low, y_high = joined(*left, *map(ends, self._neutral_y()), *_EMPTY)
        zero = self.view.stacked
        self._limits["y"] = held(self._limits.get("y"), y_low, y_high, log=self.y_log, zero=zero)
        self._fit_right([curve for curve in shown if curve.series.right])

    def _fit_right(self, curves: list[Curve]) -> None:
        self.canvas.axes.right = None
        self.right_map = (0.0, 1.0)
        if curves and self.view.right is not None:
            right = self.view.right
            span = joined(*(curve.y_ends for curve in curves))
            low, high = held(self._limits.get("right"), *span, log=right.log)
            self._limits["right"] = (low, high)
            bottom, top = self._limits["y"]
            factor = (top - bottom) / (high - low)
            self.right_map = (bottom - low * factor, factor)
            self.canvas.axes.right = Face(right.shown(), right.log)
        self.canvas.axes.right_map = self.right_map

    def _neutral_x(self) -> list[np.ndarray]:
        state = self.state
        curves = [to_drawn(one.x, self.x_log) for one in state.brackets]
        curves += [to_drawn(one.x, self.x_log) for one in state.references]
        levels = [to_drawn(np.array([one.value]), self.x_log) for one in state.levels if one.axis == "x"]
        return curves + levels

    def _neutral_y(self) -> list[np.ndarray]:
        state = self.state
        arrays = [one.y for one in state.references]
        arrays += [edge for one in state.brackets for edge in (one.low, one.high)]
        arrays += [np.array([one.value]) for one in state.levels if one.axis == "y"]
        return [to_drawn(array, self.y_log) for array in arrays]

    # Appearance

    def _show_curves(self) -> None:
        longest = max((curve.x.size for curve in self.curves.values()), default=0)
        marks = []
        for name, curve in self.curves.items():
            opacity = self._opacity(name)
            curve.show(*self.right_map)
            curve.dress(len(self.curves), longest, opacity, self.canvas.devicePixelRatioF())
            if curve.marked() and not curve.hidden and not curve.series.muted and not self.view.stacked:
                y = curve.on_left(curve.y, *self.right_map)
                hollow = curve.series.style != "solid"
                marks.append(MarkRun(curve.x, y, curve.colour(), curve.shape, hollow, opacity))
        self.marks.marks = marks
        self.marks.update()

    def _opacity(self, name: str) -> float:
        if self._hovered:
            return 1.0 if name == self._hovered else TOKENS.opacity.unselected
        chosen = self.chosen()
        if chosen.size and chosen.dtype.kind == "U" and np.isin(list(self.curves), chosen).any():
            return 1.0 if name in chosen else TOKENS.opacity.unselected
        return 1.0

    def _show_bands(self) -> None:
        neutral = theme().colour("muted_mark", TOKENS.opacity.bracket)
        edge = line_pen(theme().colour("reference"), TOKENS.line.reference)
        bands = []
        for bracket in self.state.brackets:
            x, low, high = (
                to_drawn(bracket.x, self.x_log),
                *(to_drawn(values, self.y_log) for values in (bracket.low, bracket.high)),
            )
            bands.append(Band(x, low, high, QBrush(neutral), edge))
        for name, curve in self.curves.items():
            if curve.low is None or curve.high is None or curve.hidden:
                continue
            low, high = (curve.on_left(values, *self.right_map) for values in (curve.low, curve.high))
            bands.append(Band(curve.x, low, high, self._fill(curve), opacity=self._opacity(name)))
        self.bands.show_bands(bands)

    def _fill(self, curve: Curve) -> QBrush:
        if not self.view.stacked:
            return PlotTheme().band_brush(curve.index)
        colour = QColor(curve.colour())
        colour.setAlphaF(0.75)
        return QBrush(colour)

    def _show_neutral(self) -> None:
        state = self.state
        self.reference_layer.lines = [
            ReferenceLine(
                to_drawn(one.x, self.x_log),
                to_drawn(one.y, self.y_log),
                in_px(PlotTheme().reference_pen(LINE_OF[one.kind])),
            )
            for one in state.references
        ]
        self.levels.show_levels(state.levels, self.x_log, self.y_log)
        muted = theme().colour("text_tertiary")
        self.stretches.stretches = [
            Stretch(span.name, *to_drawn(np.array([span.low, span.high]), self.x_log).tolist())
            for span in state.spans
        ]
        self.stretches.rugs = [
            (
                to_drawn(rug.x, self.x_log),
                muted if rug.colour is None else QColor(PlotTheme().entity(rug.colour).edge),
            )
            for rug in state.rugs
        ]

    def show_selection(self) -> None:
        """Others pale."""
        if self.state is not None:
            self._show_curves()
            self._show_bands()

    def on_ranged(self) -> None:
        """Names and live ends follow their curves."""
        if self.state is not None:
            self.naming.place()

    def hidden(self) -> frozenset[str]:
        """Names of hidden curves."""
        return frozenset(name for name, curve in self.curves.items() if curve.hidden)

    def hide_curves(self, names: frozenset[str]) -> None:
        """Hide exactly these curves."""
        for name, curve in self.curves.items():
            curve.hidden = name in names
        self.refresh()
        self.visibility.emit(self.hidden())

    # The hand

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """A level under the mouse, a span where the view takes one, else the range."""
        level = self.levels.at(pos)
        if level is not None and button == Qt.MouseButton.LeftButton:
            return LevelDrag(self, level)
        inside = self.canvas.plot_rect().contains(pos)
        if inside and button == Qt.MouseButton.LeftButton and "span" in self.view.gestures:
            return SpanDrag(self, pos)
        return super().drag_at(pos, button, keys)

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A name hides its curve (Alt: leaves it alone); a curve is selected."""
        name = self.labels.key_at(pos)
        if name:
            self._click_label(name, bool(keys & Qt.KeyboardModifier.AltModifier))
            return
        found = self.reading.nearest_curve(pos, _NEAR)
        if found is None:
            super().click_at(pos, keys)
            return
        name, index = found
        self.make_gesture("click", series=name, x=float(self.curves[name].series.x[index]))
        self.pick(np.array([name]), self.mode_of(keys))

    def _click_label(self, name: str, alone: bool) -> None:
        names, hidden = frozenset(self.curves), self.hidden()
        if alone:
            self.hide_curves(frozenset() if hidden == names - {name} else names - {name})
        else:
            self.hide_curves(hidden ^ {name})

    def hover_at(self, pos: QPointF) -> None:
        """A name pales the others; in the plot a hairline reads all curves."""
        hovered = self.labels.key_at(pos)
        if hovered != self._hovered:
            self._hovered = hovered
            self.show_selection()
        self.reading.read(pos)
        if hovered and self.labels.shortened(hovered):
            self.hover_box.say(pos, hovered)

    def hover_left(self) -> None:
        """No hairline, nothing pale."""
        super().hover_left()
        self.reading.end()
        if self._hovered:
            self._hovered = ""
            self.show_selection()

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape:
        """A hand over names, arrows over what can be dragged."""
        if self.labels.key_at(pos):
            return Qt.CursorShape.PointingHandCursor
        level: Level | None = self.levels.at(pos)
        if level is not None:
            return Qt.CursorShape.SizeVerCursor if level.axis == "y" else Qt.CursorShape.SizeHorCursor
        return super().cursor_at(pos)

    # In words

    def _lost(self) -> str:
        lost = sum(curve.lost for curve in self.curves.values() if not self.view.stacked)
        if not lost:
            return ""
        why = "no number or not above zero" if self.x_log or self.y_log else "no number"
        return f"{lost:,} value{'s' if lost > 1 else ''} not shown ({why})"

    def describe(self) -> str:
        """Axes, and where each curve ends."""
        if self.state is None:
            return super().describe()
        x, y = self.axes()
        ends = []
        for name, curve in self.curves.items():
            end = curve.last(math.inf)
            if end is not None:
                value, at = float(curve.series.y[end]), float(curve.series.x[end])
                ends.append(f"{name} ends at {value_words(value)} where {x.title} is {value_words(at)}")
        count = len(self.curves)
        head = f"{self.view.title}: {count} curve{'s' if count != 1 else ''} of {y.shown()} over {x.shown()}."
        return " ".join([head, *(f"{end}." for end in ends[:12])])

    def data_table(self) -> DataTable:
        """One row per point: series, x, y, spread."""
        headers: list[str] = ["series", *(axis.shown() for axis in self.axes()), "low", "high"]
        columns: list[list[Any]] = [[], [], [], [], []]
        for series in self.state.series if self.state else ():
            count = len(series.x)
            columns[0] += [series.name] * count
            parts = (series.x, series.y, series.low, series.high)
            for column, values in zip(columns[1:], parts, strict=True):
                column += [math.nan] * count if values is None else np.asarray(values).tolist()
        if not any(math.isfinite(value) for value in columns[3]):
            return headers[:3], columns[:3]
        return headers, columns
