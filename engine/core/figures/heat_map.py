"""Matrices as colour, and functions over the plane with level lines."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from engine.core.figures.colour_bar import add_colour_bar, finite_range
from engine.core.figures.legend import add_title
from engine.core.figures.palette import colour_map, contrasting
from engine.core.figures.sheet import FINEST_DPI, RASTER_ABOVE, Sheet, number_axes
from engine.core.figures.ticks import number_text
from engine.core.views import HeatMap, HeatMapState


def draw_heat_map(view: HeatMap, state: HeatMapState, sheet: Sheet) -> None:
    """Draw a heat map on the sheet: rows downwards, or y upwards where the axes are quantities."""
    ax = sheet.axes()
    sheet.frame(ax)
    x_axis, y_axis = state.x_axis or view.x, state.y_axis or view.y
    values = np.asarray(state.values, float)
    across, up = _edges(state.x, values.shape[1]), _edges(state.y, values.shape[0])
    _hatch_undefined(values, across, up, ax, sheet)
    mappable = _cells(view, state, values, across, up, ax, sheet)
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(*((up[0], up[-1]) if state.y is not None else (up[-1], up[0])))
    _contours(state, values, ax, sheet)
    _outlined(state, across, up, ax, sheet)
    sheet.title_axes(ax, x_axis, y_axis)
    add_colour_bar(sheet, mappable, ax, state.value_axis or view.value)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if state.x is not None or state.y is not None:
        number_axes(sheet, ax, log=(False, False))
    sheet.lay_out()
    _name(ax, "y", state.rows, state.y, values.shape[0], sheet)
    sheet.lay_out()
    _name(ax, "x", state.columns, state.x, values.shape[1], sheet)
    sheet.lay_out()
    _write_values(values, mappable, ax, sheet)
    add_title(sheet, ax, view, state)


def norm_of(view: HeatMap, state: HeatMapState, values: np.ndarray) -> Normalize:
    """The colour scale: the state's limits, from zero, or centred on the neutral value."""
    low, high = finite_range(values) if state.limits is None else state.limits
    if view.map == "zero" and state.limits is None:
        low = min(0.0, low)
    if view.map == "diverging":
        reach = max(abs(low - state.centre), abs(high - state.centre)) or 1.0
        low, high = state.centre - reach, state.centre + reach
    return Normalize(low, high if high > low else low + 1.0)


def _edges(centres: np.ndarray | None, count: int) -> np.ndarray:
    """Cell borders (count+1,): halfway between centres, or whole numbers less a half."""
    if centres is None or len(centres) == 0:
        return np.arange(count + 1) - 0.5
    at = np.asarray(centres, float)
    if len(at) == 1:
        return np.array([at[0] - 0.5, at[0] + 0.5])
    middles = (at[1:] + at[:-1]) / 2
    return np.concatenate(([2 * at[0] - middles[0]], middles, [2 * at[-1] - middles[-1]]))


def _hatch_undefined(values: np.ndarray, across: np.ndarray, up: np.ndarray, ax: Axes, sheet: Sheet) -> None:
    """A hatched ground behind all cells; undefined ones are transparent and let it through."""
    missing = int(np.sum(~np.isfinite(values)))
    if not missing:
        return
    ax.add_patch(
        Rectangle(
            (across[0], up[0]),
            across[-1] - across[0],
            up[-1] - up[0],
            facecolor=sheet.colours.sunken,
            edgecolor=sheet.colours.muted,
            hatch="/////",
            linewidth=0,
            zorder=0.9,
        )
    )
    sheet.notes.append(f"{missing:,} undefined cells hatched" if missing > 1 else "1 undefined cell hatched")


def _cells(
    view: HeatMap,
    state: HeatMapState,
    values: np.ndarray,
    across: np.ndarray,
    up: np.ndarray,
    ax: Axes,
    sheet: Sheet,
) -> Any:
    common: dict[str, Any] = {
        "cmap": colour_map(view.map, sheet.colours),
        "norm": norm_of(view, state, values),
        "zorder": 1,
    }
    shown = np.ma.masked_invalid(values)
    if values.size <= RASTER_ABOVE:
        return ax.pcolormesh(across, up, shown, edgecolors="face", linewidth=0.15, antialiased=True, **common)
    sheet.rasterised.append(f"{values.size:,} cells")
    extent = (across[0], across[-1], up[0], up[-1])
    if not (_even(across) and _even(up)):
        shown = _resampled(shown, across, up, int(sheet.style.width * FINEST_DPI))
    limit = sheet.style.width * sheet.style.dpi
    if max(values.shape) > limit:
        sheet.notes.append(f"{values.shape[0]:,} × {values.shape[1]:,} cells, more than the image has pixels")
    return ax.imshow(shown, extent=extent, origin="lower", interpolation="nearest", aspect="auto", **common)


def _even(edges: np.ndarray) -> bool:
    steps = np.diff(edges)
    return bool(np.allclose(steps, steps[0], rtol=1e-6))


def _resampled(
    values: np.ma.MaskedArray, across: np.ndarray, up: np.ndarray, pixels: int
) -> np.ma.MaskedArray:
    """Cells of unequal size as an even grid of `pixels` each way, every pixel the cell it lies in."""
    columns = np.searchsorted(across, np.linspace(across[0], across[-1], 2 * pixels + 1)[1::2], "right") - 1
    rows = np.searchsorted(up, np.linspace(up[0], up[-1], 2 * pixels + 1)[1::2], "right") - 1
    return values[np.ix_(rows.clip(0, values.shape[0] - 1), columns.clip(0, values.shape[1] - 1))]


def _contours(state: HeatMapState, values: np.ndarray, ax: Axes, sheet: Sheet) -> None:
    if not state.contours or min(values.shape) < 2:
        return
    x = np.arange(values.shape[1]) if state.x is None else np.asarray(state.x)
    y = np.arange(values.shape[0]) if state.y is None else np.asarray(state.y)
    lines = ax.contour(
        x,
        y,
        np.ma.masked_invalid(values),
        levels=sorted(state.contours),
        colors=sheet.colours.ground,
        linewidths=0.7 * sheet.style.line_width,
        zorder=2,
    )
    labels = ax.clabel(lines, fmt=lambda level: number_text(level), fontsize=sheet.style.small)
    for label in labels or ():
        label.set_fontfamily(sheet.families)


def _outlined(state: HeatMapState, across: np.ndarray, up: np.ndarray, ax: Axes, sheet: Sheet) -> None:
    cells = (
        np.argwhere(np.asarray(state.outlined, bool)) if state.outlined is not None else np.empty((0, 2), int)
    )
    for row, column in cells.tolist():
        ax.add_patch(
            Rectangle(
                (across[column], up[row]),
                across[column + 1] - across[column],
                up[row + 1] - up[row],
                fill=False,
                edgecolor=sheet.colours.selection,
                linewidth=1.2 * sheet.style.line_width,
                zorder=3,
                joinstyle="miter",
            )
        )


def _name(
    ax: Axes, which: str, names: tuple[str, ...], centres: np.ndarray | None, count: int, sheet: Sheet
) -> None:
    """Names of rows or columns, every n-th where they are closer than a line of text."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_tick_params(length=2 * sheet.style.scale)
    if centres is not None and not names:
        return
    size = sheet.style.small
    texts = names or tuple(f"{i:,}" for i in range(1, count + 1))
    length = sheet.size_of(ax)[0 if which == "x" else 1]
    pitch = length / max(count, 1)
    widest = max((sheet.width_of(text, size) for text in texts), default=0.0)
    turned = which == "x" and widest + 3 > pitch and bool(names)
    room = (widest + 4) if which == "x" and not turned else (1.15 if names else 2.2) * size
    every = max(1, int(np.ceil(room / pitch)))
    every = every if names or every == 1 else int(next(n for n in _ROUND if n >= every))
    places = np.arange(0 if names or every == 1 else every - 1, count, every)
    at = places if centres is None else np.asarray(centres)[places]
    axis.set_ticks(at, [texts[i] for i in places], **sheet.font(size))
    axis.set_tick_params(length=0 if every == 1 else 2 * sheet.style.scale)
    if turned:
        slant = 40 if pitch >= 1.6 * size else 90
        for label in axis.get_ticklabels():
            label.set(
                rotation=slant,
                ha="right" if slant == 40 else "center",
                rotation_mode="anchor" if slant == 40 else None,
            )
    if every > 1 and names:
        sheet.notes.append(f"{len(places):,} of {count:,} names are written; all are in the data")


_ROUND = tuple(factor * 10**power for power in range(7) for factor in (1, 2, 5))


def _write_values(values: np.ndarray, mappable: Any, ax: Axes, sheet: Sheet) -> None:
    """Numbers in the cells where every one fits, black or white by contrast."""
    rows, columns = values.shape
    if rows * columns > 400:
        return
    width, height = sheet.size_of(ax)
    size = sheet.style.small
    finite = values[np.isfinite(values)]
    whole = bool(np.all(finite % 1 == 0))
    largest = float(np.max(np.abs(finite))) if finite.size else 0.0
    digits = 0 if whole else max(0, 2 - int(np.floor(np.log10(largest)))) if largest >= 1 else 2
    texts = [[number_text(v, digits) if np.isfinite(v) else "" for v in row] for row in values]
    widest = max((sheet.width_of(text, size) for row in texts for text in row), default=0.0)
    if width / columns < widest + 4 or height / rows < 1.4 * size:
        return
    quads = np.asarray(mappable.cmap(mappable.norm(np.ma.masked_invalid(values))))
    x = ax.get_xlim()[0] + (np.arange(columns) + 0.5) * (ax.get_xlim()[1] - ax.get_xlim()[0]) / columns
    top, bottom = ax.get_ylim()[1], ax.get_ylim()[0]
    y = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
    y = y[::-1] if top < bottom else y
    for r, row in enumerate(texts):
        for c, text in enumerate(row):
            if text:
                ax.text(
                    x[c],
                    y[r],
                    text,
                    ha="center",
                    va="center_baseline",
                    color=contrasting(*quads[r, c, :3]),
                    zorder=4,
                    **sheet.font(size),
                )
