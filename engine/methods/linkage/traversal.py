"""Farthest-first traversal (Gonzalez 1985): bounds on OPT_DM, k-centre labels, representatives.

Each point taken is the one farthest from those taken before; `radius[i]` is its distance to them. The
first k+1 points are pairwise at least radius[k] apart and two of them share a cluster of any k-clustering,
so radius[k] <= OPT_DM(k); joining every point to the nearest of the first k gives diameters of at most
2·radius[k].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .metrics import gather_row, metric_named

RowOf = Callable[[int], NDArray[np.float64]]


@dataclass(frozen=True)
class Traversal:
    """`order` (m,) points in the order taken; `radius` (m+1,): radius[0] = inf, radius[i] the distance of
    the i-th further point to those before, radius[m] of the farthest point left (0 if none is left).
    `nearest` (n,): position in `order` of the taken point nearest to each point.
    """

    order: NDArray[np.int64]
    radius: NDArray[np.float64]
    nearest: NDArray[np.int64]


def rows_of_points(prepared: NDArray[np.float64], metric: str = "euclidean") -> RowOf:
    """Row reader that computes distances (n,) from prepared points (n, d) when asked."""
    chosen = metric_named(metric)
    xt = np.ascontiguousarray(prepared.T)

    def row(i: int) -> NDArray[np.float64]:
        line = np.empty(xt.shape[1])
        gather_row(xt, chosen.gather, chosen.finish, i, 0, xt.shape[1], line)
        line[i] = 0.0
        return line

    return row


def farthest_first(row: RowOf, n: int, count: int, start: int | None = None) -> Traversal:
    """Take `count` points of n; `row(i)` gives the distances (n,) of point i.

    Starts at `start`, by default at the point farthest from point 0. Ties go to the smallest index.
    """
    count = min(count, n)
    first = int(np.argmax(row(0))) if start is None else start
    order, radius = np.empty(count, np.int64), np.empty(count + 1)
    gap, nearest = np.full(n, np.inf), np.zeros(n, np.int64)
    following, radius[0] = first, np.inf
    for i in range(count):
        order[i] = following
        line = row(following)
        closer = line < gap
        nearest[closer] = i
        gap = np.minimum(gap, line)
        gap[following] = -1.0
        following = int(np.argmax(gap))
        radius[i + 1] = max(0.0, gap[following])
    return Traversal(order, radius, nearest)


def k_center_labels(row: RowOf, traversal: Traversal, k: int) -> NDArray[np.int32]:
    """Gonzalez' k-clustering (n,): the nearest of the first k points taken, smallest position on ties."""
    lines = [row(int(i)) for i in traversal.order[:k]]
    for c, i in enumerate(traversal.order[:k]):
        lines[c][i] = -1.0
    return np.argmin(np.stack(lines), axis=0).astype(np.int32)


@dataclass(frozen=True)
class Representatives:
    """`chosen` (m,) points, `member_of` (n,) position of the nearest of them, `radius` the largest gap."""

    chosen: NDArray[np.int64]
    member_of: NDArray[np.int64]
    radius: float


def representatives(prepared: NDArray[np.float64], m: int, metric: str = "euclidean") -> Representatives:
    """m farthest-first representatives of prepared points (n, d) for linkage beyond the memory.

    Every point lies within `radius` of its representative, so that (in a metric) a cluster of
    representatives of diameter D stands for a cluster of points of diameter at most D + 2·radius.
    """
    taken = farthest_first(rows_of_points(prepared, metric), len(prepared), m)
    return Representatives(taken.order, taken.nearest, float(taken.radius[len(taken.order)]))
