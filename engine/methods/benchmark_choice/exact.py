"""The exact optimum of small benchmarks by integer programming, and bounds tighter than the pair certificate.

One binary variable y per pair that the certificate leaves open says "turned over"; weights w are in their box
(cardinal) or binary (ordinal); each y demands a margin of the pair's lead. Win rates are often tied, so
subset problems carry a second variable per pair, "tied or turned over". The largest sum, 2 turned + tied,
bounds the τ-distance, and the solver's dual bound holds even when it stops early. Not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .certificates import Certificate
from .program import Program, solve
from .search import Found, LinearRanking

MARGIN = 1e-6
"""A turned pair leads by this much in the units of the scores; cardinal leads below it are not counted."""


@dataclass(frozen=True)
class ExactTau:
    """`found`: the best weights and their exact distances; `tau_bound`: nothing reaches a larger τ-distance;
    `optimal`: it is reached. For cardinal problems both speak of weightings that tie no two models anew.
    """

    found: Found
    tau_bound: float
    optimal: bool


SMALL = 150
"""Boards with at most this many pairs that can be turned over are solved within seconds."""


def is_small(certificate: Certificate) -> bool:
    """Whether the integer program is quick: few pairs are open."""
    return certificate.flippable_pairs <= SMALL


def exact_tau(ranking: LinearRanking, certificate: Certificate, *, nodes: int = 20_000) -> ExactTau:
    """The largest τ-distance, by HiGHS with at most `nodes` branch-and-bound nodes.

    One uninterruptible call of the solver, from milliseconds (the ordinal boards) to seconds (28 × 8).
    """
    program = program_of(ranking, certificate)
    return conclude(ranking, certificate, *solve(program, nodes))


def conclude(
    ranking: LinearRanking, certificate: Certificate, weights: NDArray[np.float64] | None, most: int
) -> ExactTau:
    """What a solution and its bound say about the τ-distance."""
    w = ranking.upper.copy() if weights is None else np.clip(weights, ranking.lower, ranking.upper)
    w = np.round(w) if ranking.corners else w
    found = Found(*ranking.measure(w), w)
    bound = certificate.tau_bound
    if most:
        turns = most if ranking.corners else 2 * most
        bound = min(bound, _tau_bound(certificate, turns, ranking.corners))
    return ExactTau(found, bound, found.tau >= bound - 1e-9)


def program_of(ranking: LinearRanking, certificate: Certificate) -> Program:
    """The integer program: lead(w) ≥ margin − depth (1 − y), one row and one binary y per pair and margin."""
    places = np.ix_(ranking.order, ranking.order)
    below = certificate.ranks[:, None] > certificate.ranks[None, :]
    rows = [(certificate.can_overtake[places], MARGIN)]
    if ranking.corners:
        # sums of win rates that tie differ by rounding alone
        rows.append(((certificate.can_tie & below)[places], -1e-9))
    leads, depths, least = [], [], []
    for open_pairs, margin in rows:
        above, under = np.nonzero(open_pairs)
        lead = ranking.points[above] - ranking.points[under]
        offset = ranking.base[above] - ranking.base[under]
        worst = offset + (lead * np.where(lead > 0, ranking.lower, ranking.upper)).sum(axis=1)
        leads.append(lead)
        depths.append(margin - worst)
        least.append(worst - offset)
    return Program(
        np.vstack(leads),
        np.concatenate(depths),
        np.concatenate(least),
        ranking.lower,
        ranking.upper,
        ranking.corners,
    )


def _tau_bound(certificate: Certificate, turns: int, ties: bool) -> float:
    """Largest τ-distance with 2 turned + tied ≤ `turns`; of the two, tied has the parity of the sum."""
    m = certificate.ranks.size
    pairs, ordered = m * (m - 1) // 2, certificate.ordered_pairs
    kept = np.array([0, pairs - ordered])
    bound = 0.0
    for total in (turns, turns - 1) if ties else (turns,):
        tied = np.arange(total % 2, max(total, 0) + 1, 2) if ties else np.zeros(1)
        room = np.maximum(pairs - tied[:, None] - kept, 1)
        agreement = (ordered - total) / np.sqrt(ordered * room)
        bound = max(bound, float((1.0 - max(-1.0, agreement.min())) / 2.0))
    return bound
