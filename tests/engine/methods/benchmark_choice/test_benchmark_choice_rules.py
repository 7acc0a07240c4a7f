"""Baselines, bootstrap, task subsets, independence of irrelevant alternatives, the shipped tables."""

import subprocess
import sys
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import stats

import engine.methods.benchmark_choice as package
from engine.methods.benchmark_choice import arrow, baselines, bootstrap, cardinal, ordinal, subsets
from engine.methods.benchmark_choice.boards import (
    best_first,
    catalogue,
    imagenet_groups,
    interpolated_board,
    leaderboard,
    random_board,
)
from engine.methods.benchmark_choice.ranking import tolerant_ranks
from engine.methods.benchmark_choice.tradeoff import fit_tradeoff
from engine.methods.benchmark_choice.win_rate import pairwise_win_matrix

SCORES = np.array([[3.0, 1, 2, 9], [2, 2, 8, 1], [1, 4, 1, 1]])


def test_simple_rules_by_hand():
    assert baselines.mean_score(SCORES).tolist() == [3.75, 3.25, 1.75]
    assert baselines.median_score(SCORES).tolist() == [2.5, 2.0, 1.0]
    assert baselines.geometric_mean(SCORES) == pytest.approx([54**0.25, 32**0.25, 4**0.25])
    assert baselines.mean_rank(SCORES).tolist() == [
        -(1 + 3 + 2 + 1) / 4,
        -(2 + 2 + 1 + 2.5) / 4,
        -(3 + 1 + 3 + 2.5) / 4,
    ]
    # rows 0 and 1 win two tasks each against one another, and both beat row 2
    assert baselines.copeland(SCORES).tolist() == [1.0, 1.0, -2.0]


def test_win_rate_and_z_scores_against_numpy():
    scores = leaderboard("vtab").scores
    wins = (scores[:, None] > scores[None]).mean(axis=2)
    assert baselines.mean_win_rate(scores) == pytest.approx(wins.mean(axis=1), abs=1e-12)
    assert baselines.z_score_mean(scores) == pytest.approx(
        stats.zscore(scores, ddof=1).mean(axis=1), abs=1e-12
    )


def test_bradley_terry_meets_its_likelihood_equations():
    scores = leaderboard("superglue").scores
    strength = np.exp(baselines.bradley_terry(scores, prior=0.1))
    won = (
        (scores[:, None] > scores[None]).sum(axis=2)
        + 0.5 * (scores[:, None] == scores[None]).sum(axis=2)
        + 0.1
    )
    np.fill_diagonal(won, 0)
    games = won + won.T
    expected = (games * strength[:, None] / (strength[:, None] + strength)).sum(axis=1)
    assert expected == pytest.approx(won.sum(axis=1), rel=1e-6)
    assert np.log(strength).sum() == pytest.approx(0.0, abs=1e-9)


def test_geometric_mean_refuses_what_it_cannot_average():
    with pytest.raises(ValueError, match="positive"):
        baselines.rank_by([[1.0, 0.0], [2.0, 3.0]], "geometric mean")


@pytest.mark.parametrize("rule", baselines.RULES)
def test_every_rule_ranks_a_dominating_model_first_and_ignores_missing_scores(rule):
    scores = np.array([[9.0, 9, 9, 9], [5, np.nan, 3, 2], [4, 2, np.nan, 1], [3, 1, 1, 0.5]])
    ranks = baselines.rank_by(scores, rule)
    assert ranks[0] == 1.0
    assert ranks[3] == 4.0
    assert ranks.sum() == 10.0


def test_random_weights_stay_below_the_certificate():
    from engine.methods.benchmark_choice.certificates import cardinal_certificate, ordinal_certificate

    problem = cardinal.prepare(leaderboard("vtab").scores)
    changes = baselines.random_weight_changes(problem, np.random.default_rng(0), draws=300)
    certificate = cardinal_certificate(problem)
    assert changes.shape == (300, 2)
    assert 0 < changes[:, 0].mean() < changes[:, 0].max() <= certificate.tau_bound
    board = ordinal.prepare(best_first(leaderboard("helm_accuracy")).scores)
    changes = baselines.random_subset_changes(board, np.random.default_rng(0), draws=300)
    assert 0 < changes[:, 1].max() <= ordinal_certificate(board).mrc_bound + 1e-12


def test_bootstrap_intervals_cover_the_ranking_and_vanish_when_tasks_agree():
    scores = leaderboard("vtab").scores
    ranks = bootstrap.bootstrap_ranks(scores, np.random.default_rng(0), draws=400)
    low, high = bootstrap.rank_intervals(ranks)
    original = tolerant_ranks(scores.mean(axis=1))
    assert ((low <= original) & (original <= high)).mean() >= 0.9
    assert ranks.sum(axis=1) == pytest.approx(np.full(400, 136.0))
    agreed = np.repeat(np.arange(6.0)[:, None], 5, axis=1)
    low, high = bootstrap.rank_intervals(
        bootstrap.bootstrap_ranks(agreed, np.random.default_rng(0), draws=20)
    )
    assert np.array_equal(low, high)


def test_bootstrap_draws_again_when_a_model_would_have_no_score():
    scores = np.array([[1.0, np.nan, np.nan], [2.0, 3.0, 4.0]])
    ranks = bootstrap.bootstrap_ranks(scores, np.random.default_rng(0), draws=50)
    assert set(map(tuple, ranks)) == {(2.0, 1.0)}


def test_diversity_over_resampled_models_surrounds_the_estimate():
    from engine.methods.benchmark_choice.agreement import diversity

    scores = leaderboard("mmlu").scores
    found = bootstrap.bootstrap_diversity(scores, np.random.default_rng(0), draws=60)
    assert abs(found[:, 0].mean() - diversity(scores).one_minus_w) < 0.1
    tasks = bootstrap.bootstrap_diversity(scores, np.random.default_rng(0), over="tasks", draws=60)
    assert tasks[:, 0].std() > 0


def test_task_subsets():
    scores = leaderboard("superglue").scores
    everything = subsets.set_distances(scores, np.arange(8)[None])
    assert everything.tolist() == [[0.0, 0.0]]
    *_, best = subsets.exact_set(scores, 3)
    by_hand = min(
        subsets.set_distances(scores, np.array([chosen]))[0, 0] for chosen in combinations(range(8), 3)
    )
    assert best.tau == by_hand
    greedy = list(subsets.greedy_sets(scores, 6))
    assert [len(found.tasks) for found in greedy] == [1, 2, 3, 4, 5, 6]
    assert greedy[2].tau >= best.tau
    assert all(set(a.tasks) < set(b.tasks) for a, b in pairwise(greedy))
    drawn, distances = subsets.random_sets(scores, 3, np.random.default_rng(0), draws=200)
    assert (np.sort(drawn, axis=1)[:, 1:] != np.sort(drawn, axis=1)[:, :-1]).all()
    assert distances[:, 0].min() >= best.tau
    assert subsets.number_of_sets(8, 3) == 56


def test_a_third_model_turns_over_two_others():
    # a beats b on one task of three; c, which b beats more often, joins
    scores = np.array([[3.0, 1, 3, 2, 2], [2, 2, 2, 3, 1], [1, 3, 1, 1, 3]])
    wins = pairwise_win_matrix(scores)
    for first, second in combinations(range(3), 2):
        third = 3 - first - second
        alone = wins[first, second] - wins[second, first]
        joined = alone + wins[first, third] - wins[second, third]
        expected = [third] if alone * joined < 0 else []
        assert arrow.third_model_flips(wins, first, second).tolist() == expected


def test_single_flips_are_all_there_are():
    wins = pairwise_win_matrix(np.random.default_rng(4).integers(0, 9, size=(8, 7)).astype(float))
    found = {(f.first, f.second, f.third) for f in arrow.single_flips(wins)}
    expected = set()
    for a in range(8):
        for b in range(8):
            for c in set(range(8)) - {a, b}:
                rest = [r for r in range(8) if r != c]
                without = arrow.lead(wins, a, b, rest)
                together = arrow.lead(wins, a, b, range(8))
                if a != b and without > 1e-10 and together < -1e-10:
                    expected.add((a, b, c))
    assert found == expected
    assert found


def test_votes_are_ranks_on_each_task():
    scores = np.array([[1.0, np.nan], [2.0, 5.0], [9.0, 9.0], [2.0, 7.0]])
    votes = arrow.task_votes(scores, [0, 1, 3])
    assert votes[0].tolist() == [3.0, 1.5, 1.5]
    assert votes[1, 1:].tolist() == [2.0, 1.0]
    assert np.isnan(votes[1, 0])


def test_trade_off_line():
    fit = fit_tradeoff([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert (fit.slope, fit.correlation) == pytest.approx((2.0, 1.0))
    assert np.isnan(fit_tradeoff([1.0, 1.0], [0.0, 1.0]).correlation)
    with pytest.raises(ValueError, match="two benchmarks"):
        fit_tradeoff([1.0], [1.0])


def test_shipped_tables_hold_what_the_catalogue_says():
    assert len(catalogue()) == 29
    for entry in catalogue().values():
        board = leaderboard(entry.name)
        assert board.scores.shape == (entry.models, entry.tasks)
        assert len(set(board.models)) == entry.models
        assert len(set(board.tasks)) == entry.tasks
        assert not np.isinf(board.scores).any()
        if entry.kind == "cardinal":
            assert not np.isnan(board.scores).any()
    calibration = leaderboard("helm_calibration")
    assert all(calibration.flipped)
    assert np.nanmax(calibration.scores) <= 0


def test_reference_boards():
    board = interpolated_board(0.25, seed=1)
    assert board.scores.shape == (100, 100)
    assert np.unique(board.scores, axis=1).shape[1] == 26
    assert np.array_equal(board.scores[:, :25], random_board(1, 100, 25).scores)
    groups = imagenet_groups(2, 20)
    assert groups.scores.shape == (112, 20)
    assert groups.scores.mean(axis=1) == pytest.approx(leaderboard("imagenet").scores.mean(axis=1))
    with pytest.raises(ValueError, match="divide"):
        imagenet_groups(0, 7)


def test_package_lists_its_algorithm_without_loading_it():
    code = (
        "import sys, engine.methods.benchmark_choice as b; b.__all__;"
        "print(sorted({'numba', 'scipy', 'torch', 'sklearn', 'pandas'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
    for name in package.__all__:
        assert callable(getattr(package, name))
    with pytest.raises(AttributeError):
        _ = package.no_such_name
