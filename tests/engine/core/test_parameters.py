"""Parameters: one declaration, from which forms, messages and the terminal derive."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import FieldError, UnknownNameError
from engine.core.parameters import FieldSpec, MethodParameters, When, field, range_field


class Example(MethodParameters):
    """One field of every kind."""

    count: int = field(3, ge=2, le=500, unit="clusters", help="How many")
    rate: float = field(0.1, gt=0, help="Step size")
    span: tuple[int, int] = range_field((2, 10), ge=1, le=60, help="From, to", title="Clusters k")
    rules: tuple[Literal["single", "complete"], ...] = field(("single",), help="Which", min_length=1)
    metric: Literal["euclidean", "cosine"] = field(
        "euclidean", help="Distance", when=When("rules", ("complete",)), labels={"cosine": "cosine *"}
    )
    check: bool = field(False, help="Whether to check", group="advanced")
    limit: int | None = field(None, ge=1, help="At most, or no limit")
    note: str = field("", help="Anything", max_length=5)


SPECS = {spec.name: spec for spec in Example.fields()}


@pytest.mark.parametrize(
    ("name", "kind", "allowed"),
    [
        ("count", "integer", "an integer from 2 to 500"),
        ("rate", "number", "a number, above 0"),
        ("span", "range", "integers low,high with low at most high, from 1 to 60"),
        ("rules", "several", "one or more of single or complete"),
        ("metric", "choice", "one of euclidean or cosine"),
        ("check", "toggle", "true or false"),
        ("limit", "integer", "an integer, at least 1 or empty"),
        ("note", "text", "text of at most 5 characters"),
    ],
)
def test_a_field_says_its_kind_and_what_is_allowed(name: str, kind: str, allowed: str) -> None:
    assert (SPECS[name].kind, SPECS[name].allowed()) == (kind, allowed)


def test_everything_the_form_needs_comes_from_the_field() -> None:
    assert SPECS["count"].unit == "clusters"
    assert SPECS["span"].title == "Clusters k"
    assert SPECS["check"].group == "advanced"
    assert SPECS["metric"].label("cosine") == "cosine *"
    assert SPECS["metric"].when is not None
    assert not SPECS["metric"].when.holds({"rules": ("single",)})
    assert SPECS["metric"].when.holds({"rules": ("single", "complete")})
    assert SPECS["limit"].optional


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"count": 1}, "Count: 1 is not allowed. An integer from 2 to 500."),
        ({"count": "many"}, "Count: “many” is not allowed. An integer from 2 to 500."),
        ({"rate": float("nan")}, "Rate: nan is not allowed. A number, above 0."),
        (
            {"span": (5, 3)},
            "Clusters k: “5, 3” is not allowed. Integers low,high with low at most high, from 1 to 60.",
        ),
        ({"rules": ()}, "Rules: “” is not allowed. One or more of single or complete."),
        ({"metric": "cosin"}, "Metric: “cosin” is not allowed. One of euclidean or cosine."),
        ({"note": "too long"}, "Note: “too long” is not allowed. Text of at most 5 characters."),
    ],
)
def test_a_wrong_value_is_told_in_one_sentence(values: dict[str, Any], sentence: str) -> None:
    (error,) = Example.problems(values)
    assert str(error) == sentence
    assert error.field == next(iter(values))
    with pytest.raises(FieldError):
        Example.build(values)


def test_all_problems_are_found_together() -> None:
    problems = Example.problems({"count": 1, "rate": -1, "cout": 3})
    assert [type(problem) for problem in problems] == [UnknownNameError, FieldError, FieldError]
    assert str(problems[0]) == "There is no parameter named “cout”. Did you mean count or note?"


def test_text_from_a_terminal_becomes_values() -> None:
    texts = {"count": "5", "rate": "1e-3", "span": "2,60", "rules": "single,complete", "limit": "none"}
    values = Example.build(Example.parse({**texts, "check": "yes", "note": "3"}))
    assert values.model_dump() == {
        "count": 5,
        "rate": 0.001,
        "span": (2, 60),
        "rules": ("single", "complete"),
        "metric": "euclidean",
        "check": True,
        "limit": None,
        "note": "3",
    }


@given(st.integers(2, 500), st.floats(1e-300, 1e300), st.text(max_size=5).map(str.strip))
def test_values_come_back_from_a_record_as_they_were(count: int, rate: float, note: str) -> None:
    before = Example(count=count, rate=rate, note=note)
    assert Example.build(before.as_record()) == before


def test_a_field_spec_is_made_for_each_field_in_order() -> None:
    assert [spec.name for spec in Example.fields()] == list(Example.model_fields)
    assert isinstance(Example.fields()[0], FieldSpec)
