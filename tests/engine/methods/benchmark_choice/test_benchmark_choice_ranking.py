"""Rankings, their distances, and diversity, against scipy, closed forms and the published numbers."""

import numpy as np
import pytest
from scipy import stats

from engine.methods.benchmark_choice.agreement import (
    average_linkage,
    diversity,
    one_minus_kendall_w,
    ordinal_diversity,
    pairwise_task_distances,
    task_ranks,
)
from engine.methods.benchmark_choice.boards import (
    best_first,
    catalogue,
    constant_board,
    imagenet_groups,
    leaderboard,
    random_board,
)
from engine.methods.benchmark_choice.imputation import impute_nearest
from engine.methods.benchmark_choice.ranking import rank_distance, tolerant_ranks


def test_ranks_agree_with_scipy_where_nothing_is_nearly_tied():
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = rng.integers(0, 8, size=20).astype(float)
        assert np.array_equal(tolerant_ranks(scores), stats.rankdata(-scores))


def test_neighbours_closer_than_the_tolerance_are_tied_along_a_chain():
    scores = np.array([1.0, 1.0 + 0.9e-8, 1.0 + 1.8e-8, 2.0, 1.0 - 3e-8])
    assert tolerant_ranks(scores).tolist() == [3.0, 3.0, 3.0, 1.0, 5.0]


def test_ranking_refuses_values_that_are_not_finite():
    with pytest.raises(ValueError, match="finite"):
        tolerant_ranks([1.0, np.nan, 2.0])


def test_distance_agrees_with_scipy_with_ties():
    rng = np.random.default_rng(1)
    for _ in range(100):
        a, b = (tolerant_ranks(rng.integers(0, 6, size=12).astype(float)) for _ in range(2))
        tau, mrc = rank_distance(a, b)
        assert tau == pytest.approx((1 - stats.kendalltau(a, b)[0]) / 2, abs=1e-15)
        assert mrc == np.abs(a - b).max() / 11


def test_distance_of_equal_reversed_and_constant_rankings():
    ranks = np.arange(1.0, 8.0)
    assert rank_distance(ranks, ranks) == (0.0, 0.0)
    assert rank_distance(ranks[::-1], ranks) == (1.0, 1.0)
    assert rank_distance(np.full(7, 4.0), ranks) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("name", "one_minus_w", "mrc"),
    [
        ("glue", 0.1585062, 0.7251292),
        ("superglue", 0.1339228, 0.4722222),
        ("openllm", 0.8161215, 0.9329966),
        ("mmlu", 0.5329839, 0.7911273),
        ("bbh", 0.3228868, 0.7333629),
        ("mteb", 0.0827118, 0.2740263),
        ("vtab", 0.1897471, 0.3783626),
        ("helm_capability", 0.1707871, 0.6343750),
    ],
)
def test_published_diversity_of_cardinal_boards(name, one_minus_w, mrc):
    found = diversity(leaderboard(name).scores)
    assert found.one_minus_w == pytest.approx(one_minus_w, abs=5e-8)
    assert found.mean_mrc == pytest.approx(mrc, abs=5e-8)


@pytest.mark.parametrize(
    ("name", "one_minus_w", "mrc"),
    [
        ("bigcode", 0.0675958, 0.5333333),
        ("helm_accuracy", 0.2670245, 0.6678030),
        ("helm_fairness", 0.3031542, 0.6521812),
        ("heim_quality_auto", 0.8190852, 0.8354545),
        ("heim_nudity", 0.7641806, 0.7890526),
    ],
)
def test_published_diversity_of_ordinal_boards(name, one_minus_w, mrc):
    found = ordinal_diversity(best_first(leaderboard(name)).scores)
    assert found.one_minus_w == pytest.approx(one_minus_w, abs=6e-8)
    assert found.mean_mrc == pytest.approx(mrc, abs=6e-8)


def test_corrected_w_is_one_minus_the_friedman_statistic():
    # with ties, W = χ²_F / (n (m − 1)) and scipy's statistic is tie-corrected
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 5, size=(9, 6)).astype(float)
    statistic = stats.friedmanchisquare(*scores)[0]
    expected = 1 - statistic / (6 * (9 - 1))
    assert one_minus_kendall_w(task_ranks(scores), "corrected") == pytest.approx(expected, abs=1e-12)


def test_truncation_only_matters_with_half_ranks():
    untied = task_ranks(np.random.default_rng(3).random((10, 4)))
    assert one_minus_kendall_w(untied, "published") == one_minus_kendall_w(untied, "corrected")
    tied = task_ranks(np.array([[1.0, 4], [1, 3], [2, 2], [0, 1]]))
    truncated = 1 - 12 * 0.5 / (4 * 60)
    # ranks (2.5→2, 2.5→2, 1, 4) and (1, 2, 3, 4): sums 3, 4, 4, 8, squared deviations 14.75
    truncated = 1 - 12 * 14.75 / (4 * 60)
    assert one_minus_kendall_w(tied, "published") == pytest.approx(truncated, abs=1e-15)


def test_diversity_ignores_increasing_transforms_and_the_order_of_tasks():
    scores = leaderboard("vtab").scores
    moved = scores.copy()
    moved[:, 0] = np.exp(moved[:, 0] / 10)
    moved[:, 5] = 3 * moved[:, 5] ** 3 - 1000
    assert diversity(moved) == diversity(scores)
    shuffled = diversity(scores[:, ::-1])
    assert shuffled.one_minus_w == diversity(scores).one_minus_w
    assert shuffled.mean_mrc == pytest.approx(diversity(scores).mean_mrc, abs=1e-12)


def test_reference_boards_have_the_limits_of_diversity():
    constant = diversity(constant_board().scores)
    assert constant.one_minus_w == pytest.approx(0.0, abs=1e-12)
    assert constant.mean_mrc == constant.max_mrc == 0.0
    random = diversity(random_board().scores)
    assert random.one_minus_w == pytest.approx(0.99, abs=0.01)
    assert random.mean_mrc == pytest.approx(0.92, abs=0.01)
    groups = [diversity(imagenet_groups(seed).scores) for seed in range(5)]
    assert np.mean([g.one_minus_w for g in groups]) == pytest.approx(0.01, abs=0.005)
    assert np.mean([g.mean_mrc for g in groups]) == pytest.approx(0.14, abs=0.01)


def test_pairwise_distances_hold_the_mean_and_the_largest_rank_change():
    scores = leaderboard("superglue").scores
    tau, mrc = pairwise_task_distances(task_ranks(scores))
    upper = np.triu_indices(8, 1)
    found = diversity(scores)
    assert mrc[upper].mean() == pytest.approx(found.mean_mrc, abs=1e-12)
    assert mrc.max() == found.max_mrc
    assert np.array_equal(tau, tau.T)


def test_imputation_keeps_whole_tables_and_integer_columns():
    table = np.array([[1, 10.0, 3], [2, 11, 4], [3, np.nan, 5], [4, 13, 6]])
    filled = impute_nearest(table, neighbours=1)
    assert filled.shape == (4, 3)
    assert filled[2, 1] in (11.0, 13.0)
    assert np.array_equal(np.delete(filled, 2, axis=0), np.delete(table, 2, axis=0))
    assert np.array_equal(impute_nearest(table[:2]), table[:2])


def test_diversity_needs_two_models_and_two_tasks():
    with pytest.raises(ValueError, match="two"):
        diversity(np.ones((5, 1)))


@pytest.mark.parametrize("name", [e.name for e in catalogue().values() if e.kind == "ordinal"])
@pytest.mark.parametrize("neighbours", [1, 5, 50])
def test_imputation_is_that_of_scikit_learn(name, neighbours):
    from sklearn.impute import KNNImputer

    scores = best_first(leaderboard(name)).scores
    known = KNNImputer(n_neighbors=neighbours, weights="uniform").fit_transform(scores)
    assert impute_nearest(scores, neighbours) == pytest.approx(known, rel=1e-12)


def test_a_model_without_neighbours_gets_the_mean_of_the_task():
    nan = float("nan")
    table = np.array([[1.0, nan, nan], [nan, 2.0, nan], [nan, 4.0, nan]])
    assert impute_nearest(table)[0].tolist() == [1.0, 3.0, 0.0]
    assert impute_nearest(table)[1].tolist() == [1.0, 2.0, 0.0]


def test_average_linkage_is_that_of_scipy():
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    rng = np.random.default_rng(3)
    for n in (2, 3, 10, 60):
        table = rng.random((n, n))
        distance = table + table.T
        np.fill_diagonal(distance, 0)
        assert average_linkage(distance) == pytest.approx(linkage(squareform(distance), "average"))
