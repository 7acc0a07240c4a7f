"""Upper bounds on the optima: clusterings improved by moving boundary points, and outliers as singletons."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .pacing import Pace
from .storage import Distances, entry_of

STEP, IMPROVED, IDLE = 0, 1, 2


@njit(nogil=True, cache=True)
def _reaches(flat: NDArray, n: int, square: bool, labels: NDArray, x: int, reach: NDArray) -> None:
    """reach[c] = largest distance from x to the other points of cluster c."""
    reach[:] = 0.0
    for y in range(n):
        if y != x:
            reach[labels[y]] = max(reach[labels[y]], flat[entry_of(n, square, x, y)])


@njit(nogil=True, cache=True)
def _diameter_without(
    flat: NDArray, n: int, square: bool, labels: NDArray, c: int, skip: int
) -> tuple[float, int, int]:
    """Diameter of cluster c without the point `skip` (-1: with all), and a pair that attains it."""
    members = np.flatnonzero(labels == c)
    widest = 0.0
    a = b = -1
    for p in range(members.size):
        for q in range(p + 1, members.size):
            i, j = members[p], members[q]
            if i != skip and j != skip:
                d = flat[entry_of(n, square, i, j)]
                if d > widest:
                    widest, a, b = d, i, j
    return widest, a, b


@njit(nogil=True, cache=True)
def _better(summed: bool, old_a: float, old_b: float, new_a: float, new_b: float, others: float) -> bool:
    """Whether replacing two diameters lowers the sum, or the larger of the two for max-diam.

    `others` is the largest diameter; only clusters that attain it are worth moving for max-diam.
    """
    if summed:
        return new_a + new_b < (old_a + old_b) * (1 - 1e-12)
    return old_a >= others and max(new_a, new_b) < old_a


@njit(nogil=True, cache=True)
def move_steps(
    flat: NDArray, n: int, square: bool, labels: NDArray, diam: NDArray, ends: NDArray, sizes: NDArray,
    summed: bool, state: NDArray, budget: int,
) -> None:  # fmt: skip
    """Try to move the ends of a cluster's diameter elsewhere; `budget` clusters are looked at.

    state: cluster looked at next, moves made, clusters looked at since the last move.
    """
    k = diam.shape[0]
    reach = np.empty(k)
    while budget > 0 and state[IDLE] < k:
        budget -= 1
        c = state[STEP]
        state[STEP] = (c + 1) % k
        state[IDLE] += 1
        if ends[c, 0] < 0 or sizes[c] < 2:
            continue
        for side in range(2):
            x = ends[c, side]
            shrunk, a, b = _diameter_without(flat, n, square, labels, c, x)
            _reaches(flat, n, square, labels, x, reach)
            to = -1
            least = np.inf
            for e in range(k):
                if e != c:
                    grown = max(diam[e], reach[e])
                    cost = grown - diam[e] if summed else grown
                    if cost < least and _better(summed, diam[c], diam[e], shrunk, grown, diam.max()):
                        least = cost
                        to = e
            if to >= 0:
                labels[x] = to
                sizes[c] -= 1
                sizes[to] += 1
                diam[c], ends[c, 0], ends[c, 1] = shrunk, a, b
                diam[to], ends[to, 0], ends[to, 1] = _diameter_without(flat, n, square, labels, to, -1)
                state[IMPROVED] += 1
                state[IDLE] = 0
                break


def improved(
    distances: Distances, labels: NDArray[np.integer], k: int, summed: bool, looks: int
) -> Generator[int, None, tuple[NDArray[np.int32], NDArray[np.float64]]]:
    """Local search from `labels` (n,) with k clusters: lowers Σ diam (`summed`) or the largest diameter.

    Only ends of a cluster's diameter move, clusters never become empty. At most `looks` clusters are looked
    at. Yields the moves made, returns the labels and the diameters (k,).
    """
    n, moved = distances.n, np.array(labels, dtype=np.int32)
    diam, ends = np.zeros(k), np.full((k, 2), -1)
    for c in range(k):
        diam[c], *ends[c] = _diameter_without(distances.flat, n, distances.square, moved, c, -1)
    sizes, state, pace = np.bincount(moved, minlength=k), np.zeros(3, np.int64), Pace(k)
    while looks > 0 and state[IDLE] < k:
        units = min(pace.units, looks)
        with pace.piece():
            move_steps(distances.flat, n, distances.square, moved, diam, ends, sizes, summed, state, units)
        looks -= units
        yield int(state[IMPROVED])
    return moved, diam


@dataclass(frozen=True)
class Outliers:
    """`removed` (m,) points in the order taken away; `diam` (m+1,): diameter of what is left after each."""

    removed: NDArray[np.int64]
    diam: NDArray[np.float64]

    def labels(self, n: int, k: int) -> NDArray[np.int32]:
        """k-1 singletons and the rest, (n,)."""
        labels = np.zeros(n, np.int32)
        labels[self.removed[: k - 1]] = np.arange(1, k)
        return labels


@njit(nogil=True, cache=True)
def _eccentricity(
    flat: NDArray, n: int, square: bool, inside: NDArray, i: int, skip: int
) -> tuple[float, int]:
    far = 0.0
    at = -1
    for j in range(n):
        if inside[j] and j != i and j != skip:
            d = flat[entry_of(n, square, i, j)]
            if d > far or at < 0:
                far = d
                at = j
    return far, at


@njit(nogil=True, cache=True)
def _ecc_steps(
    flat: NDArray,
    n: int,
    square: bool,
    inside: NDArray,
    far: NDArray,
    partner: NDArray,
    first: int,
    last: int,
) -> None:
    for i in range(first, last):
        far[i], partner[i] = _eccentricity(flat, n, square, inside, i, -1)


@njit(nogil=True, cache=True)
def _diameter_if_removed(
    flat: NDArray, n: int, square: bool, inside: NDArray, far: NDArray, partner: NDArray, x: int
) -> float:
    widest = 0.0
    for v in range(n):
        if inside[v] and v != x:
            if partner[v] != x:
                widest = max(widest, far[v])
            elif far[v] > widest:
                widest = max(widest, _eccentricity(flat, n, square, inside, v, x)[0])
    return widest


@njit(nogil=True, cache=True)
def _remove_one(
    flat: NDArray, n: int, square: bool, inside: NDArray, far: NDArray, partner: NDArray
) -> tuple[int, float]:
    """Take away the end of the diameter that leaves the smaller diameter; returns it and that diameter."""
    a = -1
    for v in range(n):
        if inside[v] and (a < 0 or far[v] > far[a]):
            a = v
    b = partner[a]
    without_a = _diameter_if_removed(flat, n, square, inside, far, partner, a)
    without_b = _diameter_if_removed(flat, n, square, inside, far, partner, b)
    x, left = (a, without_a) if without_a <= without_b else (b, without_b)
    inside[x] = False
    for v in range(n):
        if inside[v] and partner[v] == x:
            far[v], partner[v] = _eccentricity(flat, n, square, inside, v, -1)
    return x, left


def outlier_singletons(distances: Distances, count: int) -> Generator[float, None, Outliers]:
    """Take away up to `count` (< n) points, each an end of the diameter of the rest; yields the fraction."""
    n, count = distances.n, min(count, distances.n - 1)
    work = (distances.flat, n, distances.square, np.ones(n, bool), np.empty(n), np.empty(n, np.int64))
    first, pace = 0, Pace(max(1, 4_000_000 // n))
    while first < n:
        last = min(n, first + pace.units)
        with pace.piece():
            _ecc_steps(*work, first, last)
        first = last
        yield 0.5 * first / n
    removed, diam = np.empty(count, np.int64), np.empty(count + 1)
    diam[0] = work[4].max()
    for t in range(count):
        removed[t], diam[t + 1] = _remove_one(*work)
        yield 0.5 + 0.5 * (t + 1) / count
    return Outliers(removed, diam)
