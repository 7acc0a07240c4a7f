"""A person's stream: a table in order of time with a target, prices, or LIBSVM text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.data.kinds import LIBSVM_SUFFIXES, TEXT_SUFFIXES, DataKind, TableKind
from engine.core.data.limits import Tick
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.data.values import Table
from engine.core.places import RESOURCES

Floats = NDArray[np.float64]
TARGET_WORDS = ("target", "y", "label", "class", "outcome", "response")
_HERE = "engine.methods.adaptive_regret.data"
_TABLE = TableKind(numeric=False, missing_allowed=True, label_column=True, min_rows=2, min_columns=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Stream:
    """Rows in order of time: `columns` names of `values` (n, k), NaN where the file has a gap.

    `target` names the column to predict, None for prices; `texts` holds a target of words; `lines` are
    the lines of the file. `kind` "synthetic" has no rows: the stream is drawn by the parameters.
    """

    name: str
    kind: Literal["synthetic", "table", "prices"]
    columns: tuple[str, ...] = ()
    values: Floats | None = None
    target: str | None = None
    texts: tuple[str, ...] | None = None
    lines: NDArray[np.int64] | None = None
    switches: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        """Rows; 0 for a synthetic stream."""
        return 0 if self.values is None else len(self.values)

    def row(self, i: int) -> str:
        """What row `i` (from 0) is called: its line in the file."""
        return f"row {int(self.lines[i]) if self.lines is not None else i + 1:,}"

    def summary(self) -> str:
        """One line for the chooser."""
        if self.kind == "synthetic":
            return "drawn by the parameters"
        if self.kind == "prices":
            return f"{self.n:,} days × {len(self.columns)} assets"
        return f"{self.n:,} rounds × {len(self.columns)} columns, target {self.target}"

    def fingerprint(self) -> str:
        """SHA-256 over names and values."""
        digest = hashlib.sha256(f"stream 1 {self.kind} {self.columns} {self.target}".encode())
        if self.values is not None:
            digest.update(np.ascontiguousarray(self.values, dtype="<f8").tobytes())
        for text in self.texts or ():
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class StreamKind(DataKind):
    """A stream in order of time: a table with a target column, price columns, or LIBSVM text."""

    name: ClassVar[str] = "stream"

    title: str = "Stream in order of time"
    accepts: tuple[str, ...] = (*TEXT_SUFFIXES, *LIBSVM_SUFFIXES, ".parquet", ".npy", ".npz")
    loaders: tuple[tuple[str, str], ...] = tuple(
        (suffix, f"{_HERE}:load") for suffix in (*TEXT_SUFFIXES, *LIBSVM_SUFFIXES, ".parquet", ".npy", ".npz")
    )


def load(source: Source, options: ReadOptions, kind: StreamKind) -> Loaded:
    """Read a stream; gaps are kept for the parameter “Missing values” to decide.

    Raises DataError for what the core's readers find: ragged rows, text among numbers, LIBSVM indices
    that do not ascend or begin at 0 (with the line), an empty file.
    """
    from engine.core.data.registry import LOADERS, loader_function

    loader = LOADERS["table", source.suffix]
    if source.suffix in (".txt", ".dat", ".data") and _looks_sparse(source):
        loader = LOADERS["table", ".libsvm"]
    loaded = loader_function(loader)(source, options, _TABLE)
    stream = stream_of(source.path.stem, loaded.value)
    if stream.values is not None and stream.values.shape[1] < 2:
        raise source.error(
            "one-column",
            f"there is {stream.values.shape[1]} column of numbers",
            "features and a target, or the prices of at least two assets, are needed",
        )
    reading = "prices of assets" if stream.kind == "prices" else f"a stream with target {stream.target}"
    loaded.report.reading = reading
    return replace(loaded, value=stream)


def _looks_sparse(source: Source) -> bool:
    with source.open() as stream:
        head = stream.read(4096).decode("utf-8", "replace").split("\n")[0].split("#")[0].split()
    return len(head) > 1 and all(":" in word for word in head[1:])


def stream_of(name: str, table: Table) -> Stream:
    """Columns, target and kind of a table: without a target column and all positive it is prices."""
    columns, values = list(table.numeric_names), table.numeric()
    texts: tuple[str, ...] | None = None
    target = None
    if table.label is not None:
        target = table.label.name
        if table.label.type == "number":
            columns.append(target)
            values = np.column_stack([values, table.label.values])
        else:
            texts = tuple(table.label.values)
    if target is None:
        target = next((c for c in columns if c.strip().lower() in TARGET_WORDS), None)
    prices = target is None and values.size > 0 and not bool((values <= 0).any())
    if target is None and not prices:
        target = columns[-1] if columns else None
    return Stream(
        name=name, kind="prices" if prices else "table", columns=tuple(columns),
        values=np.ascontiguousarray(values, np.float64), target=target, texts=texts, lines=table.lines,
    )  # fmt: skip


def load_synthetic(name: str, tick: Tick) -> Stream:
    """A stream drawn by the parameters when it is played."""
    tick(0.0, "Nothing to load")
    return Stream(name=name, kind="synthetic")


def load_resource(file: str, target: str | None, tick: Tick, switches: Sequence[int] = ()) -> Loaded:
    """A stream of resources/streams."""
    tick(0.0, "Loading the set")
    path = RESOURCES / "streams" / f"{file}.csv"
    with open(path, encoding="utf-8") as stream:
        columns = tuple(stream.readline().strip().split(","))
    import pandas

    values = pandas.read_csv(path, dtype=np.float64).to_numpy()
    made = Stream(
        name=file, kind="prices" if target is None else "table", columns=columns,
        values=np.ascontiguousarray(values), target=target, switches=tuple(switches),
    )  # fmt: skip
    return _loaded(made)


def load_flipped(name: str, tick: Tick) -> Loaded:
    """A binary (or numeric) set of scikit-learn in the order it is shipped."""
    tick(0.0, "Loading the set")
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    target = bunch.target.astype(np.float64)
    if name == "digits":
        target = (target >= 5).astype(np.float64)
    names = [str(each) for each in bunch.feature_names]
    varying = bunch.data.std(axis=0) > 0
    columns = tuple(n for n, keep in zip(names, varying, strict=True) if keep)
    values = np.column_stack([bunch.data[:, varying], target])
    made = Stream(
        name=name, kind="table", columns=(*columns, "target"), values=np.ascontiguousarray(values),
        target="target",
    )  # fmt: skip
    return _loaded(made)


def _loaded(stream: Stream) -> Loaded:
    report = Report(file=stream.name, format="stream in order of time")
    report.rows = report.rows_in_file = stream.n
    report.reading = "prices of assets" if stream.kind == "prices" else f"a stream, target {stream.target}"
    return Loaded(stream, report, ReadOptions(), stream.name)
