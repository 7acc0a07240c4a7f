"""Views of the same name over each other where their kind allows it, beside each other where not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.core.comparison.curves import overlaid_series
from engine.core.comparison.sides import COLOURS, STYLES, Side
from engine.core.comparison.tables import joined_states
from engine.core.views import (
    BarsState,
    HeatMapState,
    LinesState,
    TableState,
    View,
    ViewState,
)

Picture = tuple[View, ViewState]
Shown = Sequence[tuple[Side, Sequence[ViewState]]]
"""What each side shows in one view, a state for each of its runs."""

MOST_SIDES = len(STYLES)
"""Sides that can be told apart in one picture; tables show all."""


def overlay(view: View, shown: Shown, total: int | None = None) -> list[Picture]:
    """The pictures that compare one view: one where its kind can be overlaid, else one for each side.

    `total` is how many runs are compared; a picture that shows fewer says so.
    """
    shown = [(side, states) for side, states in shown if states]
    if not shown:
        return []
    together = _TOGETHER.get(view.kind)
    if len(shown) > 1 and together is not None:
        drawn = shown if view.kind == "table" else shown[:MOST_SIDES]
        state = together(view, drawn)
        if state is not None:
            return [(view, dataclasses.replace(state, caption=_caption(state, drawn, total)))]
    return _apart(view, shown[:MOST_SIDES], total)


def _apart(view: View, shown: Shown, total: int | None) -> list[Picture]:
    """One picture a side, the first run of each; scales of matrices are shared."""
    firsts = [states[0] for _, states in shown]
    if isinstance(firsts[0], HeatMapState):
        firsts = list(_one_scale(firsts))
    pictures = []
    for (side, states), state in zip(shown, firsts, strict=True):
        title = f"{view.title}, {side.letter}"
        named = dataclasses.replace(view, name=f"{view.name}.{side.letter}", title=title)
        counted = f"1 of {len(states)} seeds" if len(states) > 1 else ""
        caption = " · ".join(filter(None, [side.name, counted, state.caption]))
        pictures.append((named, dataclasses.replace(state, caption=caption, controls=())))
    return pictures


def _lines(view: View, shown: Shown) -> LinesState | None:
    states = [state for _, each in shown for state in each if isinstance(state, LinesState)]
    if len({_axes(state) for state in states}) > 1 or getattr(view, "stacked", False):
        return None
    first = states[0]
    firsts = [(side, each[0]) for side, each in shown]
    return dataclasses.replace(
        first,
        series=overlaid_series(shown),
        brackets=_neutral(firsts, "brackets"),
        references=_neutral(firsts, "references"),
        levels=_neutral(firsts, "levels"),
        rugs=_neutral(firsts, "rugs"),
        spans=_neutral(firsts, "spans"),
        controls=(),
    )


def _axes(state: LinesState) -> tuple[object, ...]:
    return (state.x, state.y)


def _neutral(firsts: Sequence[tuple[Side, Any]], part: str) -> tuple[Any, ...]:
    """References and the like: once where all sides have the same, else with the side's letter."""
    found: dict[str, list[tuple[Side, Any]]] = {}
    for side, state in firsts:
        for item in getattr(state, part):
            found.setdefault(item.name, []).append((side, item))
    kept: list[Any] = []
    for name, items in found.items():
        if len(items) == len(firsts) and all(_equal(items[0][1], item) for _, item in items):
            kept.append(_still(items[0][1]))
        else:
            kept += [_still(dataclasses.replace(item, name=f"{name} {side.letter}")) for side, item in items]
    return tuple(kept)


def _still(item: Any) -> Any:
    """Nothing is dragged in a comparison."""
    return dataclasses.replace(item, draggable=False) if hasattr(item, "draggable") else item


def _equal(one: Any, other: Any) -> bool:
    pairs = ((getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    return all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f") if isinstance(a, np.ndarray) else a == b
        for a, b in pairs
    )


def _bars(view: View, shown: Shown) -> BarsState | None:
    """Bars of one series a side, grouped by category; anything else stands apart."""
    firsts = [states[0] for _, states in shown]
    first = firsts[0]
    if not isinstance(first, BarsState) or getattr(view, "stacked", False):
        return None
    for state in firsts:
        if not isinstance(state, BarsState) or len(state.series) != 1:
            return None
        if state.categories != first.categories or not _same_edges(state.edges, first.edges):
            return None
    series = tuple(
        dataclasses.replace(
            state.series[0],
            name=f"{state.series[0].name} {side.letter}",
            colour=COLOURS[place],
            colours=None,
        )
        for place, ((side, _), state) in enumerate(zip(shown, firsts, strict=True))
        if isinstance(state, BarsState)
    )
    levels = _neutral([(side, states[0]) for side, states in shown], "levels")
    return dataclasses.replace(first, series=series, levels=levels, controls=())


def _same_edges(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    return one is other is None or (one is not None and other is not None and np.array_equal(one, other))


def _table(view: View, shown: Shown) -> TableState | None:
    return joined_states(shown)


def _one_scale(states: Sequence[Any]) -> list[HeatMapState]:
    finite = [state.values[np.isfinite(state.values)] for state in states]
    known = [values for values in finite if values.size]
    if not known:
        return list(states)
    low, high = min(float(v.min()) for v in known), max(float(v.max()) for v in known)
    limits = (low, high) if low < high else None
    return [dataclasses.replace(state, limits=state.limits or limits) for state in states]


def _caption(state: ViewState, drawn: Shown, total: int | None) -> str:
    runs = sum(len(states) for _, states in drawn)
    letters = ", ".join(f"{side.letter} {side.style}" for side, _ in drawn)
    head = letters if isinstance(state, LinesState) else ", ".join(side.letter for side, _ in drawn)
    counted = f"{runs} of {total} runs" if total is not None and runs < total else ""
    return " · ".join(filter(None, [head, counted]))


_TOGETHER: dict[str, Callable[[View, Shown], ViewState | None]] = {
    "lines": _lines,
    "bars": _bars,
    "table": _table,
}
