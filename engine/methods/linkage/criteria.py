"""Cohesion and separation of the k-clusterings of a tree, for all k at once in O(n²).

For clusters C_1..C_k (Laber & Batista, NeurIPS 2024): max-diam, avg-diam = mean of the diameters,
max-avg = largest mean distance within a cluster (0 for singletons), sep_min and sep_av = smallest and
mean average distance between two clusters, cs-ratio_AV = max-avg/sep_min, cs-ratio_DM = max-diam/sep_min.

Two passes along the merges. *Cohesion* reads each pair of points once, when it comes into one cluster.
*Separation* carries the matrix of average distances (Lance-Williams) in a working copy; every pair of
clusters that ever exists, about n² in all, lives for an interval of k, and the smallest value at each k
comes from one table of power-of-two intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .metrics import TILE, gather_row, metric_named
from .pacing import Pace, result_of
from .storage import Distances, entry_of
from .tree import TreeLayout, layout

MERGE, ROW = 0, 1


@dataclass(frozen=True)
class Cohesion:
    """Criteria by k and values by node. Arrays by k have n+1 entries, entry k for k clusters, entry 0 NaN.

    `node_diam`, `node_avg` (2n-1,): diameter and mean distance within every cluster of the tree;
    `node_ends` (2n-1, 2): a pair of points as far apart as the diameter (a leaf: itself twice).
    """

    max_diam: NDArray[np.float64]
    avg_diam: NDArray[np.float64]
    max_avg: NDArray[np.float64]
    node_diam: NDArray[np.float64]
    node_avg: NDArray[np.float64]
    node_ends: NDArray[np.int64]


@dataclass(frozen=True)
class Separation:
    """`sep_min`, `sep_av` by k, (n+1,); NaN for k < 2."""

    sep_min: NDArray[np.float64]
    sep_av: NDArray[np.float64]


@dataclass(frozen=True)
class Criteria:
    """All criteria of one tree, arrays (n+1,) by k; NaN where a criterion is not defined."""

    max_diam: NDArray[np.float64]
    avg_diam: NDArray[np.float64]
    max_avg: NDArray[np.float64]
    sep_min: NDArray[np.float64]
    sep_av: NDArray[np.float64]

    @property
    def cs_ratio_av(self) -> NDArray[np.float64]:
        """max-avg / sep_min; 0/0 counts as 0, NaN for k < 2."""
        return _ratio(self.max_avg, self.sep_min)

    @property
    def cs_ratio_dm(self) -> NDArray[np.float64]:
        """max-diam / sep_min; 0/0 counts as 0, NaN for k < 2."""
        return _ratio(self.max_diam, self.sep_min)


def _ratio(top: NDArray[np.float64], bottom: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio = np.full(len(top), np.nan)
    ratio[2:] = np.where(top[2:] > 0, np.inf, 0.0)
    np.divide(top, bottom, out=ratio, where=bottom > 0)
    ratio[:2] = np.nan
    return ratio


@njit(nogil=True, cache=True)
def _cross_matrix_steps(
    flat: NDArray, square: bool, order: NDArray, first: NDArray, size: NDArray, tree: NDArray,
    state: NDArray, largest: NDArray, total: NDArray, ends: NDArray, budget: int,
) -> None:  # fmt: skip
    """Largest (and where) and summed cross distance of each merge, stored distances; `budget` in pairs."""
    n = order.shape[0]
    while state[MERGE] < n - 1 and budget > 0:
        t = state[MERGE]
        a, b = int(tree[t, 0]), int(tree[t, 1])
        if size[a] > size[b]:
            a, b = b, a
        while state[ROW] < size[a] and budget > 0:
            i = order[first[a] + state[ROW]]
            top = 0.0
            sum_ = 0.0
            for p in range(first[b], first[b] + size[b]):
                d = float(flat[entry_of(n, square, i, order[p])])
                top = max(top, d)
                sum_ += d
            if top > largest[t] or ends[t, 0] < 0:
                largest[t] = top
                ends[t, 0] = i
                for p in range(first[b], first[b] + size[b]):
                    if float(flat[entry_of(n, square, i, order[p])]) == top:
                        ends[t, 1] = order[p]
                        break
            total[t] += sum_
            state[ROW] += 1
            budget -= size[b]
        if state[ROW] == size[a]:
            state[MERGE] += 1
            state[ROW] = 0


@njit(nogil=True, cache=True)
def _cross_points_steps(
    xt: NDArray, gather: int, finish: int, order: NDArray, first: NDArray, size: NDArray, tree: NDArray,
    state: NDArray, largest: NDArray, total: NDArray, ends: NDArray, budget: int,
) -> None:  # fmt: skip
    """The same from points in leaf order, xt (d, n): the clusters of the tree are runs of columns."""
    acc = np.empty(TILE)
    while state[MERGE] < tree.shape[0] and budget > 0:
        t = state[MERGE]
        a, b = int(tree[t, 0]), int(tree[t, 1])
        if size[a] > size[b]:
            a, b = b, a
        while state[ROW] < size[a] and budget > 0:
            i = first[a] + state[ROW]
            for lo in range(first[b], first[b] + size[b], TILE):
                hi = min(lo + TILE, first[b] + size[b])
                gather_row(xt, gather, finish, i, lo, hi, acc)
                top = -1.0
                for p in range(hi - lo):
                    top = max(top, acc[p])
                    total[t] += acc[p]
                if top > largest[t] or ends[t, 0] < 0:
                    largest[t] = top
                    ends[t, 0] = order[i]
                    for p in range(hi - lo):
                        if acc[p] == top:
                            ends[t, 1] = order[lo + p]
                            break
            state[ROW] += 1
            budget -= size[b]
        if state[ROW] == size[a]:
            state[MERGE] += 1
            state[ROW] = 0


@njit(nogil=True, cache=True)
def _running(start: float, change: NDArray, out: NDArray) -> None:
    """out[0] = start, out[s+1] = out[s] + change[s], with the lost digits carried along (Neumaier)."""
    total = start
    lost = 0.0
    out[0] = start
    for s in range(change.shape[0]):
        new = total + change[s]
        lost += (total - new) + change[s] if abs(total) >= abs(change[s]) else (change[s] - new) + total
        total = new
        out[s + 1] = total + lost


@njit(nogil=True, cache=True)
def _deaths(tree: NDArray) -> NDArray:
    """Merge that ends each node, (2n-1,); n-1 for the root."""
    n = tree.shape[0] + 1
    death = np.full(2 * n - 1, n - 1)
    for t in range(n - 1):
        death[int(tree[t, 0])] = t
        death[int(tree[t, 1])] = t
    return death


@njit(nogil=True, cache=True)
def _largest_alive(tree: NDArray, value: NDArray, out: NDArray) -> None:
    """out[s] = largest value of the clusters alive after s merges, from power-of-two intervals."""
    n = tree.shape[0] + 1
    death = _deaths(tree)
    levels = 1
    while (1 << levels) <= n:
        levels += 1
    table = np.full((levels, n), -np.inf)
    for v in range(2 * n - 1):
        birth = max(0, v - n + 1)
        level = 0
        while (2 << level) <= death[v] - birth + 1:
            level += 1
        late = death[v] - (1 << level) + 1
        table[level, birth] = max(table[level, birth], value[v])
        table[level, late] = max(table[level, late], value[v])
    _push_down(table, True)
    out[:] = table[0]


@njit(nogil=True, cache=True)
def _push_down(table: NDArray, largest: bool) -> None:
    """Fold table[level, s], which stands for s..s+2^level-1, into single steps at level 0."""
    for level in range(table.shape[0] - 1, 0, -1):
        half = 1 << (level - 1)
        for s in range(table.shape[1]):
            for to in (s, s + half):
                if to < table.shape[1]:
                    here, there = table[level, s], table[level - 1, to]
                    table[level - 1, to] = max(here, there) if largest else min(here, there)


def _by_k(after: NDArray[np.float64]) -> NDArray[np.float64]:
    """From 'after s merges' (n,) to 'with k clusters' (n+1,)."""
    return np.concatenate([[np.nan], after[::-1]])


def _cohesion(
    tree: NDArray[np.float64], places: TreeLayout, largest: NDArray, total: NDArray, ends: NDArray
) -> Cohesion:
    n = len(tree) + 1
    diam, inside = np.zeros(2 * n - 1), np.zeros(2 * n - 1)
    widest = np.concatenate([np.repeat(np.arange(n), 2).reshape(-1, 2), ends])
    _accumulate(tree, largest, total, diam, inside, widest)
    pairs = places.size * (places.size - 1) / 2
    avg = np.divide(inside, pairs, out=np.zeros(2 * n - 1), where=pairs > 0)
    ids = tree[:, :2].astype(np.int64)
    sums, max_avg = np.empty(n), np.empty(n)
    _running(0.0, diam[n:] - diam[ids].sum(axis=1), sums)
    _largest_alive(tree, avg, max_avg)
    max_diam = np.maximum.accumulate(np.concatenate([[0.0], diam[n:]]))
    return Cohesion(_by_k(max_diam), _by_k(sums / np.arange(n, 0, -1)), _by_k(max_avg), diam, avg, widest)


@njit(nogil=True, cache=True)
def _accumulate(
    tree: NDArray, largest: NDArray, total: NDArray, diam: NDArray, inside: NDArray, widest: NDArray
) -> None:
    """diam(A∪B) = max(diam A, diam B, largest cross distance), and a pair of it; inner sums likewise."""
    n = tree.shape[0] + 1
    for t in range(n - 1):
        a, b = int(tree[t, 0]), int(tree[t, 1])
        diam[n + t] = max(diam[a], diam[b], largest[t])
        if largest[t] < diam[n + t]:
            widest[n + t] = widest[a] if diam[a] >= diam[b] else widest[b]
        inside[n + t] = inside[a] + inside[b] + total[t]


def _cross(
    kernel: Callable[..., None], tree: NDArray, places: TreeLayout
) -> Generator[float, None, Cohesion]:
    n = len(tree) + 1
    state, largest, total = np.zeros(2, np.int64), np.zeros(n - 1), np.zeros(n - 1)
    ends = np.full((n - 1, 2), -1)
    pairs = np.cumsum(places.size[tree[:, 0].astype(int)] * places.size[tree[:, 1].astype(int)])
    pace = Pace(1_000_000)
    while state[MERGE] < n - 1:
        with pace.piece():
            kernel(places.order, places.first, places.size, tree, state, largest, total, ends, pace.units)
        yield float(pairs[state[MERGE] - 1] / pairs[-1]) if state[MERGE] else 0.0
    return _cohesion(tree, places, largest, total, ends)


def cohesion_steps(tree: NDArray[np.float64], distances: Distances) -> Generator[float, None, Cohesion]:
    """Cohesion criteria of a tree from stored distances; yields the fraction done, returns `Cohesion`."""
    places = layout(tree)

    def kernel(*rest: Any) -> None:
        _cross_matrix_steps(distances.flat, distances.square, *rest)

    return (yield from _cross(kernel, tree, places))


def cohesion_steps_of_points(
    tree: NDArray[np.float64], prepared: NDArray[np.float64], metric: str = "euclidean"
) -> Generator[float, None, Cohesion]:
    """The same from prepared points (n, d), computing each distance when it is needed: O(n·d) memory."""
    places, chosen = layout(tree), metric_named(metric)
    xt = np.ascontiguousarray(prepared[places.order].T)

    def kernel(*rest: Any) -> None:
        _cross_points_steps(xt, chosen.gather, chosen.finish, *rest)

    return (yield from _cross(kernel, tree, places))


@njit(nogil=True, cache=True)
def _first_pairs(
    flat: NDArray, square: bool, n: int, death: NDArray, prefix: NDArray, state: NDArray, budget: int
) -> None:
    """Singletons: smallest distance of the pairs that end with each merge, row after row."""
    last = min(n, state[ROW] + max(1, budget // n))
    for i in range(state[ROW], last):
        for j in range(i + 1, n):
            d = float(flat[entry_of(n, square, i, j)])
            end = min(death[i], death[j])
            prefix[end] = min(prefix[end], d)
    state[ROW] = last


@njit(nogil=True, cache=True)
def _separation_steps(
    flat: NDArray, square: bool, tree: NDArray, size: NDArray, death: NDArray, state: NDArray,
    slots: NDArray, slot_of: NDArray, position: NDArray, node: NDArray, table: NDArray, level_of: NDArray,
    change: NDArray, budget: int,
) -> None:  # fmt: skip
    """Carry the average distances along the merges; `budget` in entries touched.

    `slots[:alive]` lists the slots in use, `position` is its inverse, `node[slot]` the cluster in it,
    `level_of[m]` the largest power of two in m.
    """
    n = tree.shape[0] + 1
    while state[MERGE] < n - 1 and budget > 0:
        t = state[MERGE]
        ca, cb = int(tree[t, 0]), int(tree[t, 1])
        i, j = slot_of[ca], slot_of[cb]
        share = size[ca] / (size[ca] + size[cb])
        alive = n - t - 1
        last = slots[alive]
        slots[position[j]], position[last] = last, position[j]
        change[t] = -float(flat[entry_of(n, square, i, j)])
        for p in range(alive):
            v = slots[p]
            if v == i:
                continue
            at_i, at_j = entry_of(n, square, i, v), entry_of(n, square, j, v)
            di, dj = float(flat[at_i]), float(flat[at_j])
            d = share * di + (1.0 - share) * dj
            flat[at_i] = d
            if square:
                flat[v * n + i] = d
            change[t] += d - di - dj
            length = min(death[n + t], death[node[v]]) - t
            level = level_of[length]
            late = t + 1 + length - (1 << level)
            table[level, t + 1] = min(table[level, t + 1], d)
            table[level, late] = min(table[level, late], d)
        node[i] = n + t
        slot_of[n + t] = i
        state[MERGE] += 1
        budget -= alive + 1


def separation_steps(tree: NDArray[np.float64], distances: Distances) -> Generator[float, None, Separation]:
    """sep_min and sep_av of a tree for all k; **the distances are used up**.

    Yields the fraction done, returns `Separation`. The averages are stored in the precision of the
    distances: relative error about 1e-7 in float32, 1e-15 in float64.
    """
    n = distances.n
    levels = max(1, int(n).bit_length())
    death, table, prefix = _deaths(tree), np.full((levels, n), np.inf), np.full(n, np.inf)
    state, pace = np.zeros(2, np.int64), Pace(1_000_000)
    while state[ROW] < n:
        with pace.piece():
            _first_pairs(distances.flat, distances.square, n, death, prefix, state, pace.units)
        yield 0.3 * float(state[ROW]) / n
    size, slot_of = layout(tree).size.astype(np.float64), np.concatenate([np.arange(n), np.full(n - 1, -1)])
    # Rows read one after the other are quick, scattered ones are not: the pieces start small again.
    pace = Pace(200_000)
    level_of = np.frexp(np.maximum(np.arange(n + 1), 1.0))[1].astype(np.int64) - 1
    slots, position, node, change = np.arange(n), np.arange(n), np.arange(n), np.zeros(n - 1)
    while state[MERGE] < n - 1:
        with pace.piece():
            _separation_steps(
                distances.flat, distances.square, tree, size, death, state, slots, slot_of, position, node,
                table, level_of, change, pace.units,
            )  # fmt: skip
        yield 0.3 + 0.7 * (1.0 - (1.0 - float(state[MERGE]) / (n - 1)) ** 2)
    _push_down(table, False)
    smallest = np.minimum(table[0], np.minimum.accumulate(prefix[::-1])[::-1])
    sums, alive = np.empty(n), np.arange(n, 0, -1.0)
    # From one cluster backwards, so that small sums are not what is left of large ones.
    _running(0.0, -change[::-1], sums)
    sums = sums[::-1]
    smallest[-1] = sums[-1] = np.nan
    return Separation(_by_k(smallest), _by_k(sums / np.maximum(alive * (alive - 1) / 2, 1)))


def criteria_of(tree: NDArray[np.float64], distances: Distances) -> Criteria:
    """All criteria of a tree (n-1, 4) for every k; the distances are left as they are."""
    tight = result_of(cohesion_steps(tree, distances))
    work = Distances(distances.values.copy(), distances.n, distances.metric, distances.is_metric)
    apart = result_of(separation_steps(tree, work))
    return Criteria(tight.max_diam, tight.avg_diam, tight.max_avg, apart.sep_min, apart.sep_av)
