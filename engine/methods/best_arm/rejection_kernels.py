"""Compiled simulation of Continuous Rejects, CR-C and CR-A.

Outputs as in `index_kernels`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.streams import next_below, next_uniform


@njit(nogil=True, cache=True, inline="always")
def rejection_threshold(t: int, alive: int, dropped_total: int, budget: int, log_bars: NDArray) -> float:
    """G(Σ_{k∈C} N_k logbar(|C|) / (T − Σ_{k∉C} N_k)) with G(β) = 1/√β − 1, after t draws."""
    beta = (t - dropped_total) * log_bars[alive] / (budget - dropped_total)
    return 1.0 / np.sqrt(beta) - 1.0


@njit(nogil=True, cache=True)
def _worst_and_gap(
    state: NDArray, mean: NDArray, candidates: NDArray, alive: int, average: bool
) -> tuple[int, float]:
    """Position of the worst candidate (ties uniform) and its gap to the rest."""
    worst, ties = 0, 1
    low, second = mean[candidates[0]], np.inf
    total = low
    for i in range(1, alive):
        value = mean[candidates[i]]
        total += value
        if value < low:
            worst, low, second, ties = i, value, low, 1
        else:
            second = min(second, value)
            if value == low:
                ties += 1
                if next_below(state, ties) == 0:
                    worst = i
    return worst, (total - low) / (alive - 1) - low if average else second - low


@njit(nogil=True, cache=True, inline="always")
def _quiet_draws(
    t: int, gap: float, fewest: int, alive: int, dropped_total: int, budget: int, log_bars: NDArray
) -> int:
    """Draws during which no candidate can be dropped, however the rewards fall (possibly 0).

    In m rounds a candidate is drawn at most m+1 times, so its mean moves by at most (m+1)/(fewest+1)
    and the gap by twice that; the threshold falls as t grows. Skipping these tests changes nothing.
    """
    rounds, quiet = 1, 0
    while t + rounds * alive < budget:
        after = t + rounds * alive
        reach = gap + 2.0 * (rounds + 1) / (fewest + 1)
        if reach >= rejection_threshold(after, alive, dropped_total, budget, log_bars):
            break
        quiet = rounds * alive
        rounds *= 2
    return quiet


@njit(nogil=True, cache=True)
def simulate_rejects(
    state: NDArray,
    means: NDArray,
    budget: int,
    theta: float,
    log_bars: NDArray,
    average: bool,
    keep_drawing: bool,
    counts: NDArray,
    successes: NDArray,
    chosen: NDArray,
    checkpoints: NDArray,
    path: NDArray,
) -> None:
    """Continuous Rejects (Wang, Tzeng and Proutiere, NeurIPS 2023), CR-C or CR-A.

    With C the candidates and t draws made, t ≥ max(K, θ0 T): let ℓ be the worst mean in C; ℓ is dropped
    if N_ℓ exceeds the draws of every dropped arm and its gap is at least
    G(Σ_{k∈C} N_k logbar(|C|) / (T − Σ_{k∉C} N_k)), G(β) = 1/√β − 1. At most one drop per draw; then the
    least-drawn candidate is drawn. The gap is to the next worst mean (CR-C, `average` false) or to the
    average of the other candidates (CR-A). `log_bars[m]` is logbar(m). With one candidate left drawing
    stops, unless `keep_drawing`.
    """
    runs, arms = counts.shape
    first_test = max(arms, int(np.ceil(theta * budget)))
    mean = np.empty(arms)
    candidates = np.empty(arms, np.int64)
    for r in range(runs):
        n, s = counts[r], successes[r]
        for k in range(arms):
            candidates[k] = k
            n[k], s[k], mean[k] = 0, 0, 0.0
        alive, dropped_total, dropped_most, mark = arms, 0, 0, 0
        # candidates[:fresh] have the fewest draws, the others one more
        fresh, fewest, next_test = arms, 0, first_test
        for t in range(budget):
            if t >= next_test and alive > 1:
                worst, gap = _worst_and_gap(state, mean, candidates, alive, average)
                arm = candidates[worst]
                if gap < rejection_threshold(t, alive, dropped_total, budget, log_bars):
                    next_test = t + max(
                        1, _quiet_draws(t, gap, fewest, alive, dropped_total, budget, log_bars)
                    )
                elif n[arm] > dropped_most:
                    dropped_total += n[arm]
                    dropped_most = n[arm]
                    alive -= 1
                    if worst < fresh:
                        fresh -= 1
                        candidates[worst] = candidates[fresh]
                        worst = fresh
                    candidates[worst] = candidates[alive]
            if alive == 1 and not keep_drawing:
                break
            if fresh == 0:
                fresh, fewest = alive, fewest + 1
            i = next_below(state, fresh)
            fresh -= 1
            pick = candidates[i]
            candidates[i], candidates[fresh] = candidates[fresh], pick
            n[pick] += 1
            if next_uniform(state) < means[pick]:
                s[pick] += 1
            # a division, so that equal fractions are equal numbers and tie
            mean[pick] = s[pick] / n[pick]
            if mark < checkpoints.shape[0] and checkpoints[mark] == t + 1:
                for k in range(arms):
                    path[mark, k] += n[k]
                mark += 1
        while mark < checkpoints.shape[0]:
            for k in range(arms):
                path[mark, k] += n[k]
            mark += 1
        chosen[r] = _best_candidate(state, n, s, candidates, alive)


@njit(nogil=True, cache=True)
def _best_candidate(state: NDArray, n: NDArray, s: NDArray, candidates: NDArray, alive: int) -> int:
    best, ties = candidates[0], 1
    for i in range(1, alive):
        k = candidates[i]
        order = np.int64(s[k]) * n[best] - np.int64(s[best]) * n[k]
        if order > 0:
            best, ties = k, 1
        elif order == 0:
            ties += 1
            if next_below(state, ties) == 0:
                best = k
    return best
