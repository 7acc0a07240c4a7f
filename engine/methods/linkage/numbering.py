"""Clusters of a cut, numbered so that a number stays with a cluster while it lives.

The whole set is cluster 0. Going down from k to k+1 clusters one cluster splits: its larger part (on equal
sizes the part with the smaller leaf) keeps the number, the other part gets number k. So colours and names
of all other clusters stay as k changes, at every k. Also forests, while a linkage still merges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(nogil=True, cache=True)
def _split_numbers(tree: NDArray, size: NDArray, least: NDArray, number: NDArray) -> None:
    n = tree.shape[0] + 1
    number[2 * n - 2] = 0
    for t in range(n - 2, -1, -1):
        a, b = int(tree[t, 0]), int(tree[t, 1])
        if size[b] > size[a] or (size[b] == size[a] and least[b] < least[a]):
            a, b = b, a
        number[a] = number[n + t]
        number[b] = n - 1 - t


@njit(nogil=True, cache=True)
def _sizes(tree: NDArray, size: NDArray, least: NDArray) -> None:
    n = tree.shape[0] + 1
    for v in range(n):
        size[v] = 1
        least[v] = v
    for t in range(n - 1):
        a, b = int(tree[t, 0]), int(tree[t, 1])
        size[n + t] = size[a] + size[b]
        least[n + t] = min(least[a], least[b])


def split_numbers(tree: NDArray[np.float64]) -> NDArray[np.int64]:
    """Number of every node (2n-1,): what its cluster is called at every k at which it is one."""
    n = len(tree) + 1
    size, least, number = (np.empty(2 * n - 1, np.int64) for _ in range(3))
    _sizes(tree, size, least)
    _split_numbers(tree, size, least, number)
    return number


@njit(nogil=True, cache=True)
def _roots_at(tree: NDArray, merges: int, root: NDArray) -> None:
    n = tree.shape[0] + 1
    for v in range(2 * n - 1):
        root[v] = v
    for t in range(merges - 1, -1, -1):
        root[int(tree[t, 0])] = root[n + t]
        root[int(tree[t, 1])] = root[n + t]


@dataclass(frozen=True)
class Clusters:
    """A k-clustering of a tree: `labels` (n,) numbers 0..k-1, `roots` (k,) the node of each, `sizes` (k,)."""

    labels: NDArray[np.int64]
    roots: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.roots)


def clusters_at(tree: NDArray[np.float64], numbers: NDArray[np.int64], k: int) -> Clusters:
    """The clusters after the first n-k merges, with the numbers of `split_numbers`; O(n)."""
    n = len(tree) + 1
    root = np.empty(2 * n - 1, np.int64)
    _roots_at(tree, n - k, root)
    alive = np.unique(root[:n])
    roots = np.empty(k, np.int64)
    roots[numbers[alive]] = alive
    labels = numbers[root[:n]]
    return Clusters(labels, roots, np.bincount(labels, minlength=k))


@dataclass(frozen=True)
class Forest:
    """A linkage on its way: `merges` (m, 4) in scipy's form, `order` (n,) leaves from left to right,
    `root` (n,) the present cluster of each leaf, as a node number."""

    merges: NDArray[np.float64]
    order: NDArray[np.int64]
    root: NDArray[np.int64]


@njit(nogil=True, cache=True)
def _grow(pairs: NDArray, heights: NDArray, parent: NDArray, size: NDArray, merges: NDArray) -> None:
    n = (parent.shape[0] + 1) // 2
    for t in range(pairs.shape[0]):
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
        merges[t, 0] = min(a, b)
        merges[t, 1] = max(a, b)
        merges[t, 2] = heights[t]
        merges[t, 3] = size[new]


@njit(nogil=True, cache=True)
def _stand(merges: NDArray, n: int, size: NDArray, first: NDArray, root: NDArray) -> None:
    """Places of leaves, trees of the forest one after the other."""
    m = merges.shape[0]
    for v in range(n + m):
        first[v] = -1
        root[v] = v
    place = 0
    for v in range(n + m - 1, -1, -1):
        if first[v] < 0:
            first[v] = place
            place += size[v]
        if v >= n:
            a, b = int(merges[v - n, 0]), int(merges[v - n, 1])
            first[a] = first[v]
            first[b] = first[v] + size[a]
            root[a] = root[v]
            root[b] = root[v]


def forest_of(pairs: NDArray[np.integer], heights: NDArray[np.floating], n: int) -> Forest:
    """The forest after merges in any order that puts children before parents; O(n log n)."""
    by_height = np.argsort(heights, kind="stable")
    m = len(by_height)
    size, parent = np.ones(2 * n - 1, np.int64), np.arange(2 * n - 1)
    merges = np.empty((m, 4))
    ordered = np.ascontiguousarray(np.asarray(pairs, np.int64)[by_height])
    _grow(ordered, np.asarray(heights, np.float64)[by_height], parent, size, merges)
    first, root = np.empty(n + m, np.int64), np.empty(n + m, np.int64)
    _stand(merges, n, size, first, root)
    order = np.empty(n, np.int64)
    order[first[:n]] = np.arange(n)
    return Forest(merges, order, root[:n].copy())
