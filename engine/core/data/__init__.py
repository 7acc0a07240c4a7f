"""Data sets and files: what a method can take, how a file is read, what was read.

    loaded = read("ages.csv", [TableKind()], ReadOptions())
    loaded.value.numeric(), loaded.report.lines(), loaded.options

Importing this package brings numpy and pydantic; pandas, pyarrow and scikit-learn come when a file or
set that needs them is read.
"""

from __future__ import annotations

from engine.core.data.datasets import DataSet, resolve
from engine.core.data.embedded import EMBEDDED
from engine.core.data.kinds import DataKind, DistanceKind, LinkageMatrixKind, TableKind
from engine.core.data.limits import DEFAULT_LIMITS, Limits, Tick
from engine.core.data.loaded import Loaded
from engine.core.data.options import MISSING_CODES, READER_VERSION, ReadOptions
from engine.core.data.preview import Preview, PreviewRow, preview
from engine.core.data.registry import LOADERS, accepted_suffixes, read
from engine.core.data.report import ColumnReport, Dropped, Report
from engine.core.data.source import Estimate, Source
from engine.core.data.values import Column, Distances, LinkageMatrix, Table, number_table, text_column

__all__ = [
    "DEFAULT_LIMITS",
    "EMBEDDED",
    "LOADERS",
    "MISSING_CODES",
    "READER_VERSION",
    "Column",
    "ColumnReport",
    "DataKind",
    "DataSet",
    "DistanceKind",
    "Distances",
    "Dropped",
    "Estimate",
    "Limits",
    "LinkageMatrix",
    "LinkageMatrixKind",
    "Loaded",
    "Preview",
    "PreviewRow",
    "ReadOptions",
    "Report",
    "Source",
    "Table",
    "TableKind",
    "Tick",
    "accepted_suffixes",
    "number_table",
    "preview",
    "read",
    "resolve",
    "text_column",
]
