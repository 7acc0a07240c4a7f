"""Tables as a paper prints them: equal decimals, intervals, best values bold, no vertical lines.

A table too wide for the page is printed in smaller type, then in blocks one under the other that repeat
the first column. Rows that find no room are counted at its foot, never dropped in silence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from engine.core.figures import cell_text
from engine.core.figures.legend import wrapped
from engine.core.figures.palette import POSITION_SHAPES
from engine.core.figures.sheet import Look, Sheet
from engine.core.figures.style import SMALLEST_TEXT
from engine.core.views import Column, Table, TableState

ROW, HEAD = 1.75, 1.25
LARGEST_GAP = 28.0
TEXT_KINDS = ("text", "badge", "check")


@dataclass(frozen=True)
class Printed:
    """One column ready to print: its cells, which are bold, its heading in lines, its width in points."""

    column: Column
    cells: list[str]
    bold: np.ndarray
    head: list[str]
    width: float

    @property
    def left(self) -> bool:
        return self.column.kind in TEXT_KINDS


def draw_table(view: Table, state: TableState, sheet: Sheet) -> None:
    """Draw a table on the sheet, as wide as the page."""
    ax = sheet.figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_axis_off()
    width, height = sheet.style.width * 72, sheet.style.height * 72
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    sheet.figure.set_layout_engine("none")
    edge = 5.0 * sheet.style.scale
    top = _title(view, state, ax, sheet, edge)
    if not state.columns:
        return
    _count_missing(state, sheet)
    size, columns, blocks = _arranged(state, sheet, width - 2 * edge)
    gap = _gap(sheet, size)
    rows = len(columns[0].cells)
    heads = [max(len(c.head) for c in block) for block in blocks]
    note = wrapped(sheet, state.note, width - 2 * edge) if state.note else []
    fixed = (
        sum(h * HEAD * size + 0.9 * size for h in heads) + (len(blocks) - 1) * size + len(note) * 1.3 * size
    )
    room = int((height - top - edge - fixed) // (ROW * size * len(blocks)))
    shown = rows if rows <= room else max(0, room - 1)
    needed = (top + edge + fixed + ROW * size * len(blocks) * rows) / 72
    sheet.wanted_height = needed
    if shown < rows:
        sheet.notes.append(f"{shown:,} of {rows:,} rows; a height of {needed:.1f} in shows all")
        note = [*note, f"{shown:,} of {rows:,} rows"]
    y = top
    for block in blocks:
        y = _block(block, state, range(shown), y, edge, width - edge, gap, size, ax, sheet) + size
    y -= 0.2 * size
    for line in note:
        y += 0.2 * size
        _text(ax, edge, y, line, sheet, sheet.style.small, colour=sheet.colours.tertiary)
        y += 1.1 * size


def _title(view: Table, state: TableState, ax: Axes, sheet: Sheet, edge: float) -> float:
    """Title and caption if the style shows them; returns where the table begins."""
    y = edge
    if sheet.style.title:
        size = sheet.style.font_size + 1
        y += 0.6 * size
        _text(ax, edge, y, view.title, sheet, size, weight="semibold")
        y += 0.8 * size
        for line in wrapped(sheet, state.caption, sheet.style.width * 72 - 2 * edge) if state.caption else []:
            y += 0.5 * sheet.style.small
            _text(ax, edge, y, line, sheet, sheet.style.small, colour=sheet.colours.tertiary)
            y += 0.85 * sheet.style.small
        y += 2
    return y


def _count_missing(state: TableState, sheet: Sheet) -> None:
    for column in state.columns:
        if column.kind not in TEXT_KINDS:
            missing = sum(text == cell_text.MISSING for text in cell_text.printed(column))
            if missing:
                sheet.notes.append(
                    f"{column.title}: {missing:,} cell{'s' if missing > 1 else ''} without a number, “–”"
                )


def _gap(sheet: Sheet, size: float) -> float:
    """Least distance between columns: smaller in smaller type."""
    return (8.0 if size == sheet.style.font_size else 5.5) * sheet.style.scale


def _arranged(
    state: TableState, sheet: Sheet, width: float
) -> tuple[float, list[Printed], list[list[Printed]]]:
    """Type size and blocks of columns that fit `width`: full size, then 7 pt, then several blocks."""
    sizes = dict.fromkeys((sheet.style.font_size, max(SMALLEST_TEXT, 0.8 * sheet.style.font_size)))
    for size in sizes:
        for narrow in (False, True):
            columns = [
                _measured(c, place == 0 and bool(state.colours), size, narrow, sheet)
                for place, c in enumerate(state.columns)
            ]
            if sum(c.width for c in columns) + _gap(sheet, size) * (len(columns) - 1) <= width:
                return size, columns, [columns]
    blocks: list[list[Printed]] = [[columns[0]]]
    used = columns[0].width
    for column in columns[1:]:
        if used + _gap(sheet, size) + column.width > width and len(blocks[-1]) > 1:
            blocks.append([columns[0]])
            used = columns[0].width
        blocks[-1].append(column)
        used += _gap(sheet, size) + column.width
    if used > width or columns[0].width > width:
        sheet.notes.append("A column is wider than the page: its cells are shortened")
    return size, columns, blocks


def _measured(column: Column, marked: bool, size: float, narrow: bool, sheet: Sheet) -> Printed:
    """The column with its heading in one line, or broken to the width of its cells where `narrow`."""
    cells = cell_text.printed(column)
    bold = cell_text.best(column)
    widest = max(
        (
            sheet.width_of(t, size, "semibold" if b else "normal", tabular=True)
            for t, b in zip(cells, bold, strict=True)
        ),
        default=0.0,
    )
    title = cell_text.heading(column)
    head = wrapped(sheet, title, max(widest, 4 * size), sheet.style.small) if narrow else [title]
    head_width = max((sheet.width_of(line, sheet.style.small, tabular=True) for line in head), default=0.0)
    extra = 1.6 * size if marked else 0.0
    bar = 4 * size if column.kind == "bar" else 0.0
    return Printed(column, cells, bold, head, max(widest + extra + bar, head_width))


def _block(
    columns: list[Printed],
    state: TableState,
    rows: range,
    top: float,
    left: float,
    right: float,
    gap: float,
    size: float,
    ax: Axes,
    sheet: Sheet,
) -> float:
    """One block of columns with its head and rules; returns its lower edge."""
    spare = right - left - sum(c.width for c in columns) - gap * (len(columns) - 1)
    gap += min(LARGEST_GAP * sheet.style.scale - gap, spare / max(len(columns) - 1, 1)) if spare > 0 else 0.0
    lines = max(len(c.head) for c in columns)
    marked = columns[0].column is state.columns[0] and bool(state.colours)
    starts = left + np.concatenate(([0.0], np.cumsum([c.width + gap for c in columns])))
    end = starts[-1] - gap
    _rule(ax, left, end, top, sheet.colours.text, 1.3 * sheet.hairline)
    y = top + 0.4 * size
    for column, start in zip(columns, starts, strict=False):
        for i, line in enumerate(column.head):
            at = y + (lines - len(column.head) + i + 0.5) * HEAD * size
            _cell(ax, column, start, at, line, sheet, sheet.style.small, colour=sheet.colours.secondary)
    y += lines * HEAD * size + 0.4 * size
    _rule(ax, left, end, y, sheet.colours.text, sheet.hairline)
    for row in rows:
        _row(columns, starts, state, row, y, size, left, end, marked, ax, sheet)
        y += ROW * size
        last = row == rows[-1]
        _rule(
            ax,
            left,
            end,
            y,
            sheet.colours.text if last else sheet.colours.grid,
            (1.3 if last else 0.7) * sheet.hairline,
        )
    return y


def _row(
    columns: list[Printed],
    starts: np.ndarray,
    state: TableState,
    row: int,
    y: float,
    size: float,
    left: float,
    end: float,
    marked: bool,
    ax: Axes,
    sheet: Sheet,
) -> None:
    middle = y + ROW * size / 2
    row_id = state.ids[row] if row < len(state.ids) else row
    if sheet.style.selection and row_id in sheet.style.selection:
        ground = (*_rgb(sheet.colours.selection), 0.14)
        ax.add_patch(
            Rectangle((left - 2, y), end - left + 4, ROW * size, facecolor=ground, linewidth=0, zorder=0.5)
        )
    for place, (column, start) in enumerate(zip(columns, starts, strict=False)):
        shift = 0.0
        if place == 0 and marked:
            _mark(state, row, start, middle, size, ax, sheet)
            shift = 1.6 * size
        if column.column.kind == "bar":
            _bar(column, row, start, middle, size, ax, sheet)
        weight = "semibold" if column.bold[row] else "normal"
        text = (
            sheet.fitted(column.cells[row], sheet.style.width * 72 - 10 - shift, size, weight)
            if column.left
            else column.cells[row]
        )
        _cell(ax, column, start + shift, middle, text, sheet, size, weight, shift=shift)


def _mark(state: TableState, row: int, x: float, y: float, size: float, ax: Axes, sheet: Sheet) -> None:
    """The mark of the row's entity, in its colour and shape, as in the curves beside it."""
    index = state.colours[row] if row < len(state.colours) else None
    if index is None:
        return
    coloured = [i for i in dict.fromkeys(state.colours) if i is not None]
    shape = POSITION_SHAPES[coloured.index(index)] if len(coloured) <= 4 else sheet.colours.shape(index)
    ax.plot(
        [x + 0.45 * size],
        [y + 0.06 * size],
        marker=shape,
        linestyle="none",
        markersize=0.62 * size,
        color=sheet.colours.fill(index),
        markeredgewidth=0,
        clip_on=False,
    )
    name = cell_text.printed(state.columns[0])[row]
    sheet.looks.append(Look(name, sheet.colours.fill(index), shape, labelled=True))


def _bar(column: Printed, row: int, x: float, y: float, size: float, ax: Axes, sheet: Sheet) -> None:
    values = np.array([np.nan if v is None else float(v) for v in column.column.values])
    most = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    if most and np.isfinite(values[row]):
        length = 3.4 * size * abs(values[row]) / most
        ax.add_patch(
            Rectangle((x, y - 0.28 * size), length, 0.56 * size, facecolor=sheet.colours.fill(0), linewidth=0)
        )


def _cell(
    ax: Axes,
    column: Printed,
    start: float,
    y: float,
    text: str,
    sheet: Sheet,
    size: float,
    weight: str = "normal",
    colour: str | None = None,
    shift: float = 0.0,
) -> None:
    # Right-aligned by its own width: matplotlib measures text without font features when it aligns.
    x = (
        start
        if column.left
        else start - shift + column.width - sheet.width_of(text, size, weight, tabular=True)
    )
    _text(ax, x, y, text, sheet, size, weight, colour)


def _text(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    sheet: Sheet,
    size: float,
    weight: str = "normal",
    colour: str | None = None,
) -> None:
    ax.text(
        x,
        y,
        text,
        ha="left",
        va="center_baseline",
        color=colour or sheet.colours.text,
        **sheet.font(size, weight, tabular=True),
    )


def _rule(ax: Axes, left: float, right: float, y: float, colour: str, width: float) -> None:
    ax.add_line(Line2D([left, right], [y, y], color=colour, linewidth=width, solid_capstyle="butt"))


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
