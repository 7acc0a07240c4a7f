"""What is typed for a grid, and the values it stands for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.core.errors import FieldError, UnknownNameError
from engine.core.method import Method
from engine.core.parameters import FieldSpec

MOST_VALUES = 1_000
"""Values one parameter may take in a sweep."""

Grid = Mapping[str, tuple[Any, ...]]
"""Parameter → its values, in the JSON form they have in records."""

_NUMERIC = ("integer", "number")


def parse_grid(method: Method, assignments: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """The grid of texts such as ``k_max=5,10,20``, ``scale=0.1:10:3:log`` or ``linkages=single;ward,single``.

    A parameter named twice takes the values of both. The values are checked one by one only against what
    can be parsed; `preparing` checks them with the others.

    Raises:
        FieldError: a text without values. UnknownNameError: no such parameter.
    """
    specs = {spec.name: spec for spec in method.parameters.fields()}
    grid: dict[str, tuple[Any, ...]] = {}
    for text in assignments:
        name, equals, typed = text.partition("=")
        if not equals or not name:
            raise FieldError("--grid", found=text, allowed="write field=a,b,c or field=low:high:count")
        if name not in specs:
            raise UnknownNameError("parameter", name, specs)
        grid[name] = distinct([*grid.get(name, ()), *parse_values(specs[name], typed)])
    return grid


def parse_values(spec: FieldSpec, text: str) -> tuple[Any, ...]:
    """The values of one parameter: separated by commas, or by semicolons where a value holds commas itself.

    Numbers may be given as ``low:high:count`` (evenly spaced, both ends included), and with ``:log``
    evenly spaced on a logarithmic scale.

    Raises:
        FieldError: nothing is named, a range makes no sense, or there are too many values.
    """
    if spec.kind in _NUMERIC and ":" in text:
        values = [v for part in split_list(spec, text) for v in _range_or_value(spec, part)]
    else:
        values = [spec.parse(part) for part in split_list(spec, text)]
    found = distinct(values)
    if not found:
        raise FieldError(spec.name, found=text, allowed="name at least one value", label=spec.title)
    if len(found) > MOST_VALUES:
        allowed = f"at most {MOST_VALUES:,} values for one parameter"
        raise FieldError(spec.name, found=f"{len(found):,} values", allowed=allowed, label=spec.title)
    return found


def split_list(spec: FieldSpec, text: str) -> list[str]:
    """The parts of a typed list."""
    holds_commas = spec.kind in ("range", "several", "text", "path")
    separator = ";" if ";" in text or spec.kind == "range" else ","
    if separator == "," and holds_commas and spec.kind == "text" and '"' in text:
        separator = ";"
    return [part.strip().strip('"') for part in text.split(separator) if part.strip()]


def spaced(spec: FieldSpec, low: float, high: float, count: int, log: bool = False) -> tuple[Any, ...]:
    """`count` values from `low` to `high`; whole numbers are rounded, and each is taken once.

    Raises:
        FieldError: an end that is not finite, a count below 1, or a logarithm of nothing.
    """
    if not (math.isfinite(low) and math.isfinite(high)) or not 1 <= count <= MOST_VALUES:
        allowed = f"two numbers and a count from 1 to {MOST_VALUES:,}"
        raise FieldError(spec.name, found=f"{low:g}:{high:g}:{count}", allowed=allowed, label=spec.title)
    if log and not (low > 0 and high > 0):
        allowed = "both ends above 0 on a logarithmic scale"
        raise FieldError(spec.name, found=f"{low:g}:{high:g}", allowed=allowed, label=spec.title)
    values = np.geomspace(low, high, count) if log else np.linspace(low, high, count)
    if spec.integer:
        return distinct(round(value) for value in values.tolist())
    # Twelve digits: 0.1 + 2 · 0.1 is meant to be 0.3.
    return distinct(float(f"{value:.12g}") for value in values.tolist())


def combinations(grid: Grid) -> list[dict[str, Any]]:
    """Every combination of the grid's values, the last parameter changing fastest."""
    found: list[dict[str, Any]] = [{}]
    for name, values in grid.items():
        found = [{**setting, name: value} for setting in found for value in values]
    return found


def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """`values` in their order, each once; 1, 1.0 and true are different."""
    seen: dict[str, Any] = {}
    for value in values:
        seen.setdefault(repr(value), value)
    return tuple(seen.values())


def shown(value: Any) -> str:
    """A value of a parameter as it stands in tables and names."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(item) for item in value)
    return "none" if value is None else str(value)


def setting_words(setting: Mapping[str, Any], titles: Mapping[str, str] | None = None) -> str:
    """A setting in words: "steps 50, kind lazy"."""
    titles = titles or {}
    return ", ".join(f"{titles.get(name, name)} {shown(value)}" for name, value in setting.items())


def _range_or_value(spec: FieldSpec, part: str) -> Sequence[Any]:
    if ":" not in part:
        return (spec.parse(part),)
    pieces = part.split(":")
    log = len(pieces) == 4 and pieces[3].strip() == "log"
    try:
        if len(pieces) != 3 and not log:
            raise ValueError
        return spaced(spec, float(pieces[0]), float(pieces[1]), int(pieces[2]), log)
    except ValueError:
        allowed = "write low:high:count, or low:high:count:log"
        raise FieldError(spec.name, found=part, allowed=allowed, label=spec.title) from None
