"""Linkage engines against closed forms, scipy, fastcluster and the greedy rule itself."""

import fastcluster
import numpy as np
import pytest
import scipy.cluster.hierarchy as hierarchy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from engine.core.errors import FieldError
from engine.methods.linkage import (
    LINKAGES,
    POLICIES,
    chain_linkage,
    chain_tree,
    cut_at_k,
    distances,
    greedy_hierarchy,
    minimax_hierarchy,
    read_dissimilarities,
    single_tree,
    single_tree_euclidean,
    single_tree_of_points,
    ward_tree_of_points,
)

LINE = np.array([0.0, 1.0, 3.0, 7.0, 15.0])[:, None]
LINE_HEIGHTS = {
    "single": [1, 2, 4, 8],
    "complete": [1, 3, 7, 15],
    "average": [1, 2.5, 17 / 3, 12.25],
    "weighted": [1, 2.5, 5.25, 10.625],
    "ward": [1, 2.886751, 6.940221, 15.495161],
    "minimax": [1, 2, 4, 8],
}
IRIS_TOP = {
    "single": [0.648074, 0.734847, 0.818535, 1.640122],
    "complete": [2.428992, 3.210919, 4.024922, 7.085196],
    "average": [1.380994, 1.785566, 1.963614, 4.062683],
    "ward": [4.847709, 6.399407, 12.300396, 32.447607],
}
CHAINS = ("complete", "average", "weighted", "ward")


def cluster_value(d, a, b, linkage, points=None):
    """f(A, B) from its definition, for point lists a and b."""
    cross = d[np.ix_(a, b)]
    if linkage == "single":
        return cross.min()
    if linkage == "complete":
        return cross.max()
    if linkage == "average":
        return cross.mean()
    if linkage == "minimax":
        both = [*a, *b]
        return d[np.ix_(both, both)].max(axis=1).min()
    gap = np.linalg.norm(points[a].mean(axis=0) - points[b].mean(axis=0))
    return np.sqrt(2 * len(a) * len(b) / (len(a) + len(b))) * gap if linkage == "ward" else gap


def members(tree):
    """Leaves of every node."""
    n = len(tree) + 1
    groups = [[i] for i in range(n)]
    for a, b, _, _ in tree:
        groups.append(groups[int(a)] + groups[int(b)])
    return groups


def assert_greedy(tree, d, linkage, points=None, rtol=1e-9):
    """Every merge has the smallest f of all pairs of clusters there are, and that height."""
    groups, n = members(tree), len(tree) + 1
    now = set(range(n))
    for t, (a, b, height, size) in enumerate(tree):
        alive = sorted(now)
        values = {
            (p, q): cluster_value(d, groups[p], groups[q], linkage, points)
            for x, p in enumerate(alive)
            for q in alive[x + 1 :]
        }
        smallest = min(values.values())
        assert values[int(a), int(b)] == pytest.approx(smallest, rel=rtol, abs=1e-12)
        assert height == pytest.approx(smallest, rel=rtol, abs=1e-12)
        assert size == len(groups[n + t])
        now = (now - {int(a), int(b)}) | {n + t}


@pytest.mark.parametrize("linkage", LINE_HEIGHTS)
def test_heights_on_a_line(linkage):
    found = greedy_hierarchy(distances(LINE), linkage)
    assert found.tree[:, 2] == pytest.approx(LINE_HEIGHTS[linkage], rel=1e-6)
    if linkage in CHAINS:
        assert chain_tree(distances(LINE), linkage)[:, 2] == pytest.approx(LINE_HEIGHTS[linkage], rel=1e-6)


def test_minimax_on_a_line_by_chain_and_its_prototypes():
    found = minimax_hierarchy(distances(LINE))
    assert found.tree[:, 2].tolist() == [1, 2, 4, 8]
    # 3 reaches 0..7 within 4, 7 reaches 0..15 within 8: the points that centre their cluster.
    assert found.prototypes.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("linkage", IRIS_TOP)
def test_iris_heights(linkage):
    from sklearn.datasets import load_iris

    x = load_iris().data
    assert greedy_hierarchy(distances(x), linkage).tree[-4:, 2] == pytest.approx(IRIS_TOP[linkage], abs=1e-6)


def test_iris_ward_from_centroids_and_chain():
    from sklearn.datasets import load_iris

    x = load_iris().data
    assert ward_tree_of_points(x)[-4:, 2] == pytest.approx(IRIS_TOP["ward"], abs=1e-6)
    for layout in ("square", "condensed"):
        assert chain_tree(distances(x, layout=layout), "ward")[-4:, 2] == pytest.approx(
            IRIS_TOP["ward"], abs=1e-6
        )


@pytest.mark.parametrize("linkage", [name for name in LINKAGES if name != "minimax"])
def test_greedy_equals_scipy_without_ties(linkage):
    x = np.random.default_rng(3).normal(size=(80, 3))
    ours, theirs = greedy_hierarchy(distances(x), linkage).tree, hierarchy.linkage(x, linkage)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


@pytest.mark.parametrize("linkage", CHAINS)
@pytest.mark.parametrize("layout", ["square", "condensed"])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 1e-5), (np.float64, 1e-10)])
def test_chain_equals_fastcluster_without_ties(linkage, layout, dtype, rtol):
    for seed in range(20):
        x = np.random.default_rng(seed).normal(size=(120 + 9 * seed, 2 + seed % 5))
        peer = fastcluster.linkage(pdist(x), linkage)
        ours = chain_tree(distances(x, layout=layout, dtype=dtype), linkage)
        np.testing.assert_allclose(ours[:, 2], peer[:, 2], rtol=rtol)
        for k in range(1, len(x) + 1) if dtype is np.float64 else (2, 3, 5, 10, 50, len(x) - 2):
            np.testing.assert_array_equal(cut_at_k(ours, k), cut_at_k(peer, k))


def test_float32_labels_are_equal_for_every_k():
    for seed in range(20):
        x = np.random.default_rng(100 + seed).normal(size=(90, 3))
        for linkage in CHAINS:
            peer = fastcluster.linkage(pdist(x), linkage)
            ours = chain_tree(distances(x, dtype=np.float32), linkage)
            for k in range(1, 91):
                np.testing.assert_array_equal(cut_at_k(ours, k), cut_at_k(peer, k))


@pytest.mark.parametrize("linkage", ["complete", "average", "minimax", "ward"])
@pytest.mark.parametrize("seed", range(3))
def test_chain_with_ties_is_greedy_at_every_step(linkage, seed):
    x = np.random.default_rng(seed).integers(0, 4, size=(36, 2)).astype(float)
    d = distances(x)
    tree = minimax_hierarchy(distances(x)).tree if linkage == "minimax" else chain_tree(distances(x), linkage)
    assert_greedy(tree, d.as_square(), linkage, x)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("linkage", ["single", "complete", "average", "minimax", "ward", "centroid"])
def test_every_tie_policy_is_greedy(policy, linkage):
    x = np.random.default_rng(5).integers(0, 3, size=(24, 2)).astype(float)
    tree = greedy_hierarchy(distances(x), linkage, policy, seed=1).tree
    assert_greedy(tree, distances(x).as_square(), linkage, x)


def test_tie_policies_choose_as_they_say():
    # Four points on a line at equal steps: (0,1), (1,2), (2,3) are tied.
    d = distances(np.arange(4.0))
    assert greedy_hierarchy(d, "complete", "index").tree[0, :2].tolist() == [0, 1]
    assert greedy_hierarchy(d, "complete", "reversed").tree[0, :2].tolist() == [2, 3]
    first = {tuple(greedy_hierarchy(d, "complete", "random", s).tree[0, :2]) for s in range(40)}
    assert first == {(0, 1), (1, 2), (2, 3)}


def test_adversarial_ties_give_the_widest_union():
    # Single linkage: after {0,1} and {2,3}, 1-2 is tied with 4-5 at 1; joining the two pairs is wider.
    d = distances(np.array([0.0, 1.0, 2.0, 3.0, 10.0, 11.0]))
    diam = [0.0] * 6
    for a, b, _, _ in greedy_hierarchy(d, "single", "adversarial").tree[:4]:
        diam.append(1.0 + diam[int(a)] + diam[int(b)])
    assert diam[6:9] == [1.0, 2.0, 3.0]


def test_same_seed_same_tree():
    d = distances(np.random.default_rng(0).integers(0, 3, size=(60, 2)))
    trees = [greedy_hierarchy(d, "average", "random", seed).tree for seed in (7, 7, 8)]
    np.testing.assert_array_equal(trees[0], trees[1])
    assert not np.array_equal(trees[0], trees[2])


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev"])
def test_single_linkage_in_all_its_forms(metric):
    x = np.random.default_rng(1).normal(size=(300, 3))
    peer = fastcluster.linkage(pdist(x, metric), "single")
    for layout in ("square", "condensed"):
        np.testing.assert_allclose(single_tree(distances(x, metric, layout)), peer, rtol=1e-12)
    np.testing.assert_allclose(single_tree_of_points(x, metric), peer, rtol=1e-12)
    if metric == "euclidean":
        np.testing.assert_allclose(single_tree_euclidean(x), peer, rtol=1e-12)


def test_ward_from_centroids_equals_fastcluster_far_from_the_origin():
    x = np.random.default_rng(2).normal(size=(400, 4)) + 1e5
    np.testing.assert_allclose(ward_tree_of_points(x), fastcluster.linkage(pdist(x), "ward"), rtol=1e-8)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=14),
    st.sampled_from(CHAINS),
)
def test_chain_and_greedy_obey_the_rule_on_duplicates(points, linkage):
    x = np.array(points, dtype=float)
    d = distances(x).as_square()
    if linkage == "weighted":
        tree = chain_tree(distances(x), linkage)
        assert np.all(np.diff(tree[:, 2]) >= 0)
        return
    assert_greedy(chain_tree(distances(x), linkage), d, linkage, x)
    assert_greedy(ward_tree_of_points(x), d, "ward", x)


def test_chain_follows_a_long_chain_and_compacts():
    # Gaps shrink to the right: the first chain visits all points before it merges any.
    x = np.cumsum(np.linspace(2.0, 1.0, 700))
    for layout in ("square", "condensed"):
        for linkage in CHAINS:
            ours = chain_tree(distances(x, layout=layout), linkage)
            np.testing.assert_allclose(ours, fastcluster.linkage(pdist(x[:, None]), linkage), rtol=1e-9)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_two_points_and_equal_distances(linkage):
    two = greedy_hierarchy(distances(np.array([0.0, 3.0])), linkage).tree
    assert two.tolist() == [[0, 1, 3, 2]]
    equal = read_dissimilarities(np.ones((6, 6)) - np.eye(6))
    heights = greedy_hierarchy(equal, linkage).tree[:, 2]
    if linkage in ("single", "complete", "average", "weighted", "minimax"):
        assert heights.tolist() == [1] * 5


@pytest.mark.parametrize("linkage", CHAINS)
def test_chain_on_two_points_and_equal_distances(linkage):
    for layout in ("square", "condensed"):
        assert chain_tree(distances(np.array([0.0, 3.0]), layout=layout), linkage).tolist() == [[0, 1, 3, 2]]
    equal = read_dissimilarities(np.ones((6, 6)) - np.eye(6))
    heights = chain_tree(equal, linkage)[:, 2]
    assert np.all(np.isfinite(heights))
    if linkage != "ward":
        assert heights.tolist() == [1] * 5


@pytest.mark.parametrize("linkage", LINKAGES)
def test_duplicates_merge_at_height_zero(linkage):
    x = np.repeat(np.random.default_rng(0).normal(size=(5, 2)), 4, axis=0)
    heights = greedy_hierarchy(distances(x), linkage).tree[:, 2]
    assert np.all(np.isfinite(heights))
    assert heights[:15].tolist() == [0.0] * 15
    assert np.all(heights[15:] > 0)


def test_chain_yields_its_progress_and_can_be_left():
    work = chain_linkage(
        distances(np.random.default_rng(0).normal(size=(3000, 4)), dtype=np.float32), "complete"
    )
    seen = [next(work).done, next(work).done]
    work.close()
    assert 0 <= seen[0] < seen[1] < 2999


def test_greedy_refuses_more_than_two_thousand_points():
    with pytest.raises(FieldError, match="2,000 points"):
        greedy_hierarchy(distances(np.arange(2001.0), dtype=np.float32), "complete", "reversed")
