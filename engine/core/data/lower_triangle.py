"""Lower triangles as text: row i has i distances, as R prints a `dist`, with or without names."""

from __future__ import annotations

import numpy as np

from engine.core.data.encoding import Text
from engine.core.data.lines import Lines, split_fields, split_lines
from engine.core.data.notation import Notation, detect_notation, looks_like_number, number_reader
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source

_SEPARATORS = ("\t", ";", ",", " ")


def find_triangle(
    text: Text, options: ReadOptions, source: Source, report: Report
) -> tuple[np.ndarray, tuple[str, ...] | None, ReadOptions] | None:
    """Condensed distances (SciPy's order), names, and options, or None when rows do not grow by one.

    The first row may be a header; each row may begin with a name and end with the zero of the
    diagonal. Raises DataError "not-a-number" with the row, and "nonzero-diagonal".
    """
    lines = split_lines(text.data, "".join(_SEPARATORS), source)
    rows = np.flatnonzero(~lines.blank(source) & ~lines.begins_with(b"#"))
    candidates = {"auto": _SEPARATORS, "none": ()}.get(options.separator, (options.separator,))
    for separator in candidates:
        counts = lines.separators(separator, source)[rows]
        grows = np.diff(counts) == 1
        if len(rows) >= 2 and grows.all() and counts[0] <= 1:
            return _parse(lines, rows, None, separator, text, options, source, report)
        if len(rows) >= 3 and grows[1:].all() and counts[1] <= 1:
            return _parse(lines, rows[1:], rows[0], separator, text, options, source, report)
    return None


def _parse(
    lines: Lines,
    rows: np.ndarray,
    head: int | None,
    separator: str,
    text: Text,
    options: ReadOptions,
    source: Source,
    report: Report,
) -> tuple[np.ndarray, tuple[str, ...] | None, ReadOptions]:
    fields = [split_fields(lines.text(i), separator) for i in rows]
    sample = [cell for row in fields[:50] for cell in row]
    numbers = lines.numbers[rows]
    body = b"\n".join(lines.data[lines.starts[i] : lines.ends[i]] for i in rows)
    notation = detect_notation(body, separator, numbers, sample, options, source)
    names = None
    # Row i of a triangle has i distances (or i + 1 with the diagonal); one value more is a name.
    if all(not looks_like_number(row[0]) for row in fields) or _counts_up(fields, head is not None):
        names = [row[0] for row in fields]
        fields = [row[1:] for row in fields]
    values = _numbers(fields, notation, numbers, source)
    with_diagonal = (len(values[0]) == 1 and all(row[-1] == 0 for row in values)) or not values[0]
    if with_diagonal:
        values = [row[:-1] for row in values[1:]] if values[0] else values[1:]
    first = None
    if head is not None:
        header = [cell for cell in split_fields(lines.text(head), separator) if cell]
        first = header[0] if header else None
    if names is not None and not with_diagonal:
        names = [first or "row 1", *names]
    report.format, report.encoding = "Lower triangle of distances", text.encoding
    report.separator, report.decimal = separator, notation.decimal
    report.header_line = int(lines.numbers[head]) if head is not None else None
    options = options.with_settings(
        {"separator": separator, "decimal": notation.decimal, "encoding": text.encoding}
    )
    return _condensed(values), tuple(names) if names else None, options


def _counts_up(fields: list[list[str]], has_head: bool) -> bool:
    """Names that are the row numbers: 2, 3, 4 … (or 1, 2, 3 …) under a header."""
    if not has_head or len(fields[0]) < 2:
        return False
    return all(row[0].isdecimal() and int(row[0]) == i + int(fields[0][0]) for i, row in enumerate(fields))


def _numbers(
    fields: list[list[str]], notation: Notation, lines: np.ndarray, source: Source
) -> list[list[float]]:
    result, to_number = [], number_reader(notation)
    for i, row in enumerate(fields):
        values = []
        for j, cell in enumerate(row):
            number = to_number(cell)
            if number is None:
                raise source.error(
                    "not-a-number",
                    f"“{cell}” is not a number",
                    "the rows below the first hold distances",
                    row=int(lines[i]),
                    column=j + 1,
                )
            values.append(number)
        result.append(values)
        if i % 64 == 0:
            source.tick(i / len(fields), "Reading the distances")
    return result


def _condensed(rows: list[list[float]]) -> np.ndarray:
    """Rows d(2,1); d(3,1) d(3,2); … to d(1,2) d(1,3) … d(2,3) …"""
    n = len(rows) + 1
    square = np.zeros((n, n))
    for i, row in enumerate(rows, 1):
        square[:i, i] = row
    return square[np.triu_indices(n, 1)]
