"""Planning an A/B/n test with exact error probabilities: the error at a budget, the budget for an error."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.methods.best_arm.algorithms import Algorithm
from engine.methods.best_arm.exact_counts import log_error_static, log_error_uniform
from engine.methods.best_arm.exact_elimination import is_computable, log_error_elimination
from engine.methods.best_arm.schedules import (
    Elimination,
    sequential_halving_schedule,
    successive_rejects_schedule,
)

EXACT_TWO_ARM_BUDGET = 300
"""Largest budget for which a two-arm policy is evaluated by the forward pass without being asked."""


MAX_COST = 3e8
"""Inner steps of the exact uniform error that are still taken (about two seconds)."""


@dataclass(frozen=True)
class Plan:
    """`budget` draws give an error of exp(`log_error`); None, and the error at `tried`, if out of reach."""

    budget: int | None
    log_error: float
    tried: int


def log_error_exact(algorithm: Algorithm, means: ArrayLike, budget: int) -> float | None:
    """ln P(error) at `budget` draws where a formula or a small pass gives it exactly, else None.

    Uniform and static: any K. Successive Rejects and Halving: two arms, or as far as the joint law of
    the survivors fits. Two arms: every other algorithm up to `EXACT_TWO_ARM_BUDGET` draws.
    """
    m = np.asarray(means, dtype=float)
    algorithm.check(m.size, budget)
    if algorithm.name == "uniform":
        return log_error_uniform(m, budget) if uniform_cost(m.size, budget) < MAX_COST else None
    if algorithm.name == "static":
        assert algorithm.weights is not None
        return log_error_static(m, algorithm.weights, budget)
    schedule = elimination_schedule(algorithm, m.size, budget)
    if schedule is not None:
        return log_error_elimination(m, schedule) if is_computable(m, schedule) else None
    if m.size == 2 and budget <= EXACT_TWO_ARM_BUDGET:
        return math.log(_two_arm_error(algorithm, m, budget))
    return None


def uniform_cost(arms: int, budget: int) -> float:
    """Inner steps of `log_error_uniform`: values of the sum that matter × arms × nodes × leftovers."""
    each = budget / arms
    return min(each, 12 * math.sqrt(each) + 50) * arms * (arms / 2 + 1) * (budget % arms + 1)


def elimination_schedule(algorithm: Algorithm, arms: int, budget: int) -> Elimination | None:
    """The rounds of "sr", "sh" and "sh_fresh"; None for other algorithms."""
    if algorithm.name == "sr":
        return successive_rejects_schedule(arms, budget)
    if algorithm.name in ("sh", "sh_fresh"):
        return sequential_halving_schedule(arms, budget, reuse=algorithm.name == "sh")
    return None


def _two_arm_error(algorithm: Algorithm, means: np.ndarray, budget: int) -> float:
    from engine.methods.best_arm.two_arm_exact import two_arm_law
    from engine.methods.best_arm.two_arm_policies import policy_of
    from engine.methods.best_arm.two_stage_exact import two_stage_error

    if algorithm.name == "two_stage":
        return two_stage_error(means[0], means[1], budget, algorithm.first_stage(budget))
    law = two_arm_law(policy_of(algorithm, means), budget)
    return float(law.error(means[0], means[1])[0, 0])


def smallest_budget(
    means: ArrayLike,
    error: float,
    *,
    weights: ArrayLike | None = None,
    max_budget: int = 10_000_000,
) -> Plan:
    """Smallest T, a multiple of K, for which equal sampling (or fixed `weights`) errs with ≤ `error`.

    `means` (K,), 0 < `error` < 1. Bisection on the exact error, bracketed by doubling from K; the exact
    error of n draws per arm falls with n. With `weights` T is any integer and rounding of the shares
    makes the last step approximate by at most one draw per arm. There is no budget when all means are
    equal, or when `max_budget` is not enough.
    """
    m = np.asarray(means, dtype=float)
    if not 0 < error < 1:
        raise ValueError(f"the allowed error must lie between 0 and 1, not {error}")
    if (m == m[0]).all():
        return Plan(None, log_error_uniform(m, m.size), m.size)
    goal, unit = math.log(error), m.size if weights is None else 1

    def value(n: int) -> float:
        if weights is None:
            return log_error_uniform(m, n * unit)
        return log_error_static(m, weights, n)

    low, high = 0, 1 if weights is None else m.size
    while value(high) > goal:
        if 2 * high * unit > max_budget:
            return Plan(None, value(high), high * unit)
        low, high = high, 2 * high
    high = _bisect(lambda n: value(n) <= goal, low, high)
    return Plan(high * unit, value(high), high * unit)


def _bisect(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Smallest n in (low, high] where `holds`, given that it does not at low and does at high."""
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def normal_approximation(mean_1: float, mean_2: float, error: float) -> float:
    """Budget by the normal approximation, two equal groups: 2 z² (σ1²+σ2²)/Δ², for comparison."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf(1 - error)
    spread = mean_1 * (1 - mean_1) + mean_2 * (1 - mean_2)
    return 2 * z * z * spread / (mean_1 - mean_2) ** 2
