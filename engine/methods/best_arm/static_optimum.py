"""The fixed allocation with the largest rate: the oracle's reference line.

Glynn and Juneja, "A large deviations perspective on ordinal optimization" (2004). It needs the means, so
that no algorithm can use it.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

_HALVINGS = 60


def best_static_weights(means: ArrayLike) -> tuple[NDArray[np.float64], float]:
    """Weights (K,), sum 1, that maximise `rates.static_rate`, and that rate in nats per draw.

    At the optimum the rates of all pairs (best, k) are equal. The weight of the best arm is found by
    golden section, the common rate and the other weights by bisection. Means strictly inside (0, 1);
    equal weights and rate 0 when the best mean is shared.
    """
    m = np.asarray(means, dtype=float)
    if ((m <= 0) | (m >= 1)).any():
        raise ValueError("the best static allocation needs means strictly between 0 and 1")
    best = int(np.argmax(m))
    others = np.delete(np.arange(m.size), best)
    if (m[others] == m[best]).any():
        return np.full(m.size, 1.0 / m.size), 0.0
    share, rate = _maximise(m[best], m[others])
    weights = np.empty(m.size)
    weights[best] = share
    weights[others] = [_weight_for_rate(m[best], share, m[k], rate) for k in others]
    return weights / weights.sum(), float(rate)


@njit(nogil=True, cache=True)
def _maximise(best: float, others: NDArray) -> tuple[float, float]:
    golden = (np.sqrt(5.0) - 1) / 2
    low, high = 1e-6, 1 - 1e-6
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = _balanced_rate(best, left, others), _balanced_rate(best, right, others)
    for _ in range(_HALVINGS):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = _balanced_rate(best, right, others)
        else:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = _balanced_rate(best, left, others)
    share = 0.5 * (low + high)
    return share, _balanced_rate(best, share, others)


@njit(nogil=True, cache=True)
def _balanced_rate(best: float, share: float, others: NDArray) -> float:
    """The common rate of all pairs when the best arm has weight `share` and all weights sum to 1."""
    low, high = 0.0, np.inf
    for k in range(others.shape[0]):
        m = others[k]
        limit = m * np.log(m / best) + (1 - m) * np.log((1 - m) / (1 - best))
        high = min(high, share * limit)
    for _ in range(_HALVINGS):
        rate = 0.5 * (low + high)
        total = share
        for k in range(others.shape[0]):
            total += _weight_for_rate(best, share, others[k], rate)
        if total > 1.0:
            high = rate
        else:
            low = rate
    return low


@njit(nogil=True, cache=True)
def _weight_for_rate(best: float, share: float, mean: float, rate: float) -> float:
    """Weight in (0, 1) of an arm at which its pair with the best arm reaches `rate`."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        weight = 0.5 * (low + high)
        u = share / (share + weight)
        affinity = best**u * mean ** (1 - u) + (1 - best) ** u * (1 - mean) ** (1 - u)
        if -(share + weight) * np.log(affinity) < rate:
            low = weight
        else:
            high = weight
    return high
