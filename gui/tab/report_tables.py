"""The tables and sentences of the data report, made from what the reader tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.data.preview import PreviewRow
from engine.core.data.report import ColumnReport, Report, sign_in_words, some_of
from engine.core.data.values import Table
from engine.core.errors import DataError, sentence_start
from gui.widgets.table_column import Column

ROWS_SHOWN = 1_000
"""Rows of the data in the report; the caption says of how many."""
WIDEST = 50
READ_AS = 1
"""Place of the column whose cells offer the types."""
TYPES = (
    ("number", "number"),
    ("category", "category"),
    ("text", "text"),
    ("skip", "left out"),
)
TOLD = ("Note", "Left out", "Constant", "Repeated", "Converted")
"""How the lines of a report begin that have a banner of their own."""


def columns_table(value: Any, report: Report, *, editable: bool) -> list[Column]:
    """One row per column of the file: how it is read, what is missing, its range, whether it is used."""
    reports = report.columns
    words = dict(TYPES)
    caret = " ▾" if editable else ""
    ranges = _ranges(value)
    columns = [
        Column("Column", [each.name for each in reports], bold=[True] * len(reports)),
        Column(
            "Read as",
            [f"{_role(each) or words[each.type]}{caret}" for each in reports],
            tip="Press Enter or click to read the column in another way" if editable else "",
        ),
    ]
    if editable:
        used = [each.type != "skip" for each in reports]
        columns.append(Column("Used", used, kind="check", width=56))
    columns.append(Column("Missing", [sum(each.missing.values()) for each in reports], kind="number"))
    columns.append(Column("Range", [_remark(each) or ranges.get(each.name, "") for each in reports]))
    columns.append(Column("Why", [each.reason for each in reports], tone="text_secondary"))
    return columns


def rows_table(value: Any) -> list[Column]:
    """The first rows of what was read, with their lines in the file."""
    if isinstance(value, Table):
        lines = value.lines if value.lines is not None else np.arange(1, value.n + 1)
        first = Column("row", [f"{line}" for line in lines[:ROWS_SHOWN]], tone="text_tertiary")
        named = [column for column in (value.id, value.label, *value.columns) if column is not None]
        return [first, *(_data_column(column) for column in named[:WIDEST])]
    matrix = getattr(value, "square", None)
    if callable(matrix):
        cells = np.asarray(matrix())[:ROWS_SHOWN, :WIDEST]
        return [Column(str(place + 1), cells[:, place], kind="number") for place in range(cells.shape[1])]
    return []


def lines_table(header: PreviewRow, rows: Sequence[PreviewRow], error: DataError) -> list[Column]:
    """Lines of the file as text, the cell that cannot be read marked."""
    names = list(header.fields)
    widest = max((len(row.fields) for row in rows), default=0)
    names += [f"{place + 1}" for place in range(len(names), widest)]
    wrong = frozenset(place for place, row in enumerate(rows) if not row.fits)
    bad = _place(error.column, names)
    columns = [
        Column(
            "row",
            [f"{row.line}" for row in rows],
            tone="text_tertiary",
            wrong=wrong if bad is None else frozenset(),
        )
    ]
    for place, name in enumerate(names[:WIDEST]):
        cells = [row.fields[place] if place < len(row.fields) else "" for row in rows]
        columns.append(Column(name, cells, wrong=wrong if place == bad else frozenset()))
    return columns


def form_words(report: Report) -> str:
    """ "blood.csv · comma separated · utf-8 · header in line 1"."""
    parts = [report.file]
    if report.separator:
        parts.append(f"{sign_in_words(report.separator)} separated")
        parts.append(report.encoding or "")
        parts.append(f"header in line {report.header_line}" if report.header_line else "no header")
    return " · ".join(part for part in parts if part)


def error_words(error: DataError) -> tuple[str, str]:
    """What and where; then why, and how many more there are."""
    place = [f"Row {error.row:,}"] if error.row is not None else []
    place += [f"column {error.column}"] if error.column is not None else []
    where = ", ".join(place) or error.file
    more = f"{error.further:,} more like it. " if error.further else ""
    allowed = f"{error.allowed[:1].upper()}{error.allowed[1:].rstrip('.')}."
    return f"{where[:1].upper()}{where[1:]}: {error.found}", f"{more}{allowed}"


def warnings_of(report: Report) -> list[tuple[str, str]]:
    """What a person should know: (headline, detail)."""
    found = []
    constant, repeated = report.constant_columns, report.duplicated_columns
    if constant:
        what = f"Column {constant[0]} is" if len(constant) == 1 else f"Columns {some_of(constant)} are"
        found.append((f"{what} constant", "Every row has the same value there."))
    if repeated:
        pairs = [f"{name} repeats {other}" for name, other in repeated]
        found.append((f"{some_of(pairs)}", "The same numbers count twice in a distance."))
    dropped = sum(len(each.lines) for each in report.dropped)
    if dropped:
        why = [f"{sentence_start(each.reason)}: line {some_of(each.lines)}." for each in report.dropped]
        found.append((f"{dropped:,} row{'s are' if dropped != 1 else ' is'} left out", " ".join(why)))
    found += [(f"{text[:1].upper()}{text[1:]}", "") for text in report.warnings]
    return found


def _role(report: ColumnReport) -> str:
    return report.role if report.role in ("label", "id") else ""


def _remark(report: ColumnReport) -> str:
    if report.constant:
        return "always the same"
    return f"repeats {report.duplicate_of}" if report.duplicate_of else ""


def _ranges(value: Any) -> dict[str, str]:
    if not isinstance(value, Table):
        return {}
    named = [column for column in (value.id, value.label, *value.columns) if column is not None]
    return {column.name: _range(column) for column in named}


def _range(column: Any) -> str:
    if column.type == "number":
        finite = column.values[np.isfinite(column.values)]
        if not len(finite):
            return "no number"
        return f"{finite.min():g} … {finite.max():g}".replace("-", "−")
    if column.type == "category":
        count = len(set(column.values))
        return f"{count:,} value{'s' * (count != 1)}"
    return f"{column.values[0]} … {column.values[-1]}" if len(column.values) else ""


def _data_column(column: Any) -> Column:
    if column.type == "number":
        shown = column.values[:ROWS_SHOWN]
        return Column(column.name, shown, kind="number", missing="", decimals=_decimals(shown))
    return Column(column.name, [str(value) for value in column.values[:ROWS_SHOWN]])


def _decimals(values: np.ndarray) -> int | None:
    """As many as the numbers were written with, up to six; None for the table's own choice."""
    finite = values[np.isfinite(values)]
    for decimals in range(7):
        if np.allclose(np.round(finite, decimals), finite, rtol=0, atol=1e-9):
            return decimals
    return None


def _place(column: str | int | None, names: list[str]) -> int | None:
    if isinstance(column, int):
        return column - 1
    return names.index(column) if column in names else None
