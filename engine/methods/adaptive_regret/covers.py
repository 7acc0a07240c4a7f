"""Which experts exist when: covers of the rounds by intervals that start at markers.

Markers are numbered m = 1, 2, …; let 2^k be the largest power of two dividing m. The compact geometric
cover (CGC) starts one interval at marker m, covering markers m … m + 2^k − 1; the geometric cover (GC)
starts one of every level 0 … k. With a marker in every round the covers are those of Daniely et al. 2015
and Zhang et al. 2019; with markers set by cumulative loss they are problem-dependent (PGC, PCGC). Each
level has at most one interval alive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

NEVER, EACH_ROUND, BY_LOSS = range(3)
"""When a marker is set: only before round 1; before every round; when the counted loss exceeds C."""
FOREVER = 2**62


@njit(nogil=True, cache=True)
def level_of(marker: int) -> int:
    """k where 2^k is the largest power of two dividing `marker` ≥ 1."""
    level = 0
    while marker % 2 == 0:
        marker //= 2
        level += 1
    return level


def alive_at(marker: int) -> list[int]:
    """Start markers of the CGC intervals alive at `marker`, oldest first; there are popcount(marker)."""
    starts, rest = [], marker
    while rest:
        starts.append(rest)
        rest -= 1 << level_of(rest)
    return starts[::-1]


def chain(first: int, last: int) -> list[tuple[int, int]]:
    """Consecutive CGC intervals (start, end inclusive) from marker `first` until one reaches `last`."""
    links, start = [], first
    while start <= last:
        end = start + (1 << level_of(start)) - 1
        links.append((start, end))
        start = end + 1
    return links


@dataclass(frozen=True)
class Lifelines:
    """Lives of the intervals of a run: `born` and `last` round (n,), counted from 0, `level` (n,).

    `last` is the last round of life seen so far; `ended` says whether it is the true end.
    """

    born: NDArray[np.int64]
    last: NDArray[np.int64]
    level: NDArray[np.int64]
    ended: NDArray[np.bool_]


def lifelines(markers: NDArray[np.int64], rounds: int, *, compact: bool = True) -> Lifelines:
    """Lives of all intervals of a cover whose markers stand before the rounds `markers` (from 0)."""
    count = len(markers)
    number = np.arange(1, count + 1, dtype=np.int64)
    power = number & -number
    if compact:
        m, length = number, power
    else:
        lengths = [1 << k for k in range(count.bit_length())]
        m = np.concatenate([np.arange(size, count + 1, size) for size in lengths])
        length = np.repeat(lengths, [count // size for size in lengths])
    end = m + length
    ended = end <= count
    last = np.where(ended, markers[np.minimum(end, count) - 1] - 1, rounds - 1)
    level = np.round(np.log2(length)).astype(np.int64)
    return Lifelines(markers[m - 1], last, level, ended)
