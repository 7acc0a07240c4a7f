"""Places of a merge tree, and its links merged where they are finer than can be printed.

Children precede parents, so single passes do: no recursion, no stack, O(n). Leaves are nodes 0…n−1, the
merge of row i is node n+i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit


@dataclass(frozen=True)
class Tree:
    """Arrays over all n+m nodes: place `x` and `height` float64, `parent` int64 (−1 at roots), first and
    last leaf place `first`, `last` int64, and `hidden` bool for what lies inside a collapsed node."""

    x: np.ndarray
    height: np.ndarray
    parent: np.ndarray
    first: np.ndarray
    last: np.ndarray
    hidden: np.ndarray
    leaves: int


def lay_out(merges: np.ndarray, leaves: int, order: np.ndarray, collapsed: tuple[int, ...] = ()) -> Tree:
    """Places of all nodes; `merges` float64 (m, 4) as in scipy, m ≤ n−1, `order` the leaf at each place."""
    pairs = np.ascontiguousarray(np.asarray(merges)[:, :2], dtype=np.int64)
    count = leaves + len(pairs)
    x, parent = np.empty(count), np.full(count, -1, dtype=np.int64)
    first, last = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    place = np.empty(leaves, dtype=np.int64)
    place[np.asarray(order, dtype=np.int64)] = np.arange(leaves)
    x[:leaves] = first[:leaves] = last[:leaves] = place
    _climb(pairs, leaves, x, parent, first, last)
    folded = np.zeros(count, dtype=np.bool_)
    folded[[node for node in collapsed if 0 <= node < count]] = True
    hidden = np.zeros(count, dtype=np.bool_)
    if folded.any():
        _hide(parent, folded, hidden)
        x = np.where(folded, (first + last) / 2, x)
    height = np.concatenate((np.zeros(leaves), np.asarray(merges, dtype=float)[:, 2]))
    return Tree(x, height, parent, first, last, hidden, leaves)


@dataclass(frozen=True)
class Links:
    """Straight links of one direction: `at` the fixed coordinate, `low`/`high` the ends, colour `label`."""

    at: np.ndarray
    low: np.ndarray
    high: np.ndarray
    label: np.ndarray


def uprights(tree: Tree, label: np.ndarray, cut: float | None) -> Links:
    """Links from every node up to its parent; parted at the cut, neutral (−1) above it."""
    nodes = np.flatnonzero((tree.parent >= 0) & ~tree.hidden)
    low, high = tree.height[nodes], tree.height[tree.parent[nodes]]
    return _parted(tree.x[nodes], np.minimum(low, high), np.maximum(low, high), label[nodes], cut)


def crossbars(
    tree: Tree, merges: np.ndarray, label: np.ndarray, cut: float | None, folded: np.ndarray
) -> Links:
    """Links between the two children of every merge that is neither hidden nor collapsed."""
    rows = np.flatnonzero(~tree.hidden[tree.leaves :] & ~folded[tree.leaves :])
    pairs = np.asarray(merges)[rows, :2].astype(np.int64)
    ends = np.sort(tree.x[pairs], axis=1)
    height = tree.height[tree.leaves + rows]
    colour = label[tree.leaves + rows].copy()
    if cut is not None:
        colour[height > cut] = -1
    return Links(height, ends[:, 0], ends[:, 1], colour)


def joined(links: Links, step: float, gap: float) -> Links:
    """Links whose fixed coordinate falls in the same `step`, made one where less than `gap` parts them.

    What is drawn stays within half a step of the truth; O(n log n).
    """
    if not len(links.at):
        return links
    line = np.floor(links.at / step).astype(np.int64)
    key = line * 4096 + (links.label + 1) % 4096
    order = np.lexsort((links.low, key))
    key, low, high = key[order], links.low[order], links.high[order]
    new_line = np.concatenate(([True], key[1:] != key[:-1]))
    reach = _reach(high, new_line)
    begins = new_line.copy()
    begins[1:] |= low[1:] > reach[:-1] + gap
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(low)) - 1
    return Links((line[order][starts] + 0.5) * step, low[starts], reach[ends], links.label[order][starts])


def _parted(at: np.ndarray, low: np.ndarray, high: np.ndarray, label: np.ndarray, cut: float | None) -> Links:
    if cut is None:
        return Links(at, low, high, label)
    below, above = low < cut, high > cut
    return Links(
        np.concatenate((at[below], at[above])),
        np.concatenate((low[below], np.maximum(low[above], cut))),
        np.concatenate((np.minimum(high[below], cut), high[above])),
        np.concatenate((label[below], np.full(int(above.sum()), -1))),
    )


@njit(nogil=True, cache=True)
def _climb(
    pairs: np.ndarray, leaves: int, x: np.ndarray, parent: np.ndarray, first: np.ndarray, last: np.ndarray
) -> None:
    for row in range(len(pairs)):
        node, a, b = leaves + row, pairs[row, 0], pairs[row, 1]
        parent[a] = parent[b] = node
        x[node] = (x[a] + x[b]) / 2
        first[node] = min(first[a], first[b])
        last[node] = max(last[a], last[b])


@njit(nogil=True, cache=True)
def _hide(parent: np.ndarray, folded: np.ndarray, hidden: np.ndarray) -> None:
    for node in range(len(parent) - 1, -1, -1):
        above = parent[node]
        if above >= 0:
            hidden[node] = hidden[above] or folded[above]


@njit(nogil=True, cache=True)
def _reach(high: np.ndarray, new_line: np.ndarray) -> np.ndarray:
    """The furthest end so far on each line."""
    reach = np.empty_like(high)
    for i in range(len(high)):
        reach[i] = high[i] if new_line[i] else max(reach[i - 1], high[i])
    return reach
