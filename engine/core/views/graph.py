"""Nodes and edges at given places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from engine.core.encoding import word
from engine.core.views.declaration import View, ViewState


@dataclass(frozen=True, kw_only=True)
class Graph(View):
    """Named boxes (up to 40 nodes) or dots, joined by edges; places are computed once by the method.

    Gestures and payloads: ``click`` {id}; ``drag-node`` {id, x, y}; ``click-edge`` {edge}.
    """

    kind: ClassVar[str] = "graph"
    gesture_words: ClassVar[tuple[str, ...]] = ("click", "drag-node", "click-edge")


@word("graph")
@dataclass(frozen=True, eq=False, kw_only=True)
class GraphState(ViewState):
    """`x`, `y` (n,), y upwards; `edges` int (m, 2) from, to; `names` n texts; `colours` (n,), −1 muted.

    `edge_names`/`edge_score` are written on the edges; `notes` are for hover; `emphasised` bool (n,)
    gives a node the selection's outline by the method's own account (a regular family, say).
    """

    kind: ClassVar[str] = "graph"

    x: np.ndarray
    y: np.ndarray
    names: tuple[str, ...] | np.ndarray = ()
    notes: tuple[str, ...] = ()
    colours: np.ndarray | None = None
    size: np.ndarray | None = None
    shape: Literal["box", "dot"] = "box"
    emphasised: np.ndarray | None = None
    edges: np.ndarray | None = None
    edge_names: tuple[str, ...] = ()
    edge_score: np.ndarray | None = None
    directed: bool = True
    columns: tuple[str, ...] = ()
