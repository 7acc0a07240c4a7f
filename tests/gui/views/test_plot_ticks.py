"""Ticks, limits and number words of plots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.views.direct_labels import push_apart
from gui.views.ticks import (
    aligned_words,
    degree_ticks,
    linear_ticks,
    log_ticks,
    nice_limits,
    to_drawn,
    value_words,
)


def words(ticks: list[tuple[float, str]]) -> list[str]:
    return [text for _, text in ticks]


def test_linear_ticks_are_round_with_a_true_minus() -> None:
    assert words(linear_ticks(-1.6, 1.4)) == ["−1.5", "−1.0", "−0.5", "0", "0.5", "1.0"]
    assert words(linear_ticks(0, 3375, 4)) == ["0", "1,000", "2,000", "3,000"]
    assert words(linear_ticks(0, 1, 4)) == ["0", "0.25", "0.50", "0.75", "1.00"]


@given(
    st.floats(-1e6, 1e6, allow_nan=False),
    st.floats(1e-3, 1e6, allow_nan=False),
    st.floats(2, 7),
)
def test_linear_ticks_lie_inside_and_are_not_too_many(low: float, span: float, wanted: float) -> None:
    ticks = linear_ticks(low, low + span, wanted)
    assert 1 <= len(ticks) <= 2 * wanted + 2
    assert all(low - 1e-6 * span <= value <= low + span * (1 + 1e-6) for value, _ in ticks)
    assert len(set(words(ticks))) == len(ticks)


def test_log_ticks_follow_the_number_of_decades() -> None:
    assert words(log_ticks(np.log10(2), 1.0)) == ["2", "3", "4", "5", "6", "8", "10"]
    assert words(log_ticks(0, np.log10(50))) == ["1", "2", "5", "10", "20", "50"]
    assert words(log_ticks(0, 4)) == ["1", "10", "100", "1,000", "10,000"]
    assert words(log_ticks(-6, 0, 4)) == ["10⁻⁶", "10⁻⁴", "0.01", "1"]


def test_degrees_have_letters() -> None:
    assert words(degree_ticks(-170, -80, 4, latitude=False)) == ["160°W", "140°W", "120°W", "100°W", "80°W"]
    assert words(degree_ticks(-10, 70, 4, latitude=True)) == ["0°", "20°N", "40°N", "60°N"]


def test_nice_limits_hold_the_data() -> None:
    assert nice_limits(0.02, 7.08, zero=True) == (0.0, 8.0)
    assert nice_limits(np.log10(1.3), np.log10(30), log=True) == pytest.approx((0.0, np.log10(50)))
    low, high = nice_limits(3.0, 3.0)
    assert low < 3.0 < high


def test_values_are_written_for_reading() -> None:
    assert value_words(-1234.5) == "−1,234"
    assert value_words(0.012345) == "0.01234" or value_words(0.012345) == "0.01235"
    assert value_words(float("nan")) == "not defined"
    assert value_words(float("inf")) == "∞"
    assert value_words(2.5e-7, 2) == "2.5 × 10⁻⁷"
    assert aligned_words([1.7123, 4.15, 2.2]) == ["1.71", "4.15", "2.20"]


def test_what_a_log_axis_cannot_show_is_undefined() -> None:
    drawn = to_drawn(np.array([100.0, 0.0, -3.0, np.nan]), True)
    assert drawn[0] == 2.0
    assert np.isnan(drawn[1:]).all()


@given(st.lists(st.floats(0, 300, allow_nan=False), min_size=1, max_size=15))
def test_labels_are_pushed_apart_in_order(places: list[float]) -> None:
    moved = push_apart(places, 13, 0, 300)
    order = np.argsort(places, kind="stable")
    gaps = np.diff(np.array(moved)[order])
    assert (gaps >= 13 - 1e-6).all()
    assert min(moved) >= -1e-9
    assert max(moved) <= 300 + 1e-9


def test_labels_that_do_not_touch_stay() -> None:
    assert push_apart([10.0, 100.0, 50.0], 13, 0, 300) == [10.0, 100.0, 50.0]
    assert push_apart([50.0, 50.0], 13, 0, 300) == [43.5, 56.5]
