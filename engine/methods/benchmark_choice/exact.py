"""The exact optimum of small benchmarks by integer programming, and bounds tighter than the pair certificate.

One binary variable y per pair that the certificate leaves open says "turned over"; weights w are in their box
(cardinal) or binary (ordinal); each y demands a margin of the pair's lead. Win rates are often tied, so
subset problems carry a second variable per pair, "tied or turned over". The largest sum, 2 turned + tied,
bounds the τ-distance, and the solver's dual bound holds even when it stops early. Not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .certificates import Certificate
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


def is_small(ranking: LinearRanking) -> bool:
    """Whether the integer program is worth trying: at most 8 weights and 30 models, or a subset problem."""
    models, weights = ranking.points.shape
    return models <= 30 and (weights <= 8 or ranking.corners)


def exact_tau(ranking: LinearRanking, certificate: Certificate, *, nodes: int = 20_000) -> ExactTau:
    """The largest τ-distance, by HiGHS with at most `nodes` branch-and-bound nodes.

    One uninterruptible call of the solver, from milliseconds (the ordinal boards) to seconds (28 × 8).
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    k = ranking.points.shape[1]
    matrix, least, count = _constraints(ranking, certificate)
    start = ranking.upper.copy()
    if count == 0:
        found = Found(*ranking.measure(start), start)
        return ExactTau(found, certificate.tau_bound, found.tau >= certificate.tau_bound - 1e-9)
    result = milp(
        c=np.concatenate([np.zeros(k), -np.ones(count)]),
        integrality=np.concatenate([np.full(k, int(ranking.corners)), np.ones(count)]),
        bounds=Bounds(
            np.concatenate([ranking.lower, np.zeros(count)]), np.concatenate([ranking.upper, np.ones(count)])
        ),
        constraints=LinearConstraint(matrix, least, np.inf),
        options={"node_limit": nodes, "mip_rel_gap": 0.0},
    )
    most = count if result.mip_dual_bound is None else int(np.floor(-result.mip_dual_bound + 1e-6))
    w = start if result.x is None else np.clip(result.x[:k], ranking.lower, ranking.upper)
    w = np.round(w) if ranking.corners else w
    found = Found(*ranking.measure(w), w)
    turns = most if ranking.corners else 2 * most
    bound = min(certificate.tau_bound, _tau_bound(certificate, turns, ranking.corners))
    return ExactTau(found, bound, found.tau >= bound - 1e-9)


def _constraints(ranking: LinearRanking, certificate: Certificate) -> tuple:
    """(matrix, lower bounds, number of binaries) of lead(w) ≥ margin − depth (1 − y), one row per binary."""
    from scipy.sparse import csr_array, diags_array, hstack

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
    depth = np.concatenate(depths)
    matrix = hstack([csr_array(np.vstack(leads)), diags_array(-depth)]).tocsr()
    return matrix, np.concatenate(least), depth.size


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
