"""The instance lab as pictures: points to drag, and the matrix of their distances."""

from __future__ import annotations

import numpy as np

from engine.core.views import (
    Axis,
    Button,
    Control,
    Group,
    HeatMapState,
    Polygon,
    ScatterState,
    Segments,
    Slider,
    Switch,
)
from engine.methods.linkage.hulls import hulls
from engine.methods.linkage.lab import CELLS_LIMIT, LAB_LIMIT, Lab
from engine.methods.linkage.points_pictures import short
from engine.methods.linkage.session import Session, label
from engine.methods.linkage.tree_pictures import COLOURED, NAMED, coloured

SEARCHED_UP_TO = 9
SOURCES = ("data", "sl-chain", "al-stairs", "line-shrinking", "cl-sqrt", "blobs", "moons", "ring", "cube")


def lab_picture(session: Session) -> ScatterState:
    """The lab's points by cluster, with what the linkage makes of them against the optimum."""
    lab = session.lab
    if lab is None:
        return ScatterState(x=np.empty(0), y=np.empty(0), caption="empty", controls=(_fill(None),))
    tree = lab.trees.get(lab.shown)
    if tree is None:
        return ScatterState(
            x=lab.places[:, 0], y=lab.places[:, 1], caption="two points are needed", controls=_controls(lab)
        )
    clusters = tree.clusters(lab.k)
    x, y = lab.places.T
    stars = None
    if tree.prototypes is not None:
        inner = clusters.roots >= lab.n
        stars = clusters.roots.copy()
        stars[inner] = tree.prototypes[clusters.roots[inner] - lab.n]
    return ScatterState(
        x=x.copy(),
        y=y.copy(),
        names=lab_names(lab),
        group=coloured(clusters.labels),
        groups=tuple(Group(name=f"cluster {i + 1}", colour=i) for i in range(min(lab.k, COLOURED))),
        polygons=tuple(
            Polygon(
                x=x[corners], y=y[corners], colour=i,
                label=f"{i + 1} diameter {short(tree.cohesion.node_diam[clusters.roots[i]])}"
                if lab.k <= NAMED
                else "",
            )
            for i, corners in enumerate(hulls(x, y, clusters.labels, lab.k))
            if i < COLOURED and len(corners) > 2
        ),
        segments=tuple(
            Segments(name="diameter", x=x[pair][None], y=y[pair][None], colour=i, dashed=True)
            for i, pair in enumerate(tree.cohesion.node_ends[clusters.roots])
            if i < COLOURED and clusters.sizes[i] > 1
        ),
        stars=stars,
        equal=True,
        x_axis=Axis("first"),
        y_axis=Axis("second"),
        caption=verdict(lab),
        controls=_controls(lab),
    )  # fmt: skip


def verdict(lab: Lab) -> str:
    """In words: how far the linkage shown is from the optimum at k."""
    tree = lab.trees.get(lab.shown)
    if tree is None or lab.brackets is None:
        return lab.name
    value = float(tree.cohesion.max_diam[lab.k])
    words = [f"{lab.name}: {lab.n} points", f"{label(lab.shown)} at k = {lab.k}: diameter {short(value)}"]
    for optimum, held in (("OPT_DM", lab.brackets.dm[lab.k]), ("OPT_AV", lab.brackets.av[lab.k])):
        low, high = held.ratio(value)
        times = f"{low:.2f}" if held.exact else f"{low:.2f}–{high:.2f}"
        words.append(f"{times} × {optimum} ({'exact' if held.exact else 'bracket'})")
    if lab.triangles is not None and lab.triangles.worst is not None:
        i, j, via = lab.triangles.worst
        words.append(
            f"not a metric: {i + 1}–{j + 1} is {lab.triangles.direct:.3g}, "
            f"by way of {via + 1} {lab.triangles.detour:.3g}"
        )
    elif lab.matrix is not None:
        words.append("distances as in the table; places are for the eye")
    if lab.searched:
        words.append(lab.searched)
    return " · ".join(words)


def lab_names(lab: Lab) -> np.ndarray:
    """Points by number."""
    return np.array([f"point {i}" for i in range(1, lab.n + 1)], dtype=str)


def _fill(lab: Lab | None) -> Switch:
    value = "data" if lab is None else lab.name
    options = SOURCES if value in SOURCES else (value, *SOURCES)
    return Switch(action="fill_lab", argument="source", label="Instance", options=options, value=value)


def _controls(lab: Lab) -> tuple[Control, ...]:
    controls: list[Control] = [_fill(lab)]
    if lab.n > 2:
        controls.append(
            Slider(action="lab_k", argument="value", label="k", low=1, high=lab.n - 1, value=lab.k, step=1)
        )  # fmt: skip
    names = tuple(label(name) for name in lab.trees)
    if len(names) > 1:
        controls.append(
            Switch(
                action="lab_linkage", argument="value", label="Linkage", options=names,
                value=label(lab.shown),
            )
        )  # fmt: skip
    return tuple(controls)


def _search_controls(lab: Lab) -> tuple[Control, ...]:
    small = 4 <= lab.n <= SEARCHED_UP_TO and 2 <= lab.k < lab.n
    return (
        Button(
            action="worsen", label="Search worse", enabled=small,
            reason=f"the search takes 4 to {SEARCHED_UP_TO} points and k from 2",
        ),
        Button(
            action="remove_point", label="Remove point", enabled=lab.n > 2,
            arguments={} if lab.picked is None else {"id": lab.picked}, reason="two points stay",
        ),
        Button(action="reset_lab", label="Reset"),
    )  # fmt: skip


def lab_matrix_picture(session: Session) -> HeatMapState:
    """The distances of the lab, editable up to 60 points; pairs within one cluster are framed."""
    lab = session.lab
    if lab is None or not lab.trees:
        return HeatMapState(values=np.full((1, 1), np.nan), caption="empty")
    tree = lab.trees[lab.shown]
    labels = tree.clusters(lab.k).labels
    names = tuple(str(i) for i in range(1, lab.n + 1))
    together = (labels[:, None] == labels[None, :]) & ~np.eye(lab.n, dtype=bool)
    shown = lab.square.copy()
    np.fill_diagonal(shown, np.nan)
    return HeatMapState(
        values=shown,
        rows=names,
        columns=names,
        outlined=together if lab.n <= 30 else None,
        caption=f"{lab.n} × {lab.n} · "
        + (
            "change a cell and the lab clusters again · framed: in one cluster"
            if lab.n <= CELLS_LIMIT
            else f"cells are edited up to {CELLS_LIMIT} points"
        ),
        controls=_search_controls(lab),
    )


def lab_full(lab: Lab) -> bool:
    """Whether no further point is taken."""
    return lab.n >= LAB_LIMIT
