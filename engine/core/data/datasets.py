"""Declared data sets, and the one way from a name or a path to loaded data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from engine.core.data.kinds import DataKind
from engine.core.data.limits import DEFAULT_LIMITS, Limits, Tick, no_tick
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.registry import loader_function, read
from engine.core.data.report import ColumnReport, Report
from engine.core.data.survey import survey
from engine.core.data.values import Table
from engine.core.errors import DataError, UnknownNameError


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """A set that comes with Papertab: embedded in a package or in `resources/`, or generated.

    `loader` is "module:function", imported when the set is loaded; it is called with the set's
    `arguments`, the settings of the caller and `tick`, and returns a value (Table, Distances …) or a
    Loaded. `extra` names the optional dependencies it needs.
    """

    name: str
    title: str
    description: str
    kind: DataKind
    loader: str
    source: str = ""
    licence: str = ""
    extra: str | None = None
    origin: Literal["embedded", "generated"] = "embedded"
    arguments: Mapping[str, Any] | None = None

    def load(self, settings: Mapping[str, Any] | None = None, tick: Tick | None = None) -> Loaded:
        """Load or generate the set. Raises MissingExtraError when its package is absent."""
        result = loader_function(self.loader)(
            **{**(self.arguments or {}), **(settings or {})}, tick=tick or no_tick
        )
        if isinstance(result, Loaded):
            return result.named(self.name)
        report = Report(file=self.name, format=self.title)
        if isinstance(result, Table):
            describe_table(result, report)
        else:
            report.rows = report.rows_in_file = getattr(result, "n", 0)
            report.reading = self.kind.name
        return Loaded(result, report, ReadOptions(), self.name)


def describe_table(table: Table, report: Report) -> None:
    """Complete the report of a table that did not come from a file."""
    report.rows = report.rows_in_file = table.n
    roles = [("label", table.label), ("id", table.id), *(("value", column) for column in table.columns)]
    for role, column in roles:
        if column is None:
            continue
        gaps = int(np.isnan(column.values).sum()) if column.type == "number" else 0
        missing = {"nan": gaps} if gaps else {}
        report.columns.append(ColumnReport(column.name, column.type, "declared", role, missing))
    survey(table, report)


def resolve(
    name_or_path: str | Path,
    sets: Iterable[DataSet],
    kinds: Sequence[DataKind],
    options: ReadOptions | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    tick: Tick | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Loaded:
    """The data set of that name, or the file at that path.

    `settings` go to the loader of a declared set (a generator's size or seed). A name that is neither a
    set nor a file raises UnknownNameError; what looks like a path (a folder or a suffix in it) raises
    DataError "missing-file".
    """
    sets = tuple(sets)
    for each in sets:
        if each.name == str(name_or_path):
            return each.load(settings, tick)
    path = Path(name_or_path).expanduser()
    if path.exists():
        return read(path, kinds, options, tick=tick, limits=limits)
    if isinstance(name_or_path, Path) or path.suffix or len(path.parts) > 1:
        raise DataError(
            code="missing-file",
            file=path.name,
            found="there is no such file",
            allowed=f"Looked for it in {path.absolute().parent}",
        )
    raise UnknownNameError("data set", str(name_or_path), [each.name for each in sets])
