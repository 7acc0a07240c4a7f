"""Points in the plane: groups or values as colour, hulls, segments, stars, error bars."""

from __future__ import annotations

import math

import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import CenteredNorm, Normalize, to_rgba, to_rgba_array
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Polygon as PolygonPatch
from matplotlib.transforms import IdentityTransform

from engine.core.figures.colour_bar import add_colour_bar
from engine.core.figures.legend import add_legend, add_title, line_key, mark_key
from engine.core.figures.lines import REFERENCE_DASHES, name_neutral
from engine.core.figures.palette import POSITION_SHAPES, colour_map
from engine.core.figures.placing import FreeSpace
from engine.core.figures.series_data import star_places
from engine.core.figures.sheet import RASTER_ABOVE, Look, Sheet, limits, number_axes
from engine.core.figures.ticks import DegreeFormatter
from engine.core.views import Axis, Scatter, ScatterState

HULL, HULL_EDGE, OPAQUE = 0.10, 0.60, 0.85
OUTLINED_UP_TO = 20_000
CROWDED = 200_000


def draw_scatter(view: Scatter, state: ScatterState, sheet: Sheet) -> None:
    """Draw a scatter view on the sheet."""
    ax = sheet.axes()
    x_axis, y_axis = state.x_axis or view.x, state.y_axis or view.y
    ax.set_xscale("log" if x_axis.log else "linear")
    ax.set_yscale("log" if y_axis.log else "linear")
    ax.margins(0.05)
    sheet.title_axes(ax, x_axis, y_axis)
    sheet.grid(ax, "both")
    _scale(view, state, ax)
    _hulls(state, ax, sheet)
    _segments(state, ax, sheet)
    _references(state, ax, sheet)
    drawn = _points(state, ax, sheet, x_axis, y_axis)
    _segment_entries(state, sheet)
    _stars(state, ax, sheet)
    if ax.get_aspect() == "auto":
        limits(ax, "x", log=x_axis.log)
        limits(ax, "y", log=y_axis.log)
    if drawn is not None and state.value is not None:
        add_colour_bar(sheet, drawn, ax, state.value_axis or Axis(""))
    _finish(view, state, ax, sheet, x_axis, y_axis)


def shapes_of(state: ScatterState, sheet: Sheet) -> list[str]:
    """A marker for each group: four shapes by position for up to four, else by the group of eight."""
    coloured = [g for g in state.groups if g.colour is not None]
    return [
        POSITION_SHAPES[coloured.index(g)]
        if len(coloured) <= 4 and g.colour is not None
        else sheet.colours.shape(g.colour)
        for g in state.groups
    ]


def diameters(size: np.ndarray | None, count: int, marker: float) -> np.ndarray:
    """Diameters in points (n,): area in proportion to `size`, its median drawn as an ordinary mark."""
    if size is None:
        return np.full(count, marker)
    weights = np.nan_to_num(np.asarray(size, float)).clip(min=0)
    middle = float(np.median(weights[weights > 0])) if np.any(weights > 0) else 1.0
    return np.maximum(0.3 * marker, marker * np.sqrt(weights / middle))


def _scale(view: Scatter, state: ScatterState, ax: Axes) -> None:
    equal = view.equal if state.equal is None else state.equal
    if view.geographic:
        middle = float(np.nanmean(state.y)) if len(state.y) and np.isfinite(state.y).any() else 0.0
        ax.set_aspect(1 / max(0.2, math.cos(math.radians(middle))), adjustable="datalim")
    elif equal:
        ax.set_aspect("equal", adjustable="datalim")


def _hulls(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    for hull in state.polygons:
        fill = sheet.colours.fill(hull.colour)
        corners = np.column_stack((hull.x, hull.y))
        ax.add_patch(
            PolygonPatch(
                corners, closed=True, facecolor=to_rgba(fill, HULL), edgecolor=to_rgba(fill, HULL_EDGE),
                linewidth=0.6 * sheet.style.line_width, zorder=1, joinstyle="round",
            )
        )  # fmt: skip
        ax.update_datalim(corners)


def _segments(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    for segments in state.segments:
        colour = sheet.colours.reference if segments.colour is None else sheet.colours.edge(segments.colour)
        width = 0.75 * sheet.style.line_width
        lines = np.stack((np.asarray(segments.x, float), np.asarray(segments.y, float)), axis=-1)
        drawn = LineCollection(
            list(lines), colors=colour, linewidths=width, zorder=2, rasterized=len(lines) > RASTER_ABOVE,
            linestyles=(0, (4.0, 2.0)) if segments.dashed else "solid",
        )  # fmt: skip
        ax.add_collection(drawn)


def _segment_entries(state: ScatterState, sheet: Sheet) -> None:
    """One entry per name; neutral where segments of one name have several colours."""
    for name in dict.fromkeys(s.name for s in state.segments if s.name):
        alike = [s for s in state.segments if s.name == name]
        several = len({s.colour for s in alike}) > 1 or alike[0].colour is None
        colour = sheet.colours.reference if several else sheet.colours.edge(alike[0].colour)
        dashes = (4.0, 2.0) if alike[0].dashed else ()
        sheet.entries.append((line_key(colour, 0.75 * sheet.style.line_width, dashes), name))


def _references(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    for reference in state.references:
        (line,) = ax.plot(
            reference.x,
            reference.y,
            color=sheet.colours.reference,
            linewidth=0.75 * sheet.style.line_width,
            zorder=1.5,
        )
        if REFERENCE_DASHES[reference.kind]:
            line.set_linestyle((0, REFERENCE_DASHES[reference.kind]))


def _points(state: ScatterState, ax: Axes, sheet: Sheet, x_axis: Axis, y_axis: Axis) -> PathCollection | None:
    x, y = np.asarray(state.x, float), np.asarray(state.y, float)
    shown = np.isfinite(x) & np.isfinite(y)
    sheet.say_missing(int(np.sum(~shown)), "point")
    for values, axis, name in ((x, x_axis, "x"), (y, y_axis, "y")):
        if axis.log:
            sheet.say_hidden_by_log(int(np.sum(values <= 0)), name)
            shown &= values > 0
    if not shown.any():
        return None
    # Drawn in a seeded random order: no group lies on top of another because it comes later.
    order = np.random.default_rng(0).permutation(np.flatnonzero(shown))
    _error_bars(state, x, y, order, ax, sheet)
    faces, edges, norm = _colours(state, order, sheet)
    count = len(order)
    small = count > RASTER_ABOVE
    marker = sheet.style.marker_size * (0.5 if small else 1.0)
    width = 0.0 if count > OUTLINED_UP_TO else 0.1 * marker
    paths, keys = _paths(state, order, sheet, small)
    collection = PathCollection(
        paths, sizes=(diameters(state.size, len(x), marker)[order]) ** 2, facecolors=faces, edgecolors=edges,
        linewidths=_widths(state, order, width, sheet), offsets=np.column_stack((x[order], y[order])),
        offset_transform=ax.transData, zorder=3, rasterized=small,
    )  # fmt: skip
    collection.set_transform(IdentityTransform())
    if norm is not None:
        collection.set_norm(norm)
        collection.set_cmap(colour_map(state.value_map, sheet.colours))
    ax.add_collection(collection)
    if small:
        sheet.rasterised.append(f"{count:,} points")
    _group_entries(state, keys, sheet)
    return collection


def _paths(state: ScatterState, order: np.ndarray, sheet: Sheet, plain: bool) -> tuple[list, list[str]]:
    """One marker path per point, or the single circle where there are many; the marker of each group."""
    keys = ["o" if plain else shape for shape in shapes_of(state, sheet)]
    if state.group is None or len(set(keys)) <= 1:
        return [_path(keys[0] if keys else "o")], keys
    made = [_path(key) for key in keys] + [_path("o")]
    group = np.asarray(state.group)[order]
    return [made[g] if 0 <= g < len(keys) else made[-1] for g in group.tolist()], keys


def _path(shape: str):  # noqa: ANN202 - matplotlib's Path
    marker = MarkerStyle(shape)
    return marker.get_path().transformed(marker.get_transform())


def _colours(
    state: ScatterState, order: np.ndarray, sheet: Sheet
) -> tuple[np.ndarray | list, np.ndarray | list, Normalize | None]:
    """Fill and outline RGBA (n, 4) of the points in drawing order; the norm where colour is a number."""
    ids = np.arange(len(state.x)) if state.ids is None else np.asarray(state.ids)
    opacity = sheet.alphas(ids[order]) * (OPAQUE if len(order) <= CROWDED else 0.4)
    ground = to_rgba(sheet.colours.ground)
    edges = np.tile(ground, (len(order), 1))
    norm: Normalize | None = None
    if state.value is not None:
        value = np.asarray(state.value, float)
        finite = value[np.isfinite(value)]
        norm = Normalize(finite.min(), finite.max()) if len(finite) else Normalize(0, 1)
        if state.value_map == "diverging" and len(finite):
            norm = CenteredNorm(state.value_centre, float(np.max(np.abs(finite - state.value_centre))) or 1.0)
        faces = colour_map(state.value_map, sheet.colours)(norm(np.ma.masked_invalid(value[order])))
        faces[~np.isfinite(value[order])] = to_rgba(sheet.colours.muted)
    else:
        group = np.full(len(order), -1) if state.group is None else np.asarray(state.group)[order]
        plain = 0 if state.group is None and not state.groups else None
        indices = [g.colour for g in state.groups]
        table = to_rgba_array([sheet.colours.fill(i) for i in indices] + [sheet.colours.fill(plain)])
        faces = table[np.where((group >= 0) & (group < len(indices)), group, len(indices))]
    faces[:, 3] = opacity
    chosen = sheet.selected(ids[order])
    edges[chosen] = to_rgba(sheet.colours.selection)
    if state.hollow is not None:
        hollow = np.asarray(state.hollow, bool)[order]
        edges[hollow & ~chosen] = faces[hollow & ~chosen]
        faces[hollow] = ground
    return faces, edges, norm


def _widths(state: ScatterState, order: np.ndarray, width: float, sheet: Sheet) -> np.ndarray:
    widths = np.full(len(order), width)
    if state.hollow is not None:
        widths[np.asarray(state.hollow, bool)[order]] = 0.6 * sheet.style.line_width
    if sheet.style.selection:
        ids = np.arange(len(state.x)) if state.ids is None else np.asarray(state.ids)
        widths[sheet.selected(ids[order])] = 0.8 * sheet.style.line_width
    return widths


def _error_bars(
    state: ScatterState, x: np.ndarray, y: np.ndarray, order: np.ndarray, ax: Axes, sheet: Sheet
) -> None:
    if state.low is None or state.high is None:
        return
    ax.vlines(
        x[order], np.asarray(state.low)[order], np.asarray(state.high)[order], color=sheet.colours.reference,
        linewidth=0.75 * sheet.style.line_width, zorder=2.5, rasterized=len(order) > RASTER_ABOVE,
    )  # fmt: skip


def _group_entries(state: ScatterState, keys: list[str], sheet: Sheet) -> None:
    if state.value is not None:
        return
    for group, shape in zip(state.groups, keys, strict=True):
        fill = sheet.colours.fill(group.colour)
        pale = group.colour is not None and group.colour % 8 in (4, 5, 6)
        edge = sheet.colours.edge(group.colour) if pale else "none"
        sheet.entries.append(
            (mark_key(fill, shape, sheet.style.marker_size * 1.2, edge, 0.4 if pale else 0), group.name)
        )
        sheet.looks.append(Look(group.name, fill, shape))


def _stars(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    if state.stars is None or not len(state.stars):
        return
    stars = np.asarray(state.stars)
    if stars.ndim == 1:
        stars = np.column_stack(
            (np.asarray(state.x)[stars.astype(int)], np.asarray(state.y)[stars.astype(int)])
        )
    ax.plot(
        stars[:, 0], stars[:, 1], linestyle="none", marker="*", markersize=2.4 * sheet.style.marker_size,
        markerfacecolor=sheet.colours.text, markeredgecolor=sheet.colours.ground, markeredgewidth=0.6, zorder=4,
    )  # fmt: skip


def _finish(view: Scatter, state: ScatterState, ax: Axes, sheet: Sheet, x_axis: Axis, y_axis: Axis) -> None:
    log = (x_axis.log, y_axis.log)
    number_axes(sheet, ax, log=log)
    sheet.lay_out()
    add_legend(sheet, ax)
    sheet.lay_out()
    number_axes(sheet, ax, log=log)
    if view.geographic:
        for axis, letters in ((ax.xaxis, "EW"), (ax.yaxis, "NS")):
            axis.set_major_formatter(DegreeFormatter(letters))
            axis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 2, 3, 5, 10]))
    sheet.lay_out()
    neutral = [(np.asarray(r.x), np.asarray(r.y), r.name, REFERENCE_DASHES[r.kind]) for r in state.references]
    left_over = name_neutral(neutral, [], ax, sheet)
    if left_over:
        sheet.entries += left_over
        add_legend(sheet, ax)
        sheet.lay_out()
    _name_hulls(state, ax, sheet)
    add_title(sheet, ax, view, state)


def _name_hulls(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    """Labels above or below each hull, clear of points where possible, else on its middle."""
    space = FreeSpace(sheet, ax)
    finite = np.isfinite(state.x) & np.isfinite(state.y)
    space.take_points(np.asarray(state.x, float)[finite], np.asarray(state.y, float)[finite])
    for hull in state.polygons:
        space.take_curve(np.append(hull.x, hull.x[0]), np.append(hull.y, hull.y[0]))
    for hull in state.polygons:
        if not hull.label:
            continue
        text = " · ".join(part for part in (hull.label, hull.note) if part)
        x, y = np.append(hull.x, hull.x[0]), np.append(hull.y, hull.y[0])
        if not space.label_hull(x, y, text, sheet.colours.edge(hull.colour)):
            ax.text(
                float(np.mean(hull.x)), float(np.mean(hull.y)), text, ha="center", va="center_baseline", zorder=6,
                color=sheet.colours.edge(hull.colour), **sheet.font(weight="semibold"),
            )  # fmt: skip
