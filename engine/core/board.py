"""What a run's views show at a moment, put together from its events.

The window, the figures and a reopened record all draw from a board, so that they agree. Points appended
to a curve are kept in buffers that double, so that a million appends cost a million copies, not more.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine.core.events import Append, EngineEvent, Numbers, Rows, Show, Value
from engine.core.views import LinesState, Series, ViewState


class Curve:
    """One growing curve: float64 columns x, y and, where they were ever given, low and high.

    Single points wait in a list (the cheapest append there is) until the curve is looked at.
    """

    def __init__(self) -> None:
        self._columns = np.empty((4, 64))
        self._size = 0
        self._spread = False
        self._waiting: list[tuple[Any, Any, Any, Any]] = []
        self._whole: tuple[Any, Any, Any, Any] | None = None

    def __len__(self) -> int:
        return self._size + len(self._waiting) + (len(self._whole[0]) if self._whole else 0)

    def adopt(self, x: np.ndarray, y: np.ndarray, low: np.ndarray | None, high: np.ndarray | None) -> None:
        """Begin with float64 arrays as they are: not copied, and not to be changed by anyone."""
        self._whole = (x, y, low, high)

    def extend(self, x: Numbers, y: Numbers, low: Numbers | None, high: Numbers | None) -> None:
        """Append numbers or equally long arrays."""
        if self._whole is not None:
            whole, self._whole = self._whole, None
            self.extend(*whole)
        if isinstance(x, (float, int)):
            self._waiting.append((x, y, low, high))
            return
        self._settle()
        block = np.empty((4, np.size(x)))
        block[0], block[1] = x, y
        block[2] = np.nan if low is None else low
        block[3] = np.nan if high is None else high
        self._add(block, low is not None)

    def series(self, style: Series) -> Series:
        """The curve with the name, colour and style of `style`. The arrays are views; do not write."""
        if self._whole is not None:
            x, y, low, high = self._whole
            return dataclasses.replace(style, x=x, y=y, low=low, high=high)
        self._settle()
        x, y, low, high = self._columns[:, : self._size]
        spread = {"low": low, "high": high} if self._spread else {"low": None, "high": None}
        return dataclasses.replace(style, x=x, y=y, **spread)

    def _settle(self) -> None:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            spread = any(point[2] is not None for point in waiting)
            self._add(np.array(waiting, dtype=float).T, spread)

    def _add(self, block: np.ndarray, spread: bool) -> None:
        end = self._size + block.shape[1]
        if end > self._columns.shape[1]:
            larger = np.empty((4, max(end, 2 * self._columns.shape[1])))
            larger[:, : self._size] = self._columns[:, : self._size]
            self._columns = larger
        self._columns[:, self._size : end] = block
        self._size = end
        self._spread |= spread


class Board:
    """The present state of every view, result and result table of one run. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.values: dict[str, Value] = {}
        self.tables: dict[str, dict[str, list[Any]]] = {}
        self._states: dict[str, ViewState] = {}
        self._curves: dict[str, dict[str, Curve]] = {}

    def apply(self, event: EngineEvent) -> str | None:
        """Take in one event; returns the name of the view it changed, if any."""
        with self._lock:
            return self._apply(event)

    def lay(
        self,
        view: str,
        series: str,
        x: np.ndarray,
        y: np.ndarray,
        low: np.ndarray | None = None,
        high: np.ndarray | None = None,
    ) -> None:
        """As an `Append` of whole arrays, but a curve that begins with them keeps them without a copy: what a
        million recorded points need to be scrubbed through."""
        with self._lock:
            curves = self._curves.setdefault(view, {})
            begun = curves.get(series) or self._begun(view, series)
            curves[series] = begun
            if len(begun):
                begun.extend(x, y, low, high)
            else:
                begun.adopt(x, y, low, high)

    def state(self, view: str) -> ViewState | None:
        """What `view` shows now; None before anything was shown."""
        with self._lock:
            return self._state(view)

    def _apply(self, event: EngineEvent) -> str | None:
        if isinstance(event, Append):
            self._append(event)
            return event.view
        if isinstance(event, Show):
            self._states[event.view] = event.state
            self._curves.pop(event.view, None)
            return event.view
        if isinstance(event, Rows):
            self._add_rows(event)
        elif isinstance(event, Value):
            self.values[event.name] = event
        return None

    def _append(self, event: Append) -> None:
        curves = self._curves.setdefault(event.view, {})
        curve = curves.get(event.series)
        if curve is None:
            curve = curves[event.series] = self._begun(event.view, event.series)
        curve.extend(event.x, event.y, event.low, event.high)

    def _state(self, view: str) -> ViewState | None:
        shown = self._states.get(view)
        curves = self._curves.get(view)
        if not curves:
            return shown
        base = shown if isinstance(shown, LinesState) else LinesState()
        styles = {series.name: series for series in base.series}
        for name in curves:
            styles.setdefault(name, Series(name=name, x=np.empty(0), y=np.empty(0)))
        grown = tuple(curves[n].series(s) if n in curves else s for n, s in styles.items())
        return dataclasses.replace(base, series=grown)

    def views(self) -> set[str]:
        """The names of the views that show something."""
        return set(self._states) | set(self._curves)

    def results(self) -> dict[str, float | int | str]:
        """The named results, name → value."""
        return {name: value.value for name, value in self.values.items()}

    @classmethod
    def of(cls, events: Iterable[EngineEvent]) -> Board:
        """The board after all of `events`."""
        board = cls()
        for event in events:
            board.apply(event)
        return board

    def _begun(self, view: str, name: str) -> Curve:
        curve = Curve()
        shown = self._states.get(view)
        for series in shown.series if isinstance(shown, LinesState) else ():
            if series.name == name and len(series.x):
                curve.extend(series.x, series.y, series.low, series.high)
        return curve

    def _add_rows(self, event: Rows) -> None:
        table = self.tables.get(event.table)
        if table is None or event.replace:
            table = self.tables[event.table] = {name: [] for name in event.columns}
        _extend(table, event.columns)


def _extend(table: dict[str, list[Any]], columns: Mapping[str, Any]) -> None:
    if set(columns) != set(table):
        raise ValueError(f"rows have columns {sorted(columns)}, the table has {sorted(table)}")
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"columns of unequal length: {sorted(lengths)}")
    for name, values in columns.items():
        table[name].extend(values.tolist() if isinstance(values, np.ndarray) else values)
