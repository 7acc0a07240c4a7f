"""Figures and their data as files: PDF, SVG, PNG, CSV. Files appear whole or not at all.

The same state and style give the same bytes: no dates, no random ids.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, get_args

from engine.core.board import Board
from engine.core.errors import StorageError, UnknownNameError
from engine.core.figures import series_data
from engine.core.figures.style import FigureStyle
from engine.core.method import Method
from engine.core.views import View, ViewState

if TYPE_CHECKING:
    from engine.core.figures.sheet import Sheet

Format = Literal["pdf", "svg", "png", "csv"]
FORMATS: tuple[str, ...] = get_args(Format)
LEAST_HEIGHT, PAGE_HEIGHT = 0.75, 9.0
"""Inches: a table exported with all figures of a run is as high as it needs between these."""


@dataclass(frozen=True, kw_only=True)
class ExportReport:
    """What was written and what a person should know about it.

    `width`, `height` in inches (0 for data); `smallest_text` in points; `told_apart`: whether everything
    named differs by more than its hue; `rasterised` layers embedded as an image at the style's dpi;
    `missing` characters no font could write; `notes` sentences on gaps, thinning, fallback fonts.
    """

    path: Path
    format: str
    bytes: int
    width: float = 0.0
    height: float = 0.0
    smallest_text: float = 0.0
    told_apart: bool = True
    rasterised: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def export(
    view: View,
    state: ViewState,
    path: Path | str,
    style: FigureStyle | None = None,
    format: Format | None = None,
) -> ExportReport:
    """Write the view to `path`; `format` is the ending of `path` where not given.

    Raises:
        UnknownNameError: a format or kind of view that is not known.
        StorageError: the file cannot be written; nothing is left behind.
    """
    path = Path(path)
    wanted = (format or path.suffix.lstrip(".")).lower()
    if wanted not in FORMATS:
        raise UnknownNameError("format", wanted, FORMATS)
    if wanted == "csv":
        data_csv(view, state, path)
        return ExportReport(path=path, format="csv", bytes=path.stat().st_size)
    from engine.core.figures.draw import compose

    style = style or FigureStyle()
    sheet = compose(view, state, style)
    with written(path) as file:
        _save(sheet, view, wanted, file)
    return _report(sheet, path, wanted)


def data_csv(view: View, state: ViewState, path: Path | str) -> int:
    """Write the data behind the view as CSV (UTF-8); returns the number of rows.

    Raises:
        StorageError: the file cannot be written; nothing is left behind.
    """
    with written(Path(path)) as raw:
        import io

        file = io.TextIOWrapper(raw, "utf-8", newline="")
        rows = series_data.write_rows(view, state, file)
        file.flush()
        file.detach()
    return rows


def export_all(
    method: Method,
    board: Board,
    folder: Path | str,
    formats: Sequence[Format] = ("pdf",),
    style: FigureStyle | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[ExportReport, ...]:
    """Every view of a run that shows something, as ``<method>-<view>.<format>`` in `folder`.

    A table is as high as its rows need, up to `PAGE_HEIGHT`. `stopped` is asked before each file; what was
    written stays.

    Raises:
        UnknownNameError, StorageError: as `export`.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {error.strerror}.") from error
    reports: list[ExportReport] = []
    for view in method.views:
        state = board.state(view.name)
        if state is None:
            continue
        fitting = with_room(view, state, style or FigureStyle())
        for wanted in formats:
            if stopped():
                return tuple(reports)
            path = folder / f"{method.slug}-{view.name}.{wanted}"
            reports.append(export(view, state, path, fitting, wanted))
    return tuple(reports)


def with_room(view: View, state: ViewState, style: FigureStyle) -> FigureStyle:
    """The style with a height that shows all rows of a table and no more; other kinds keep theirs."""
    if view.kind != "table":
        return style
    from engine.core.figures.draw import compose

    wanted = compose(view, state, style).wanted_height
    height = min(max(wanted, LEAST_HEIGHT), PAGE_HEIGHT) if wanted else style.height
    return dataclasses.replace(style, height=height)


@contextlib.contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` only once it is complete.

    Raises:
        StorageError: the folder is missing or full, or the file cannot be replaced.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _permit(name)
        os.replace(name, path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _permit(name: str) -> None:
    """Give a temporary file the permissions an ordinary new file has."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(name, 0o666 & ~mask)


def _save(sheet: Sheet, view: View, wanted: str, file: Any) -> None:
    from engine.core.figures import fonts
    from engine.core.figures.sheet import settings

    metadata: dict[str, dict[str, Any]] = {
        "pdf": {"Title": view.title, "Creator": "Papertab", "Producer": None, "CreationDate": None},
        "svg": {"Title": view.title, "Creator": "Papertab", "Date": None},
        "png": {"Title": view.title, "Software": "Papertab"},
    }
    dpi = sheet.style.dpi
    with settings(sheet.families, sheet.style):
        if wanted != "svg":
            sheet.figure.savefig(file, format=wanted, dpi=dpi, metadata=metadata[wanted])
            return
        import io

        text = io.StringIO()
        sheet.figure.savefig(text, format="svg", dpi=dpi, metadata=metadata["svg"])
        file.write(fonts.svg_with_fallbacks(text.getvalue(), sheet.families).encode("utf-8"))


def _report(sheet: Sheet, path: Path, wanted: str) -> ExportReport:
    from engine.core.figures.draw import smallest_text

    return ExportReport(
        path=path,
        format=wanted,
        bytes=path.stat().st_size,
        width=sheet.style.width,
        height=sheet.style.height,
        smallest_text=smallest_text(sheet.figure),
        told_apart=sheet.told_apart(),
        rasterised=tuple(sheet.rasterised),
        missing=sheet.missing,
        notes=tuple(dict.fromkeys(sheet.notes)),
    )
