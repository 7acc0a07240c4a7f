"""Compiled simulation of phase algorithms: whole phases drawn as binomial counts.

Every kernel fills one row per run: `counts` (R, K) int32 draws per arm, `successes` (R, K) int32, and
`chosen` (R,) int32 the recommended arm. Ties are broken uniformly at random.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.binomial_tables import draw_binomial
from engine.methods.best_arm.streams import next_below


@njit(nogil=True, cache=True)
def best_empirical_arm(state: NDArray, counts: NDArray, successes: NDArray) -> int:
    """argmax_k s_k/n_k (½ for an undrawn arm), ties uniform; compared exactly as fractions."""
    best, top, below, ties = 0, np.int64(-1), np.int64(1), 0
    for k in range(counts.shape[0]):
        n, s = np.int64(counts[k]), np.int64(successes[k])
        if n == 0:
            n, s = np.int64(2), np.int64(1)
        order = s * below - top * n
        if order > 0:
            best, top, below, ties = k, s, n, 1
        elif order == 0:
            ties += 1
            if next_below(state, ties) == 0:
                best = k
    return best


@njit(nogil=True, cache=True)
def simulate_fixed(
    state: NDArray,
    cumulative: NDArray,
    guide: NDArray,
    start: NDArray,
    lowest: NDArray,
    base: NDArray,
    extra: int,
    counts: NDArray,
    successes: NDArray,
    chosen: NDArray,
) -> None:
    """Fixed counts: arm k drawn base[k] times, and `extra` random distinct arms once more.

    Tables 2k and 2k+1 are Binomial(base[k], μ_k) and Binomial(base[k]+1, μ_k).
    """
    runs, arms = counts.shape
    order = np.arange(arms)
    lifted = np.zeros(arms, np.int64)
    for r in range(runs):
        for i in range(extra):
            j = i + next_below(state, arms - i)
            order[i], order[j] = order[j], order[i]
            lifted[order[i]] = 1
        for k in range(arms):
            counts[r, k] = base[k] + lifted[k]
            successes[r, k] = draw_binomial(state, cumulative, guide, start, lowest, 2 * k + lifted[k])
        for i in range(extra):
            lifted[order[i]] = 0
        chosen[r] = best_empirical_arm(state, counts[r], successes[r])


@njit(nogil=True, cache=True)
def simulate_elimination(
    state: NDArray,
    cumulative: NDArray,
    guide: NDArray,
    start: NDArray,
    lowest: NDArray,
    draws: NDArray,
    keep: NDArray,
    fresh: bool,
    counts: NDArray,
    successes: NDArray,
    chosen: NDArray,
    phase_draws: NDArray,
) -> None:
    """Successive Rejects and Sequential Halving by an `Elimination` schedule.

    Table r·K + k is Binomial(draws[r], μ_k). `phase_draws` (rounds, K) float64 gains Σ over runs of the
    cumulative draws of each arm at the end of each round.
    """
    runs, arms = counts.shape
    active = np.empty(arms, np.int64)
    score = np.zeros(arms, np.int64)
    for r in range(runs):
        alive = arms
        for k in range(arms):
            active[k] = k
            counts[r, k] = 0
            successes[r, k] = 0
        for phase in range(draws.shape[0]):
            for i in range(alive):
                k = active[i]
                new = draw_binomial(state, cumulative, guide, start, lowest, phase * arms + k)
                counts[r, k] += draws[phase]
                successes[r, k] += new
                score[k] = new if fresh else successes[r, k]
            while alive > keep[phase]:
                worst, ties = 0, 1
                for i in range(1, alive):
                    if score[active[i]] < score[active[worst]]:
                        worst, ties = i, 1
                    elif score[active[i]] == score[active[worst]]:
                        ties += 1
                        if next_below(state, ties) == 0:
                            worst = i
                alive -= 1
                active[worst] = active[alive]
            for k in range(arms):
                phase_draws[phase, k] += counts[r, k]
        chosen[r] = active[0]
