"""What a run's views show at a moment, put together from its events.

The window, the figures and a reopened record all draw from a board, so that they agree. Points appended
to a curve are kept in buffers that double, so that a million appends cost a million copies, not more.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine.core.events import Append, EngineEvent, Numbers, Rows, Show, Value
from engine.core.views import LinesState, Series, ViewState


class Curve:
    """One growing curve: float64 columns x, y and, where they were ever given, low and high."""

    def __init__(self) -> None:
        self._columns = np.empty((4, 64))
        self._size = 0
        self._spread = False

    def __len__(self) -> int:
        return self._size

    def extend(self, x: Numbers, y: Numbers, low: Numbers | None, high: Numbers | None) -> None:
        """Append numbers or equally long arrays."""
        count = 1 if np.ndim(x) == 0 else len(x)  # type: ignore[arg-type]
        self._make_room(count)
        place = slice(self._size, self._size + count)
        self._columns[0, place] = x
        self._columns[1, place] = y
        self._columns[2, place] = np.nan if low is None else low
        self._columns[3, place] = np.nan if high is None else high
        self._spread |= low is not None
        self._size += count

    def series(self, style: Series) -> Series:
        """The curve with the name, colour and style of `style`. The arrays are views; do not write."""
        x, y, low, high = self._columns[:, : self._size]
        spread = {"low": low, "high": high} if self._spread else {"low": None, "high": None}
        return dataclasses.replace(style, x=x, y=y, **spread)

    def _make_room(self, count: int) -> None:
        if self._size + count > self._columns.shape[1]:
            larger = np.empty((4, max(self._size + count, 2 * self._columns.shape[1])))
            larger[:, : self._size] = self._columns[:, : self._size]
            self._columns = larger


class Board:
    """The present state of every view, result and result table of one run."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.tables: dict[str, dict[str, list[Any]]] = {}
        self._states: dict[str, ViewState] = {}
        self._curves: dict[str, dict[str, Curve]] = {}

    def apply(self, event: EngineEvent) -> str | None:
        """Take in one event; returns the name of the view it changed, if any."""
        if isinstance(event, Append):
            self.append(event.view, event.series, event.x, event.y, event.low, event.high)
            return event.view
        if isinstance(event, Show):
            self.show(event.view, event.state)
            return event.view
        if isinstance(event, Rows):
            self._add_rows(event)
        elif isinstance(event, Value):
            self.values[event.name] = event
        return None

    def show(self, view: str, state: ViewState) -> None:
        """The view's new state; curves appended before it are replaced by the state's own."""
        self._states[view] = state
        self._curves.pop(view, None)

    def append(
        self,
        view: str,
        series: str,
        x: Numbers,
        y: Numbers,
        low: Numbers | None = None,
        high: Numbers | None = None,
    ) -> None:
        """Points added to one curve of a lines view."""
        curves = self._curves.setdefault(view, {})
        if series not in curves:
            curves[series] = self._begun(view, series)
        curves[series].extend(x, y, low, high)

    def state(self, view: str) -> ViewState | None:
        """What `view` shows now; None before anything was shown."""
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
