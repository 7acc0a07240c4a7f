"""Columns of a table: what is in them, how it is written, what is best; no Qt here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

Kind = Literal["text", "number", "badge", "check"]
Best = Literal["", "highest", "lowest"]
_DIGITS = 4
_MOST_DECIMALS = 6


@dataclass
class Column:
    """One column.

    Attributes:
        title: heading.
        values: one per row. Text; numbers (NaN or None = not defined) or, in a column of numbers, text
            that is already set ("1.20–1.23", "0.770 ± 0.012"); words of badges; bools of check boxes.
        kind: how it is drawn; numbers stand right, all else left.
        decimals: equal decimals for the column; None chooses four significant digits of the largest.
        best: which end is better, for bold; empty for neither.
        bar: draw a bar from zero behind the number; values must not be negative.
        keys: what to sort by, where the values themselves cannot be compared.
        marks: per row the entity's index and shape, drawn before the text; None for none.
        states: per row the look of the badge.
        bold: per row whether bold, in place of ``best``.
        wrong: rows whose cell is marked as wrong.
        noted: rows whose cell is marked as worth a look, such as a setting that differs.
        tone: colour token of the text.
        missing: what stands for NaN or None.
        width: fixed width in logical px, 0 to fit.
        tip: tooltip of the heading.
    """

    title: str
    values: Sequence[Any] | np.ndarray
    kind: Kind = "text"
    decimals: int | None = None
    best: Best = ""
    bar: bool = False
    keys: Sequence[Any] | np.ndarray | None = None
    marks: Sequence[tuple[int, str] | None] | None = None
    states: Sequence[str] | None = None
    bold: Sequence[bool] | None = None
    wrong: frozenset[int] = field(default_factory=frozenset)
    noted: frozenset[int] = field(default_factory=frozenset)
    tone: str = "text"
    missing: str = "not defined"
    width: int = 0
    tip: str = ""

    def __len__(self) -> int:
        return len(self.values)

    def text(self, row: int) -> str:
        """What stands in the cell of a row."""
        value = self.values[row]
        if self.kind == "check":
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        if value is None or (isinstance(value, float | np.floating) and math.isnan(value)):
            return self.missing
        if self.kind != "number":
            return str(value)
        if isinstance(value, int | np.integer) and self.decimals is None:
            return f"{value:,}".replace("-", "−")
        text = f"{value:,.{self._places}f}".replace("-", "−")
        return text[1:] if text.startswith("−") and not text.strip("−0.,") else text

    @cached_property
    def numbers(self) -> np.ndarray:
        """Values as doubles, NaN where a cell is no number."""
        if isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iufb":
            return self.values.astype(np.float64)
        return np.array([v if isinstance(v, int | float | np.number) else np.nan for v in self.values], float)

    @cached_property
    def _places(self) -> int:
        if self.decimals is not None:
            return self.decimals
        finite = np.abs(self.numbers[np.isfinite(self.numbers)])
        largest = float(finite.max()) if finite.size else 1.0
        if not largest:
            return 1
        return int(min(_MOST_DECIMALS, max(0, _DIGITS - 1 - math.floor(math.log10(largest)))))

    @cached_property
    def best_rows(self) -> np.ndarray:
        """Bool per row: the best value, and what is printed the same; none if all are printed the same."""
        if self.bold is not None:
            return np.asarray(self.bold, bool)
        none = np.zeros(len(self), bool)
        finite = np.isfinite(self.numbers)
        if not self.best or not finite.any():
            return none
        printed = np.round(self.numbers, self._places)
        ends = np.nanmax(printed[finite]), np.nanmin(printed[finite])
        if ends[0] == ends[1]:
            return none
        return np.where(finite, printed == (ends[0] if self.best == "highest" else ends[1]), False)

    @cached_property
    def ceiling(self) -> float:
        """Value at which the bar is full."""
        finite = self.numbers[np.isfinite(self.numbers)]
        return float(finite.max()) if finite.size and finite.max() > 0 else 1.0

    @cached_property
    def _ranks(self) -> np.ndarray:
        """Place of each row's value among the distinct values, from 0; -1 where it is not defined."""
        keys = self.values if self.keys is None else self.keys
        array = np.asarray(keys)
        if self.kind == "number" and self.keys is None:
            array = self.numbers
        if array.dtype.kind in "iufb":
            _, ranks = np.unique(array, return_inverse=True)
            return np.where(np.isnan(array), -1, ranks) if array.dtype.kind == "f" else ranks
        words = [str(key).casefold() for key in keys]
        place = {word: number for number, word in enumerate(sorted(set(words)))}
        return np.fromiter(map(place.__getitem__, words), np.int64, len(words))

    def order(self, *, descending: bool = False) -> np.ndarray:
        """Row numbers in the order of the column, ties in their own order, what is not defined at the end."""
        ranks = self._ranks
        keys = np.where(ranks < 0, np.iinfo(np.int64).max, -ranks if descending else ranks)
        return np.argsort(keys, kind="stable")
