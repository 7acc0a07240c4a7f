"""Published values on the digits, and the baselines."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from engine.methods.linkage import (
    chain_tree,
    check_linkage,
    criteria_of,
    cut_at_k,
    cuts_at,
    distances,
    gaussian_blobs,
    genie_tree,
    gonzalez_labels,
    greedy_hierarchy,
    kmeans_labels,
    kmedoids_labels,
    random_hierarchy,
    relative_to_best,
    sklearn_labels,
)
from engine.methods.linkage.k_groups import k_groups


@pytest.fixture(scope="module")
def digits():
    """Criteria of three linkages on the 1,797 digits, Euclidean."""
    d = distances(load_digits().data)
    return {
        name: criteria_of(greedy_hierarchy(d, name).tree, d) for name in ("average", "complete", "single")
    }


def test_largest_diameters_of_the_digits(digits):
    found = {name: c.max_diam for name, c in digits.items()}
    # Whole-number data has tied distances: 3 % for another valid order.
    assert found["complete"][2] == pytest.approx(74.4983, rel=0.03)
    assert found["average"][2] == pytest.approx(77.039, rel=0.03)
    assert found["single"][2] == pytest.approx(77.039, abs=1e-3)
    assert found["complete"][10] == pytest.approx(64.591, rel=0.03)
    assert found["average"][10] == pytest.approx(70.6824, rel=0.03)
    assert found["single"][10] == pytest.approx(77.039, abs=1e-3)


def test_single_linkage_has_small_average_diameter_by_its_singletons(digits):
    assert digits["single"].avg_diam[10] == pytest.approx(7.70, abs=0.01)
    assert digits["average"].avg_diam[10] == pytest.approx(53.5, rel=0.03)
    assert digits["complete"].avg_diam[10] == pytest.approx(59.3, rel=0.03)


@pytest.mark.parametrize(
    ("group", "average", "complete", "single"),
    [("small", 0.926, 1.0, 0.884), ("medium", 0.860, 1.0, 0.663), ("large", 0.769, 1.0, 0.454)],
)
def test_group_means_of_the_digits(digits, group, average, complete, single):
    ks = k_groups(1797)[group]
    found = relative_to_best({name: c.max_diam for name, c in digits.items()}, ks, "max_diam")
    assert found["average"] == pytest.approx(average, rel=0.03)
    assert found["complete"] == pytest.approx(complete, abs=0.003)
    assert found["single"] == pytest.approx(single, rel=0.03)
    best = relative_to_best({name: c.max_avg for name, c in digits.items()}, ks, "max_avg")
    assert best["average"] >= sorted(best.values())[1]


def test_groups_of_k():
    assert k_groups(1797) == {
        "small": tuple(range(2, 11)),
        "medium": tuple(range(38, 47)),
        "large": (179, 199, 224, 256, 299, 359, 449, 599, 898),
    }
    assert k_groups(5)["large"] == (2,)
    assert relative_to_best({"a": np.array([1.0, 2.0]), "b": np.array([2.0, 1.0])}, [0, 1], "sep_min") == {
        "a": 0.75,
        "b": 0.75,
    }


def test_baselines_find_separate_blobs():
    data = gaussian_blobs(120, 3, spread=0.01, seed=4)
    d = data.distances()
    found = {
        "gonzalez": gonzalez_labels(d, 3),
        "kmeans": kmeans_labels(data.points, 3),
        "kmedoids": kmedoids_labels(d, 3),
        "genie": cut_at_k(genie_tree(data.points), 3),
        "sklearn": sklearn_labels(data.points, 3),
    }
    for name, labels in found.items():
        pairs = set(zip(labels.tolist(), data.groups.tolist(), strict=True))
        assert len(pairs) == 3, name


@pytest.mark.parametrize("linkage", ["complete", "average", "single", "ward"])
def test_labels_agree_with_scikit_learn(linkage):
    x = np.random.default_rng(0).normal(size=(150, 3))
    tree = greedy_hierarchy(distances(x), linkage).tree
    for k in (2, 5, 40):
        pairs = set(zip(cut_at_k(tree, k).tolist(), sklearn_labels(x, k, linkage).tolist(), strict=True))
        assert len(pairs) == k


def test_random_hierarchy_is_a_seeded_tree_of_runs():
    trees = [check_linkage(random_hierarchy(50, seed)) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(trees[0], trees[1])
    assert not np.array_equal(trees[0], trees[2])
    labels = cuts_at(trees[0], range(1, 51))
    assert [len(set(row)) for row in labels] == list(range(1, 51))


def test_genie_tree_is_a_tree():
    tree = check_linkage(genie_tree(np.random.default_rng(0).normal(size=(200, 2))))
    assert np.all(np.diff(tree[:, 2]) >= 0)


def test_default_run_shows_complete_linkage_ahead(digits):
    for group in k_groups(1797).values():
        means = relative_to_best({name: c.max_diam for name, c in digits.items()}, group, "max_diam")
        assert means["complete"] == max(means.values())
        assert means["single"] == min(means.values())


def test_chain_and_greedy_agree_on_the_digits(digits):
    d = distances(load_digits().data, dtype=np.float32)
    found = criteria_of(chain_tree(d, "complete"), distances(load_digits().data)).max_diam
    np.testing.assert_allclose(found[2:60], digits["complete"].max_diam[2:60], rtol=0.03)
