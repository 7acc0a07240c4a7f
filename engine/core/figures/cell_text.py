"""Numbers of a table as a paper prints them, and which is best. Imports no matplotlib."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.core.views import Column

MINUS = "\u2212"
MISSING = "–"


def heading(column: Column) -> str:
    """Column title with its unit."""
    return f"{column.title} ({column.unit})" if column.unit else column.title


def fixed(value: Any, digits: int) -> str:
    """A number with `digits` decimals, thousands with a comma, U+2212 minus; "–" where not finite."""
    number = float(value)
    if not math.isfinite(number):
        return MISSING if math.isnan(number) else ("∞" if number > 0 else f"{MINUS}∞")
    text = f"{number:,.{digits}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.,") else text.replace("-", MINUS)


def printed(column: Column) -> list[str]:
    """The cells of a column as text: intervals "1.20–1.23", spreads "0.770 ± 0.012", given words."""
    cells = _numbers_as_text(column)
    return [word or cell for word, cell in zip(column.texts, cells, strict=True)] if column.texts else cells


def _numbers_as_text(column: Column) -> list[str]:
    if column.kind == "check":
        return ["yes" if value else "no" for value in column.values]
    if column.kind in ("text", "badge"):
        return ["" if value is None else str(value) for value in column.values]
    digits = 0 if column.kind == "integer" else column.digits
    middle = [fixed(value, digits) for value in _numbers(column.values)]
    if column.kind == "interval" and column.low is not None and column.high is not None:
        low = [fixed(value, digits) for value in column.low]
        high = [fixed(value, digits) for value in column.high]
        return [a if a == b else f"{a}–{b}" for a, b in zip(low, high, strict=True)]
    if column.kind == "spread" and column.high is not None:
        half = _numbers(column.high)
        return [
            f"{m} ± {fixed(h, digits)}" if math.isfinite(h) and m != MISSING else m
            for m, h in zip(middle, half, strict=True)
        ]
    return middle


def best(column: Column) -> np.ndarray:
    """Which cells are bold, bool (r,): the best as printed, ties together, none where all are alike.

    An interval is best only if it ends before every other begins (or is printed the same).
    """
    count = len(column.values) if column.low is None else len(column.low)
    none = np.zeros(count, bool)
    if not column.best or column.kind in ("text", "badge", "check") or count < 2:
        return none
    sign = 1.0 if column.best == "low" else -1.0
    digits = 0 if column.kind == "integer" else column.digits
    if column.kind == "interval" and column.low is not None and column.high is not None:
        ends = np.sort(
            sign * np.round(np.column_stack((_numbers(column.low), _numbers(column.high))), digits), axis=1
        )
    else:
        ends = np.repeat(sign * np.round(_numbers(column.values), digits)[:, None], 2, axis=1)
    known = np.isfinite(ends).all(axis=1)
    if not known.any():
        return none
    first = ends[known][np.lexsort((ends[known][:, 0], ends[known][:, 1]))[0]]
    chosen = known & (ends == first).all(axis=1)
    others = known & ~chosen
    ahead = others.any() and bool(np.all(ends[others, 0] > first[1] + 1e-12))
    return chosen if ahead else none


def _numbers(values: Any) -> np.ndarray:
    return np.array([math.nan if value is None else float(value) for value in values])
