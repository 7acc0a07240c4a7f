"""Compiled simulation of Continuous Rejects, CR-C and CR-A.

Outputs as in `index_kernels`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.streams import next_below, next_uniform


@njit(nogil=True, cache=True, inline="always")
def allows_drop(gap: float, t: int, alive: int, dropped_total: int, budget: int, log_bars: NDArray) -> bool:
    """Whether gap ≥ G(Σ_{k∈C} N_k logbar(|C|) / (T − Σ_{k∉C} N_k)), G(β) = 1/√β − 1, after t draws.

    Written as (gap+1)² β ≥ 1, which needs neither a root nor a division; gap > −1 always.
    """
    return (gap + 1.0) ** 2 * (t - dropped_total) * log_bars[alive] >= budget - dropped_total


@njit(nogil=True, cache=True)
def _lowest_two(mean: NDArray, candidates: NDArray, alive: int) -> tuple[float, float]:
    """The two smallest means of the candidates, counted with multiplicity (second = ∞ for one)."""
    low, second = mean[candidates[0]], np.inf
    for i in range(1, alive):
        value = mean[candidates[i]]
        second = min(second, max(low, value))
        low = min(low, value)
    return low, second


@njit(nogil=True, cache=True)
def _worst(state: NDArray, mean: NDArray, candidates: NDArray, alive: int, low: float) -> int:
    """Position of a candidate with the lowest mean, ties uniform."""
    worst, ties = 0, 0
    for i in range(alive):
        if mean[candidates[i]] == low:
            ties += 1
            if ties == 1 or next_below(state, ties) == 0:
                worst = i
    return worst


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
        fresh, fewest = arms, 0
        low, second, total = 0.0, 0.0, 0.0
        for t in range(budget):
            # before some candidate has more draws than every dropped arm, none can be dropped
            most = fewest if fresh == alive else fewest + 1
            if t >= first_test and alive > 1 and most > dropped_most:
                gap = (total - low) / (alive - 1) - low if average else second - low
                if allows_drop(gap, t, alive, dropped_total, budget, log_bars):
                    worst = _worst(state, mean, candidates, alive, low)
                    arm = candidates[worst]
                    if n[arm] > dropped_most:
                        dropped_total += n[arm]
                        dropped_most = n[arm]
                        alive -= 1
                        if worst < fresh:
                            fresh -= 1
                            candidates[worst] = candidates[fresh]
                            worst = fresh
                        candidates[worst] = candidates[alive]
                        total -= low
                        low, second = _lowest_two(mean, candidates, alive)
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
            before, after = mean[pick], s[pick] / n[pick]
            mean[pick] = after
            total += after - before
            if before <= second:
                if after != before:
                    low, second = _lowest_two(mean, candidates, alive)
            elif after < second:
                low, second = min(low, after), max(low, after)
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
