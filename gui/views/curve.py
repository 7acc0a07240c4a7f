"""One curve of a lines view: its numbers on the drawn axes, its pen, its item."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QPen

from engine.core.views import Series
from gui.theme.plot import DENSE_POINTS, PlotTheme, cosmetic_pen
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views.ticks import to_drawn

DASHES: dict[str, tuple[float, ...]] = {
    "dashed": (6.0, 4.0),
    "dotted": (1.5, 3.0),
    "dash-dot": (7.0, 3.0, 1.5, 3.0),
}
_EDGE = -400.0
_NOTHING = (np.inf, -np.inf)
MARKED = 40
"""Most points of a curve that are marked one by one."""


def same_array(first: np.ndarray | None, second: np.ndarray | None) -> bool:
    """Whether both are the same numbers in memory; arrays handed over never change."""
    if first is None or second is None:
        return first is second
    if first is second:
        return True
    here, there = first.__array_interface__, second.__array_interface__
    return here["data"] == there["data"] and first.shape == second.shape and first.strides == second.strides


def _grown(before: np.ndarray | None, after: np.ndarray | None) -> bool:
    """Whether ``after`` is ``before`` with more behind it, in the same memory."""
    if before is None or after is None:
        return before is after
    here, there = before.__array_interface__, after.__array_interface__
    same = here["data"] == there["data"] and before.strides == after.strides and before.dtype == after.dtype
    return same and 0 < len(before) <= len(after)


def ends(values: np.ndarray) -> tuple[float, float]:
    """Least and greatest defined value, but the edge of a log plot; (inf, −inf) of nothing."""
    with np.errstate(invalid="ignore"):
        kept = values[np.isfinite(values) & (values > _EDGE + 1)] if values.size else values
    return (float(kept.min()), float(kept.max())) if kept.size else _NOTHING


def joined(*spans: tuple[float, float]) -> tuple[float, float]:
    """The span over all."""
    return min(span[0] for span in spans), max(span[1] for span in spans)


@dataclass
class Curve:
    """What is kept of a series between frames. ``x``, ``y``, ``low``, ``high`` are drawn numbers."""

    item: pg.PlotDataItem
    series: Series
    index: int = 0
    shape: str = "circle"
    x: np.ndarray = field(default_factory=lambda: np.empty(0))
    y: np.ndarray = field(default_factory=lambda: np.empty(0))
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    ordered: bool = True
    lost: int = 0
    hidden: bool = False
    x_ends: tuple[float, float] = (np.inf, -np.inf)
    y_ends: tuple[float, float] = (np.inf, -np.inf)
    _logs: tuple[bool, bool] = (False, False)

    @classmethod
    def begun(cls, series: Series, canvas_box: pg.ViewBox) -> Curve:
        """A curve with an item in the plot, and no numbers yet."""
        item = pg.PlotDataItem(connect="finite")
        # Set here and not on a PlotItem: the box's own settings would overwrite them.
        item.setDownsampling(auto=True, method="peak")
        item.setClipToView(True)
        canvas_box.addItem(item, ignoreBounds=True)
        blank = Series(name=series.name, x=np.empty(0), y=np.empty(0))
        return cls(item=item, series=blank)

    def take(self, series: Series, x_log: bool, y_log: bool) -> bool:
        """Take in the series; True if its numbers are others than before."""
        old, self.series = self.series, series
        same = all(same_array(getattr(old, n), getattr(series, n)) for n in ("x", "y", "low", "high"))
        if same and self._logs == (x_log, y_log):
            return False
        grown = self._logs == (x_log, y_log) and all(
            _grown(getattr(old, n), getattr(series, n)) for n in ("x", "y", "low", "high")
        )
        self._logs = (x_log, y_log)
        self._extend(series, len(old.x) if grown else 0)
        return True

    def _extend(self, series: Series, known: int) -> None:
        """Work out what comes after the first ``known`` points: a growing curve costs its new points only."""
        x_log, y_log = self._logs
        x, y = to_drawn(series.x[known:], x_log), to_drawn(series.y[known:], y_log)
        low = None if series.low is None else to_drawn(series.low[known:], y_log)
        high = None if series.high is None else to_drawn(series.high[known:], y_log)
        if y_log and low is not None:
            # A spread that reaches zero goes down to the edge of a logarithmic plot.
            low = np.where(np.isnan(low) & np.isfinite(y), _EDGE, low)
        lost = int(x.size - np.count_nonzero(np.isfinite(x) & np.isfinite(y)))
        joint = x if not known or not x.size else np.concatenate((self.x[-1:], x))
        ordered = bool(np.all(np.diff(joint) >= 0)) if joint.size > 1 else True
        before = (self.x_ends, self.y_ends) if known else (_NOTHING, _NOTHING)
        self.x_ends = joined(before[0], ends(x))
        self.y_ends = joined(before[1], *(ends(part) for part in (y, low, high) if part is not None))
        self.lost, self.ordered = (self.lost + lost, self.ordered and ordered) if known else (lost, ordered)
        self.x, self.y = (
            self._whole("x", series.x, x, x_log, known),
            self._whole("y", series.y, y, y_log, known),
        )
        self.low = None if series.low is None else self._whole("low", series.low, low, y_log, known)
        self.high = None if series.high is None else self._whole("high", series.high, high, y_log, known)

    def _whole(self, name: str, given: np.ndarray, tail: Any, log: bool, known: int) -> np.ndarray:
        if not log:
            return np.asarray(given, np.float64)
        return np.concatenate((getattr(self, name), tail)) if known else tail

    def marked(self) -> bool:
        """Whether single points are marked."""
        wanted = self.series.marks
        return len(self.x) <= MARKED if wanted is None else wanted

    def show(self, shift: float, factor: float) -> None:
        """Give the item its numbers, mapped to the left axis by ``shift + factor · y``."""
        x, y = self.x, self.on_left(self.y, shift, factor)
        if self.series.steps and len(x) > 1:
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        self.item.setDownsampling(auto=self.ordered, method="peak")
        self.item.setClipToView(self.ordered)
        # Without defined points the item would ask for the limits of nothing.
        if self.lost < len(self.x):
            self.item.setData(x, y, skipFiniteCheck=not self.lost)
        else:
            self.item.setData([], [])

    def on_left(self, values: np.ndarray, shift: float, factor: float) -> np.ndarray:
        """Values of this curve in the left axis' numbers."""
        return values * factor + shift if self.series.right else values

    def colour(self) -> QColor:
        """Colour of the line and its marks."""
        if self.series.muted:
            return theme().colour("muted_mark")
        return QColor(PlotTheme().entity(self.index).fill)

    def edge(self) -> str:
        """Shade for the name."""
        return theme().colours.text_tertiary if self.series.muted else PlotTheme().entity(self.index).edge

    def pen(self, curves: int, points: int) -> QPen:
        """2 px for few short curves, 1 px otherwise, dashed as the series asks."""
        if self.series.muted:
            return cosmetic_pen(self.colour(), TOKENS.line.curve_dense)
        pen = PlotTheme().curve_pen(self.index, curves=curves, points=points)
        if self.series.style == "solid":
            return pen
        return cosmetic_pen(pen.color(), pen.widthF(), DASHES[self.series.style])

    def dress(self, curves: int, points: int, opacity: float, ratio: float) -> None:
        """Pen, opacity, visibility, antialiasing; ``points`` of the longest of ``curves``.

        ``ratio`` is the screen's number of device px per px, which a cosmetic pen counts in.
        """
        pen = self.pen(curves, points)
        pen.setWidthF(pen.widthF() * ratio)
        self.item.setPen(pen)
        self.item.curve.setOpacity(opacity)
        self.item.setVisible(not self.hidden)
        thin = curves * points > DENSE_POINTS
        self.item.opts["antialias"] = not thin
        self.item.curve.opts["antialias"] = not thin

    def last(self, right_edge: float) -> int | None:
        """Index of the last defined point not beyond ``right_edge``; None where there is none."""
        end = len(self.x)
        if self.ordered and end and self.x[-1] > right_edge:
            end = int(np.searchsorted(self.x, right_edge, side="right"))
        for index in range(end - 1, max(end - 1000, -1), -1):
            if np.isfinite(self.x[index]) and np.isfinite(self.y[index]):
                return index
        return None
