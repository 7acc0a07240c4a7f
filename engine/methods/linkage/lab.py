"""The instance lab: a small set that is edited by hand and clustered again at once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.methods.linkage.criteria import Cohesion, cohesion_steps
from engine.methods.linkage.dissimilarities import TriangleCheck, check_triangles
from engine.methods.linkage.greedy import greedy_hierarchy
from engine.methods.linkage.metrics import distances
from engine.methods.linkage.numbering import Clusters, clusters_at, split_numbers
from engine.methods.linkage.optimum import Brackets, brackets_of
from engine.methods.linkage.pacing import result_of
from engine.methods.linkage.storage import Distances

LAB_LIMIT = 200
CELLS_LIMIT = 60
EXACT_LIMIT = 12
CHECKED_UP_TO = 120
PLANAR_METRICS = ("euclidean", "cityblock", "chebyshev")


@dataclass(frozen=True)
class LabTree:
    """One linkage of the lab."""

    tree: NDArray[np.float64]
    numbers: NDArray[np.int64]
    cohesion: Cohesion
    prototypes: NDArray[np.int64] | None

    def clusters(self, k: int) -> Clusters:
        """The k-clustering."""
        return clusters_at(self.tree, self.numbers, k)


@dataclass
class Lab:
    """n ≤ 200 points: `places` (n, 2) are drawn; they are measured unless `matrix` (n, n) is given.

    Everything below `ties` follows from these by `recluster`.
    """

    name: str
    places: NDArray[np.float64]
    matrix: NDArray[np.float64] | None
    metric: str = "euclidean"
    k: int = 3
    shown: str = "complete"
    linkages: tuple[str, ...] = ("complete", "average", "minimax", "single")
    ties: str = "index"
    picked: int | None = None
    presses: int = 0
    searched: str = ""
    square: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    trees: dict[str, LabTree] = field(default_factory=dict)
    brackets: Brackets | None = None
    triangles: TriangleCheck | None = None

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.places)

    def recluster(self, seed: int = 0) -> None:
        """Measure, grow every linkage, and bracket the optimum at k."""
        self.k = min(self.k, max(1, self.n - 1)) if self.n > 1 else 1
        if self.n < 2:
            self.square, self.trees, self.brackets = np.zeros((self.n, self.n)), {}, None
            return
        measured = self._measured()
        self.square = measured.as_square()
        self.trees = {}
        for name in dict.fromkeys((*self.linkages, self.shown)):
            if self.matrix is not None and name in ("ward", "centroid", "median"):
                continue
            grown = greedy_hierarchy(measured, name, self.ties, seed)  # type: ignore[arg-type]
            tight = result_of(cohesion_steps(grown.tree, measured))
            self.trees[name] = LabTree(grown.tree, split_numbers(grown.tree), tight, grown.prototypes)
        if self.shown not in self.trees:
            self.shown = next(iter(self.trees))
        self.triangles = None
        if self.matrix is not None and self.n <= CHECKED_UP_TO:
            self.triangles = check_triangles(measured, full=True)
        self.bracket(measured)

    def bracket(self, measured: Distances | None = None) -> None:
        """The bracket on the optimum at the present k: exact up to 12 points."""
        held = measured or Distances(self.square, self.n)
        grown = {name: (tree.tree, tree.cohesion) for name, tree in self.trees.items()}
        self.brackets = brackets_of(held, [self.k], grown, "fast", EXACT_LIMIT)

    def _measured(self) -> Distances:
        if self.matrix is not None:
            return Distances(self.matrix, self.n, "precomputed")
        return distances(self.places, self.metric)

    def content(self) -> dict[str, str]:
        """What the lab holds, as the arguments that fill it again."""
        matrix = "" if self.matrix is None else json.dumps(self.matrix.tolist())
        return {
            "source": "given",
            "points": json.dumps(self.places.tolist()),
            "matrix": matrix,
            "name": self.name,
        }


def lab_of(
    places: NDArray[np.float64],
    matrix: NDArray[np.float64] | None,
    name: str,
    k: int,
    like: Lab | None = None,
) -> Lab:
    """A lab with new content; settings are those of `like`."""
    base = like or Lab("", places, matrix)
    made = replace(
        base, name=name, places=np.array(places, float), matrix=None if matrix is None else np.array(matrix),
        k=k, picked=None, presses=0, searched="", trees={}, brackets=None,
    )  # fmt: skip
    made.recluster()
    return made


def circle(n: int) -> NDArray[np.float64]:
    """Places for n things without places."""
    angle = 2 * np.pi * np.arange(n) / max(n, 1)
    return np.column_stack([np.cos(angle), np.sin(angle)])
