"""A comparison as files: figures, the data behind them, settings and results as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from engine.core.comparison.comparison import Comparison
from engine.core.figures.export import ExportReport, Format, export
from engine.core.figures.style import FigureStyle
from engine.core.records.disk import file_name, storage_error, write_whole


def export_comparison(
    comparison: Comparison,
    folder: Path,
    formats: Sequence[Format] = ("pdf", "csv"),
    style: FigureStyle | None = None,
) -> tuple[ExportReport, ...]:
    """Every compared view as ``<method>-<view>.<format>``; ``settings.csv``, ``results.csv``, and one CSV for
    each result table.

    Raises:
        StorageError: a file cannot be written.
    """
    reports: list[ExportReport] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "settings.csv", settings_sheet(comparison))
    except OSError as error:
        raise storage_error(error, folder) from error
    tables = [("results", comparison.results_table())]
    tables += [(view.name, (view, state)) for view, state in comparison.tables()]
    for name, (view, state) in tables:
        reports.append(export(view, state, folder / f"{file_name(name)}.csv", style))
    for view, state in comparison.pictures():
        for wanted in formats:
            path = folder / f"{file_name(f'{comparison.method.slug}-{view.name}')}.{wanted}"
            reports.append(export(view, state, path, style, wanted))
    return tuple(reports)


def settings_sheet(comparison: Comparison) -> bytes:
    """One line a setting: group, key, title, value on every side, whether they differ."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["group", "key", "title", *(side.name for side in comparison.sides), "differs"])
    for line in comparison.settings():
        writer.writerow([line.group, line.key, line.title, *line.values, "yes" if line.differs else "no"])
    return text.getvalue().encode(errors="backslashreplace")
