"""Whole algorithms: markers, resuming, growth, forced markers, the reference library, qualitative claims."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from engine.methods.adaptive_regret.change_points import change_points
from engine.methods.adaptive_regret.comparators import Comparator
from engine.methods.adaptive_regret.learners import Learner, Settings, play_all
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.regret import Windows
from engine.methods.adaptive_regret.streams import switching_stream

NAMES = (
    "ogd", "sogd", "ons", "flh", "flhs", "aflh", "sacs", "psacs", "saol", "cbce", "uma", "usia",
    "scogd", "s2ogd",
)  # fmt: skip
CARD = Settings(
    alpha=0.25,
    beta=0.25,
    usia_betas=tuple(2.0**-j for j in range(6)),
    usia_lams=(1.0, 0.25, 1 / 16),
)


@pytest.fixture(scope="module")
def problem() -> Problem:
    return switching_stream(np.random.default_rng(1), rounds=1500).problem()


@pytest.mark.parametrize("name", NAMES)
def test_pieces_give_the_same_numbers_as_one_go(name: str, problem: Problem) -> None:
    whole = play_all(name, problem, CARD)
    pieces = Learner(name, problem, CARD)
    for size in (1, 2, 30, 7, 400, 5000):
        pieces.play(size)
    assert (pieces.losses == whole.losses).all()
    assert (pieces.markers() == whole.markers()).all()
    assert np.isfinite(whole.losses).all()


@pytest.mark.parametrize("name", NAMES)
def test_points_stay_in_the_domain_and_weights_sum_to_one(name: str, problem: Problem) -> None:
    learner = Learner(name, problem, CARD, keep_points=True)
    learner.play(problem.rounds)
    assert np.linalg.norm(learner.record.points, axis=1).max() <= 1 + 1e-9
    predicted = np.einsum("td,td->t", learner.record.points, problem.features)
    np.testing.assert_allclose(0.5 * (predicted - problem.targets) ** 2, learner.losses, atol=1e-10)
    columns = -(-problem.rounds // learner.record.width)
    total = learner.record.level_weight.sum(axis=0)[:columns]
    np.testing.assert_allclose(total.sum(), problem.rounds, rtol=1e-9)


def test_awake_experts_are_popcount_of_the_marker(problem: Problem) -> None:
    learner = play_all("psacs", problem, replace(CARD, threshold=0.3))
    number = np.cumsum(learner.record.mark).astype(int)
    assert number[-1] > 8
    assert learner.record.awake.tolist() == [int(m).bit_count() for m in number]


def test_markers_are_where_the_newest_experts_loss_passed_the_threshold(problem: Problem) -> None:
    settings = replace(CARD, threshold=0.3)
    learner = play_all("psacs", problem, settings)
    markers = [*learner.markers().tolist(), problem.rounds]
    bound = problem.loss_limit()
    for first, last in itertools.pairwise(markers):
        part = replace(problem, features=problem.features[first:last], targets=problem.targets[first:last])
        counted = play_all("sogd", part).losses.cumsum() / bound
        assert last == problem.rounds or counted[-1] > 0.3
        assert (counted[:-1] <= 0.3).all()


def test_room_grows_with_the_markers_and_not_with_the_rounds(problem: Problem) -> None:
    learner = Learner("flh", problem, CARD)
    small = learner.memory()
    learner.play(problem.rounds)
    assert learner.levels == 16
    longer = Learner("flhs", replace(problem, features=np.tile(problem.features, (20, 1)),
                                     targets=np.tile(problem.targets, 20)), CARD)  # fmt: skip
    assert longer.memory() == small


def test_a_forced_marker_stands_before_the_next_round(problem: Problem) -> None:
    learner = Learner("flhs", problem, CARD)
    learner.play(100)
    before = len(learner.markers())
    assert learner.force_marker()
    learner.play(1)
    assert learner.markers()[-1] == 100
    assert len(learner.markers()) == before + 1
    assert not Learner("ons", problem).force_marker()


def test_a_shortest_interval_spaces_the_markers(problem: Problem) -> None:
    learner = play_all("sacs", problem, replace(CARD, shortest=16))
    assert (np.diff(learner.markers()) == 16).all()


def test_change_points_are_found_at_the_switches_and_nowhere_else() -> None:
    """Eighteen switches of six streams: at least 16 found with their onset to 3 rounds; no false alarm."""
    hits = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        changing = switching_stream(rng, rounds=4000, stages=4).problem()
        found = change_points(play_all("flhs", changing, replace(CARD, threshold=1.0)))
        hits += sum(any(abs(each.onset - switch) <= 3 for each in found) for switch in changing.switches)
        assert all(min(abs(each.onset - s) for s in changing.switches) <= 3 for each in found)
        calm = switching_stream(rng, rounds=4000, stages=1, sigma=0.2).problem()
        learner = play_all("flhs", calm, CARD)
        assert len(learner.markers()) > 5
        assert not [each for each in change_points(learner) if each.sign == "loss"]
    assert hits >= 16


def test_one_gradient_mode_learns_too(problem: Problem) -> None:
    for name in ("flhs", "usia", "psacs"):
        losses = play_all(name, problem, replace(CARD, one_gradient=True)).losses
        assert losses.sum() < 3 * play_all(name, problem, CARD).losses.sum() + 5


@pytest.mark.parametrize("loss", ["logistic", "hinge", "absolute"])
def test_other_losses_beat_the_resting_point(loss: str) -> None:
    stream = switching_stream(np.random.default_rng(8), rounds=2000, stages=2)
    p = stream.problem(loss, radius=3.0)
    at_rest = {"logistic": np.log(2) * 2000, "hinge": 2000.0, "absolute": np.abs(p.targets).sum()}[loss]
    for name in ("sogd", "ons", "psacs", "usia"):
        assert play_all(name, p, Settings()).losses.sum() < 0.9 * at_rest


def sa_250(name: str, problem: Problem, settings: Settings) -> float:
    windows = Windows(Comparator(problem), [250])
    list(windows.solve(problem.rounds))
    return float(windows.adaptive_regret(play_all(name, problem, settings).losses)[1][0])


def mean_sa_250(rounds: int, streams: int) -> dict[str, float]:
    """Means over four-stage streams, losses counted in their own unit; "usia1" is USIA with C = 1."""
    found: dict[str, list[float]] = {}
    for seed in range(streams):
        p = replace(switching_stream(np.random.default_rng(seed), rounds=rounds).problem(), loss_bound=1.0)
        for name in ("ogd", "sogd", "ons", "flhs", "usia"):
            found.setdefault(name, []).append(sa_250(name, p, CARD))
        found.setdefault("usia1", []).append(sa_250("usia", p, replace(CARD, threshold=1.0)))
    return {name: float(np.mean(values)) for name, values in found.items()}


def test_adaptive_algorithms_win_after_long_stages() -> None:
    """Stages of 5,000 rounds: FLHS ≤ 0.7 ONS and ≤ 0.6 SOGD, USIA ≤ 0.8 ONS, OGD worst by tenfold."""
    mean = mean_sa_250(20_000, 5)
    assert mean["flhs"] <= 0.7 * mean["ons"]
    assert mean["flhs"] <= 0.6 * mean["sogd"]
    assert min(mean["usia"], mean["usia1"]) <= 0.8 * mean["ons"]
    assert mean["ogd"] >= 10 * max(mean[name] for name in ("sogd", "ons", "flhs", "usia"))


def test_after_short_stages_one_newton_learner_is_nearly_as_good() -> None:
    """Stages of 1,500 rounds: FLHS ≤ 0.6 SOGD and below ONS, but not by 0.7 (see the help page)."""
    mean = mean_sa_250(6000, 10)
    assert mean["flhs"] <= 0.6 * mean["sogd"]
    assert 0.7 * mean["ons"] < mean["flhs"] < mean["ons"]
    assert mean["usia"] < mean["ons"]
    assert mean["ogd"] >= 10 * max(mean[name] for name in ("sogd", "ons", "flhs", "usia"))


def test_easy_streams_cost_little() -> None:
    """Static regret of stationary streams (mean of three) falls with the noise for small-loss learners."""
    regret: dict[tuple[str, float], float] = {}
    for sigma in (0.3, 0.0):
        for seed in range(3):
            stream = switching_stream(
                np.random.default_rng(100 + seed), rounds=3000, stages=1, sigma=sigma, size=0.8
            )
            p = replace(stream.problem(), loss_bound=1.0)
            best = Comparator(p).best(0, p.rounds).value
            for name in ("ogd", "sogd", "psacs"):
                losses = play_all(name, p, CARD).losses
                regret[name, sigma] = regret.get((name, sigma), 0.0) + (losses.sum() - best) / 3
                if name == "psacs" and sigma == 0:
                    assert (losses == play_all("sogd", p, CARD).losses).all()
    assert regret["sogd", 0.3] >= 8 * regret["sogd", 0.0]
    assert regret["psacs", 0.3] >= 8 * regret["psacs", 0.0]
    assert regret["ogd", 0.3] <= 4 * regret["ogd", 0.0]
