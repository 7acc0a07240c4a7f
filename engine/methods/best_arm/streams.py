"""Random numbers inside compiled loops: xoshiro256++ with one stream per batch.

Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). A stream is named by a
tuple of integers and seeded through numpy's SeedSequence, so that a batch gives the same numbers
whichever thread runs it, and in whichever order batches run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

State = NDArray[np.uint64]


def stream(name: Sequence[int]) -> State:
    """State (4,) uint64 of the stream named by a tuple of non-negative integers (seed, …, batch)."""
    return np.asarray(np.random.SeedSequence(list(name)).generate_state(4, np.uint64), np.uint64)


@njit(nogil=True, cache=True, inline="always")
def next_word(state: NDArray) -> np.uint64:
    """Next 64 random bits; advances `state` (4,) uint64 in place."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = s0 + s3
    word = ((total << uint64(23)) | (total >> uint64(41))) + s0
    shifted = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << uint64(45)) | (s3 >> uint64(19))
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return word


@njit(nogil=True, cache=True, inline="always")
def next_uniform(state: NDArray) -> float:
    """Uniform on [0, 1) with 53 random bits."""
    return (next_word(state) >> uint64(11)) * (1.0 / 9007199254740992.0)


@njit(nogil=True, cache=True, inline="always")
def next_below(state: NDArray, n: int) -> int:
    """Uniform integer in 0..n−1 (n far below 2^32: the bias of the multiplication is under 2^−20 n)."""
    return int(next_uniform(state) * n)
