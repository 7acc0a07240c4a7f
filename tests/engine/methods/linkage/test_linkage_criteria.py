"""Criteria by k against their definitions; the identities the theory gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.methods.linkage import (
    LINKAGES,
    chain_tree,
    cohesion_steps,
    cohesion_steps_of_points,
    criteria_of,
    cut_at_k,
    distances,
    greedy_hierarchy,
    read_dissimilarities,
    result_of,
)


def by_definition(d, labels):
    """max-diam, avg-diam, max-avg, sep_min, sep_av of one clustering."""
    groups = [np.flatnonzero(labels == c) for c in range(labels.max() + 1)]
    diam = [d[np.ix_(g, g)].max() for g in groups]
    inner = [d[np.ix_(g, g)].sum() / max(1, len(g) * (len(g) - 1)) for g in groups]
    apart = [d[np.ix_(a, b)].mean() for i, a in enumerate(groups) for b in groups[:i]]
    ends = (min(apart), np.mean(apart)) if apart else (np.nan, np.nan)
    return (max(diam), np.mean(diam), max(inner), *ends)


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("n", [2, 3, 8, 41])
def test_all_k_at_once_equals_the_definitions(linkage, n):
    x = np.random.default_rng(n).normal(size=(n, 2))
    d = distances(x)
    tree = greedy_hierarchy(d, linkage).tree
    for source in (d, distances(x, layout="condensed")):
        found = criteria_of(tree, source)
        for k in range(1, n + 1):
            ours = [
                c[k] for c in (found.max_diam, found.avg_diam, found.max_avg, found.sep_min, found.sep_av)
            ]
            np.testing.assert_allclose(
                ours, by_definition(d.as_square(), cut_at_k(tree, k)), rtol=1e-12, atol=1e-14
            )


def test_criteria_leave_the_distances_alone_and_agree_from_points():
    x = np.random.default_rng(0).normal(size=(300, 3))
    d = distances(x, "cityblock")
    before = d.values.copy()
    tree = greedy_hierarchy(d, "average").tree
    whole = criteria_of(tree, d)
    np.testing.assert_array_equal(d.values, before)
    tight = result_of(cohesion_steps_of_points(tree, x, "cityblock"))
    for name in ("max_diam", "avg_diam", "max_avg"):
        np.testing.assert_allclose(getattr(tight, name), getattr(whole, name), rtol=1e-12, atol=1e-13)


def test_separation_of_many_points_against_the_definition():
    x = np.random.default_rng(4).normal(size=(700, 2))
    d = distances(x)
    tree = chain_tree(distances(x), "complete")
    found = criteria_of(tree, d)
    for k in (2, 5, 60, 333, 690):
        expected = by_definition(d.as_square(), cut_at_k(tree, k))
        assert (found.sep_min[k], found.sep_av[k]) == pytest.approx(expected[3:], rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(
    arrays(float, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.integers(-5, 5).map(float))
)
def test_complete_linkage_height_is_max_diam(x):
    d = distances(x)
    for tree in (greedy_hierarchy(d, "complete").tree, chain_tree(distances(x), "complete")):
        tight = result_of(cohesion_steps(tree, d))
        n = len(x)
        # Entry k: the height of merge number n-k, none at k = n.
        np.testing.assert_array_equal(tight.max_diam[1:n], tree[::-1, 2])
        assert tight.max_diam[n] == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 14), st.integers(0, 2**31), st.booleans())
def test_average_linkage_has_cs_ratio_at_most_one(n, seed, whole_numbers):
    rng = np.random.default_rng(seed)
    entries = (
        rng.integers(0, 5, n * (n - 1) // 2) if whole_numbers else rng.exponential(size=n * (n - 1) // 2)
    )
    d = read_dissimilarities(entries.astype(float))
    for tree in (greedy_hierarchy(d, "average").tree, chain_tree(read_dissimilarities(entries), "average")):
        ratio = criteria_of(tree, d).cs_ratio_av
        assert np.all(ratio[2:] <= 1 + 1e-12)
        assert np.isnan(ratio[:2]).all()


def test_ratio_of_zero_by_zero_is_zero():
    found = criteria_of(greedy_hierarchy(distances(np.zeros(5)), "average").tree, distances(np.zeros(5)))
    assert found.cs_ratio_av[2:].tolist() == [0.0] * 4
    assert found.cs_ratio_dm[2:].tolist() == [0.0] * 4
