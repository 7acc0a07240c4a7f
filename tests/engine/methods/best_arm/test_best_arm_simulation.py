"""Simulations against exact values, the step-by-step procedures, and their own repeatability."""

from __future__ import annotations

import subprocess
import sys
from math import exp, sqrt

import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from engine.methods.best_arm.algorithms import ALGORITHMS, Algorithm
from engine.methods.best_arm.binomial_tables import binomial_tables, draw_binomial
from engine.methods.best_arm.intervals import clopper_pearson, wilson
from engine.methods.best_arm.planner import log_error_exact
from engine.methods.best_arm.replay import bernoulli_source, largest_budget, log_source, trace
from engine.methods.best_arm.simulation import Simulator, correct_arms, simulate
from engine.methods.best_arm.streams import next_uniform, stream
from engine.methods.best_arm.thompson_kernels import draw_beta
from engine.methods.best_arm.tilting import tilted_error

THREE = (0.5, 0.45, 0.3)


def run(name, means, budget, runs, seed=0, **settings):
    simulator = Simulator(Algorithm(name, **settings), means, budget, seed=seed)
    return list(simulate(simulator, runs))[-1]


def error(tally, means) -> float:
    return tally.errors(correct_arms(means)) / tally.runs


def agrees(estimate, exact, runs) -> bool:
    return abs(estimate - exact) < 4 * sqrt(exact * (1 - exact) / runs)


@pytest.mark.parametrize("name", ["uniform", "sr", "sh", "sh_fresh"])
@pytest.mark.parametrize("means", [THREE, (0.4, 0.5, 0.4), (0.55, 0.5, 0.35, 0.3)])
def test_phase_algorithms_agree_with_exact_values(name, means):
    exact = exp(log_error_exact(Algorithm(name), means, 121))
    assert agrees(error(run(name, means, 121, 200_000), means), exact, 200_000)


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_two_arms_agree_with_exact_values(name):
    means, runs = (0.5, 0.35), 60_000
    settings = {"weights": (0.4, 0.6)} if name == "static" else {}
    exact = exp(log_error_exact(Algorithm(name, **settings), means, 60))
    tally = run(name, means, 60, runs, **settings)
    assert agrees(error(tally, means), exact, runs)
    assert tally.split.sum() == runs


@pytest.mark.parametrize(
    ("name", "settings"), [("ucbe", {"exploration": 3.0}), ("ttts", {"leader_share": 0.7})]
)
def test_settings_reach_the_simulation(name, settings):
    means = (0.5, 0.35)
    exact = exp(log_error_exact(Algorithm(name, **settings), means, 60))
    assert agrees(error(run(name, means, 60, 60_000, **settings), means), exact, 60_000)


def test_continuous_rejects_reference():
    for means, c, a in [(THREE, 0.321, 0.319), ((0.5, 0.4, 0.4), 0.273, 0.273)]:
        sr = exp(log_error_exact(Algorithm("sr"), means, 120))
        for name, value in (("cr_c", c), ("cr_a", a)):
            found = error(run(name, means, 120, 100_000), means)
            assert found == pytest.approx(value, abs=0.01)
            assert found < sr


@pytest.mark.parametrize(
    ("budget", "sr", "sh", "fresh"), [(200, 0.198, 0.203, 0.264), (1000, 0.0092, 0.0078, 0.0317)]
)
def test_five_arms_reference(budget, sr, sh, fresh):
    means = (0.6, 0.5, 0.45, 0.4, 0.35)
    for name, value in (("sr", sr), ("sh", sh), ("sh_fresh", fresh)):
        assert error(run(name, means, budget, 400_000), means) == pytest.approx(value, rel=0.05)


def test_near_zero_losers_favour_uniform():
    ten = (0.5, *[0.1] * 9)
    assert error(run("sr", ten, 300, 400_000), ten) == pytest.approx(5.1e-4, rel=0.25)
    three = (0.5, 0.01, 0.01)
    sr, uniform = (exp(log_error_exact(Algorithm(n), three, 120)) for n in ("sr", "uniform"))
    assert sr > 4 * uniform


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_compiled_simulations_agree_with_the_procedures(name):
    means = (0.6, 0.35) if ALGORITHMS[name].two_arms_only else (0.6, 0.35, 0.5)
    settings = {"weights": (0.5, 0.2, 0.3)} if name == "static" else {}
    algorithm = Algorithm(name, **settings)
    runs, budget, rng = 600, 24, np.random.default_rng(1)
    traces = [trace(algorithm, len(means), budget, bernoulli_source(means, rng), rng) for _ in range(runs)]
    tally = run(name, means, budget, 40_000, **settings)
    p = error(tally, means)
    assert abs(np.mean([t.recommended != 0 for t in traces]) - p) < 4 * sqrt(p * (1 - p) / runs)
    counts = np.array([t.counts for t in traces])
    spread = counts.std(axis=0) / sqrt(runs) + 1e-9
    assert (np.abs(counts.mean(axis=0) - tally.draws / tally.runs) < 4.5 * spread + 0.02).all()


@pytest.mark.parametrize("name", ["sr", "ucbe", "cr_a", "thompson"])
def test_same_seed_same_numbers_whatever_the_threads(name):
    simulator = Simulator(Algorithm(name), THREE, 50, seed=7, batch=200)
    one = list(simulate(simulator, 900))[-1]
    two = list(simulate(simulator, 900, threads=2))[-1]
    assert (one.chosen == two.chosen).all()
    assert (one.draws == two.draws).all()
    assert one.runs == 900
    other = list(simulate(Simulator(Algorithm(name), THREE, 50, seed=8, batch=200), 900))[-1]
    assert (one.chosen != other.chosen).any()


def test_labels_do_not_matter():
    for name in ("uniform", "sr", "sh", "cr_c", "ucbe"):
        means = (0.4, 0.4, 0.4, 0.4)
        chosen = run(name, means, 42, 40_000).chosen
        assert chisquare(chosen).pvalue > 1e-4, name


def test_shares_over_time():
    simulator = Simulator(Algorithm("sr"), (0.9, 0.1, 0.1), 120, checkpoints=[30, 90, 118])
    tally = list(simulate(simulator, 2000))[-1]
    assert tally.mean_shares[0] == pytest.approx([1 / 3] * 3)
    assert tally.mean_shares[2, 0] == pytest.approx(44 / 118)
    step = Simulator(Algorithm("thompson"), (0.9, 0.1), 60, checkpoints=[10, 60])
    shares = list(simulate(step, 2000))[-1].mean_shares
    assert shares[1, 0] > shares[0, 0] > 0.5
    assert shares.sum(axis=1) == pytest.approx([1, 1])


def test_importance_sampling_agrees_with_tiny_exact_values():
    for name, means, budget in [
        ("uniform", (0.5, 0.01, 0.01), 120),
        ("sr", (0.5, 0.01, 0.01), 120),
        ("uniform", (0.5, 0.4), 2000),
        ("tracking", (0.99, 0.5), 100),
    ]:
        estimate = list(tilted_error(Algorithm(name), means, budget, 40_000))[-1]
        exact = log_error_exact(Algorithm(name), means, budget)
        assert abs(exp(estimate.log_error - exact) - 1) < 4 * estimate.relative_error + 1e-3
        assert estimate.relative_error < 0.1
    with pytest.raises(ValueError, match="one best arm"):
        next(tilted_error(Algorithm("sr"), (0.5, 0.5, 0.1), 60, 100))


def test_binomial_tables_follow_the_distribution():
    trials, means = np.array([50, 3, 0, 9]), np.array([0.3, 0.9, 0.4, 1.0])
    t = binomial_tables(trials, means)
    state = stream((1, 2))
    args = (state, t.cumulative, t.guide, t.start, t.lowest)
    draws = np.array([draw_binomial.py_func(*args, 0) for _ in range(2000)])
    assert draws.mean() == pytest.approx(15, abs=4 * sqrt(10.5 / 2000))
    assert draws.var() == pytest.approx(10.5, rel=0.15)
    assert {draw_binomial.py_func(*args, 2) for _ in range(20)} == {0}
    assert {draw_binomial.py_func(*args, 3) for _ in range(20)} == {9}


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 6), (7, 1), (3, 2), (2, 9), (40, 17)])
def test_beta_draws(a, b):
    state = stream((3, a, b))
    values = np.array([draw_beta(state, a, b) for _ in range(4000)])
    assert kstest(values, "beta", args=(a, b)).pvalue > 1e-4


def test_uniform_draws():
    state = stream((0, 1))
    values = np.array([next_uniform.py_func(state) for _ in range(4000)])
    assert kstest(values, "uniform").pvalue > 1e-4
    assert values.max() < 1


def test_intervals():
    assert wilson(0, 100) == (0.0, pytest.approx(0.0369935, abs=1e-6))
    assert wilson(10, 100) == (pytest.approx(0.0552291, abs=1e-6), pytest.approx(0.1743657, abs=1e-6))
    assert clopper_pearson(0, 100)[1] == pytest.approx(1 - 0.025 ** (1 / 100), rel=1e-9)
    assert clopper_pearson(10, 100) == (
        pytest.approx(0.0490047, abs=1e-6),
        pytest.approx(0.1762226, abs=1e-6),
    )
    assert wilson(0, 0) == (0.0, 1.0)


def test_all_equal_means_are_counted_by_label_and_shared_best_arms_are_both_right():
    assert correct_arms((0.5, 0.5, 0.5)).tolist() == [True, False, False]
    assert correct_arms((0.5, 0.4, 0.5)).tolist() == [True, False, True]


def test_replay_of_a_log_takes_rewards_in_order_and_stops_when_they_end():
    arms, rewards = [0, 1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 1, 1]
    assert largest_budget(arms, 2) == 6
    rng = np.random.default_rng(0)
    full = trace(Algorithm("uniform"), 2, 6, log_source(arms, rewards, 2), rng)
    assert full.exhausted is None
    assert full.counts.tolist() == [3, 3]
    assert full.successes.tolist() == [2, 1]
    assert full.recommended == 0
    assert [r for a, r in zip(full.arms, full.rewards, strict=True) if a == 0] == [1, 1, 0]
    short = trace(Algorithm("uniform"), 2, 10, log_source(arms, rewards, 2), rng)
    assert short.exhausted == 1
    assert short.counts[1] == 3
    assert short.arms.size in (6, 7)
    assert short.counts_over_time()[-1].tolist() == short.counts.tolist()


def test_a_trace_shows_its_rejections():
    rng = np.random.default_rng(0)
    steps = trace(Algorithm("sr"), 3, 120, bernoulli_source((0.9, 0.5, 0.1), rng), rng)
    assert [r.t for r in steps.rejections] == [90, 118]
    assert steps.rejections[0].arm == 2
    assert steps.recommended == 0


def test_the_package_lists_its_algorithm_without_loading_it():
    code = (
        "import sys, engine.methods.best_arm as b; assert 'Simulator' in dir(b); "
        "assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_export_exists():
    import engine.methods.best_arm as package

    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = package.nothing
