"""Diversity: how much the tasks of a benchmark disagree about the ranking (section 2 of the paper).

Two measures over the n per-task rankings of m models: 1 − Kendall's coefficient of concordance W, and the
mean over task pairs of the maximum rank change (MRC). The published code says "max over pairs" but takes
the mean; the maximum is given beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from .imputation import impute_nearest
from .ranking import tolerant_ranks

WMode = Literal["published", "corrected"]


@dataclass(frozen=True)
class Diversity:
    """`one_minus_w` in [0, 1] (0: all tasks agree), `mean_mrc` and `max_mrc` over task pairs in [0, 1]."""

    one_minus_w: float
    mean_mrc: float
    max_mrc: float


def task_ranks(scores: ArrayLike) -> NDArray[np.float64]:
    """Average ranks of the models on each task: scores (m, n), complete → ranks (n, m)."""
    table = np.asarray(scores, dtype=np.float64)
    return np.array([tolerant_ranks(column) for column in table.T])


def one_minus_kendall_w(ranks: NDArray[np.float64], mode: WMode = "published") -> float:
    """1 − W = 1 − 12 Σ_i (R_i − R̄)² / (n² (m³ − m)) of n rankings (n, m); R_i sums model i's ranks.

    "published" truncates half ranks to integers, as the official code does; "corrected" keeps them and
    subtracts the ties, n Σ (t³ − t), from the denominator. Tasks that tie every model leave W undefined
    in that mode when there is no other task: 1 − W is then 0, for they agree.
    """
    n, m = ranks.shape
    if mode == "published":
        ranks = ranks.astype(np.int64).astype(np.float64)
    sums = ranks.sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    largest = n**2 * (m**3 - m) / 12
    if mode == "corrected":
        ties = sum(
            float((counts.astype(np.float64) ** 3 - counts).sum())
            for counts in (np.unique(row, return_counts=True)[1] for row in ranks)
        )
        largest -= n * ties / 12
    return 1.0 - spread / largest if largest > 0 else 0.0


PAIRS_AT_A_TIME = 100_000
"""Pairs of models whose signs are held at once when task rankings are compared."""


def _pairwise_tau(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """τ-distances (n, n) as products of the signs of all pairs of models, block by block."""
    n, m = ranks.shape
    agreement, untied = np.zeros((n, n)), np.zeros(n)
    block = max(1, PAIRS_AT_A_TIME // m)
    for first in range(0, m - 1, block):
        rows = range(first, min(first + block, m - 1))
        parts = [np.sign(ranks[:, i : i + 1] - ranks[:, i + 1 :]).astype(np.float32) for i in rows]
        signs = np.concatenate(parts, axis=1)
        # sums of at most 10⁵ units are exact in float32
        agreement += signs @ signs.T
        untied += np.abs(signs).sum(axis=1)
    scale = np.sqrt(untied)
    with np.errstate(invalid="ignore"):
        tau = agreement / scale[:, None] / scale
    distance = (1.0 - np.nan_to_num(np.clip(tau, -1.0, 1.0))) / 2.0
    distance = (distance + distance.T) / 2.0
    distance[np.ix_(untied == 0, untied == 0)] = 0.0
    np.fill_diagonal(distance, 0.0)
    return distance


@njit(nogil=True, cache=True)
def _pairwise_mrc(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    n, m = ranks.shape
    mrc = np.zeros((n, n))
    for a in range(n):
        for b in range(a):
            for i in range(m):
                mrc[a, b] = max(mrc[a, b], abs(ranks[a, i] - ranks[b, i]))
            mrc[a, b] /= m - 1
            mrc[b, a] = mrc[a, b]
    return mrc


@njit(nogil=True, cache=True)
def _mrc_over_pairs(ranks: NDArray[np.float64]) -> tuple[float, float]:
    n, m = ranks.shape
    total = 0.0
    largest = 0.0
    for a in range(n):
        for b in range(a):
            change = 0.0
            for i in range(m):
                change = max(change, abs(ranks[a, i] - ranks[b, i]))
            change /= m - 1
            total += change
            largest = max(largest, change)
    return total / (n * (n - 1) / 2), largest


def pairwise_task_distances(ranks: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(τ-distance, MRC) between every two of n rankings (n, m): two symmetric (n, n) matrices."""
    table = np.ascontiguousarray(ranks, dtype=np.float64)
    return _pairwise_tau(table), _pairwise_mrc(table)


def average_linkage(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Merges (n − 1, 4) of average linkage on a symmetric (n, n) matrix, as scipy writes them."""
    n = len(distance)
    apart = np.array(distance, dtype=np.float64)
    np.fill_diagonal(apart, np.inf)
    name, size = np.arange(n), np.ones(n)
    merges = np.empty((n - 1, 4))
    for step in range(n - 1):
        a, b = sorted(divmod(int(apart.argmin()), n))
        merges[step] = *sorted((name[a], name[b])), apart[a, b], size[a] + size[b]
        joined = (size[a] * apart[a] + size[b] * apart[b]) / (size[a] + size[b])
        apart[a], apart[:, a] = joined, joined
        apart[b], apart[:, b], apart[a, a] = np.inf, np.inf, np.inf
        name[a], size[a] = n + step, size[a] + size[b]
    return merges


def diversity(scores: ArrayLike, mode: WMode = "published") -> Diversity:
    """Diversity of a complete table of scores (m ≥ 2 models, n ≥ 2 tasks).

    Raises ValueError when a score is missing or there are too few models or tasks.
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError("diversity needs at least two models and two tasks")
    ranks = task_ranks(table)
    mean_mrc, max_mrc = _mrc_over_pairs(ranks)
    return Diversity(one_minus_kendall_w(ranks, mode), mean_mrc, max_mrc)


def ordinal_diversity(scores: ArrayLike, neighbours: int = 5, mode: WMode = "published") -> Diversity:
    """Diversity of a table that may miss scores: nearest-neighbour imputation first, then `diversity`."""
    return diversity(impute_nearest(scores, neighbours), mode)
