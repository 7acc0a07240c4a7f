"""The points: clusters at the cut as colours, hulls, diameters, prototypes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.views import Group, Polygon, ScatterState, Segments
from engine.methods.linkage.hulls import hulls
from engine.methods.linkage.numbering import Clusters
from engine.methods.linkage.projection import Projection
from engine.methods.linkage.session import Grown, Session
from engine.methods.linkage.tree_pictures import COLOURED, NAMED, coloured

LIVE_COLOURED = 7
OUTLINED_UP_TO = 40_000


def points_picture(session: Session) -> ScatterState:
    """Points by cluster of the tree looked at; by present cluster while merging; grey before."""
    drawn = session.measured.drawn
    if drawn is None:
        return ScatterState(x=np.empty(0), y=np.empty(0), caption="a hierarchy alone has no places")
    grown = session.tree
    if grown is not None:
        return _clustered(session, drawn, grown)
    if session.forest is not None:
        return _merging(session, drawn, session.forest.root)
    return _state(session, drawn, f"{session.n:,} points, {drawn.words}")


def _state(session: Session, drawn: Projection, caption: str, **parts: object) -> ScatterState:
    return ScatterState(
        x=drawn.x,
        y=drawn.y,
        names=session.measured.names,
        x_axis=drawn.x_axis,
        y_axis=drawn.y_axis,
        equal=drawn.equal,
        geographic=drawn.geographic,
        caption=caption,
        **parts,  # type: ignore[arg-type]
    )


def _merging(session: Session, drawn: Projection, root: NDArray[np.int64]) -> ScatterState:
    """The largest present clusters coloured by size order, the rest muted."""
    nodes, place, sizes = np.unique(root, return_inverse=True, return_counts=True)
    largest = np.argsort(-sizes, kind="stable")[: min(LIVE_COLOURED, int(np.sum(sizes > 1)))]
    colour = np.full(len(nodes), -1)
    colour[largest] = np.arange(len(largest))
    groups = tuple(Group(name=f"{sizes[i]:,} points", colour=c) for c, i in enumerate(largest.tolist()))
    words = f"{len(nodes):,} clusters now"
    if len(largest) < len(nodes) and len(largest):
        words += f" · {len(largest)} largest coloured"
    return _state(session, drawn, words, group=colour[place], groups=groups)


def _clustered(session: Session, drawn: Projection, grown: Grown) -> ScatterState:
    clusters = grown.clusters(session.k)
    k, shown = clusters.k, min(clusters.k, COLOURED)
    words = [f"{k:,} cluster{'s' if k != 1 else ''}"]
    if k > shown:
        words[0] += f", the first {shown} coloured"
    polygons: tuple[Polygon, ...] = ()
    segments: tuple[Segments, ...] = ()
    if session.n <= OUTLINED_UP_TO and k <= COLOURED:
        polygons = _hulls(drawn, grown, clusters)
        segments = _diameters(drawn, grown, clusters)
        words.append("hulls and diameters" if segments else "hulls")
    if drawn.words != "as measured":
        words.append(drawn.words)
    stars = None
    if grown.prototypes is not None:
        stars = prototypes_at(grown, clusters)[:COLOURED]
        words.append("stars: prototypes")
    return _state(
        session,
        drawn,
        " · ".join(words),
        group=coloured(clusters.labels),
        groups=tuple(Group(name=f"cluster {i + 1}", colour=i) for i in range(shown)),
        polygons=polygons,
        segments=segments,
        stars=stars,
    )


def _hulls(drawn: Projection, grown: Grown, clusters: Clusters) -> tuple[Polygon, ...]:
    found = []
    for i, corners in enumerate(hulls(drawn.x, drawn.y, clusters.labels, clusters.k)):
        if len(corners) < 3:
            continue
        told = ""
        if grown.cohesion is not None and clusters.k <= NAMED:
            told = f"{i + 1} diameter {short(grown.cohesion.node_diam[clusters.roots[i]])}"
        found.append(Polygon(x=drawn.x[corners], y=drawn.y[corners], colour=i, label=told))
    return tuple(found)


def _diameters(drawn: Projection, grown: Grown, clusters: Clusters) -> tuple[Segments, ...]:
    """From end to end of each cluster's diameter."""
    if grown.cohesion is None:
        return ()
    ends = grown.cohesion.node_ends[clusters.roots]
    return tuple(
        Segments(name="diameter", x=drawn.x[pair][None], y=drawn.y[pair][None], colour=i, dashed=True)
        for i, pair in enumerate(ends)
        if clusters.sizes[i] > 1
    )


def prototypes_at(grown: Grown, clusters: Clusters) -> NDArray[np.int64]:
    """The prototype of each cluster (k,): the point whose farthest member is nearest."""
    assert grown.prototypes is not None
    inner = clusters.roots >= grown.n
    found = clusters.roots.copy()
    found[inner] = grown.prototypes[clusters.roots[inner] - grown.n]
    return found


def short(value: float) -> str:
    """A diameter in three or so digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) < 1 else f"{value:.2f}"
