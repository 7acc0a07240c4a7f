"""Bars by category and histograms, with whiskers, marks and levels."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from engine.core.figures.legend import add_legend, add_title, mark_key, patch_key
from engine.core.figures.lines import NeutralCurve, draw_level, level_curve, name_neutral
from engine.core.figures.sheet import Look, Sheet, number_axes
from engine.core.figures.ticks import number_text, set_ticks
from engine.core.views import Axis, Bars, BarSeries, BarsState, Level

FILLED = 0.75
WRITTEN_UP_TO = 12


def draw_bars(view: Bars, state: BarsState, sheet: Sheet) -> None:
    """Draw a bars view on the sheet; a histogram where the state has edges."""
    ax = sheet.axes()
    category, value = state.category or view.category, state.value or view.value
    flat = view.horizontal
    (ax.set_xscale if flat else ax.set_yscale)("log" if value.log else "linear")
    sheet.title_axes(ax, *((value, category) if flat else (category, value)))
    sheet.grid(ax, "x" if flat else "y")
    starts, widths = _places(view, state)
    base = np.zeros(len(starts[0])) if starts else np.zeros(0)
    for place, series in enumerate(state.series):
        heights = np.asarray(series.values, float)
        sheet.say_missing(int(np.sum(~np.isfinite(heights))), "bar", series.name)
        _draw_series(view, state, series, place, starts[place], widths, base, ax, sheet)
        if view.stacked:
            base = base + np.nan_to_num(heights)
    _marks(view, state, ax, sheet)
    for level in state.levels:
        draw_level(_turned(level) if flat else level, ax, sheet, order=2.6)
    _limit(view, state, ax, value)
    _finish(view, state, ax, sheet, category, value, starts, widths)


def _places(view: Bars, state: BarsState) -> tuple[list[np.ndarray], np.ndarray]:
    """Where each series' bars begin along the category axis, and how wide bars are."""
    count = len(state.series)
    if state.edges is not None:
        edges = np.asarray(state.edges, float)
        return [edges[:-1]] * count, np.diff(edges)
    names = len(state.categories) or max((len(s.values) for s in state.series), default=0)
    side_by_side = 1 if view.stacked else max(count, 1)
    width = FILLED / side_by_side
    first = np.arange(names) - FILLED / 2
    starts = [first + (0 if view.stacked else place) * width for place in range(count)]
    return starts, np.full(names, width)


def _draw_series(
    view: Bars,
    state: BarsState,
    series: BarSeries,
    place: int,
    starts: np.ndarray,
    widths: np.ndarray,
    base: np.ndarray,
    ax: Axes,
    sheet: Sheet,
) -> None:
    index = place if series.colour is None else series.colour
    heights = np.nan_to_num(np.asarray(series.values, float))
    indices = [index] * len(heights) if series.colours is None else np.asarray(series.colours).tolist()
    ids = np.arange(len(heights))
    alphas = sheet.alphas(ids)
    faces = [to_rgba(sheet.colours.fill(i), a) for i, a in zip(indices, alphas, strict=True)]
    chosen = sheet.selected(ids)
    pale = np.array([sheet.colours.pale(i) for i in indices], bool)
    edges = [
        sheet.colours.selection if c else sheet.colours.edge(i) if p else sheet.colours.ground
        for c, p, i in zip(chosen, pale, indices, strict=True)
    ]
    joined = state.edges is not None or view.stacked
    outline = np.where(
        chosen, sheet.style.line_width, np.where(pale, 0.8, 0.5 if joined else 0.0) * sheet.hairline
    )
    draw: Any = ax.barh if view.horizontal else ax.bar
    start, size = ("left", "height") if view.horizontal else ("bottom", "width")
    draw(
        starts,
        heights,
        align="edge",
        color=faces,
        edgecolor=edges,
        linewidth=outline,
        zorder=2,
        **{start: base, size: widths},
    )
    if series.low is not None and series.high is not None:
        lines = ax.hlines if view.horizontal else ax.vlines
        # A ground-coloured line below keeps the whisker visible on a dark bar.
        for colour, width in ((sheet.colours.ground, 1.7), (sheet.colours.text, 0.9)):
            lines(
                starts + widths / 2,
                np.asarray(series.low) + base,
                np.asarray(series.high) + base,
                color=colour,
                linewidth=width * sheet.style.line_width,
                zorder=3,
            )
    if len(state.series) > 1 or (series.name and series.colours is None and state.ticks is not None):
        edge = sheet.colours.edge(index) if sheet.colours.pale(index) else None
        sheet.entries.append(
            (patch_key(sheet.colours.fill(index), 1.0, edge, 0.8 * sheet.hairline), series.name)
        )
        sheet.looks.append(Look(series.name, sheet.colours.fill(index)))


def _marks(view: Bars, state: BarsState, ax: Axes, sheet: Sheet) -> None:
    """A short line across each category at its mark."""
    if state.ticks is None:
        return
    at = np.asarray(state.ticks, float)
    low, high = (
        (np.asarray(state.edges)[:-1], np.asarray(state.edges)[1:])
        if state.edges is not None
        else (np.arange(len(at)) - FILLED / 2, np.arange(len(at)) + FILLED / 2)
    )
    width = 1.2 * sheet.style.line_width
    (ax.vlines if view.horizontal else ax.hlines)(
        at, low, high, color=sheet.colours.text, linewidth=width, zorder=3.5
    )
    if state.ticks_name:
        shape = "|" if view.horizontal else "_"
        key = mark_key(sheet.colours.text, shape, 1.6 * sheet.style.marker_size, sheet.colours.text, width)
        sheet.entries.append((key, state.ticks_name))


def _turned(level: Level) -> Level:
    """A level of the value axis, which lies along x in a horizontal view."""
    return dataclasses.replace(level, axis="x" if level.axis == "y" else "y")


def _limit(view: Bars, state: BarsState, ax: Axes, value: Axis) -> None:
    """Values begin at zero (unless logarithmic); categories fill the axis."""
    put_value, get_value = (ax.set_xlim, ax.get_xlim) if view.horizontal else (ax.set_ylim, ax.get_ylim)
    put_names = ax.set_ylim if view.horizontal else ax.set_xlim
    low, high = get_value()
    if not value.log:
        smallest = min((float(np.nanmin(_lows(s))) for s in state.series if len(s.values)), default=0.0)
        # Room below for the values written there.
        low = low - 0.07 * (high - low) if smallest < 0 else 0.0
        put_value(low, max(high, 0.0) if high > 0 or smallest < 0 else 1.0)
        if smallest < 0:
            zero = ax.axvline if view.horizontal else ax.axhline
            zero(
                0.0, color=ax.spines["bottom"].get_edgecolor(), linewidth=ax.spines["bottom"].get_linewidth()
            )
    if state.edges is not None:
        put_names(float(state.edges[0]), float(state.edges[-1]))
        return
    count = len(state.categories) or max((len(s.values) for s in state.series), default=1)
    first, last = -0.5 - 0.1 * (1 - FILLED), count - 0.5 + 0.1 * (1 - FILLED)
    put_names(*((last, first) if view.horizontal else (first, last)))


def _lows(series: BarSeries) -> np.ndarray:
    values = np.asarray(series.values if series.low is None else series.low, float)
    return np.where(np.isfinite(values), values, 0.0)


def _finish(
    view: Bars,
    state: BarsState,
    ax: Axes,
    sheet: Sheet,
    category: Axis,
    value: Axis,
    starts: list[np.ndarray],
    widths: np.ndarray,
) -> None:
    _number(view, state, ax, sheet, category, value)
    sheet.lay_out()
    add_legend(sheet, ax)
    name_categories(view.horizontal, state, ax, sheet)
    sheet.lay_out()
    _number(view, state, ax, sheet, category, value)
    sheet.lay_out()
    _write_values(view, state, ax, sheet, starts, widths)
    levels = [_turned(level) if view.horizontal else level for level in state.levels]
    in_the_way = _bodies(view, state, starts, widths)
    neutral: list[NeutralCurve] = [level_curve(level, ax) for level in levels]
    left_over = name_neutral(neutral, in_the_way, ax, sheet)
    if left_over:
        sheet.entries += left_over
        add_legend(sheet, ax)
    add_title(sheet, ax, view, state)


def _number(view: Bars, state: BarsState, ax: Axes, sheet: Sheet, category: Axis, value: Axis) -> None:
    if state.edges is not None:
        number_axes(
            sheet, ax, log=(value.log, category.log) if view.horizontal else (category.log, value.log)
        )
        return
    width, height = sheet.size_of(ax)
    size = sheet.style.small
    axis, length, per_tick = (ax.xaxis, width, 5 * size) if view.horizontal else (ax.yaxis, height, 3 * size)
    set_ticks(axis, log=value.log, length=length, per_tick=per_tick)


def name_categories(horizontal: bool, state: BarsState, ax: Axes, sheet: Sheet) -> None:
    """Category names: level where they fit, slanted, then upright; thinned only if not even that fits."""
    if state.edges is not None:
        return
    count = len(state.categories)
    axis = ax.yaxis if horizontal else ax.xaxis
    size = sheet.style.small
    width, height = sheet.size_of(ax)
    pitch = (height if horizontal else width) / max(count, 1)
    widest = max((sheet.width_of(name, size) for name in state.categories), default=0.0)
    turn = 0 if horizontal or widest + 3 <= pitch else 40 if pitch >= 1.6 * size else 90
    every = max(1, int(np.ceil(1.1 * size / pitch))) if horizontal or turn == 90 else 1
    places = np.arange(0, count, every)
    words = sheet.font(size)
    axis.set_ticks(places, [state.categories[i] for i in places], **words)
    if turn:
        for label in axis.get_ticklabels():
            label.set(
                rotation=turn,
                ha="right" if turn == 40 else "center",
                rotation_mode="anchor" if turn == 40 else None,
            )
    axis.set_tick_params(length=0)
    if every > 1:
        sheet.notes.append(f"{len(places):,} of {count:,} names are written; all are in the data")


def _bodies(
    view: Bars, state: BarsState, starts: list[np.ndarray], widths: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lines to and fro inside all bars, as curves: where labels should not lie."""
    curves = []
    base = np.zeros(len(widths))
    sweep = np.linspace(0, 1, 9)
    for place, series in enumerate(state.series):
        tops = base + np.nan_to_num(np.asarray(series.values, float))
        along = (starts[place][:, None] + widths[:, None] * sweep).repeat(3, axis=1)
        up = np.tile(np.column_stack((base, tops, np.full_like(tops, np.nan))), len(sweep))
        for a, u in zip(along, up, strict=True):
            curves.append((u, a) if view.horizontal else (a, u))
        base = tops if view.stacked else base
    return curves


def _write_values(
    view: Bars, state: BarsState, ax: Axes, sheet: Sheet, starts: list[np.ndarray], widths: np.ndarray
) -> None:
    """The value at the end of each bar where there are few and it is not wider than its bar."""
    if state.edges is not None or view.stacked or len(state.series) != 1:
        return
    series = state.series[0]
    values = np.asarray(series.values, float)
    if not 0 < len(values) <= WRITTEN_UP_TO:
        return
    below = values < 0
    ends = np.where(
        below,
        values if series.low is None else np.fmin(values, np.asarray(series.low, float)),
        values if series.high is None else np.fmax(values, np.asarray(series.high, float)),
    )
    texts = [number_text(float(f"{v:.3g}")) if np.isfinite(v) else "–" for v in values]
    size = sheet.style.small
    width, _ = sheet.size_of(ax)
    room = width / len(values)
    if not view.horizontal and max(sheet.width_of(text, size) for text in texts) > room:
        return
    gap = 2.5 * sheet.style.scale
    middle = starts[0] + widths / 2
    for end, place, text, down in zip(np.nan_to_num(ends), middle, texts, below.tolist(), strict=True):
        away = -gap if down else gap
        words: dict[str, Any] = {"ha": "right" if down else "left", "va": "center_baseline"}
        at, shift = (end, place), (away, 0.0)
        if not view.horizontal:
            words = {"ha": "center", "va": "top" if down else "bottom"}
            at, shift = (place, end), (0.0, away)
        ax.annotate(
            text,
            at,
            shift,
            textcoords="offset points",
            color=sheet.colours.secondary,
            annotation_clip=False,
            **words,
            **sheet.font(size),
        )
