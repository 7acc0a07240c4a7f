"""One climb from one start: weights are moved one at a time while the ranking gets further from the old one.

`columns` (k, m) are the tasks or irrelevant models, `scores` (m,) and `w` (k,) are changed in place, `turn`
is the order in which weights are tried; rows are in the order of the original ranking, best first.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .lines import best_on_line, best_rank_on_line, inversions
from .ranking import TIE_TOLERANCE, _rank_distance, _tolerant_ranks

Weights = NDArray[np.float64]


@njit(nogil=True, cache=True)
def climb_corners(
    columns: NDArray[np.float64],
    scores: NDArray[np.float64],
    w: Weights,
    lower: Weights,
    upper: Weights,
    worse: NDArray[np.intp],
    turn: NDArray[np.intp],
    most_sweeps: int,
) -> int:
    """Send weights to the other end of their range while that turns more pairs over."""
    value = inversions(scores, worse)
    for _ in range(most_sweeps):
        improved = False
        for t in turn:
            goal = lower[t] if w[t] > 0.5 * (lower[t] + upper[t]) else upper[t]
            trial = scores + (goal - w[t]) * columns[t]
            found = inversions(trial, worse)
            if found > value:
                value, improved = found, True
                scores[:] = trial
                w[t] = goal
        if not improved:
            break
    return value


@njit(nogil=True, cache=True)
def climb_members(
    columns: NDArray[np.float64],
    scores: NDArray[np.float64],
    w: Weights,
    ranks: NDArray[np.float64],
    size: int,
    turn: NDArray[np.intp],
    most_sweeps: int,
) -> float:
    """Put models in or take them out while that raises the exact τ-distance: win rates are often tied."""
    present = size + w.sum()
    value = _rank_distance(_tolerant_ranks(scores / present, TIE_TOLERANCE), ranks)[0]
    for _ in range(most_sweeps):
        improved = False
        for t in turn:
            step = 1.0 - 2.0 * w[t]
            trial = scores + step * columns[t]
            found = _rank_distance(_tolerant_ranks(trial / (present + step), TIE_TOLERANCE), ranks)[0]
            if found > value + 1e-12:
                value, improved = found, True
                scores[:] = trial
                w[t] += step
                present += step
        if not improved:
            break
    return value


@njit(nogil=True, cache=True)
def sweep_lines(
    columns: NDArray[np.float64],
    scores: NDArray[np.float64],
    w: Weights,
    lower: Weights,
    upper: Weights,
    worse: NDArray[np.intp],
    turn: NDArray[np.intp],
    value: int,
) -> int:
    """Move each weight of `turn` to the best point of its range."""
    m = scores.size
    crossings = np.empty(m * (m - 1) // 2)
    changes = np.empty(m * (m - 1) // 2, dtype=np.int64)
    for t in turn:
        found, step = best_on_line(
            scores, columns[t], lower[t] - w[t], upper[t] - w[t], worse, crossings, changes
        )
        if found > value:
            value = found
            scores += step * columns[t]
            w[t] += step
    return value


@njit(nogil=True, cache=True)
def climb_rank(
    columns: NDArray[np.float64],
    scores: NDArray[np.float64],
    w: Weights,
    lower: Weights,
    upper: Weights,
    corners: bool,
    model: int,
    sign: float,
    turn: NDArray[np.intp],
    most_sweeps: int,
) -> int:
    """Let as many models as possible pass (sign 1) or be passed by (−1) one model."""
    m = scores.size
    crossings = np.empty(m)
    changes = np.empty(m, dtype=np.int64)
    value = -1
    for _ in range(most_sweeps):
        improved = False
        for t in turn:
            if corners:
                step = (lower[t] if w[t] > 0.5 * (lower[t] + upper[t]) else upper[t]) - w[t]
                found = 0
                now = 0
                for j in range(m):
                    gap = sign * (scores[j] - scores[model])
                    now += gap > 1e-12
                    found += gap + sign * step * (columns[t, j] - columns[t, model]) > 1e-12
                value = max(value, now)
            else:
                found, step = best_rank_on_line(
                    scores, columns[t], lower[t] - w[t], upper[t] - w[t], model, sign, crossings, changes
                )
            if found > value:
                value, improved = found, True
                scores += step * columns[t]
                w[t] += step
        if not improved:
            break
    return value
