"""Ward linkage from points with O(n·d) memory: nearest-neighbour chains on centroids.

Ward's distance of clusters with sizes a, b and centroids c, c' is sqrt(2ab/(a+b))·|c - c'|, scipy's
scale (two points: their distance), so that no distance has to be stored. Time O(n²·d).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .nn_chain import MergesSoFar, follow
from .pacing import Pace, result_of
from .tree import sorted_tree

SLOTS, CHAIN, MERGES = range(3)
STRIP = 512
DEAD_SHARE = 0.1


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})
def _strip(c: NDArray, size: NDArray, i: int, lo: int, hi: int, acc: NDArray) -> float:
    """Squared Ward distances of slot i to slots lo..hi-1 into acc; returns the smallest. Dead: size 0."""
    for t in range(hi - lo):
        acc[t] = 0.0
    for axis in range(c.shape[0]):
        x = c[axis, i]
        there = c[axis, lo:hi]
        for t in range(hi - lo):
            gap = there[t] - x
            acc[t] += gap * gap
    a = size[i]
    sizes = size[lo:hi]
    for t in range(hi - lo):
        b = sizes[t]
        acc[t] = acc[t] * (2.0 * a * b / (a + b)) if b > 0 else np.inf
    if lo <= i < hi:
        acc[i - lo] = np.inf
    low = np.inf
    for t in range(hi - lo):
        low = acc[t] if acc[t] < low else low
    return low


@njit(nogil=True, cache=True)
def _nearest(c: NDArray, size: NDArray, m: int, i: int, best: float, acc: NDArray) -> tuple[int, float]:
    """First slot nearer to slot i than `best`, smallest of all; (-1, best) if there is none."""
    found = -1
    for lo in range(0, m, STRIP):
        hi = min(lo + STRIP, m)
        low = _strip(c, size, i, lo, hi, acc)
        if low < best:
            best = low
            for t in range(hi - lo):
                if acc[t] == low:
                    found = lo + t
                    break
    return found, best


@njit(nogil=True, cache=True)
def _compact(
    c: NDArray, size: NDArray, leaf: NDArray, level: NDArray, chain: NDArray, state: NDArray
) -> None:
    """Close the gaps of dead slots; the chain follows."""
    new = np.empty(state[SLOTS], dtype=np.int64)
    to = 0
    for s in range(state[SLOTS]):
        if size[s] > 0:
            new[s] = to
            c[:, to] = c[:, s]
            size[to], leaf[to], level[to] = size[s], leaf[s], level[s]
            to += 1
    for p in range(state[CHAIN]):
        chain[p] = new[chain[p]]
    state[SLOTS] = to


@njit(nogil=True, cache=True)
def ward_steps(
    c: NDArray, size: NDArray, leaf: NDArray, level: NDArray, chain: NDArray, state: NDArray,
    pairs: NDArray, heights: NDArray, budget: int,
) -> None:  # fmt: skip
    """Continue for `budget` scans over all slots; centroids c (d, n), sizes 0 for dead slots."""
    n = pairs.shape[0] + 1
    acc = np.empty(STRIP)
    while state[MERGES] < n - 1 and budget > 0:
        budget -= 1
        if state[CHAIN] == 0:
            first = 0
            while size[first] == 0:
                first += 1
            chain[0] = first
            state[CHAIN] = 1
        tip = chain[state[CHAIN] - 1]
        before = -1
        best = np.inf
        if state[CHAIN] > 1:
            before = chain[state[CHAIN] - 2]
            best = _strip(c, size, tip, before, before + 1, acc)
        found, _ = _nearest(c, size, state[SLOTS], tip, best, acc)
        if found >= 0:
            state[CHAIN] = follow(chain, state[CHAIN], found)
            continue
        i, j = min(tip, before), max(tip, before)
        t = state[MERGES]
        level[i] = max(np.sqrt(best), level[i], level[j])
        pairs[t, 0], pairs[t, 1], heights[t] = leaf[i], leaf[j], level[i]
        share = size[j] / (size[i] + size[j])
        for axis in range(c.shape[0]):
            c[axis, i] += share * (c[axis, j] - c[axis, i])
        size[i] += size[j]
        size[j] = 0
        state[CHAIN] -= 2
        state[MERGES] += 1
        if state[SLOTS] - (n - state[MERGES]) > DEAD_SHARE * state[SLOTS]:
            _compact(c, size, leaf, level, chain, state)


def ward_linkage_of_points(points: NDArray[np.float64]) -> Generator[MergesSoFar, None, NDArray[np.float64]]:
    """Ward linkage of points (n, d), float64; yields `MergesSoFar` about every 25 ms, returns Z (n-1, 4)."""
    n, d = points.shape
    # Centroids are taken about the mean, which keeps digits when the data lie far from the origin.
    c = np.array((points - points.mean(axis=0)).T, order="C")
    state = np.array([n, 0, 0], dtype=np.int64)
    slots = np.ones(n), np.arange(n), np.zeros(n), np.empty(n + 1, np.int64)
    pairs, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    pace = Pace(max(1, 8_000_000 // (n * d)))
    while state[MERGES] < n - 1:
        with pace.piece():
            ward_steps(c, *slots, state, pairs, heights, pace.units)
        done = int(state[MERGES])
        yield MergesSoFar(done, n - 1, pairs[:done], heights[:done])
    return sorted_tree(pairs, heights)[0]


def ward_tree_of_points(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """`ward_linkage_of_points` run to its end."""
    return result_of(ward_linkage_of_points(points))
