"""Exact error probability of the two-stage rule on two arms.

Given the first stage the second is a static allocation, so the sum runs over the first-stage sums and,
inside, over the extra successes of arm 1, with tails of arm 2 looked up.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.binomial_logs import pmf_rows
from engine.methods.best_arm.tracking_kernels import log_tables, plug_in_share


def two_stage_error(mean_1: float, mean_2: float, budget: int, stage: int) -> float:
    """P(error) of two stages: `stage` draws (even, 2..budget) shared equally, then x*(μ̂) kept fixed.

    Right is to recommend the larger mean; arm 1 when equal. Cost O(stage² budget / 8).
    """
    if stage % 2 or not 2 <= stage <= budget:
        raise ValueError(f"the first stage must be an even number from 2 to {budget}, not {stage}")
    largest = budget - stage
    rows_1, rows_2 = pmf_rows(max(largest, stage // 2), mean_1), pmf_rows(max(largest, stage // 2), mean_2)
    at_least = np.concatenate([np.cumsum(row[::-1])[::-1] for row in rows_2])
    up_to = np.concatenate([np.cumsum(row) for row in rows_2])
    one, two = _choices(
        stage // 2, budget, np.concatenate(rows_1), np.concatenate(rows_2), at_least, up_to,
        *log_tables(budget),
    )  # fmt: skip
    return float(two if mean_1 >= mean_2 else one)


@njit(nogil=True, cache=True)
def _choices(
    half: int,
    budget: int,
    pmf_1: NDArray,
    pmf_2: NDArray,
    at_least: NDArray,
    up_to: NDArray,
    log_half: NDArray,
    log_one: NDArray,
) -> tuple[float, float]:
    """(P(recommend 1), P(recommend 2)); rows laid end to end, row n begins at n(n+1)/2."""
    row = half * (half + 1) // 2
    one = two = 0.0
    for s1 in range(half + 1):
        for s2 in range(half + 1):
            start = pmf_1[row + s1] * pmf_2[row + s2]
            if start == 0.0:
                continue
            share = plug_in_share(half, half, s1, s2, log_half, log_one)
            n1, coin = final_count(half, budget, share)
            for extra in range(2):
                chance = coin if extra else 1.0 - coin
                if chance > 0.0:
                    a, b = _recommend(
                        half, s1, s2, n1 + extra, budget - n1 - extra, pmf_1, pmf_2, at_least, up_to
                    )
                    one += start * chance * a
                    two += start * chance * b
    return one, two


@njit(nogil=True, cache=True)
def final_count(half: int, budget: int, share: float) -> tuple[int, float]:
    """(N_1 at the end, chance that it is one more) when every draw steers N_1 towards (1−share)·t.

    A coin thrown at t leaves N_1 at n or n+1; the next draw brings both to n+1, so that only a coin at
    the last draw matters.
    """
    n1, t = half, 2 * half
    while t < budget:
        target = (1.0 - share) * t
        if abs(n1 - target) < 1e-9:
            if t == budget - 1:
                return n1, 0.5
            n1, t = n1 + 1, t + 1
        elif n1 < target:
            n1 += 1
        t += 1
    return n1, 0.0


@njit(nogil=True, cache=True)
def _recommend(
    half: int,
    s1: int,
    s2: int,
    n1: int,
    n2: int,
    pmf_1: NDArray,
    pmf_2: NDArray,
    at_least: NDArray,
    up_to: NDArray,
) -> tuple[float, float]:
    """(P(recommend 1), P(recommend 2)) given the first-stage sums and the final counts."""
    m1, m2 = n1 - half, n2 - half
    row_1, row_2 = m1 * (m1 + 1) // 2, m2 * (m2 + 1) // 2
    one = two = 0.0
    x = 0  # smallest number of extra successes of arm 2 with which it is not behind
    for e1 in range(m1 + 1):
        goal = (s1 + e1) * n2
        while x <= m2 and (s2 + x) * n1 < goal:
            x += 1
        behind = up_to[row_2 + x - 1] if x > 0 else 0.0
        tied = x <= m2 and (s2 + x) * n1 == goal
        tie = pmf_2[row_2 + x] if tied else 0.0
        first_ahead = x + 1 if tied else x
        ahead = at_least[row_2 + first_ahead] if first_ahead <= m2 else 0.0
        one += pmf_1[row_1 + e1] * (behind + 0.5 * tie)
        two += pmf_1[row_1 + e1] * (ahead + 0.5 * tie)
    return one, two
