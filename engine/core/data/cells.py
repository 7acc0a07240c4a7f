"""Columns of text cells: what type each has and why, which cells are missing, which do not fit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from engine.core.data.limits import Tick, no_tick
from engine.core.data.notation import Notation, number_reader
from engine.core.data.options import ReadOptions
from engine.core.data.report import counted

_LEADING_ZERO = re.compile(r"[+-]?0\d+", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DATE_LIKE = re.compile(
    r"\d{1,2}[-.][A-Z][a-z]{2}|[A-Z][a-z]{2}-\d{2}|\d{4}-\d\d-\d\d( 00:00:00)?|[34]\d{4}(\.0)?", re.ASCII
)
_WITH_SIGN = re.compile(r"[€$£¥]\s?[+-]?\d[\d.,]*|[+-]?\d[\d.,]*\s?[%‰€$£¥°]", re.ASCII)
#: The types of a table's columns, and "skip" for one that is to be left out.
RawType = Literal["number", "text", "category", "skip"]

_CELLS_A_TICK = 20_000
#: Above this, neighbouring whole numbers are the same float64.
EXACT_LIMIT = 2**53


@dataclass
class RawColumn:
    """One column as read, before rows are dropped or gaps filled.

    `values`: float64 (n,) with NaN at missing and odd cells, or object (n,) of str. `missing` marks the
    missing cells, counted per code in `codes`; `odd` maps a row (from 0) to the text there that is no
    number in a column of numbers.
    """

    name: str
    values: np.ndarray
    type: RawType
    reason: str
    missing: np.ndarray
    codes: dict[str, int] = field(default_factory=dict)
    odd: dict[int, str] = field(default_factory=dict)
    infinite: dict[int, str] = field(default_factory=dict)
    unit: str | None = None
    #: The cells as written, kept where some are odd or hold a missing code.
    texts: np.ndarray | None = None
    conversions: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def take(self, keep: np.ndarray) -> None:
        """Keep only the rows marked in bool (n,)."""
        places = np.cumsum(keep) - 1
        self.values, self.missing = self.values[keep], self.missing[keep]
        self.texts = None if self.texts is None else self.texts[keep]
        self.odd = {int(places[i]): text for i, text in self.odd.items() if keep[i]}
        self.infinite = {int(places[i]): text for i, text in self.infinite.items() if keep[i]}


def number_column(
    name: str, values: np.ndarray, reason: str = "numbers", unit: str | None = None
) -> RawColumn:
    """A column that came as numbers: NaN is missing (code "nan"), infinite cells are kept for complaint."""
    values = np.asarray(values, dtype=np.float64)
    missing = np.isnan(values)
    codes = {"nan": int(missing.sum())} if missing.any() else {}
    infinite = {int(i): str(values[i]) for i in np.flatnonzero(np.isinf(values))}
    return RawColumn(name, values, "number", reason, missing, codes, infinite=infinite, unit=unit)


def plain_text_column(name: str, values: np.ndarray, reason: str, type: RawType = "text") -> RawColumn:
    """A column that came as text: only the empty cell is missing."""
    missing = np.fromiter((not text for text in values), dtype=bool, count=len(values))
    return RawColumn(name, values, type, reason, missing, {"": int(missing.sum())} if missing.any() else {})


def classify(
    name: str, texts: np.ndarray, notation: Notation, options: ReadOptions, tick: Tick = no_tick
) -> RawColumn:
    """The type of a column of text cells (object (n,) of str), and its values in that type.

    A column is proposed as numbers when at least half of its filled cells are numbers; as text when it
    has leading zeros or whole numbers above 2^53, which a float64 would alter. A type in
    `options.types` goes before any proposal.
    """
    cells = _distinct_cells(name, texts, notation, options, tick)
    wanted = options.types.get(name)
    if wanted == "number":
        return _numbers(cells, "chosen")
    if wanted in ("text", "category", "skip"):
        return _texts(cells, options, wanted, "chosen")
    reason, would_alter = _why_text(cells)
    if not reason:
        odd = cells.count(cells.is_odd)
        return _numbers(cells, f"all {f'but {odd:,} ' if odd else ''}filled cells are numbers")
    column = _texts(cells, options, "text", reason)
    if would_alter:
        column.warnings.append(f"column “{name}” was read as text: {reason}")
    column.warnings += _odd_looks(cells)
    return column


@dataclass(frozen=True)
class _Cells:
    """The distinct cells of a column: row i has `cells[places[i]]`, which occurs `counts[…]` times.

    `numbers` float64 with NaN where a cell is missing or odd (no number).
    """

    name: str
    cells: list[str]
    places: np.ndarray
    counts: np.ndarray
    numbers: np.ndarray
    is_missing: np.ndarray
    is_odd: np.ndarray

    def count(self, mask: np.ndarray) -> int:
        """Rows whose cell is marked."""
        return int(self.counts[mask].sum())


def _distinct_cells(
    name: str, texts: np.ndarray, notation: Notation, options: ReadOptions, tick: Tick
) -> _Cells:
    import pandas

    places, unique = pandas.factorize(texts)
    cells = [text.strip() for text in unique]
    codes = {"", *options.codes_for(name)}
    to_number = number_reader(notation)
    numbers = np.full(len(cells), np.nan)
    is_missing, is_odd = np.zeros(len(cells), dtype=bool), np.zeros(len(cells), dtype=bool)
    for i, cell in enumerate(cells):
        if cell in codes:
            is_missing[i] = True
        elif (number := to_number(cell)) is None:
            is_odd[i] = True
        else:
            numbers[i] = number
        if i % _CELLS_A_TICK == _CELLS_A_TICK - 1:
            tick(i / len(cells), f"Finding the type of “{name}”")
    counts = np.bincount(places, minlength=len(cells))
    return _Cells(name, cells, places, counts, numbers, is_missing, is_odd)


def _why_text(cells: _Cells) -> tuple[str, bool]:
    """Why the column is text ("" when it is numbers), and whether numbers would alter its digits."""
    odd = cells.count(cells.is_odd)
    numbers = cells.count(~cells.is_odd & ~cells.is_missing)
    if not numbers and not odd:
        return "no value in any row", False
    if numbers < odd:
        return "not numbers" if not numbers else f"{odd:,} of {numbers + odd:,} cells are not numbers", False
    for cell in cells.cells:
        if _LEADING_ZERO.fullmatch(cell):
            return f"leading zeros such as “{cell}” would be lost in numbers", True
        if len(cell) > 15 and _WHOLE.fullmatch(cell) and (len(cell) > 17 or abs(int(cell)) > EXACT_LIMIT):
            return f"“{cell}” has more digits than a number keeps", True
    return "", False


def _odd_looks(cells: _Cells) -> list[str]:
    """Notes on texts that may have been numbers with a sign, or names turned into dates."""
    notes = []
    if cells.is_odd.all() and (sign := next(filter(_WITH_SIGN.fullmatch, cells.cells), None)):
        notes.append(f"column “{cells.name}” was read as text: “{sign}” is a number with a sign")
    dates = [cell for cell in cells.cells if _DATE_LIKE.fullmatch(cell)]
    if len(cells.cells) >= 5 and 0 < len(dates) <= max(len(cells.cells) // 10, 1):
        notes.append(
            f"column “{cells.name}” has {counted(len(dates), 'date-like cell')} (“{dates[0]}”) among names; "
            "a spreadsheet may have turned names into dates"
        )
    return notes


def _numbers(cells: _Cells, reason: str) -> RawColumn:
    # "nan" that is not among the missing codes is complained of like an infinite number.
    is_infinite = ~np.isfinite(cells.numbers) & ~cells.is_missing & ~cells.is_odd
    codes = {cells.cells[i]: int(cells.counts[i]) for i in np.flatnonzero(cells.is_missing)}
    keep_texts = cells.is_odd.any() or any(codes)
    places = cells.places
    return RawColumn(
        cells.name,
        cells.numbers[places],
        "number",
        reason,
        cells.is_missing[places],
        codes,
        odd={int(i): cells.cells[places[i]] for i in np.flatnonzero(cells.is_odd[places])},
        infinite={int(i): cells.cells[places[i]] for i in np.flatnonzero(is_infinite[places])},
        texts=np.array(cells.cells, dtype=object)[places] if keep_texts else None,
    )


def _texts(cells: _Cells, options: ReadOptions, type: RawType, reason: str) -> RawColumn:
    """In text only the empty cell is missing, and the codes a person named for this column."""
    codes = {"", *options.missing_in.get(cells.name, ())}
    is_missing = np.fromiter((cell in codes for cell in cells.cells), dtype=bool, count=len(cells.cells))
    removed: Counter[str] = Counter()
    for i in np.flatnonzero(is_missing):
        removed[cells.cells[i]] += int(cells.counts[i])
    values = np.array(cells.cells, dtype=object)
    values[is_missing] = ""
    places = cells.places
    return RawColumn(cells.name, values[places], type, reason, is_missing[places], dict(removed))
