"""Covers of the rounds by intervals: lengths, how many are alive, chains, lives."""

from __future__ import annotations

import itertools
from math import ceil, log2

import numpy as np
import pytest

from engine.methods.adaptive_regret.covers import alive_at, chain, level_of, lifelines
from engine.methods.adaptive_regret.expert_pictures import awake_rounds


def test_lengths_of_the_first_eight_intervals() -> None:
    assert [1 << level_of(m) for m in range(1, 9)] == [1, 2, 1, 4, 1, 2, 1, 8]


@pytest.mark.parametrize("m", [1, 2, 3, 6, 7, 8, 100, 255, 256, 1023])
def test_alive_at_a_marker_is_popcount(m: int) -> None:
    starts = alive_at(m)
    assert len(starts) == m.bit_count()
    assert all(start <= m < start + (1 << level_of(start)) for start in starts)
    others = set(range(1, m + 1)) - set(starts)
    assert not any(start + (1 << level_of(start)) > m for start in others)


def test_chains_reach_far_in_logarithmically_many_steps() -> None:
    for first in range(1, 130):
        for last in range(first, 400):
            links = chain(first, last)
            assert len(links) <= ceil(log2(last - first + 2))
            lengths = [end - start + 1 for start, end in links]
            assert all(b >= 2 * a for a, b in itertools.pairwise(lengths))
            assert links[-1][1] >= last


def test_lives_tile_each_level_without_overlap() -> None:
    markers = np.array([0, 4, 9, 11, 20, 21, 30])
    lives = lifelines(markers, 40)
    by_start = dict(zip(lives.born.tolist(), lives.last.tolist(), strict=True))
    # Marker 1 lives until marker 2, marker 2 until marker 4, marker 4 until marker 8 (not yet set).
    assert by_start[0] == 3
    assert by_start[4] == 10
    assert by_start[11] == 39
    assert lives.ended.tolist() == [True, True, True, False, True, False, False]


def test_the_full_geometric_cover_starts_every_level() -> None:
    lives = lifelines(np.arange(16), 16, compact=False)
    for k in range(4):
        at = lives.level == k
        assert lives.born[at].tolist() == list(range((1 << k) - 1, 16, 1 << k))


@pytest.mark.parametrize("compact", [True, False])
def test_awake_rounds_are_counted_per_column(compact: bool) -> None:
    rng = np.random.default_rng(0)
    markers = np.unique(np.append(rng.integers(0, 95, 30), 0))
    lives = lifelines(markers, 100, compact=compact)
    levels = int(lives.level.max()) + 1
    counted = np.zeros((levels, 100))
    for born, last, level in zip(lives.born, lives.last, lives.level, strict=True):
        counted[level, born : last + 1] += 1
    assert counted.max() == 1
    expected = counted[:, :98].reshape(levels, 14, 7).sum(axis=2)
    np.testing.assert_array_equal(awake_rounds(lives, levels, 14, 7), expected)
