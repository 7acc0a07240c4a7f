"""Binomial draws from a table: inverse distribution function with a guide table.

Chen and Asau (1974): entry g of the guide is the first value whose cumulative probability exceeds
g/G, so that inverting a uniform takes one or two comparisons whatever n is. A phase algorithm draws
the successes of a whole phase at once, so its cost does not depend on the budget.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.best_arm.streams import next_uniform

_TAIL = 1e-18  # probabilities below this, relative to the mode, are cut: a 53-bit uniform cannot see them


@dataclass(frozen=True)
class BinomialTables:
    """Tables for several Binomial(n, p) laid end to end.

    `cumulative` float64 and `guide` int64 share offsets: table i occupies [start[i], start[i+1]),
    its first entry is the value `lowest[i]`.
    """

    cumulative: NDArray[np.float64]
    guide: NDArray[np.int64]
    start: NDArray[np.int64]
    lowest: NDArray[np.int64]


def binomial_tables(trials: NDArray[np.int64], probabilities: NDArray[np.float64]) -> BinomialTables:
    """Tables of Binomial(trials[i], probabilities[i]); both shape (M,)."""
    n, p = np.asarray(trials, np.int64), np.asarray(probabilities, np.float64)
    lowest, size = np.empty(n.size, np.int64), np.empty(n.size, np.int64)
    for i in range(n.size):
        lowest[i], size[i] = _support(n[i], p[i])
    start = np.concatenate(([0], np.cumsum(size))).astype(np.int64)
    cumulative, guide = np.empty(start[-1]), np.empty(start[-1], np.int64)
    _fill(n, p, start, lowest, cumulative, guide)
    return BinomialTables(cumulative, guide, start, lowest)


@njit(nogil=True, cache=True)
def _mode(n: int, p: float) -> int:
    return min(int((n + 1) * p), n)


@njit(nogil=True, cache=True)
def _support(n: int, p: float) -> tuple[int, int]:
    """(smallest value, number of values) whose probability is not below `_TAIL` of the mode's."""
    if n == 0 or p <= 0.0 or p >= 1.0:
        return (n if p >= 1.0 else 0), 1
    mode = _mode(n, p)
    low, ratio = mode, 1.0
    while low > 0 and ratio > _TAIL:
        ratio *= low * (1 - p) / ((n - low + 1) * p)
        low -= 1
    high, ratio = mode, 1.0
    while high < n and ratio > _TAIL:
        ratio *= (n - high) * p / ((high + 1) * (1 - p))
        high += 1
    return low, high - low + 1


@njit(nogil=True, cache=True)
def _fill(
    trials: NDArray,
    probabilities: NDArray,
    start: NDArray,
    lowest: NDArray,
    cumulative: NDArray,
    guide: NDArray,
) -> None:
    for i in range(trials.shape[0]):
        n, p, begin, low = trials[i], probabilities[i], start[i], lowest[i]
        size = start[i + 1] - begin
        mode = _mode(n, p) - low if size > 1 else 0
        # probabilities relative to the mode's, then summed and scaled: no ln Γ needed
        cumulative[begin + mode] = 1.0
        for x in range(mode + 1, size):
            k = low + x
            cumulative[begin + x] = cumulative[begin + x - 1] * (n - k + 1) * p / (k * (1 - p))
        for x in range(mode - 1, -1, -1):
            k = low + x
            cumulative[begin + x] = cumulative[begin + x + 1] * (k + 1) * (1 - p) / ((n - k) * p)
        for x in range(1, size):
            cumulative[begin + x] += cumulative[begin + x - 1]
        total = cumulative[begin + size - 1]
        value = 0
        for x in range(size):
            cumulative[begin + x] /= total
        cumulative[begin + size - 1] = 1.0
        for g in range(size):
            while cumulative[begin + value] <= g / size:
                value += 1
            guide[begin + g] = value


@njit(nogil=True, cache=True, inline="always")
def draw_binomial(
    state: NDArray, cumulative: NDArray, guide: NDArray, start: NDArray, lowest: NDArray, table: int
) -> int:
    """One draw from table number `table`; arguments are the fields of `BinomialTables`."""
    begin = start[table]
    size = start[table + 1] - begin
    u = next_uniform(state)
    k = guide[begin + np.int64(u * size)]
    while cumulative[begin + k] <= u:
        k += 1
    return lowest[table] + k
