"""Where the table lies in a text: separator, remarks, comments, header, rows of equal length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.core.data.header import find_header
from engine.core.data.lines import Lines, split_fields, split_lines, usual_count
from engine.core.data.notation import looks_like_number
from engine.core.data.options import MISSING_CODES, ReadOptions
from engine.core.data.report import Dropped, counted, sign_in_words
from engine.core.data.source import Source
from engine.core.errors import DataError, Repair

_SEPARATORS = ("\t", ";", ",", "|", " ")
_COMMENTS = ("#", "%", "//")
_SAMPLE = 300
_SAMPLED_BYTES = 200_000
_HEAD = 4 << 20


@dataclass(frozen=True)
class Layout:
    """The rows of a table as bytes: `body` has only them, `lines` their line numbers in the file."""

    separator: str | None
    names: tuple[str, ...]
    header_line: int | None
    body: bytes
    lines: np.ndarray
    sample: list[list[str]]
    comment: str | None = None
    comment_lines: int = 0
    blank_lines: int = 0
    lines_before: int = 0
    row_names_first: bool = False
    dropped: list[Dropped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def columns(self) -> int:
        return len(self.names)


def find_layout(data: bytes, options: ReadOptions, source: Source) -> Layout:
    """Separator, header and rows of the text `data` (UTF-8, "\\n").

    Raises DataError: "no-table" (nothing but remarks), "unequal-rows", "short-header",
    "separator-or-decimal" (a comma that can be either), "unclosed-quote".
    """
    if options.separator == "auto" and len(data) > 2 * _HEAD:
        # The head tells the separator; whether it fits the whole file is checked by the rows' lengths.
        head = find_layout(data[: data.rfind(b"\n", 0, _HEAD) + 1] or data, options, source)
        return find_layout(data, options.with_setting("separator", head.separator or "none"), source)
    separators = {"auto": "".join(_SEPARATORS), "none": ""}.get(options.separator, options.separator)
    lines = split_lines(data, separators, source)
    comment, commented = _comments(lines, options, source)
    blank = lines.blank(source)
    rows = np.flatnonzero(~commented & ~blank)
    if isinstance(options.header, int):
        rows = rows[lines.numbers[rows] >= options.header]
    if not len(rows):
        raise source.error("no-table", "the file has no row with values", "at least one row is needed")
    separator = _separator(lines, rows, options, source)
    if options.separator == "auto" and lines.masked is not data:
        # Quotes opened before another sign were counted as quotes: look again with the sign found.
        return find_layout(data, options.with_setting("separator", separator or "none"), source)
    counts = lines.separators(separator, source)[rows] if separator else np.zeros(len(rows), dtype=np.int64)
    lines_before = (
        int(np.searchsorted(lines.numbers, options.header)) if isinstance(options.header, int) else 0
    )
    header = find_header(lines, rows, counts, separator or "\x1f", commented, options, source)
    rows, counts = rows[header.first_row :], counts[header.first_row :]
    if not len(rows):
        raise source.error("no-table", "the file has a header and no row", "at least one row is needed")
    body, numbers, dropped = _equal_rows(lines, rows, counts, header.columns - 1, separator, options, source)
    picked = _spread(lines, rows)
    return Layout(
        separator=separator,
        names=header.names,
        header_line=header.line,
        body=body,
        lines=numbers,
        sample=[split_fields(lines.text(i), separator or "\x1f") for i in picked],
        comment=comment,
        comment_lines=int(commented.sum()) - header.from_comment,
        blank_lines=int(blank[: rows[-1]].sum()),
        lines_before=lines_before + header.remarks,
        row_names_first=header.row_names_first,
        dropped=dropped,
        warnings=header.warnings,
    )


def _comments(lines: Lines, options: ReadOptions, source: Source) -> tuple[str | None, np.ndarray]:
    """The comment sign and which lines are comments.

    Without a choice only a file that begins with a comment has comments, and a later line that begins
    with the sign is one unless it looks like the rows around it (left to the caller by field count).
    """
    none = np.zeros(len(lines), dtype=bool)
    if options.comment == "none":
        return None, none
    if options.comment != "auto":
        return options.comment, lines.begins_with(options.comment.encode())
    head = next((text for i in range(min(len(lines), 50)) if (text := lines.text(i).strip())), "")
    sign = next((sign for sign in _COMMENTS if head.startswith(sign)), None)
    if sign is None:
        return None, none
    commented = lines.begins_with(sign.encode())
    return (sign, commented) if not commented.all() else (None, none)


def _separator(lines: Lines, rows: np.ndarray, options: ReadOptions, source: Source) -> str | None:
    """The sign between values, or None for a table of one column."""
    if options.separator != "auto":
        return None if options.separator == "none" else options.separator
    texts = [lines.text(i) for i in _spread(lines, rows[len(rows) // 2 :])]
    scores: dict[str | None, float] = {None: 0.75 * _quality([[text.strip()] for text in texts])}
    usual: dict[str, int] = {}
    for separator in _SEPARATORS:
        counts = lines.separators(separator, source)[rows]
        usual[separator] = usual_count(counts)
        if not usual[separator]:
            continue
        first = int(np.argmax(counts == usual[separator]))
        fits = float(np.mean(counts[first:] == usual[separator]))
        weight = 0.8 if separator == " " else 1.0
        scores[separator] = weight * fits * _quality([split_fields(text, separator) for text in texts])
    best = max(scores, key=lambda separator: scores[separator])
    if usual[","] == 1 and best in (",", None) and _quality([[text.strip()] for text in texts]) >= 1.19:
        return _comma_or_decimal(lines, rows, options, source)
    return best


def _spread(lines: Lines, rows: np.ndarray) -> np.ndarray:
    """Some of `rows`, evenly over the file, few enough to be looked at cell by cell."""
    lengths = lines.ends[rows] - lines.starts[rows] + 1
    wanted = int(np.clip(_SAMPLED_BYTES // lengths.mean(), 3, _SAMPLE))
    return rows[:: max(len(rows) // wanted, 1)][: 2 * wanted]


def _quality(table: Sequence[Sequence[str]]) -> float:
    """How much the cells look like values rather than like several values run together: 0.2 to 1.2."""
    total = count = 0.0
    for cell in (cell for row in table for cell in row):
        count += 1
        if not cell or cell in MISSING_CODES or looks_like_number(cell):
            total += 1.0
        else:
            total += 0.1 if re.search(r"[;\t|]|,(?=\S)", cell) else 0.5
    return 0.2 + total / count if count else 0.0


def _comma_or_decimal(lines: Lines, rows: np.ndarray, options: ReadOptions, source: Source) -> str | None:
    """One comma in every line of numbers: two whole numbers or one decimal? The header decides."""
    head = lines.text(rows[0])
    for i in rows[1:_SAMPLE]:
        # The header is the last line of words before the numbers.
        if isinstance(options.header, int) or _could_be_decimal(lines.text(i)):
            break
        head = lines.text(i)
    if isinstance(options.header, int) or any(letter.isalpha() for letter in head):
        return "," if "," in head else None
    if options.decimal != "auto" or any(not _could_be_decimal(lines.text(i)) for i in rows[:_SAMPLE]):
        return None if options.decimal == "," else ","
    text = head.strip()
    raise source.error(
        "separator-or-decimal",
        f"“{text}” can be two numbers or the one number {text.replace(',', '.')}",
        "say what the comma means",
        row=int(lines.numbers[rows[0]]),
        choices=(
            Repair("separator", "comma", "Read two columns", "The comma separates values"),
            Repair("decimal", ",", "read one column of decimals", "The comma is the decimal sign"),
        ),
    )


def _could_be_decimal(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d*,\d+", text.strip()) is not None


def _equal_rows(
    lines: Lines,
    rows: np.ndarray,
    counts: np.ndarray,
    expected: int,
    separator: str | None,
    options: ReadOptions,
    source: Source,
) -> tuple[bytes, np.ndarray, list[Dropped]]:
    """The bytes and line numbers of the rows, all with the same number of values."""
    dropped = []
    keep = np.ones(len(rows), dtype=bool)
    chosen = np.isin(lines.numbers[rows], options.drop_rows)
    if chosen.any():
        dropped.append(Dropped("chosen", tuple(lines.numbers[rows[chosen]].tolist())))
        keep &= ~chosen
    if separator is not None and expected > 0:
        empty = keep & _only_separators(lines, rows, separator)
        if empty.any():
            dropped.append(Dropped("no value in the row", tuple(lines.numbers[rows[empty]].tolist())))
            keep &= ~empty
    unequal = (counts != expected) & keep
    if unequal.any():
        if options.unequal_rows == "ask":
            raise _unequal(lines.numbers[rows[unequal]], counts[unequal], expected, separator, source)
        out = unequal if options.unequal_rows == "drop-row" else unequal & (counts > expected)
        dropped.append(Dropped("another number of values", tuple(lines.numbers[rows[out]].tolist())))
        keep &= ~out
    short = np.flatnonzero(keep & (counts < expected))
    body = (
        _join(lines, rows[keep])
        if not len(short)
        else _filled(lines, rows, counts, keep, expected, separator)
    )
    if not keep.any():
        raise source.error("no-table", "no row is left with values", "at least one row is needed")
    return body, lines.numbers[rows[keep]], [each for each in dropped if each.lines]


def _only_separators(lines: Lines, rows: np.ndarray, separator: str) -> np.ndarray:
    """bool (rows,): rows such as ",,," that a spreadsheet leaves below the table."""
    short = np.flatnonzero(lines.ends[rows] - lines.starts[rows] < 4 * 4096)
    empty = np.zeros(len(rows), dtype=bool)
    allowed = (separator + ' "\t').encode()
    first = np.frombuffer(lines.data, dtype=np.uint8)[lines.starts[rows[short]]]
    for i in short[np.isin(first, np.frombuffer(allowed, dtype=np.uint8))]:
        empty[i] = not lines.data[lines.starts[rows[i]] : lines.ends[rows[i]]].strip(allowed)
    return empty


def _join(lines: Lines, rows: np.ndarray) -> bytes:
    """The lines `rows`, one after the other; neighbouring lines are copied as one piece."""
    if not len(rows):
        return b""
    breaks = np.flatnonzero(np.diff(rows) != 1)
    firsts = rows[np.concatenate([[0], breaks + 1])]
    lasts = rows[np.concatenate([breaks, [len(rows) - 1]])]
    pieces = [lines.data[lines.starts[a] : lines.ends[b]] for a, b in zip(firsts, lasts, strict=True)]
    return b"\n".join(pieces) + b"\n"


def _filled(
    lines: Lines, rows: np.ndarray, counts: np.ndarray, keep: np.ndarray, expected: int, separator: str | None
) -> bytes:
    sign = (separator or "").encode()
    pieces = []
    for i in np.flatnonzero(keep):
        row = rows[i]
        missing = sign * int(expected - counts[i])
        pieces.append(lines.data[lines.starts[row] : lines.ends[row]] + missing)
    return b"\n".join(pieces) + b"\n"


def _unequal(
    numbers: np.ndarray, counts: np.ndarray, expected: int, separator: str | None, source: Source
) -> DataError:
    first = ", ".join(f"{number:,}" for number in numbers[:3].tolist())
    where = "" if len(numbers) == 1 else f" (first in lines {first}; {len(numbers):,} such rows)"
    choices = [Repair("unequal_rows", "drop-row", "Leave these rows out", f"{len(numbers):,} rows are lost")]
    if (counts < expected).all() and separator != " ":
        choices.append(
            Repair("unequal_rows", "fill", "fill them with missing cells", "Values are added at the end")
        )
    sign = f" (separator {sign_in_words(separator)})" if separator else ""
    return source.error(
        "unequal-rows",
        f"{counted(int(counts[0]) + 1, 'value')} instead of {expected + 1:,}{where}",
        f"every row has {expected + 1:,} values{sign}",
        row=int(numbers[0]),
        choices=tuple(choices),
    )
