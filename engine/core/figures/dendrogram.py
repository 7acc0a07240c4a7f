"""Merge trees: links in cluster colours below the cut, a strip of leaves, collapsed subtrees as triangles."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba, to_rgba_array
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator
from matplotlib.transforms import ScaledTranslation, Transform, blended_transform_factory

from engine.core.figures.legend import add_legend, add_title, patch_key
from engine.core.figures.sheet import FADED, FINEST_DPI, Look, Sheet
from engine.core.figures.ticks import set_ticks
from engine.core.figures.tree_layout import Links, Tree, crossbars, joined, lay_out, uprights
from engine.core.views import Axis, Dendrogram, DendrogramState

STRIP, STRIP_GAP = 3.75, 1.5
CUT_DASHES = (5.0, 3.0)
MOST_NAMED = 60
"""Trees of so few leaves have the leaves' names under them."""


def draw_dendrogram(view: Dendrogram, state: DendrogramState, sheet: Sheet) -> None:
    """Draw a dendrogram on the sheet; a forest while the run goes on."""
    ax = sheet.axes()
    height = state.height or view.height
    height = Axis(height.title, height.unit, state.log or height.log)
    tree = lay_out(state.merges, state.leaves, state.order, state.collapsed)
    lowest, highest = _range(tree, state, height.log)
    ax.set_yscale("log" if height.log else "linear")
    ax.set_ylim(lowest, highest)
    ax.set_xlim(-0.5 - 0.005 * state.leaves, state.leaves - 0.5 + 0.005 * state.leaves)
    ax.spines["bottom"].set_visible(False)
    ax.xaxis.set_major_locator(NullLocator())
    if state.leaves == len(state.names) <= MOST_NAMED and not state.clusters:
        names = [str(state.names[leaf]) for leaf in state.order]
        ax.set_xticks(range(state.leaves), names, rotation=90, **sheet.font(sheet.style.small))
        ax.tick_params(axis="x", length=0, pad=STRIP + STRIP_GAP + 1)
    sheet.title_axes(ax, None, height)
    sheet.grid(ax, "y")
    leaf_label = _labels(state)
    label = _node_labels(tree, leaf_label, np.asarray(state.order, np.int64))
    folded = np.zeros(len(tree.x), bool)
    folded[[n for n in state.collapsed if 0 <= n < len(folded)]] = True
    _links(tree, state, label, folded, lowest, highest, ax, sheet)
    tops = label if state.cut is None else np.where(tree.height > state.cut, -1, label)
    _triangles(tree, np.flatnonzero(folded & ~tree.hidden), tops, lowest, ax, sheet)
    runs = _runs(leaf_label[np.asarray(state.order, np.int64)])
    _strip(runs, ax, sheet)
    _finish(view, state, runs, ax, height, sheet)


def _labels(state: DendrogramState) -> np.ndarray:
    """The cluster of every leaf; −1 (neutral) where none is known."""
    return np.full(state.leaves, -1) if state.labels is None else np.asarray(state.labels, np.int64)


def _node_labels(tree: Tree, leaf_label: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The cluster of each node's first leaf: all its leaves below the cut share it."""
    return leaf_label[order[tree.first]]


def _range(tree: Tree, state: DendrogramState, log: bool) -> tuple[float, float]:
    heights = tree.height[tree.leaves :]
    finite = heights[np.isfinite(heights)]
    highest = max(float(finite.max(initial=0.0)), state.cut or 0.0) or 1.0
    if not log:
        return min(0.0, float(finite.min(initial=0.0))), 1.04 * highest
    positive = finite[finite > 0]
    lowest = float(positive.min()) / 1.3 if len(positive) else highest / 10
    return lowest, highest * 1.15


def _links(
    tree: Tree,
    state: DendrogramState,
    label: np.ndarray,
    folded: np.ndarray,
    lowest: float,
    highest: float,
    ax: Axes,
    sheet: Sheet,
) -> None:
    up = uprights(tree, label, state.cut)
    bars = crossbars(tree, np.asarray(state.merges), label, state.cut, folded)
    columns = sheet.style.width * FINEST_DPI
    if state.leaves > columns / 4:
        across, rows = state.leaves / columns, sheet.style.height * FINEST_DPI
        down = (highest - lowest) / rows
        up, bars = joined(up, across, down), joined(bars, down, across)
        keep = bars.high - bars.low >= across
        bars = Links(bars.at[keep], bars.low[keep], bars.high[keep], bars.label[keep])
        sheet.notes.append(
            f"{state.leaves:,} leaves drawn as {len(up.at) + len(bars.at):,} lines: "
            f"links closer than 1/{FINEST_DPI} inch are one"
        )
    floor = lowest if lowest > 0 else -np.inf
    segments = np.concatenate(
        (
            np.stack((np.stack((up.at, np.maximum(up.low, floor)), 1), np.stack((up.at, up.high), 1)), 1),
            np.stack((np.stack((bars.low, bars.at), 1), np.stack((bars.high, bars.at), 1)), 1),
        )
    )
    labels = np.concatenate((up.label, bars.label))
    width = (0.7 if state.leaves <= 400 else 0.45) * sheet.style.line_width / 1.2
    # One collection per colour keeps the file small: a colour is written once, not per link.
    for value in np.unique(labels):
        colour = to_rgba(link_colour(int(value), sheet), _alpha(int(value), sheet))
        ax.add_collection(
            LineCollection(
                list(segments[labels == value]),
                colors=[colour],
                linewidths=width,
                capstyle="projecting",
                zorder=2 if value < 0 else 2.2,
            ),
            autolim=False,
        )


def link_colour(label: int, sheet: Sheet) -> str:
    """Cluster colour below the cut; neutral for −1."""
    if label < 0:
        return sheet.colours.secondary if sheet.style.theme != "print" else sheet.colours.text
    return sheet.colours.line(label, marked=False)


def _alpha(label: int, sheet: Sheet) -> float:
    chosen = sheet.style.selection
    return 1.0 if not chosen or label < 0 or label in chosen else FADED


def _triangles(
    tree: Tree, nodes: np.ndarray, label: np.ndarray, lowest: float, ax: Axes, sheet: Sheet
) -> None:
    if not len(nodes):
        return
    first, last, top = tree.first[nodes] - 0.4, tree.last[nodes] + 0.4, tree.height[nodes]
    corners = np.stack(
        (
            np.stack((first, 0 * top + lowest), 1),
            np.stack((last, 0 * top + lowest), 1),
            np.stack((tree.x[nodes], top), 1),
        ),
        axis=1,
    )
    colours = to_rgba_array([link_colour(int(i), sheet) for i in label[nodes]])
    ax.add_collection(
        PolyCollection(list(corners), facecolors=colours, linewidths=0, zorder=2.3), autolim=False
    )


def _runs(label: np.ndarray) -> list[tuple[int, int, int]]:
    """Stretches (first place, last place, label) of neighbouring leaves in one cluster."""
    if not len(label):
        return []
    starts = np.concatenate(([0], np.flatnonzero(label[1:] != label[:-1]) + 1))
    stops = np.append(starts[1:], len(label)) - 1
    return [(int(a), int(b), int(label[a])) for a, b in zip(starts, stops, strict=True)]


def _under(ax: Axes, sheet: Sheet) -> Transform:
    """Data coordinates across; inches from the foot of the plot upwards."""
    foot = sheet.figure.dpi_scale_trans + ScaledTranslation(0, 0, ax.transAxes)  # type: ignore[arg-type]
    return blended_transform_factory(ax.transData, foot)


def _strip(runs: list[tuple[int, int, int]], ax: Axes, sheet: Sheet) -> None:
    """A coloured strip under the leaves, 5 px high: which cluster each leaf is in."""
    scale = sheet.style.scale / 72
    across = _under(ax, sheet)
    seen: set[int] = set()
    for first, last, label in runs:
        if label < 0:
            continue
        ax.add_patch(
            Rectangle(
                (first - 0.5, -(STRIP + STRIP_GAP) * scale),
                last - first + 1,
                STRIP * scale,
                transform=across,
                facecolor=to_rgba(link_colour(label, sheet), _alpha(label, sheet)),
                linewidth=0,
                clip_on=False,
                zorder=3,
            )
        )
        seen.add(label)
    sheet.looks += [Look(f"cluster {i}", link_colour(i, sheet), labelled=True) for i in sorted(seen)]


def _finish(
    view: Dendrogram,
    state: DendrogramState,
    runs: list[tuple[int, int, int]],
    ax: Axes,
    height: Axis,
    sheet: Sheet,
) -> None:
    _number(height, ax, sheet)
    sheet.lay_out()
    if state.cut is not None:
        _cut(state, state.cut, ax, sheet)
    sheet.lay_out()
    if not _name_runs(state, runs, ax, sheet):
        present = sorted({label for _, _, label in runs if 0 <= label < len(state.clusters)})
        sheet.entries += [(patch_key(link_colour(i, sheet)), state.clusters[i]) for i in present]
        add_legend(sheet, ax)
    sheet.lay_out()
    _number(height, ax, sheet)
    add_title(sheet, ax, view, state)


def _number(height: Axis, ax: Axes, sheet: Sheet) -> None:
    set_ticks(ax.yaxis, log=height.log, length=sheet.size_of(ax)[1], per_tick=3 * sheet.style.small)


def _cut(state: DendrogramState, cut: float, ax: Axes, sheet: Sheet) -> None:
    """The dashed line of the cut with its tag at the right end."""
    line = ax.axhline(cut, color=sheet.colours.selection, linewidth=0.85 * sheet.style.line_width, zorder=4)
    line.set_linestyle((0, CUT_DASHES))
    if state.cut_label:
        ax.annotate(
            state.cut_label,
            (1.0, cut),
            (5 * sheet.style.scale, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="left",
            va="center",
            color=sheet.colours.on_selection,
            annotation_clip=False,
            **sheet.font(sheet.style.small, "semibold"),
            bbox={
                "boxstyle": "round,pad=0.3,rounding_size=0.3",
                "facecolor": sheet.colours.selection,
                "linewidth": 0,
            },
        )


def _name_runs(state: DendrogramState, runs: list[tuple[int, int, int]], ax: Axes, sheet: Sheet) -> bool:
    """Cluster names under their stretch of the strip, in one line or two; False if they would touch."""
    names = [
        ((a + b) / 2, label, state.clusters[label])
        for a, b, label in runs
        if 0 <= label < len(state.clusters)
    ]
    if len({label for _, label, _ in names}) < len(names):
        return False
    size = sheet.style.small
    per_leaf = sheet.size_of(ax)[0] / (1.01 * state.leaves)
    below = -(STRIP + STRIP_GAP + 2.5) * sheet.style.scale / 72
    for texts in ([name for _, _, name in names], [name.replace(" · ", "\n", 1) for _, _, name in names]):
        half = [max(sheet.width_of(line, size) for line in text.split("\n")) / 2 for text in texts]
        left = [centre * per_leaf - h for (centre, _, _), h in zip(names, half, strict=True)]
        right = [centre * per_leaf + h for (centre, _, _), h in zip(names, half, strict=True)]
        if all(a >= b + size / 2 for a, b in zip(left[1:], right[:-1], strict=True)):
            for (centre, label, _), text in zip(names, texts, strict=True):
                ax.text(
                    centre,
                    below,
                    text,
                    transform=_under(ax, sheet),
                    ha="center",
                    va="top",
                    clip_on=False,
                    color=sheet.colours.edge(label),
                    linespacing=1.15,
                    **sheet.font(size),
                )
            return True
    return False
