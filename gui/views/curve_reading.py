"""Reading curves with the mouse: which points are at an x, which curve is nearest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

from engine.core.views import Axis
from gui.views.curve import Curve
from gui.views.hover import Row
from gui.views.ticks import aligned_words, from_drawn, to_drawn, value_words

if TYPE_CHECKING:
    from gui.views.lines import LinesDrawing

_AT_ONCE = 12
_SAME_X = 12.0


class CurveReading:
    """Hairline and box of a lines view."""

    def __init__(self, drawing: LinesDrawing) -> None:
        self._drawing = drawing

    def end(self) -> None:
        """Take the hairline away."""
        if self._drawing.hair.place is not None:
            self._drawing.hair.place = None
            self._drawing.hair.update()

    def read(self, pos: QPointF) -> None:
        """Hairline at the measured x nearest to the mouse, values of all curves there, best first."""
        drawing = self._drawing
        if not drawing.canvas.plot_rect().adjusted(-6, 0, 6, 0).contains(pos):
            drawing.hover_box.hide()
            self.end()
            return
        x = self._nearest_x(pos)
        if x is None:
            drawing.hover_box.hide()
            self.end()
            return
        if x != drawing.hair.place:
            drawing.hair.place = x
            drawing.hair.update()
        self._say(x, pos)

    def nearest_curve(self, pos: QPointF, within: float) -> tuple[str, int] | None:
        """Name and point index of the curve that passes within ``within`` px of ``pos``."""
        drawing, best = self._drawing, (within, "", 0)
        for name, curve in drawing.curves.items():
            if curve.hidden or not curve.x.size:
                continue
            for index in self._around(curve, pos):
                distance = self._distance(curve, index, pos)
                if distance < best[0]:
                    here = self._closer(curve, index, pos)
                    best = (distance, name, here)
        return (best[1], best[2]) if best[1] else None

    def _say(self, x: float, pos: QPointF) -> None:
        drawing = self._drawing
        found: list[tuple[Curve, int]] = []
        for curve in drawing.curves.values():
            index = _index_at(curve.x, x) if curve.ordered else None
            if curve.hidden or index is None:
                continue
            near = abs(drawing.canvas.x_to_scene(float(curve.x[index])) - drawing.canvas.x_to_scene(x))
            if near <= _SAME_X:
                found.append((curve, index))
        found = self._best_first(found, x)
        words = aligned_words([float(curve.series.y[index]) for curve, index in found])
        rows = [self._row(curve, index, word) for (curve, index), word in zip(found, words, strict=True)]
        if len(rows) > _AT_ONCE:
            rows = [*rows[:_AT_ONCE], Row(f"and {len(rows) - _AT_ONCE} more")]
        axis = drawing.axes()[0]
        place = QPointF(drawing.canvas.x_to_scene(x), pos.y())
        title = at_words(axis, from_drawn(x, drawing.x_log))
        top = drawing.canvas.plot_rect().top() - 10
        drawing.hover_box.say(place, title, self._optima(x), (*rows, *self._bounds(x)), top)

    def _row(self, curve: Curve, index: int, word: str) -> Row:
        if curve.series.low is not None and curve.series.high is not None and not self._drawing.view.stacked:
            low, high = float(curve.series.low[index]), float(curve.series.high[index])
            if math.isfinite(low) and math.isfinite(high) and high > low:
                word = f"{word}  ({value_words(low, 3)}–{value_words(high, 3)})"
        return Row(curve.series.name, word, curve.colour().name(), curve.shape)

    def _best_first(self, found: list[tuple[Curve, int]], x: float) -> list[tuple[Curve, int]]:
        """Nearest to the optimum where one is drawn, else from the top down as on the screen."""
        optimum = self._optimum(x)
        if optimum is None:
            down = 1 if self._drawing.canvas.downwards else -1
            return sorted(found, key=lambda one: down * _or_low(float(one[0].y[one[1]])))
        return sorted(found, key=lambda one: abs(_or_far(float(one[0].series.y[one[1]])) - optimum))

    def _optimum(self, x: float) -> float | None:
        state = self._drawing.state
        curves = [(one.x, one.y) for one in state.references if one.kind == "optimum"]
        curves += [(one.x, (np.asarray(one.low) + one.high) / 2) for one in state.brackets]
        for places, values in curves:
            index = _index_at(to_drawn(places, self._drawing.x_log), x)
            if index is not None:
                return float(values[index])
        return None

    def _optima(self, x: float) -> str:
        """Values of brackets and optima at x, behind the title."""
        state, log, said = self._drawing.state, self._drawing.x_log, []
        for bracket in state.brackets:
            index = _index_at(to_drawn(bracket.x, log), x)
            if index is not None:
                low, high = aligned_words([float(bracket.low[index]), float(bracket.high[index])])
                said.append(f"{bracket.name} {low}" if low == high else f"{bracket.name} {low}–{high}")
        for one in state.references:
            index = _index_at(to_drawn(one.x, log), x) if one.kind == "optimum" else None
            if index is not None:
                said.append(f"{one.name} {value_words(float(one.y[index]), 3)}")
        return "".join(f", {part}" for part in said)

    def _bounds(self, x: float) -> list[Row]:
        """Other references at x, under the curves."""
        rows = []
        for one in self._drawing.state.references:
            index = _index_at(to_drawn(one.x, self._drawing.x_log), x) if one.kind != "optimum" else None
            if index is not None:
                rows.append(Row(one.name, value_words(float(one.y[index]), 3)))
        return rows

    def _nearest_x(self, pos: QPointF) -> float | None:
        drawing = self._drawing
        x, _ = drawing.canvas.to_data(pos)
        candidates = []
        for curve in drawing.curves.values():
            index = _index_at(curve.x, x) if curve.ordered and not curve.hidden else None
            if index is not None and np.isfinite(curve.x[index]):
                candidates.append(float(curve.x[index]))
        if not candidates:
            return None
        nearest = min(candidates, key=lambda value: abs(value - x))
        x0, x1, _, _ = drawing.canvas.view()
        margin = (x1 - x0) * 1e-6
        return nearest if x0 - margin <= nearest <= x1 + margin else None

    def _around(self, curve: Curve, pos: QPointF) -> range:
        x, _ = self._drawing.canvas.to_data(pos)
        if not curve.ordered:
            return range(max(len(curve.x) - 1, 0))
        middle = int(np.searchsorted(curve.x, x))
        return range(max(middle - 4, 0), min(middle + 4, max(len(curve.x) - 1, 1)))

    def _distance(self, curve: Curve, index: int, pos: QPointF) -> float:
        a = self._place(curve, index)
        b = self._place(curve, min(index + 1, len(curve.x) - 1))
        along, to = b - a, pos - a
        length = QPointF.dotProduct(along, along)
        share = 0.0 if length == 0 else min(max(QPointF.dotProduct(to, along) / length, 0.0), 1.0)
        off = to - along * share
        distance = math.hypot(off.x(), off.y())
        return distance if math.isfinite(distance) else math.inf

    def _closer(self, curve: Curve, index: int, pos: QPointF) -> int:
        after = min(index + 1, len(curve.x) - 1)
        here, there = self._place(curve, index), self._place(curve, after)
        return index if abs(here.x() - pos.x()) <= abs(there.x() - pos.x()) else after

    def _place(self, curve: Curve, index: int) -> QPointF:
        y = curve.on_left(curve.y[index : index + 1], *self._drawing.canvas.axes.right_map)[0]
        return self._drawing.canvas.to_scene(float(curve.x[index]), float(y))


def at_words(axis: Axis, value: float) -> str:
    """The place on an axis: its name, "k = 6" where the title ends in a symbol, else "step 40"."""
    if axis.names and value in range(len(axis.names)):
        return axis.names[int(value)]
    last = axis.title.split()[-1] if axis.title else "x"
    number = value_words(value)
    if len(last) <= 2:
        return f"{last} = {number}"
    return f"{axis.title} {number} {axis.unit}".rstrip()


def _index_at(places: np.ndarray, x: float) -> int | None:
    """Index of the entry of ascending ``places`` nearest to ``x``; None of nothing."""
    if not places.size:
        return None
    index = int(np.searchsorted(places, x))
    around = [i for i in (index - 1, index) if 0 <= i < places.size and np.isfinite(places[i])]
    return min(around, key=lambda i: abs(places[i] - x), default=None)


def _or_low(value: float) -> float:
    return value if math.isfinite(value) else -math.inf


def _or_far(value: float) -> float:
    return value if math.isfinite(value) else math.inf
