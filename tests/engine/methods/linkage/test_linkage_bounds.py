"""The theorems on random metrics with exact optima, the families of the proof, and the instances."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from engine.core.errors import FieldError
from engine.methods.linkage import (
    BOUNDS,
    CLASS_M,
    INSTANCES,
    adversary_steps,
    al_stairs,
    bounds_for,
    check_families,
    check_triangles,
    cl_sqrt,
    criteria_of,
    exact_optimum,
    family_steps,
    gaussian_blobs,
    greedy_hierarchy,
    line_shrinking,
    read_dissimilarities,
    shortest_paths,
    sl_chain,
    worst_instance,
)

N = 9


def random_metric(seed):
    """Half Euclidean, half shortest-path closures of whole weights 1..8."""
    rng = np.random.default_rng(seed)
    if seed % 2:
        return squareform(pdist(rng.normal(size=(N, 2))))
    weights = np.triu(rng.integers(1, 9, size=(N, N)), 1).astype(float)
    return shortest_paths(weights + weights.T)


def measured(linkage, d):
    """Every measured quantity of a linkage by k, (n+1,)."""
    tree = greedy_hierarchy(d, linkage).tree
    found = criteria_of(tree, d)
    heights = np.r_[np.nan, np.maximum.accumulate(np.r_[0.0, tree[:, 2]])[::-1]]
    return tree, {
        "max_diam": found.max_diam,
        "max_avg": found.max_avg,
        "cs_ratio_av": found.cs_ratio_av,
        "cs_ratio_dm": found.cs_ratio_dm,
        "max_height": heights,
    }


def test_every_bound_and_every_family_on_300_random_metrics():
    worst = dict.fromkeys((bound.key for bound in BOUNDS), 0.0)
    for seed in range(300):
        d = read_dissimilarities(random_metric(seed))
        exact = exact_optimum(d.as_square(), N)
        for linkage in CLASS_M:
            tree, values = measured(linkage, d)
            for bound in bounds_for(linkage):
                for k in range(1, N + 1):
                    optimum = {"OPT_DM": exact.dm[k], "OPT_AV": exact.av[k], "1": 1.0}[bound.optimum]
                    value, limit = values[bound.measured][k], bound.factor(k, N) * optimum
                    if np.isnan(value):
                        assert k < 2
                        continue
                    assert value <= limit * (1 + 1e-12) + 1e-12, (bound.key, seed, k)
                    if limit > 0 and k > 1:
                        worst[bound.key] = max(worst[bound.key], value / limit)
            for k in (2, 3, 4, 5):
                assert check_families(tree, exact.av_labels[k], d.as_square()) == []
    # The bounds are tried in earnest: the random instances come near most of them for k > 1.
    assert all(share > 0.25 for share in worst.values()), worst


def test_a_family_invariant_can_fail_outside_the_class():
    # Reversed merges, farthest first: families grow beyond the bound, and the check says so.
    d = squareform(pdist(np.array([0.0, 1.0, 100.0, 101.0])[:, None]))
    tree = np.array([[0, 3, 101, 2], [1, 2, 99, 2], [4, 5, 101, 4]], dtype=float)
    broken = check_families(tree, np.array([0, 0, 1, 1]), d)
    assert [violation.merge for violation in broken] == [1]


def test_families_of_a_small_example_by_hand():
    # T1 = {0,1,2}, T2 = {3}. Merge 2-3: case a. Merge 0-1: case b within F. Then the rest.
    tree = np.array([[2, 3, 1, 2], [0, 1, 1, 2], [4, 5, 2, 4]], dtype=float)
    d = squareform(pdist(np.array([0.0, 1.0, 2.0, 3.0])[:, None]))
    steps = list(family_steps(tree, np.array([0, 0, 0, 1]), d))
    assert [[f.clusters for f in step.roots] for step in steps] == [
        [(0, 1, 2), (3,)],
        [(0, 1), (4,)],
        [(4,), (5,)],
        [(6,)],
    ]
    assert [step.case for step in steps] == ["", "a", "b", "b"]
    assert [[f.replaces for f in step.made] for step in steps] == [[], [(0,), (1,)], [(2,)], [(3, 4)]]
    assert [[f.diam for f in step.roots] for step in steps] == [[2, 0], [1, 1], [1, 1], [3]]
    assert [len(step.regular) for step in steps] == [1, 1, 0, 0]


def test_families_partition_the_current_clusters():
    data = gaussian_blobs(60, 4, seed=3)
    d = data.distances()
    tree = greedy_hierarchy(d, "complete").tree
    now = set(range(60))
    for t, step in enumerate(family_steps(tree, data.groups, d.as_square())):
        held = [c for family in step.roots for c in family.clusters]
        assert sorted(held) == sorted(now)
        if t < 59:
            now = (now - {int(tree[t, 0]), int(tree[t, 1])}) | {60 + t}
    with pytest.raises(FieldError, match="At most 500"):
        next(family_steps(np.zeros((500, 4)), np.zeros(501), d.as_square()))


def test_no_guarantee_outside_the_class_or_without_a_metric():
    for linkage in ("ward", "centroid", "median"):
        assert bounds_for(linkage) == ()
    assert bounds_for("complete", is_metric=False) == ()
    assert [bound.key for bound in bounds_for("average", is_metric=None)] == ["average-cs-av"]


def test_factors_of_the_bounds():
    factor = {bound.key: bound.factor for bound in BOUNDS}
    assert factor["complete-av"](2, 10) == pytest.approx(3)
    assert factor["complete-av"](4, 10) == pytest.approx(9)
    assert [factor["complete-dm"](k, 10) for k in (1, 2, 3, 4)] == [1, 2, 4, 6]
    assert factor["complete-dm"](10, 100) == pytest.approx(10**1.30)
    assert factor["single-dm"](7, 10) == 13
    assert factor["single-av"](7, 10) == 49
    assert factor["average-diam"](2, 10) == pytest.approx(6)
    assert factor["average-diam"](512, 3) == pytest.approx((1 + 4 * np.log(3)) * 3**9)
    assert factor["average-cs-dm"](2, 4) == pytest.approx(2 * (1 + 1 / 2 + 1 / 3 + 1 / 4))
    assert factor["minimax-av"](4, 10) == pytest.approx(18)


@pytest.mark.parametrize(("k", "ratio"), [(4, 7.992), (6, 23.976), (7, 34.965)])
def test_single_link_chain(k, ratio):
    instance = sl_chain(k, 1e-3, 21)
    d = instance.distances()
    assert instance.n == 2 * k - 2
    assert check_triangles(d).holds
    best = exact_optimum(d.as_square(), k)
    diam = {
        name: criteria_of(greedy_hierarchy(d, name).tree, d).max_diam[k]
        for name in ("single", "complete", "average")
    }
    assert diam["single"] / best.av[k] == pytest.approx(ratio, rel=1e-12)
    assert diam["single"] == pytest.approx((k - 2) * 0.999)
    assert (diam["complete"], diam["average"]) == (1.0, 1.0)
    assert (best.dm[k], best.av[k]) == pytest.approx((1.0, 1 / k))


@pytest.mark.parametrize(("t", "n", "complete", "average"), [(5, 125, 8.001, 10), (6, 726, 9.001, 15)])
def test_average_link_stairs(t, n, complete, average):
    instance = al_stairs(t, 1e-3)
    d = instance.distances()
    assert (instance.n, instance.k) == (n, t + 1)
    assert check_triangles(d, samples=50_000, full=False).holds
    found = {
        name: criteria_of(greedy_hierarchy(d, name).tree, d).max_diam[t + 1]
        for name in ("average", "complete", "single")
    }
    assert found["average"] == pytest.approx(average)
    assert found["complete"] == pytest.approx(complete)
    assert found["single"] == pytest.approx(average)


@pytest.mark.parametrize("n", [20, 40, 80])
def test_single_link_peels_the_shrinking_line(n):
    d = line_shrinking(n).distances()
    ratio = criteria_of(greedy_hierarchy(d, "single").tree, d).cs_ratio_av
    for k in (3, 5, n // 2):
        assert ratio[k] > 0.2 * (n - k)


@pytest.mark.parametrize("m", [2, 3])
def test_complete_link_separates_badly_in_the_square_root_instance(m):
    instance = cl_sqrt(m)
    d = instance.distances()
    t = 2**m - 1
    assert instance.n == 4 * (t * t + t)
    found = criteria_of(greedy_hierarchy(d, "complete").tree, d)
    assert found.max_avg[3] == pytest.approx(1.5 * t)
    assert found.cs_ratio_av[3] > 0.3 * np.sqrt(instance.n)


@pytest.mark.parametrize("name", INSTANCES)
def test_instances_are_metric_and_seeded(name):
    make = INSTANCES[name]
    first, second = make(), make()
    d = first.distances()
    np.testing.assert_array_equal(d.values, second.distances().values)
    assert check_triangles(d).holds
    assert first.n == d.n == len(first.points)
    if "seed" in make.__code__.co_varnames:
        assert not np.array_equal(make(seed=1).points, first.points)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: sl_chain(2), "k"),
        (lambda: sl_chain(5, far=2), "far"),
        (lambda: al_stairs(9), "t"),
        (lambda: line_shrinking(10, 0.5), "epsilon"),
        (lambda: cl_sqrt(7), "m"),
        (lambda: gaussian_blobs(3, 5), "n"),
        (lambda: worst_instance(n=12), "n"),
        (lambda: worst_instance(n=5, k=5), "k"),
    ],
)
def test_instances_refuse_what_makes_no_sense(make, field):
    with pytest.raises(FieldError) as error:
        make()
    assert error.value.field == field


def test_the_search_for_bad_instances_is_seeded_and_climbs():
    states = list(adversary_steps("single", k=3, n=7, steps=400, seed=5))
    again = list(adversary_steps("single", k=3, n=7, steps=400, seed=5))
    assert [s.best for s in states] == [s.best for s in again]
    assert np.all(np.diff([s.best for s in states]) >= 0)
    assert states[-1].best > 1.5
    worst = worst_instance(linkage="single", k=3, n=7, steps=400, seed=5)
    d = worst.distances()
    assert check_triangles(d).holds
    own = criteria_of(greedy_hierarchy(d, "single", "adversarial").tree, d).max_diam[3]
    assert own / exact_optimum(d.as_square(), 3).dm[3] == pytest.approx(states[-1].best)
