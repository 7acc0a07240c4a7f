"""Bars and histograms on the screen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.core.views import Axis, Bars, BarSeries, BarsState
from gui.theme.plot import PlotTheme
from gui.theme.theme import theme
from gui.views.axes import Face
from gui.views.bar_layer import FILLED, BarLayer, BarRun
from gui.views.curve_drags import LevelDrag
from gui.views.curve_layers import NAMES, LevelLayer
from gui.views.direct_labels import DirectLabel, DirectLabels
from gui.views.drawing import DataTable
from gui.views.hand import Drag
from gui.views.hover import Row
from gui.views.legend_row import ROW, Entry, LegendRow
from gui.views.per_frame import PerFrame
from gui.views.plot import PlotDrawing, Span, held
from gui.views.ticks import aligned_words, from_drawn, to_drawn, value_words

_WORDS_ROOM = 18.0
"""Height of a number over a bar, px."""


class BarsDrawing(PlotDrawing):
    """Bars by category or histogram; free ends can be dragged where the view takes it."""

    view: Bars
    state: BarsState

    def __init__(self, view: Bars, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self.canvas.axes.grid = "x" if view.horizontal else "y"
        self.canvas.zoom_axes = "y" if view.horizontal else "x"
        self.canvas.bounded = True
        self.canvas.downwards = view.horizontal
        self._limits: Span = (0.0, 1.0)
        self._fitted = False
        self._hidden: frozenset[str] = frozenset()
        self.bars = BarLayer(self.canvas)
        self.bars.flat = view.horizontal
        self.levels = LevelLayer(self.canvas)
        self.labels = DirectLabels(self.canvas)
        self.legend = LegendRow(self.canvas)

    def axes(self) -> tuple[Axis, Axis]:
        """Category and value axes that hold now."""
        state = self.state
        return (state and state.category) or self.view.category, (state and state.value) or self.view.value

    @property
    def value_log(self) -> bool:
        """Whether values are drawn as exponents."""
        return self.axes()[1].log

    # State

    def refresh(self) -> None:
        """Draw the state."""
        state, (category, value) = self.state, self.axes()
        histogram = state.edges is not None
        names = None if histogram else (state.categories or self._numbers())
        along = Face(category.shown(), names=names)
        if histogram:
            along = Face(category.shown(), category.log)
        high = Face(value.shown(), value.log)
        self.canvas.axes.x, self.canvas.axes.y = (high, along) if self.view.horizontal else (along, high)
        along_log = category.log and histogram
        self.x_log, self.y_log = (value.log, along_log) if self.view.horizontal else (along_log, value.log)
        shown = [one for one in state.series if one.name not in self._hidden]
        self._fit(shown)
        self.bars.joined = histogram
        self.bars.runs = self._runs(shown)
        self.bars.ticks = np.empty(0) if state.ticks is None else to_drawn(state.ticks, value.log)
        self.levels.show_levels(state.levels, self.x_log, self.y_log)
        self._make_room()
        self.show_selection()
        self.canvas.arrange()
        lost = sum(int(np.count_nonzero(~np.isfinite(np.asarray(one.values, float)))) for one in state.series)
        self.set_notice(f"{lost:,} value{'s' if lost > 1 else ''} not shown (no number)" if lost else "")

    def _numbers(self) -> tuple[str, ...]:
        return tuple(
            str(index) for index in range(max((len(s.values) for s in self.state.series), default=0))
        )

    def _fit(self, shown: list[BarSeries]) -> None:
        state, log = self.state, self.value_log
        arrays = [to_drawn(one.values, log) for one in shown]
        if self.view.stacked and shown:
            arrays.append(to_drawn(np.sum([np.nan_to_num(one.values) for one in shown], axis=0), log))
        for one in shown:
            arrays += [to_drawn(edge, log) for edge in (one.low, one.high) if edge is not None]
        if state.ticks is not None:
            arrays.append(to_drawn(state.ticks, log))
        across = "x" if self.view.horizontal else "y"
        levels = [level.value for level in state.levels if level.axis == across]
        arrays.append(to_drawn(np.array(levels), log))
        finite = np.concatenate(arrays) if arrays else np.empty(0)
        finite = finite[np.isfinite(finite)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        # Values are written over the ends of bars and need room there.
        height = self.canvas.plot_rect().height()
        share = 0.06 if self.view.horizontal else min(max(0.06, _WORDS_ROOM / max(height, 1.0)), 0.25)
        high += share * (high - min(low, 0.0)) if not log else share * (high - low)
        self._limits = held(self._limits if self._fitted else None, low, high, log=log, zero=not log)
        self._fitted = True
        first, last = -0.5, max((len(one.values) for one in state.series), default=1) - 0.5
        if state.edges is not None:
            edges = to_drawn(state.edges, self.axes()[0].log)
            first, last = float(np.nanmin(edges)), float(np.nanmax(edges))
        if self.view.horizontal:
            self.canvas.set_home(*self._limits, first, last)
        else:
            self.canvas.set_home(first, last, *self._limits)

    def _runs(self, shown: list[BarSeries]) -> list[BarRun]:
        state, log = self.state, self.value_log
        runs: list[BarRun] = []
        base = np.zeros(max((len(one.values) for one in shown), default=0))
        for place, one in enumerate(shown):
            values = np.asarray(one.values, np.float64)
            start, end = self._along(place, len(shown), len(values))
            below = base[: len(values)] if self.view.stacked else np.zeros(len(values))
            top = to_drawn(below + values, log)
            bottom = np.full(len(values), self._limits[0]) if log else below.copy()
            low, high = (None if edge is None else to_drawn(edge, log) for edge in (one.low, one.high))
            runs.append(BarRun(one.name, start, end, bottom, top, low, high, self._colours(one), values))
            if self.view.stacked:
                base[: len(values)] += np.nan_to_num(values)
        if state.edges is not None and len(runs) > 1 and not self.view.stacked:
            runs.sort(key=lambda run: -float(np.nansum(run.values)))
        return runs

    def _along(self, place: int, series: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        if self.state.edges is not None:
            edges = to_drawn(self.state.edges, self.axes()[0].log)
            return edges[:-1], edges[1:]
        side_by_side = 1 if self.view.stacked else max(series, 1)
        width = FILLED / side_by_side
        start = np.arange(count) - FILLED / 2 + (0 if self.view.stacked else place * width)
        return start, start + width

    def _colours(self, one: BarSeries) -> list[int]:
        if one.colours is not None:
            return [int(colour) for colour in one.colours]
        place = next(i for i, series in enumerate(self.state.series) if series.name == one.name)
        return [place if one.colour is None else one.colour] * len(one.values)

    def _make_room(self) -> None:
        state, entries = self.state, []
        if len(state.series) > 1:
            for place, one in enumerate(state.series):
                index = place if one.colour is None else one.colour
                entries.append(Entry(one.name, one.name, PlotTheme().entity(index).fill))
        if state.ticks is not None and state.ticks_name:
            entries.append(Entry("", f"line: {state.ticks_name}", theme().colours.text, "square"))
        self.legend.entries, self.legend.hidden = entries, self._hidden
        self.canvas.top = ROW + 4 if entries else 14.0
        upright = any(level.axis == "x" and level.name for level in state.levels)
        self.canvas.names_room = NAMES if upright else 0.0
        across = "x" if self.view.horizontal else "y"
        names = [level.name for level in state.levels if level.axis == across and across == "y"]
        widest = max((self.labels.width_of(name, 400) for name in names), default=0.0)
        limit = max(self.canvas.width() * 0.3, 20.0)
        self.canvas.right_margin = min(widest + 18, limit) if names else 16.0

    def on_ranged(self) -> None:
        """Names of levels at their ends."""
        if self.state is None:
            return
        plot, grey = self.canvas.plot_rect(), theme().colours.text_secondary
        labels = []
        for level in self.state.levels:
            place = self.levels.place(level)
            if level.axis == "y" and math.isfinite(place) and plot.top() - 1 <= place <= plot.bottom() + 1:
                labels.append(DirectLabel(level.name, grey, place, plot.right() + 8, weight=400))
        self.labels.place(labels)

    def show_selection(self) -> None:
        """Selected categories keep their colour."""
        if self.state is None:
            return
        count = max((len(run.top) for run in self.bars.runs), default=0)
        chosen = np.zeros(count, np.bool_)
        ids = self.chosen()
        if ids.size and ids.dtype.kind in "iu":
            chosen[ids[(ids >= 0) & (ids < count)]] = True
        self.bars.chosen = chosen
        self.bars.update()

    def hidden(self) -> frozenset[str]:
        """Names of hidden series."""
        return self._hidden

    def hide_series(self, names: frozenset[str]) -> None:
        """Hide exactly these series."""
        self._hidden = names
        self.refresh()
        self.visibility.emit(names)

    # The hand

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None:
        """A bar's free end or a level, else the range."""
        if button == Qt.MouseButton.LeftButton:
            level = self.levels.at(pos)
            if level is not None:
                return LevelDrag(self, level)
            grip = self.bars.grip_at(pos) if "drag-bar" in self.view.gestures else None
            if grip is not None:
                return BarDrag(self, *grip)
        return super().drag_at(pos, button, keys)

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None:
        """A name hides its series; a bar selects its category."""
        key = self.legend.at(pos)
        if key:
            names = frozenset(one.name for one in self.state.series)
            alone = bool(keys & Qt.KeyboardModifier.AltModifier)
            rest = names - {key}
            self.hide_series(
                (frozenset() if self._hidden == rest else rest) if alone else self._hidden ^ {key}
            )
            return
        found = self.bars.at(pos) or self._column_at(pos)
        if found is None:
            super().click_at(pos, keys)
            return
        self.make_gesture("click", id=found[1])
        self.pick(np.array([found[1]]), self.mode_of(keys))

    def _column_at(self, pos: QPointF) -> tuple[int, int] | None:
        """The category over which the mouse stands, bar or not."""
        if not self.canvas.plot_rect().contains(pos) or not self.bars.runs:
            return None
        x, y = self.canvas.to_data(pos)
        along = y if self.view.horizontal else x
        run = self.bars.runs[0]
        binned = self.state.edges is not None
        index = int(np.searchsorted(run.end, along)) if binned else round(along)
        return (0, index) if 0 <= index < len(run.top) else None

    def hover_at(self, pos: QPointF) -> None:
        """All series of the category under the mouse."""
        found = self._column_at(pos)
        if found is None:
            self.hover_box.hide()
            return
        index, rows = found[1], []
        runs = [run for run in self.bars.runs if index < len(run.top)]
        words = aligned_words([float(run.values[index]) for run in runs])
        for run, word in zip(runs, words, strict=True):
            if run.low is not None and run.high is not None:
                ends = (from_drawn(float(edge[index]), self.value_log) for edge in (run.low, run.high))
                low, high = ends
                word += f"  ({value_words(low, 3)}–{value_words(high, 3)})"
            colour = run.colours[index]
            fill = theme().colours.muted_mark if colour < 0 else PlotTheme().entity(colour).fill
            rows.append(Row(run.name or self.axes()[1].title, word, fill, "square"))
        if self.state.ticks is not None and index < len(self.state.ticks):
            rows.append(Row(self.state.ticks_name or "mark", value_words(float(self.state.ticks[index]))))
        self.hover_box.say(pos, self.category_name(index), "", tuple(rows))

    def category_name(self, index: int) -> str:
        """Name of a category, or the ends of a bin."""
        edges = self.state.edges
        if edges is not None:
            return f"{value_words(float(edges[index]))}–{value_words(float(edges[index + 1]))}"
        names = self.state.categories
        return names[index] if index < len(names) else f"{self.axes()[0].title} {index}"

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape:
        """Arrows where something can be dragged."""
        if self.legend.at(pos):
            return Qt.CursorShape.PointingHandCursor
        if self.levels.at(pos) or ("drag-bar" in self.view.gestures and self.bars.grip_at(pos)):
            return Qt.CursorShape.SizeHorCursor if self.view.horizontal else Qt.CursorShape.SizeVerCursor
        return Qt.CursorShape.ArrowCursor

    def key(self, event: QKeyEvent) -> bool:
        """With one bar selected, up and down change it by a hundredth of the axis (Shift: a tenth)."""
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        chosen = np.flatnonzero(self.bars.chosen)
        if event.key() in steps and chosen.size == 1 and "drag-bar" in self.view.gestures:
            far = 0.1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0.01
            low, high = self._limits
            top = float(self.bars.runs[0].top[chosen[0]])
            moved = top + steps[Qt.Key(event.key())] * far * (high - low)
            self.make_gesture("drag-bar", id=int(chosen[0]), value=from_drawn(moved, self.value_log))
            return True
        return super().key(event)

    # In words

    def describe(self) -> str:
        """How many bars of what, and the highest."""
        if self.state is None:
            return super().describe()
        category, value = self.axes()
        parts = []
        for one in self.state.series:
            values = np.asarray(one.values, np.float64)
            if np.isfinite(values).any():
                top = int(np.nanargmax(values))
                name = one.name or value.title
                parts.append(
                    f"{name}: highest {value_words(float(values[top]))} at {self.category_name(top)}."
                )
        count = max((len(one.values) for one in self.state.series), default=0)
        return f"{self.view.title}: {count:,} bars of {value.shown()} by {category.title}. " + " ".join(parts)

    def data_table(self) -> DataTable:
        """One row per category, a column per series and its whiskers."""
        if self.state is None:
            return [], []
        category, _ = self.axes()
        count = max((len(one.values) for one in self.state.series), default=0)
        headers, columns = [category.shown()], [[self.category_name(index) for index in range(count)]]
        parts: list[tuple[str, Any]] = []
        for one in self.state.series:
            parts.append((one.name or self.axes()[1].shown(), one.values))
            if one.low is not None and one.high is not None:
                parts += [(f"{one.name} low", one.low), (f"{one.name} high", one.high)]
        if self.state.ticks is not None:
            parts.append((self.state.ticks_name or "mark", self.state.ticks))
        for header, values in parts:
            headers.append(header)
            columns.append(np.asarray(values).tolist() + [math.nan] * (count - len(values)))
        return headers, columns


class BarDrag:
    """Moves a bar's free end; the new value is told once a frame."""

    def __init__(self, drawing: BarsDrawing, place: int, index: int) -> None:
        self._drawing, self._place, self._index = drawing, place, index
        self._before = float(drawing.bars.runs[place].values[index])
        self._tell = PerFrame(lambda value: drawing.make_gesture("drag-bar", id=index, value=value), drawing)

    def move(self, pos: QPointF) -> None:
        """The end follows the mouse."""
        drawing = self._drawing
        x, y = drawing.canvas.to_data(pos)
        top = x if drawing.view.horizontal else y
        low, high = drawing.canvas.home()[:2] if drawing.view.horizontal else drawing.canvas.home()[2:]
        top = min(max(top, low), high)
        drawing.bars.lifted = (self._place, self._index, top)
        drawing.bars.update()
        base = float(drawing.bars.runs[self._place].base[self._index]) if drawing.view.stacked else 0.0
        self._tell.offer(value=from_drawn(top, drawing.value_log) - base)

    def finish(self, pos: QPointF) -> None:
        """The last value counts."""
        self.move(pos)
        self._tell.finish()
        self._drawing.bars.lifted = None
        self._drawing.bars.update()

    def cancel(self) -> None:
        """Back to the value before."""
        self._tell.drop()
        self._drawing.bars.lifted = None
        self._drawing.bars.update()
        self._drawing.make_gesture("drag-bar", id=self._index, value=self._before)
