"""Proximal maps against optimality conditions, scipy and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from engine.methods.gaussian_sketch import REGULARISERS, Penalty, prox_total_variation


def test_total_variation_meets_its_optimality_conditions() -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 10, 200):
        for lam in (0.0, 0.1, 1.0, 50.0):
            y = rng.standard_normal(n)
            x = prox_total_variation(y, lam)
            dual = np.cumsum(y - x)[:-1]
            assert abs(np.sum(y - x)) < 1e-10
            assert np.all(np.abs(dual) <= lam + 1e-10)
            jumps = np.diff(x)
            moving = np.abs(jumps) > 1e-12
            assert np.allclose(dual[moving], -lam * np.sign(jumps[moving]), atol=1e-10)


def test_closed_forms() -> None:
    v = np.array([3.0, -0.5, -2.0, 0.1])
    assert np.allclose(Penalty("l1", 2.0).prox(v, 0.5), [2.0, 0.0, -1.0, 0.0])
    assert np.allclose(Penalty("elastic", 2.0, share=0.5).prox(v, 0.5), np.array([2.5, 0, -1.5, 0]) / 1.5)
    assert np.allclose(Penalty("box", low=-1, high=2).prox(v, 9.0), [2, -0.5, -1, 0.1])
    assert np.allclose(Penalty("ball", 1.0).prox(v, 9.0), v / np.linalg.norm(v))
    assert np.allclose(Penalty("simplex", 1.0).prox(v, 9.0), [1, 0, 0, 0])
    assert np.allclose(Penalty("none").prox(v, 1.0), v)


def test_group_shrinks_each_group() -> None:
    out = Penalty("group", 1.0, size=2).prox(np.array([3.0, 4.0, 0.1, 0.1, 2.0]), 1.0)
    assert np.allclose(out, [3 * (1 - np.sqrt(2) / 5), 4 * (1 - np.sqrt(2) / 5), 0, 0, 1.0])


def test_nuclear_shrinks_singular_values() -> None:
    v = np.random.default_rng(1).standard_normal(12)
    out = Penalty("nuclear", 0.7, size=3).prox(v, 1.0)
    before = np.linalg.svd(v.reshape(3, 4))[1]
    assert np.allclose(np.linalg.svd(out.reshape(3, 4))[1], np.maximum(before - 0.7, 0))


@pytest.mark.parametrize("name", sorted(set(REGULARISERS) - {"none", "box", "simplex", "ball"}))
def test_the_map_is_the_smallest_value_around(name: str) -> None:
    rng = np.random.default_rng(3)
    penalty, v, step = Penalty(name, 0.4, size=2), rng.standard_normal(6), 0.8
    out = penalty.prox(v, step)

    def cost(u: np.ndarray) -> float:
        return penalty.value(u) + float((u - v) @ (u - v)) / (2 * step)

    here = cost(out)
    for _ in range(300):
        assert cost(out + 10.0 ** rng.uniform(-6, 0) * rng.standard_normal(6)) >= here - 1e-12
    found = minimize(
        cost, v, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12, "maxiter": 40_000}
    )
    assert here <= found.fun + 1e-9


@pytest.mark.parametrize("name", ["simplex", "ball", "box"])
def test_projections_are_nearest_points(name: str) -> None:
    rng = np.random.default_rng(5)
    penalty = Penalty(name, 1.3, low=-0.2, high=0.7)
    v = 2 * rng.standard_normal(5)
    out = penalty.prox(v, 1.0)
    assert penalty.value(out) == 0.0
    for _ in range(200):
        other = penalty.prox(3 * rng.standard_normal(5), 1.0)
        assert (v - out) @ (other - out) <= 1e-10
    assert penalty.value(out + 1.0) == np.inf


def test_weights_stand_for_a_scaled_variable() -> None:
    v, w, step = np.array([2.0, -3.0, 0.2]), np.array([0.5, 2.0, 0.0]), 0.3
    out = Penalty("l1", 1.0).prox(v, step, w)
    assert np.allclose(out, [2 - 0.15, -3 + 0.6, 0.2])
    assert Penalty("l1", 1.0).value(v, w) == pytest.approx(1.0 + 6.0)
    assert np.allclose(Penalty("box", low=-1, high=1).prox(v, step, w), [2.0, -0.5, 0.2])
