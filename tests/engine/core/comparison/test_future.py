"""What curves were still to become, muted, behind what was known."""

from __future__ import annotations

import numpy as np

from engine.core.comparison.future import LONG, Future, outline
from engine.core.views import Axis, Lines, LinesState, Scatter, ScatterState, Series, ViewState

VIEW = Lines("l", title="L", x=Axis("x"), y=Axis("y"))


def curve(y: list[float] | np.ndarray, **look: object) -> Series:
    return Series(name="u", x=np.arange(len(y), dtype=float), y=np.array(y), **look)  # type: ignore[arg-type]


def behind(now: LinesState, end: LinesState) -> LinesState:
    ((_, state),) = Future([(VIEW, end)]).behind([(VIEW, now)])
    assert isinstance(state, LinesState)
    return state


def test_the_rest_begins_at_the_last_known_point() -> None:
    later, now = behind(LinesState(series=(curve([1, 2]),)), LinesState(series=(curve([1, 2, 3, 4]),))).series
    assert (later.name, later.muted) == ("u (later)", True)
    assert (later.x.tolist(), later.y.tolist()) == ([1, 2, 3], [2, 3, 4])
    assert now.y.tolist() == [1, 2]


def test_a_curve_that_was_replaced_has_no_rest() -> None:
    now = LinesState(series=(curve([1, 2]),))
    assert behind(now, LinesState(series=(curve([9, 9, 9]),))) is now


def test_at_the_end_nothing_is_added() -> None:
    end = LinesState(series=(curve([1, 2]),))
    assert behind(end, end) is end


def test_before_the_first_state_the_whole_curve_is_to_come() -> None:
    points = Scatter("s", title="S", x=Axis("x"), y=Axis("y"))
    end: list[tuple[Lines | Scatter, ViewState]] = [
        (VIEW, LinesState(series=(curve([1, 2]),))),
        (points, ScatterState(x=np.zeros(1), y=np.zeros(1))),
    ]
    ((shown, state),) = Future(end).behind([])
    assert shown is VIEW
    assert isinstance(state, LinesState)
    assert [one.muted for one in state.series] == [True]


def test_of_a_long_curve_the_outline_lies_under_what_is_known() -> None:
    rng = np.random.default_rng(1)
    heights = rng.normal(size=20 * LONG)
    heights[777] = 99.0
    end = LinesState(series=(curve(heights),))
    future = Future([(VIEW, end)])
    states = []
    for known in (10, 500):
        ((_, state),) = future.behind([(VIEW, LinesState(series=(curve(heights[:known]),)))])
        states.append(state)
    first, second = (state.series[0] for state in states if isinstance(state, LinesState))
    # Nothing new at another moment.
    assert first is second
    assert len(first.x) <= 4_000
    assert (first.y.max(), first.y.min()) == (99.0, heights.min())
    assert (first.x[0], first.x[-1]) == (0, len(heights) - 1)


def test_an_outline_passes_over_gaps() -> None:
    heights = np.full(2 * LONG, np.nan)
    heights[100] = 5.0
    assert np.nanmax(outline(curve(heights)).y) == 5.0
