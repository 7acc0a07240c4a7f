"""The board: what views show after some events."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.board import Board
from engine.core.events import Append, Rows, Show, Value
from engine.core.views import LinesState, Series


def curve(board: Board, view: str, name: str) -> Series:
    state = board.state(view)
    assert isinstance(state, LinesState)
    return next(series for series in state.series if series.name == name)


@given(st.lists(st.integers(1, 300), max_size=12))
def test_a_curve_keeps_every_point_in_order(blocks: list[int]) -> None:
    board, x = Board(), np.arange(float(sum(blocks)))
    start = 0
    for size in blocks:
        part = x[start : start + size]
        if size == 1:
            board.apply(Append("loss", "a", float(part[0]), float(part[0]) * 2))
        else:
            board.apply(Append("loss", "a", part, part * 2))
        start += size
    if blocks:
        assert np.array_equal(curve(board, "loss", "a").x, x)
        assert np.array_equal(curve(board, "loss", "a").y, x * 2)


def test_a_shown_state_replaces_the_curves_and_points_are_added_to_it() -> None:
    board = Board()
    board.apply(Append("loss", "a", 0.0, 5.0))
    style = Series(name="a", x=np.array([1.0]), y=np.array([2.0]), colour=3)
    board.apply(Show("loss", LinesState(series=(style,), caption="log")))
    board.apply(Append("loss", "a", 2.0, 4.0, 3.0, 5.0))
    series = curve(board, "loss", "a")
    assert series.x.tolist() == [1.0, 2.0]
    assert series.colour == 3
    assert series.high is not None
    assert np.isnan(series.high[0])
    assert series.high[1] == 5.0
    assert board.state("loss").caption == "log"  # type: ignore[union-attr]


def test_a_picture_taken_earlier_does_not_change() -> None:
    board = Board()
    board.apply(Append("loss", "a", 0.0, 1.0))
    before = curve(board, "loss", "a")
    for step in range(1, 500):
        board.apply(Append("loss", "a", float(step), 7.0))
    assert before.y.tolist() == [1.0]
    assert len(curve(board, "loss", "a").y) == 500


def test_rows_and_values() -> None:
    board = Board()
    board.apply(Rows("ratios", {"k": [2, 3], "ratio": np.array([1.5, np.inf])}))
    board.apply(Rows("ratios", {"k": [4], "ratio": [1.0]}))
    assert board.tables["ratios"] == {"k": [2, 3, 4], "ratio": [1.5, np.inf, 1.0]}
    board.apply(Rows("ratios", {"k": [9], "ratio": [0.0]}, replace=True))
    assert board.tables["ratios"]["k"] == [9]
    board.apply(Value("final", 3.5))
    assert board.results() == {"final": 3.5}
    with pytest.raises(ValueError, match="unequal length"):
        board.apply(Rows("ratios", {"k": [1, 2], "ratio": [0.0]}))
    with pytest.raises(ValueError, match="the table has"):
        board.apply(Rows("ratios", {"k": [1]}))


def test_whole_arrays_laid_down_are_kept_without_a_copy_and_can_still_grow() -> None:
    x, y = np.arange(3.0), np.array([5.0, 6.0, 7.0])
    board = Board()
    board.lay("path", "walker", x, y)
    state = board.state("path")
    assert isinstance(state, LinesState)
    assert np.shares_memory(state.series[0].y, y)
    board.apply(Append("path", "walker", 3.0, 8.0))
    grown = board.state("path")
    assert isinstance(grown, LinesState)
    assert grown.series[0].y.tolist() == [5, 6, 7, 8]
    assert grown.series[0].low is None
    assert y.tolist() == [5, 6, 7]


def test_arrays_laid_on_a_curve_that_was_shown_go_behind_it() -> None:
    board = Board()
    begun = Series(name="walker", x=np.array([0.0]), y=np.array([1.0]), colour=4)
    board.apply(Show("path", LinesState(series=(begun,))))
    board.lay("path", "walker", np.array([1.0]), np.array([2.0]), np.array([1.5]), np.array([2.5]))
    state = board.state("path")
    assert isinstance(state, LinesState)
    (series,) = state.series
    assert (series.x.tolist(), series.y.tolist(), series.colour) == ([0, 1], [1, 2], 4)
    assert series.high is not None
    assert series.high[1] == 2.5
