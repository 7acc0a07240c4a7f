"""Legends: a row above the plot, a column beside it, or a box inside; and the title above all."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import blended_transform_factory

from engine.core.figures.sheet import Sheet
from engine.core.figures.style import LegendPlace
from engine.core.views import View, ViewState

HANDLE = 1.7
GAP = 0.45
BETWEEN = 1.1
EDGE = 4.0


def line_key(
    colour: str,
    width: float,
    dashes: tuple[float, ...] = (),
    shape: str = "",
    size: float = 0.0,
    hollow: str = "",
) -> Line2D:
    """A stretch of line with its mark, for a legend; `hollow` is the colour inside a hollow mark."""
    style: Any = (0, dashes) if dashes else "-"
    return Line2D(
        [],
        [],
        color=colour,
        linewidth=width,
        linestyle=style,
        marker=shape or "None",
        markersize=size,
        markerfacecolor=hollow or colour,
        markeredgecolor=colour,
        markeredgewidth=0.22 * size if hollow else 0,
    )


def patch_key(face: str, alpha: float = 1.0, edge: str | None = None, width: float = 0.0) -> Patch:
    """A small rectangle, for a legend."""
    from matplotlib.colors import to_rgba

    return Patch(facecolor=to_rgba(face, alpha), edgecolor=edge or "none", linewidth=width)


def mark_key(face: str, shape: str, size: float, edge: str = "none", width: float = 0.0) -> Line2D:
    """A single mark, for a legend."""
    return Line2D(
        [],
        [],
        linestyle="none",
        marker=shape,
        markersize=size,
        markerfacecolor=face,
        markeredgecolor=edge,
        markeredgewidth=width,
    )


def add_legend(sheet: Sheet, ax: Axes, place: LegendPlace | None = None) -> Legend | None:
    """The legend of all entries at `place` (the style's if None); replaces one drawn before."""
    present = ax.get_legend()
    if present is not None:
        present.remove()
    place = place or sheet.style.legend
    entries = _short_enough(sheet, place)
    if not entries or place == "none":
        return None
    common: dict[str, Any] = {
        "prop": {"family": sheet.families, "size": sheet.style.font_size},
        "labelcolor": sheet.colours.text,
        "handlelength": HANDLE if any(_is_line(handle) for handle, _ in entries) else 1.0,
        "handletextpad": GAP,
        "columnspacing": BETWEEN,
        "labelspacing": 0.3,
        "borderaxespad": 0.0,
        "borderpad": 0.0,
        "frameon": False,
    }
    if place == "top":
        return _row_above(sheet, ax, entries, common)
    if place == "right":
        common |= {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0)}
    else:
        common |= {
            "loc": "best",
            "frameon": True,
            "borderpad": 0.4,
            "borderaxespad": 0.5,
            "fancybox": False,
            "framealpha": 0.85,
            "facecolor": sheet.colours.ground,
            "edgecolor": sheet.colours.border,
        }
    return _placed(sheet, ax, entries, common)


def _placed(sheet: Sheet, ax: Axes, entries: list[tuple[Any, str]], words: dict[str, Any]) -> Legend:
    handles, texts = zip(*entries, strict=True)
    drawn = ax.legend(handles, texts, **words)
    drawn.get_frame().set_linewidth(sheet.hairline)
    for text in drawn.get_texts():
        text.set_parse_math(False)
    return drawn


def _row_above(sheet: Sheet, ax: Axes, entries: list[tuple[Any, str]], words: dict[str, Any]) -> Legend:
    """Rows above the plot, read across, beginning at its left edge or further left if that saves a row."""
    gap = 4 * sheet.style.scale / (sheet.size_of(ax)[1] or 100.0)
    columns = columns_that_fit(sheet, [text for _, text in entries], words["handlelength"])
    words |= {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0 + gap)}
    edge = EDGE * sheet.style.scale * sheet.figure.dpi / 72
    page = sheet.figure.bbox.width
    while True:
        by_columns = [entry for start in range(columns) for entry in entries[start::columns]]
        drawn = _placed(sheet, ax, by_columns, words | {"ncols": columns})
        width = drawn.get_window_extent(sheet.figure.canvas.get_renderer()).width  # type: ignore[attr-defined]
        if columns == 1 or width <= page - 2 * edge:
            break
        drawn.remove()
        columns -= 1
    if ax.get_window_extent().x0 + width > page - edge:
        across = blended_transform_factory(sheet.figure.transFigure, ax.transAxes)
        drawn.set_bbox_to_anchor((max(edge, page - edge - width) / page, 1.0 + gap), transform=across)
    return drawn


def columns_that_fit(sheet: Sheet, texts: list[str], handle: float) -> int:
    """How many entries fit side by side on the page, reckoned from the widths of their texts."""
    size = sheet.style.font_size
    room = sheet.style.width * 72 - 2 * EDGE * sheet.style.scale
    widths = [sheet.width_of(text) + (handle + GAP) * size for text in texts]
    for columns in range(len(texts), 1, -1):
        parts = [max(widths[start::columns]) for start in range(columns)]
        if sum(parts) + (columns - 1) * BETWEEN * size <= room:
            return math.ceil(len(texts) / math.ceil(len(texts) / columns))
    return 1


def add_title(sheet: Sheet, ax: Axes, view: View, state: ViewState) -> None:
    """Title and caption above the plot (and above its legend) if the style shows them."""
    if not sheet.style.title:
        return
    sheet.lay_out()
    to_points = 72 / sheet.figure.dpi
    box, legend = ax.get_window_extent(), ax.get_legend()
    above = (box.y1 if legend is None else max(box.y1, legend.get_window_extent().y1)) - box.y1
    offset = above * to_points + 6 * sheet.style.scale
    room = sheet.style.width * 72 - box.x0 * to_points - 4
    lines: list[tuple[str, dict[str, Any], str]] = []
    caption = " · ".join(part for part in (state.caption, *sheet.notes) if part)
    for line in reversed(wrapped(sheet, caption, room)):
        lines.append((line, sheet.font(sheet.style.small), sheet.colours.tertiary))
    lines.append((view.title, sheet.font(sheet.style.font_size + 1, "semibold"), sheet.colours.text))
    for text, words, colour in lines:
        ax.annotate(
            text,
            (0, 1),
            (0, offset),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colour,
            va="baseline",
            annotation_clip=False,
            **words,
        )
        offset += 1.35 * words["size"]


def wrapped(sheet: Sheet, text: str, width: float, size: float | None = None) -> list[str]:
    """`text` broken into lines no wider than `width` points, between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and sheet.width_of(longer, size or sheet.style.small) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _short_enough(sheet: Sheet, place: LegendPlace) -> list[tuple[Any, str]]:
    """As many entries as leave the plot two thirds of the page; the rest is counted."""
    size = sheet.style.font_size
    texts = [text for _, text in sheet.entries]
    columns = columns_that_fit(sheet, texts, HANDLE) if place == "top" else 1
    share = 0.34 if place == "top" else 0.9
    rows = max(1, int(share * sheet.style.height * 72 / (1.3 * size)))
    most = rows * columns
    if len(sheet.entries) <= most:
        return sheet.entries
    left_out = len(sheet.entries) - most + 1
    note = f"{left_out} of {len(sheet.entries)} names are not in the legend for want of room"
    if note not in sheet.notes:
        sheet.notes.append(note)
    return [*sheet.entries[: most - 1], (Patch(facecolor="none", edgecolor="none"), f"and {left_out} more")]


def _is_line(handle: Any) -> bool:
    return isinstance(handle, Line2D) and handle.get_linestyle() not in ("None", "none", "")
