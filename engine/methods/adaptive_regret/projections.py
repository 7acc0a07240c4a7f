"""Minimising a convex quadratic over the domain: Euclidean projections, A-norm projections, subproblems.

The domain is a ball of radius R about 0, or the probability simplex. ‖w − y‖_A² = (w − y)ᵀA(w − y), so
the A-norm projection of y is the minimiser of ½ wᵀHw − bᵀw with H = A, b = Ay.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BALL, SIMPLEX = 0, 1
_NEWTON_STEPS = 100


@njit(nogil=True, cache=True)
def project(domain: int, radius: float, point: Floats) -> None:
    """Euclidean projection of `point` (d,) onto the ball or the simplex, in place."""
    if domain == BALL:
        norm = math.sqrt(np.dot(point, point))
        if norm > radius:
            for i in range(point.size):
                point[i] *= radius / norm
        return
    ordered = np.sort(point)
    total, shift = 0.0, 0.0
    for k in range(1, point.size + 1):
        value = ordered[point.size - k]
        total += value
        candidate = (total - 1.0) / k
        if value - candidate > 0:
            shift = candidate
    for i in range(point.size):
        point[i] = max(0.0, point[i] - shift)


@njit(nogil=True, cache=True)
def factor(matrix: Floats, ridge: float, lower: Floats) -> bool:
    """Cholesky factor of matrix + ridge·I into `lower` (n, n). False if it is not positive definite."""
    n = matrix.shape[0]
    for j in range(n):
        for i in range(j, n):
            value = matrix[i, j]
            if i == j:
                value += ridge
            for k in range(j):
                value -= lower[i, k] * lower[j, k]
            if i == j:
                if value <= 0.0:
                    return False
                lower[j, j] = math.sqrt(value)
            else:
                lower[i, j] = value / lower[j, j]
    return True


@njit(nogil=True, cache=True)
def solve_factored(lower: Floats, right: Floats, result: Floats) -> None:
    """Solve L Lᵀ x = right (n,) into `result` (n,)."""
    n = right.size
    for i in range(n):
        value = right[i]
        for k in range(i):
            value -= lower[i, k] * result[k]
        result[i] = value / lower[i, i]
    for i in range(n - 1, -1, -1):
        value = result[i]
        for k in range(i + 1, n):
            value -= lower[k, i] * result[k]
        result[i] = value / lower[i, i]


@njit(nogil=True, cache=True)
def minimise_on_ball(matrix: Floats, linear: Floats, radius: float, result: Floats) -> float:
    """argmin ½ wᵀHw − bᵀw over ‖w‖ ≤ R, H positive definite (d, d); returns the multiplier μ ≥ 0.

    Outside the ball (H + μI)w = b with ‖w‖ = R, by Newton's method on 1/R − 1/‖w(μ)‖, which rises to the
    root from the left without overshooting (Moré and Sorensen 1983).
    """
    n = linear.size
    lower = np.zeros((n, n))
    inner = np.empty(n)
    ridge = 0.0
    largest = 0.0
    for i in range(n):
        largest = max(largest, matrix[i, i])
    if not factor(matrix, 0.0, lower):
        ridge = 1e-12 * max(largest, 1e-300)
        while not factor(matrix, ridge, lower):
            ridge *= 10.0
    mu = ridge
    for _ in range(_NEWTON_STEPS):
        solve_factored(lower, linear, result)
        norm = math.sqrt(np.dot(result, result))
        if norm <= radius * (1.0 + 1e-14) or norm == 0.0:
            break
        for i in range(n):
            value = result[i]
            for k in range(i):
                value -= lower[i, k] * inner[k]
            inner[i] = value / lower[i, i]
        step = norm * norm / np.dot(inner, inner) * (norm - radius) / radius
        if step <= 1e-15 * (mu + largest):
            break
        mu += step
        factor(matrix, mu, lower)
    norm = math.sqrt(np.dot(result, result))
    if norm > radius:
        for i in range(n):
            result[i] *= radius / norm
    return mu - ridge


@njit(nogil=True, cache=True)
def minimise_on_simplex(matrix: Floats, linear: Floats, result: Floats) -> int:
    """argmin ½ wᵀHw − bᵀw over the simplex, H positive definite, from the feasible `result`, in place.

    Primal active set: minimise on the free coordinates, stop at the first that reaches zero, free the
    coordinate whose multiplier is most negative. Returns the number of solves.
    """
    d = linear.size
    free = np.zeros(d, np.bool_)
    for i in range(d):
        free[i] = result[i] > 0.0
    places = np.empty(d, np.int64)
    size = 0.0
    for i in range(d):
        size = max(size, abs(linear[i]), abs(matrix[i, i]))
    for solves in range(1, 20 * d + 50):
        n = 0
        for i in range(d):
            if free[i]:
                places[n] = i
                n += 1
        target, multiplier = _on_free(matrix, linear, places, n)
        share, blocking = 1.0, -1
        for k in range(n):
            now = result[places[k]]
            if target[k] < 0.0 and now / (now - target[k]) < share:
                share, blocking = now / (now - target[k]), k
        for k in range(n):
            i = places[k]
            result[i] += share * (target[k] - result[i])
        if blocking >= 0:
            result[places[blocking]] = 0.0
            free[places[blocking]] = False
            continue
        worst, entering = -1e-12 * size, -1
        for i in range(d):
            if not free[i]:
                slope = multiplier - linear[i]
                for k in range(n):
                    slope += matrix[i, places[k]] * result[places[k]]
                if slope < worst:
                    worst, entering = slope, i
        if entering < 0:
            return solves
        free[entering] = True
    return 20 * d + 50


@njit(nogil=True, cache=True)
def _on_free(matrix: Floats, linear: Floats, places: NDArray[np.int64], n: int) -> tuple[Floats, float]:
    """Minimiser with Σw = 1 on the free coordinates (n,), and the multiplier of that constraint."""
    part, right = np.empty((n, n)), np.empty(n)
    largest = 0.0
    for a in range(n):
        right[a] = linear[places[a]]
        for b in range(n):
            part[a, b] = matrix[places[a], places[b]]
        largest = max(largest, part[a, a])
    lower = np.zeros((n, n))
    ridge = 0.0
    while not factor(part, ridge, lower):
        ridge = max(10.0 * ridge, 1e-13 * max(largest, 1e-300))
    first, ones = np.empty(n), np.empty(n)
    solve_factored(lower, right, first)
    solve_factored(lower, np.ones(n), ones)
    multiplier = (first.sum() - 1.0) / ones.sum()
    return first - multiplier * ones, multiplier


@njit(nogil=True, cache=True)
def project_diagonal(domain: int, radius: float, weights: Floats, point: Floats) -> None:
    """Projection of `point` in the norm Σ weights_i (w_i − y_i)², in place, by bisection."""
    d = point.size
    if domain == BALL:
        if np.dot(point, point) <= radius * radius:
            return
        low, high = 0.0, weights.max() * (math.sqrt(np.dot(point, point)) / radius)
        for _ in range(200):
            mu = 0.5 * (low + high)
            norm = 0.0
            for i in range(d):
                norm += (weights[i] * point[i] / (weights[i] + mu)) ** 2
            if norm > radius * radius:
                low = mu
            else:
                high = mu
        for i in range(d):
            point[i] *= weights[i] / (weights[i] + high)
        return
    low, high = np.inf, -np.inf
    for i in range(d):
        low = min(low, weights[i] * (point[i] - 1.0))
        high = max(high, weights[i] * point[i])
    for _ in range(200):
        shift = 0.5 * (low + high)
        total = 0.0
        for i in range(d):
            total += max(0.0, point[i] - shift / weights[i])
        if total > 1.0:
            low = shift
        else:
            high = shift
    total = 0.0
    for i in range(d):
        point[i] = max(0.0, point[i] - high / weights[i])
        total += point[i]
    for i in range(d):
        point[i] /= total
