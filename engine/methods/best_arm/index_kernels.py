"""Compiled simulation of UCB-E, which chooses an arm by an index before every draw.

Same outputs as `phase_kernels`; besides, `path` (C, K) float64 gains Σ over runs of the draws per arm
after checkpoints[c] draws in total (ascending). Ties are broken uniformly at random.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.phase_kernels import best_empirical_arm
from engine.methods.best_arm.streams import next_below, next_uniform


@njit(nogil=True, cache=True)
def estimated_exploration(mean: NDArray, inverse_total: float, numerator: float) -> float:
    """√a for the adaptive UCB-E: a = numerator / Ĥ1, empirical gaps floored at √(1/t).

    The published adaptive variant estimates H1 from empirical gaps; the floor (a gap below the noise of
    t draws counts as that noise) is this implementation's.
    """
    arms = mean.shape[0]
    top = 0
    for k in range(1, arms):
        if mean[k] > mean[top]:
            top = k
    floor = np.sqrt(inverse_total)
    total, nearest = 0.0, np.inf
    for k in range(arms):
        if k != top:
            gap = max(mean[top] - mean[k], floor)
            total += 1.0 / (gap * gap)
            nearest = min(nearest, gap)
    return np.sqrt(numerator / (total + 1.0 / (nearest * nearest)))


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz", "reassoc"})
def _largest(values: NDArray) -> float:
    top = values[0]
    for k in range(1, values.shape[0]):
        top = max(top, values[k])
    return top


@njit(nogil=True, cache=True, inline="always")
def _random_argmax(state: NDArray, values: NDArray) -> int:
    top = _largest(values)
    pick, ties = 0, 0
    for k in range(values.shape[0]):
        if values[k] == top:
            ties += 1
            if ties == 1 or next_below(state, ties) == 0:
                pick = k
    return pick


@njit(nogil=True, cache=True)
def simulate_ucbe(
    state: NDArray,
    means: NDArray,
    budget: int,
    exploration: float,
    numerator: float,
    counts: NDArray,
    successes: NDArray,
    chosen: NDArray,
    checkpoints: NDArray,
    path: NDArray,
) -> None:
    """UCB-E (Audibert, Bubeck and Munos, 2010): argmax μ̂_i + √(a/N_i) after one draw of each arm.

    `exploration` is a; a negative value asks for the adaptive estimate with a = numerator / Ĥ1,
    renewed at every draw. Recommends argmax μ̂.
    """
    runs, arms = counts.shape
    inverse = 1.0 / np.maximum(np.arange(budget + 2), 1)
    bonus = np.sqrt(inverse)
    mean, index = np.empty(arms), np.empty(arms)
    root = np.sqrt(max(exploration, 0.0))
    for r in range(runs):
        n, s = counts[r], successes[r]
        n[:] = 0
        s[:] = 0
        mark = 0
        for t in range(budget):
            pick = t if t < arms else _random_argmax(state, index)
            n[pick] += 1
            if next_uniform(state) < means[pick]:
                s[pick] += 1
            # a division, so that equal fractions are equal numbers and tie
            mean[pick] = s[pick] / n[pick]
            if exploration < 0 and t >= arms - 1:
                root = estimated_exploration(mean, inverse[t + 1], numerator)
                for k in range(arms):
                    index[k] = mean[k] + root * bonus[n[k]]
            else:
                index[pick] = mean[pick] + root * bonus[n[pick]]
            if mark < checkpoints.shape[0] and checkpoints[mark] == t + 1:
                for k in range(arms):
                    path[mark, k] += n[k]
                mark += 1
        chosen[r] = best_empirical_arm(state, n, s)
