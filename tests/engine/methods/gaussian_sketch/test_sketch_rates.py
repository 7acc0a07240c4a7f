"""The published counts: quadratics, sparse logistic regression, constants, predictions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import Lasso, LogisticRegression

from engine.methods.gaussian_sketch import (
    MAKERS,
    Objective,
    Penalty,
    SolverSettings,
    coordinate_step,
    haar_rotation,
    hutchinson_trace,
    importance_probabilities,
    largest_curvature,
    least_squares,
    lyapunov_factor,
    minibatch_steps,
    optimum,
    predicted,
    provable_step,
    quadratic,
    smoothness,
    solve,
    spectrum,
    trace_step,
    uniform_probabilities,
    why_not,
)
from engine.methods.gaussian_sketch.constants import dense, largest, trace


def rotated(kind: str, seed: int = 0) -> Objective:
    rng = np.random.default_rng(seed)
    return quadratic(*least_squares(spectrum(kind, 200), rng.standard_normal(200), haar_rotation(200, rng)))


@pytest.fixture(scope="module")
def cancer() -> Objective:
    x, y = load_breast_cancer(return_X_y=True)
    return Objective(
        (x - x.mean(0)) / x.std(0), 2.0 * y - 1, np.full(30, 1e-2), "logistic", Penalty("l1", 1e-2)
    )


def counts(objective: Objective, name: str, size: int = 1, epochs: int = 250) -> float:
    settings = SolverSettings(c=1.0, size=size)
    _, found = solve(objective, name, settings, epochs=epochs, points=600, tolerance=1e-4)
    return float(np.median(found.reached(1e-4)))


def test_decay_quadratic_needs_the_published_numbers_of_derivatives() -> None:
    objective = rotated("decay")
    constants = smoothness(objective)
    assert constants.trace / constants.largest == pytest.approx(2.513, abs=1e-3)
    assert constants.trace / constants.convexity == pytest.approx(2513, abs=1)
    sketched, importance, uniform = (
        counts(objective, name) for name in ("gsgd_plain", "rcd_importance", "rcd_uniform")
    )
    assert sketched == pytest.approx(15175, rel=0.1)
    assert importance == pytest.approx(9550, rel=0.1)
    assert uniform == pytest.approx(37300, rel=0.1)
    assert sketched <= 2 * importance
    assert sketched <= 0.6 * uniform
    assert counts(objective, "gsgd_plain", size=8) == pytest.approx(38224, rel=0.1)


def test_spike_quadratic_needs_the_published_numbers_of_derivatives() -> None:
    found = {name: [] for name in ("gsgd_plain", "rcd_importance", "rcd_uniform")}
    for seed in range(3):
        for name in found:
            found[name].append(counts(rotated("spike", seed), name, epochs=60))
    middle = {name: float(np.median(values)) for name, values in found.items()}
    assert middle["gsgd_plain"] <= 1.3 * middle["rcd_importance"]
    assert middle["gsgd_plain"] == pytest.approx(3011, rel=0.15)
    assert middle["rcd_uniform"] == pytest.approx(5750, rel=0.15)
    assert counts(rotated("spike"), "gsgd_plain", size=8, epochs=60) == pytest.approx(6096, rel=0.15)


def test_one_step_falls_as_proven_on_average() -> None:
    objective = rotated("decay")
    constants = smoothness(objective)
    eta = trace_step(constants, 1)
    _, found = solve(objective, "gsgd_plain", SolverSettings(c=1.0), epochs=20, points=20, seeds=10)
    bound = (1 - eta * constants.convexity) ** np.array(found.iterations)
    assert np.all(found.gap_matrix().mean(axis=1) <= bound * 1.05)


def test_sparse_logistic_optimum(cancer: Objective) -> None:
    constants = smoothness(cancer)
    assert constants.trace == pytest.approx(7.8, abs=1e-9)
    assert constants.largest == pytest.approx(3.3304, abs=1e-4)
    best = optimum(cancer, constants)
    assert best.value == pytest.approx(0.186440462, abs=5e-10)
    assert np.count_nonzero(best.x) == 18
    assert best.exact


def test_without_l1_scikit_learn_agrees(cancer: Objective) -> None:
    smooth = cancer.with_penalty(Penalty())
    best = optimum(smooth, smoothness(smooth))
    model = LogisticRegression(C=1 / (569 * 1e-2), fit_intercept=False, tol=1e-12, max_iter=10_000)
    model.fit(cancer.matrix, cancer.target)
    assert np.allclose(model.coef_[0], best.x, atol=1e-5)
    x, found = solve(smooth, "gsgd", SolverSettings(c=1.0), epochs=600, best=best)
    assert found.gaps[-1].max() < 1e-6
    assert np.abs(x - best.x).max() < 1e-2


def test_lasso_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((80, 10))
    y = a[:, 0] - 2 * a[:, 3] + 0.1 * rng.standard_normal(80)
    objective = Objective(a, y, np.zeros(10), "square", Penalty("l1", 0.1))
    best = optimum(objective, smoothness(objective))
    model = Lasso(alpha=0.1, fit_intercept=False, tol=1e-12, max_iter=100_000).fit(a, y)
    assert np.allclose(model.coef_, best.x, atol=1e-8)


@pytest.mark.parametrize("name", sorted(set(MAKERS) - {"gsgd_plain", "acd"}))
def test_every_method_solves_the_sparse_logistic_problem(cancer: Objective, name: str) -> None:
    epochs = 1200 if name in ("gd", "minibatch") else 500
    _, found = solve(cancer, name, SolverSettings(c=0.5), epochs=epochs, seeds=1, tolerance=1e-7)
    assert found.gaps[-1].max() <= 1e-6


@pytest.mark.parametrize("name", ["gsgd_plain", "acd"])
def test_methods_without_a_regulariser(cancer: Objective, name: str) -> None:
    assert why_not(name, cancer)
    smooth = cancer.with_penalty(Penalty())
    _, found = solve(smooth, name, SolverSettings(c=1.0), epochs=600, seeds=1)
    assert found.gaps[-1].max() <= 1e-6


def test_gsgd_takes_the_published_iterations_and_is_near_importance_sega(cancer: Objective) -> None:
    best = optimum(cancer, smoothness(cancer))
    published = {1.0: 5400, 0.5: 11_300, 0.25: 20_900}
    medians = {}
    for c, iterations in published.items():
        _, found = solve(cancer, "gsgd", SolverSettings(c=c), epochs=900, seeds=5, best=best, tolerance=1e-6)
        medians[c] = float(np.median(found.reached(1e-6)))
        assert medians[c] == pytest.approx(iterations, rel=0.2)
    for c, iterations in {1.0: 2000, 0.5: 3600, 0.25: 6500}.items():
        _, found = solve(cancer, "gsgd", SolverSettings(c=c, size=8), epochs=2500, best=best, tolerance=1e-6)
        assert float(np.median(found.reached(1e-6))) / 8 == pytest.approx(iterations, rel=0.15)
    sega = []
    for c in (1.0, 0.5):
        _, found = solve(
            cancer, "sega_importance", SolverSettings(c=c), epochs=500, seeds=5, best=best, tolerance=1e-6
        )
        sega.append(float(np.median(found.reached(1e-6))))
    assert min(medians.values()) <= 2 * min(sega)


def test_the_provable_step_is_slow(cancer: Objective) -> None:
    constants = smoothness(cancer)
    assert provable_step(constants, 1) == pytest.approx(1 / (6 * 32 * constants.largest))
    _, found = solve(cancer, "gsgd", SolverSettings(rule="provable"), epochs=40_000 / 30, seeds=1)
    assert 2e-4 < found.gaps[-1][0] < 3e-3
    assert 0 < lyapunov_factor(constants, 1, provable_step(constants, 1)) < 1


def test_seeds_0_to_4_bear_the_claim_on_rotated_decay() -> None:
    ratios = []
    for seed in range(5):
        objective = rotated("decay", seed)
        ratios.append(counts(objective, "gsgd_plain") / counts(objective, "rcd_uniform"))
    assert np.mean(ratios) <= 0.6
    assert sum(r <= 0.6 for r in ratios) >= 4


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("loss", ["logistic", "square"])
def test_constants_equal_the_dense_matrix(loss: str, is_sparse: bool) -> None:
    rng = np.random.default_rng(2)
    a = rng.standard_normal((50, 12)) * (rng.random((50, 12)) < 0.5)
    y = np.sign(rng.standard_normal(50))
    objective = Objective(sparse.csr_matrix(a) if is_sparse else a, y, np.full(12, 0.03), loss)
    c = 0.25 if loss == "logistic" else 1.0
    m = c * a.T @ a / 50 + 0.03 * np.eye(12)
    constants = smoothness(objective)
    assert np.allclose(dense(objective), m, atol=1e-14)
    assert abs(trace(objective) - np.trace(m)) < 1e-10
    assert np.allclose(constants.diagonal, np.diag(m), atol=1e-12)
    assert largest(objective) == pytest.approx(np.linalg.eigvalsh(m)[-1], rel=1e-9)
    assert np.allclose(constants.eigenvalues, np.linalg.eigvalsh(m)[::-1])
    assert constants.convexity == pytest.approx(0.03 if loss == "logistic" else np.linalg.eigvalsh(m)[0])


def test_estimates_of_a_black_box() -> None:
    objective = rotated("decay")
    rng = np.random.default_rng(0)
    x = np.zeros(200)
    found = hutchinson_trace(objective.gradient, x, rng, draws=400)
    assert found == pytest.approx(smoothness(objective).trace, rel=0.05)
    assert largest_curvature(objective.gradient, x, rng) == pytest.approx(1.0, rel=1e-3)


def test_predictions_are_the_closed_forms(cancer: Objective) -> None:
    k = smoothness(cancer)
    d, mu, work = 30, 1e-2, np.log(1e6)
    assert predicted(k, "gsgd", 1, trace_step(k, 1), 1e-6) == pytest.approx(
        (k.trace + 2 * k.largest) / mu * work
    )
    assert predicted(
        k, "rcd_importance", 1, coordinate_step(k, importance_probabilities(k)), 1e-6
    ) == pytest.approx(k.trace / mu * work)
    uniform = coordinate_step(k, uniform_probabilities(k))
    assert predicted(k, "rcd_uniform", 1, uniform, 1e-6) == pytest.approx(d * k.diagonal.max() / mu * work)
    assert predicted(k, "gd", 1, 1 / k.largest, 1e-6) == pytest.approx(d * k.largest / mu * work)
    assert np.allclose(minibatch_steps(k, 30), 1 / k.largest)
    assert np.allclose(minibatch_steps(k, 1), 1 / k.diagonal)


def test_too_long_a_step_is_halved_and_the_run_goes_on(cancer: Objective) -> None:
    _, found = solve(cancer, "gsgd", SolverSettings(rule="manual", eta=50.0), epochs=300, seeds=2)
    assert found.halvings >= 3
    assert np.isfinite(found.gap_matrix()).all()
    assert found.gaps[-1].max() < 1e-2
