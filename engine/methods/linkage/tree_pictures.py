"""The dendrogram, and merge heights against merges done."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.views import (
    Axis,
    Button,
    Control,
    DendrogramState,
    LinesState,
    Series,
    Slider,
    Switch,
    Toggle,
)
from engine.methods.linkage.parameters import COLOURS
from engine.methods.linkage.session import Grown, Session, label

COLOURED = 32
NAMED = 12
MOST_ON_SLIDER = 100
CURVE_POINTS = 2000
NO_ORDER = np.empty((0, 4))


def tree_picture(session: Session) -> DendrogramState:
    """The tree looked at, cut; or the forest of the linkage that is merging."""
    grown = session.tree
    if grown is None:
        return _forest_picture(session)
    clusters = grown.clusters(session.k)
    height = session.height if session.height is not None else grown.height_for(session.k)
    words = f"{label(grown.name)} linkage · drag the line to cut"
    if grown.name == "given":
        words = "hierarchy from the file · drag the line to cut"
    elif grown.inverted:
        words = (
            f"{label(grown.name)} linkage · some merges are lower than earlier ones; the cut counts merges"
        )
    return DendrogramState(
        merges=grown.tree,
        leaves=grown.n,
        order=grown.order,
        labels=coloured(clusters.labels),
        clusters=cluster_names(clusters.sizes),
        cut=height,
        cut_label=f"k = {session.k:,}",
        collapsed=session.collapsed,
        log=session.log,
        names=session.measured.names,
        height=session.height_axis,
        caption=words + (", log scale" if session.log else ""),
        controls=_controls(session),
    )


def coloured(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Colour index of each point: its cluster's number, muted from the 33rd cluster on."""
    return np.where(labels < COLOURED, labels, -1)


def cluster_names(sizes: NDArray[np.int64]) -> tuple[str, ...]:
    """ "cluster 2 · 72 points" for the coloured clusters."""
    return tuple(
        f"cluster {i + 1} · {size:,} {'point' if size == 1 else 'points'}"
        for i, size in enumerate(sizes[:COLOURED].tolist())
    )


def _controls(session: Session) -> tuple[Control, ...]:
    names = tuple(label(name) for name in session.names_of_trees())
    controls: list[Control] = []
    if len(names) > 1:
        controls.append(
            Switch(
                action="show_linkage", argument="value", label="Linkage", options=names,
                value=label(session.shown),
            )
        )  # fmt: skip
    controls.append(k_slider(session))
    controls.append(Toggle(action="toggle_log", argument="value", label="log", value=session.log))
    if session.collapsed:
        controls.append(Button(action="open_all", label="Open all"))
    return tuple(controls)


def k_slider(session: Session) -> Slider:
    """The number of clusters, tied to the cut."""
    high = min(session.n, max(MOST_ON_SLIDER, session.ks[-1], session.k))
    return Slider(
        action="cut", argument="k", label="k", low=1, high=max(high, 2), value=session.k, step=1,
        log=high > 200,
    )  # fmt: skip


def _forest_picture(session: Session) -> DendrogramState:
    forest = session.forest
    if forest is None:
        return DendrogramState(merges=NO_ORDER, leaves=0, order=np.empty(0, np.int64), caption="")
    done = len(forest.merges)
    return DendrogramState(
        merges=forest.merges,
        leaves=session.n,
        order=forest.order,
        log=session.log,
        names=session.measured.names,
        height=session.height_axis,
        caption=f"{label(session.merging)} linkage · {done:,} of {session.n - 1:,} merges",
    )


def heights_picture(session: Session) -> LinesState:
    """Height of the merges in ascending order, one curve a linkage; the one that merges ends where it is."""
    words = []
    if session.merging:
        done = len(session.heights.get(session.merging, ()))
        words.append(f"{label(session.merging)}, {100 * done / max(1, session.n - 1):.0f}% of merges")
    finished = session.names_of_trees()
    if finished:
        words.insert(0, f"{', '.join(label(name) for name in finished)} finished")
    log = session.log or _wide(session)
    return LinesState(
        series=tuple(_height_curve(name, heights, log) for name, heights in session.heights.items()),
        x=Axis("merges done"),
        y=Axis("merge height", session.measured.unit, log=log),
        caption=" · ".join([*words, *(["log scale"] if log else [])]),
    )


def _wide(session: Session) -> bool:
    """Whether heights of the finished trees span more than two and a half decades above their median."""
    tops = [(float(np.median(h)), float(h[-1])) for h in session.heights.values() if len(h) > 2]
    return any(middle > 0 and top > 300 * middle for middle, top in tops)


def _height_curve(name: str, heights: NDArray[np.float64], log: bool) -> Series:
    """At most some 2,000 points, evenly taken and always with the last ones."""
    total = len(heights)
    steps = np.arange(1, total + 1)
    if total > CURVE_POINTS:
        kept = np.unique(np.concatenate([np.linspace(0, total - 1, CURVE_POINTS // 2).round(), _last(total)]))
        steps, heights = steps[kept.astype(int)], heights[kept.astype(int)]
    if log:
        shown = heights > 0
        steps, heights = steps[shown], heights[shown]
    return Series(
        name=label(name), x=steps.astype(float), y=heights.copy(), colour=COLOURS[name], marks=False
    )


def _last(total: int) -> NDArray[np.float64]:
    """Indices that grow denser towards the end, where heights rise fastest."""
    back = np.unique(np.geomspace(1, total, CURVE_POINTS // 2).round())
    return total - back


def grown_heights(grown: Grown) -> NDArray[np.float64]:
    """Heights in ascending order."""
    return np.sort(grown.tree[:, 2])
