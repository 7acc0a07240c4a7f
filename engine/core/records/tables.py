"""Result tables as CSV: UTF-8, every digit, "nan" and "inf" as words."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine.core.records.disk import file_name


def place(table: str) -> str:
    """Where a table lies in its record."""
    return f"tables/{file_name(table)}.csv"


def as_lists(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Columns as lists of plain values.

    Raises:
        ValueError: columns of unequal length.
    """
    lists = {name: v.tolist() if isinstance(v, np.ndarray) else list(v) for name, v in columns.items()}
    if len({len(values) for values in lists.values()}) > 1:
        raise ValueError(f"columns of unequal length: { {name: len(v) for name, v in lists.items()} }")
    return lists


def head(names: Iterable[str]) -> bytes:
    """The first line."""
    return _csv([list(names)])


def rows(columns: Mapping[str, list[Any]]) -> bytes:
    """The lines of equally long columns."""
    return _csv([_cell(value) for value in row] for row in zip(*columns.values(), strict=True))


def _cell(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _csv(lines: Iterable[list[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode(errors="backslashreplace")
