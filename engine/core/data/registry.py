"""The one table of loaders, and `read`, which picks one and asks when a file can mean two things."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.data.kinds import (
    LIBSVM_SUFFIXES,
    TEXT_SUFFIXES,
    DataKind,
    DistanceKind,
    LinkageMatrixKind,
    TableKind,
)
from engine.core.data.limits import DEFAULT_LIMITS, Limits, Tick, no_tick
from engine.core.data.loaded import Loaded
from engine.core.data.options import READER_VERSION, ReadOptions
from engine.core.data.source import FOLDER, Source
from engine.core.data.values import Table
from engine.core.errors import DataError, Repair, listing

_PACKAGE = "engine.core.data"
_TEXT = (*TEXT_SUFFIXES, "")

#: (kind, suffix) → "module:function" with the signature load(source, options, kind) -> Loaded.
LOADERS: dict[tuple[str, str], str] = {
    **{("table", suffix): f"{_PACKAGE}.delimited:load" for suffix in _TEXT},
    ("table", ".npy"): f"{_PACKAGE}.npy:load",
    ("table", ".npz"): f"{_PACKAGE}.npz:load",
    ("table", ".parquet"): f"{_PACKAGE}.parquet:load",
    ("table", ".arff"): f"{_PACKAGE}.arff:load",
    **{("table", suffix): f"{_PACKAGE}.libsvm:load" for suffix in LIBSVM_SUFFIXES},
    **{("distances", suffix): f"{_PACKAGE}.distances:load" for suffix in (*_TEXT, ".npy")},
    **{("linkage", suffix): f"{_PACKAGE}.linkage_matrix:load" for suffix in (*_TEXT, ".npy")},
}
_ORIENTATION = {"points": "table", "distances": "distances", "linkage": "linkage"}
_LIBSVM_LINE = re.compile(rb"\s*[-+.\deE,]+(\s+(qid:)?\d+:\S+)+\s*(#.*)?")


def read(
    path: str | Path,
    kinds: Sequence[DataKind],
    options: ReadOptions | None = None,
    *,
    tick: Tick | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Loaded:
    """Read a file as the first of `kinds` that its format and the options allow.

    `tick(fraction, phase)` is called every few hundredths of a second and may raise to stop. Raises
    DataError with the place and the choices when the file cannot be used as it is; among them
    "could-be-distances" (or "could-be-linkage") when a table of numbers may be a matrix of distances.
    """
    options = options or ReadOptions()
    source = Source(Path(path), limits, tick or no_tick)
    if source.suffix != FOLDER or not any(FOLDER in kind.accepts for kind in kinds):
        source.check()
    kind, loader = _choose(source, kinds, options)
    try:
        loaded = loader_function(loader)(source, options, kind)
    except DataError as error:
        distances = next((each for each in kinds if isinstance(each, DistanceKind)), None)
        if error.code != "not-2d" or distances is None or options.orientation != "auto":
            raise
        # A vector cannot be a table: it is read as condensed distances, whose loader checks its length.
        loaded = loader_function(LOADERS["distances", ".npy"])(source, options, distances)
    if isinstance(kind, TableKind) and options.orientation == "auto":
        _ask_if_matrix(loaded, kinds, source)
    if options.reader < READER_VERSION:
        rules = f"the recipe was made by reading rules {options.reader}, these are {READER_VERSION}"
        loaded.report.warnings.append(f"{rules}; compare the data")
    return loaded.named(source.name)


def loader_function(text: str) -> Callable[..., Any]:
    """The function named by "module:function"."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)


def accepted_suffixes(kinds: Sequence[DataKind]) -> tuple[str, ...]:
    """All suffixes the kinds accept, for a file dialog; packed files (.gz, .bz2, .xz) are read too."""
    return tuple(dict.fromkeys(suffix for kind in kinds for suffix in kind.accepts))


def _choose(source: Source, kinds: Sequence[DataKind], options: ReadOptions) -> tuple[DataKind, str]:
    wanted = _ORIENTATION.get(options.orientation)
    candidates = [kind for kind in kinds if wanted is None or kind.name in (wanted, "data")] or list(kinds)
    for kind in candidates:
        loader = dict(kind.loaders).get(source.suffix) or LOADERS.get((kind.name, source.suffix))
        if loader:
            looks_sparse = kind.name == "table" and source.suffix in (".txt", ".dat", ".data", "")
            if looks_sparse and _is_libsvm(source):
                loader = LOADERS["table", ".libsvm"]
            return kind, loader
    suffixes = accepted_suffixes(kinds)
    raise source.error(
        "unknown-format",
        f"files of type “{source.suffix}” are not read here" if source.suffix else "the file has no suffix",
        f"{listing(suffixes, 'or')} files are",
    )


def _is_libsvm(source: Source) -> bool:
    with source.open() as stream:
        head = stream.read(1 << 16).split(b"\n")
    first = next((line for line in head if line.strip() and not line.lstrip().startswith(b"#")), b"")
    return _LIBSVM_LINE.fullmatch(first.rstrip(b"\r")) is not None


def _ask_if_matrix(loaded: Loaded, kinds: Sequence[DataKind], source: Source) -> None:
    """Distances, or a linkage matrix, must not be taken for points without a word."""
    table = loaded.value
    if not isinstance(table, Table):
        return
    accepts = {type(kind) for kind in kinds}
    square = next((matrix for matrix in _readings(table) if could_be_distances(matrix)), None)
    if square is not None:
        if DistanceKind not in accepts:
            loaded.report.warnings.append(
                "the table is square and symmetric with a zero diagonal: distances, read here as points"
            )
            return
        raise _ask(
            source,
            "could-be-distances",
            f"the table is square ({len(square):,} × {len(square):,}) and symmetric with a zero diagonal",
            Repair("orientation", "distances", "Read it as distances", "Cell (i, j) is a distance"),
        )
    if LinkageMatrixKind in accepts and any(map(could_be_linkage, _readings(table))):
        raise _ask(
            source,
            "could-be-linkage",
            "the four columns are those of a linkage matrix (merged ids, height, size)",
            Repair("orientation", "linkage", "Read it as a hierarchy", "Each row is a merge"),
        )


def _readings(table: Table) -> list[np.ndarray]:
    """The numbers, and those with the id column before them: it may have been no id."""
    if table.id is not None and table.id.type == "number":
        return [table.numeric(), np.column_stack([table.id.values, table.numeric()])]
    return [table.numeric()]


def _ask(source: Source, code: str, found: str, choice: Repair) -> DataError:
    points = Repair("orientation", "points", "read its rows as points", "Each row is a point")
    return source.error(code, found, "say what the numbers are", choices=(choice, points))


def could_be_distances(matrix: np.ndarray) -> bool:
    """Square (n ≥ 2), zero diagonal, symmetric to 1e-8 relative."""
    n = len(matrix)
    if n < 2 or matrix.shape != (n, n) or np.diagonal(matrix).any():
        return False
    return bool(np.abs(matrix - matrix.T).max() <= 1e-8 * np.abs(matrix).max())


def could_be_linkage(matrix: np.ndarray) -> bool:
    """(n−1) × 4 whose every row merges two clusters made before, with the right sizes."""
    from engine.core.data.linkage_matrix import first_fault

    return matrix.ndim == 2 and matrix.shape[1] == 4 and len(matrix) > 0 and first_fault(matrix) is None
