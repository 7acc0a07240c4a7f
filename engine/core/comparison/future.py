"""What curves were still to become, behind what was known at a moment."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from engine.core.views import LinesState, Series, View, ViewState

Picture = tuple[View, ViewState]
LONG = 5_000
"""Points from which on the future of a curve is its whole outline, which lies under what is known."""
STRETCHES = 1_000
"""Stretches of an outline; each keeps its first, lowest, highest and last point."""


class Future:
    """The end of a history. Outlines of long curves are made once, so that playing costs next to nothing."""

    def __init__(self, end: Sequence[Picture]) -> None:
        self._end = list(end)
        self._outlines = {
            (view.name, one.name): outline(one)
            for view, state in self._end
            for one in (state.series if isinstance(state, LinesState) else ())
            if len(one.x) > LONG and not one.muted
        }

    def behind(self, now: Sequence[Picture]) -> list[Picture]:
        """The pictures of a moment, their curves followed by what was to come, muted.

        A picture that shows nothing yet is left out unless it has curves to come. A curve that was replaced
        since has no future.
        """
        states = {view.name: state for view, state in now}
        found = []
        for view, last in self._end:
            state = self._with_future(view.name, states.get(view.name), last)
            if state is not None:
                found.append((view, state))
        return found

    def _with_future(self, view: str, now: ViewState | None, end: ViewState) -> ViewState | None:
        if not isinstance(end, LinesState) or not (now is None or isinstance(now, LinesState)):
            return now
        present = {one.name: one for one in now.series} if now is not None else {}
        rest = [self._rest(view, present.get(one.name), one) for one in end.series if not one.muted]
        later = tuple(one for one in rest if one is not None)
        if not later:
            return now
        base = now if now is not None else dataclasses.replace(end, series=())
        return dataclasses.replace(base, series=(*later, *base.series))

    def _rest(self, view: str, now: Series | None, end: Series) -> Series | None:
        known = 0 if now is None else len(now.x)
        if known >= len(end.x) or (now is not None and known and not _begins(now, end, known)):
            return None
        whole = self._outlines.get((view, end.name))
        if whole is not None:
            return whole
        return _muted(end, slice(max(0, known - 1), None))


def outline(curve: Series) -> Series:
    """A long curve as a muted one of at most four points a stretch: first, lowest, highest, last."""
    y = np.asarray(curve.y, float)
    edges = np.linspace(0, len(y), STRETCHES + 1).astype(int)
    low = np.where(np.isfinite(y), y, np.inf)
    high = np.where(np.isfinite(y), y, -np.inf)
    kept = [edges[:-1], edges[1:] - 1]
    for start, stop in itertools.pairwise(edges):
        kept.append(np.array([start + low[start:stop].argmin(), start + high[start:stop].argmax()]))
    return _muted(curve, np.unique(np.concatenate(kept)))


def _muted(curve: Series, points: slice | np.ndarray) -> Series:
    return dataclasses.replace(
        curve,
        name=f"{curve.name} (later)",
        x=np.asarray(curve.x)[points],
        y=np.asarray(curve.y)[points],
        low=None,
        high=None,
        muted=True,
        marks=False,
        named=False,
    )


def _begins(now: Series, end: Series, known: int) -> bool:
    """Whether the last known point is the same; curves only grow, so that one point tells."""
    last = known - 1
    same_x = np.array_equal(now.x[last], end.x[last], equal_nan=True)
    return bool(same_x and np.array_equal(now.y[last], end.y[last], equal_nan=True))
