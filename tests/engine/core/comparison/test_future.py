"""The rest of a curve, muted, behind what was known."""

from __future__ import annotations

import numpy as np

from engine.core.comparison.future import pictures_with_future, with_future
from engine.core.views import Axis, Lines, LinesState, Scatter, ScatterState, Series


def curve(y: list[float], **look: object) -> Series:
    return Series(name="u", x=np.arange(len(y), dtype=float), y=np.array(y), **look)  # type: ignore[arg-type]


def test_the_rest_begins_at_the_last_known_point() -> None:
    end = LinesState(series=(curve([1, 2, 3, 4], colour=3),))
    state = with_future(LinesState(series=(curve([1, 2]),)), end)
    assert isinstance(state, LinesState)
    later, now = state.series
    assert (later.name, later.muted, later.x.tolist(), later.y.tolist()) == (
        "u (later)",
        True,
        [1, 2, 3],
        [2, 3, 4],
    )
    assert now.y.tolist() == [1, 2]


def test_a_curve_that_was_replaced_has_no_rest() -> None:
    now = LinesState(series=(curve([1, 2]),))
    assert with_future(now, LinesState(series=(curve([9, 9, 9]),))) is now


def test_at_the_end_nothing_is_added() -> None:
    end = LinesState(series=(curve([1, 2]),))
    assert with_future(end, end) is end


def test_before_the_first_state_the_whole_curve_is_to_come() -> None:
    view = Lines("l", title="L", x=Axis("x"), y=Axis("y"))
    points = Scatter("s", title="S", x=Axis("x"), y=Axis("y"))
    end = [
        (view, LinesState(series=(curve([1, 2]),))),
        (points, ScatterState(x=np.zeros(1), y=np.zeros(1))),
    ]
    ((shown, state),) = pictures_with_future([], end)
    assert shown is view
    assert isinstance(state, LinesState)
    assert [one.muted for one in state.series] == [True]
