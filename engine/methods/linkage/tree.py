"""The dendrogram as data: scipy's linkage matrix, its checks, cuts, layout and Newick text.

A linkage matrix Z is float64 (n-1, 4): row t holds the ids of the two merged clusters (leaves 0..n-1,
row t creates cluster n+t), the height, and the number of leaves. Everything here is iterative and O(n).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.core.errors import DataError, FieldError

OPTIMAL_ORDER_LIMIT = 2000


@njit(nogil=True, cache=True)
def _union_find(pairs: NDArray, heights: NDArray, tree: NDArray) -> None:
    """Turn leaf pairs, sorted by height, into scipy's rows by union-find with path halving."""
    n = pairs.shape[0] + 1
    parent = np.arange(2 * n - 1)
    size = np.ones(2 * n - 1, dtype=np.int64)
    for t in range(n - 1):
        a, b = pairs[t, 0], pairs[t, 1]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        new = n + t
        parent[a] = new
        parent[b] = new
        size[new] = size[a] + size[b]
        tree[t, 0] = min(a, b)
        tree[t, 1] = max(a, b)
        tree[t, 2] = heights[t]
        tree[t, 3] = size[new]


def tree_from_merges(pairs: NDArray[np.integer], heights: NDArray[np.floating]) -> NDArray[np.float64]:
    """Linkage matrix (n-1, 4) from merges in the order they happened.

    `pairs` (n-1, 2) names one leaf of each merged cluster, `heights` is (n-1,).
    """
    tree = np.empty((len(heights), 4))
    _union_find(np.ascontiguousarray(pairs, np.int64), np.asarray(heights, np.float64), tree)
    return tree


def sorted_tree(
    pairs: NDArray[np.integer], heights: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Linkage matrix from merges in any order that puts children before parents, and that order.

    The sort by height is stable, so that a child of equal height stays before its parent.
    """
    order = np.argsort(heights, kind="stable")
    return tree_from_merges(np.asarray(pairs)[order], np.asarray(heights)[order]), order


def check_linkage(tree: ArrayLike, source: str = "linkage matrix") -> NDArray[np.float64]:
    """The matrix as float64 (n-1, 4); raises `DataError` naming the first row that is not possible.

    Refused: wrong shape, cells that are not finite, negative heights, ids that are not whole numbers,
    clusters used before they exist or twice, sizes that do not add up.
    """
    z = np.ascontiguousarray(tree, dtype=np.float64)
    if z.ndim != 2 or z.shape[1] != 4 or z.shape[0] < 1:
        raise _refused(source, "shape", f"the array has shape {z.shape}", "it has n-1 rows and 4 columns")
    n = len(z) + 1
    rows = np.arange(n - 1)
    _first(source, ~np.isfinite(z).all(1), "not-finite", "a cell is not a finite number", "all are finite")
    _first(source, z[:, 2] < 0, "negative-height", "the height is negative", "heights are zero or more")
    ids = z[:, :2]
    _first(source, (ids != np.floor(ids)).any(1), "not-an-id", "an id has decimals", "ids are whole numbers")
    wrong = (ids < 0).any(1) | (ids >= (n + rows)[:, None]).any(1)
    _first(source, wrong, "unknown-cluster", "an id names no cluster yet", "row t may use ids below n+t")
    flat = ids.astype(np.int64).ravel()
    seen_first = np.zeros(flat.size, dtype=bool)
    seen_first[np.unique(flat, return_index=True)[1]] = True
    twice = ~seen_first.reshape(-1, 2)
    _first(source, twice.any(1), "used-twice", "a cluster is merged twice", "each cluster is merged once")
    sizes = np.concatenate([np.ones(n), z[:, 3]])
    sums = sizes[ids.astype(np.int64)].sum(1)
    _first(source, sums != z[:, 3], "wrong-size", "the size is not the sum of both", "column 4 counts leaves")
    return z


def _first(source: str, bad: Any, code: str, found: str, allowed: str) -> None:
    if bad.any():
        raise _refused(source, code, found, allowed, int(np.argmax(bad)) + 1, int(bad.sum()) - 1)


def _refused(
    source: str, code: str, found: str, allowed: str, row: int | None = None, further: int = 0
) -> DataError:
    return DataError(code=code, file=source, row=row, found=found, allowed=allowed, further=further)


@njit(nogil=True, cache=True)
def _labels_after(tree: NDArray, use: NDArray, labels: NDArray) -> int:
    """Labels of the forest that keeps exactly the merges with use[t], numbered by first appearance.

    A kept merge has only kept merges below it.
    """
    n = tree.shape[0] + 1
    root = np.arange(2 * n - 1)
    for t in range(n - 2, -1, -1):
        if use[t]:
            root[int(tree[t, 0])] = root[n + t]
            root[int(tree[t, 1])] = root[n + t]
    number = np.full(2 * n - 1, -1)
    k = 0
    for i in range(n):
        if number[root[i]] < 0:
            number[root[i]] = k
            k += 1
        labels[i] = number[root[i]]
    return k


def cut_at_k(tree: NDArray[np.float64], k: int) -> NDArray[np.int32]:
    """Labels (n,) of the k-clustering after the first n-k merges, numbered 0..k-1 by first appearance.

    Raises `FieldError` unless 1 <= k <= n.
    """
    n = len(tree) + 1
    if not 1 <= k <= n:
        raise FieldError("k", found=k, allowed=f"between 1 and the number of points, {n}")
    labels = np.empty(n, dtype=np.int32)
    _labels_after(tree, np.arange(n - 1) < n - k, labels)
    return labels


def cuts_at(tree: NDArray[np.float64], ks: Sequence[int]) -> NDArray[np.int32]:
    """Labels (len(ks), n), one row for each number of clusters; see `cut_at_k`."""
    return (
        np.stack([cut_at_k(tree, int(k)) for k in ks]) if len(ks) else np.empty((0, len(tree) + 1), np.int32)
    )


@njit(nogil=True, cache=True)
def subtree_heights(tree: NDArray) -> NDArray:
    """Largest height in the subtree of every merge, (n-1,); equals the height where none inverts."""
    n = tree.shape[0] + 1
    top = np.empty(n - 1)
    for t in range(n - 1):
        top[t] = tree[t, 2]
        for side in range(2):
            child = int(tree[t, side])
            if child >= n:
                top[t] = max(top[t], top[child - n])
    return top


def cut_at_height(tree: NDArray[np.float64], height: float) -> NDArray[np.int32]:
    """Labels (n,) of the largest subtrees with no merge above `height` (scipy's criterion 'distance')."""
    labels = np.empty(len(tree) + 1, dtype=np.int32)
    _labels_after(tree, subtree_heights(tree) <= height, labels)
    return labels


def cut_between(tree: NDArray[np.float64], k: int) -> tuple[float, float]:
    """Heights [low, high) at which a horizontal cut gives k clusters, for a tree without inversions."""
    n = len(tree) + 1
    low = float(tree[n - k - 1, 2]) if k < n else 0.0
    high = float(tree[n - k, 2]) if k > 1 else float("inf")
    return low, high


@dataclass(frozen=True)
class TreeLayout:
    """Where the dendrogram is drawn. All per-node arrays have 2n-1 entries, leaves first.

    `order` (n,): leaf ids from left to right. `first`: position of a node's leftmost leaf; its leaves are
    `order[first[v] : first[v] + size[v]]`. `x`: horizontal place (leaves 0..n-1). `height`, `top`: height
    of the node and the largest height below it. `parent`: -1 for the root.
    """

    order: NDArray[np.int64]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    x: NDArray[np.float64]
    height: NDArray[np.float64]
    top: NDArray[np.float64]
    parent: NDArray[np.int64]

    def leaves(self, node: int) -> NDArray[np.int64]:
        """Leaf ids below a node, left to right."""
        return self.order[self.first[node] : self.first[node] + self.size[node]]


@njit(nogil=True, cache=True)
def _place(tree: NDArray, size: NDArray, first: NDArray, order: NDArray, x: NDArray, parent: NDArray) -> None:
    """Three passes over the rows: sizes up, first leaves down, x up."""
    n = tree.shape[0] + 1
    size[:n] = 1
    for t in range(n - 1):
        size[n + t] = size[int(tree[t, 0])] + size[int(tree[t, 1])]
    first[2 * n - 2] = 0
    parent[2 * n - 2] = -1
    for t in range(n - 2, -1, -1):
        a, b = int(tree[t, 0]), int(tree[t, 1])
        first[a] = first[n + t]
        first[b] = first[n + t] + size[a]
        parent[a] = n + t
        parent[b] = n + t
    for i in range(n):
        order[first[i]] = i
        x[i] = first[i]
    for t in range(n - 1):
        x[n + t] = 0.5 * (x[int(tree[t, 0])] + x[int(tree[t, 1])])


def layout(tree: NDArray[np.float64]) -> TreeLayout:
    """Positions of all nodes without recursion or stack, O(n); 100,000 leaves take about 10 ms."""
    n = len(tree) + 1
    size, first, parent = (np.empty(2 * n - 1, dtype=np.int64) for _ in range(3))
    order, x = np.empty(n, dtype=np.int64), np.empty(2 * n - 1)
    _place(tree, size, first, order, x, parent)
    leaves = np.zeros(n)
    height = np.concatenate([leaves, tree[:, 2]])
    top = np.concatenate([leaves, subtree_heights(tree)])
    return TreeLayout(order, first, size, x, height, top, parent)


def newick(tree: NDArray[np.float64], names: Sequence[str] | None = None) -> str:
    """The tree as Newick text; a branch is as long as the height it climbs. Iterative.

    Names are quoted as the format demands; without names leaves are called by their number from 0.
    """
    n = len(tree) + 1
    height = np.concatenate([np.zeros(n), tree[:, 2]])
    words = [_newick_name(str(name)) for name in (names if names is not None else range(n))]
    parts: list[str] = []
    stack: list[tuple[int, int, str]] = [(2 * n - 2, 0, ";")]
    while stack:
        node, stage, tail = stack.pop()
        if node < 0:
            parts.append(tail)
        elif node < n:
            parts.append(words[node] + tail)
        elif stage == 1:
            parts.append(")" + tail)
        else:
            a, b = int(tree[node - n, 0]), int(tree[node - n, 1])
            parts.append("(")
            stack.append((node, 1, tail))
            stack.append((b, 0, f":{float(height[node] - height[b])!r}"))
            stack.append((-1, 0, ","))
            stack.append((a, 0, f":{float(height[node] - height[a])!r}"))
    return "".join(parts)


def _newick_name(name: str) -> str:
    plain = name and not set(name) & set(" ()[]{}:;,'\"\t\n\r_")
    return name if plain else "'" + name.replace("'", "''") + "'"


def optimally_ordered(tree: NDArray[np.float64], condensed: NDArray[np.floating]) -> NDArray[np.float64]:
    """Flip branches so that neighbouring leaves are as similar as possible (scipy, n <= 2000).

    `condensed` holds the n(n-1)/2 distances. The scipy call keeps the GIL for its whole length (0.3 s at
    1,000 leaves), so a run puts it into a child process.
    """
    n = len(tree) + 1
    if n > OPTIMAL_ORDER_LIMIT:
        raise FieldError("optimal_order", found=n, allowed=f"at most {OPTIMAL_ORDER_LIMIT:,} leaves")
    from scipy.cluster.hierarchy import optimal_leaf_ordering

    return np.asarray(optimal_leaf_ordering(tree, np.asarray(condensed, np.float64)))
