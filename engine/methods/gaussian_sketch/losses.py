"""Losses of one sample as functions of its score u = aᵀx and target y: value, slope, curvature bound.

Codes for the compiled kernels: logistic log(1 + e^{−yu}) with y = ±1; square ½(u − y)²; Huber with
threshold δ, ½(u − y)² within δ of the target and δ|u − y| − ½δ² beyond.
"""

from __future__ import annotations

import numpy as np
from numba import njit

LOGISTIC, SQUARE, HUBER = 0, 1, 2
LOSSES = {"logistic": LOGISTIC, "square": SQUARE, "huber": HUBER}
CURVATURE = {"logistic": 0.25, "square": 1.0, "huber": 1.0}
"""Largest second derivative of each loss: M = curvature · AᵀA/n + diag(ridge)."""


@njit(nogil=True, cache=True)
def loss_value(code: int, score: float, target: float, delta: float) -> float:
    """ℓ(u, y)."""
    if code == LOGISTIC:
        margin = target * score
        # log1p of the smaller exponential, so that nothing overflows
        return np.log1p(np.exp(-abs(margin))) + max(-margin, 0.0)
    gap = score - target
    if code == SQUARE or abs(gap) <= delta:
        return 0.5 * gap * gap
    return delta * (abs(gap) - 0.5 * delta)


@njit(nogil=True, cache=True)
def loss_slope(code: int, score: float, target: float, delta: float) -> float:
    """∂ℓ/∂u."""
    if code == LOGISTIC:
        return -target / (1.0 + np.exp(target * score))
    gap = score - target
    if code == SQUARE:
        return gap
    return min(max(gap, -delta), delta)
