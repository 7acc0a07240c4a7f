"""Losses of one round as functions of the prediction z = ⟨w, φ⟩ and the target y.

Every loss here is f(w) = ℓ(z, y), so that its gradient is ℓ'(z, y) φ and its Hessian ℓ''(z, y) φφᵀ.

========= ============================== ==================================== =======================
code      ℓ(z, y)                        targets                              α-exp-concave with
========= ============================== ==================================== =======================
SQUARE    ½ (z − y)²                     real                                 α = 1/ρ², |z − y| ≤ ρ
LOGISTIC  ln(1 + exp(−y z))              −1 or 1                              α = exp(−‖φ‖R)
LOG       −ln z                          none; φ are price relatives          α = 1
HINGE     max(0, 1 − y z)                −1 or 1                              not (non-smooth)
ABSOLUTE  |z − y|                        real                                 not (non-smooth)
========= ============================== ==================================== =======================
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SQUARE, LOGISTIC, LOG, HINGE, ABSOLUTE = range(5)
LOSS_CODES = {"square": SQUARE, "logistic": LOGISTIC, "log": LOG, "hinge": HINGE, "absolute": ABSOLUTE}


@njit(nogil=True, cache=True)
def loss_value(code: int, z: float, y: float) -> float:
    """ℓ(z, y)."""
    if code == SQUARE:
        return 0.5 * (z - y) * (z - y)
    if code == LOGISTIC:
        margin = y * z
        if margin > 0:
            return math.log1p(math.exp(-margin))
        return -margin + math.log1p(math.exp(margin))
    if code == LOG:
        return -math.log(z) if z > 0 else np.inf
    if code == HINGE:
        return max(0.0, 1.0 - y * z)
    return abs(z - y)


@njit(nogil=True, cache=True)
def loss_slope(code: int, z: float, y: float) -> float:
    """ℓ'(z, y), a subgradient (the one of smallest size) where there is a kink."""
    if code == SQUARE:
        return z - y
    if code == LOGISTIC:
        return -y / (1.0 + math.exp(min(y * z, 700.0)))
    if code == LOG:
        return -1.0 / max(z, 1e-300)
    if code == HINGE:
        return -y if y * z < 1.0 else 0.0
    return float(np.sign(z - y))


@njit(nogil=True, cache=True)
def smoothed(code: int, z: float, y: float, mu: float) -> tuple[float, float, float]:
    """(value, slope, curvature) of ℓ, the two kinked losses rounded over a width `mu` (Huber).

    The rounded loss lies between ℓ − mu/2 and ℓ, so that a minimum of it is one of ℓ within mu/2 a round.
    """
    if code == SQUARE:
        return 0.5 * (z - y) * (z - y), z - y, 1.0
    if code == LOGISTIC:
        s = 1.0 / (1.0 + math.exp(min(y * z, 700.0)))
        return loss_value(code, z, y), -y * s, s * (1.0 - s)
    if code == LOG:
        return loss_value(code, z, y), -1.0 / max(z, 1e-300), 1.0 / max(z * z, 1e-300)
    if code == HINGE:
        short = 1.0 - y * z
        if short <= 0:
            return 0.0, 0.0, 0.0
        if short < mu:
            return 0.5 * short * short / mu, -y * short / mu, 1.0 / mu
        return short - 0.5 * mu, -y, 0.0
    gap = z - y
    if abs(gap) < mu:
        return 0.5 * gap * gap / mu, gap / mu, 1.0 / mu
    return abs(gap) - 0.5 * mu, float(np.sign(gap)), 0.0


@njit(nogil=True, cache=True)
def losses_of(code: int, predictions: Floats, targets: Floats) -> Floats:
    """ℓ(z_t, y_t) of every round, (n,)."""
    values = np.empty(predictions.size)
    for t in range(predictions.size):
        values[t] = loss_value(code, predictions[t], targets[t])
    return values
