"""Exact error probabilities: reference values, rational arithmetic, each computation against another."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, log

import numpy as np
import pytest
from scipy.stats import binom

from engine.methods.best_arm.algorithms import Algorithm, static_two_arms
from engine.methods.best_arm.binomial_logs import log_above, log_below, log_pmf
from engine.methods.best_arm.exact_counts import (
    log_error_fixed,
    log_error_static,
    log_error_uniform,
    selection_probabilities,
)
from engine.methods.best_arm.exact_elimination import is_computable, log_error_elimination
from engine.methods.best_arm.planner import log_error_exact, smallest_budget
from engine.methods.best_arm.rates import uniform_rate
from engine.methods.best_arm.schedules import (
    sequential_halving_schedule,
    smallest_budget_for,
    sr_lengths,
    static_counts,
    successive_rejects_schedule,
)


@pytest.mark.parametrize(
    ("means", "budget", "value"),
    [
        ((0.5, 0.4), 100, 0.157430100057),
        ((0.5, 0.4), 400, 0.0220047686835),
        ((0.5, 0.4), 1000, 7.22192214e-4),
        ((0.5, 0.4), 2000, 3.30713981e-6),
        ((0.6, 0.5), 200, 0.0773382794953),
        ((0.9, 0.8), 200, 0.0226190255632),
        ((0.5, 0.5), 200, 0.5),
    ],
)
def test_uniform_two_arms(means, budget, value):
    assert exp(log_error_uniform(means, budget)) == pytest.approx(value, rel=2e-9)


@pytest.mark.parametrize(
    ("means", "budget", "value", "rel"),
    [
        ((0.5, 0.4, 0.4), 120, 0.2909695484, 1e-9),
        ((0.5, 0.45, 0.3), 120, 0.334708147, 1e-9),
        ((0.5, 0.01, 0.01), 60, 8.884431137e-6, 1e-9),
        ((0.5, *[0.1] * 9), 300, 1.06847e-3, 1e-5),
        ((0.6, 0.5, 0.45, 0.4, 0.35), 1000, 0.0228583, 2e-6),
    ],
)
def test_uniform_more_arms(means, budget, value, rel):
    assert exp(log_error_uniform(means, budget)) == pytest.approx(value, rel=rel)


def rational_uniform_error(means: list[Fraction], n: int) -> Fraction:
    """1 − P(right), the tie polynomial multiplied out in exact arithmetic."""
    rows = [[comb(n, s) * m**s * (1 - m) ** (n - s) for s in range(n + 1)] for m in means]
    right = Fraction(0)
    for s in range(n + 1):
        poly = [Fraction(1)]
        for row in rows[1:]:
            below, equal = sum(row[:s], Fraction(0)), row[s]
            low, high = [below * c for c in poly], [equal * c for c in poly]
            poly = [a + b for a, b in zip([*low, Fraction(0)], [Fraction(0), *high], strict=True)]
        right += rows[0][s] * sum((c / (1 + j) for j, c in enumerate(poly)), Fraction(0))
    return 1 - right


def test_tiny_errors_keep_their_relative_accuracy():
    # Through 1 − P(right) in doubles this is 2.39796e-10, wrong in the sixth digit.
    exact = rational_uniform_error([Fraction(1, 2), Fraction(1, 100), Fraction(1, 100)], 40)
    assert exp(log_error_uniform((0.5, 0.01, 0.01), 120)) == pytest.approx(float(exact), rel=1e-11)
    five = [Fraction(p, 100) for p in (60, 50, 45, 40, 35)]
    exact = rational_uniform_error(five, 40)
    assert exp(log_error_uniform([float(m) for m in five], 200)) == pytest.approx(float(exact), rel=1e-12)


def brute_force_counts(means, counts) -> float:
    """P(error) by enumerating all sums, ties shared."""
    rows = [binom.pmf(np.arange(n + 1), n, m) for m, n in zip(means, counts, strict=True)]
    wrong = 0.0
    for sums in product(*[range(n + 1) for n in counts]):
        fractions = [Fraction(s, n) if n else Fraction(1, 2) for s, n in zip(sums, counts, strict=True)]
        tied = [k for k, f in enumerate(fractions) if f == max(fractions)]
        chance = np.prod([row[s] for row, s in zip(rows, sums, strict=True)])
        wrong += chance * sum(means[k] < max(means) for k in tied) / len(tied)
    return float(wrong)


@pytest.mark.parametrize(
    ("means", "counts"),
    [
        ((0.5, 0.4, 0.2), (3, 5, 4)),
        ((0.2, 0.9, 0.5, 0.5), (2, 3, 4, 3)),
        ((0.6, 0.6, 0.3), (4, 4, 4)),
        ((0.7, 0.6, 0.3), (4, 3, 0)),
        ((1.0, 0.5, 0.0), (3, 3, 3)),
    ],
)
def test_fixed_counts_by_enumeration(means, counts):
    value = brute_force_counts(means, counts)
    assert exp(log_error_fixed(means, counts)) == pytest.approx(value, rel=1e-12)
    chosen = selection_probabilities(means, counts)
    assert chosen.sum() == pytest.approx(1.0, abs=1e-12)
    wrong = chosen[np.array(means) < max(means)].sum()
    assert wrong == pytest.approx(value, rel=1e-12)


def test_leftover_draws_go_to_random_distinct_arms():
    means = (0.5, 0.4, 0.2, 0.3)
    lifted = [c for c in product((0, 1), repeat=4) if sum(c) == 2]
    value = np.mean([brute_force_counts(means, [3 + b for b in c]) for c in lifted])
    assert exp(log_error_uniform(means, 14)) == pytest.approx(value, rel=1e-12)
    tied = (0.5, 0.5, 0.2, 0.3)
    value = np.mean([brute_force_counts(tied, [3 + b for b in c]) for c in lifted])
    assert exp(log_error_uniform(tied, 14)) == pytest.approx(value, rel=1e-12)


def test_the_trio_that_carries_the_message():
    share = static_two_arms(0.62).weights
    assert list(static_counts(share, 150)) == [57, 93]
    rows = [
        ((0.99, 0.5), 7.638332859e-20, 1.486299783e-18),
        ((0.5, 0.01), 9.147680382e-16, 1.486299783e-18),
        ((0.5, 0.4), 0.1151267322, 0.1089729439),
    ]
    for means, static, uniform in rows:
        assert exp(log_error_static(means, share, 150)) == pytest.approx(static, rel=1e-9)
        assert exp(log_error_uniform(means, 150)) == pytest.approx(uniform, rel=1e-9)


def test_errors_below_double_range_stay_in_logarithms():
    value = log_error_uniform((0.5, 0.4), 1_000_000)
    assert value < -745  # exp would be 0
    assert value / 1_000_000 == pytest.approx(-uniform_rate((0.5, 0.4)), rel=2e-3)


def test_log_tails_agree_with_scipy():
    for n, p in [(40, 0.3), (1000, 0.004), (7, 0.99)]:
        pmf, s = log_pmf(n, p), np.arange(n + 1)
        assert pmf == pytest.approx(binom.logpmf(s, n, p), rel=1e-10)
        upper, lower = binom.sf(s, n, p), binom.cdf(s - 1, n, p)
        assert np.exp(log_above(pmf))[upper > 1e-250] == pytest.approx(upper[upper > 1e-250], rel=1e-9)
        assert np.exp(log_below(pmf))[lower > 1e-250] == pytest.approx(lower[lower > 1e-250], rel=1e-9)


def test_allocations():
    assert sr_lengths(3, 120) == (30, 44)
    for budget in (100, 101):
        sr, sh = successive_rejects_schedule(2, budget), sequential_halving_schedule(2, budget)
        assert sr.draws == (-(-(budget - 2) // 2),)
        assert sh.draws == (budget // 2,)
    assert successive_rejects_schedule(2, 100).unused == 2
    for arms, budget in product((2, 3, 7, 40), (300, 777)):
        for schedule in (
            successive_rejects_schedule(arms, budget),
            sequential_halving_schedule(arms, budget),
        ):
            assert schedule.used + schedule.unused == budget
            assert schedule.unused >= 0
            assert schedule.keep[-1] == 1
    assert sequential_halving_schedule(8, 240).keep == (4, 2, 1)


@pytest.mark.parametrize("algorithm", ["uniform", "sr", "sh", "ucbe"])
def test_budgets_that_are_too_small_name_the_smallest(algorithm):
    least = smallest_budget_for(5, algorithm)
    Algorithm(algorithm).check(5, least)
    with pytest.raises(ValueError, match=f"at least {least}"):
        Algorithm(algorithm).check(5, least - 1)


@pytest.mark.parametrize(
    ("means", "budget", "value"),
    [
        ((0.5, 0.4, 0.4), 120, 0.2826975927),
        ((0.5, 0.45, 0.3), 120, 0.3277734391),
        ((0.5, 0.01, 0.01), 120, 1.379924993e-9),
        ((0.5, 0.01, 0.01), 60, 1.757480978e-5),
    ],
)
def test_successive_rejects_three_arms(means, budget, value):
    schedule = successive_rejects_schedule(3, budget)
    assert is_computable(means, schedule)
    assert exp(log_error_elimination(means, schedule)) == pytest.approx(value, rel=1e-9)


def brute_force_elimination(means, schedule) -> float:
    """P(error) by walking through all outcomes of all rounds, ties shared."""

    def walk(active, sums, round_):
        if len(active) == 1:
            return float(means[active[0]] < max(means))
        draws, kept = schedule.draws[round_], schedule.keep[round_]
        rows = [binom.pmf(np.arange(draws + 1), draws, means[k]) for k in active]
        total = 0.0
        for new in product(range(draws + 1), repeat=len(active)):
            chance = float(np.prod([row[s] for row, s in zip(rows, new, strict=True)]))
            before = [0] * len(active) if schedule.fresh else sums
            total += chance * leave(active, [a + b for a, b in zip(before, new, strict=True)], kept, round_)
        return total

    def leave(active, sums, kept, round_):
        if len(active) == kept:
            return walk(active, sums, round_ + 1)
        worst = [i for i, s in enumerate(sums) if s == min(sums)]
        parts = [leave(active[:i] + active[i + 1 :], sums[:i] + sums[i + 1 :], kept, round_) for i in worst]
        return sum(parts) / len(parts)

    return walk(list(range(len(means))), [0] * len(means), 0)


@pytest.mark.parametrize(
    ("means", "schedule"),
    [
        ((0.3, 0.6, 0.5, 0.2), successive_rejects_schedule(4, 12)),
        ((0.6, 0.5, 0.4, 0.2), sequential_halving_schedule(4, 16)),
        ((0.6, 0.5, 0.4, 0.2), sequential_halving_schedule(4, 16, reuse=False)),
        ((0.6, 0.5, 0.1), sequential_halving_schedule(3, 24, reuse=False)),
    ],
)
def test_elimination_by_enumeration(means, schedule):
    value = brute_force_elimination(means, schedule)
    assert exp(log_error_elimination(means, schedule)) == pytest.approx(value, rel=1e-12)


def test_large_tensors_and_tiny_values_are_declined():
    assert not is_computable((0.5, *[0.4] * 6), successive_rejects_schedule(7, 700))
    assert not is_computable((0.5, 0.01, 0.01), successive_rejects_schedule(3, 5000))
    assert log_error_exact(Algorithm("sr"), (0.5, *[0.4] * 6), 700) is None


def test_planner_finds_the_smallest_budget():
    for means, error in [((0.5, 0.4), 0.05), ((0.05, 0.04), 0.05), ((0.5, 0.45, 0.3), 0.1)]:
        plan = smallest_budget(means, error)
        arms = len(means)
        assert plan.budget is not None
        assert plan.budget % arms == 0
        assert log_error_uniform(means, plan.budget) <= log(error)
        assert log_error_uniform(means, plan.budget - arms) > log(error)
    assert smallest_budget((0.5, 0.4), 0.05).budget == 268


def test_planner_says_what_cannot_be_reached():
    plan = smallest_budget((0.5, 0.5), 0.05)
    assert plan.budget is None
    assert exp(plan.log_error) == pytest.approx(0.5)
    plan = smallest_budget((0.5, 0.499), 0.01, max_budget=1000)
    assert plan.budget is None
    assert plan.tried <= 1000
    with pytest.raises(ValueError, match="between 0 and 1"):
        smallest_budget((0.5, 0.4), 0.0)


def test_planner_with_fixed_shares_needs_more_when_they_are_wrong():
    plan = smallest_budget((0.05, 0.04), 0.05, weights=(0.3, 0.7))
    assert plan.budget > smallest_budget((0.05, 0.04), 0.05).budget
    assert log_error_static((0.05, 0.04), (0.3, 0.7), plan.budget) <= log(0.05)
