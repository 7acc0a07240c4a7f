"""Sketches: first and second moments, the best h step, drawing in pieces."""

from __future__ import annotations

import numpy as np
import pytest

from engine.methods.gaussian_sketch import SKETCHES, draw, h_step, kurtosis

D, SIZE, DRAWS = 20, 3, 40_000
M = np.diag(np.arange(1.0, 21.0))


def blocks(kind: str, d: int = D, size: int = SIZE, draws: int = DRAWS) -> np.ndarray:
    return draw(kind, np.random.default_rng(5), draws, size, d)


def test_gaussian_moments_are_those_of_the_card() -> None:
    s = blocks("gaussian")
    q = np.einsum("tla,tlb->tab", s, s) / SIZE
    assert np.abs(q.mean(axis=0) - np.eye(D)).max() < 0.02
    second = np.einsum("tab,b,tbc->ac", q, np.diag(M), q) / DRAWS
    expected = (1 + 1 / SIZE) * M + np.trace(M) / SIZE * np.eye(D)
    assert np.abs(second - expected).max() / expected.max() < 0.02
    u = np.ones(D)
    moved = np.linalg.norm(q @ u, axis=1) ** 2
    assert moved.mean() == pytest.approx((D + SIZE + 1) / SIZE * D, rel=0.02)
    left = np.linalg.norm(u - q @ u, axis=1) ** 2
    assert left.mean() == pytest.approx((D + 1) / SIZE * D, rel=0.02)


def test_learning_contracts_by_one_minus_l_over_d_plus_l_plus_1() -> None:
    s = blocks("gaussian")
    v = np.random.default_rng(1).standard_normal(D)
    a = h_step("gaussian", D, SIZE)
    assert a == 1 / (D + SIZE + 1)
    left = v - a * np.einsum("tla,tl->ta", s, s @ v)
    assert (np.linalg.norm(left, axis=1) ** 2).mean() / (v @ v) == pytest.approx(0.875, abs=0.01)


def test_the_cross_term_of_learning_vanishes() -> None:
    s, rng = blocks("gaussian"), np.random.default_rng(2)
    u, v = rng.standard_normal(D), rng.standard_normal(D)
    a, q = h_step("gaussian", D, SIZE), SIZE / (D + SIZE + 1)
    moved = v + a * np.einsum("tla,tl->ta", s, s @ (u - v))
    expected = (1 - q) * (v @ v) + q * (u @ u)
    assert (np.linalg.norm(moved, axis=1) ** 2).mean() == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("kind", SKETCHES)
@pytest.mark.parametrize("d", [16, 20])
def test_every_sketch_is_unbiased_and_its_h_step_is_the_best(kind: str, d: int) -> None:
    s = blocks(kind, d, draws=30_000)
    q = np.einsum("tla,tlb->ab", s, s) / SIZE / len(s)
    assert np.abs(q - np.eye(d)).max() < 0.06
    v = np.random.default_rng(3).standard_normal(d)
    along = np.einsum("tla,tl->ta", s, s @ v)
    a = h_step(kind, d, SIZE)
    best = float((along @ v).mean() / (along**2).sum(axis=1).mean())
    assert a == pytest.approx(best, rel=0.06)


@pytest.mark.parametrize("kind", ["gaussian", "rademacher", "sparse"])
def test_kurtosis_is_that_of_the_entries(kind: str) -> None:
    s = blocks(kind, d=16)
    assert (s**4).mean() == pytest.approx(kurtosis(kind, 16), rel=0.03)


@pytest.mark.parametrize("kind", SKETCHES)
def test_drawing_in_pieces_gives_the_same_numbers(kind: str) -> None:
    rng = np.random.default_rng(9)
    pieces = np.concatenate([draw(kind, rng, n, 2, 12) for n in (3, 1, 6)])
    assert np.array_equal(pieces, draw(kind, np.random.default_rng(9), 10, 2, 12))


def test_orthogonal_blocks_are_orthogonal() -> None:
    s = draw("orthogonal", np.random.default_rng(0), 5, 4, 9)
    assert np.allclose(s @ s.transpose(0, 2, 1), 9 * np.eye(4))
    s = draw("srht", np.random.default_rng(0), 5, 4, 16)
    assert np.allclose(s @ s.transpose(0, 2, 1), 16 * np.eye(4))
