"""Other ways to rank models from a table of scores, and a null for sensitivity.

Every rule maps scores (m, n), higher is better, NaN = missing, to one value a model, higher is better.
Missing scores are left out of a model's own average.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import cardinal, ordinal
from .ranking import tolerant_ranks
from .win_rate import pairwise_win_matrix, winning_rates

Values = NDArray[np.float64]


def mean_score(scores: Values) -> Values:
    """Mean over tasks."""
    return np.nanmean(scores, axis=1)


def mean_win_rate(scores: Values) -> Values:
    """Mean share of tasks won against every model of the table."""
    return winning_rates(pairwise_win_matrix(scores))


def median_score(scores: Values) -> Values:
    """Median over tasks."""
    return np.nanmedian(scores, axis=1)


def geometric_mean(scores: Values) -> Values:
    """Geometric mean over tasks. Raises ValueError unless all scores are positive."""
    if (scores <= 0).any():
        raise ValueError("the geometric mean needs positive scores")
    return np.asarray(np.exp(np.nanmean(np.log(scores), axis=1)))


def mean_rank(scores: Values) -> Values:
    """Borda: minus the mean over tasks of the rank among the models that have a score there."""
    ranks = np.full(scores.shape, np.nan)
    for task, column in enumerate(scores.T):
        present = ~np.isnan(column)
        ranks[present, task] = tolerant_ranks(column[present])
    return -np.nanmean(ranks, axis=1)


def z_score_mean(scores: Values) -> Values:
    """Mean over tasks of the standardised score; tasks that tie all models are left out."""
    deviation = np.nanstd(scores, axis=0, ddof=1)
    varying = scores[:, deviation > cardinal.CONSTANT_TASK]
    centred = varying - np.nanmean(varying, axis=0)
    return np.nanmean(centred / np.nanstd(varying, axis=0, ddof=1), axis=1)


def copeland(scores: Values) -> Values:
    """Models beaten on a majority of the common tasks minus models lost to."""
    wins = pairwise_win_matrix(scores)
    return np.sign(wins - wins.T).sum(axis=1)


def bradley_terry(scores: Values, prior: float = 0.1, rounds: int = 50) -> Values:
    """Log strengths θ of the Bradley–Terry model fitted to all pairwise task wins (ties half).

    Newton's method on the concave likelihood, halving steps that do not climb. Each pair has `prior` further
    wins both ways, so that the strengths exist when a model wins everywhere. Σ θ = 0.
    """
    present = (~np.isnan(scores)).astype(np.float64)
    games = present @ present.T
    won = pairwise_win_matrix(scores) * games
    won += (games - won - won.T) / 2 + prior
    np.fill_diagonal(won, 0.0)
    games, wins = won + won.T, won.sum(axis=1)
    m = len(scores)
    theta = np.zeros(m)
    value = -np.inf
    for _ in range(rounds):
        gaps = theta[:, None] - theta
        odds = 1.0 / (1.0 + np.exp(-gaps))
        slope = wins - (games * odds).sum(axis=1)
        curve = games * odds * (1.0 - odds)
        step = np.linalg.solve(np.diag(curve.sum(axis=1)) - curve + 1.0 / m, slope)
        while (better := _likelihood(theta + step, won)) < value and np.abs(step).max() > 1e-12:
            step /= 2
        theta, value = theta + step, better
        if np.abs(step).max() < 1e-10:
            break
    return theta - theta.mean()


def _likelihood(theta: Values, won: Values) -> float:
    """Log-likelihood Σ won_ij log σ(θ_i − θ_j)."""
    return float(-(won * np.logaddexp(0.0, theta - theta[:, None])).sum())


RULES: dict[str, Callable[[Values], Values]] = {
    "mean": mean_score,
    "win rate": mean_win_rate,
    "median": median_score,
    "geometric mean": geometric_mean,
    "mean rank": mean_rank,
    "z-score mean": z_score_mean,
    "Copeland": copeland,
    "Bradley–Terry": bradley_terry,
}
"""The ranking rules by name."""


def rank_by(scores: ArrayLike, rule: str) -> Values:
    """Ranking (m,) of the models by a rule of `RULES`. Raises KeyError for another name."""
    return tolerant_ranks(RULES[rule](np.asarray(scores, dtype=np.float64)))


def random_weight_changes(
    problem: cardinal.CardinalProblem,
    rng: np.random.Generator,
    *,
    draws: int = 1000,
    epsilon: float = 0.01,
    normalise: bool = True,
) -> Values:
    """A null for cardinal sensitivity: (draws, 2) τ-distance and MRC under random weights.

    p is uniform on the simplex (Dirichlet) and w = (p + ε/(1−ε)) / Σ, the published solver's range.
    """
    floor = epsilon / (1 - epsilon)
    shares = rng.dirichlet(np.ones(problem.kept.size), size=draws)
    return np.array(
        [
            cardinal.rank_change(
                problem, cardinal.shrink_factors(problem, (p + floor) / (p + floor).sum(), normalise)
            )
            for p in shares
        ]
    )


def random_subset_changes(
    problem: ordinal.OrdinalProblem, rng: np.random.Generator, *, draws: int = 1000
) -> Values:
    """A null for ordinal sensitivity: (draws, 2) distances with each irrelevant model in by a fair coin."""
    return np.array(
        [
            ordinal.rank_change(problem, problem.irrelevant[rng.random(problem.irrelevant.size) < 0.5])
            for _ in range(draws)
        ]
    )
