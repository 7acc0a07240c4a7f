"""What linkage is compared with: k-centre, k-means, k-medoids, a random hierarchy, Genie, scikit-learn.

Labels are (n,) int32 with k clusters. The library calls cannot be cut: scikit-learn's clustering of
hierarchies and Genie's tree keep the GIL, so a run puts them into a child process; k-means and k-medoids
release it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .storage import Distances
from .traversal import farthest_first, k_center_labels
from .tree import tree_from_merges


def gonzalez_labels(distances: Distances, k: int, start: int | None = None) -> NDArray[np.int32]:
    """Farthest-first k-centre (Gonzalez 1985): largest diameter at most twice OPT_DM(k) in a metric."""
    taken = farthest_first(distances.row, distances.n, k, start)
    return k_center_labels(distances.row, taken, k)


def kmeans_labels(points: NDArray[np.float64], k: int, seed: int = 0) -> NDArray[np.int32]:
    """scikit-learn's KMeans (k-means++, 10 starts) on points (n, d), Euclidean."""
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=10, random_state=seed).fit_predict(points).astype(np.int32)


def kmedoids_labels(distances: Distances, k: int, seed: int = 0) -> NDArray[np.int32]:
    """FasterPAM (`kmedoids`) on any distances, random start from the seed; copies them as a square."""
    from kmedoids import fasterpam

    found = fasterpam(distances.as_square(), k, init="random", random_state=seed)
    return np.asarray(found.labels, dtype=np.int32)


def random_hierarchy(n: int, seed: int = 0) -> NDArray[np.float64]:
    """A random tree (n-1, 4): a random order of the points, cut at its n-1 gaps in random order.

    Heights are the ranks 1..n-1 of the merges: only the clusterings mean anything.
    """
    rng = np.random.default_rng(seed)
    order, gaps = rng.permutation(n), rng.permutation(n - 1)
    return tree_from_merges(np.column_stack([order[gaps], order[gaps + 1]]), np.arange(1.0, n))


def genie_tree(points: NDArray[np.float64], gini_threshold: float = 0.3) -> NDArray[np.float64]:
    """Genie (`genieclust`) on points (n, d), Euclidean: single linkage held back by the Gini index.

    The merges in Genie's order; the heights are made to rise, as they need not.
    """
    from genieclust import Genie

    model = Genie(n_clusters=1, gini_threshold=gini_threshold)
    model.fit(np.ascontiguousarray(points, np.float64))
    heights = np.maximum.accumulate(np.maximum(model.distances_, 0.0))
    return np.column_stack([np.sort(model.children_, axis=1), heights, model.counts_]).astype(np.float64)


def sklearn_labels(points: NDArray[np.float64], k: int, linkage: str = "complete") -> NDArray[np.int32]:
    """scikit-learn's AgglomerativeClustering (ward, complete, average or single), Euclidean: a reference."""
    from sklearn.cluster import AgglomerativeClustering

    return AgglomerativeClustering(k, linkage=linkage).fit_predict(points).astype(np.int32)
