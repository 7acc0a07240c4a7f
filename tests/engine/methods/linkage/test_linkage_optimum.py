"""Optima and their brackets: closed forms, brute force, and bounds that must never cross."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import FieldError
from engine.methods.linkage import (
    brackets_of,
    cohesion_steps,
    colouring,
    distances,
    exact_optimum,
    farthest_first,
    gaussian_blobs,
    greedy_hierarchy,
    improved,
    k_center_labels,
    outlier_singletons,
    prepare_points,
    read_dissimilarities,
    representatives,
    result_of,
    rows_of_points,
    sl_chain,
    two_diameter_optimum,
    uniform_cube,
)


def diameters(d, labels):
    return np.array([d[np.ix_(g, g)].max() for g in (np.flatnonzero(labels == c) for c in np.unique(labels))])


def brute_force(d, k):
    """Both optima over all k-clusterings."""
    dm = av = np.inf
    for labels in product(range(k), repeat=len(d)):
        if len(set(labels)) == k:
            diam = diameters(d, np.array(labels))
            dm, av = min(dm, diam.max()), min(av, diam.mean())
    return dm, av


def hierarchies(d, names=("single", "complete", "average")):
    trees = {name: greedy_hierarchy(d, name).tree for name in names}
    return {name: (tree, result_of(cohesion_steps(tree, d))) for name, tree in trees.items()}


def test_optima_on_a_line():
    found = exact_optimum(distances(np.array([0.0, 1.0, 3.0, 7.0, 15.0])).as_square(), 5)
    assert found.dm[1:].tolist() == [15, 7, 3, 1, 0]
    assert (found.av[1:] * np.arange(1, 6)).tolist() == [15, 7, 3, 1, 0]


def test_optima_of_the_single_link_chain():
    found = exact_optimum(sl_chain(7, 1e-3, 21).distances().as_square(), 7)
    assert found.av[7] == pytest.approx(1 / 7, rel=1e-15)
    assert found.dm[7] == 1


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 7), st.integers(1, 3), st.integers(0, 10**6), st.booleans())
def test_dynamic_programme_equals_brute_force(n, k, seed, whole_numbers):
    rng = np.random.default_rng(seed)
    entries = rng.integers(0, 5, n * (n - 1) // 2) if whole_numbers else rng.random(n * (n - 1) // 2)
    d = read_dissimilarities(entries.astype(float)).as_square()
    k = min(k, n)
    found = exact_optimum(d, k)
    assert (found.dm[k], found.av[k]) == pytest.approx(brute_force(d, k), rel=1e-14)
    for labels, value, reduce in ((found.dm_labels, found.dm, np.max), (found.av_labels, found.av, np.mean)):
        assert set(labels[k]) == set(range(k))
        assert reduce(diameters(d, labels[k])) == pytest.approx(value[k], rel=1e-14)


def test_more_than_sixteen_points_are_refused():
    with pytest.raises(FieldError, match="At most 16 points"):
        exact_optimum(np.zeros((17, 17)), 2)


@pytest.mark.parametrize("layout", ["square", "condensed"])
@pytest.mark.parametrize("seed", range(5))
def test_two_clusters_exactly(seed, layout):
    x = np.random.default_rng(seed).normal(size=(13, 2))
    d = distances(x, layout=layout)
    value, labels = result_of(two_diameter_optimum(d))
    assert value == exact_optimum(d.as_square(), 2).dm[2]
    assert diameters(d.as_square(), labels).max() == value


def test_two_clusters_of_many_points_by_colouring():
    d = distances(uniform_cube(120, 3, seed=1).points)
    value, _ = result_of(two_diameter_optimum(d))
    full = d.as_square()
    assert result_of(colouring(full > value, 2, 10**6))[0] == 1
    assert result_of(colouring(full >= value, 2, 10**6))[0] == 0


@pytest.mark.parametrize("k", [2, 3, 4, 6])
def test_colouring_decides_the_optimum(k):
    for seed in range(5):
        d = distances(np.random.default_rng(seed).normal(size=(12, 2))).as_square()
        best = exact_optimum(d, k).dm[k]
        outcome, colours = result_of(colouring(d > best, k, 10**6))
        assert outcome == 1
        assert not np.any((d > best) & (colours[:, None] == colours))
        assert result_of(colouring(d >= best, k, 10**6)) == (0, None)


def test_colouring_of_known_graphs():
    five_cycle = np.roll(np.eye(5, dtype=bool), 1, axis=1)
    five_cycle |= five_cycle.T
    assert result_of(colouring(five_cycle, 2, 10**4))[0] == 0
    assert result_of(colouring(five_cycle, 3, 10**4))[0] == 1
    # Grötzsch graph: Mycielski's construction on the five-cycle; no triangle, four colours.
    g = np.zeros((11, 11), bool)
    g[:5, :5] = five_cycle
    g[:5, 5:10], g[5:10, :5] = five_cycle, five_cycle
    g[10, 5:10] = g[5:10, 10] = True
    assert [result_of(colouring(g, k, 10**5))[0] for k in (3, 4)] == [0, 1]
    assert result_of(colouring(g, 3, 5)) == (2, None)


def test_farthest_first_bounds_the_optimum_from_both_sides():
    for seed in range(10):
        d = distances(np.random.default_rng(seed).normal(size=(12, 2)))
        full, order = d.as_square(), farthest_first(d.row, 12, 6)
        assert np.all(np.diff(order.radius) <= 0)
        exact = exact_optimum(full, 5)
        for k in range(1, 6):
            among = order.order[: k + 1]
            apart = full[np.ix_(among, among)][np.triu_indices(k + 1, 1)]
            assert apart.min() == order.radius[k] <= exact.dm[k]
            diam = diameters(full, k_center_labels(d.row, order, k))
            assert len(diam) == k
            assert diam.max() <= 2 * order.radius[k] + 1e-12


def test_representatives_cover_the_points():
    x = prepare_points(uniform_cube(500, 2).points, "cityblock")
    found = representatives(x, 40, "cityblock")
    gaps = np.abs(x - x[found.chosen[found.member_of]]).sum(axis=1)
    assert len(set(found.chosen)) == 40
    assert gaps.max() == pytest.approx(found.radius)
    row = rows_of_points(x, "cityblock")(7)
    np.testing.assert_allclose(row, np.abs(x - x[7]).sum(axis=1))


@pytest.mark.parametrize("summed", [False, True])
def test_local_search_only_improves(summed):
    d = distances(uniform_cube(200, 2, seed=3).points)
    full, start = d.as_square(), np.arange(200) % 6
    labels, diam = result_of(improved(d, start, 6, summed, 2000))
    np.testing.assert_allclose(np.sort(diameters(full, labels)), np.sort(diam))
    before = diameters(full, start)
    assert set(labels) == set(range(6))
    assert (diam.sum() < 0.8 * before.sum()) if summed else (diam.max() < before.max())


def test_outliers_as_singletons():
    x = np.r_[np.linspace(0, 1, 20), 50.0, -30.0, 7.0]
    found = result_of(outlier_singletons(distances(x), 3))
    assert found.removed.tolist() == [20, 21, 22]
    assert found.diam == pytest.approx([80.0, 37.0, 7.0, 1.0])
    assert np.bincount(found.labels(23, 3)).tolist() == [21, 1, 1]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_brackets_hold_the_exact_optimum(seed, metric):
    rng = np.random.default_rng(seed)
    d = distances(rng.normal(size=(14, 2))) if metric else read_dissimilarities(rng.random(91))
    exact = exact_optimum(d.as_square(), 14)
    for effort in ("fast", "exact"):
        found = brackets_of(d, range(1, 15), hierarchies(d), effort, exact_limit=7)
        for optimum, values in (("OPT_DM", exact.dm), ("OPT_AV", exact.av)):
            lower, upper = found.arrays(optimum)
            assert np.all(lower <= values[1:] * (1 + 1e-12))
            assert np.all(upper >= values[1:] * (1 - 1e-12))
            for k in found.ks:
                diam = diameters(d.as_square(), found.of(optimum)[k].labels)
                assert len(diam) == k
                own = diam.max() if optimum == "OPT_DM" else diam.mean()
                assert own == pytest.approx(found.of(optimum)[k].upper, rel=1e-12)
        if effort == "exact":
            np.testing.assert_allclose(found.arrays("OPT_DM")[0], exact.dm[1:], rtol=1e-12, atol=1e-15)
            assert all(bracket.exact for bracket in found.dm.values())


def test_brackets_of_few_points_are_exact():
    d = distances(np.random.default_rng(1).normal(size=(9, 2)))
    exact, found = exact_optimum(d.as_square(), 9), brackets_of(d, range(1, 10), hierarchies(d))
    for optimum, values in (("OPT_DM", exact.dm), ("OPT_AV", exact.av)):
        assert all(b.exact for b in found.of(optimum).values())
        np.testing.assert_array_equal(found.arrays(optimum)[0], values[1:])


def test_colouring_closes_the_bracket_of_a_hundred_points():
    d = distances(gaussian_blobs(100, 4, seed=2).points)
    found = brackets_of(d, [2, 3, 4, 5], hierarchies(d), "exact")
    assert all(bracket.exact for bracket in found.dm.values())
    again = brackets_of(d, [2, 3, 4, 5], hierarchies(d), "exact")
    assert again == found


def test_ratio_is_an_interval():
    d = distances(uniform_cube(60, 2).points)
    bracket = brackets_of(d, [5], hierarchies(d)).av[5]
    low, high = bracket.ratio(1.0)
    assert low == pytest.approx(1 / bracket.upper)
    assert high == pytest.approx(1 / bracket.lower)
    assert low <= high
