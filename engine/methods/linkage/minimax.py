"""Minimax linkage by nearest-neighbour chains (it is reducible), with prototypes.

f(A, B) = min over x in A∪B of the distance from x to the farthest member of A∪B; the x that attains it
is the prototype of the merged cluster (Bien & Tibshirani 2011). Keeps one matrix of radii
r[s, x] = max over y in the cluster of slot s of dist(x, y) and one of values f: two squares of memory,
time between O(n²) for balanced trees and O(n³) for chains, hence meant for some thousand points.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .greedy import Hierarchy, smallest_radius
from .nn_chain import MergesSoFar, follow, nearest
from .pacing import Pace, result_of
from .storage import Distances
from .tree import sorted_tree

CHAIN, MERGES = 0, 1


@njit(nogil=True, cache=True)
def _merge(
    f: NDArray, radii: NDArray, penalty: NDArray, i: int, j: int, following: NDArray, tail: NDArray
) -> None:
    """Slot i takes the union of i and j."""
    n = radii.shape[0]
    penalty[j] = np.inf
    following[tail[i]] = j
    tail[i] = tail[j]
    for x in range(n):
        radii[i, x] = max(radii[i, x], radii[j, x])
    for v in range(n):
        if v != i and penalty[v] == 0:
            value = smallest_radius(radii, i, v, following)[0]
            f[i * n + v] = value
            f[v * n + i] = value


@njit(nogil=True, cache=True)
def minimax_steps(
    f: NDArray, radii: NDArray, state: NDArray, penalty: NDArray, level: NDArray, chain: NDArray,
    following: NDArray, tail: NDArray, pairs: NDArray, heights: NDArray, prototypes: NDArray, budget: int,
) -> None:  # fmt: skip
    """Continue for `budget` row scans; `f` is the flat square of values with infinite diagonal."""
    n = radii.shape[0]
    while state[MERGES] < n - 1 and budget > 0:
        budget -= 1
        if state[CHAIN] == 0:
            v = 0
            while penalty[v] != 0:
                v += 1
            chain[0] = v
            state[CHAIN] = 1
        tip = chain[state[CHAIN] - 1]
        before = -1
        best = f.dtype.type(np.inf)
        if state[CHAIN] > 1:
            before = chain[state[CHAIN] - 2]
            best = f[tip * n + before]
        found, _ = nearest(f, n, True, tip, penalty, best)
        if found >= 0:
            state[CHAIN] = follow(chain, state[CHAIN], found)
            continue
        i, j = min(tip, before), max(tip, before)
        t = state[MERGES]
        level[i] = max(float(best), level[i], level[j])
        pairs[t, 0], pairs[t, 1], heights[t] = i, j, level[i]
        prototypes[t] = smallest_radius(radii, i, j, following)[1]
        _merge(f, radii, penalty, i, j, following, tail)
        state[CHAIN] -= 2
        state[MERGES] += 1


def minimax_linkage(distances: Distances) -> Generator[MergesSoFar, None, Hierarchy]:
    """Minimax linkage; yields `MergesSoFar` about every 25 ms and returns `Hierarchy` with prototypes.

    Square distances are used up as the matrix of values; the radii are a second square of the same type.
    """
    n = distances.n
    square = distances.values if distances.square else distances.as_square()
    np.fill_diagonal(square, 0.0)
    radii = square.copy()
    np.fill_diagonal(square, np.inf)
    state = np.zeros(2, np.int64)
    slots = (np.zeros(n, square.dtype), np.zeros(n), np.empty(n + 1, np.int64), np.full(n, -1), np.arange(n))
    pairs, heights, prototypes = np.empty((n - 1, 2), np.int64), np.empty(n - 1), np.empty(n - 1, np.int64)
    pace = Pace(16)
    while state[MERGES] < n - 1:
        with pace.piece():
            minimax_steps(square.reshape(-1), radii, state, *slots, pairs, heights, prototypes, pace.units)
        done = int(state[MERGES])
        yield MergesSoFar(done, n - 1, pairs[:done], heights[:done])
    tree, order = sorted_tree(pairs, heights)
    return Hierarchy(tree, prototypes[order])


def minimax_hierarchy(distances: Distances) -> Hierarchy:
    """`minimax_linkage` run to its end; square distances are used up."""
    return result_of(minimax_linkage(distances))
