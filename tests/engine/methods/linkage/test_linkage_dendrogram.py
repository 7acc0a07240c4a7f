"""Cuts, layout, Newick and the refusal of malformed linkage matrices."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.cluster.hierarchy as hierarchy
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import DataError, FieldError
from engine.methods.linkage import (
    check_linkage,
    cut_at_height,
    cut_at_k,
    cut_between,
    cuts_at,
    distances,
    greedy_hierarchy,
    layout,
    newick,
    optimally_ordered,
)


def random_tree(n, seed, linkage="average"):
    return hierarchy.linkage(np.random.default_rng(seed).normal(size=(n, 2)), linkage)


def canonical(labels):
    """Labels renumbered by first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(0, 1000), st.sampled_from(["single", "complete", "ward"]))
def test_cuts_equal_scipy(n, seed, linkage):
    tree = random_tree(n, seed, linkage)
    table = hierarchy.cut_tree(tree)
    labels = cuts_at(tree, range(1, n + 1))
    for k in range(1, n + 1):
        np.testing.assert_array_equal(labels[k - 1], canonical(table[:, n - k]))
        low, high = cut_between(tree, k)
        np.testing.assert_array_equal(cut_at_height(tree, low), labels[k - 1])
        if k > 1:
            np.testing.assert_array_equal(cut_at_height(tree, 0.5 * (low + high)), labels[k - 1])


def test_cut_by_height_with_inversions_equals_scipy():
    tree = random_tree(60, 3, "centroid")
    assert np.any(np.diff(tree[:, 2]) < 0)
    for height in np.linspace(0, tree[:, 2].max() * 1.1, 30):
        np.testing.assert_array_equal(
            cut_at_height(tree, height), canonical(hierarchy.fcluster(tree, height, "distance"))
        )


@pytest.mark.parametrize("k", [0, 6, -1])
def test_k_outside_the_points_is_a_field_error(k):
    with pytest.raises(FieldError, match="Between 1 and the number of points, 5"):
        cut_at_k(random_tree(5, 0), k)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 60), st.integers(0, 1000))
def test_layout_equals_scipy(n, seed):
    tree = random_tree(n, seed)
    places = layout(tree)
    assert places.order.tolist() == hierarchy.leaves_list(tree).tolist()
    drawn = hierarchy.dendrogram(tree, no_plot=True)
    # scipy puts leaf p at 10 p + 5; each of its brackets spans the x of both children.
    spans = sorted((min(x) - 5) / 10 for x in drawn["icoord"])
    ours = sorted(min(places.x[int(a)], places.x[int(b)]) for a, b, _, _ in tree)
    np.testing.assert_allclose(ours, spans, atol=1e-9)
    for node in range(2 * n - 1):
        if node >= n:
            a, b = tree[node - n, :2].astype(int)
            assert set(places.leaves(node)) == set(places.leaves(a)) | set(places.leaves(b))
            assert places.parent[a] == places.parent[b] == node
        assert len(places.leaves(node)) == places.size[node]


def test_a_pure_chain_of_many_leaves_needs_no_recursion():
    n = 200_000
    tree = np.column_stack(
        [np.r_[0, n : 2 * n - 2], np.arange(1, n), np.arange(1, n), np.arange(2, n + 1)]
    ).astype(float)
    tree[:, :2].sort(axis=1)
    places = layout(check_linkage(tree))
    assert sorted(places.order[:3].tolist() + places.order[-3:].tolist())[-1] == n - 1
    assert places.top[-1] == n - 1
    assert newick(tree).count("(") == n - 1
    assert np.bincount(cut_at_k(tree, 3)).tolist() == [n - 2, 1, 1]


def test_newick_has_branches_of_climbed_height_and_quotes_names():
    tree = greedy_hierarchy(distances(np.array([0.0, 1.0, 3.0])), "single").tree
    assert newick(tree) == "(2:2.0,(0:1.0,1:1.0):1.0);"
    assert newick(tree, ["a b", "it's", "c"]) == "(c:2.0,('a b':1.0,'it''s':1.0):1.0);"


@pytest.mark.parametrize(
    ("change", "code", "row"),
    [
        (lambda z: z[:, :3], "shape", None),
        (lambda z: z[:0], "shape", None),
        (lambda z: set_cell(z, 1, 2, np.nan), "not-finite", 2),
        (lambda z: set_cell(z, 0, 2, -1), "negative-height", 1),
        (lambda z: set_cell(z, 0, 0, 0.5), "not-an-id", 1),
        (lambda z: set_cell(z, 1, 1, 9), "unknown-cluster", 2),
        (lambda z: set_cell(z, 1, 0, z[0, 0]), "used-twice", 2),
        (lambda z: set_cell(z, 2, 3, 17), "wrong-size", 3),
    ],
)
def test_malformed_linkage_matrices_are_told(change, code, row):
    tree = random_tree(6, 1)
    with pytest.raises(DataError) as error:
        check_linkage(change(tree))
    assert (error.value.code, error.value.row) == (code, row)


def set_cell(tree, row, column, value):
    changed = tree.copy()
    changed[row, column] = value
    return changed


def test_optimal_order_equals_scipy_and_has_a_limit():
    x = np.random.default_rng(0).normal(size=(30, 2))
    d = distances(x, layout="condensed")
    tree = greedy_hierarchy(d, "complete").tree
    ordered = optimally_ordered(tree, d.as_condensed())
    gaps = [sum(d.row(a)[b] for a, b in pairwise(o)) for o in (layout(t).order for t in (ordered, tree))]
    assert gaps[0] < gaps[1]
    with pytest.raises(FieldError, match="2,000 leaves"):
        optimally_ordered(np.zeros((2000, 4)), np.empty(0))
