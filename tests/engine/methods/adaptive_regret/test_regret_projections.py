"""Projections and quadratic subproblems against independent solvers and their optimality conditions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from engine.methods.adaptive_regret.projections import (
    BALL,
    SIMPLEX,
    minimise_on_ball,
    minimise_on_simplex,
    project,
    project_diagonal,
)


def positive(rng: np.random.Generator, d: int, spread: float = 1e3) -> np.ndarray:
    q, _ = np.linalg.qr(rng.normal(size=(d, d)))
    return (q * np.geomspace(1, spread, d)) @ q.T


@pytest.mark.parametrize("seed", range(8))
def test_ball_in_the_norm_of_a_matrix(seed: int) -> None:
    """Same as bisection on the multiplier in the eigenbasis, and KKT: A(w − y) + μw = 0, ‖w‖ = R."""
    rng = np.random.default_rng(seed)
    d, radius = 7, 1.3
    a, y = positive(rng, d), 4 * rng.normal(size=7)
    w = np.empty(d)
    mu = minimise_on_ball(a, a @ y, radius, w)
    values, vectors = np.linalg.eigh(a)
    turned = vectors.T @ (a @ y)
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        if np.linalg.norm(turned / (values + middle)) > radius:
            low = middle
        else:
            high = middle
    expected = vectors @ (turned / (values + high))
    np.testing.assert_allclose(w, expected, atol=1e-9)
    np.testing.assert_allclose(a @ (w - y) + mu * w, 0, atol=1e-8 * np.abs(a @ y).max())
    assert np.linalg.norm(w) == pytest.approx(radius, abs=1e-12)


def test_a_point_inside_the_ball_stays() -> None:
    a = positive(np.random.default_rng(0), 4)
    y = np.array([0.1, -0.2, 0.3, 0.0])
    w = np.empty(4)
    assert minimise_on_ball(a, a @ y, 1.0, w) == 0
    np.testing.assert_allclose(w, y, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_simplex_quadratic_meets_its_optimality_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = 9
    h, b = positive(rng, d), 20 * rng.normal(size=d)
    w = np.full(d, 1 / d)
    minimise_on_simplex(h, b, w)
    gradient = h @ w - b
    assert w.sum() == pytest.approx(1, abs=1e-12)
    assert (w >= 0).all()
    free = w > 0
    assert np.ptp(gradient[free]) < 1e-8 * np.abs(b).max()
    assert (gradient[~free] >= gradient[free].mean() - 1e-8 * np.abs(b).max()).all()


def test_simplex_quadratic_against_slsqp() -> None:
    rng = np.random.default_rng(3)
    h, b = positive(rng, 5, 50), 5 * rng.normal(size=5)
    w = np.full(5, 0.2)
    minimise_on_simplex(h, b, w)
    found = minimize(
        lambda v: 0.5 * v @ h @ v - b @ v,
        np.full(5, 0.2),
        jac=lambda v: h @ v - b,
        bounds=[(0, 1)] * 5,
        constraints={"type": "eq", "fun": lambda v: v.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    np.testing.assert_allclose(w, found.x, atol=1e-6)


def test_euclidean_projection_on_the_simplex_equals_the_quadratic_with_the_identity() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        y = 2 * rng.normal(size=6)
        expected = np.full(6, 1 / 6)
        minimise_on_simplex(np.eye(6), y, expected)
        project(SIMPLEX, 1.0, y)
        np.testing.assert_allclose(y, expected, atol=1e-12)


def test_diagonal_projections_equal_the_full_ones() -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        weights, y = rng.uniform(0.5, 9, 6), 2 * rng.normal(size=6)
        ball, simplex = np.empty(6), np.full(6, 1 / 6)
        minimise_on_ball(np.diag(weights), weights * y, 1.0, ball)
        minimise_on_simplex(np.diag(weights), weights * y, simplex)
        a, b = y.copy(), y.copy()
        project_diagonal(BALL, 1.0, weights, a)
        project_diagonal(SIMPLEX, 1.0, weights, b)
        np.testing.assert_allclose(a, ball, atol=1e-9)
        np.testing.assert_allclose(b, simplex, atol=1e-9)
