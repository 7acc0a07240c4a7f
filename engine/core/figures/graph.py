"""Nodes and edges: named boxes for few nodes, dots for many; edge names as small labels on the edge."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from engine.core.figures.legend import add_title
from engine.core.figures.palette import lightness
from engine.core.figures.sheet import RASTER_ABOVE, Look, Sheet
from engine.core.figures.ticks import number_text
from engine.core.views import Graph, GraphState

BOXED_UP_TO = 40


def draw_graph(view: Graph, state: GraphState, sheet: Sheet) -> None:
    """Draw a graph on the sheet: places as given, scaled to the page."""
    ax = sheet.axes()
    ax.set_axis_off()
    x, y = np.asarray(state.x, float), np.asarray(state.y, float)
    shown = np.isfinite(x) & np.isfinite(y)
    sheet.say_missing(int(np.sum(~shown)), "node")
    if not shown.any():
        return
    boxed = state.shape == "box" and len(x) <= BOXED_UP_TO and len(state.names) == len(x)
    _limit(x[shown], y[shown], ax)
    sheet.lay_out()
    add_title(sheet, ax, view, state)
    sheet.lay_out()
    half = _half_sizes(state, boxed, ax, sheet)
    _keep_inside(x[shown], y[shown], half[shown], ax, sheet, bool(state.columns))
    _headings(state, x, shown, ax, sheet)
    _edges(state, x, y, half, shown, ax, sheet)
    _boxes(state, x, y, half, shown, ax, sheet) if boxed else _dots(state, x, y, half, shown, ax, sheet)


def _limit(x: np.ndarray, y: np.ndarray, ax: Axes) -> None:
    ax.set_xlim(float(x.min()) - 0.5 * (np.ptp(x) == 0), float(x.max()) + 0.5 * (np.ptp(x) == 0))
    ax.set_ylim(float(y.min()) - 0.5 * (np.ptp(y) == 0), float(y.max()) + 0.5 * (np.ptp(y) == 0))


def _half_sizes(state: GraphState, boxed: bool, ax: Axes, sheet: Sheet) -> np.ndarray:
    """Half width and half height of each node in points, (n, 2)."""
    size = sheet.style.font_size
    if boxed:
        widths = [sheet.width_of(str(name), size) / 2 + 0.6 * size for name in state.names]
        return np.column_stack((widths, np.full(len(widths), 0.95 * size)))
    radius = (
        sheet.style.marker_size / 2 * (1.5 if len(state.x) <= 200 else 1.0 if len(state.x) <= 5000 else 0.5)
    )
    radii = np.full(len(state.x), radius)
    if state.size is not None:
        weight = np.nan_to_num(np.asarray(state.size, float)).clip(min=0)
        radii *= np.sqrt(weight / (np.median(weight[weight > 0]) if np.any(weight > 0) else 1.0)).clip(
            0.4, 4.0
        )
    return np.column_stack((radii, radii))


def _keep_inside(
    x: np.ndarray, y: np.ndarray, half: np.ndarray, ax: Axes, sheet: Sheet, headed: bool
) -> None:
    """Widen the limits so that whole nodes lie inside the plot."""
    width, height = sheet.size_of(ax)
    top = 1.8 * sheet.style.font_size if headed else 0.0
    for values, extent, room, put, extra in (
        (x, half[:, 0], width, ax.set_xlim, 0.0),
        (y, half[:, 1], height, ax.set_ylim, top),
    ):
        span = float(np.ptp(values)) or 1.0
        low, high = float(values.min()), float(values.max())
        for _ in range(8):
            per_point = (high - low or span) / (room - extra)
            low = float(np.min(values - (extent + 1) * per_point))
            high = float(np.max(values + (extent + 1) * per_point))
        put(low, high + extra * (high - low) / (room - extra))


def _headings(state: GraphState, x: np.ndarray, shown: np.ndarray, ax: Axes, sheet: Sheet) -> None:
    """Names of the columns over their nodes, left to right."""
    places = np.unique(np.round(x[shown], 9))
    if not state.columns:
        return
    if len(places) != len(state.columns):
        places = np.linspace(places[0], places[-1], len(state.columns))
    for place, text in zip(places, state.columns, strict=True):
        ax.text(
            float(place),
            1.0,
            text,
            transform=ax.get_xaxis_transform(),
            ha="center",
            va="top",
            color=sheet.colours.tertiary,
            **sheet.font(sheet.style.small),
        )


def _edges(
    state: GraphState,
    x: np.ndarray,
    y: np.ndarray,
    half: np.ndarray,
    shown: np.ndarray,
    ax: Axes,
    sheet: Sheet,
) -> None:
    pairs = np.empty((0, 2), int) if state.edges is None else np.asarray(state.edges, int)
    pairs = pairs[shown[pairs].all(axis=1)] if len(pairs) else pairs
    if not len(pairs):
        return
    colour, width = (
        sheet.colours.axis if sheet.style.theme != "print" else sheet.colours.tertiary,
        0.8 * sheet.style.line_width,
    )
    if len(pairs) > 400:
        lines = np.stack(
            (
                np.column_stack((x[pairs[:, 0]], y[pairs[:, 0]])),
                np.column_stack((x[pairs[:, 1]], y[pairs[:, 1]])),
            ),
            1,
        )
        many = len(pairs) > RASTER_ABOVE
        ax.add_collection(
            LineCollection(
                list(lines), colors=to_rgba(colour, 0.5), linewidths=0.5 * width, zorder=1, rasterized=many
            ),
            autolim=False,
        )
        sheet.rasterised += [f"{len(pairs):,} edges"] if many else []
        return
    pixels = ax.transData.transform(np.column_stack((x, y))) * 72 / sheet.figure.dpi
    two_way = {(a, b) for a, b in pairs.tolist()}
    for number, (a, b) in enumerate(pairs.tolist()):
        bend = 0.18 if (b, a) in two_way and a != b else 0.0
        faded = sheet.alpha(a, b)
        start, stop = _clipped(pixels[a], pixels[b], half[a]), _clipped(pixels[b], pixels[a], half[b])
        ends = ax.transData.inverted().transform(np.array([start, stop]) * sheet.figure.dpi / 72)
        ax.add_patch(
            FancyArrowPatch(
                tuple(ends[0]),
                tuple(ends[1]),
                connectionstyle=f"arc3,rad={bend}",
                shrinkA=0,
                shrinkB=0.5,
                arrowstyle="-|>,head_length=0.4,head_width=0.18" if state.directed else "-",
                mutation_scale=10 * sheet.style.scale,
                color=to_rgba(colour, faded),
                linewidth=width,
                zorder=1,
                joinstyle="miter",
            )
        )
        _edge_label(state, number, ends, bend, ax, sheet)


def _clipped(centre: np.ndarray, other: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Where the line from `centre` to `other` leaves the node's box."""
    way = other - centre
    if not np.any(way):
        return centre
    with np.errstate(divide="ignore"):
        reach = np.min(np.where(way != 0, half / np.abs(way), np.inf))
    return centre + way * min(reach, 0.49)


def _edge_label(
    state: GraphState, number: int, ends: np.ndarray, bend: float, ax: Axes, sheet: Sheet
) -> None:
    """Name and score on the middle of an edge, on a small ground of its own."""
    name = state.edge_names[number] if number < len(state.edge_names) else ""
    score = "" if state.edge_score is None else number_text(float(state.edge_score[number]), 2)
    text = f"{name} {score}".strip()
    if not text:
        return
    middle = ends.mean(axis=0)
    way = ends[1] - ends[0]
    middle = middle + bend * 0.5 * np.array([way[1], -way[0]])
    ax.text(
        float(middle[0]),
        float(middle[1]),
        text,
        ha="center",
        va="center_baseline",
        zorder=2,
        color=sheet.colours.secondary,
        bbox={
            "boxstyle": "round,pad=0.15,rounding_size=0.4",
            "facecolor": sheet.colours.ground,
            "linewidth": 0,
        },
        **sheet.font(sheet.style.small),
    )


def _faces(state: GraphState, count: int, sheet: Sheet) -> list[str]:
    indices = (
        [None] * count
        if state.colours is None
        else [None if i < 0 else int(i) for i in np.asarray(state.colours)]
    )
    return [sheet.colours.muted if i is None else sheet.colours.fill(i) for i in indices]


def _ringed(state: GraphState, count: int, sheet: Sheet) -> np.ndarray:
    ringed = sheet.selected(np.arange(count))
    return ringed if state.emphasised is None else ringed | np.asarray(state.emphasised, bool)


def _boxes(
    state: GraphState,
    x: np.ndarray,
    y: np.ndarray,
    half: np.ndarray,
    shown: np.ndarray,
    ax: Axes,
    sheet: Sheet,
) -> None:
    """Rounded boxes: a pale ground and an outline in the node's colour; emphasised ones in `selection`."""
    scale = sheet.figure.dpi / 72
    ringed = _ringed(state, len(x), sheet)
    faces = _faces(state, len(x), sheet)
    to_axes = ax.transAxes.inverted()
    for i in np.flatnonzero(shown).tolist():
        low = to_axes.transform(ax.transData.transform((x[i], y[i])) - half[i] * scale)
        high = to_axes.transform(ax.transData.transform((x[i], y[i])) + half[i] * scale)
        alpha = sheet.alpha(i)
        edge = sheet.colours.selection if ringed[i] else faces[i]
        box_height = sheet.size_of(ax)[1]
        ax.add_patch(
            FancyBboxPatch(
                tuple(low),
                float(high[0] - low[0]),
                float(high[1] - low[1]),
                boxstyle=f"round,pad=0,rounding_size={3 * sheet.style.scale / box_height}",
                transform=ax.transAxes,
                facecolor=_tinted(faces[i], sheet),
                edgecolor=to_rgba(edge, alpha),
                linewidth=(1.3 if ringed[i] else 0.8) * sheet.style.line_width,
                zorder=3,
            )
        )
        ax.text(
            x[i],
            y[i],
            str(state.names[i]),
            ha="center",
            va="center_baseline",
            zorder=4,
            color=to_rgba(sheet.colours.text, alpha),
            **sheet.font(),
        )
        sheet.looks.append(Look(str(state.names[i]), faces[i], labelled=True))


def _tinted(colour: str, sheet: Sheet) -> tuple[float, ...]:
    """The colour at 12% on the ground, opaque, so that edges do not shine through."""
    share = 0.12 if lightness(sheet.colours.ground) > 50 else 0.2
    tint, ground = to_rgba(colour)[:3], to_rgba(sheet.colours.ground)[:3]
    return tuple(share * t + (1 - share) * g for t, g in zip(tint, ground, strict=True))


def _dots(
    state: GraphState,
    x: np.ndarray,
    y: np.ndarray,
    half: np.ndarray,
    shown: np.ndarray,
    ax: Axes,
    sheet: Sheet,
) -> None:
    nodes = np.flatnonzero(shown)
    faces = np.array(
        [
            to_rgba(face, a)
            for face, a in zip(_faces(state, len(x), sheet), sheet.alphas(np.arange(len(x))), strict=True)
        ]
    )
    ringed = _ringed(state, len(x), sheet)
    edges = [sheet.colours.selection if r else sheet.colours.ground for r in ringed[nodes]]
    widths = np.where(ringed[nodes], sheet.style.line_width, 0.4 * sheet.style.scale)
    many = len(nodes) > RASTER_ABOVE
    drawn = ax.scatter(
        x[nodes],
        y[nodes],
        s=(2 * half[nodes, 0]) ** 2,
        c=faces[nodes],
        edgecolors=edges,
        linewidths=widths.tolist(),
        zorder=3,
        rasterized=many,
    )
    drawn.set_clip_on(False)
    sheet.rasterised += [f"{len(nodes):,} nodes"] if many else []
    if len(state.names) == len(x) and len(nodes) <= BOXED_UP_TO:
        for i in nodes.tolist():
            ax.annotate(
                str(state.names[i]),
                (x[i], y[i]),
                (0, half[i, 1] + 2),
                textcoords="offset points",
                ha="center",
                va="bottom",
                zorder=4,
                color=sheet.colours.text,
                **sheet.font(sheet.style.small),
            )
