"""What is typed for a grid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import FieldError, UnknownNameError
from engine.core.method import Method
from engine.core.registry import method
from engine.core.sweeps.grid import combinations, parse_grid, parse_values, setting_words, spaced


def spec(owner: Method, name: str) -> Any:
    return next(s for s in owner.parameters.fields() if s.name == name)


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("x=1,2.5,-3", (1, 2.5, -3)),
        ("x=1,1,2", (1, 2)),
        ("x=0:1:5", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("x=0.1:0.3:3", (0.1, 0.2, 0.3)),
        ("x=0.01:100:3:log", (0.01, 1.0, 100.0)),
        ("x=5,1:3:3", (5, 1.0, 2.0, 3.0)),
        ("rows=1:10:4", (1, 4, 7, 10)),
        ("rows=1:3:9", (1, 2, 3)),
        ("kind=plain,faulty", ("plain", "faulty")),
        ("cured=a.txt;b, c.txt", ("a.txt", "b, c.txt")),
    ],
)
def test_values_as_typed(trial: Method, typed: str, values: tuple[Any, ...]) -> None:
    (found,) = parse_grid(trial, [typed]).values()
    assert found == values


def test_lists_and_texts_with_commas_are_separated_by_semicolons(walk: Method) -> None:
    best_arm = method("best_arm")
    assert parse_values(spec(walk, "window"), "2,10;3,5") == ([2, 10], [3, 5])
    assert parse_values(spec(best_arm, "algorithms"), "sr,sh;sr") == (["sr", "sh"], ["sr"])
    assert parse_values(spec(best_arm, "algorithms"), "sr,sh") == (["sr"], ["sh"])
    assert parse_values(spec(best_arm, "budgets"), "100, 200;400") == ("100, 200", "400")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("x", "--grid: “x” is not allowed. Write field=a,b,c or field=low:high:count."),
        ("x=", "X: “” is not allowed. Name at least one value."),
        ("x=1:2", "X: “1:2” is not allowed. Write low:high:count, or low:high:count:log."),
        ("x=1:2:0", "X: “1:2:0” is not allowed. Two numbers and a count from 1 to 1,000."),
        ("x=-1:2:3:log", "X: “-1:2” is not allowed. Both ends above 0 on a logarithmic scale."),
        ("x=1:2:3:lag", "Write low:high:count, or low:high:count:log."),
    ],
)
def test_what_makes_no_sense_is_refused(trial: Method, typed: str, sentence: str) -> None:
    with pytest.raises(FieldError) as refusal:
        parse_grid(trial, [typed])
    assert sentence in str(refusal.value)


def test_an_unknown_parameter_is_named(trial: Method) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean rows"):
        parse_grid(trial, ["row=1,2"])


def test_whole_numbers_on_a_logarithmic_scale(trial: Method) -> None:
    assert spaced(spec(trial, "rows"), 1, 1000, 4, log=True) == (1, 10, 100, 1000)


def test_the_last_parameter_changes_fastest() -> None:
    found = combinations({"a": (1, 2), "b": ("u", "v")})
    assert [(s["a"], s["b"]) for s in found] == [(1, "u"), (1, "v"), (2, "u"), (2, "v")]
    assert combinations({}) == [{}]


def test_a_setting_in_words() -> None:
    assert setting_words({"a": 0.1, "b": [1, 2], "c": True}, {"a": "Alpha"}) == "Alpha 0.1, b 1, 2, c yes"


def test_plain_path_of_a_file_is_no_range(trial: Method, tmp_path: Path) -> None:
    assert parse_values(spec(trial, "cured"), "C:file") == ("C:file",)
