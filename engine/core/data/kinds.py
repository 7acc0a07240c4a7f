"""What a method can take: plain frozen declarations, nothing is read here.

A method names the kinds it accepts; `registry.read` finds the loader for a kind and a file suffix. A
method whose format is its own subclasses `DataKind` and names its loaders as text in `loaders`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

TEXT_SUFFIXES = (".csv", ".tsv", ".txt", ".dat", ".data")
LIBSVM_SUFFIXES = (".libsvm", ".svm", ".svmlight")
TABLE_SUFFIXES = (*TEXT_SUFFIXES, ".npy", ".npz", ".parquet", ".arff", *LIBSVM_SUFFIXES)
MATRIX_SUFFIXES = (*TEXT_SUFFIXES, ".npy")


@dataclass(frozen=True, kw_only=True)
class DataKind:
    """Base: `title` for the chooser, `accepts` the suffixes, `loaders` (suffix, "module:function") pairs.

    `loaders` is for kinds outside the core; those of the core are in `registry.LOADERS`.
    """

    name: ClassVar[str] = "data"

    title: str = "Data"
    accepts: tuple[str, ...] = ()
    loaders: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableKind(DataKind):
    """Rows × columns.

    With `numeric` the number columns are what is computed with: at least `min_columns` of them, without
    gaps unless `missing_allowed`; text columns can be label or id and are otherwise kept unused.
    `required` names columns that must be there (a log of "arm", "reward"); rows keep the file's order,
    so that a time-ordered stream is a table.
    """

    name: ClassVar[str] = "table"

    title: str = "Table"
    accepts: tuple[str, ...] = TABLE_SUFFIXES
    numeric: bool = True
    label_column: bool = False
    label_required: bool = False
    id_column: bool = False
    required: tuple[str, ...] = ()
    missing_allowed: bool = False
    min_rows: int = 2
    min_columns: int = 1


@dataclass(frozen=True, kw_only=True)
class DistanceKind(DataKind):
    """Distances between n ≥ `min_rows` things: square, condensed, or lower triangle."""

    name: ClassVar[str] = "distances"

    title: str = "Distance matrix"
    accepts: tuple[str, ...] = MATRIX_SUFFIXES
    min_rows: int = 2


@dataclass(frozen=True, kw_only=True)
class LinkageMatrixKind(DataKind):
    """A finished hierarchy in SciPy's form: (n−1) × 4, merged ids, height, size."""

    name: ClassVar[str] = "linkage"

    title: str = "Linkage matrix"
    accepts: tuple[str, ...] = MATRIX_SUFFIXES
