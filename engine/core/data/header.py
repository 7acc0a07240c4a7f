"""Which line holds the column names, and what stands before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.core.data.lines import Lines, split_fields, usual_count
from engine.core.data.notation import looks_like_number
from engine.core.data.options import MISSING_CODES, ReadOptions
from engine.core.data.source import Source
from engine.core.errors import DataError, Repair

_LOOKED_AT = 200


@dataclass(frozen=True)
class Header:
    """The names (one per column), the line they stand in, and the first row after them.

    `first_row` indexes the rows given to `find_header`; `remarks` lines stand before the table.
    """

    names: tuple[str, ...]
    line: int | None
    first_row: int
    remarks: int = 0
    from_comment: int = 0
    row_names_first: bool = False
    warnings: list[str] = field(default_factory=list)

    @property
    def columns(self) -> int:
        return len(self.names)


def find_header(
    lines: Lines,
    rows: np.ndarray,
    counts: np.ndarray,
    separator: str,
    commented: np.ndarray,
    options: ReadOptions,
    source: Source,
) -> Header:
    """Find the header among `rows` (indices into `lines`, with `counts` separators each).

    Raises DataError "short-header" when the line before the table is one name short, "header-length"
    when a header chosen by the person does not fit the rows.
    """

    def fields(row: int) -> list[str]:
        return split_fields(lines.text(rows[row]), separator)

    start = _first_of_table(counts)
    usual = int(counts[min(start, len(counts) - 1)])
    if isinstance(options.header, int):
        return _chosen(fields(0), counts, int(lines.numbers[rows[0]]), options, source)
    if options.header == "none":
        return Header(_numbered(usual + 1), None, 0)
    head = fields(start)
    below = range(start + 1, min(start + 1 + _LOOKED_AT, len(rows)))
    sample = [row for i in below if counts[i] == usual and len(row := fields(i)) == len(head)]
    if _is_header(head, sample):
        names, warnings = _unique(head)
        return Header(names, int(lines.numbers[rows[start]]), start + 1, remarks=start, warnings=warnings)
    if start and counts[start - 1] == usual - 1 and all(not row[-1] for row in [head, *sample]):
        # Every row ends with a separator that the header lacks.
        names, warnings = _unique([*fields(start - 1), ""])
        return Header(names, int(lines.numbers[rows[start - 1]]), start, start - 1, warnings=warnings)
    if start and counts[start - 1] and abs(counts[start - 1] - usual) <= 1:
        return _misfit(
            fields(start - 1), usual + 1, start, int(lines.numbers[rows[start - 1]]), options, source
        )
    from_comment = _comment_header(lines, commented, int(rows[start]), usual + 1, separator)
    if from_comment:
        names, warnings = _unique(from_comment[0])
        return Header(names, from_comment[1], start, start, from_comment=1, warnings=warnings)
    return Header(_numbered(usual + 1), None, start, remarks=start)


def _first_of_table(counts: np.ndarray) -> int:
    """The first row from which the usual number of values holds for two rows running."""
    usual = usual_count(counts)
    fits = counts == usual
    twice = fits & np.append(fits[1:], True)
    return int(np.argmax(twice)) if twice.any() else int(np.argmax(fits))


def _is_header(head: Sequence[str], sample: Sequence[Sequence[str]]) -> bool:
    """Text above numbers, or names that occur nowhere below in a table of text."""
    numbers = [j for j in range(len(head)) if sample and _mostly_numbers([row[j] for row in sample])]
    if numbers:
        named = sum(not _is_value(head[j]) for j in numbers)
        return named * 2 >= len(numbers)
    if any(_is_value(cell) and cell for cell in head):
        return False
    filled = [cell for cell in head if cell]
    below = {cell for row in sample for cell in row}
    return bool(filled) and len(set(filled)) == len(filled) and not below & set(filled)


def _mostly_numbers(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell and cell not in MISSING_CODES]
    return bool(filled) and sum(map(looks_like_number, filled)) * 2 > len(filled)


def _is_value(cell: str) -> bool:
    return not cell or cell in MISSING_CODES or looks_like_number(cell)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(f"column {j}" for j in range(1, count + 1))


def _unique(names: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names without repeats; an empty one becomes "column 3"."""
    seen: Counter[str] = Counter()
    result, repeated = [], []
    for j, name in enumerate(names, 1):
        name = " ".join(name.split()) or f"column {j}"
        seen[name] += 1
        if seen[name] > 1:
            repeated.append(name)
            name = f"{name} ({seen[name]})"
        result.append(name)
    warnings = [
        f"the name “{name}” occurs more than once and was numbered" for name in dict.fromkeys(repeated)
    ]
    return tuple(result), warnings


def _chosen(head: list[str], counts: np.ndarray, line: int, options: ReadOptions, source: Source) -> Header:
    """The header stands in the line the person named (the first of the rows given)."""
    below = usual_count(counts[1:]) if len(counts) > 1 else int(counts[0])
    if len(head) == below + 1 or len(counts) == 1:
        names, warnings = _unique(head)
        return Header(names, line, 1, warnings=warnings)
    return _misfit(head, below + 1, 1, line, options, source)


def _misfit(
    head: list[str], width: int, first_row: int, line: int, options: ReadOptions, source: Source
) -> Header:
    """A header whose length is not that of the rows: one name short may mean unnamed row names."""
    if len(head) == width - 1 and options.short_header == "row-names":
        names, warnings = _unique(["row name", *head])
        return Header(names, line, first_row, first_row - 1, row_names_first=True, warnings=warnings)
    raise _header_length(head, width, line, source)


def _header_length(head: list[str], width: int, line: int, source: Source) -> DataError:
    short = len(head) == width - 1
    choices = [
        Repair("header", str(line + 1), f"Begin the table in line {line + 1}", "This line is a remark")
    ]
    if short:
        label = "Take the first column as row names"
        choices.insert(0, Repair("short_header", "row-names", label, "The names belong to the other columns"))
        choices[1] = Repair("header", str(line + 1), f"begin the table in line {line + 1}", "")
    return source.error(
        "short-header" if short else "header-length",
        f"the header has {len(head):,} names and the rows have {width:,} values",
        "one name for each column",
        row=line,
        choices=tuple(choices),
    )


def _comment_header(
    lines: Lines, commented: np.ndarray, first: int, columns: int, separator: str
) -> tuple[list[str], int] | None:
    """Names in the comment line just above the rows, as in "# x y z"; None if it does not fit."""
    above = np.flatnonzero(commented[:first])
    if not len(above):
        return None
    text = lines.text(above[-1])
    for head in (text, text.lstrip().lstrip("#%/").lstrip()):
        names = split_fields(head, separator)
        if len(names) == columns and not any(_is_value(name) for name in names):
            return names, int(lines.numbers[above[-1]])
    return None
