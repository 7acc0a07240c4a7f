"""Points in the plane: groups or values as colour, hulls, segments, stars, error bars."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import CenteredNorm, Normalize, to_rgba, to_rgba_array
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Polygon as PolygonPatch
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform

from engine.core.figures.colour_bar import add_colour_bar
from engine.core.figures.legend import add_legend, add_title, line_key, mark_key
from engine.core.figures.lines import REFERENCE_DASHES, NeutralCurve, name_neutral
from engine.core.figures.palette import POSITION_SHAPES, colour_map
from engine.core.figures.placing import FreeSpace
from engine.core.figures.series_data import star_places
from engine.core.figures.sheet import RASTER_ABOVE, Look, Sheet, limits, number_axes
from engine.core.figures.ticks import DegreeFormatter
from engine.core.views import Axis, Scatter, ScatterState

HULL, HULL_EDGE, OPAQUE = 0.10, 0.60, 0.85
OUTLINED_UP_TO = 20_000
CROWDED = 200_000
SMALLER_ABOVE = 500


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


def is_map(view: Scatter, state: ScatterState) -> bool:
    """Whether x and y are longitude and latitude: by the state where it says so, else by the view."""
    return view.geographic if state.geographic is None else state.geographic


def _scale(view: Scatter, state: ScatterState, ax: Axes) -> None:
    equal = view.equal if state.equal is None else state.equal
    if is_map(view, state):
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
                corners,
                closed=True,
                facecolor=to_rgba(fill, HULL),
                edgecolor=to_rgba(fill, HULL_EDGE),
                linewidth=0.6 * sheet.style.line_width,
                zorder=1,
                joinstyle="round",
            )
        )
        ax.update_datalim(corners)


def _segments(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    for segments in state.segments:
        colour = sheet.colours.reference if segments.colour is None else sheet.colours.edge(segments.colour)
        width = 0.75 * sheet.style.line_width
        lines = np.stack((np.asarray(segments.x, float), np.asarray(segments.y, float)), axis=-1)
        drawn = LineCollection(
            list(lines),
            colors=colour,
            linewidths=width,
            zorder=2,
            rasterized=len(lines) > RASTER_ABOVE,
            linestyles=(0, (4.0, 2.0)) if segments.dashed else "solid",
        )
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
    chosen = sheet.selected(_ids(state)[order])
    order = np.concatenate((order[~chosen], order[chosen]))
    chosen = np.sort(chosen)
    faces, edges, norm = _colours(state, order, chosen, sheet)
    count = len(order)
    small = count > RASTER_ABOVE
    marker = sheet.style.marker_size * (0.5 if small else 0.7 if count > SMALLER_ABOVE else 1.0)
    sizes = diameters(state.size, len(x), marker)[order] ** 2
    sizes[chosen] = (1.8 * np.sqrt(sizes[chosen])) ** 2
    widths = _widths(state, order, chosen, 0.0 if count > OUTLINED_UP_TO else 0.1 * marker, sheet)
    collection = None
    keys = ["o" if small else shape for shape in shapes_of(state, sheet)]
    for shape, some in _batches(state, order, keys):
        same = state.size is None and not chosen[some].any()
        collection = PathCollection(
            [_path(shape)],
            sizes=sizes[some][:1] if same else sizes[some],
            facecolors=faces[some],
            edgecolors=edges[some],
            linewidths=widths[some],
            zorder=3,
            rasterized=small,
            offsets=np.column_stack((x[order[some]], y[order[some]])),
            offset_transform=ax.transData,
        )
        collection.set_transform(IdentityTransform())
        ax.add_collection(collection)
    if norm is not None and collection is not None:
        collection.set_norm(norm)
        collection.set_cmap(colour_map(state.value_map, sheet.colours))
    if small:
        sheet.rasterised.append(f"{count:,} points")
    _group_entries(state, keys, sheet)
    return collection


def _ids(state: ScatterState) -> np.ndarray:
    return np.arange(len(state.x)) if state.ids is None else np.asarray(state.ids)


def _batches(state: ScatterState, order: np.ndarray, keys: list[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Marker and positions in `order` to draw at once: sixteen shares of the order, each by shape.

    One marker per batch keeps files small; shares keep groups of different shape interleaved.
    """
    if state.group is None or len(set(keys)) <= 1:
        yield keys[0] if keys else "o", np.arange(len(order))
        return
    names = np.array([*keys, "o"])
    group = np.asarray(state.group)[order]
    shapes = names[np.where((group >= 0) & (group < len(keys)), group, len(keys))]
    for share in np.array_split(np.arange(len(order)), 16):
        for shape in dict.fromkeys([*keys, "o"]):
            some = share[shapes[share] == shape]
            if len(some):
                yield shape, some


def _path(shape: str) -> Path:
    marker = MarkerStyle(shape)
    return marker.get_path().transformed(marker.get_transform())


def _colours(
    state: ScatterState, order: np.ndarray, chosen: np.ndarray, sheet: Sheet
) -> tuple[np.ndarray, np.ndarray, Normalize | None]:
    """Fill and outline RGBA (n, 4) of the points in drawing order; the norm where colour is a number."""
    opacity = sheet.alphas(_ids(state)[order]) * (OPAQUE if len(order) <= CROWDED else 0.4)
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
        which = np.where((group >= 0) & (group < len(indices)), group, len(indices))
        faces = table[which]
        if len(order) <= RASTER_ABOVE:
            ground_or_edge = [
                sheet.colours.edge(i) if _outlined(i, indices, sheet) else sheet.colours.ground
                for i in indices
            ]
            edges = to_rgba_array([*ground_or_edge, sheet.colours.ground])[which]
    faces[:, 3] = opacity
    edges[chosen] = to_rgba(sheet.colours.selection)
    if state.hollow is not None:
        hollow = np.asarray(state.hollow, bool)[order]
        edges[hollow & ~chosen] = faces[hollow & ~chosen]
        faces[hollow] = ground
    return faces, edges, norm


def _outlined(index: int | None, indices: list[int | None], sheet: Sheet) -> bool:
    """Whether a pale mark needs its edge shade: no shape of its own, or yellow."""
    return sheet.colours.pale(index) and (len(indices) > 4 or index == 6)


def _widths(
    state: ScatterState, order: np.ndarray, chosen: np.ndarray, width: float, sheet: Sheet
) -> np.ndarray:
    widths = np.full(len(order), width)
    if state.hollow is not None:
        widths[np.asarray(state.hollow, bool)[order]] = 0.6 * sheet.style.line_width
    widths[chosen] = 0.8 * sheet.style.line_width
    return widths


def _error_bars(
    state: ScatterState, x: np.ndarray, y: np.ndarray, order: np.ndarray, ax: Axes, sheet: Sheet
) -> None:
    if state.low is None or state.high is None:
        return
    ax.vlines(
        x[order],
        np.asarray(state.low)[order],
        np.asarray(state.high)[order],
        color=sheet.colours.reference,
        linewidth=0.75 * sheet.style.line_width,
        zorder=2.5,
        rasterized=len(order) > RASTER_ABOVE,
    )


def _group_entries(state: ScatterState, keys: list[str], sheet: Sheet) -> None:
    if state.value is not None:
        return
    for group, shape in zip(state.groups, keys, strict=True):
        fill = sheet.colours.fill(group.colour)
        pale = sheet.colours.pale(group.colour)
        edge = sheet.colours.edge(group.colour) if pale else "none"
        sheet.entries.append(
            (mark_key(fill, shape, sheet.style.marker_size * 1.2, edge, 0.4 if pale else 0), group.name)
        )
        sheet.looks.append(Look(group.name, fill, shape))


def _stars(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    stars = star_places(state)
    if not len(stars):
        return
    ax.plot(
        stars[:, 0],
        stars[:, 1],
        linestyle="none",
        marker="*",
        markersize=2.4 * sheet.style.marker_size,
        markerfacecolor=sheet.colours.text,
        markeredgecolor=sheet.colours.ground,
        markeredgewidth=0.6,
        zorder=4,
    )


def _finish(view: Scatter, state: ScatterState, ax: Axes, sheet: Sheet, x_axis: Axis, y_axis: Axis) -> None:
    log = (x_axis.log, y_axis.log)
    number_axes(sheet, ax, log=log)
    sheet.lay_out()
    add_legend(sheet, ax)
    sheet.lay_out()
    number_axes(sheet, ax, log=log)
    if is_map(view, state):
        for axis, letters in ((ax.xaxis, "EW"), (ax.yaxis, "NS")):
            axis.set_major_formatter(DegreeFormatter(letters))
            axis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 2, 3, 5, 10]))
    sheet.lay_out()
    neutral: list[NeutralCurve] = [
        (np.asarray(r.x), np.asarray(r.y), r.name, REFERENCE_DASHES[r.kind]) for r in state.references
    ]
    left_over = name_neutral(neutral, [], ax, sheet)
    if left_over:
        sheet.entries += left_over
        add_legend(sheet, ax)
        sheet.lay_out()
    _name_hulls(state, ax, sheet)
    add_title(sheet, ax, view, state)


def _name_hulls(state: ScatterState, ax: Axes, sheet: Sheet) -> None:
    """Labels beside each hull, clear of points where possible, else on its middle."""
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
        if space.label_hull(x, y, text, sheet.colours.edge(hull.colour)):
            continue
        if len(hull.x) < 3:
            # a name on the middle of a mark or a stretch would hide it
            sheet.notes.append(f"“{text}” finds no room beside its mark; it is in the data")
        else:
            ax.text(
                float(np.mean(hull.x)),
                float(np.mean(hull.y)),
                text,
                ha="center",
                va="center_baseline",
                zorder=6,
                color=sheet.colours.edge(hull.colour),
                **sheet.font(weight="semibold"),
            )
