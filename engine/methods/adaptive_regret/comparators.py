"""The best fixed point in hindsight on an interval, solved exactly: L_r^s = min_w Σ_{t=r..s} f_t(w).

Square loss: the interval's Σφφᵀ, Σφy from blocks of prefix sums, then ball-constrained least squares.
All other losses: Newton's method with exact subproblems over the domain (ball or simplex) and a line
search, until the Frank–Wolfe gap g·w − min_v g·v, a bound on what is still to be gained, is below the
tolerance. For the log-loss that gap per round is max_i mean(x_i/⟨w,x⟩) − 1, the KKT gap. Hinge and
absolute loss are rounded over a width that shrinks to 1e−7, which bounds the error by 5e−8 a round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.adaptive_regret.losses import (
    ABSOLUTE,
    HINGE,
    LOSS_CODES,
    loss_value,
    smoothed,
)
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.projections import (
    BALL,
    SIMPLEX,
    minimise_on_ball,
    minimise_on_simplex,
)

Floats = NDArray[np.float64]
TOLERANCE = 1e-9
_PREFIX_BYTES = 64 << 20


@dataclass(frozen=True, eq=False)
class Best:
    """A minimum and where: `value` Σf, `point` (d,), `gap` an upper bound of value − minimum."""

    value: float
    point: Floats
    gap: float


class Comparator:
    """Best fixed points of one problem on any interval [first, last), solved when asked for."""

    def __init__(self, problem: Problem, tolerance: float = TOLERANCE) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self._code = LOSS_CODES[problem.loss]
        self._domain = SIMPLEX if problem.simplex else BALL
        self._warm = problem.start.copy()
        self._prefix: Prefix | None = Prefix.of(problem) if problem.loss == "square" else None

    def best(self, first: int, last: int) -> Best:
        """The best fixed point of rounds first … last − 1 (from 0)."""
        p = self.problem
        if self._prefix is not None:
            return self._least_squares(first, last)
        point = self._warm.copy()
        if self._domain == SIMPLEX:
            # A coordinate at zero can be freed again, but a start inside saves solves.
            point = 0.999 * point + 0.001 * p.start
        gap = minimise(
            p.features, p.targets, first, last, self._code, self._domain, p.radius, point, self.tolerance
        )
        self._warm = point
        return Best(value_at(p.features, p.targets, first, last, self._code, point), point, gap)

    def value_of(self, point: Floats, first: int, last: int) -> float:
        """Σ f_t(point) over rounds first … last − 1."""
        p = self.problem
        return float(value_at(p.features, p.targets, first, last, self._code, point))

    def _least_squares(self, first: int, last: int) -> Best:
        assert self._prefix is not None
        p = self.problem
        gram, cross, squares = self._prefix.window(first, last)
        ridge = 1e-11 * (np.trace(gram) / p.dimension + 1e-300)
        gram[np.diag_indices(p.dimension)] += ridge
        point = p.start.copy()
        if p.simplex:
            minimise_on_simplex(gram, cross, point)
        else:
            minimise_on_ball(gram, cross, p.radius, point)
        gradient = gram @ point - cross
        reach = -p.radius * np.linalg.norm(gradient)
        floor = np.min(gradient) if p.simplex else reach
        value = 0.5 * (point @ gram @ point - 2.0 * cross @ point + squares)
        return Best(max(float(value), 0.0), point, max(float(gradient @ point - floor), 0.0))


@dataclass(frozen=True, eq=False)
class Prefix:
    """Sums of φφᵀ, φy, y² up to every `block`-th round, so that the memory stays bounded."""

    problem: Problem
    block: int
    gram: Floats
    cross: Floats
    squares: Floats

    @classmethod
    def of(cls, problem: Problem) -> Prefix:
        d, rounds = problem.dimension, problem.rounds
        block = max(1, math.ceil(rounds * d * d * 8 / _PREFIX_BYTES))
        gram, cross, squares = _prefix_sums(problem.features, problem.targets, block)
        return cls(problem, block, gram, cross, squares)

    def window(self, first: int, last: int) -> tuple[Floats, Floats, float]:
        """Σφφᵀ (d, d), Σφy (d,), Σy² over rounds first … last − 1."""
        p, low, high = self.problem, -(-first // self.block), last // self.block
        if high <= low:
            x, y = p.features[first:last], p.targets[first:last]
            return x.T @ x, x.T @ y, float(y @ y)
        gram = self.gram[high] - self.gram[low]
        cross = self.cross[high] - self.cross[low]
        squares = self.squares[high] - self.squares[low]
        for a, b in ((first, low * self.block), (high * self.block, last)):
            x, y = p.features[a:b], p.targets[a:b]
            gram, cross, squares = gram + x.T @ x, cross + x.T @ y, squares + y @ y
        return gram, cross, float(squares)


@njit(nogil=True, cache=True)
def _prefix_sums(features: Floats, targets: Floats, block: int) -> tuple[Floats, Floats, Floats]:
    rounds, d = features.shape
    count = rounds // block + 1
    gram, cross, squares = np.zeros((count, d, d)), np.zeros((count, d)), np.zeros(count)
    for b in range(1, count):
        gram[b], cross[b], squares[b] = gram[b - 1], cross[b - 1], squares[b - 1]
        for t in range((b - 1) * block, b * block):
            for i in range(d):
                for j in range(d):
                    gram[b, i, j] += features[t, i] * features[t, j]
                cross[b, i] += features[t, i] * targets[t]
            squares[b] += targets[t] * targets[t]
    return gram, cross, squares


@njit(nogil=True, cache=True)
def value_at(features: Floats, targets: Floats, first: int, last: int, code: int, point: Floats) -> float:
    """Σ ℓ(⟨point, φ_t⟩, y_t) over rounds first … last − 1."""
    total = 0.0
    for t in range(first, last):
        z = 0.0
        for i in range(point.size):
            z += features[t, i] * point[i]
        total += loss_value(code, z, targets[t])
    return total


@njit(nogil=True, cache=True)
def _smoothed_value(
    features: Floats, targets: Floats, first: int, last: int, code: int, point: Floats, mu: float
) -> float:
    total = 0.0
    for t in range(first, last):
        z = 0.0
        for i in range(point.size):
            z += features[t, i] * point[i]
        total += smoothed(code, z, targets[t], mu)[0]
    return total


@njit(nogil=True, cache=True)
def _derivatives(
    features: Floats,
    targets: Floats,
    first: int,
    last: int,
    code: int,
    point: Floats,
    mu: float,
    gradient: Floats,
    hessian: Floats,
) -> float:
    """Fill gradient (d,) and Hessian (d, d); returns the value."""
    d = point.size
    gradient[:] = 0.0
    hessian[:] = 0.0
    total = 0.0
    for t in range(first, last):
        z = 0.0
        for i in range(d):
            z += features[t, i] * point[i]
        value, slope, curve = smoothed(code, z, targets[t], mu)
        total += value
        for i in range(d):
            gradient[i] += slope * features[t, i]
            part = curve * features[t, i]
            if part != 0.0:
                for j in range(i + 1):
                    hessian[i, j] += part * features[t, j]
    for i in range(d):
        for j in range(i):
            hessian[j, i] = hessian[i, j]
    return total


@njit(nogil=True, cache=True)
def minimise(
    features: Floats,
    targets: Floats,
    first: int,
    last: int,
    code: int,
    domain: int,
    radius: float,
    point: Floats,
    tolerance: float,
) -> float:
    """Minimise Σ ℓ over the domain from the feasible `point`, in place; returns a bound of the error.

    `tolerance` is per round.
    """
    rounds = last - first
    kinked = code in (HINGE, ABSOLUTE)
    mu, gap = (0.3 if kinked else 0.0), np.inf
    while True:
        gap = _newton(features, targets, first, last, code, domain, radius, point, mu, tolerance)
        if not kinked or mu <= 1e-7:
            return gap + 0.5 * mu * rounds
        mu = max(mu * 0.1, 1e-7)


@njit(nogil=True, cache=True)
def _newton(
    features: Floats,
    targets: Floats,
    first: int,
    last: int,
    code: int,
    domain: int,
    radius: float,
    point: Floats,
    mu: float,
    tolerance: float,
) -> float:
    d, rounds = point.size, last - first
    gradient, hessian, target = np.empty(d), np.empty((d, d)), np.empty(d)
    gap = np.inf
    damping = 1e-11
    for _ in range(200):
        value = _derivatives(features, targets, first, last, code, point, mu, gradient, hessian)
        gap = np.dot(gradient, point)
        if domain == BALL:
            gap += radius * math.sqrt(np.dot(gradient, gradient))
        else:
            gap -= gradient.min()
        if gap <= tolerance * rounds:
            break
        largest = 1e-300
        for i in range(d):
            largest = max(largest, hessian[i, i])
        steepest = math.sqrt(np.dot(gradient, gradient))
        for i in range(d):
            hessian[i, i] += damping * (largest + steepest)
        linear = hessian @ point - gradient
        target[:] = point
        if domain == BALL:
            minimise_on_ball(hessian, linear, radius, target)
        else:
            minimise_on_simplex(hessian, linear, target)
        fall = np.dot(gradient, target - point)
        share = 1.0
        for _ in range(50):
            moved = point + share * (target - point)
            new = _smoothed_value(features, targets, first, last, code, moved, mu)
            if new <= value + 1e-4 * share * fall or abs(new - value) <= 1e-14 * abs(value):
                break
            share *= 0.5
        if share < 1e-12:
            break
        damping = max(damping * 0.1, 1e-11) if share == 1.0 else min(damping * 30.0, 1.0)
        point[:] = moved
        if fall > -1e-22 * (abs(value) + 1e-300):
            break
    return max(gap, 0.0)
