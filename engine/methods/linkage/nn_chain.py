"""Agglomeration by nearest-neighbour chains for complete, average, weighted and Ward linkage, O(n²).

Murtagh's algorithm: follow nearest neighbours until two clusters are each other's nearest, merge them,
go on from what is left of the chain. For reducible linkages the merges, sorted by height, are those of
the greedy rule. Works inside the given distances (square or condensed, float32 or float64) and drops
the rows of merged clusters when a quarter of the slots is dead, which keeps the scans short.

Ward works on squared distances. Lance-Williams updates with sizes a, b, v:
complete max(D_iv, D_jv); average (a·D_iv + b·D_jv)/(a+b); weighted (D_iv + D_jv)/2;
Ward ((a+v)·D_iv + (b+v)·D_jv - v·D_ij)/(a+b+v).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .pacing import Pace, result_of
from .storage import Distances, entry_of
from .tree import sorted_tree

COMPLETE, AVERAGE, WEIGHTED, WARD = 0, 1, 2, 3
CHAIN_LINKAGES = {"complete": COMPLETE, "average": AVERAGE, "weighted": WEIGHTED, "ward": WARD}

SLOTS, ALIVE, CHAIN, MERGES, COMPACTING, ROW = range(6)
DEAD_SHARE = 0.25
SMALLEST_COMPACTION = 64
STRIP = 512


@dataclass(frozen=True)
class MergesSoFar:
    """What a linkage has done until now: merges in the order found, views of the growing arrays.

    `pairs` (done, 2): a leaf of each merged cluster; `heights` (done,). Not sorted by height for chains.
    """

    done: int
    total: int
    pairs: NDArray[np.int64]
    heights: NDArray[np.float64]


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})
def lowest(row: NDArray, extra: NDArray) -> float:
    """Smallest row[t] + extra[t]; eight lanes side by side, which become vector instructions."""
    a = b = c = d = e = f = g = h = row.dtype.type(np.inf)
    whole = row.size // 8
    for q in range(whole):
        r, p = row[8 * q : 8 * q + 8], extra[8 * q : 8 * q + 8]
        a = min(a, r[0] + p[0])
        b = min(b, r[1] + p[1])
        c = min(c, r[2] + p[2])
        d = min(d, r[3] + p[3])
        e = min(e, r[4] + p[4])
        f = min(f, r[5] + p[5])
        g = min(g, r[6] + p[6])
        h = min(h, r[7] + p[7])
    for t in range(8 * whole, row.size):
        a = min(a, row[t] + extra[t])
    return min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h)))


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})
def _smallest(flat: NDArray, at: int, penalty: NDArray, lo: int, hi: int, best: float) -> tuple[int, float]:
    """First j in lo..hi-1 with flat[at+j-lo] + penalty[j] < best and smallest; (-1, best) if none."""
    found = -1
    for s in range(lo, hi, STRIP):
        e = min(s + STRIP, hi)
        # Slices, as indices that might be negative would keep the loops from being vectorised.
        row, extra = flat[at + s - lo : at + e - lo], penalty[s:e]
        low = lowest(row, extra)
        if low < best:
            best = low
            for t in range(row.size):
                if row[t] + extra[t] == low:
                    found = s + t
                    break
    return found, best


@njit(nogil=True, cache=True)
def follow(chain: NDArray, length: int, found: int) -> int:
    """Append `found` to the chain and return the new length.

    A slot already on the chain can only come back through rounding (a union a hair nearer than its
    parts); the chain then starts afresh from its tip.
    """
    for c in range(length - 1, -1, -1):
        if chain[c] == found:
            chain[0] = chain[length - 1]
            return 1
    chain[length] = found
    return length + 1


@njit(nogil=True, cache=True)
def nearest(flat: NDArray, m: int, square: bool, i: int, penalty: NDArray, best: float) -> tuple[int, float]:
    """Nearest alive slot of slot i closer than `best` (smallest index among equals), or (-1, best).

    `penalty` (m,) is 0 for alive slots and inf for dead ones.
    """
    if square:
        return _smallest(flat, i * m, penalty, 0, m, best)
    found = -1
    at = i - 1
    for j in range(i):
        if penalty[j] == 0 and flat[at] < best:
            best = flat[at]
            found = j
        at += m - j - 2
    later, low = _smallest(flat, entry_of(m, False, i, i + 1), penalty, i + 1, m, best)
    return (later, low) if later >= 0 else (found, best)


@njit(nogil=True, cache=True, inline="always")
def _combined(code: int, di: float, dj: float, dij: float, a: float, b: float, v: float) -> float:
    """Distance of the union of i (size a) and j (size b) to a cluster of size v."""
    if code == COMPLETE:
        return max(di, dj)
    if code == AVERAGE:
        return (a * di + b * dj) / (a + b)
    if code == WEIGHTED:
        return 0.5 * (di + dj)
    return ((a + v) * di + (b + v) * dj - v * dij) / (a + b + v)


@njit(nogil=True, cache=True)
def _merge_square(
    flat: NDArray, m: int, i: int, j: int, dij: float, code: int, size: NDArray, penalty: NDArray
) -> None:
    """Row and column i become those of the union of i and j."""
    a, b = size[i], size[j]
    mine, other = flat[i * m : (i + 1) * m], flat[j * m : (j + 1) * m]
    if code == COMPLETE:
        for v in range(m):
            mine[v] = mine[v] if mine[v] > other[v] else other[v]
    elif code == WARD:
        for v in range(m):
            mine[v] = _combined(WARD, mine[v], other[v], dij, a, b, size[v])
    else:
        wa = a / (a + b) if code == AVERAGE else 0.5
        for v in range(m):
            mine[v] = wa * mine[v] + (1.0 - wa) * other[v]
    mine[i] = np.inf
    column = flat[i:]
    for v in range(m):
        if penalty[v] == 0:
            column[v * m] = mine[v]


@njit(nogil=True, cache=True)
def _merge_condensed(
    flat: NDArray, m: int, i: int, j: int, dij: float, code: int, size: NDArray, penalty: NDArray
) -> None:
    """Entries of slot i (i < j) become those of the union of i and j; three runs of constant direction."""
    a, b = size[i], size[j]
    at_i, at_j = i - 1, j - 1
    for v in range(i):
        if penalty[v] == 0:
            flat[at_i] = _combined(code, flat[at_i], flat[at_j], dij, a, b, size[v])
        at_i += m - v - 2
        at_j += m - v - 2
    at_i = entry_of(m, False, i, i + 1)
    at_j = entry_of(m, False, i + 1, j)
    for v in range(i + 1, j):
        if penalty[v] == 0:
            flat[at_i] = _combined(code, flat[at_i], flat[at_j], dij, a, b, size[v])
        at_i += 1
        at_j += m - v - 2
    at_i = entry_of(m, False, i, j + 1)
    at_j = entry_of(m, False, j, j + 1)
    for v in range(j + 1, m):
        flat[at_i] = _combined(code, flat[at_i], flat[at_j], dij, a, b, size[v])
        at_i += 1
        at_j += 1


@njit(nogil=True, cache=True)
def _compact(flat: NDArray, square: bool, state: NDArray, penalty: NDArray, kept: NDArray, rows: int) -> None:
    """Move `rows` rows of alive slots to the front, in place: no entry is written before it was read."""
    m, alive = state[SLOTS], state[ALIVE]
    last = min(alive, state[ROW] + rows)
    for r in range(state[ROW], last):
        old = kept[r]
        if square:
            for c in range(alive):
                flat[r * alive + c] = flat[old * m + kept[c]]
        else:
            to = entry_of(alive, False, r, r + 1)
            base = entry_of(m, False, old, old + 1) - old - 1
            for c in range(r + 1, alive):
                flat[to + c - r - 1] = flat[base + kept[c]]
    state[ROW] = last


@njit(nogil=True, cache=True)
def _renumber(
    state: NDArray,
    penalty: NDArray,
    kept: NDArray,
    size: NDArray,
    leaf: NDArray,
    level: NDArray,
    chain: NDArray,
) -> None:
    """After compaction: slot attributes and the chain follow the moved rows."""
    alive = state[ALIVE]
    new = np.empty(state[SLOTS], dtype=np.int64)
    for r in range(alive):
        new[kept[r]] = r
        size[r] = size[kept[r]]
        leaf[r] = leaf[kept[r]]
        level[r] = level[kept[r]]
        penalty[r] = 0
    for c in range(state[CHAIN]):
        chain[c] = new[chain[c]]
    state[SLOTS] = alive
    state[COMPACTING] = 0


@njit(nogil=True, cache=True)
def _plan_compaction(state: NDArray, penalty: NDArray, kept: NDArray) -> None:
    m, alive = state[SLOTS], state[ALIVE]
    if m > SMALLEST_COMPACTION and m - alive > DEAD_SHARE * m:
        r = 0
        for v in range(m):
            if penalty[v] == 0:
                kept[r] = v
                r += 1
        state[COMPACTING] = 1
        state[ROW] = 0


@njit(nogil=True, cache=True)
def chain_steps(
    flat: NDArray,
    square: bool,
    code: int,
    state: NDArray,
    penalty: NDArray,
    size: NDArray,
    leaf: NDArray,
    level: NDArray,
    chain: NDArray,
    kept: NDArray,
    pairs: NDArray,
    heights: NDArray,
    budget: int,
) -> None:
    """Continue the chain for `budget` row scans (or moved rows), then return; all is in the arrays.

    state int64: slots, alive, chain length, merges, compacting flag, next row to move.
    """
    n = pairs.shape[0] + 1
    while state[MERGES] < n - 1 and budget > 0:
        if state[COMPACTING]:
            rows = min(budget, state[ALIVE] - state[ROW])
            _compact(flat, square, state, penalty, kept, rows)
            budget -= rows
            if state[ROW] == state[ALIVE]:
                _renumber(state, penalty, kept, size, leaf, level, chain)
            continue
        budget -= 1
        m = state[SLOTS]
        if state[CHAIN] == 0:
            v = 0
            while penalty[v] != 0:
                v += 1
            chain[0] = v
            state[CHAIN] = 1
        tip = chain[state[CHAIN] - 1]
        before = -1
        best = flat.dtype.type(np.inf)
        if state[CHAIN] > 1:
            before = chain[state[CHAIN] - 2]
            best = flat[entry_of(m, square, tip, before)]
        found, _ = nearest(flat, m, square, tip, penalty, best)
        if found >= 0:
            state[CHAIN] = follow(chain, state[CHAIN], found)
            continue
        i, j = min(tip, before), max(tip, before)
        t = state[MERGES]
        height = max(float(best), level[i], level[j])
        pairs[t, 0], pairs[t, 1], heights[t] = leaf[i], leaf[j], height
        penalty[j] = np.inf
        if square:
            _merge_square(flat, m, i, j, best, code, size, penalty)
        else:
            _merge_condensed(flat, m, i, j, best, code, size, penalty)
        size[i] += size[j]
        level[i] = height
        state[CHAIN] -= 2
        state[ALIVE] -= 1
        state[MERGES] += 1
        _plan_compaction(state, penalty, kept)


@njit(nogil=True, cache=True)
def _square_entries(flat: NDArray) -> None:
    for e in range(flat.size):
        flat[e] = flat[e] * flat[e]


@njit(nogil=True, cache=True)
def _infinite_diagonal(flat: NDArray, n: int) -> None:
    for i in range(n):
        flat[i * n + i] = np.inf


def chain_linkage(distances: Distances, linkage: str) -> Generator[MergesSoFar, None, NDArray[np.float64]]:
    """Linkage matrix by nearest-neighbour chain; **the distances are used up**.

    `linkage` is 'complete', 'average', 'weighted' or 'ward' (Euclidean distances). Yields `MergesSoFar`
    about every 25 ms, returns Z (n-1, 4) sorted by height. Among tied distances the nearest neighbour of
    smallest slot is followed: a valid greedy tree, though not always that of the index tie policy.
    """
    n = distances.n
    flat = distances.flat
    code = CHAIN_LINKAGES[linkage]
    if code == WARD:
        for lo in range(0, flat.size, 1 << 24):
            _square_entries(flat[lo : lo + (1 << 24)])
            yield MergesSoFar(0, n - 1, np.empty((0, 2), np.int64), np.empty(0))
    if distances.square:
        _infinite_diagonal(flat, n)
    state = np.array([n, n, 0, 0, 0, 0], dtype=np.int64)
    penalty, size = np.zeros(n, flat.dtype), np.ones(n, flat.dtype)
    leaf, level, chain, kept = np.arange(n), np.zeros(n), np.empty(n + 1, np.int64), np.empty(n, np.int64)
    pairs, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    pace = Pace(max(8, 4_000_000 // n))
    while state[MERGES] < n - 1:
        with pace.piece():
            chain_steps(
                flat, distances.square, code, state, penalty, size, leaf, level, chain, kept, pairs, heights,
                pace.units,
            )  # fmt: skip
        done = int(state[MERGES])
        so_far = np.sqrt(heights[:done]) if code == WARD else heights[:done]
        yield MergesSoFar(done, n - 1, pairs[:done], so_far)
    if code == WARD:
        heights = np.sqrt(heights)
    return sorted_tree(pairs, heights)[0]


def chain_tree(distances: Distances, linkage: str) -> NDArray[np.float64]:
    """`chain_linkage` run to its end; the distances are used up."""
    return result_of(chain_linkage(distances, linkage))
