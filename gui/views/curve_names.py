"""Names at the ends of curves, references, brackets and levels, and what is live."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gui.theme.theme import theme
from gui.views.curve import Curve
from gui.views.curve_layers import NAMES
from gui.views.direct_labels import DirectLabel
from gui.views.ticks import to_drawn, value_words

if TYPE_CHECKING:
    from gui.views.lines import LinesDrawing


class CurveNames:
    """Places the direct labels of a lines view."""

    def __init__(self, drawing: LinesDrawing) -> None:
        self._drawing = drawing

    def make_room(self) -> None:
        """Set the margin at the right to the longest name, at most 30% of the width."""
        names = [one.name for one in self._drawing.state.series if one.name and one.named]
        upright = any(level.axis == "x" and level.name for level in self._drawing.state.levels)
        self._drawing.canvas.names_room = NAMES if upright else 0.0
        neutral = [one.name for one in self._drawing.state.references if one.name]
        neutral += [one.name for one in self._drawing.state.brackets if one.name]
        neutral += [level.name for level in self._drawing.state.levels if level.axis == "y"]
        widths = [self._drawing.labels.width_of(name) for name in names]
        widths += [self._drawing.labels.width_of(name, 400) for name in neutral]
        self._drawing.canvas.right_margin = min(
            max(widths, default=0.0) + 18, max(self._drawing.canvas.width() * 0.3, 20.0)
        )

    def place(self) -> None:
        """Names at the ends of their curves; live ends get a dot and their value."""
        labels, live, to_come = [], [], None
        for name, curve in self._drawing.curves.items():
            end = curve.last(self._drawing.canvas.view()[1])
            if end is None or not name or not curve.series.named:
                continue
            y = float(curve.on_left(curve.y[end : end + 1], *self._drawing.right_map)[0])
            if self._drawing.view.stacked and curve.low is not None:
                y = (y + float(curve.low[end])) / 2
            growing = self._drawing.live and name in self._drawing.growing and not curve.hidden
            if growing:
                live.append((float(curve.x[end]), y))
                to_come = max(to_come if to_come is not None else -math.inf, float(curve.x[end]))
            labels.append(self._label(curve, float(curve.x[end]), y, end, growing))
        labels += self._neutral_labels()
        self._drawing.hair.live = live
        self._drawing.canvas.axes.to_come = to_come
        self._drawing.labels.place(labels)

    def _label(self, curve: Curve, x: float, y: float, end: int, growing: bool) -> DirectLabel:
        text = curve.series.name
        if growing:
            unit = self._drawing.axes()[1].unit
            text = f"{text}  {value_words(float(curve.series.y[end]))} {unit}".rstrip()
        plot = self._drawing.canvas.plot_rect()
        beside, margin = (
            self._drawing.canvas.x_to_scene(x) + 9,
            plot.right() + 8 + self._drawing.canvas.axes.right_needed(),
        )
        inside = beside + self._drawing.labels.width_of(text) < plot.right() - 6
        place = beside if inside else margin
        if (
            growing
            and not inside
            and self._drawing.labels.width_of(text) > self._drawing.canvas.width() - margin
        ):
            place = max(plot.left(), self._drawing.canvas.width() - 6 - self._drawing.labels.width_of(text))
            y_px = self._drawing.canvas.y_to_scene(y) - 14
            return DirectLabel(text, curve.edge(), y_px, place, curve.series.name, hidden=curve.hidden)
        weight = 400 if curve.series.muted else 600
        return DirectLabel(
            text,
            curve.edge(),
            self._drawing.canvas.y_to_scene(y),
            place,
            curve.series.name,
            weight,
            curve.hidden,
        )

    def _neutral_labels(self) -> list[DirectLabel]:
        state, plot = self._drawing.state, self._drawing.canvas.plot_rect()
        margin, right = (
            plot.right() + 8 + self._drawing.canvas.axes.right_needed(),
            self._drawing.canvas.view()[1],
        )
        ends: list[tuple[str, float]] = []
        for name, x, y in [(one.name, one.x, one.y) for one in state.references] + [
            (one.name, one.x, (np.asarray(one.low) + one.high) / 2) for one in state.brackets
        ]:
            drawn_x, drawn_y = to_drawn(x, self._drawing.x_log), to_drawn(y, self._drawing.y_log)
            seen = np.flatnonzero((drawn_x <= right + 1e-9) & np.isfinite(drawn_y))
            if seen.size:
                ends.append((name, float(drawn_y[seen[-1]])))
        grey = theme().colours.text_secondary
        labels = [
            DirectLabel(name, grey, self._drawing.canvas.y_to_scene(y), margin, weight=400)
            for name, y in ends
        ]
        for level in state.levels:
            place = self._drawing.levels.place(level) if level.axis == "y" else math.nan
            if math.isfinite(place) and plot.top() - 1 <= place <= plot.bottom() + 1:
                labels.append(DirectLabel(level.name, grey, place, margin, weight=400))
        return labels
