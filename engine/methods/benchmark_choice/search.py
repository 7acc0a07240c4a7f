"""Search for the worst irrelevant change, better than the published gradient solvers (not in the paper).

Both kinds of benchmark are one problem: scores = base + points · w with w in a box (cardinal: the weights of
the tasks) or at its corners (ordinal: irrelevant models in or out), and the ranking as far as possible from
the old one. The objective is piecewise constant, so the search moves one weight at a time: first between the
two ends of its range (corner climb), then, where weights are continuous, to the best point of the whole range
(`lines`). It restarts from corners drawn at random and from shaken copies of the best so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import cardinal, ordinal
from .certificates import Certificate, lower_weights, weighted_points
from .climbs import climb_corners, climb_members, climb_rank, sweep_lines

PROVED = 1e-9
"""A value this close to its certificate is the optimum."""

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class LinearRanking:
    """scores = base + points · w, lower ≤ w ≤ upper; `corners`: only the ends of each range are allowed.

    `points` (m, k) and `base` (m,) have their rows best first; `order` (m,) gives the rows' original places,
    `ranks` (m,) their original ranks. With `corners` the scores are divided by `size` + Σ w, the number of
    models present. `measure(w)` is the exact (τ-distance, MRC) of a choice of weights.
    """

    points: NDArray[np.float64]
    base: NDArray[np.float64]
    lower: Weights
    upper: Weights
    corners: bool
    size: int
    order: NDArray[np.intp]
    ranks: NDArray[np.float64]
    measure: Callable[[Weights], tuple[float, float]]

    @property
    def worse(self) -> NDArray[np.intp]:
        """(m,) first row ranked strictly below each row."""
        return np.asarray(np.searchsorted(self.ranks, self.ranks, side="right"), dtype=np.intp)


def cardinal_search_problem(
    problem: cardinal.CardinalProblem,
    *,
    epsilon: float = 0.01,
    normalise: bool = True,
    shrinkable: NDArray[np.bool_] | None = None,
) -> tuple[LinearRanking, Callable[[Weights], Weights], Callable[[Weights], Weights]]:
    """The search problem of a cardinal benchmark, and the maps to and from weights (k,) of the kept tasks.

    Tasks with equal columns (and equal ranges) are one variable: their weights only matter through the sum.
    """
    points = weighted_points(problem, normalise)
    lower = lower_weights(points.shape[1], epsilon, shrinkable)
    keyed = np.vstack([points, lower])
    _, first, group = np.unique(keyed, axis=1, return_index=True, return_inverse=True)
    group = group.ravel()
    sizes = np.bincount(group)
    order = np.argsort(problem.ranks, kind="stable")

    def expand(w: Weights) -> Weights:
        return (w / sizes)[group]

    def collapse(weights: Weights) -> Weights:
        clipped = np.clip(weights / weights.max(), lower, 1.0)
        return np.asarray(np.bincount(group, weights=clipped), dtype=np.float64)

    def measure(w: Weights) -> tuple[float, float]:
        # with ε = 0 a corner may have no weight left: it ranks nobody
        if not w.any():
            return 0.0, 0.0
        return cardinal.rank_change(problem, cardinal.shrink_factors(problem, expand(w), normalise))

    m = len(points)
    ranking = LinearRanking(
        np.ascontiguousarray(points[order][:, first]),
        np.zeros(m),
        sizes * lower[first],
        sizes.astype(np.float64),
        False,
        m,
        order,
        problem.ranks[order],
        measure,
    )
    return ranking, expand, collapse


def ordinal_search_problem(problem: ordinal.OrdinalProblem) -> LinearRanking:
    """The search problem of an ordinal benchmark; weight 1 puts an irrelevant model in, 0 leaves it out."""
    order = np.argsort(problem.ranks, kind="stable")
    rows = problem.relevant[order]
    count = problem.irrelevant.size

    def measure(w: Weights) -> tuple[float, float]:
        return ordinal.rank_change(problem, problem.irrelevant[w > 0.5])

    return LinearRanking(
        np.ascontiguousarray(problem.wins[np.ix_(rows, problem.irrelevant)]),
        problem.wins[np.ix_(rows, problem.relevant)].sum(axis=1),
        np.zeros(count),
        np.ones(count),
        True,
        rows.size,
        order,
        problem.ranks[order],
        measure,
    )


@dataclass(frozen=True)
class Found:
    """A choice of weights (k,) and the exact (τ-distance, MRC) it reaches."""

    tau: float
    mrc: float
    weights: Weights


@dataclass(frozen=True)
class SearchState:
    """Best by τ (then MRC) and best by MRC (then τ) so far; `restart` restarts begun, of `restarts`.

    `tau_proved` and `mrc_proved` say that the value equals its certificate, so nothing can be better.
    """

    restart: int
    restarts: int
    by_tau: Found
    by_mrc: Found
    tau_bound: float
    mrc_bound: float
    finished: bool = False

    @property
    def tau_proved(self) -> bool:
        """The τ-distance is the largest there is."""
        return self.by_tau.tau >= self.tau_bound - PROVED

    @property
    def mrc_proved(self) -> bool:
        """The MRC is the largest there is."""
        return self.by_mrc.mrc >= self.mrc_bound - PROVED


class _Best:
    """The two best finds, updated by exact measurement."""

    def __init__(self, ranking: LinearRanking) -> None:
        self._ranking = ranking
        start = ranking.upper.copy()
        first = Found(*ranking.measure(start), start)
        self.by_tau = self.by_mrc = first

    def offer(self, w: Weights) -> None:
        found = Found(*self._ranking.measure(w), w.copy())
        if (found.tau, found.mrc) > (self.by_tau.tau, self.by_tau.mrc):
            self.by_tau = found
        if (found.mrc, found.tau) > (self.by_mrc.mrc, self.by_mrc.tau):
            self.by_mrc = found


WORK_PER_YIELD = 1_500_000
"""Pair crossings handled between two yields, about 30 ms."""


def search_worst_change(
    ranking: LinearRanking,
    certificate: Certificate,
    rng: np.random.Generator,
    *,
    restarts: int = 40,
    starts: Iterable[Weights] = (),
) -> Iterator[SearchState]:
    """Restarted search for the largest τ-distance and the largest MRC. Yields every 30 ms or so of work.

    `starts`: weights to begin with, before random ones (the published solution, say). The same generator
    state gives the same numbers. Ends early when both values equal their certificates.
    """
    best = _Best(ranking)
    total = restarts
    bounds = certificate.tau_bound, certificate.mrc_bound

    def state(restart: int, finished: bool = False) -> SearchState:
        return SearchState(restart, total, best.by_tau, best.by_mrc, *bounds, finished)

    given = [np.clip(start, ranking.lower, ranking.upper) for start in starts]
    for start in given:
        best.offer(start)
    yield state(0)
    for _ in _search_rank(ranking, certificate, rng, best):
        yield state(0)
    for restart in range(restarts):
        if state(restart).tau_proved:
            break
        start = _next_start(ranking, given, best, restart, rng)
        for _ in _climb(ranking, start, best, rng):
            yield state(restart + 1)
    yield state(restarts, True)


def _next_start(
    ranking: LinearRanking, given: list[Weights], best: _Best, restart: int, rng: np.random.Generator
) -> Weights:
    """Given weights first; then shaken copies of the best, and every third time a random corner."""
    k = ranking.lower.size
    if restart < len(given):
        return given[restart].copy()
    corner = np.where(rng.random(k) < rng.uniform(0.1, 0.9), ranking.upper, ranking.lower)
    if restart % 3 == 2:
        return corner
    source = best.by_tau if restart % 2 else best.by_mrc
    share = rng.uniform(0.5, 4.0) / k if restart % 3 == 0 else rng.uniform(0.1, 0.4)
    return np.where(rng.random(k) < share, corner, source.weights)


def _climb(ranking: LinearRanking, w: Weights, best: _Best, rng: np.random.Generator) -> Iterator[None]:
    """One restart: corner climb, then exact line moves until none helps."""
    columns, worse = np.ascontiguousarray(ranking.points.T), ranking.worse
    k, m = columns.shape
    scores = ranking.base + ranking.points @ w
    if ranking.corners:
        climb_members(columns, scores, w, ranking.ranks, ranking.size, rng.permutation(k), 1000)
        best.offer(w)
        yield
        return
    value = climb_corners(columns, scores, w, ranking.lower, ranking.upper, worse, rng.permutation(k), 1000)
    best.offer(w)
    yield
    portion = max(1, WORK_PER_YIELD // (m * m))
    while True:
        before = value
        turn = rng.permutation(k)
        for first in range(0, k, portion):
            part = turn[first : first + portion]
            value = sweep_lines(columns, scores, w, ranking.lower, ranking.upper, worse, part, value)
            yield
        best.offer(w)
        if value == before:
            return
        # additions drift; start the next sweep from the weights themselves
        scores = ranking.base + ranking.points @ w


MOST_CANDIDATES = 300
"""So many models and directions, most promising first, are tried for the largest rank change."""


def _search_rank(
    ranking: LinearRanking, certificate: Certificate, rng: np.random.Generator, best: _Best
) -> Iterator[None]:
    """For one model after another, most promising first, the deepest fall and the highest rise.

    Models whose certificate does not exceed what was found are skipped.
    """
    columns = np.ascontiguousarray(ranking.points.T)
    k, m = columns.shape
    bounds = certificate.rank_change_bounds()[:, ranking.order]
    candidates = sorted(((bounds[side, i], side, i) for side in (0, 1) for i in range(m)), reverse=True)
    for bound, side, model in candidates[:MOST_CANDIDATES]:
        if bound / (m - 1) <= best.by_mrc.mrc + PROVED:
            return
        sign = 1.0 if side == 0 else -1.0
        gaps = sign * (ranking.points - ranking.points[model])
        for start in _rank_starts(ranking, gaps, rng):
            w = start
            scores = ranking.base + ranking.points @ w
            climb_rank(
                columns,
                scores,
                w,
                ranking.lower,
                ranking.upper,
                ranking.corners,
                model,
                sign,
                rng.permutation(k),
                30,
            )
            best.offer(w)
        yield


def _rank_starts(
    ranking: LinearRanking, gaps: NDArray[np.float64], rng: np.random.Generator
) -> list[Weights]:
    """Corners that favour the passers: by their mean lead, by how many lead, and one at random."""
    lower, upper = ranking.lower, ranking.upper
    return [
        np.where(gaps.mean(axis=0) > 0, upper, lower),
        np.where((gaps > 0).mean(axis=0) > 0.5, upper, lower),
        np.where(rng.random(lower.size) < 0.5, upper, lower),
    ]
