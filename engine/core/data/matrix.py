"""Matrices of numbers from text or NPY, with the names that frame them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.core.data.cells import RawColumn
from engine.core.data.delimited import delimited_report, find_table, found_options, read_columns
from engine.core.data.encoding import read_text
from engine.core.data.npy import numbers, read_array, shape_in_words
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.data.values import numbers_as_text


@dataclass(frozen=True)
class MatrixFile:
    """`values` float64 (rows, columns) or (length,), writable, NaN where a cell is empty.

    `lines` are the line numbers of the rows (of the entries from 1 in an NPY file); `first_column` is
    the number in the file of the first column of values, 2 when names stand before it.
    """

    values: np.ndarray
    lines: np.ndarray
    options: ReadOptions
    row_names: tuple[str, ...] | None = None
    column_names: tuple[str, ...] | None = None
    first_column: int = 1


def read_matrix(source: Source, options: ReadOptions, report: Report) -> MatrixFile:
    """A matrix from NPY (one or two dimensions) or separated values; the report learns the layout.

    Names may stand in the first row and the first column. Raises DataError "not-a-number" and
    "not-finite" with row and column, "not-2d", and those of the text and NPY readers.
    """
    if source.suffix == ".npy":
        array = numbers(read_array(source), source, report)
        if array.ndim not in (1, 2):
            raise source.error(
                "not-2d",
                f"the array has {array.ndim} dimensions (shape {shape_in_words(array.shape)})",
                "a square matrix or a condensed vector",
            )
        return MatrixFile(array, np.arange(1, len(array) + 1), options)
    text = read_text(source, options)
    layout, notation = find_table(text, options, source)
    source.check_table(len(layout.lines), layout.columns)
    columns = read_columns(layout, notation, options, source)
    told = delimited_report(source, text, layout, notation)
    for field in ("encoding", "separator", "decimal", "thousands", "header_line", "comment", "rows_in_file"):
        setattr(report, field, getattr(told, field))
    report.conversions += told.conversions
    options = found_options(options, text, layout, notation)
    names = layout.names if layout.header_line else None
    row_names = None
    # A first column of words, or one column more than rows, names the rows.
    if len(columns) > 1 and (columns[0].type == "text" or len(columns) == len(layout.lines) + 1):
        first, columns, names = columns[0], columns[1:], names and names[1:]
        is_text = first.type == "text"
        row_names = tuple(first.values if is_text else numbers_as_text(first.values))
    values = _numbers(columns, layout.lines, source)
    if row_names is None and names is None and _is_framed(values):
        row_names = tuple(numbers_as_text(values[1:, 0]))
        return MatrixFile(values[1:, 1:].copy(), layout.lines[1:], options, row_names, row_names, 2)
    first_column = layout.columns - values.shape[1] + 1
    return MatrixFile(values, layout.lines, options, row_names, names, first_column)


def _numbers(columns: list[RawColumn], lines: np.ndarray, source: Source) -> np.ndarray:
    """float64 (rows, columns). Raises DataError for the first cell that is no finite number."""
    matrix = np.empty((len(lines), len(columns)))
    for j, column in enumerate(columns):
        if column.type != "number" and not column.missing.all():
            row = int(np.argmin(column.missing))
            column.odd[row] = str(column.values[row])
        for row, word in sorted((column.odd | column.infinite).items()):
            finite = row not in column.infinite
            raise source.error(
                "not-a-number" if finite else "not-finite",
                f"“{word}” is not {'a number' if finite else 'finite'}",
                "a matrix holds finite numbers; names stand in the first row and the first column",
                row=int(lines[row]),
                column=column.name,
            )
        matrix[:, j] = column.values if column.type == "number" else np.nan
    return matrix


def _is_framed(values: np.ndarray) -> bool:
    """Numbers as names: an empty corner, the same numbers along the first row and the first column."""
    if len(values) < 3 or values.shape != (len(values), len(values)) or not np.isnan(values[0, 0]):
        return False
    return bool(np.isfinite(values[1:, 1:]).all() and (values[0, 1:] == values[1:, 0]).all())
