"""Pair certificates: which model can ever overtake which, and the bounds on sensitivity that follow.

Not in the paper; each is an exact statement about one pair, found in closed form in O(m² n), with a witness.

Cardinal: with weights w ∈ [lower, 1]^k on standardised (or raw) scores, j can come to lie above i iff
Σ_t max(Δ_t, lower_t Δ_t) > 0, Δ_t = (s_jt − s_it)/σ_t. Ordinal: b can come to lie above a iff
Σ_{r∈L} (P_ar − P_br) + Σ_{r∉L} min(0, P_ar − P_br) < 0, for the common denominator cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from . import cardinal, ordinal

EXACT_ZERO = 1e-10
"""Reaches closer to zero than this are rounding: the pair can be tied, and not turned over."""


@dataclass(frozen=True)
class Certificate:
    """What irrelevant changes can do to each pair of models.

    `reach` (m, m): the most that row model can lead column model by (mean-score or summed win-rate units);
    `ranks` (m,): original ranking.
    """

    reach: NDArray[np.float64]
    ranks: NDArray[np.float64]

    @property
    def can_lead(self) -> NDArray[np.bool_]:
        """(m, m): row model can lie strictly above column model."""
        return self.reach > EXACT_ZERO

    @property
    def can_tie(self) -> NDArray[np.bool_]:
        """(m, m): row model can at least tie with column model."""
        return self.reach >= -EXACT_ZERO

    @property
    def can_overtake(self) -> NDArray[np.bool_]:
        """(m, m): row model lies below column model at first and can lie above it."""
        return self.can_lead & (self.ranks[:, None] > self.ranks[None, :])

    @property
    def flippable_pairs(self) -> int:
        """Number of originally ordered pairs that can be turned over."""
        return int(self.can_overtake.sum())

    @property
    def ordered_pairs(self) -> int:
        """Number of pairs that are not tied in the original ranking."""
        return int((self.ranks[:, None] > self.ranks[None, :]).sum())

    @property
    def passes(self) -> NDArray[np.int64]:
        """(m,) how many models each model can overtake."""
        return self.can_overtake.sum(axis=1)

    @property
    def passed_by(self) -> NDArray[np.int64]:
        """(m,) how many models can overtake each model."""
        return self.can_overtake.sum(axis=0)

    @property
    def tau_bound(self) -> float:
        """No change reaches a τ-distance above this.

        Without ties it is flippable pairs / (m (m − 1)/2). In general, with N pairs, P of them ordered at
        first, F that can be turned over and E more that can be tied: the largest value of
        (1 − (P − 2F − t)/√(P (N − t − u)))/2 over t ≤ E new ties and u ≤ N − P ties that stay.
        """
        m = self.ranks.size
        pairs, ordered = m * (m - 1) // 2, self.ordered_pairs
        if ordered == 0:
            return 0.5
        below = self.ranks[:, None] > self.ranks[None, :]
        turned = int((self.can_lead & below).sum())
        tied = np.arange(int((self.can_tie & below).sum()) - turned + 1)
        kept = np.array([[0], [pairs - ordered]])
        agreement = (ordered - 2 * turned - tied) / np.sqrt(ordered * np.maximum(pairs - tied - kept, 1))
        return float((1.0 - max(-1.0, agreement.min())) / 2.0)

    @property
    def mrc_bound(self) -> float:
        """No change reaches an MRC above this: max_i (models i can pass, or be passed by) / (m − 1)."""
        return float(self.rank_change_bounds().max() / (self.ranks.size - 1))

    def rank_change_bounds(self) -> NDArray[np.float64]:
        """(2, m) places each model can fall and rise at most; a pair that can only be tied counts half."""
        ahead = np.where(self.can_lead, 1.0, np.where(self.can_tie, 0.5, 0.0))
        np.fill_diagonal(ahead, 0.0)
        worst = 1.0 + ahead.sum(axis=0)
        best = self.ranks.size - ahead.sum(axis=1)
        return np.stack([worst - self.ranks, self.ranks - best])


@njit(nogil=True, cache=True)
def _cardinal_reach(points: NDArray[np.float64], lower: NDArray[np.float64]) -> NDArray[np.float64]:
    m, k = points.shape
    reach = np.zeros((m, m))
    for j in range(m):
        for i in range(m):
            if i != j:
                total = 0.0
                for t in range(k):
                    gap = points[j, t] - points[i, t]
                    total += gap if gap > 0.0 else lower[t] * gap
                reach[j, i] = total / k
    return reach


def lower_weights(tasks: int, epsilon: float, shrinkable: ArrayLike | None = None) -> NDArray[np.float64]:
    """(k,) least weight of each task: ε, or 1 for a task on which shrinking is not an irrelevant change.

    Raises ValueError unless 0 ≤ ε ≤ 1.
    """
    if not 0.0 <= epsilon <= 1.0:
        raise ValueError("epsilon must lie between 0 and 1")
    if shrinkable is None:
        return np.full(tasks, float(epsilon))
    return np.where(np.asarray(shrinkable, dtype=bool), float(epsilon), 1.0)


def weighted_points(problem: cardinal.CardinalProblem, normalise: bool = True) -> NDArray[np.float64]:
    """(m, k) what the weights act on: standardised scores, or raw ones."""
    return np.ascontiguousarray(problem.standard if normalise else problem.scores)


def cardinal_certificate(
    problem: cardinal.CardinalProblem,
    *,
    epsilon: float = 0.01,
    normalise: bool = True,
    shrinkable: ArrayLike | None = None,
) -> Certificate:
    """The certificate of a cardinal benchmark. `shrinkable` (k,) marks the kept tasks that may be shrunk."""
    points = weighted_points(problem, normalise)
    return Certificate(
        _cardinal_reach(points, lower_weights(points.shape[1], epsilon, shrinkable)), problem.ranks
    )


def cardinal_witness(
    problem: cardinal.CardinalProblem,
    above: int,
    below: int,
    *,
    epsilon: float = 0.01,
    normalise: bool = True,
    shrinkable: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Weights w (k,) in [ε, 1] that let row `above` lead row `below` the most: 1 where better, else ε."""
    points = weighted_points(problem, normalise)
    lower = lower_weights(points.shape[1], epsilon, shrinkable)
    return np.where(points[above] > points[below], 1.0, lower)


@njit(nogil=True, cache=True)
def _ordinal_reach(
    wins: NDArray[np.float64], relevant: NDArray[np.intp], irrelevant: NDArray[np.intp]
) -> NDArray[np.float64]:
    size = relevant.size
    reach = np.zeros((size, size))
    for j in range(size):
        for i in range(size):
            if i != j:
                total = 0.0
                for r in relevant:
                    total += wins[relevant[j], r] - wins[relevant[i], r]
                for r in irrelevant:
                    total += max(0.0, wins[relevant[j], r] - wins[relevant[i], r])
                reach[j, i] = total
    return reach


def ordinal_certificate(problem: ordinal.OrdinalProblem) -> Certificate:
    """The certificate of an ordinal benchmark, between its ℓ relevant models (in the order of `relevant`)."""
    return Certificate(_ordinal_reach(problem.wins, problem.relevant, problem.irrelevant), problem.ranks)


def minimal_witness(problem: ordinal.OrdinalProblem, above: int, below: int) -> NDArray[np.intp] | None:
    """The fewest irrelevant models whose presence lifts relevant model `above` over `below`, or None.

    `above` and `below` are positions in `relevant`; the answer holds row indices. The lead is a sum over the
    models present, so taking the most helpful first is minimal; an empty array means it leads already.
    """
    a, b = problem.relevant[above], problem.relevant[below]
    lead = float((problem.wins[a, problem.relevant] - problem.wins[b, problem.relevant]).sum())
    gain = problem.wins[a, problem.irrelevant] - problem.wins[b, problem.irrelevant]
    order = np.argsort(-gain, kind="stable")
    after = lead + np.concatenate([[0.0], np.cumsum(gain[order])])
    enough = np.flatnonzero(after > EXACT_ZERO)
    return None if enough.size == 0 else problem.irrelevant[order[: enough[0]]]
