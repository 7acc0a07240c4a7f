"""Independence of irrelevant alternatives, and how mean win rate breaks it (the link to Arrow's theorem).

The order of two models under mean win rate can depend on whether a third one is on the board.
`wins` is the pairwise win matrix P (m, m) of `win_rate`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

TIED = 1e-10
"""Leads closer to zero than this are ties up to rounding."""


@dataclass(frozen=True)
class Flip:
    """Model `first` lies above `second` without `third` and strictly below it with `third`, or the reverse.

    `lead_without`, `lead_with`: sums of win-rate differences P_first,r − P_second,r over the models present.
    """

    first: int
    second: int
    third: int
    lead_without: float
    lead_with: float


def lead(wins: NDArray[np.float64], first: int, second: int, members: ArrayLike) -> float:
    """Σ_{r ∈ members} (P_first,r − P_second,r): positive when `first` has the higher mean win rate."""
    rows = np.asarray(members, dtype=np.intp)
    return float((wins[first, rows] - wins[second, rows]).sum())


def third_model_flips(wins: NDArray[np.float64], first: int, second: int) -> NDArray[np.intp]:
    """Models that reverse the order two models have between themselves, when they alone join."""
    alone = lead(wins, first, second, [first, second])
    joined = alone + wins[first] - wins[second]
    reverses = (np.abs(alone) > TIED) & (np.abs(joined) > TIED) & (np.sign(joined) != np.sign(alone))
    reverses[[first, second]] = False
    return np.flatnonzero(reverses)


def single_flips(
    wins: NDArray[np.float64], members: ArrayLike | None = None, most: int | None = None
) -> list[Flip]:
    """Pairs of the models present whose order one other present model decides, the clearest first.

    For every pair and every third model of `members` (default: all): is the order with it present the reverse
    of the order without it? Models are given by row, the leader without `third` first; a flip is as clear as
    the smaller of its two leads. `most` keeps only so many.
    """
    rows = np.arange(len(wins)) if members is None else np.asarray(members, dtype=np.intp)
    table = wins[np.ix_(rows, rows)]
    rates = table.sum(axis=1)
    found = []
    for a in range(rows.size):
        together = rates[a] - rates
        without = together[:, None] - (table[a] - table)
        reverses = (without > TIED) & (together[:, None] < -TIED)
        reverses[a] = reverses[:, a] = False
        np.fill_diagonal(reverses, False)
        b, c = np.nonzero(reverses)
        found.append(np.column_stack([np.full(b.size, a), b, c, without[b, c], together[b]]))
    flips = np.concatenate(found)
    clear = np.argsort(-np.minimum(flips[:, 3], -flips[:, 4]), kind="stable")[:most]
    return [
        Flip(int(rows[int(a)]), int(rows[int(b)]), int(rows[int(c)]), without, together)
        for a, b, c, without, together in flips[clear].tolist()
    ]


def task_votes(scores: NDArray[np.float64], models: ArrayLike) -> NDArray[np.float64]:
    """Tasks as voters on a few models: their ranks (n tasks, chosen models) on each task, NaN if missing."""
    from .ranking import tolerant_ranks

    table = np.asarray(scores, dtype=np.float64)[np.asarray(models, dtype=np.intp)].T
    votes = np.full(table.shape, np.nan)
    for task, row in enumerate(table):
        present = ~np.isnan(row)
        votes[task, present] = tolerant_ranks(row[present])
    return votes
