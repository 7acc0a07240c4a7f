"""Logarithms of binomial probabilities and tails on the whole support, accurate far into the tails."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def log_pmf(trials: int, mean: float) -> Floats:
    """ln P(S = s), s = 0..n, S ~ Binomial(n, mean), shape (n+1,); −inf where impossible."""
    return log_pmf_window(trials, mean, np.inf)[1]


@njit(nogil=True, cache=True)
def log_pmf_window(trials: int, mean: float, depth: float) -> tuple[int, NDArray]:
    """(lowest s, ln P(S = s) from there on): the values above −`depth` relative to the mode's.

    Grows outwards from the mode by the ratio P(s+1)/P(s) = (n−s)/(s+1) · p/(1−p) and is normalised by
    its sum, which keeps the relative accuracy that differences of ln Γ lose for large n. An undrawn arm
    (n = 0) is given the support {0, 1, 2} of two draws with one success: its empirical mean is ½ by
    convention.
    """
    if trials == 0:
        return 0, np.array([-np.inf, 0.0, -np.inf])
    if mean <= 0.0 or mean >= 1.0:
        out = np.full(trials + 1, -np.inf)
        out[trials if mean >= 1.0 else 0] = 0.0
        return 0, out
    mode, odds = min(int((trials + 1) * mean), trials), np.log(mean) - np.log1p(-mean)
    low, value = mode, 0.0
    while low > 0 and value > -depth:
        value -= np.log((trials - low + 1.0) / low) + odds
        low -= 1
    high, value = mode, 0.0
    while high < trials and value > -depth:
        value += np.log((trials - high) / (high + 1.0)) + odds
        high += 1
    out = np.zeros(high - low + 1)
    total = 1.0
    for s in range(mode, high):
        out[s + 1 - low] = out[s - low] + np.log((trials - s) / (s + 1.0)) + odds
        total += np.exp(out[s + 1 - low])
    for s in range(mode, low, -1):
        out[s - 1 - low] = out[s - low] - (np.log((trials - s + 1.0) / s) + odds)
        total += np.exp(out[s - 1 - low])
    return low, out - np.log(total)


@njit(nogil=True, cache=True)
def log_above(log_probabilities: NDArray) -> NDArray:
    """ln P(S > s) for s = 0..n from ln P(S = s), shape (n+1,); −inf at s = n."""
    size = log_probabilities.shape[0]
    out = np.full(size, -np.inf)
    for s in range(size - 2, -1, -1):
        out[s] = np.logaddexp(out[s + 1], log_probabilities[s + 1])
    return out


@njit(nogil=True, cache=True)
def log_below(log_probabilities: NDArray) -> NDArray:
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
