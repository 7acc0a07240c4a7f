"""Rates against the paper's table of values, closed forms and brute-force minimisation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from engine.methods.best_arm.instances import FAMILIES, mirrored
from engine.methods.best_arm.rates import (
    bernoulli_kl,
    best_share,
    complexity,
    downfall,
    log_bar,
    sr_rate,
    sr_rate_terms,
    static_rate,
    two_arm_rate,
    uniform_rate,
)
from engine.methods.best_arm.static_optimum import best_static_weights


def test_uniform_two_arm_rate_and_mirror_symmetry():
    assert two_arm_rate(0.5, 0.5, 0.4) == pytest.approx(0.005076711716, abs=1e-12)
    assert two_arm_rate(0.5, 0.9, 0.8) == pytest.approx(0.010101353659, abs=1e-12)
    assert two_arm_rate(0.5, 0.2, 0.1) == pytest.approx(0.010101353659, abs=1e-12)


@pytest.mark.parametrize(
    ("means", "share", "rate", "digits"),
    [((0.9, 0.8), 0.523875, 0.01012452, 1e-8), ((0.99, 0.5), 0.620212, 0.27277471, 1e-8)],
)
def test_best_share(means, share, rate, digits):
    x = float(best_share(*means))
    assert x == pytest.approx(share, abs=1e-6)
    assert two_arm_rate(x, *means) == pytest.approx(rate, abs=digits)
    grid = np.linspace(0.01, 0.99, 981)
    assert two_arm_rate(grid, *means).max() <= two_arm_rate(x, *means)


def test_uniform_rate_at_a_certain_arm():
    assert two_arm_rate(0.5, 0.99, 0.5) == pytest.approx(0.25583070, abs=1e-8)
    assert best_share(0.3, 0.3) == 0.5


def test_two_arm_rate_is_the_minimum_over_common_levels():
    for x, a, b in [(0.3, 0.7, 0.2), (0.62, 0.99, 0.5), (0.5, 0.05, 0.04)]:
        found = minimize_scalar(
            lambda level, x=x, a=a, b=b: float((1 - x) * bernoulli_kl(level, a) + x * bernoulli_kl(level, b)),
            bounds=(b, a),
            method="bounded",
            options={"xatol": 1e-10},
        )
        assert two_arm_rate(x, a, b) == pytest.approx(found.fun, rel=1e-8)


@pytest.mark.parametrize(
    ("means", "sr", "uniform"),
    [
        ((0.5, 0.01, 0.01), 0.14406018, 0.17055380),
        ((0.5, 0.4, 0.4), 0.00337617, 0.00338447),
        ((0.5, 0.45, 0.4), 0.00094104, 0.00083648),
        ((0.9, 0.5, 0.5), 0.07850225, 0.07438118),
        ((0.1, 0.05, 0.05), 0.00298484, 0.00309197),
    ],
)
def test_sr_and_uniform_rates(means, sr, uniform):
    assert sr_rate(means) == pytest.approx(sr, abs=5e-9)
    assert uniform_rate(means) == pytest.approx(uniform, abs=5e-9)
    assert sr_rate(means[::-1]) == sr_rate(means)


def test_ratio_tends_to_one_over_logbar_as_losers_vanish():
    for arms, ratio in [(5, 0.666676), (20, 0.398427)]:
        means = np.array([0.5] + [0.01] * (arms - 1))
        assert sr_rate(means) / uniform_rate(means) == pytest.approx(ratio, abs=1e-6)
    means = np.array([0.5] + [1e-9] * 4)
    assert sr_rate(means) / uniform_rate(means) == pytest.approx(1 / log_bar(5), rel=1e-3)
    ten = np.array([0.5] + [0.1] * 9)
    assert sr_rate(ten) == pytest.approx(0.014205, abs=1e-6)
    assert uniform_rate(ten) == pytest.approx(0.022314, abs=1e-6)


def test_sr_with_two_arms_has_the_uniform_rate():
    assert log_bar(2) == 1.0
    assert sr_rate((0.7, 0.2)) == pytest.approx(uniform_rate((0.7, 0.2)), rel=1e-14)


def test_downfall_is_the_minimum_of_its_definition():
    rng = np.random.default_rng(3)
    for _ in range(40):
        means = np.sort(rng.uniform(0.01, 0.99, rng.integers(2, 8)))[::-1]
        j = int(rng.integers(2, means.size + 1))

        def total(y, means=means, j=j):
            lower = means[1:j]
            return float(bernoulli_kl(y, means[0]) + np.where(lower < y, bernoulli_kl(y, lower), 0).sum())

        levels = np.linspace(means[j - 1], means[0], 251)
        fall = downfall(means, j)
        assert fall.value == pytest.approx(min(total(y) for y in levels), rel=2e-2, abs=1e-6)
        assert fall.value <= min(total(y) for y in levels) + 1e-12
        assert fall.value == pytest.approx(total(fall.level), rel=1e-9)
        assert all(means[k] < fall.level for k in fall.arms) or len(fall.arms) == 1


def test_rates_of_certain_arms_are_infinite_or_finite_as_they_should():
    assert uniform_rate((1.0, 0.0)) == np.inf
    assert uniform_rate((1.0, 0.5)) == pytest.approx(np.log(2) / 2, rel=1e-14)
    assert uniform_rate((0.5, 0.0)) == pytest.approx(np.log(2) / 2, rel=1e-14)
    assert uniform_rate((0.4, 0.4, 0.4)) == 0.0
    assert sr_rate_terms((0.4, 0.4, 0.4)) == pytest.approx([0.0, 0.0], abs=1e-15)


def test_best_static_weights():
    weights, rate = best_static_weights((0.9, 0.8))
    assert weights[1] == pytest.approx(float(best_share(0.9, 0.8)), abs=1e-6)
    assert rate == pytest.approx(0.01012452, abs=1e-8)
    means = np.array([0.5, 0.45, 0.3, 0.44])
    weights, rate = best_static_weights(means)
    assert weights.sum() == pytest.approx(1.0)
    assert rate == pytest.approx(static_rate(means, weights), rel=1e-6)
    assert rate > max(uniform_rate(means), sr_rate(means))
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = rng.dirichlet(np.ones(4) * 4)
        assert static_rate(means, other) <= rate * (1 + 1e-6)
    assert static_rate(means, np.full(4, 0.25)) == pytest.approx(uniform_rate(means), rel=1e-12)


def test_complexity():
    assert complexity((0.5, 0.4, 0.3)) == pytest.approx(100 + 100 + 25)
    assert complexity((0.5, 0.5)) == np.inf


def test_families_have_the_best_arm_first_and_mirror():
    for name, family in FAMILIES.items():
        means = family(6)
        assert means.size == 6, name
        assert (means[1:] < means[0]).all(), name
    assert mirrored((0.5, 0.1)) == pytest.approx([0.9, 0.5])
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        FAMILIES["one group"](3, best=0.05, gap=0.1)
