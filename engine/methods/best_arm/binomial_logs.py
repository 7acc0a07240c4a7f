"""Logarithms of binomial probabilities and tails on the whole support, accurate far into the tails."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def log_pmf(trials: int, mean: float) -> Floats:
    """ln P(S = s), s = 0..n, S ~ Binomial(n, mean), shape (n+1,); −inf where impossible.

    Grows outwards from the mode by the ratio P(s+1)/P(s) = (n−s)/(s+1) · p/(1−p), which keeps the
    relative accuracy that differences of ln Γ lose for large n. An undrawn arm (n = 0) is given the
    support {0, 1, 2} of two draws with one success, its empirical mean being ½ by convention.
    """
    if trials == 0:
        return np.array([-np.inf, 0.0, -np.inf])
    out = np.full(trials + 1, -np.inf)
    if mean <= 0.0 or mean >= 1.0:
        out[trials if mean >= 1.0 else 0] = 0.0
        return out
    from scipy.stats import binom

    mode = min(int((trials + 1) * mean), trials)
    s = np.arange(trials)
    ratio = np.log((trials - s) / (s + 1.0)) + (np.log(mean) - np.log1p(-mean))
    out[mode] = np.log(binom.pmf(mode, trials, mean))
    out[mode + 1 :] = out[mode] + np.cumsum(ratio[mode:])
    out[:mode] = out[mode] - np.cumsum(ratio[:mode][::-1])[::-1]
    return out


@njit(nogil=True, cache=True)
def log_above(log_probabilities):
    """ln P(S > s) for s = 0..n from ln P(S = s), shape (n+1,); −inf at s = n."""
    size = log_probabilities.shape[0]
    out = np.full(size, -np.inf)
    for s in range(size - 2, -1, -1):
        out[s] = np.logaddexp(out[s + 1], log_probabilities[s + 1])
    return out


@njit(nogil=True, cache=True)
def log_below(log_probabilities):
    """ln P(S < s) for s = 0..n from ln P(S = s), shape (n+1,); −inf at s = 0."""
    size = log_probabilities.shape[0]
    out = np.full(size, -np.inf)
    for s in range(1, size):
        out[s] = np.logaddexp(out[s - 1], log_probabilities[s - 1])
    return out


def pmf_rows(largest: int, mean: float) -> list[Floats]:
    """P(S = s) for n = 0..largest: a list of arrays (n+1,). n = 0 is the certain value 0."""
    rows = [np.ones(1)]
    for n in range(1, largest + 1):
        previous, row = rows[-1], np.zeros(n + 1)
        row[:-1] = previous * (1.0 - mean)
        row[1:] += previous * mean
        rows.append(row)
    return rows
