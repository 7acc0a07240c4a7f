"""Exact optima of small or special cases.

* Both optima for n <= 16 by dynamic programming over subsets.
* OPT_DM(2) for any n: colour a maximum spanning tree with two colours.
* Whether {d > t} can be coloured with k colours, by DSATUR with branch and bound and a budget of nodes.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.core.errors import FieldError

from .pacing import Pace, result_of
from .storage import Distances, entry_of

SUBSET_LIMIT = 16
INFEASIBLE, FEASIBLE, UNKNOWN = 0, 1, 2


@dataclass(frozen=True)
class ExactOptimum:
    """OPT_DM and OPT_AV by k, arrays (k_max+1,), entry 0 NaN; labels (k_max+1, n) that attain them.

    Labels have exactly min(k, n) clusters.
    """

    dm: NDArray[np.float64]
    av: NDArray[np.float64]
    dm_labels: NDArray[np.int32]
    av_labels: NDArray[np.int32]


@njit(nogil=True, cache=True)
def _subset_diameters(d: NDArray) -> NDArray:
    """diam(S) for all 2^n subsets: without the lowest point, or from it to the rest."""
    n = d.shape[0]
    diam = np.zeros(1 << n)
    for s in range(1, 1 << n):
        low = 0
        while not (s >> low) & 1:
            low += 1
        rest = s & (s - 1)
        widest = diam[rest]
        for j in range(low + 1, n):
            if (rest >> j) & 1:
                widest = max(widest, d[low, j])
        diam[s] = widest
    return diam


@njit(nogil=True, cache=True)
def _subset_steps(diam: NDArray, largest: NDArray, total: NDArray, first: int, last: int) -> None:
    """g_j(S) = min over A ⊆ S that hold the lowest point of S of diam(A) and g_{j-1}(S minus A)."""
    k = largest.shape[0] - 1
    for s in range(max(1, first), last):
        rest = s & (s - 1)
        low = s ^ rest
        part = rest
        while True:
            wide = diam[low | part]
            other = rest ^ part
            for j in range(1, k + 1):
                largest[j, s] = min(largest[j, s], max(wide, largest[j - 1, other]))
                total[j, s] = min(total[j, s], wide + total[j - 1, other])
            if part == 0:
                break
            part = (part - 1) & rest


@njit(nogil=True, cache=True)
def _trace(diam: NDArray, g: NDArray, summed: bool, k: int, n: int, labels: NDArray) -> int:
    """Labels of a clustering that attains g_k of all points; returns the number of clusters."""
    s = (1 << n) - 1
    cluster = 0
    for j in range(k, 0, -1):
        if s == 0:
            break
        rest = s & (s - 1)
        low = s ^ rest
        part = rest
        while True:
            here = diam[low | part]
            there = g[j - 1, rest ^ part]
            if (here + there if summed else max(here, there)) == g[j, s]:
                break
            part = (part - 1) & rest
        for i in range(n):
            if ((low | part) >> i) & 1:
                labels[i] = cluster
        cluster += 1
        s = rest ^ part
    return cluster


def subset_optimum(d: NDArray[np.float64], k_max: int) -> Generator[float, None, ExactOptimum]:
    """Exact optima for a square matrix d (n, n), n <= 16, k = 1..k_max; yields the fraction done.

    O(3^n·k_max): about a millisecond at n = 9, seconds at n = 16. Raises `FieldError` for larger n.
    """
    n = len(d)
    if n > SUBSET_LIMIT:
        raise FieldError("exact_limit", found=n, allowed=f"at most {SUBSET_LIMIT} points")
    diam = _subset_diameters(np.ascontiguousarray(d, np.float64))
    largest, total = (np.full((k_max + 1, 1 << n), np.inf) for _ in range(2))
    largest[:, 0] = total[:, 0] = 0.0
    pace, first = Pace(64), 1
    while first < 1 << n:
        last = min(1 << n, first + pace.units)
        with pace.piece():
            _subset_steps(diam, largest, total, first, last)
        first = last
        yield first / (1 << n)
    ks, whole = np.arange(k_max + 1), (1 << n) - 1
    dm, av = largest[:, whole].copy(), total[:, whole] / np.maximum(ks, 1)
    dm[0] = av[0] = np.nan
    labels = np.zeros((2, k_max + 1, n), np.int32)
    for k in range(1, k_max + 1):
        for which, (g, summed) in enumerate(((largest, False), (total, True))):
            used = _trace(diam, g, summed, k, n, labels[which, k])
            split_into(labels[which, k], used, k)
    return ExactOptimum(dm, av, labels[0], labels[1])


def split_into(labels: NDArray[np.int32], used: int, k: int) -> None:
    """Split off single points, in place, until there are min(k, n) clusters; no diameter grows."""
    while used < min(k, len(labels)):
        cluster = int(np.argmax(np.bincount(labels, minlength=used)))
        labels[np.flatnonzero(labels == cluster)[-1]] = used
        used += 1


def exact_optimum(d: NDArray[np.float64], k_max: int) -> ExactOptimum:
    """`subset_optimum` run to its end."""
    return result_of(subset_optimum(d, k_max))


@njit(nogil=True, cache=True)
def _farthest_tree_steps(
    flat: NDArray, n: int, square: bool, far: NDArray, source: NDArray, colour: NDArray, state: NDArray,
    budget: int,
) -> None:  # fmt: skip
    """Prim's algorithm for the maximum spanning tree; a new vertex gets the other colour of its source.

    state: vertices in the tree, the newest vertex. colour is -1 outside.
    """
    for _ in range(budget):
        if state[0] == n:
            return
        newest = state[1]
        best = -1.0
        at = -1
        for v in range(n):
            if colour[v] < 0:
                d = flat[entry_of(n, square, newest, v)]
                if d > far[v]:
                    far[v] = d
                    source[v] = newest
                if far[v] > best:
                    best = far[v]
                    at = v
        colour[at] = 1 - colour[source[at]]
        state[0] += 1
        state[1] = at


@njit(nogil=True, cache=True)
def _widest_same_label(
    flat: NDArray, n: int, square: bool, labels: NDArray, first: int, last: int, diam: NDArray
) -> None:
    """Raise diam[c] by the pairs (i, j), first <= i < last, j > i, that share label c."""
    for i in range(first, last):
        c = labels[i]
        for j in range(i + 1, n):
            if labels[j] == c:
                diam[c] = max(diam[c], flat[entry_of(n, square, i, j)])


def diameters_steps(
    distances: Distances, labels: NDArray[np.integer], k: int
) -> Generator[float, None, NDArray[np.float64]]:
    """Diameter of each of the k clusters of `labels` (n,); yields the fraction done."""
    n, diam, first, pace = distances.n, np.zeros(k), 0, Pace(max(1, 4_000_000 // distances.n))
    while first < n:
        last = min(n, first + pace.units)
        with pace.piece():
            _widest_same_label(distances.flat, n, distances.square, labels, first, last, diam)
        first = last
        yield first / n
    return diam


def two_diameter_optimum(distances: Distances) -> Generator[float, None, tuple[float, NDArray[np.int32]]]:
    """OPT_DM(2), exact for any n, and labels (n,) that attain it; O(n²), yields the fraction done.

    {d > t} is bipartite exactly if the two-colouring of a maximum spanning tree puts every distance above
    t between the colours, so the widest pair of one colour is the optimum.
    """
    n = distances.n
    far, source, colour = np.full(n, -1.0), np.zeros(n, np.int64), np.full(n, -1, np.int32)
    colour[0] = 0
    state, pace = np.array([1, 0]), Pace(max(1, 4_000_000 // n))
    while state[0] < n:
        with pace.piece():
            _farthest_tree_steps(distances.flat, n, distances.square, far, source, colour, state, pace.units)
        yield 0.5 * float(state[0]) / n
    diam = yield from diameters_steps(distances, colour, 2)
    return float(diam.max()), colour


@njit(nogil=True, cache=True)
def _most_constrained(colour: NDArray, colours_near: NDArray, degree: NDArray) -> int:
    """Uncoloured vertex with most colours among its neighbours, then of largest degree."""
    at = -1
    for v in range(colour.shape[0]):
        if colour[v] < 0 and (
            at < 0
            or colours_near[v] > colours_near[at]
            or (colours_near[v] == colours_near[at] and degree[v] > degree[at])
        ):
            at = v
    return at


@njit(nogil=True, cache=True)
def _paint(v: int, c: int, by: int, adjacent: NDArray, near: NDArray, colours_near: NDArray) -> None:
    """Count (by = 1) or uncount (by = -1) colour c of vertex v at its neighbours."""
    for u in range(adjacent.shape[0]):
        if adjacent[v, u]:
            if by > 0 and near[u, c] == 0:
                colours_near[u] += 1
            near[u, c] += by
            if by < 0 and near[u, c] == 0:
                colours_near[u] -= 1


@njit(nogil=True, cache=True)
def colour_steps(
    adjacent: NDArray, degree: NDArray, colour: NDArray, near: NDArray, colours_near: NDArray,
    vertex: NDArray, trial: NDArray, used: NDArray, state: NDArray, budget: int,
) -> int:  # fmt: skip
    """Continue DSATUR for `budget` nodes: FEASIBLE (colour is complete), INFEASIBLE or UNKNOWN so far.

    state: depth. At depth q vertex[q] is being coloured, colours below trial[q] were tried, used[q] colours
    are in use above; a colour not yet used is tried once only.
    """
    n, k = near.shape
    while budget > 0:
        budget -= 1
        q = state[0]
        v = vertex[q]
        if colour[v] >= 0:
            _paint(v, colour[v], -1, adjacent, near, colours_near)
            colour[v] = -1
        c = trial[q]
        top = min(used[q] + 1, k)
        while c < top and near[v, c] > 0:
            c += 1
        if c >= top:
            if q == 0:
                return INFEASIBLE
            state[0] -= 1
            continue
        trial[q] = c + 1
        colour[v] = c
        _paint(v, c, 1, adjacent, near, colours_near)
        if q == n - 1:
            return FEASIBLE
        state[0] += 1
        used[q + 1] = max(used[q], c + 1)
        trial[q + 1] = 0
        vertex[q + 1] = _most_constrained(colour, colours_near, degree)
    return UNKNOWN


def colouring(
    adjacent: NDArray[np.bool_], k: int, nodes: int
) -> Generator[int, None, tuple[int, NDArray[np.int32] | None]]:
    """Colour a graph (n, n) with k colours, or prove that none exists, within `nodes` search nodes.

    Yields the nodes used; returns (FEASIBLE, colours (n,)), (INFEASIBLE, None) or (UNKNOWN, None).
    """
    n = len(adjacent)
    degree, colour = adjacent.sum(axis=1), np.full(n, -1, np.int32)
    near, colours_near = np.zeros((n, k), np.int32), np.zeros(n, np.int64)
    vertex, trial, used = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    vertex[0] = int(np.argmax(degree))
    state, spent, pace = np.zeros(1, np.int64), 0, Pace(2000)
    work = (adjacent, degree, colour, near, colours_near, vertex, trial, used, state)
    while spent < nodes:
        units = min(pace.units, nodes - spent)
        with pace.piece():
            outcome = colour_steps(*work, units)
        spent += units
        if outcome != UNKNOWN:
            return outcome, colour if outcome == FEASIBLE else None
        yield spent
    return UNKNOWN, None
