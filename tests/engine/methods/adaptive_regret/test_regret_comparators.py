"""Exact comparators against independent solvers, and interval regret built on them."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from engine.core.places import RESOURCES
from engine.methods.adaptive_regret.comparators import Comparator
from engine.methods.adaptive_regret.learners import play_all
from engine.methods.adaptive_regret.portfolios import (
    best_stock,
    buy_and_hold,
    log_peaks,
    net_wealth,
    portfolio_problem,
    wealth,
)
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.regret import (
    Windows,
    cover_intervals,
    grid_intervals,
    solve_intervals,
    static_regret,
    window_lengths,
)
from engine.methods.adaptive_regret.streams import switching_stream


@pytest.fixture(scope="module")
def nyse() -> np.ndarray:
    with open(RESOURCES / "streams" / "nyse_o.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return np.array(rows, float)


def test_wealth_on_the_new_york_exchange(nyse: np.ndarray) -> None:
    """Known values: UCRP 27.0752, buy and hold 14.4973, best stock 54.1404, BCRP 250.6."""
    p = portfolio_problem(nyse)
    assert nyse.shape == (5651, 36)
    assert wealth(play_all("ucrp", p).losses, nyse)[-1] == pytest.approx(27.0752, abs=5e-5)
    assert buy_and_hold(nyse)[-1] == pytest.approx(14.4973, abs=5e-5)
    assert best_stock(nyse)[1][-1] == pytest.approx(54.1404, abs=5e-5)
    best = Comparator(p, 1e-9).best(0, p.rounds)
    assert np.exp(log_peaks(nyse).sum() - best.value) == pytest.approx(250.597, abs=5e-4)
    slack = (nyse / (nyse @ best.point)[:, None]).mean(axis=0).max() - 1
    assert slack < 1e-8
    assert (-np.log(nyse.min(axis=1))).max() == pytest.approx(0.2877, abs=5e-5)


def test_least_squares_in_the_ball_against_slsqp() -> None:
    p = switching_stream(np.random.default_rng(0), rounds=400).problem()
    comparator = Comparator(p)
    for first, last in ((0, 400), (3, 9), (90, 121), (250, 400)):
        best = comparator.best(first, last)
        x, y = p.features[first:last], p.targets[first:last]
        found = minimize(
            lambda w, x=x, y=y: 0.5 * ((x @ w - y) ** 2).sum(),
            np.zeros(6),
            jac=lambda w, x=x, y=y: x.T @ (x @ w - y),
            constraints={"type": "ineq", "fun": lambda w: 1 - w @ w, "jac": lambda w: -2 * w},
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        assert best.value == pytest.approx(found.fun, abs=1e-7)
        assert best.value == pytest.approx(0.5 * ((x @ best.point - y) ** 2).sum(), abs=1e-8)
        assert np.linalg.norm(best.point) <= 1 + 1e-12


def test_logistic_minimum_against_lbfgs_and_its_certificate() -> None:
    p = switching_stream(np.random.default_rng(1), rounds=500, stages=1, sigma=0.5).problem("logistic", 50.0)
    best = Comparator(p).best(0, 500)

    def value(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = p.targets * (p.features @ w)
        slope = -p.targets / (1 + np.exp(margin))
        return np.logaddexp(0, -margin).sum(), p.features.T @ slope

    found = minimize(value, np.zeros(6), jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-10})
    assert best.value == pytest.approx(found.fun, abs=1e-6)
    assert best.gap <= 1e-9 * 500


def test_absolute_and_hinge_minima_against_linear_programmes() -> None:
    """With a ball too large to matter both are linear programmes."""
    rng = np.random.default_rng(2)
    n, d = 80, 4
    x = rng.normal(size=(n, d))
    y = x @ rng.normal(size=d) + rng.standard_cauchy(n) * 0.1
    labels = np.where(rng.random(n) < 0.85, np.sign(y), -np.sign(y))
    eye = np.eye(n)
    cost = np.concatenate([np.zeros(d), np.ones(n)])
    free = [(None, None)] * d + [(0, None)] * n
    absolute = linprog(
        cost, A_ub=np.block([[x, -eye], [-x, -eye]]), b_ub=np.concatenate([y, -y]), bounds=free
    )
    hinge = linprog(cost, A_ub=np.hstack([-labels[:, None] * x, -eye]), b_ub=-np.ones(n), bounds=free)
    for loss, target, expected in (("absolute", y, absolute.fun), ("hinge", labels, hinge.fun)):
        best = Comparator(Problem(x, target, loss=loss, radius=100.0)).best(0, n)
        assert best.value == pytest.approx(expected, abs=1e-5)


def test_kinked_losses_in_a_ball_that_binds() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(60, 3)), 3 * rng.normal(size=60)
    best = Comparator(Problem(x, y, loss="absolute", radius=0.2)).best(0, 60)
    directions = rng.normal(size=(20000, 3))
    directions *= 0.2 / np.linalg.norm(directions, axis=1, keepdims=True)
    tried = np.abs(directions @ x.T - y).sum(axis=1).min()
    assert best.value <= tried + 1e-6
    assert best.value >= tried - 0.05
    assert np.linalg.norm(best.point) <= 0.2 + 1e-12


def test_adaptive_regret_is_the_largest_over_its_windows() -> None:
    p = switching_stream(np.random.default_rng(4), rounds=640, stages=2).problem()
    losses = play_all("psacs", p).losses
    windows = Windows(Comparator(p), window_lengths(p.rounds))
    for _ in windows.solve(p.rounds):
        pass
    assert windows.solved == windows.count
    tau, sa = windows.adaptive_regret(losses)
    assert tau.tolist() == [8, 16, 32, 64, 128, 256, 512, 640]
    for length, value in zip(tau.tolist(), sa.tolist(), strict=True):
        found = []
        for r in range(0, 640 - length + 1, max(1, length // 8)):
            x, y = p.features[r : r + length], p.targets[r : r + length]
            w, *_ = np.linalg.lstsq(x, y, rcond=None)
            least = 0.5 * ((x @ w - y) ** 2).sum() if np.linalg.norm(w) <= 1 else -np.inf
            found.append(losses[r : r + length].sum() - least)
        finite = [v for v in found if np.isfinite(v)]
        assert value >= max(finite) - 1e-8 if finite else True
    assert sa[-1] == pytest.approx(static_regret(losses, Comparator(p), [640])[0], abs=1e-9)


def test_windows_forget_what_a_changed_stream_touches() -> None:
    p = switching_stream(np.random.default_rng(5), rounds=200, stages=2).problem()
    windows = Windows(Comparator(p), [16, 64])
    list(windows.solve(200))
    windows.forget_from(100)
    for tau in (16, 64):
        known = ~np.isnan(windows.minima[tau])
        assert (known == (windows.starts[tau] + tau <= 100)).all()


@pytest.mark.parametrize("intervals", [grid_intervals, cover_intervals])
def test_a_map_holds_the_regret_of_its_intervals(intervals) -> None:
    p = switching_stream(np.random.default_rng(6), rounds=300, stages=2).problem()
    losses, comparator = play_all("flhs", p).losses, Comparator(p)
    starts, lengths, first = intervals(300, 24)
    grid = [found for _, found in solve_intervals(comparator, starts, lengths, first)][-1]
    values = grid.regrets(losses)
    assert (np.isfinite(values) == (first >= 0)).all()
    for i, j in zip(*np.nonzero(first >= 0), strict=True):
        r, s = first[i, j], first[i, j] + lengths[i]
        assert values[i, j] == pytest.approx(losses[r:s].sum() - comparator.best(r, s).value, abs=1e-9)


def test_cover_intervals_are_those_of_the_geometric_cover() -> None:
    starts, lengths, first = cover_intervals(100, 100, 1)
    for i, length in enumerate(lengths.tolist()):
        for j, r in enumerate(first[i].tolist()):
            if r >= 0:
                assert (r + 1) % length == 0
                assert r <= starts[j] < r + length


def test_trading_costs_lower_the_wealth(nyse: np.ndarray) -> None:
    days = nyse[:500]
    points = np.full((500, 36), 1 / 36)
    free = net_wealth(points, days, 0.0)
    assert free[-1] == pytest.approx(np.prod(days.mean(axis=1)))
    assert net_wealth(points, days, 0.002)[-1] < free[-1]
    alone = np.zeros((500, 36))
    alone[:, 3] = 1
    assert net_wealth(alone, days, 0.01)[-1] == pytest.approx(np.prod(days[:, 3]))
