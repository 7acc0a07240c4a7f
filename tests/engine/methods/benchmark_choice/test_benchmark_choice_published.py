"""The published solvers give the published numbers, step for step."""

import numpy as np
import pytest

from engine.methods.benchmark_choice import cardinal, ordinal
from engine.methods.benchmark_choice.agreement import diversity, ordinal_diversity
from engine.methods.benchmark_choice.boards import (
    PAPER_CARDINAL,
    PAPER_ORDINAL,
    best_first,
    catalogue,
    constant_board,
    imagenet_groups,
    leaderboard,
    random_board,
)
from engine.methods.benchmark_choice.ranking import rank_distance, tolerant_ranks
from engine.methods.benchmark_choice.tradeoff import fit_tradeoff
from engine.methods.benchmark_choice.win_rate import pairwise_win_matrix, winning_rates

CARDINAL = {
    "glue": (0.1211230, 0.7325581),
    "superglue": (0.1111111, 0.2962963),
    "vtab": (0.0666667, 0.2666667),
    "openllm": (0.4623748, 0.8939394),
    "mmlu": (0.3428812, 0.9278351),
    "bbh": (0.2452830, 0.8018868),
    "mteb": (0.1813106, 0.6097561),
    "helm_capability": (0.2028846, 0.5625),
}

# two decimals as the authors' notebook prints them
ORDINAL = {
    "bigcode": (0.04, 0.14),
    "helm_accuracy": (0.32, 0.67),
    "helm_fairness": (0.18, 0.58),
    "helm_robustness": (0.26, 0.58),
    "heim_alignment_auto": (0.30, 0.50),
    "heim_quality_auto": (0.10, 0.25),
    "heim_aesthetics_auto": (0.40, 0.50),
    "heim_alignment_human": (0.10, 0.25),
    "heim_nudity": (0.39, 0.62),
    "heim_quality_human": (0.10, 0.25),
    "heim_aesthetics_human": (0.10, 0.25),
}


@pytest.mark.parametrize("name", CARDINAL)
def test_cardinal_sensitivity_is_the_published_one(name):
    found = cardinal.published_sensitivity(best_first(leaderboard(name)).scores)
    assert (found.tau, found.mrc) == pytest.approx(CARDINAL[name], abs=5.1e-8)


@pytest.mark.parametrize("name", ORDINAL)
def test_ordinal_sensitivity_is_the_published_one(name):
    found = ordinal.published_sensitivity(best_first(leaderboard(name)).scores)
    assert (found.tau, found.mrc) == pytest.approx(ORDINAL[name], abs=0.0051)


def test_ordinal_exact_fractions():
    bigcode = ordinal.published_sensitivity(best_first(leaderboard("bigcode")).scores)
    assert (bigcode.tau, bigcode.mrc) == pytest.approx((1 / 28, 1 / 7), abs=1e-15)
    accuracy = ordinal.published_sensitivity(best_first(leaderboard("helm_accuracy")).scores)
    assert (accuracy.tau, accuracy.mrc) == pytest.approx((25 / 78, 8 / 12), abs=1e-15)


def test_the_paper_keeps_eleven_ordinal_boards_by_its_two_rules():
    kept = []
    for entry in catalogue().values():
        if entry.kind != "ordinal":
            continue
        board = leaderboard(entry.name)
        rates = winning_rates(pairwise_win_matrix(board.scores))
        known = ~np.isnan(board.published)
        tau, _ = rank_distance(tolerant_ranks(rates[known]), tolerant_ranks(board.published[known]))
        if np.isnan(board.scores).mean() <= 0.2 and tau <= 0.1:
            kept.append(entry.name)
    # HELM-lite came to the data after the paper
    assert set(kept) == {*PAPER_ORDINAL, "helm_lite"}


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("mmlu", [0.43, 0.31, 0.19, 0.09, 0.05, 0.03, 0.01]),
        ("openllm", [0.47, 0.47, 0.46, 0.45, 0.43, 0.38, 0.20]),
    ],
)
def test_sensitivity_falls_with_epsilon_as_in_the_appendix(name, published):
    scores = best_first(leaderboard(name)).scores
    found = [
        cardinal.published_sensitivity(scores, epsilon=epsilon, normalise=False).tau
        for epsilon in (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
    ]
    assert found == pytest.approx(published, abs=0.0051)


def test_limits_on_reference_boards():
    constant = cardinal.published_sensitivity(constant_board().scores)
    assert (constant.tau, constant.mrc) == (0.0, 0.0)
    randoms = [cardinal.published_sensitivity(best_first(random_board(seed)).scores) for seed in range(5)]
    assert np.mean([r.tau for r in randoms]) == pytest.approx(0.49, abs=0.005)
    assert np.mean([r.mrc for r in randoms]) == pytest.approx(0.90, abs=0.005)
    groups = [cardinal.published_sensitivity(imagenet_groups(seed).scores) for seed in range(5)]
    assert np.mean([g.tau for g in groups]) == pytest.approx(0.02, abs=0.01)
    assert np.mean([g.mrc for g in groups]) == pytest.approx(0.09, abs=0.01)


def test_paper_claims_a_strong_trade_off_on_cardinal_boards():
    boards = [best_first(leaderboard(name)) for name in PAPER_CARDINAL]
    boards += [constant_board(), best_first(random_board()), imagenet_groups(0)]
    diverse = [diversity(board.scores) for board in boards]
    moved = [cardinal.published_sensitivity(board.scores) for board in boards]
    by_tau = fit_tradeoff([d.one_minus_w for d in diverse], [s.tau for s in moved])
    by_mrc = fit_tradeoff([d.one_minus_w for d in diverse], [s.mrc for s in moved])
    assert by_tau.correlation == pytest.approx(0.96, abs=0.01)
    assert by_mrc.correlation == pytest.approx(0.77, abs=0.01)
    assert 0 < by_tau.slope < 1


def test_paper_claims_a_trade_off_on_ordinal_boards():
    points = []
    for name in PAPER_ORDINAL:
        board = best_first(leaderboard(name))
        moved = ordinal.published_sensitivity(board.scores)
        points.append((ordinal_diversity(board.scores).one_minus_w, moved.tau, moved.mrc))
    points.append((0.0, 0.0, 0.0))
    # the authors' random ordinal board: 1,000 models of which the first ten are relevant
    random = best_first(random_board(0, 1000, 100, "ordinal"))
    moved = ordinal.published_sensitivity(random.scores, relevant=np.arange(10))
    points.append((diversity(random.scores).one_minus_w, moved.tau, moved.mrc))
    diverse, tau, mrc = np.array(points).T
    assert fit_tradeoff(diverse, tau).correlation == pytest.approx(0.61, abs=0.03)
    assert fit_tradeoff(diverse, mrc).correlation == pytest.approx(0.50, abs=0.03)


def test_chunks_do_not_change_the_descent():
    problem = cardinal.prepare(leaderboard("vtab").scores)
    whole = [state for state, _ in cardinal.descend(problem, chunk=1000)]
    parts = list(cardinal.descend(problem, chunk=7))
    assert len(whole) == 1
    assert len(parts) > 40
    assert parts[-1][0].step == whole[0].step
    assert np.array_equal(parts[-1][0].weights, whole[0].weights)
    assert sum(losses.size for _, losses in parts) == whole[0].step


def test_chunks_do_not_change_the_sampling():
    problem = ordinal.prepare(best_first(leaderboard("heim_nudity")).scores)
    *_, (whole, _) = ordinal.sample(problem, chunk=1000)
    parts = list(ordinal.sample(problem, chunk=30))
    assert len(parts) == 34
    assert (parts[-1][0].tau, parts[-1][0].mrc) == (whole.tau, whole.mrc)
    assert np.array_equal(parts[-1][0].added, whole.added)


def test_uniforms_are_those_torch_draws_its_samples_from():
    import torch

    generator = torch.Generator().manual_seed(5)
    odds = torch.linspace(0.05, 0.95, 23, dtype=torch.double)
    drawn = np.array([torch.bernoulli(odds, generator=generator).numpy() for _ in range(40)])
    assert np.array_equal(drawn, ordinal.bernoulli_uniforms(5, 40, 23) < odds.numpy())


def test_no_shrinking_no_change():
    scores = leaderboard("superglue").scores
    problem = cardinal.prepare(scores)
    assert cardinal.rank_change(problem, np.ones(problem.kept.size)) == (0.0, 0.0)


def test_ranking_by_mean_does_not_see_constants_added_to_tasks():
    scores = leaderboard("vtab").scores
    shifted = scores + np.arange(19) * 10.0
    assert np.array_equal(cardinal.prepare(scores).ranks, cardinal.prepare(shifted).ranks)
    alpha = np.linspace(0.1, 1, 19)
    about = cardinal.shrunken_table(scores, alpha, chance=np.full(19, 25.0)).mean(axis=1)
    plain = cardinal.shrunken_table(scores, alpha).mean(axis=1)
    assert np.array_equal(tolerant_ranks(about), tolerant_ranks(plain))


def test_constant_tasks_are_left_out_and_named():
    scores = np.column_stack([leaderboard("vtab").scores, np.full(16, 7.0)])
    problem = cardinal.prepare(scores)
    assert problem.kept.tolist() == list(range(19))
    assert cardinal.published_sensitivity(scores).tau == pytest.approx(0.0666667, abs=5e-8)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_cardinal_refuses_incomplete_tables(bad):
    scores = leaderboard("vtab").scores.copy()
    scores[3, 4] = bad
    with pytest.raises(ValueError, match="complete table"):
        cardinal.prepare(scores)


def test_refusals():
    with pytest.raises(ValueError, match="same score"):
        cardinal.prepare(np.ones((4, 3)))
    with pytest.raises(ValueError, match="two models"):
        cardinal.prepare(np.ones((1, 3)))
    with pytest.raises(ValueError, match="epsilon"):
        next(cardinal.descend(cardinal.prepare(leaderboard("vtab").scores), epsilon=1.0))
    with pytest.raises(ValueError, match="0 of 4 models"):
        ordinal.prepare(np.random.default_rng(0).random((4, 3)))


def test_two_models_can_be_analysed():
    found = cardinal.published_sensitivity(np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 1.5]]))
    assert (found.tau, found.mrc) in {(0.0, 0.0), (1.0, 1.0)}


def test_win_matrix_counts_strict_wins_on_common_tasks():
    nan = np.nan
    wins = pairwise_win_matrix([[1, 2, 3], [1, 1, nan], [nan, nan, 5], [0, nan, nan]])
    assert wins.tolist() == [[0, 0.5, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0]]


def test_relevant_models_need_not_be_the_first_rows():
    scores = best_first(leaderboard("heim_quality_auto")).scores
    shuffle = np.random.default_rng(0).permutation(len(scores))
    wanted = np.flatnonzero(np.isin(shuffle, np.arange(5)))
    straight, mixed = ordinal.prepare(scores), ordinal.prepare(scores[shuffle], relevant=wanted)
    order = np.argsort(shuffle[wanted])
    assert np.array_equal(mixed.ranks[order], straight.ranks)
    added = np.array([7, 12, 20])
    moved = np.flatnonzero(np.isin(shuffle, added))
    assert np.array_equal(ordinal.subset_ranks(mixed, moved)[order], ordinal.subset_ranks(straight, added))
