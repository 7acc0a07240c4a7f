"""Two-arm algorithms that aim at the estimated best share x*(μ̂): plug-in tracking and two-stage."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.phase_kernels import best_empirical_arm
from engine.methods.best_arm.streams import next_uniform


@njit(nogil=True, cache=True)
def log_tables(budget: int) -> tuple[NDArray, NDArray]:
    """(ln(i+½), ln(i+1)) for i = 0..budget: all the logarithms that smoothed means need."""
    i = np.arange(budget + 1)
    return np.log(i + 0.5), np.log(i + 1.0)


@njit(nogil=True, cache=True)
def plug_in_share(n1: int, n2: int, s1: int, s2: int, log_half: NDArray, log_one: NDArray) -> float:
    """x*(μ̂) for the smoothed means (s+½)/(n+1): target share of arm 2; ½ when the means are equal."""
    if (2 * s1 + 1) * (n2 + 1) == (2 * s2 + 1) * (n1 + 1):
        return 0.5
    logit_1 = log_half[s1] - log_half[n1 - s1]
    logit_2 = log_half[s2] - log_half[n2 - s2]
    a = (log_half[s1] - log_one[n1]) - (log_half[s2] - log_one[n2])
    b = (log_half[n2 - s2] - log_one[n2]) - (log_half[n1 - s1] - log_one[n1])
    return (np.log(b / a) - logit_1) / (logit_2 - logit_1)


@njit(nogil=True, cache=True)
def tracking_probability(
    n1: int, n2: int, s1: int, s2: int, exploration: float, log_half: NDArray, log_one: NDArray
) -> float:
    """P(draw arm 1) of plug-in tracking with t = n1+n2 draws made.

    The less-drawn arm (arm 1 when equal) if it has fewer than `exploration`·√(t+1) draws; else arm 1 if
    N_1 < (1−x*)t, arm 2 if N_1 > (1−x*)t, a fair coin if equal.
    """
    t = n1 + n2
    if min(n1, n2) < exploration * np.sqrt(t + 1.0):
        return 1.0 if n1 <= n2 else 0.0
    return steer(n1, t, plug_in_share(n1, n2, s1, s2, log_half, log_one))


@njit(nogil=True, cache=True, inline="always")
def steer(n1: int, t: int, share: float) -> float:
    """P(draw arm 1) that moves N_1 towards (1−share)·t; ½ when it is there already."""
    target = (1.0 - share) * t
    if abs(n1 - target) < 1e-9:
        return 0.5
    return 1.0 if n1 < target else 0.0


@njit(nogil=True, cache=True)
def simulate_tracking(
    state: NDArray,
    means: NDArray,
    budget: int,
    exploration: float,
    stage: int,
    counts: NDArray,
    successes: NDArray,
    chosen: NDArray,
    checkpoints: NDArray,
    path: NDArray,
) -> None:
    """Plug-in tracking (stage < 0), or two stages: `stage` draws shared equally, then x*(μ̂) kept fixed.

    Outputs as in `index_kernels`; two arms. In the second stage the target share is the one estimated
    at the end of the first.
    """
    runs = counts.shape[0]
    log_half, log_one = log_tables(budget)
    for r in range(runs):
        n, s = np.zeros(2, np.int64), np.zeros(2, np.int64)
        mark, share = 0, 0.5
        for t in range(budget):
            if stage < 0:
                p = tracking_probability(n[0], n[1], s[0], s[1], exploration, log_half, log_one)
            else:
                if t == stage:
                    share = plug_in_share(n[0], n[1], s[0], s[1], log_half, log_one)
                p = steer(n[0], t, share)
            pick = 0 if p == 1.0 or (p > 0.0 and next_uniform(state) < p) else 1
            n[pick] += 1
            if next_uniform(state) < means[pick]:
                s[pick] += 1
            if mark < checkpoints.shape[0] and checkpoints[mark] == t + 1:
                path[mark, 0] += n[0]
                path[mark, 1] += n[1]
                mark += 1
        counts[r, 0], counts[r, 1] = n[0], n[1]
        successes[r, 0], successes[r, 1] = s[0], s[1]
        chosen[r] = best_empirical_arm(state, counts[r], successes[r])
