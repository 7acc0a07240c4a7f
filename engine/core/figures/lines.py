"""Curves with bands, brackets, references, levels, rugs and spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from engine.core.figures.legend import add_legend, add_title, line_key, mark_key, patch_key
from engine.core.figures.palette import LINE_DASHES, POSITION_SHAPES
from engine.core.figures.placing import FreeSpace, end_labels
from engine.core.figures.sheet import FINEST_DPI, RASTER_ABOVE, Look, Sheet, limits, number_axes
from engine.core.figures.style import LegendPlace
from engine.core.views import Level, Lines, LinesState, Series

NeutralCurve = tuple[np.ndarray, np.ndarray, str, tuple[float, ...] | None]
BAND, BRACKET = 0.16, 0.3
MARKED_UP_TO = 40
REFERENCE_DASHES = {"bound": (5.0, 3.0), "baseline": (5.0, 3.0), "optimum": (), "chance": (1.2, 2.0)}


@dataclass(frozen=True)
class Stroke:
    """How one curve is drawn."""

    index: int | None
    colour: str
    text: str
    dashes: tuple[float, ...]
    shape: str
    width: float
    alpha: float
    hollow: bool = False


def draw_lines(view: Lines, state: LinesState, sheet: Sheet) -> None:
    """Draw a lines view on the sheet."""
    ax = sheet.axes()
    x_axis, y_axis = state.x or view.x, state.y or view.y
    right = ax.twinx() if view.right is not None and any(s.right for s in state.series) else None
    for plot, axis in ((ax, y_axis), (right, view.right)):
        if plot is not None:
            plot.set_xscale(
                "log" if x_axis.log else "linear", **({"nonpositive": "mask"} if x_axis.log else {})
            )
            log = axis is not None and axis.log
            plot.set_yscale("log" if log else "linear", **({"nonpositive": "mask"} if log else {}))
            plot.margins(x=0.02, y=0.05)
    if right is not None:
        sheet.frame(right, left="right")
        right.set_ylabel(_right_title(view), labelpad=3, color=sheet.colours.secondary, **sheet.font())
    sheet.title_axes(ax, x_axis, y_axis)
    sheet.grid(ax, "y")
    strokes = strokes_of(state.series, sheet)
    if view.stacked:
        _stack(state.series, strokes, ax, sheet)
    else:
        for series, stroke in zip(state.series, strokes, strict=True):
            _curve(series, stroke, right if series.right and right is not None else ax, sheet)
        _legend_entries(state.series, strokes, sheet)
    _underneath(state, ax, sheet)
    _finish(view, state, strokes, ax, right, sheet)


def strokes_of(series: tuple[Series, ...], sheet: Sheet) -> list[Stroke]:
    """A stroke for every series: colour by index, shapes by position for up to four."""
    shown = [s for s in series if not s.muted]
    width = sheet.style.line_width * (0.6 if len(shown) > 12 else 1.0)
    indices = {id(s): place if s.colour is None else s.colour for place, s in enumerate(series)}
    colours = list(dict.fromkeys(indices[id(s)] for s in shown))
    strokes = []
    for place, s in enumerate(series):
        index = None if s.muted else place if s.colour is None else s.colour
        marked = not s.muted and (
            s.marks if s.marks is not None else len(s.x) <= MARKED_UP_TO and not s.steps
        )
        few = len(colours) <= len(POSITION_SHAPES) and index is not None
        shape = POSITION_SHAPES[colours.index(indices[id(s)])] if few else sheet.colours.shape(index)
        strokes.append(
            Stroke(
                index=index,
                colour=sheet.colours.muted if index is None else sheet.colours.line(index, marked),
                text=sheet.colours.edge(index),
                dashes=LINE_DASHES[s.style] or sheet.colours.dashes(index),
                shape=shape if marked else "",
                width=width * (0.7 if s.muted else 1.0),
                alpha=sheet.alpha(s.name),
                # As on the screen: what is not solid has hollow marks, so that two runs differ at each point.
                hollow=s.style != "solid",
            )
        )
    return strokes


def thinned(x: np.ndarray, y: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """At most four points per column of an x-sorted curve: first, lowest, highest, last. Gaps stay."""
    if len(x) <= 4 * columns or not np.all(np.diff(x) >= 0):
        return x, y
    edges = np.linspace(x[0], x[-1], columns + 1)
    starts = np.unique(np.searchsorted(x, edges[:-1], "left"))
    stops = np.append(starts[1:], len(x))
    finite = np.isfinite(y)
    low = _argextreme(np.where(finite, -y, -np.inf), starts, stops)
    high = _argextreme(np.where(finite, y, -np.inf), starts, stops)
    gaps = np.flatnonzero(~finite)
    keep = np.unique(np.concatenate((starts, stops - 1, low, high, gaps[: 2 * columns])))
    return x[keep], y[keep]


def _argextreme(values: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Index of the largest value of each stretch."""
    largest = np.maximum.reduceat(values, starts)
    hits = np.flatnonzero(values == np.repeat(largest, stops - starts))
    return hits[np.searchsorted(hits, starts, "left").clip(max=len(hits) - 1)]


def _right_title(view: Lines) -> str:
    from engine.core.figures.sheet import axis_title

    return axis_title(view.right) if view.right is not None else ""


def _curve(series: Series, stroke: Stroke, ax: Axes, sheet: Sheet) -> None:
    x, y = np.asarray(series.x, float), np.asarray(series.y, float)
    _count_hidden(series, ax, sheet)
    columns = int(sheet.style.width * FINEST_DPI)
    drawn_x, drawn_y = thinned(x, y, columns)
    if len(drawn_x) < len(x):
        sheet.notes.append(
            f"{series.name}: {len(x):,} points, of which first, lowest, highest and last "
            f"of each 1/{FINEST_DPI} inch are drawn"
        )
    raster = len(drawn_x) > max(RASTER_ABOVE, 4 * columns)
    if raster:
        sheet.rasterised.append(f"curve {series.name}, {len(x):,} points")
    order = 2.0 if stroke.index is None else 3.0
    if series.low is not None and series.high is not None:
        ax.fill_between(
            x,
            series.low,
            series.high,
            color=stroke.colour,
            alpha=BAND * stroke.alpha,
            linewidth=0,
            step="post" if series.steps else None,
            zorder=order - 0.5,
            rasterized=len(x) > 4 * RASTER_ABOVE,
        )
    (line,) = ax.plot(
        drawn_x,
        drawn_y,
        color=stroke.colour,
        linewidth=stroke.width,
        alpha=stroke.alpha,
        drawstyle="steps-post" if series.steps else "default",
        zorder=order + (stroke.alpha == 1.0) * 0.2,
        solid_capstyle="round",
        solid_joinstyle="round",
        rasterized=raster,
    )
    if stroke.dashes:
        line.set_linestyle((0, stroke.dashes))
    shape = stroke.shape
    marked = np.isfinite(x) & np.isfinite(y)
    if not shape:
        shape, marked = "o", marked & _alone(marked)
    if marked.any():
        size = sheet.style.marker_size if stroke.shape else 1.5 * stroke.width
        ax.plot(
            x[marked],
            y[marked],
            linestyle="none",
            marker=shape,
            markersize=size,
            alpha=stroke.alpha,
            markerfacecolor=sheet.colours.ground if stroke.hollow else stroke.colour,
            markeredgecolor=stroke.colour if stroke.hollow else sheet.colours.ground,
            markeredgewidth=(0.22 if stroke.hollow else 0.1) * size,
            zorder=order + 0.3,
            clip_on=False,
        )


def _alone(finite: np.ndarray) -> np.ndarray:
    """Finite points between two gaps: no line reaches them."""
    padded = np.concatenate(([False], finite, [False]))
    return ~padded[:-2] & ~padded[2:]


def _count_hidden(series: Series, ax: Axes, sheet: Sheet) -> None:
    for values, scale, axis in ((series.x, ax.get_xscale(), "x"), (series.y, ax.get_yscale(), "y")):
        values = np.asarray(values, float)
        sheet.say_missing(int(np.sum(~np.isfinite(values))), "value", series.name)
        if scale == "log":
            sheet.say_hidden_by_log(int(np.sum(values <= 0)), axis)


def _stack(series: tuple[Series, ...], strokes: list[Stroke], ax: Axes, sheet: Sheet) -> None:
    base: np.ndarray | None = None
    for s, stroke in zip(series, strokes, strict=True):
        heights = np.nan_to_num(np.asarray(s.y, float))
        _count_hidden(s, ax, sheet)
        below = np.zeros_like(heights) if base is None else base
        base = below + heights
        ax.fill_between(
            s.x,
            below,
            base,
            facecolor=stroke.colour,
            alpha=0.85 * stroke.alpha,
            linewidth=0.5 * stroke.width,
            edgecolor=sheet.colours.ground,
            step="post" if s.steps else None,
            zorder=2,
        )
        sheet.entries.append((patch_key(stroke.colour, 0.85), s.name))
        sheet.looks.append(Look(s.name, stroke.colour))


def _legend_entries(series: tuple[Series, ...], strokes: list[Stroke], sheet: Sheet) -> None:
    muted = [s for s in series if s.muted]
    for s, stroke in zip(series, strokes, strict=True):
        if not s.named or (s.muted and len(muted) > 2):
            continue
        size = sheet.style.marker_size if stroke.shape else 0.0
        hollow = sheet.colours.ground if stroke.hollow else ""
        key = line_key(stroke.colour, stroke.width, stroke.dashes, stroke.shape, size, hollow)
        sheet.entries.append((key, _entry_name(s)))
        sheet.looks.append(Look(s.name, stroke.colour, stroke.shape, stroke.dashes))
    if len(muted) > 2:
        key = line_key(sheet.colours.muted, sheet.style.line_width * 0.7)
        sheet.entries.append((key, f"{len(muted)} more curves, grey"))
    for spread in dict.fromkeys(s.spread for s in series if s.low is not None and s.spread):
        sheet.entries.append((patch_key(sheet.colours.reference, 2 * BAND), spread))


def _entry_name(series: Series) -> str:
    return f"{series.name} (right axis)" if series.right else series.name


def _underneath(state: LinesState, ax: Axes, sheet: Sheet) -> None:
    colours, thin = sheet.colours, 0.75 * sheet.style.line_width
    for span in state.spans:
        ax.axvspan(span.low, span.high, color=colours.muted, alpha=0.18, linewidth=0, zorder=0.5)
        if span.name:
            sheet.entries.append((patch_key(colours.muted, 0.18), span.name))
    for bracket in state.brackets:
        ax.fill_between(
            bracket.x,
            bracket.low,
            bracket.high,
            color=colours.reference,
            alpha=BRACKET,
            linewidth=0,
            zorder=1.5,
        )
        for border in (bracket.low, bracket.high):
            ax.plot(bracket.x, border, color=colours.reference, linewidth=0.7 * thin, zorder=1.6)
    for reference in state.references:
        (line,) = ax.plot(reference.x, reference.y, color=colours.reference, linewidth=thin, zorder=1.8)
        if REFERENCE_DASHES[reference.kind]:
            line.set_linestyle((0, REFERENCE_DASHES[reference.kind]))
    for level in state.levels:
        draw_level(level, ax, sheet)
    for place, rug in enumerate(state.rugs):
        colour = colours.edge(rug.colour) if rug.colour is not None else colours.reference
        foot = 0.035 * place
        ax.vlines(
            rug.x,
            foot,
            foot + 0.03,
            transform=ax.get_xaxis_transform(),
            color=colour,
            linewidth=thin * 0.7,
            zorder=2.5,
            rasterized=len(rug.x) > RASTER_ABOVE,
        )
        sheet.entries.append((mark_key(colour, "|", sheet.style.marker_size * 1.4, colour, thin), rug.name))


def draw_level(level: Level, ax: Axes, sheet: Sheet, order: float = 1.8) -> None:
    """A straight neutral line across the plot; dashed unless it is an optimum."""
    line = (ax.axhline if level.axis == "y" else ax.axvline)(
        level.value, color=sheet.colours.reference, linewidth=0.75 * sheet.style.line_width, zorder=order
    )
    if REFERENCE_DASHES[level.kind]:
        line.set_linestyle((0, REFERENCE_DASHES[level.kind]))


def _finish(
    view: Lines, state: LinesState, strokes: list[Stroke], ax: Axes, right: Axes | None, sheet: Sheet
) -> None:
    """Limits, ticks, legend, then names of neutral curves where there is room for them."""
    x_axis, y_axis = state.x or view.x, state.y or view.y
    limits(ax, "x", log=x_axis.log)
    limits(ax, "y", log=y_axis.log, from_zero=view.stacked)
    ax.yaxis.set_inverted(y_axis.reversed)
    at_ends = sheet.style.legend == "right" and not view.stacked and right is None
    named = list(sheet.entries)
    if at_ends:
        shown = [s for s in state.series if not s.muted]
        ended = {_entry_name(s) for s in shown}
        sheet.entries[:] = [entry for entry in named if entry[1] not in ended]
        sheet.looks[:] = [Look(k.name, k.colour, k.shape, k.dashes, labelled=True) for k in sheet.looks]
    _number(state, ax, right, view, sheet)
    sheet.lay_out()
    place: LegendPlace | None = (
        "top" if at_ends or (right is not None and sheet.style.legend == "right") else None
    )
    add_legend(sheet, ax, place)
    sheet.lay_out()
    _number(state, ax, right, view, sheet)
    sheet.lay_out()
    if at_ends:
        _name_ends(state, strokes, ax, right, sheet)
        sheet.lay_out()
    left_over = name_neutral(_neutral_curves(state, ax), _in_the_way(state), ax, sheet)
    if left_over:
        sheet.entries += left_over
        add_legend(sheet, ax, place)
        sheet.lay_out()
    add_title(sheet, ax, view, state)


def _number(state: LinesState, ax: Axes, right: Axes | None, view: Lines, sheet: Sheet) -> None:
    x_axis, y_axis = state.x or view.x, state.y or view.y
    whole = all(np.all(np.asarray(s.x) % 1 == 0) for s in state.series) and bool(state.series)
    number_axes(sheet, ax, log=(x_axis.log, y_axis.log), whole=(whole, False))
    if x_axis.names:
        ax.set_xticks(range(len(x_axis.names)), x_axis.names)
    if right is not None and view.right is not None:
        number_axes(sheet, right, log=(x_axis.log, view.right.log), whole=(whole, False))
        right.xaxis.set_visible(False)


def _name_ends(state: LinesState, strokes: list[Stroke], ax: Axes, right: Axes | None, sheet: Sheet) -> None:
    ends = []
    for series, stroke in zip(state.series, strokes, strict=True):
        plot = right if series.right and right is not None else ax
        finite = np.flatnonzero(np.isfinite(series.x) & np.isfinite(series.y))
        if len(finite) and not series.muted:
            pixel = plot.transData.transform((series.x[finite[-1]], series.y[finite[-1]]))
            x, y = ax.transData.inverted().transform(pixel)
            ends.append((float(x), float(y), _entry_name(series), stroke.text, "semibold"))
    end_labels(sheet, ax, ends)


def _neutral_curves(state: LinesState, ax: Axes) -> list[NeutralCurve]:
    """Neutral curves with the text to stand beside each; dashes None marks a bracket."""
    found: list[NeutralCurve] = []
    for bracket in state.brackets:
        found.append((np.asarray(bracket.x), np.asarray(bracket.low), bracket.name, None))
    for reference in state.references:
        dashes = REFERENCE_DASHES[reference.kind]
        found.append((np.asarray(reference.x), np.asarray(reference.y), reference.name, dashes))
    return [*found, *(level_curve(level, ax) for level in state.levels)]


def level_curve(level: Level, ax: Axes) -> tuple[np.ndarray, np.ndarray, str, tuple[float, ...]]:
    """A level as a curve from edge to edge of the plot."""
    across = np.array(ax.get_xlim() if level.axis == "y" else ax.get_ylim())
    at = np.full(2, level.value)
    x, y = (across, at) if level.axis == "y" else (at, across)
    return x, y, level.name, REFERENCE_DASHES[level.kind]


def _in_the_way(state: LinesState) -> list[tuple[np.ndarray, np.ndarray]]:
    curves = []
    for series in state.series:
        x = np.asarray(series.x, float)
        columns = (
            [series.y] if series.low is None or series.high is None else [series.y, series.low, series.high]
        )
        curves += [(x, np.asarray(column, float)) for column in columns]
    curves += [(np.asarray(b.x), np.asarray(b.high)) for b in state.brackets]
    return curves


def name_neutral(
    neutral: list[NeutralCurve],
    in_the_way: list[tuple[np.ndarray, np.ndarray]],
    ax: Axes,
    sheet: Sheet,
) -> list[tuple[object, str]]:
    """Write the names of neutral curves beside them; returns legend entries for those without room."""
    space = FreeSpace(sheet, ax)
    for x, y in [*in_the_way, *((x, y) for x, y, _, _ in neutral)]:
        space.take_curve(x, y)
    legend = ax.get_legend()
    if legend is not None:
        box = legend.get_window_extent()
        space.take_box((box.x0, box.y0), (box.x1, box.y1))
    left_over: list[tuple[object, str]] = []
    colours, thin = sheet.colours, 0.75 * sheet.style.line_width
    for x, y, name, dashes in neutral:
        if name and not space.label(x, y, name, colours.secondary):
            key = (
                patch_key(colours.reference, BRACKET, colours.reference, 0.7 * thin)
                if dashes is None
                else line_key(colours.reference, thin, dashes)
            )
            left_over.append((key, name))
    return left_over
