"""Regularisers φ and their proximal maps prox_{ηφ}(v) = argmin_u φ(u) + ‖u − v‖² / (2η), compiled.

Every map takes `weights` (d,): the problem may be solved in y with x = weights · y (a diagonal
preconditioner; 0 marks an unpenalised intercept), and φ is meant of x. Only separable φ allow weights
other than 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

Vector = NDArray[np.float64]

NONE, L1, ELASTIC, GROUP, BOX, SIMPLEX, BALL, TV, NUCLEAR = range(9)
REGULARISERS = {
    "none": NONE, "l1": L1, "elastic": ELASTIC, "group": GROUP, "box": BOX, "simplex": SIMPLEX,
    "ball": BALL, "tv": TV, "nuclear": NUCLEAR,
}  # fmt: skip
SEPARABLE = ("none", "l1", "elastic", "box")
"""Those that coordinate methods and a preconditioner can use."""


@dataclass(frozen=True)
class Penalty:
    """φ of x: `name` of REGULARISERS with strength λ (or radius).

    l1 λ‖x‖₁; elastic λ(ρ‖x‖₁ + (1−ρ)/2 ‖x‖²), ρ = `share`; group λ Σ √size ‖x_G‖ over consecutive groups
    of `size`; box low ≤ x ≤ high; simplex x ≥ 0 with Σx = λ; ball ‖x‖ ≤ λ; tv λ Σ|x_{i+1} − x_i|;
    nuclear λ‖X‖_* of x as a matrix with `size` rows.
    """

    name: str = "none"
    strength: float = 0.0
    share: float = 0.5
    low: float = -1.0
    high: float = 1.0
    size: int = 1

    @property
    def code(self) -> int:
        """The number the kernels know it by."""
        return REGULARISERS[self.name]

    @property
    def is_separable(self) -> bool:
        """Whether φ is a sum over coordinates."""
        return self.name in SEPARABLE

    def numbers(self) -> np.ndarray:
        """float64 (4,): strength, share, low, high."""
        return np.array([self.strength, self.share, self.low, self.high])

    def value(self, x: np.ndarray, weights: np.ndarray | None = None) -> float:
        """φ(x), infinite outside a set (with a tolerance of 1e−9)."""
        w = np.ones(x.size) if weights is None else weights
        return float(penalty_value(x, self.code, self.size, self.numbers(), w))

    def prox(self, v: np.ndarray, step: float, weights: np.ndarray | None = None) -> np.ndarray:
        """prox_{step·φ}(v), a new array."""
        out = np.array(v, np.float64)
        w = np.ones(out.size) if weights is None else weights
        prox(out, step, self.code, self.size, self.numbers(), w)
        return out


@njit(nogil=True, cache=True)
def penalty_value(x: Vector, code: int, size: int, numbers: Vector, weights: Vector) -> float:
    """φ(weights · x)."""
    strength = numbers[0]
    total = 0.0
    if code == NONE:
        return 0.0
    if code in (L1, ELASTIC):
        share = 1.0 if code == L1 else numbers[1]
        for j in range(x.shape[0]):
            u = weights[j] * x[j]
            total += share * abs(u) + 0.5 * (1.0 - share) * u * u
        return strength * total
    if code == GROUP:
        for start in range(0, x.shape[0], size):
            part = x[start : start + size]
            total += np.sqrt(part.shape[0]) * np.sqrt(np.sum(part * part))
        return strength * total
    if code == BOX:
        for j in range(x.shape[0]):
            u = weights[j] * x[j]
            if weights[j] > 0.0 and (u < numbers[2] - 1e-9 or u > numbers[3] + 1e-9):
                return np.inf
        return 0.0
    if code == SIMPLEX:
        inside = x.min() >= -1e-9 and abs(x.sum() - strength) <= 1e-9 * max(strength, 1.0) * x.shape[0]
        return 0.0 if inside else np.inf
    if code == BALL:
        return 0.0 if np.sqrt(np.sum(x * x)) <= strength * (1 + 1e-9) else np.inf
    if code == TV:
        for j in range(x.shape[0] - 1):
            total += abs(x[j + 1] - x[j])
        return strength * total
    matrix = x.copy().reshape((size, x.shape[0] // size))
    return strength * np.sum(np.linalg.svd(matrix, False)[1])


@njit(nogil=True, cache=True)
def prox_coordinate(v: float, step: float, code: int, numbers: Vector, weight: float) -> float:
    """The proximal map of one coordinate of a separable φ."""
    if code == NONE or weight == 0.0:
        return v
    if code == BOX:
        return min(max(v, numbers[2] / weight), numbers[3] / weight)
    share = 1.0 if code == L1 else numbers[1]
    threshold = step * numbers[0] * share * weight
    shrunk = 0.0
    if v > threshold:
        shrunk = v - threshold
    elif v < -threshold:
        shrunk = v + threshold
    return shrunk / (1.0 + step * numbers[0] * (1.0 - share) * weight * weight)


@njit(nogil=True, cache=True)
def prox(v: Vector, step: float, code: int, size: int, numbers: Vector, weights: Vector) -> None:
    """v ← prox_{step·φ}(v), in place."""
    strength = numbers[0]
    if code == NONE:
        return
    if code in (L1, ELASTIC, BOX):
        for j in range(v.shape[0]):
            v[j] = prox_coordinate(v[j], step, code, numbers, weights[j])
    elif code == GROUP:
        for start in range(0, v.shape[0], size):
            part = v[start : start + size]
            norm = np.sqrt(np.sum(part * part))
            threshold = step * strength * np.sqrt(part.shape[0])
            part *= 1.0 - threshold / norm if norm > threshold else 0.0
    elif code == SIMPLEX:
        project_simplex(v, strength)
    elif code == BALL:
        norm = np.sqrt(np.sum(v * v))
        if norm > strength:
            v *= strength / norm
    elif code == TV:
        v[:] = prox_total_variation(v.copy(), step * strength)
    else:
        shrink_singular_values(v, step * strength, size)


@njit(nogil=True, cache=True)
def project_simplex(v: Vector, radius: float) -> None:
    """Euclidean projection onto {x ≥ 0, Σx = radius}, in place, by sorting (Held, Wolfe, Crowder 1974)."""
    falling = np.sort(v)[::-1]
    total, level = 0.0, 0.0
    for k in range(falling.shape[0]):
        total += falling[k]
        candidate = (total - radius) / (k + 1)
        if falling[k] > candidate:
            level = candidate
    for j in range(v.shape[0]):
        v[j] = max(v[j] - level, 0.0)


@njit(nogil=True, cache=True)
def shrink_singular_values(v: Vector, threshold: float, rows: int) -> None:
    """Soft threshold of the singular values of v as a matrix (rows, d / rows), in place."""
    matrix = v.copy().reshape((rows, v.shape[0] // rows))
    left, values, right = np.linalg.svd(matrix, False)
    values = np.maximum(values - threshold, 0.0)
    v[:] = ((left * values) @ right).ravel()


@njit(nogil=True, cache=True)
def prox_total_variation(y: Vector, lam: float) -> Vector:
    """argmin ½‖x − y‖² + lam Σ|x_{i+1} − x_i| in one pass (Condat 2013, "A direct algorithm for 1-D TV").

    The segment from `first` on is kept between its lowest and highest admissible value; `low_sum` and
    `high_sum` are the dual variables that these would give at the present place.
    """
    n = y.shape[0]
    x = np.empty(n)
    if n == 0:
        return x
    here, first, low_end, high_end = 0, 0, 0, 0
    low, high = y[0] - lam, y[0] + lam
    low_sum, high_sum = lam, -lam
    while True:
        if here == n - 1:
            if low_sum < 0.0:
                x[first : low_end + 1] = low
                first = low_end = here = low_end + 1
                low, low_sum = y[here], lam
                high_sum = low + lam - high
            elif high_sum > 0.0:
                x[first : high_end + 1] = high
                first = high_end = here = high_end + 1
                high, high_sum = y[here], -lam
                low_sum = high - lam - low
            else:
                x[first:] = low + low_sum / (here - first + 1)
                return x
            continue
        low_sum += y[here + 1] - low
        high_sum += y[here + 1] - high
        if low_sum < -lam:
            x[first : low_end + 1] = low
            first = here = high_end = low_end = low_end + 1
            low, high = y[here], y[here] + 2.0 * lam
            low_sum, high_sum = lam, -lam
        elif high_sum > lam:
            x[first : high_end + 1] = high
            first = here = low_end = high_end = high_end + 1
            low, high = y[here] - 2.0 * lam, y[here]
            low_sum, high_sum = lam, -lam
        else:
            here += 1
            if low_sum >= lam:
                low += (low_sum - lam) / (here - first + 1)
                low_sum, low_end = lam, here
            if high_sum <= -lam:
                high += (high_sum + lam) / (here - first + 1)
                high_sum, high_end = -lam, here
