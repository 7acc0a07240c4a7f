"""Columns of text cells: what type each has and why, which cells are missing, which do not fit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from engine.core.data.notation import Notation, number_reader
from engine.core.data.options import ReadOptions

_LEADING_ZERO = re.compile(r"[+-]?0\d+", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DATE_LIKE = re.compile(
    r"\d{1,2}[-.][A-Z][a-z]{2}|[A-Z][a-z]{2}-\d{2}|\d{4}-\d\d-\d\d( 00:00:00)?|[34]\d{4}(\.0)?", re.ASCII
)
_WITH_SIGN = re.compile(r"[€$£¥]\s?[+-]?\d[\d.,]*|[+-]?\d[\d.,]*\s?[%‰€$£¥°]", re.ASCII)
#: The types of a table's columns, and "skip" for one that is to be left out.
RawType = Literal["number", "text", "category", "skip"]

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


def classify(name: str, texts: np.ndarray, notation: Notation, options: ReadOptions) -> RawColumn:
    """The type of a column of text cells (object (n,) of str), and its values in that type.

    A column is proposed as numbers when at least half of its filled cells are numbers; as text when it
    has leading zeros or whole numbers above 2^53, which a float64 would alter. A type in
    `options.types` goes before any proposal.
    """
    import pandas

    places, unique = pandas.factorize(texts)
    cells = [text.strip() for text in unique]
    counts = np.bincount(places, minlength=len(cells))
    wanted = options.types.get(name)
    kinds = _kinds(cells, notation, options.codes_for(name))
    if wanted == "number":
        return _numbers(name, cells, kinds, places, counts, "chosen")
    if wanted in ("text", "category", "skip"):
        return _texts(name, cells, places, counts, options, wanted, "chosen")
    reason = _why_text(cells, kinds, counts)
    if reason is None:
        return _numbers(name, cells, kinds, places, counts, _why_numbers(kinds, counts))
    column = _texts(name, cells, places, counts, options, "text", reason)
    if "digits" in reason or "zeros" in reason:
        column.warnings.append(f"column “{name}” was read as text: {reason}")
    measured = next((cell for cell in cells if _WITH_SIGN.fullmatch(cell)), None)
    if measured is not None and reason == "not numbers":
        column.warnings.append(f"column “{name}” was read as text: “{measured}” is a number with a sign")
    dates = sum(1 for cell in cells if _DATE_LIKE.fullmatch(cell))
    if 0 < dates <= max(len(cells) // 10, 1) and len(cells) >= 5:
        example = next(cell for cell in cells if _DATE_LIKE.fullmatch(cell))
        column.warnings.append(
            f"column “{name}” has {dates:,} entries like “{example}” among names; a spreadsheet may have "
            "turned names into dates"
        )
    return column


def _kinds(cells: list[str], notation: Notation, codes: tuple[str, ...]) -> list[float | str]:
    """For each distinct cell its number, or "missing" or "odd"."""
    kinds: list[float | str] = []
    to_number = number_reader(notation)
    for cell in cells:
        if not cell or cell in codes:
            kinds.append("missing")
        else:
            number = to_number(cell)
            kinds.append("odd" if number is None else number)
    return kinds


def _why_text(cells: list[str], kinds: list[float | str], counts: np.ndarray) -> str | None:
    """Why the column is text, or None when it is numbers."""
    numbers = sum(int(c) for c, kind in zip(counts, kinds, strict=True) if isinstance(kind, float))
    odd = sum(int(c) for c, kind in zip(counts, kinds, strict=True) if kind == "odd")
    if not numbers and not odd:
        return "no value in any row"
    if numbers < odd:
        return "not numbers" if not numbers else f"{odd:,} of {numbers + odd:,} cells are not numbers"
    zero = next((cell for cell in cells if _LEADING_ZERO.fullmatch(cell)), None)
    if zero is not None:
        return f"leading zeros such as “{zero}” would be lost in numbers"
    for cell in cells:
        if len(cell) > 15 and _WHOLE.fullmatch(cell) and abs(int(cell)) > EXACT_LIMIT:
            return f"“{cell}” has more digits than a number keeps"
    return None


def _why_numbers(kinds: list[float | str], counts: np.ndarray) -> str:
    odd = sum(int(c) for c, kind in zip(counts, kinds, strict=True) if kind == "odd")
    return "all filled cells are numbers" if not odd else f"all but {odd:,} filled cells are numbers"


def _numbers(
    name: str, cells: list[str], kinds: list[float | str], places: np.ndarray, counts: np.ndarray, reason: str
) -> RawColumn:
    numbers = np.array([kind if isinstance(kind, float) else np.nan for kind in kinds])
    is_missing = np.array([kind == "missing" for kind in kinds], dtype=bool)
    is_odd = np.array([kind == "odd" for kind in kinds], dtype=bool)
    # "nan" that is not among the missing codes is complained of like an infinite number.
    is_infinite = ~np.isfinite(numbers) & ~is_missing & ~is_odd
    codes = {cells[i]: int(counts[i]) for i in np.flatnonzero(is_missing)}
    texts = np.array(cells, dtype=object)[places] if is_odd.any() or any(codes) else None
    return RawColumn(
        name,
        numbers[places],
        "number",
        reason,
        is_missing[places],
        codes,
        odd={int(i): cells[places[i]] for i in np.flatnonzero(is_odd[places])},
        infinite={int(i): cells[places[i]] for i in np.flatnonzero(is_infinite[places])},
        texts=texts,
    )


def _texts(
    name: str,
    cells: list[str],
    places: np.ndarray,
    counts: np.ndarray,
    options: ReadOptions,
    type: RawType,
    reason: str,
) -> RawColumn:
    """In text only the empty cell is missing, and the codes a person named for this column."""
    codes = {"", *(options.missing_in.get(name, ()))}
    is_missing = np.array([cell in codes for cell in cells], dtype=bool)
    removed: Counter[str] = Counter()
    for i in np.flatnonzero(is_missing):
        removed[cells[i]] += int(counts[i])
    values = np.array(
        ["" if gone else cell for cell, gone in zip(cells, is_missing, strict=True)], dtype=object
    )
    return RawColumn(name, values[places], type, reason, is_missing[places], dict(removed))
