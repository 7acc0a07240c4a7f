"""How the marks of a scatter look: colour by group or number, shape by place, size, hollow."""

from __future__ import annotations

import math

import numpy as np

from engine.core.views import ScatterState
from gui.theme.categories import SHAPES
from gui.theme.contrast import contrast
from gui.theme.plot import DENSE_MARKS, PlotTheme
from gui.theme.theme import theme
from gui.views.colour_bar import ColourScale
from gui.views.legend_row import Entry
from gui.views.point_layer import Picture

_SHADES = 64
_SIZES = 8
_FEW = 400
_FAINT = 1.25
_PALE_ON_WHITE = (4, 5, 6)


def shown_group(state: ScatterState) -> np.ndarray:
    """Group of each mark, −1 where it has none."""
    if state.group is None:
        return np.full(len(state.x), -1 if not state.groups else 0)
    return np.asarray(state.group, np.int64)


def shape_of(state: ScatterState, group: int) -> str:
    """Up to four coloured groups differ by shape too; beyond, shape follows the palette's cycle."""
    coloured = [index for index, one in enumerate(state.groups) if one.colour is not None]
    if group not in coloured:
        return "circle"
    if len(coloured) <= len(SHAPES):
        return SHAPES[coloured.index(group)]
    return PlotTheme().entity(state.groups[group].colour or 0).marker


def entries(state: ScatterState) -> list[Entry]:
    """The legend: groups in the state's order, where there is more than one."""
    if len(state.groups) < 2:
        return []
    return [
        Entry(one.name, one.name, _fill(one.colour), shape_of(state, index))
        for index, one in enumerate(state.groups)
        if one.name
    ]


def pictures(state: ScatterState, scale: ColourScale | None) -> tuple[np.ndarray, list[Picture]]:
    """Index of each mark's picture (n,), and the pictures in use."""
    count = len(state.x)
    colour = _by_number(state, scale) if scale is not None else shown_group(state) + 1
    hollow = np.zeros(count, np.int64) if state.hollow is None else np.asarray(state.hollow, np.int64)
    size, sizes = _by_size(state, count)
    code = (colour * 2 + hollow) * _SIZES + size
    used, base = np.unique(code, return_inverse=True)
    looks = []
    for one in used.tolist():
        hue, place = divmod(one // _SIZES, 2)[0], one % _SIZES
        looks.append(_picture(state, scale, hue, bool(one // _SIZES % 2), sizes[place]))
    return base.reshape(count), looks


def _by_number(state: ScatterState, scale: ColourScale) -> np.ndarray:
    values = np.asarray(state.value, np.float64)
    return np.where(np.isfinite(values), scale.places(values) * _SHADES // 256 + 1, 0)


def _by_size(state: ScatterState, count: int) -> tuple[np.ndarray, list[float]]:
    """Sizes from the theme's mark size to three times it, in eight steps; area is the number."""
    plain = mark_size(count)
    if state.size is None or not count:
        return np.zeros(count, np.int64), [plain] * _SIZES
    values = np.sqrt(np.maximum(np.nan_to_num(np.asarray(state.size, np.float64)), 0))
    top = float(values.max()) or 1.0
    place = np.minimum((values / top * _SIZES).astype(np.int64), _SIZES - 1)
    largest = 3 * plain
    return place, [max(plain * 0.6, largest * (step + 1) / _SIZES) for step in range(_SIZES)]


def _picture(state: ScatterState, scale: ColourScale | None, hue: int, hollow: bool, size: float) -> Picture:
    colours = theme().colours
    if hue == 0:
        alone = not any(one.colour is not None for one in state.groups)
        return Picture(colours.axis if alone else colours.muted_mark, "circle", size, hollow)
    if scale is not None:
        red, green, blue = scale.table()[min((hue - 1) * 256 // _SHADES + 2, 255), :3].tolist()
        fill = f"#{red:02X}{green:02X}{blue:02X}"
        # The neutral middle of a map is nearly the ground: its marks get an outline.
        faint = contrast(fill, colours.plot_bg) < _FAINT
        return Picture(fill, "circle", size, hollow, colours.axis if faint else "")
    group = hue - 1
    known = group < len(state.groups)
    colour = state.groups[group].colour if known else group
    shape = shape_of(state, group) if known else PlotTheme().entity(group).marker
    bare = len(state.groups) > len(SHAPES) and theme().name == "light"
    pale = bare and colour is not None and colour % 8 in _PALE_ON_WHITE
    edge = PlotTheme().entity(colour).edge if pale and colour is not None else ""
    return Picture(_fill(colour), shape, size, hollow, edge)


def mark_size(count: int) -> float:
    """6 px for few marks, 3 above 5,000, and in between by the number, so that none hides another."""
    largest, smallest = PlotTheme().mark_size(0), PlotTheme().mark_size(DENSE_MARKS + 1)
    share = math.log(max(count, _FEW) / _FEW) / math.log(DENSE_MARKS / _FEW)
    return largest + (smallest - largest) * min(share, 1.0)


def _fill(colour: int | None) -> str:
    return theme().colours.muted_mark if colour is None else PlotTheme().entity(colour).fill
