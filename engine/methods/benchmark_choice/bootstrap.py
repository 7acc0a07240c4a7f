"""How sure a ranking and a diversity are: tasks or models drawn with replacement (not in the paper)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .agreement import WMode, diversity
from .baselines import mean_score
from .ranking import tolerant_ranks

Values = NDArray[np.float64]


def bootstrap_ranks(
    scores: ArrayLike,
    rng: np.random.Generator,
    *,
    draws: int = 1000,
    rule: Callable[[Values], Values] = mean_score,
) -> Values:
    """(draws, m) rankings, each from as many tasks as the table has, drawn with replacement.

    `rule` maps scores to one value a model, higher is better. A draw in which some model has no score at all
    is drawn again.
    """
    table = np.asarray(scores, dtype=np.float64)
    n = table.shape[1]
    ranks = np.empty((draws, table.shape[0]))
    for draw in range(draws):
        sample = table[:, rng.integers(n, size=n)]
        while np.isnan(sample).all(axis=1).any():
            sample = table[:, rng.integers(n, size=n)]
        ranks[draw] = tolerant_ranks(rule(sample))
    return ranks


def rank_intervals(ranks: Values, level: float = 0.95) -> tuple[Values, Values]:
    """Percentile interval of each model's rank over draws (draws, m): (low, high), each (m,)."""
    tail = 50.0 * (1.0 - level)
    low, high = np.percentile(ranks, [tail, 100.0 - tail], axis=0)
    return low, high


def bootstrap_diversity(
    scores: ArrayLike,
    rng: np.random.Generator,
    *,
    over: Literal["tasks", "models"] = "models",
    draws: int = 200,
    mode: WMode = "published",
) -> Values:
    """(draws, 2) values of 1 − W and mean MRC, resampling the models or the tasks of a complete table."""
    table = np.asarray(scores, dtype=np.float64)
    results = np.empty((draws, 2))
    for draw in range(draws):
        if over == "models":
            sample = table[rng.integers(table.shape[0], size=table.shape[0])]
        else:
            sample = table[:, rng.integers(table.shape[1], size=table.shape[1])]
        found = diversity(sample, mode)
        results[draw] = found.one_minus_w, found.mean_mrc
    return results
