"""Compiled coordinate methods; scores Ax are kept up to date, so that a step costs one column of A.

A column travels as the packed rows of Aᵀ (see `products`).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.losses import loss_slope
from engine.methods.gaussian_sketch.products import add_row, inner, row_products
from engine.methods.gaussian_sketch.regularisers import NONE, prox, prox_coordinate

Vector = NDArray[np.float64]
Places = NDArray[np.int64]


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def all_slopes(scores: Vector, target: Vector, loss: int, delta: float, slopes: Vector) -> None:
    """slopes ← ℓ'(score) / n of every sample."""
    n = target.shape[0]
    for k in range(n):
        slopes[k] = loss_slope(loss, scores[k], target[k], delta) / n


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def partial_derivative(
    dense: Vector,
    values: Vector,
    indices: Places,
    starts: Places,
    i: int,
    scores: Vector,
    target: Vector,
    loss: int,
    delta: float,
    slopes: Vector,
    ridge_x: float,
) -> float:
    """∂_i f = (1/n) Σ_k A_ki ℓ'(score_k) + ridge_i x_i from column i; a dense one uses `all_slopes`."""
    if dense.shape[0] > 0:
        return inner(dense[i], slopes) + ridge_x
    total = 0.0
    for e in range(starts[i], starts[i + 1]):
        k = indices[e]
        total += values[e] * loss_slope(loss, scores[k], target[k], delta)
    return total / target.shape[0] + ridge_x


@njit(nogil=True, cache=True)
def coordinate_steps(
    dense: Vector,
    values: Vector,
    indices: Places,
    starts: Places,
    target: Vector,
    loss: int,
    delta: float,
    ridge: Vector,
    code: int,
    numbers: Vector,
    weights: Vector,
    picks: Places,
    step: Vector,
    x: Vector,
    scores: Vector,
) -> None:
    """Coordinate descent: for each set of `picks` (T, R, τ), x_i ← prox(x_i − step_i ∂_i f(x)) for its i.

    All partial derivatives of a set are taken at the same x. x (R, d), scores (R, n) change in place.
    """
    steps, seeds, size = picks.shape
    found, slopes = np.empty(size), np.empty(target.shape[0])
    for t in range(steps):
        for r in range(seeds):
            if dense.shape[0] > 0:
                all_slopes(scores[r], target, loss, delta, slopes)
            for m in range(size):
                i = picks[t, r, m]
                found[m] = partial_derivative(
                    dense,
                    values,
                    indices,
                    starts,
                    i,
                    scores[r],
                    target,
                    loss,
                    delta,
                    slopes,
                    ridge[i] * x[r, i],
                )
            for m in range(size):
                i = picks[t, r, m]
                new = prox_coordinate(x[r, i] - step[i] * found[m], step[i], code, numbers, weights[i])
                change = new - x[r, i]
                if change != 0.0:
                    x[r, i] = new
                    add_row(dense, values, indices, starts, i, change, scores[r])


@njit(nogil=True, cache=True)
def accelerated_steps(
    dense: Vector, values: Vector, indices: Places, starts: Places,
    target: Vector, loss: int, delta: float, ridge: Vector,
    picks: Places, diagonal: Vector, probabilities: Vector, mu: float, tau: float, eta: float,
    x: Vector, y: Vector, z: Vector, y_scores: Vector, z_scores: Vector,
) -> None:  # fmt: skip
    """Accelerated coordinate descent with p_i ∝ √M_ii (NU-ACDM, Allen-Zhu et al. 2016), no φ.

    x = τz + (1 − τ)y; y = x − ∂_i f(x)/M_ii e_i; z = (z + ημx − (η/p_i)∂_i f(x) e_i)/(1 + ημ).
    """
    steps, seeds = picks.shape
    d, n = x.shape[1], target.shape[0]
    scores, slopes = np.empty(n), np.empty(n)
    shrink = 1.0 / (1.0 + eta * mu)
    for t in range(steps):
        for r in range(seeds):
            i = picks[t, r]
            for k in range(n):
                scores[k] = tau * z_scores[r, k] + (1.0 - tau) * y_scores[r, k]
            for j in range(d):
                x[r, j] = tau * z[r, j] + (1.0 - tau) * y[r, j]
            if dense.shape[0] > 0:
                all_slopes(scores, target, loss, delta, slopes)
            slope = partial_derivative(
                dense, values, indices, starts, i, scores, target, loss, delta, slopes, ridge[i] * x[r, i]
            )
            down, far = slope / diagonal[i], eta / probabilities[i] * slope
            for k in range(n):
                y_scores[r, k] = scores[k]
                z_scores[r, k] = shrink * (z_scores[r, k] + eta * mu * scores[k])
            for j in range(d):
                y[r, j] = x[r, j]
                z[r, j] = shrink * (z[r, j] + eta * mu * x[r, j])
            y[r, i] -= down
            z[r, i] -= shrink * far
            add_row(dense, values, indices, starts, i, -down, y_scores[r])
            add_row(dense, values, indices, starts, i, -shrink * far, z_scores[r])


@njit(nogil=True, cache=True)
def sega_steps(
    row_dense: Vector, row_values: Vector, row_indices: Places, row_starts: Places,
    dense: Vector, values: Vector, indices: Places, starts: Places,
    target: Vector, loss: int, delta: float, ridge: Vector,
    code: int, group: int, numbers: Vector, weights: Vector,
    picks: Places, probabilities: Vector, eta: Vector, x: Vector, h: Vector, scores: Vector, h_scores: Vector,
) -> None:  # fmt: skip
    """SEGA with coordinate sketches (Hanzely, Mishchenko, Richtárik 2018).

    g = h + (∂_i f − h_i)/p_i e_i; h_i ← ∂_i f; x ← prox_{ηφ}(x − ηg). All coordinates of x change: with φ
    the scores are computed anew from the rows, without φ from those of h. `eta` (R,).
    """
    steps, seeds = picks.shape
    n, d = target.shape[0], x.shape[1]
    smooth = code == NONE
    products, slopes = np.empty((n, seeds)), np.empty(n)
    for t in range(steps):
        if not smooth:
            row_products(row_dense, row_values, row_indices, row_starts, x, products)
            for r in range(seeds):
                scores[r] = products[:, r]
        for r in range(seeds):
            i = picks[t, r]
            if dense.shape[0] > 0:
                all_slopes(scores[r], target, loss, delta, slopes)
            slope = partial_derivative(
                dense, values, indices, starts, i, scores[r], target, loss, delta, slopes, ridge[i] * x[r, i]
            )
            change = slope - h[r, i]
            for j in range(d):
                x[r, j] -= eta[r] * h[r, j]
            x[r, i] -= eta[r] * change / probabilities[i]
            if smooth:
                for k in range(n):
                    scores[r, k] -= eta[r] * h_scores[r, k]
                add_row(dense, values, indices, starts, i, -eta[r] * change / probabilities[i], scores[r])
                add_row(dense, values, indices, starts, i, change, h_scores[r])
            h[r, i] = slope
            prox(x[r], eta[r], code, group, numbers, weights)
