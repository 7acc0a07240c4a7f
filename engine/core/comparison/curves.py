"""Curves of several sides in one plot, and what they say in numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.comparison.sides import Side
from engine.core.intervals import t_quantile
from engine.core.views import Column, LinesState, Series, Table, TableState, ViewState

Shown = Sequence[tuple[Side, Sequence[ViewState]]]


def overlaid_series(shown: Shown) -> tuple[Series, ...]:
    """All curves: a name keeps its colour on every side, the side decides solid, dashed, dotted, dash-dot.

    A side of several seeds shows the mean with its 95% interval where its curves have the same x, and every
    run by itself where not.
    """
    colours = _colours(shown)
    series: list[Series] = []
    for name in colours:
        for side, states in shown:
            runs = [_named(state, name) for state in states]
            present = [(run, one) for run, one in zip(side.runs, runs, strict=True) if one is not None]
            if not present:
                continue
            colour = colours[name]
            mean = _mean([one for _, one in present])
            if len(present) == 1 or mean is not None:
                one = mean or present[0][1]
                series.append(_drawn(one, f"{name} {side.letter}", colour, side))
            else:
                series += [
                    _drawn(one, f"{name} {side.letter}, seed {run.seed}", colour, side)
                    for run, one in present
                ]
    return tuple(series)


def ends_table(pictures: Sequence[tuple[str, Shown]]) -> tuple[Table, TableState]:
    """The last, lowest and highest value of every curve on every side, with the x of the latter two.

    `pictures` are (title of the view, what each side shows). Of a side of several seeds the first run counts.
    """
    names: list[str] = []
    found: dict[str, list[dict[str, float]]] = {}
    sides: dict[str, None] = {}
    for title, shown in pictures:
        for name in _colours(shown):
            names.append(f"{title}, {name}")
            for side, states in shown:
                sides.setdefault(side.letter)
                found.setdefault(side.letter, [])
                curve = _named(states[0], name)
                while len(found[side.letter]) < len(names) - 1:
                    found[side.letter].append({})
                found[side.letter].append(_ends(curve) if curve is not None else {})
    columns = [Column(name="curve", title="Curve", values=tuple(names), kind="text")]
    for part in ("last", "lowest", "at lowest", "highest", "at highest"):
        for letter in sides:
            rows = found[letter] + [{}] * (len(names) - len(found[letter]))
            values = np.array([row.get(part, math.nan) for row in rows])
            columns.append(Column(name=f"{part} {letter}", title=f"{part} {letter}", values=values, digits=4))
    view = Table("curves", title="Curves in numbers", empty="Ends of curves appear here")
    return view, TableState(columns=tuple(columns), ids=tuple(names))


def _drawn(curve: Series, name: str, colour: int, side: Side) -> Series:
    return dataclasses.replace(curve, name=name, colour=colour, style=side.style)


def _colours(shown: Shown) -> dict[str, int]:
    """Every curve's colour by name, in the order of their first appearance."""
    colours: dict[str, int] = {}
    for _, states in shown:
        for state in states:
            for place, one in enumerate(state.series if isinstance(state, LinesState) else ()):
                colours.setdefault(one.name, place if one.colour is None else one.colour)
    return colours


def _named(state: Any, name: str) -> Series | None:
    return next((one for one in state.series if one.name == name), None)


def _mean(curves: Sequence[Series]) -> Series | None:
    """Mean and interval of curves over the same x; shorter ones (of stopped runs) cut the others."""
    count = min(len(one.x) for one in curves)
    if len(curves) < 2 or any(not np.array_equal(one.x[:count], curves[0].x[:count]) for one in curves):
        return None
    values = np.vstack([np.asarray(one.y, float)[:count] for one in curves])
    mean = values.mean(axis=0)
    half = t_quantile(len(curves)) * values.std(axis=0, ddof=1) / math.sqrt(len(curves))
    return dataclasses.replace(
        curves[0],
        x=np.asarray(curves[0].x)[:count],
        y=mean,
        low=mean - half,
        high=mean + half,
        spread=f"mean, 95% of {len(curves)} seeds",
    )


def _ends(curve: Series) -> dict[str, float]:
    x, y = np.asarray(curve.x, float), np.asarray(curve.y, float)
    known = np.flatnonzero(np.isfinite(y))
    if not known.size:
        return {}
    low, high = known[np.argmin(y[known])], known[np.argmax(y[known])]
    return {
        "last": float(y[known[-1]]),
        "lowest": float(y[low]),
        "at lowest": float(x[low]),
        "highest": float(y[high]),
        "at highest": float(x[high]),
    }
