"""Exact single linkage: the minimum spanning tree, whose sorted edges are the merges.

Three ways: Prim over stored distances; Prim over points for any metric, O(n²·d) time and O(n·d) memory;
and the Euclidean spanning tree of `quitefastmst` for many points in few dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .metrics import gather_row, metric_named
from .nn_chain import MergesSoFar
from .pacing import Pace, result_of
from .storage import Distances, entry_of
from .tree import sorted_tree

STRIP = 1024


@njit(nogil=True, cache=True)
def _prim_matrix_steps(
    flat: NDArray, square: bool, near: NDArray, source: NDArray, rest: NDArray, pairs: NDArray,
    heights: NDArray, done: int, budget: int, newest: int,
) -> tuple[int, int]:  # fmt: skip
    """Add `budget` vertices; `rest[:n-1-done]` are the vertices outside, near/source run beside it."""
    n = pairs.shape[0] + 1
    for t in range(done, min(n - 1, done + budget)):
        outside = n - 1 - t
        best = np.inf
        at = -1
        for r in range(outside):
            d = flat[entry_of(n, square, newest, rest[r])]
            if d < near[r]:
                near[r] = d
                source[r] = newest
            if near[r] < best:
                best = near[r]
                at = r
        pairs[t, 0], pairs[t, 1], heights[t] = source[at], rest[at], best
        newest = rest[at]
        rest[at], near[at], source[at] = rest[outside - 1], near[outside - 1], source[outside - 1]
        done = t + 1
    return done, newest


@njit(nogil=True, cache=True)
def _prim_points_steps(
    xt: NDArray, gather: int, finish: int, near: NDArray, source: NDArray, rest: NDArray, pairs: NDArray,
    heights: NDArray, done: int, budget: int, newest: int,
) -> tuple[int, int]:  # fmt: skip
    """As above from points: columns 0..n-2-done of xt lie outside, column n-1-done is the newest vertex."""
    n = pairs.shape[0] + 1
    acc = np.empty(STRIP)
    for t in range(done, min(n - 1, done + budget)):
        outside = n - 1 - t
        best = np.inf
        at = -1
        for lo in range(0, outside, STRIP):
            hi = min(lo + STRIP, outside)
            gather_row(xt, gather, finish, outside, lo, hi, acc)
            for r in range(lo, hi):
                if acc[r - lo] < near[r]:
                    near[r] = acc[r - lo]
                    source[r] = newest
                if near[r] < best:
                    best = near[r]
                    at = r
        pairs[t, 0], pairs[t, 1], heights[t] = source[at], rest[at], best
        newest = rest[at]
        last = outside - 1
        rest[at], near[at], source[at] = rest[last], near[last], source[last]
        for c in range(xt.shape[0]):
            xt[c, at], xt[c, last] = xt[c, last], xt[c, at]
        done = t + 1
    return done, newest


def single_linkage(distances: Distances) -> Generator[MergesSoFar, None, NDArray[np.float64]]:
    """Single linkage of stored distances (left as they are); yields about every 25 ms, returns Z."""
    return (yield from _prim(_prim_matrix_steps, (distances.flat, distances.square), distances.n, 1))


def single_linkage_of_points(
    prepared: NDArray[np.float64], metric: str = "euclidean"
) -> Generator[MergesSoFar, None, NDArray[np.float64]]:
    """Single linkage of prepared points (n, d) under any metric without storing distances; returns Z."""
    chosen = metric_named(metric)
    xt = np.array(prepared.T, order="C")
    work = (xt, chosen.gather, chosen.finish)
    return (yield from _prim(_prim_points_steps, work, len(prepared), prepared.shape[1]))


def _prim(
    kernel: Callable[..., tuple[int, int]], work: tuple, n: int, d: int
) -> Generator[MergesSoFar, None, NDArray[np.float64]]:
    """The tree grows from the last point; `kernel` adds vertices in batches."""
    near, source, rest = np.full(n, np.inf), np.full(n, n - 1), np.arange(n - 1)
    pairs, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    done, newest, pace = 0, n - 1, Pace(max(1, 8_000_000 // (n * d)))
    while done < n - 1:
        with pace.piece():
            done, newest = kernel(*work, near, source, rest, pairs, heights, done, pace.units, newest)
        yield MergesSoFar(done, n - 1, pairs[:done], heights[:done])
    return sorted_tree(pairs, heights)[0]


def single_tree(distances: Distances) -> NDArray[np.float64]:
    """`single_linkage` run to its end."""
    return result_of(single_linkage(distances))


def single_tree_of_points(prepared: NDArray[np.float64], metric: str = "euclidean") -> NDArray[np.float64]:
    """`single_linkage_of_points` run to its end."""
    return result_of(single_linkage_of_points(prepared, metric))


def single_tree_euclidean(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Euclidean single linkage by `quitefastmst` (k-d trees, O(n·d) memory), for points (n, d), d small.

    One library call that keeps the GIL and can be neither paused nor cut, so a run puts it into a child
    process; 100,000
    points in two or three dimensions take about a second, while above some ten dimensions the trees no
    longer help and `single_linkage_of_points` is the way. Returns Z (n-1, 4), float64 heights.
    """
    from quitefastmst import mst_euclid

    heights, edges = mst_euclid(np.ascontiguousarray(points, np.float64), 0)[:2]
    return sorted_tree(np.asarray(edges, np.int64), np.asarray(heights, np.float64))[0]
