"""Experts and meta-algorithms one by one: identities, closed forms, plain reference loops."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.methods.adaptive_regret import covers, experts, metas
from engine.methods.adaptive_regret.learners import Design, Learner, Settings, play_all
from engine.methods.adaptive_regret.metas import normal_log_weight
from engine.methods.adaptive_regret.portfolios import portfolio_problem
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.streams import switching_stream

QUARTER = Settings(alpha=0.25, beta=0.25)


@pytest.fixture(scope="module")
def problem() -> Problem:
    return switching_stream(np.random.default_rng(1), rounds=2000).problem()


@pytest.fixture(scope="module")
def market() -> np.ndarray:
    return np.exp(0.05 * np.random.default_rng(2).normal(size=(300, 5)))


def test_ogd_and_sogd_against_plain_loops(problem: Problem) -> None:
    for name in ("ogd", "sogd"):
        w, total, expected = np.zeros(6), 0.01, []
        for t, (x, y) in enumerate(zip(problem.features, problem.targets, strict=True), 1):
            z = w @ x
            expected.append(0.5 * (z - y) ** 2)
            g = (z - y) * x
            total += g @ g
            rate = 2 / (2 * math.sqrt(t)) if name == "ogd" else math.sqrt(2) / math.sqrt(total)
            w = w - rate * g
            w /= max(1.0, np.linalg.norm(w))
        np.testing.assert_allclose(play_all(name, problem).losses, expected, atol=1e-12)


def test_the_inverse_kept_by_rank_one_updates_stays_exact() -> None:
    p = switching_stream(np.random.default_rng(0), rounds=5000).problem()
    bank = play_all("ons", p, QUARTER).bank
    np.testing.assert_allclose(bank.inverse[0], np.linalg.inv(bank.A[0]), rtol=0, atol=1e-8)


def test_newton_regret_on_a_stationary_stream_is_below_its_bound() -> None:
    """≤ 5(1/α + GD) d ln T for least squares, d = 5."""
    from engine.methods.adaptive_regret.comparators import Comparator

    p = switching_stream(np.random.default_rng(3), rounds=4000, dimension=5, stages=1).problem()
    regret = play_all("ons", p, QUARTER).losses.sum() - Comparator(p).best(0, p.rounds).value
    assert 0 < regret <= 5 * (4 + 2 * 2) * 5 * math.log(4000)


def test_one_expert_and_no_markers_is_that_expert_bit_by_bit(problem: Problem) -> None:
    never = replace(QUARTER, threshold=1e300)
    for name, alone in (("flhs", "ons"), ("psacs", "sogd")):
        assert (play_all(name, problem, never).losses == play_all(alone, problem, never).losses).all()
    one = Design(((experts.ONS, 0.25),), covers.NEVER, metas.ML_PROD)
    usia = Learner("usia", problem, QUARTER, plan=one)
    usia.play(problem.rounds)
    assert (usia.losses == play_all("ons", problem, QUARTER).losses).all()


def test_exponential_weights_earn_the_mean_of_the_experts_wealths(market: np.ndarray) -> None:
    """With α = 1 and everybody awake Π⟨w_t, x_t⟩ = Σ p_i(1) wealth_i, since exp(−f) is linear."""
    p = portfolio_problem(market)
    starts = list(np.random.default_rng(7).dirichlet(np.ones(5), 4))
    plan = Design(tuple([(experts.FIXED, 0.0)] * 4), covers.NEVER, metas.HEDGE, alpha=1.0)
    learner = Learner("mixture", p, plan=plan, starts=starts)
    learner.play(p.rounds)
    wealths = [np.prod(p.features @ start) for start in starts]
    assert math.exp(-learner.losses.sum()) == pytest.approx(np.mean(wealths), rel=1e-12)


def test_moving_experts_earn_the_mean_of_their_wealths_too(market: np.ndarray) -> None:
    p = portfolio_problem(market)
    bundle = ((experts.SOGD, 0.0), (experts.ONS, 0.1), (experts.EG, 0.2))
    plan = Design(bundle, covers.NEVER, metas.HEDGE, alpha=1.0)
    mixture = Learner("mixture", p, plan=plan)
    mixture.play(p.rounds)
    wealths = []
    for expert in bundle:
        alone = Learner("alone", p, plan=replace(plan, bundle=(expert,)))
        alone.play(p.rounds)
        wealths.append(math.exp(-alone.losses.sum()))
    assert math.exp(-mixture.losses.sum()) == pytest.approx(np.mean(wealths), rel=1e-12)


def test_ml_prod_mixture_has_no_regret_to_itself(problem: Problem) -> None:
    for running in (True, False):
        learner = play_all("usia", problem, replace(QUARTER, running_max=running, threshold=1.0))
        assert learner.worst_identity < 1e-12
        assert len(learner.markers()) > 1


def test_ml_prod_static_bound() -> None:
    """Σr_i ≤ 2Γ + Γ/√ln N·√(1+Σr_i²), Γ = 3 ln N + ln(1 + N/(2e)(1 + ln(T+1))), one bundle."""
    p = switching_stream(np.random.default_rng(4), rounds=3000, stages=3).problem()
    bundle = ((experts.SOGD, 0.0), (experts.ONS, 0.25), (experts.ONS, 1 / 32), (experts.SC_OGD, 1.0))
    plan = Design(bundle, covers.NEVER, metas.ML_PROD)
    learner = Learner("usia", p, Settings(running_max=False), plan=plan)
    regrets, squares = np.zeros(4), np.zeros(4)
    for t in range(p.rounds):
        learner.play(1)
        bank, y = learner.bank, p.targets[t]
        played = bank.p @ bank.z
        r = (played - y) * (played - bank.z) / (2 * 2 * 2)
        regrets += r
        squares += r * r
    n = len(bundle)
    big = 3 * math.log(n) + math.log(1 + n / (2 * math.e) * (1 + math.log(p.rounds + 1)))
    assert (regrets <= 2 * big + big / math.sqrt(math.log(n)) * np.sqrt(1 + squares)).all()
    np.testing.assert_allclose(squares, learner.bank.meta[:, 2], atol=1e-9)


def test_initial_weight_of_the_normal_rule() -> None:
    assert math.exp(normal_log_weight(0.0, 0.0)) == pytest.approx(0.19781, abs=5e-6)
    assert math.exp(normal_log_weight(0.0, 0.0)) == pytest.approx(0.5 * (math.exp(1 / 3) - 1), rel=1e-14)
    assert normal_log_weight(-2.0, 3.0) == -math.inf
    assert math.isfinite(normal_log_weight(5e4, 60.0))


def test_exponentiated_gradient_against_its_formula(market: np.ndarray) -> None:
    p = portfolio_problem(market)
    learner = play_all("eg", p)
    eta, w, expected = learner.plan.bundle[0][1], np.full(5, 0.2), []
    for x in p.features:
        expected.append(-math.log(w @ x))
        w = w * np.exp(eta * x / (w @ x))
        w /= w.sum()
    np.testing.assert_allclose(learner.losses, expected, rtol=1e-10)


def test_the_diagonal_newton_is_the_full_one_in_one_dimension() -> None:
    p = switching_stream(np.random.default_rng(5), rounds=500, dimension=2).problem()
    one = replace(p, features=p.features[:, :1].copy())
    full, diagonal = play_all("ons", one, QUARTER), play_all("ons", one, replace(QUARTER, diagonal=True))
    np.testing.assert_allclose(diagonal.losses, full.losses, atol=1e-10)


def test_uma_experts_step_on_their_surrogates() -> None:
    """One bundle member of each kind, followed by hand for 40 rounds with the weights of the tilt."""
    p = switching_stream(np.random.default_rng(6), rounds=40).problem()
    eta = 0.05
    plan = Design(((experts.UMA_SC, eta),), covers.NEVER, metas.TILT)
    learner = Learner("uma", p, plan=plan)
    learner.play(40)
    w, expected = np.zeros(6), []
    for t, (x, y) in enumerate(zip(p.features, p.targets, strict=True), 1):
        expected.append(0.5 * (w @ x - y) ** 2)
        # A bundle of one plays w itself, so that the pull towards w_t vanishes.
        w = w - eta * (w @ x - y) * x / (2 * eta**2 * 4 * t)
        w /= max(1.0, np.linalg.norm(w))
    np.testing.assert_allclose(learner.losses, expected, atol=1e-12)
