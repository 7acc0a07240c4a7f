"""Exact search along a line of weights: where between two weightings the ranking is furthest from the old.

Along w + λ d every model's score is a straight line in λ, so the ranking changes only where two lines cross.
All crossings are sorted and walked through; rows are in the order of the original ranking, best first.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(nogil=True, cache=True)
def inversions(scores: NDArray[np.float64], worse: NDArray[np.intp]) -> int:
    """Pairs turned over: rows i and j ≥ worse[i] (first row ranked strictly below i) with s_j > s_i."""
    m = scores.size
    total = 0
    for i in range(m):
        here = scores[i]
        count = 0
        for j in range(worse[i], m):
            count += scores[j] > here
        total += count
    return total


@njit(nogil=True, cache=True)
def _walk(
    crossings: NDArray[np.float64],
    changes: NDArray[np.int64],
    count: int,
    start: int,
    low: float,
    high: float,
) -> tuple[int, float]:
    """Best value on [low, high] and the middle of the widest stretch that has it; low itself is included."""
    order = np.argsort(crossings[:count])
    gap = 1e-9 * (high - low)
    value, best, best_width, best_at = start, -1, 0.0, low
    left = low
    for position in range(count + 1):
        right = crossings[order[position]] if position < count else high
        width = right - left
        if width > gap and (value > best or (value == best and width > best_width)):
            best, best_width, best_at = value, width, 0.5 * (left + right)
        if position < count:
            value += changes[order[position]]
            left = right
    return best, best_at


@njit(nogil=True, cache=True)
def best_on_line(
    scores: NDArray[np.float64],
    slopes: NDArray[np.float64],
    low: float,
    high: float,
    worse: NDArray[np.intp],
    crossings: NDArray[np.float64],
    changes: NDArray[np.int64],
) -> tuple[int, float]:
    """(most inversions, λ) of scores + λ slopes on [low, high]; the two buffers hold m (m − 1)/2 values."""
    m = scores.size
    start = 0
    count = 0
    for i in range(m):
        for j in range(worse[i], m):
            lead = scores[j] - scores[i]
            growth = slopes[j] - slopes[i]
            at_low = lead + low * growth
            start += at_low > 0.0
            if growth != 0.0:
                crossing = -lead / growth
                if low < crossing < high:
                    crossings[count] = crossing
                    changes[count] = 1 if growth > 0.0 else -1
                    count += 1
                elif at_low == 0.0 and growth > 0.0:
                    start += 1
    return _walk(crossings, changes, count, start, low, high)


@njit(nogil=True, cache=True)
def best_rank_on_line(
    scores: NDArray[np.float64],
    slopes: NDArray[np.float64],
    low: float,
    high: float,
    model: int,
    sign: float,
    crossings: NDArray[np.float64],
    changes: NDArray[np.int64],
) -> tuple[int, float]:
    """(most models passing, λ) on [low, high]: ahead of `model` for sign 1, behind it for sign −1."""
    start = 0
    count = 0
    for j in range(scores.size):
        if j == model:
            continue
        lead = sign * (scores[j] - scores[model])
        growth = sign * (slopes[j] - slopes[model])
        at_low = lead + low * growth
        start += at_low > 0.0
        if growth != 0.0:
            crossing = -lead / growth
            if low < crossing < high:
                crossings[count] = crossing
                changes[count] = 1 if growth > 0.0 else -1
                count += 1
            elif at_low == 0.0 and growth > 0.0:
                start += 1
    return _walk(crossings, changes, count, start, low, high)
