"""The greedy rule itself, for every linkage and every tie policy (n <= 2000).

At each step the pair of clusters with the smallest f(A, B) is merged. Every row remembers the smallest
value to its right and how many pairs attain it, so that all tied pairs of a step are known exactly and a
policy can choose among them:

index        smallest (min leaf of A, min leaf of B);
reversed     largest such pair;
random       uniformly among the tied pairs, from a seed;
adversarial  the pair whose union has the largest diameter, then by index.

Average linkage keeps sums of cross distances instead of means, so that ties of exactly representable
distances stay ties. Ward, centroid and median work on squared Euclidean distances.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.core.errors import FieldError, UnknownNameError

from .nn_chain import MergesSoFar
from .pacing import Pace, result_of
from .storage import Distances
from .tree import tree_from_merges

TiePolicy = Literal["index", "reversed", "random", "adversarial"]

SINGLE, COMPLETE, AVERAGE, WEIGHTED, MINIMAX, WARD, CENTROID, MEDIAN = range(8)
LINKAGES = {
    "single": SINGLE,
    "complete": COMPLETE,
    "average": AVERAGE,
    "weighted": WEIGHTED,
    "minimax": MINIMAX,
    "ward": WARD,
    "centroid": CENTROID,
    "median": MEDIAN,
}
POLICIES = {"index": 0, "reversed": 1, "random": 2, "adversarial": 3}
INDEX, REVERSED, RANDOM, ADVERSARIAL = range(4)
EUCLIDEAN_ONLY = ("ward", "centroid", "median")
GREEDY_LIMIT = 2000


@dataclass(frozen=True)
class Hierarchy:
    """A finished linkage: scipy's matrix Z (n-1, 4) and, for minimax, the prototype leaf of each merge."""

    tree: NDArray[np.float64]
    prototypes: NDArray[np.int64] | None = None


@njit(nogil=True, cache=True, inline="always")
def lance_williams(code: int, di: float, dj: float, dij: float, a: float, b: float, v: float) -> float:
    """Distance of the union of clusters of sizes a and b to a cluster of size v (Lance-Williams)."""
    if code == SINGLE:
        return min(di, dj)
    if code == COMPLETE:
        return max(di, dj)
    if code == WEIGHTED:
        return 0.5 * (di + dj)
    if code == WARD:
        return ((a + v) * di + (b + v) * dj - v * dij) / (a + b + v)
    if code == CENTROID:
        return max(0.0, (a * di + b * dj) / (a + b) - a * b * dij / ((a + b) * (a + b)))
    return max(0.0, 0.5 * (di + dj) - 0.25 * dij)


@njit(nogil=True, cache=True)
def smallest_radius(radii: NDArray, i: int, j: int, following: NDArray) -> tuple[float, int]:
    """Minimax f(A, B) = min over x in A∪B of max distance from x to A∪B, and the smallest such x.

    `radii[s, x]` is the distance of x to the farthest member of the cluster in slot s; `following` links
    the members of a slot, which starts with its own number, -1 ends.
    """
    best = np.inf
    at = -1
    for start in (i, j):
        x = start
        while x >= 0:
            r = max(radii[i, x], radii[j, x])
            if r < best or (r == best and x < at):
                best = r
                at = x
            x = following[x]
    return best, at


@njit(nogil=True, cache=True)
def _scan(w: NDArray, alive: NDArray, i: int, low: NDArray, ties: NDArray) -> None:
    """Smallest value of row i to the right of i and the number of pairs that attain it."""
    best = np.inf
    count = 0
    for j in range(i + 1, w.shape[0]):
        if alive[j]:
            if w[i, j] < best:
                best = w[i, j]
                count = 1
            elif w[i, j] == best:
                count += 1
    low[i] = best
    ties[i] = count


@njit(nogil=True, cache=True)
def _tied_in_row(w: NDArray, alive: NDArray, i: int, value: float, skip: int) -> int:
    """The (skip+1)-th alive j > i with w[i, j] == value."""
    for j in range(i + 1, w.shape[0]):
        if alive[j] and w[i, j] == value:
            if skip == 0:
                return j
            skip -= 1
    return -1


@njit(nogil=True, cache=True)
def _choose(
    w: NDArray, diam: NDArray, alive: NDArray, low: NDArray, ties: NDArray, policy: int, draw: float
) -> tuple[int, int]:
    """The pair to merge: of all pairs with the smallest value, the one the tie policy wants."""
    n = w.shape[0]
    value = np.inf
    for i in range(n):
        if alive[i] and low[i] < value:
            value = low[i]
    first = last = -1
    total = 0
    for i in range(n):
        if alive[i] and ties[i] > 0 and low[i] == value:
            first = i if first < 0 else first
            last = i
            total += ties[i]
    if policy == INDEX:
        return first, _tied_in_row(w, alive, first, value, 0)
    if policy == REVERSED:
        return last, _tied_in_row(w, alive, last, value, ties[last] - 1)
    if policy == RANDOM:
        skip = min(total - 1, int(draw * total))
        for i in range(first, last + 1):
            if alive[i] and ties[i] > 0 and low[i] == value:
                if skip < ties[i]:
                    return i, _tied_in_row(w, alive, i, value, skip)
                skip -= ties[i]
    return _widest(w, diam, alive, low, ties, value)


@njit(nogil=True, cache=True)
def _widest(
    w: NDArray, diam: NDArray, alive: NDArray, low: NDArray, ties: NDArray, value: float
) -> tuple[int, int]:
    """Among the tied pairs the one whose union has the largest diameter, first by index."""
    n = w.shape[0]
    widest = -1.0
    a = b = -1
    for i in range(n):
        if alive[i] and ties[i] > 0 and low[i] == value:
            for j in range(i + 1, n):
                if alive[j] and w[i, j] == value:
                    span = max(diam[i, j], diam[i, i], diam[j, j])
                    if span > widest:
                        widest, a, b = span, i, j
    return a, b


@njit(nogil=True, cache=True)
def _updated(
    code: int, w: NDArray, aux: NDArray, i: int, j: int, v: int, size: NDArray, following: NDArray
) -> float:
    """New f(i ∪ j, v); for average `aux` holds sums, for minimax radii, both already merged into slot i."""
    if code == AVERAGE:
        return aux[i, v] / ((size[i] + size[j]) * size[v])
    if code == MINIMAX:
        return smallest_radius(aux, i, v, following)[0]
    return lance_williams(code, w[i, v], w[j, v], w[i, j], size[i], size[j], size[v])


@njit(nogil=True, cache=True)
def _merge_slots(
    code: int, w: NDArray, aux: NDArray, diam: NDArray, i: int, j: int, alive: NDArray, size: NDArray,
    following: NDArray, tail: NDArray, low: NDArray, ties: NDArray, fresh: NDArray,
) -> None:  # fmt: skip
    """Slot i < j takes the union; rows keep their smallest value and tie count exact."""
    n = w.shape[0]
    alive[j] = False
    if code == AVERAGE:
        for v in range(n):
            aux[i, v] += aux[j, v]
            aux[v, i] = aux[i, v]
    elif code == MINIMAX:
        following[tail[i]] = j
        tail[i] = tail[j]
        for x in range(n):
            aux[i, x] = max(aux[i, x], aux[j, x])
    for v in range(n):
        if alive[v] and v != i:
            fresh[v] = _updated(code, w, aux, i, j, v, size, following)
    for v in range(j):
        if not alive[v] or v == i:
            continue
        if v < i:
            if fresh[v] < low[v]:
                low[v] = fresh[v]
                ties[v] = 1
            elif fresh[v] == low[v]:
                ties[v] += 1
            if w[v, i] == low[v]:
                ties[v] -= 1
        if w[v, j] == low[v]:
            ties[v] -= 1
    for v in range(n):
        if alive[v] and v != i:
            w[i, v] = fresh[v]
            w[v, i] = fresh[v]
    for v in range(j):
        if alive[v] and (v == i or (ties[v] <= 0 and low[v] < np.inf)):
            _scan(w, alive, v, low, ties)
    if diam.shape[0] == n:
        diam[i, i] = max(diam[i, j], diam[i, i], diam[j, j])
        for v in range(n):
            if v != i:
                diam[i, v] = max(diam[i, v], diam[j, v])
                diam[v, i] = diam[i, v]
    size[i] += size[j]


@njit(nogil=True, cache=True)
def greedy_steps(
    code: int, policy: int, w: NDArray, aux: NDArray, diam: NDArray, alive: NDArray, size: NDArray,
    following: NDArray, tail: NDArray, low: NDArray, ties: NDArray, fresh: NDArray, draws: NDArray,
    pairs: NDArray, heights: NDArray, prototypes: NDArray, done: int, budget: int,
) -> int:  # fmt: skip
    """Make up to `budget` merges from merge number `done` on; returns the new number of merges."""
    n = w.shape[0]
    if done == 0:
        for i in range(n):
            _scan(w, alive, i, low, ties)
    last = min(n - 1, done + budget)
    for t in range(done, last):
        i, j = _choose(w, diam, alive, low, ties, policy, draws[t])
        pairs[t, 0] = i
        pairs[t, 1] = j
        heights[t] = w[i, j]
        if code == MINIMAX:
            prototypes[t] = smallest_radius(aux, i, j, following)[1]
        _merge_slots(code, w, aux, diam, i, j, alive, size, following, tail, low, ties, fresh)
    return last


def greedy_linkage(
    distances: Distances, linkage: str, ties: TiePolicy = "index", seed: int = 0
) -> Generator[MergesSoFar, None, Hierarchy]:
    """Greedy agglomeration with a tie policy; yields `MergesSoFar` about every 25 ms, returns `Hierarchy`.

    The distances are left as they are. Raises `FieldError` above 2,000 points and `UnknownNameError`.
    Heights may fall (inversions) for centroid and median; rows then stand in the order of merging.
    """
    n = distances.n
    if n > GREEDY_LIMIT:
        raise FieldError("ties", found=ties, allowed=f"tie policies need at most {GREEDY_LIMIT:,} points")
    if linkage not in LINKAGES:
        raise UnknownNameError("linkage", linkage, LINKAGES)
    if ties not in POLICIES:
        raise UnknownNameError("tie policy", ties, POLICIES)
    code, policy = LINKAGES[linkage], POLICIES[ties]
    d = distances.as_square()
    w = d * d if linkage in EUCLIDEAN_ONLY else d
    aux = d.copy() if code in (AVERAGE, MINIMAX) else np.empty((0, 0))
    diam = d.copy() if policy == ADVERSARIAL else np.empty((0, 0))
    slots = (
        np.ones(n, bool), np.ones(n), np.full(n, -1), np.arange(n), np.empty(n), np.zeros(n, np.int64),
        np.empty(n), np.random.default_rng(seed).random(max(1, n - 1)),
    )  # fmt: skip
    pairs, heights, prototypes = np.empty((n - 1, 2), np.int64), np.empty(n - 1), np.full(n - 1, -1)
    done, pace = 0, Pace(64)
    while done < n - 1:
        with pace.piece():
            done = greedy_steps(
                code, policy, w, aux, diam, *slots, pairs, heights, prototypes, done, pace.units
            )
        so_far = heights[:done]
        yield MergesSoFar(done, n - 1, pairs[:done], np.sqrt(so_far) if linkage in EUCLIDEAN_ONLY else so_far)
    heights = np.sqrt(heights) if linkage in EUCLIDEAN_ONLY else heights
    return Hierarchy(tree_from_merges(pairs, heights), prototypes if code == MINIMAX else None)


def greedy_hierarchy(
    distances: Distances, linkage: str, ties: TiePolicy = "index", seed: int = 0
) -> Hierarchy:
    """`greedy_linkage` run to its end."""
    return result_of(greedy_linkage(distances, linkage, ties, seed))
