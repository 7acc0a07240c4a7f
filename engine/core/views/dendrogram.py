"""Merge trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import Axis, View, ViewState


@dataclass(frozen=True, kw_only=True)
class Dendrogram(View):
    """A hierarchy of leaves, cut by a draggable line.

    Gestures and payloads: ``cut`` {height}; ``click`` {node}; ``collapse`` {node}. Leaves are nodes
    0…n−1, the merge of row i is node n+i.
    """

    kind: ClassVar[str] = "dendrogram"
    gesture_words: ClassVar[tuple[str, ...]] = ("cut", "click", "collapse")

    height: Axis


@word("dendrogram")
@dataclass(frozen=True, eq=False, kw_only=True)
class DendrogramState(ViewState):
    """`merges` float64 (m, 4) in scipy's order (children, height, size); m < n−1 while a run goes on.

    `leaves` n; `order` int64 (n,) leaf at each place; `labels` int (n,) the cluster (colour index) of
    each leaf at the cut; `cut` the height of the line or None; `cut_label` the tag's text; `collapsed`
    node numbers drawn as triangles; `log` a logarithmic height axis; `names` leaf names for search.
    """

    kind: ClassVar[str] = "dendrogram"

    merges: np.ndarray
    leaves: int
    order: np.ndarray
    labels: np.ndarray | None = None
    clusters: tuple[str, ...] = ()
    cut: float | None = None
    cut_label: str = ""
    collapsed: tuple[int, ...] = ()
    log: bool = False
    names: tuple[str, ...] | np.ndarray = ()
    height: Axis | None = None
