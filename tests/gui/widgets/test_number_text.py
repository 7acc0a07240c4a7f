"""Numbers as typed and as written."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.widgets.number_text import NotANumber, bounds_problem, format_number, parse_number, step_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("−3", -3.0),
        ("-.5", -0.5),
        (" 2E+2 ", 200.0),
        ("5.", 5.0),
        ("0", 0.0),
        ("1e-320", 1e-320),
    ],
)
def test_decimal_numbers_are_read_exactly(text: str, value: float) -> None:
    assert parse_number(text, whole=False) == value


@pytest.mark.parametrize(
    "text", ["", "1e", "abc", "1 000", "0x10", "nan", "inf", "1e999", "1e-999", "--1", "1_0"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NotANumber):
        parse_number(text, whole=False)


def test_a_comma_is_refused_because_it_has_two_readings() -> None:
    with pytest.raises(NotANumber, match="two ways"):
        parse_number("1,000", whole=False)


def test_whole_numbers_may_be_scientific_but_not_broken() -> None:
    assert parse_number("1e3", whole=True) == 1000
    assert isinstance(parse_number("1e3", whole=True), int)
    assert parse_number("12345678901234567890", whole=True) == 12345678901234567890
    with pytest.raises(NotANumber, match="not a whole number"):
        parse_number("2.5", whole=True)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_survives_writing_and_reading(value: float) -> None:
    assert parse_number(format_number(value), whole=False) == value


@given(st.integers(min_value=-(10**18), max_value=10**18))
def test_every_whole_number_survives_writing_and_reading(value: int) -> None:
    assert parse_number(format_number(value), whole=True) == value


def test_small_numbers_are_not_written_as_zero() -> None:
    assert format_number(1e-6) == "1e−6"
    assert format_number(-0.001) == "−0.001"
    assert format_number(60.0) == "60"
    with pytest.raises(ValueError, match="no number"):
        format_number(math.nan)


@pytest.mark.parametrize(
    ("value", "step", "count", "expected"),
    [
        (0.1, 0.1, 2, 0.3),
        (0.001, None, 1, 0.002),
        (0.001, None, -1, 0.0009),
        (0.0009, None, 1, 0.001),
        (5, None, -10, -5),
        (250.0, None, 1, 350.0),
        (0.0, None, 1, 0.1),
        (-100.0, None, 1, -90.0),
        (-100.0, None, -1, -200.0),
    ],
)
def test_steps_are_decimal(value: float, step: float | None, count: int, expected: float) -> None:
    assert step_number(value, step, count) == expected


def test_bounds_say_what_was_found_and_what_is_allowed() -> None:
    assert bounds_problem(-3, 1, 2000) == "−3 is below 1. Between 1 and 2000."
    assert bounds_problem(300, 2, 212) == "300 is above 212. Between 2 and 212."
    assert bounds_problem(0, 1, None) == "0 is below 1. 1 or more."
    assert bounds_problem(7, 1, 10) == ""
