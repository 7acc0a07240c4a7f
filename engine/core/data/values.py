"""The loaded values: tables, distances, linkage matrices. Arrays are read-only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

ColumnType = Literal["number", "text", "category"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Column:
    """One column: `values` is float64 (n,) with NaN for a missing number, or object (n,) of str.

    In a text or category column the empty string is the only missing value.
    """

    name: str
    values: np.ndarray
    type: ColumnType = "number"
    unit: str | None = None

    def texts(self) -> list[str]:
        """The values as a person reads them; whole numbers without a fraction."""
        if self.type != "number":
            return list(self.values)
        return [
            "" if np.isnan(v) else f"{v:.0f}" if v.is_integer() else repr(v) for v in self.values.tolist()
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """n rows: the columns computed with, and apart from them the label and the id column.

    `lines` are the line numbers in the file the rows came from (from 1), so that a later complaint can
    name them. `geographic` says that the columns latitude and longitude (degrees) are places on Earth.
    """

    columns: tuple[Column, ...]
    label: Column | None = None
    id: Column | None = None
    lines: np.ndarray | None = None
    geographic: bool = False
    matrix: np.ndarray | None = field(default=None, repr=False)

    @property
    def n(self) -> int:
        for column in (*self.columns, self.label, self.id):
            if column is not None:
                return len(column.values)
        return 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, label and id aside."""
        return tuple(column.name for column in self.columns)

    @property
    def types(self) -> tuple[ColumnType, ...]:
        return tuple(column.type for column in self.columns)

    @property
    def numeric_names(self) -> tuple[str, ...]:
        """Names of the d columns of `numeric()`."""
        return tuple(column.name for column in self.columns if column.type == "number")

    def numeric(self) -> np.ndarray:
        """The number columns as float64 (n, d), C order, read-only."""
        return self._numbers

    @cached_property
    def _numbers(self) -> np.ndarray:
        if self.matrix is not None:
            return read_only(self.matrix)
        parts = [column.values for column in self.columns if column.type == "number"]
        stacked = np.column_stack(parts) if parts else np.empty((self.n, 0))
        return read_only(np.ascontiguousarray(stacked, dtype=np.float64))

    def column(self, name: str) -> Column:
        """The column of that name, label and id included; KeyError if there is none."""
        for column in (*self.columns, self.label, self.id):
            if column is not None and column.name == name:
                return column
        raise KeyError(name)

    def row_names(self) -> list[str]:
        """What each row is called: its id, or "row 7" by the line of the file, or its number from 1."""
        if self.id is not None:
            return self.id.texts()
        numbers = range(1, self.n + 1) if self.lines is None else self.lines.tolist()
        return [f"row {number}" for number in numbers]

    def summary(self) -> str:
        """ "150 rows × 4 columns", with the label named."""
        text = f"{self.n:,} rows × {len(self.columns):,} {'column' if len(self.columns) == 1 else 'columns'}"
        return text if self.label is None else f"{text}, label {self.label.name}"

    def fingerprint(self) -> str:
        """SHA-256 over names, types and values of all columns; the same on every machine."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256(b"table 1")
        roles = [("column", column) for column in self.columns]
        roles += [(role, column) for role, column in (("label", self.label), ("id", self.id)) if column]
        for role, column in roles:
            _add_texts(digest, (role, column.name, column.type))
            if column.type == "number":
                _add_numbers(digest, column.values)
            else:
                _add_texts(digest, column.values)
        return digest.hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class Distances:
    """Distances of n things: `values` float64, square (n, n) or condensed (n(n−1)/2,) in SciPy's order."""

    values: np.ndarray
    n: int
    names: tuple[str, ...] | None = None

    @property
    def is_condensed(self) -> bool:
        return self.values.ndim == 1

    def square(self) -> np.ndarray:
        """float64 (n, n); built (8·n² bytes) when the file was condensed."""
        if not self.is_condensed:
            return self.values
        full = np.zeros((self.n, self.n))
        rows, columns = np.triu_indices(self.n, 1)
        full[rows, columns] = full[columns, rows] = self.values
        return read_only(full)

    def condensed(self) -> np.ndarray:
        """float64 (n(n−1)/2,): the upper triangle row by row."""
        if self.is_condensed:
            return self.values
        return read_only(np.concatenate([self.values[i, i + 1 :] for i in range(self.n)]))

    def row_names(self) -> list[str]:
        """Names from the file, or "row 1", "row 2" …"""
        return list(self.names) if self.names else [f"row {i}" for i in range(1, self.n + 1)]

    def summary(self) -> str:
        return f"distances of {self.n:,} points"

    def fingerprint(self) -> str:
        """SHA-256 over the upper triangle and the names: square and condensed files agree."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256(b"distances 1")
        for start in range(self.n):
            row = (
                self.values[start, start + 1 :]
                if not self.is_condensed
                else self.values[_condensed_row(self.n, start)]
            )
            _add_numbers(digest, row, with_size=False)
        _add_texts(digest, self.names or ())
        return digest.hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkageMatrix:
    """A hierarchy over n leaves: `merges` float64 (n−1, 4) as in `scipy.cluster.hierarchy.linkage`."""

    merges: np.ndarray

    @property
    def n(self) -> int:
        return len(self.merges) + 1

    def row_names(self) -> list[str]:
        return [f"leaf {i}" for i in range(self.n)]

    def summary(self) -> str:
        return f"hierarchy of {self.n:,} leaves"

    def fingerprint(self) -> str:
        digest = hashlib.sha256(b"linkage 1")
        _add_numbers(digest, self.merges)
        return digest.hexdigest()


def number_table(
    matrix: np.ndarray,
    names: Sequence[str],
    *,
    units: Sequence[str | None] | None = None,
    label: Column | None = None,
    id: Column | None = None,
    lines: np.ndarray | None = None,
    geographic: bool = False,
) -> Table:
    """A table of number columns that are views of `matrix` (n, d), converted to float64."""
    matrix = read_only(np.ascontiguousarray(matrix, dtype=np.float64))
    units = units or [None] * len(names)
    columns = tuple(
        Column(name=name, values=matrix[:, j], unit=unit)
        for j, (name, unit) in enumerate(zip(names, units, strict=True))
    )
    return Table(columns=columns, label=label, id=id, lines=lines, geographic=geographic, matrix=matrix)


def text_column(name: str, values: Iterable[str], type: ColumnType = "text") -> Column:
    """A text or category column; `values` become an object array of str."""
    return Column(name=name, values=text_array(values), type=type)


def text_array(values: Iterable[str]) -> np.ndarray:
    """Strings as a read-only object array (n,)."""
    values = list(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return read_only(array)


def numbers_as_text(values: np.ndarray) -> list[str]:
    """float64 (n,) as a person reads them: shortest exact form, whole numbers without fraction, NaN empty."""
    return ["" if v != v else f"{v:.0f}" if v.is_integer() else repr(v) for v in values.tolist()]


def read_only(array: np.ndarray) -> np.ndarray:
    """A view of the array that refuses writing."""
    view = array.view()
    view.flags.writeable = False
    return view


def _condensed_row(n: int, i: int) -> slice:
    start = i * n - i * (i + 1) // 2
    return slice(start, start + n - 1 - i)


def _add_numbers(digest: hashlib._Hash, values: np.ndarray, *, with_size: bool = True) -> None:
    if with_size:
        digest.update(str(values.shape).encode())
    # Adding 0.0 makes -0.0 equal to 0.0; every NaN is written with the same bits.
    values = np.ascontiguousarray(values, dtype="<f8") + 0.0
    values[np.isnan(values)] = np.nan
    digest.update(values.view(np.uint8).data if values.size else b"")


def _add_texts(digest: hashlib._Hash, texts: Iterable[str]) -> None:
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
