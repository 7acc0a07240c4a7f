"""Regret on intervals: strongly adaptive regret, regret maps, one interval, the static curve.

R[r, s] = Σ_{t=r..s} f_t(w_t) − L_r^s with L_r^s the exact minimum over fixed points. SA(τ) is the largest
R over windows of τ rounds, here on a stride of τ/8, for dyadic τ: O(T log T) work in all. A minimum is
solved once and serves every algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.methods.adaptive_regret.comparators import Comparator

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
STRIDES = 8


def window_lengths(rounds: int, shortest: int = 8, extra: Sequence[int] = ()) -> list[int]:
    """Dyadic window lengths from `shortest` to the number of rounds, the whole and `extra` ones included."""
    lengths = [1 << k for k in range(32) if shortest <= 1 << k <= rounds]
    return sorted({*lengths, *(tau for tau in extra if tau <= rounds), rounds})


def window_starts(rounds: int, tau: int) -> Ints:
    """Starts of the windows of length τ: every ⌊τ/8⌋ rounds, and the last window."""
    stride = max(1, tau // STRIDES)
    starts = np.arange(0, rounds - tau + 1, stride)
    return np.unique(np.append(starts, rounds - tau))


@dataclass
class Windows:
    """Minima of the windows of every length, filled as the rounds are played.

    `starts[τ]` (n,), `minima[τ]` (n,), NaN until solved.
    """

    comparator: Comparator
    lengths: list[int]
    starts: dict[int, Ints] = field(default_factory=dict)
    minima: dict[int, Floats] = field(default_factory=dict)
    _next: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rounds = self.comparator.problem.rounds
        for tau in self.lengths:
            self.starts[tau] = window_starts(rounds, tau)
            self.minima[tau] = np.full(len(self.starts[tau]), np.nan)
            self._next[tau] = 0

    @property
    def count(self) -> int:
        """Windows in all."""
        return sum(len(starts) for starts in self.starts.values())

    @property
    def solved(self) -> int:
        """Windows whose minimum is known."""
        return sum(self._next.values())

    def solve(self, played: int) -> Iterator[int]:
        """Solve the windows that end by round `played`; yields the rounds looked at after each window."""
        for tau in self.lengths:
            starts, place = self.starts[tau], self._next[tau]
            while place < len(starts) and starts[place] + tau <= played:
                r = int(starts[place])
                self.minima[tau][place] = self.comparator.best(r, r + tau).value
                place += 1
                self._next[tau] = place
                yield tau

    def forget_from(self, first: int) -> None:
        """Drop the minima of windows that reach beyond round `first`: the stream changed there."""
        for tau in self.lengths:
            keep = int(np.searchsorted(self.starts[tau] + tau, first, side="right"))
            self._next[tau] = min(self._next[tau], keep)
            self.minima[tau][self._next[tau] :] = np.nan

    def regrets(self, losses: Floats, tau: int) -> Floats:
        """R on the solved windows of length τ, (n,), in the order of `starts[τ]`."""
        count = self._next[tau]
        total = np.concatenate(([0.0], np.cumsum(losses)))
        r = self.starts[tau][:count]
        return total[r + tau] - total[r] - self.minima[tau][:count]

    def adaptive_regret(self, losses: Floats) -> tuple[Ints, Floats]:
        """τ and SA(τ) for the lengths with a solved window."""
        known = [tau for tau in self.lengths if self._next[tau]]
        return np.array(known, np.int64), np.array([self.regrets(losses, tau).max() for tau in known])


@dataclass(frozen=True, eq=False)
class IntervalGrid:
    """Intervals of a map: `starts` (c,), `lengths` (r,), `minima` (r, c) with NaN where there is none.

    `first` (r, c) is the start of the interval each cell stands for.
    """

    starts: Ints
    lengths: Ints
    first: Ints
    minima: Floats

    def regrets(self, losses: Floats) -> Floats:
        """R (r, c) of an algorithm with `losses` (T,)."""
        total = np.concatenate(([0.0], np.cumsum(losses)))
        last = self.first + self.lengths[:, None]
        fits = (self.first >= 0) & (last <= len(losses))
        a, b = np.where(fits, self.first, 0), np.where(fits, last, 0)
        return np.where(fits, total[b] - total[a] - self.minima, np.nan)


def grid_intervals(rounds: int, cells: int, shortest: int = 4) -> tuple[Ints, Ints, Ints]:
    """Starts (c,), lengths (r,) and first rounds (r, c) of intervals of any place and length.

    Lengths grow geometrically to the number of rounds; −1 where an interval does not fit.
    """
    starts = np.unique(np.linspace(0, rounds - 1, cells, endpoint=False).astype(np.int64))
    lengths = np.unique(
        np.geomspace(min(shortest, rounds), rounds, max(cells // 2, 2)).round().astype(np.int64)
    )
    first = np.where(starts[None, :] + lengths[:, None] <= rounds, starts[None, :], -1)
    return starts, lengths, first


def cover_intervals(rounds: int, cells: int, shortest: int = 4) -> tuple[Ints, Ints, Ints]:
    """The geometric cover [i 2^k, (i+1) 2^k − 1] of rounds 1 … T, on cells of equal width.

    Round t counts from 1 as in the cover, so that the first interval of level k starts at round 2^k.
    """
    lengths = np.array([1 << k for k in range(32) if shortest <= 1 << k <= rounds], np.int64)
    starts = np.unique(np.linspace(0, rounds - 1, cells, endpoint=False).astype(np.int64))
    number = (starts[None, :] + 1) // lengths[:, None]
    first = number * lengths[:, None] - 1
    first = np.where((number >= 1) & (first + lengths[:, None] <= rounds), first, -1)
    return starts, lengths, first


def solve_intervals(
    comparator: Comparator, starts: Ints, lengths: Ints, first: Ints
) -> Iterator[tuple[int, IntervalGrid]]:
    """Solve the minima of a map, long intervals last; yields (rounds looked at, the map so far)."""
    minima = np.full(first.shape, np.nan)
    grid = IntervalGrid(starts, lengths, first, minima)
    for i, length in enumerate(lengths.tolist()):
        known: dict[int, float] = {}
        for j, r in enumerate(first[i].tolist()):
            if r < 0:
                continue
            if r not in known:
                known[r] = comparator.best(r, r + length).value
                minima[i, j] = known[r]
                yield length, grid
            else:
                minima[i, j] = known[r]


def static_regret(losses: Floats, comparator: Comparator, rounds: Sequence[int]) -> Floats:
    """R[1, t] for each t in `rounds`: the best fixed point is solved anew for each."""
    total = np.concatenate(([0.0], np.cumsum(losses)))
    return np.array([total[t] - comparator.best(0, t).value for t in rounds])
