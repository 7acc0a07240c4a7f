"""Compiled full-gradient steps: proximal gradient descent (ISTA) and its accelerated form (FISTA)."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.objective import gradient_of
from engine.methods.gaussian_sketch.regularisers import prox

Vector = NDArray[np.float64]
Places = NDArray[np.int64]


@njit(nogil=True, cache=True)
def gradient_steps(
    dense: Vector, values: Vector, indices: Places, starts: Places,
    target: Vector, loss: int, delta: float, ridge: Vector,
    code: int, group: int, numbers: Vector, weights: Vector,
    steps: int, eta: float, accelerated: bool, x: Vector, y: Vector, momentum: Vector,
) -> float:  # fmt: skip
    """`steps` of x ← prox_{ηφ}(y − η∇f(y)); returns the length of the last step.

    ISTA: y = x. FISTA (Beck and Teboulle 2009) with the gradient restart of O'Donoghue and Candès (2015).
    x, y (d,) and `momentum` (1,) change in place.
    """
    gradient, before = np.empty(x.shape[0]), np.empty(x.shape[0])
    moved = 0.0
    for _ in range(steps):
        gradient_of(dense, values, indices, starts, target, loss, delta, ridge, y, gradient)
        before[:] = x
        for j in range(x.shape[0]):
            x[j] = y[j] - eta * gradient[j]
        prox(x, eta, code, group, numbers, weights)
        turned, moved = 0.0, 0.0
        for j in range(x.shape[0]):
            turned += (y[j] - x[j]) * (x[j] - before[j])
            moved += (x[j] - y[j]) * (x[j] - y[j])
        moved = np.sqrt(moved)
        if not accelerated:
            y[:] = x
            continue
        if turned > 0.0:
            momentum[0] = 1.0
            y[:] = x
            continue
        after = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum[0] * momentum[0]))
        ratio = (momentum[0] - 1.0) / after
        momentum[0] = after
        for j in range(x.shape[0]):
            y[j] = x[j] + ratio * (x[j] - before[j])
    return moved
