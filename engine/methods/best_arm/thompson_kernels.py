"""Thompson sampling and top-two Thompson sampling with uniform priors, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.phase_kernels import best_empirical_arm
from engine.methods.best_arm.streams import next_uniform

REDRAWS = 25
"""Posterior redraws in search of a challenger; then the runner-up of the last draw is taken."""


@njit(nogil=True, cache=True)
def draw_beta(state: NDArray, a: int, b: int) -> float:
    """One draw of Beta(a, b), a and b integers ≥ 1: Cheng's algorithm BB (1978), closed form at 1."""
    if b == 1:
        return (1.0 - next_uniform(state)) ** (1.0 / a)
    if a == 1:
        return 1.0 - (1.0 - next_uniform(state)) ** (1.0 / b)
    low, high = min(a, b), max(a, b)
    total = low + high
    beta = np.sqrt((total - 2.0) / (2.0 * low * high - total))
    gamma = low + 1.0 / beta
    while True:
        u1 = 1.0 - next_uniform(state)
        u2 = 1.0 - next_uniform(state)
        v = beta * np.log(u1 / (1.0 - u1 + 1e-300))
        w = low * np.exp(v)
        z = u1 * u1 * u2
        r = gamma * v - 1.3862943611198906
        s = low + r - w
        if s + 2.609437912434100 >= 5.0 * z:
            break
        log_z = np.log(z)
        if s >= log_z or r + total * np.log(total / (high + w)) >= log_z:
            break
    return w / (high + w) if a == low else high / (high + w)


@njit(nogil=True, cache=True)
def _posterior_order(state: NDArray, n: NDArray, s: NDArray) -> tuple[int, int]:
    """Positions of the largest and the second largest of one posterior draw."""
    first, second, top, next_top = -1, -1, -1.0, -1.0
    for k in range(n.shape[0]):
        value = draw_beta(state, s[k] + 1, n[k] - s[k] + 1)
        if value > top:
            second, next_top = first, top
            first, top = k, value
        elif value > next_top:
            second, next_top = k, value
    return first, second


@njit(nogil=True, cache=True)
def simulate_thompson(
    state: NDArray,
    means: NDArray,
    budget: int,
    leader_share: float,
    counts: NDArray,
    successes: NDArray,
    chosen: NDArray,
    checkpoints: NDArray,
    path: NDArray,
) -> None:
    """Thompson sampling (leader_share = 1) or top-two Thompson (Russo, 2020; leader_share = β).

    Draw the posterior's best arm with probability β, otherwise a challenger: the best arm of further
    posterior draws, until it differs (at most `REDRAWS`). Recommends argmax of raw empirical means.
    Outputs as in `index_kernels`.
    """
    runs, arms = counts.shape
    for r in range(runs):
        n, s = np.zeros(arms, np.int64), np.zeros(arms, np.int64)
        mark = 0
        for t in range(budget):
            pick, second = _posterior_order(state, n, s)
            if leader_share < 1.0 and next_uniform(state) >= leader_share:
                leader = pick
                tries = 0
                if arms == 2:
                    pick = 1 - leader
                while pick == leader and tries < REDRAWS:
                    pick, second = _posterior_order(state, n, s)
                    tries += 1
                if pick == leader:
                    pick = second
            n[pick] += 1
            if next_uniform(state) < means[pick]:
                s[pick] += 1
            if mark < checkpoints.shape[0] and checkpoints[mark] == t + 1:
                for k in range(arms):
                    path[mark, k] += n[k]
                mark += 1
        for k in range(arms):
            counts[r, k] = n[k]
            successes[r, k] = s[k]
        chosen[r] = best_empirical_arm(state, counts[r], successes[r])
