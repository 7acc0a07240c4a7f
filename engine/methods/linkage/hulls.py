"""Convex hulls of the clusters in the plane (Andrew's monotone chain), O(n log n) for all of them."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(nogil=True, cache=True)
def _hull(x: NDArray, y: NDArray) -> NDArray:
    """Corners, counter-clockwise, as indices into points sorted by (x, y)."""
    n = x.shape[0]
    hull = np.empty(2 * n + 2, np.int64)
    m = base = 0
    for step in range(2 * n - 1):
        i = step if step < n else 2 * n - 2 - step
        if step == n:
            base = m
        least = 2 if step < n else base + 1
        while m >= least:
            a, b = hull[m - 2], hull[m - 1]
            if (x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a]) > 0:
                break
            m -= 1
        hull[m] = i
        m += 1
    return hull[: max(1, m - 1)]


def hulls(
    x: NDArray[np.float64], y: NDArray[np.float64], labels: NDArray[np.integer], k: int
) -> list[NDArray[np.int64]]:
    """For each label 0..k-1 the points on its hull, in order around it; fewer than 3 where it is flat."""
    order = np.lexsort((y, x, labels))
    order = order[labels[order] >= 0]
    ends = np.searchsorted(labels[order], np.arange(k + 1))
    found = []
    for c in range(k):
        members = order[ends[c] : ends[c + 1]]
        found.append(members[_hull(x[members], y[members])] if len(members) else members)
    return found
