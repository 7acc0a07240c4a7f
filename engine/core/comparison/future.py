"""What a curve was still to become, behind what was known at a moment."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.core.views import LinesState, Series, View, ViewState

Picture = tuple[View, ViewState]


def with_future(now: ViewState | None, end: ViewState | None) -> ViewState | None:
    """`now` with the rest of its curves, up to `end`, as muted ones; other kinds as they are.

    A curve has a rest where its points are the first ones of the curve of the same name at the end.
    """
    if not isinstance(end, LinesState) or not (now is None or isinstance(now, LinesState)):
        return now
    present = {one.name: one for one in now.series} if now is not None else {}
    rest = [_rest(present.get(one.name), one) for one in end.series if not one.muted]
    later = tuple(one for one in rest if one is not None)
    if not later:
        return now
    base = now if now is not None else dataclasses.replace(end, series=())
    return dataclasses.replace(base, series=(*later, *base.series))


def pictures_with_future(now: Sequence[Picture], end: Sequence[Picture]) -> list[Picture]:
    """Every picture of the end, as `with_future`; without those that show nothing yet and have no curves."""
    states = {view.name: state for view, state in now}
    found = []
    for view, last in end:
        state = with_future(states.get(view.name), last)
        if state is not None:
            found.append((view, state))
    return found


def _rest(now: Series | None, end: Series) -> Series | None:
    known = 0 if now is None else len(now.x)
    if known >= len(end.x):
        return None
    if now is not None and known and not _begins(now, end, known):
        return None
    start = max(0, known - 1)
    # A colour of its own is kept, so that the curves before and after it keep theirs by place.
    return dataclasses.replace(
        end, name=f"{end.name} (later)", x=end.x[start:], y=end.y[start:], low=None, high=None, muted=True,
        marks=False,
    )  # fmt: skip


def _begins(now: Series, end: Series, known: int) -> bool:
    """Whether the last known point is the same; curves only grow, so that one point tells."""
    last = known - 1
    same_x = np.array_equal(now.x[last], end.x[last], equal_nan=True)
    return bool(same_x and np.array_equal(now.y[last], end.y[last], equal_nan=True))
