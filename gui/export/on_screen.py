"""A view as the person sees it, for export: the state without what was hidden, and what is selected."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.views import BarsState, LinesState, ScatterState, View, ViewState
from gui.views.drawing import Drawing

_PER_POINT = ("x", "y", "group", "ids", "names", "value", "size", "low", "high", "hollow")


@dataclass(frozen=True)
class Shown:
    """A view, its state without hidden parts, and the selected ids."""

    view: View
    state: ViewState
    selection: tuple[int | str, ...] = ()


def as_shown(drawing: Drawing, latest: ViewState | None) -> Shown | None:
    """What `drawing` shows, or would show of the `latest` state if it were seen; None without a state."""
    state = drawing.shown_state() or latest
    if state is None:
        return None
    chosen = tuple(drawing.chosen().tolist())
    return Shown(drawing.view, without(state, drawing.hidden()), chosen)


def without(state: ViewState, hidden: frozenset[str]) -> ViewState:
    """`state` without the series or groups of these names; colours stay with their entities."""
    if not hidden:
        return state
    if isinstance(state, LinesState):
        return _without_curves(state, hidden)
    if isinstance(state, BarsState):
        kept = tuple(one for one in state.series if one.name not in hidden)
        return dataclasses.replace(state, series=kept)
    if isinstance(state, ScatterState):
        return _without_groups(state, hidden)
    return state


def _without_curves(state: LinesState, hidden: frozenset[str]) -> LinesState:
    # A curve without a colour of its own has that of its place: say it before others are taken away.
    coloured = [
        one if one.colour is not None else dataclasses.replace(one, colour=place)
        for place, one in enumerate(state.series)
    ]
    return dataclasses.replace(
        state,
        series=tuple(one for one in coloured if one.name not in hidden),
        brackets=tuple(one for one in state.brackets if one.name not in hidden),
        references=tuple(one for one in state.references if one.name not in hidden),
    )


def _without_groups(state: ScatterState, hidden: frozenset[str]) -> ScatterState:
    if state.group is None:
        return state
    gone = [place for place, group in enumerate(state.groups) if group.name in hidden]
    colours = {state.groups[place].colour for place in gone}
    kept = ~np.isin(state.group, gone)
    ids = np.arange(len(state.x)) if state.ids is None else state.ids
    changes: dict[str, Any] = {"ids": ids[kept]}
    for name in _PER_POINT:
        values = getattr(state, name)
        if name != "ids" and values is not None and len(values) == len(kept):
            changes[name] = np.asarray(values)[kept]
    return dataclasses.replace(
        state,
        **changes,
        groups=tuple(group for group in state.groups),
        polygons=tuple(one for one in state.polygons if one.colour not in colours),
    )
