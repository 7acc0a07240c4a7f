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

_TAIL = 1e-17  # probability cut on each side: below the resolution of a 53-bit uniform


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
    from scipy.stats import binom

    cumulatives, guides, lowest = [], [], []
    for n, p in zip(trials, probabilities, strict=True):
        low = int(max(binom.ppf(_TAIL, n, p), 0)) if n and 0 < p < 1 else round(n * p)
        high = int(min(binom.isf(_TAIL, n, p), n)) if n and 0 < p < 1 else low
        cumulative = binom.cdf(np.arange(low, high + 1), n, p)
        cumulative[-1] = 1.0
        guides.append(np.searchsorted(cumulative, np.arange(cumulative.size) / cumulative.size, side="right"))
        cumulatives.append(cumulative)
        lowest.append(low)
    start = np.concatenate(([0], np.cumsum([c.size for c in cumulatives]))).astype(np.int64)
    return BinomialTables(
        np.concatenate(cumulatives),
        np.concatenate(guides).astype(np.int64),
        start,
        np.array(lowest, np.int64),
    )


@njit(nogil=True, cache=True, inline="always")
def draw_binomial(state, cumulative, guide, start, lowest, table):
    """One draw from table number `table`; arguments are the fields of `BinomialTables`."""
    begin = start[table]
    size = start[table + 1] - begin
    u = next_uniform(state)
    k = guide[begin + np.int64(u * size)]
    while cumulative[begin + k] <= u:
        k += 1
    return lowest[table] + k
