"""Rankings and the distances between them (section 2 of the paper).

A ranking of m models is a float64 vector of average ranks: 1 is the best, tied models share the mean of
their places. Scores are "higher is better".
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

TIE_TOLERANCE = 1e-8
"""Two neighbouring scores closer than this count as tied (the official code's `rankdata`)."""


@njit(nogil=True, cache=True)
def _tolerant_ranks(scores: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    m = scores.size
    order = np.argsort(-scores)
    ranks = np.empty(m)
    start = 0
    while start < m:
        end = start + 1
        while end < m and scores[order[end - 1]] - scores[order[end]] <= tolerance:
            end += 1
        place = 0.5 * (start + 1 + end)
        for k in range(start, end):
            ranks[order[k]] = place
        start = end
    return ranks


@njit(nogil=True, cache=True)
def _rank_distance(new: NDArray[np.float64], old: NDArray[np.float64]) -> tuple[float, float]:
    m = new.size
    total_change = 0.0
    largest = 0.0
    for i in range(m):
        change = abs(new[i] - old[i])
        total_change += change
        largest = max(largest, change)
    if total_change <= 1e-8:
        return 0.0, 0.0
    agreement = 0
    ties_new = 0
    ties_old = 0
    for i in range(m):
        for j in range(i):
            a = np.sign(new[i] - new[j])
            b = np.sign(old[i] - old[j])
            agreement += int(a * b)
            ties_new += a == 0.0
            ties_old += b == 0.0
    pairs = m * (m - 1) // 2
    if max(ties_new, ties_old) == pairs:
        tau = 0.0
    else:
        # the order of the operations is scipy's, so that the last digit agrees too
        tau = agreement / np.sqrt(pairs - ties_new) / np.sqrt(pairs - ties_old)
        tau = min(1.0, max(-1.0, tau))
    return (1.0 - tau) / 2.0, largest / (m - 1)


def tolerant_ranks(scores: ArrayLike, tolerance: float = TIE_TOLERANCE) -> NDArray[np.float64]:
    """Average ranks of `scores` (m,), best first; sorted neighbours closer than `tolerance` are tied.

    Raises ValueError for scores that are not finite.
    """
    values = np.ascontiguousarray(scores, dtype=np.float64).ravel()
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite to be ranked")
    return _tolerant_ranks(values, tolerance)


def rank_distance(new: ArrayLike, old: ArrayLike) -> tuple[float, float]:
    """(τ-distance, MRC) between two rankings of the same m ≥ 2 models.

    τ-distance = (1 − τ_b) / 2 with Kendall's tie-corrected τ_b; MRC = max_i |new_i − old_i| / (m − 1).
    Both are 0 for equal rankings. τ_b is undefined when exactly one ranking ties all models: it then
    counts as no association, a τ-distance of 0.5.
    """
    a = np.ascontiguousarray(new, dtype=np.float64)
    b = np.ascontiguousarray(old, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1 or a.size < 2:
        raise ValueError("two rankings of the same two or more models are needed")
    return _rank_distance(a, b)


def kendall_distance(new: ArrayLike, old: ArrayLike) -> float:
    """τ-distance (1 − τ_b) / 2 of two rankings."""
    return rank_distance(new, old)[0]


def max_rank_change(new: ArrayLike, old: ArrayLike) -> float:
    """MRC, the largest change of rank of one model divided by m − 1."""
    return rank_distance(new, old)[1]
