"""Win rates: the pairwise matrix, the winning rate over a set of models, the ranking by it.

Section 4 of the paper (ordinal benchmarks). Scores are (m models, n tasks), higher is better, NaN = missing.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray


@njit(nogil=True, cache=True)
def _win_matrix(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    m, n = scores.shape
    wins = np.zeros((m, m))
    common = np.zeros((m, m), dtype=np.int64)
    for a in range(m):
        for b in range(m):
            if a == b:
                continue
            won = 0
            both = 0
            for t in range(n):
                x = scores[a, t]
                y = scores[b, t]
                if not (np.isnan(x) or np.isnan(y)):
                    both += 1
                    won += x > y
            common[a, b] = both
            wins[a, b] = won / both if both else 0.0
    return wins, common


def pairwise_win_matrix(scores: ArrayLike) -> NDArray[np.float64]:
    """P (m, m): P_ab = share of the tasks both models have on which a scores strictly higher than b.

    Ties count for neither; P_aa = 0; a pair without a common task has P_ab = P_ba = 0.
    """
    return _win_matrix(np.ascontiguousarray(scores, dtype=np.float64))[0]


def common_tasks(scores: ArrayLike) -> NDArray[np.int64]:
    """(m, m) number of tasks on which both models of a pair have a score (0 on the diagonal)."""
    return _win_matrix(np.ascontiguousarray(scores, dtype=np.float64))[1]


def winning_rates(win_matrix: NDArray[np.float64], members: ArrayLike | None = None) -> NDArray[np.float64]:
    """Winning rate of each member within the set S of `members` (indices): (1/|S|) Σ_{b∈S} P_ab."""
    if members is None:
        return win_matrix.mean(axis=1)
    chosen = np.asarray(members, dtype=np.intp)
    return win_matrix[np.ix_(chosen, chosen)].mean(axis=1)


def order_by_win_rate(scores: ArrayLike) -> NDArray[np.intp]:
    """Row order by falling winning rate over all models; equal rates keep their order."""
    return np.argsort(-winning_rates(pairwise_win_matrix(scores)), kind="stable")


def relevant_count(models: int, share: float) -> int:
    """⌊m · share⌋, the number of relevant models L; share 0.2 is the published ⌊m/5⌋."""
    # 1e-9 keeps 0.2 · 65 at 13 whatever the rounding of the product
    return int(models * share + 1e-9)
