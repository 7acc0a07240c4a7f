"""The tab: a run's results against the algorithms called by hand, and what a person may do."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.board import Board
from engine.core.context import Context
from engine.core.events import Artifact, Event
from engine.core.method import load
from engine.core.registry import method
from engine.methods.adaptive_regret import actions, arguments
from engine.methods.adaptive_regret.comparators import Comparator
from engine.methods.adaptive_regret.learners import play_all
from engine.methods.adaptive_regret.session import Session

METHOD = method("adaptive_regret")


def drive(work: Iterator[Event], board: Board | None = None) -> tuple[Any, Board, list[Event]]:
    """Exhaust a generator: (what it returned, the board, its events)."""
    board, events = board or Board(), []
    while True:
        try:
            event = next(work)
        except StopIteration as done:
            return done.value, board, events
        events.append(event)
        if not isinstance(event, Artifact):
            board.apply(event)


def run(tmp_path: Path, data: str = "switching", preset: str = "quick", **values: Any):
    chosen = next(each for each in METHOD.sets if each.name == data)
    context = Context(3, tmp_path / "scratch", tmp_path / "cache")
    parameters = METHOD.settings(preset, values)
    work = load(METHOD.run)(parameters, chosen.load().value, context)
    session, board, events = drive(work)
    return session, board, events, context


@pytest.fixture
def finished(tmp_path: Path) -> tuple[Session, Board, list[Event], Context]:
    return run(tmp_path, rounds=400, cells=16)


def test_results_are_those_of_the_algorithms(finished) -> None:
    session, board, _, _ = finished
    problem = session.problem
    for name in session.names:
        losses = play_all(name, problem, session.settings).losses
        assert board.values[f"loss.{name}"].value == pytest.approx(losses.sum(), abs=1e-12)
        least = Comparator(problem).best(0, 400).value
        assert board.values[f"static_regret.{name}"].value == pytest.approx(losses.sum() - least, abs=1e-9)
        edges = [0, 100, 200, 300, 400]
        stages = sum(Comparator(problem).best(a, b).value for a, b in itertools.pairwise(edges))
        assert board.values[f"stage_regret.{name}"].value == pytest.approx(losses.sum() - stages, abs=1e-9)
        assert board.values[f"markers.{name}"].value == len(session.learners[name].markers())
    curve = {series.name: series for series in board.state("regret").series}["FLHS"]
    assert curve.x[-1] == 400
    assert curve.y[-1] == pytest.approx(board.values["stage_regret.flhs"].value, abs=1e-9)


def test_files_hold_the_losses_and_the_latex_table(finished) -> None:
    session, _, events, _ = finished
    (folder,) = [Path(event.path) for event in events if isinstance(event, Artifact)]
    paths = {path.name: path for path in folder.iterdir()}
    rows = np.loadtxt(paths["losses.csv"], delimiter=",", skiprows=1)
    assert rows.shape == (400, 6)
    np.testing.assert_allclose(rows[:, 1], session.learners["flhs"].losses, rtol=1e-9)
    tex = paths["adaptive_regret.tex"].read_text(encoding="utf-8")
    assert tex.count("\\\\") == 1 + len(session.names)
    assert "FLHS" in tex
    weights = np.genfromtxt(paths["weights.csv"], delimiter=",", skip_header=1, usecols=(3, 4, 5))
    assert (weights[:, 2] <= 1).all()
    assert paths["markers.csv"].read_text(encoding="utf-8").startswith("algorithm,marker,round\nflhs,1,1\n")


def test_an_interval_is_compared_exactly(finished) -> None:
    session, board, _, context = finished
    drive(actions.select_interval(session, arguments.Span(low=51, high=150), context), board)
    state = board.state("interval")
    columns = {column.name: column.values for column in state.columns}
    least = Comparator(session.problem).best(50, 150).value
    best = min(session.learners[n].losses[50:150].sum() for n in session.names) - least
    assert columns["regret"][0] == pytest.approx(best, abs=1e-9)
    assert columns["outcome"][0] == "winner"
    assert list(columns["regret"]) == sorted(columns["regret"])


def test_a_cell_of_the_map_opens_its_interval(finished) -> None:
    session, board, _, context = finished
    state = board.state("map")
    row, column = (int(each[-1]) for each in np.nonzero(np.isfinite(state.values)))
    drive(actions.pick_cell(session, arguments.CellAt(row=row, column=column), context), board)
    first, last = session.span
    assert f"{last - first:,}" == state.rows[row]
    expected = session.learners["flhs"].losses[first:last].sum() - session.comparator.best(first, last).value
    assert state.values[row, column] == pytest.approx(expected, abs=1e-9)
    drive(
        actions.pick_block(
            session,
            arguments.Block(row_low=0, row_high=99, column_low=0, column_high=99),
            context,
        ),
        board,
    )
    first, last = session.span
    assert np.nanmax(state.values) == pytest.approx(
        session.learners["flhs"].losses[first:last].sum() - session.comparator.best(first, last).value
    )


def test_an_opened_expert_is_the_newton_step_of_its_interval(finished) -> None:
    session, board, _, context = finished
    drive(actions.open_expert(session, arguments.CellAt(row=0, column=0), context), board)
    opened = session.opened
    assert opened.born == 0
    alone = play_all("ons", session.problem, session.settings).losses[: opened.last + 1]
    np.testing.assert_allclose(opened.losses, alone, atol=1e-12)
    assert board.state("expert").series[0].y[-1] == pytest.approx(alone.sum())


def test_an_edited_stream_is_replayed_and_the_edit_undone(finished) -> None:
    session, board, _, context = finished
    before = session.learners["flhs"].losses.copy()
    moved = arguments.Line(name="change 2", value=260)
    undo, _, _ = drive(actions.move_switch(session, moved, context), board)
    assert session.instance.synthetic.switches == (100, 260, 300)
    changed = session.learners["flhs"].losses
    assert (changed[:200] == before[:200]).all()
    assert not np.allclose(changed[200:260], before[200:260])
    assert "flhs" in session.replayed
    assert session.curves["fixed"]["flhs"][-1] == pytest.approx(
        changed.sum() - Comparator(session.problem).best(0, 400).value, abs=1e-9
    )
    drive(actions.move_switch(session, arguments.Line(**undo), context), board)
    assert (session.learners["flhs"].losses == before).all()


def test_a_burst_raises_the_loss_where_it_is(finished) -> None:
    session, board, _, context = finished
    before = session.learners["flhs"].losses.copy()
    undo, _, _ = drive(
        actions.edit_burst(session, arguments.Burst(low=150, high=170, size=1.0), context), board
    )
    after = session.learners["flhs"].losses
    assert (after[:150] == before[:150]).all()
    assert after[150:170].sum() > 5 * before[150:170].sum()
    assert board.state("stream").spans[0].low == 150
    drive(actions.edit_burst(session, arguments.Burst(**undo), context), board)
    assert (session.learners["flhs"].losses == before).all()


def test_while_rounds_are_played_the_past_stays(tmp_path: Path) -> None:
    chosen = METHOD.sets[0]
    context = Context(3, tmp_path / "scratch", tmp_path / "cache")
    parameters = METHOD.settings("quick", {"rounds": 800, "cells": 8})
    work = load(METHOD.run)(parameters, chosen.load().value, context)
    board = Board()
    while not (isinstance(context.state, Session) and context.state.played >= 300):
        board.apply(next(work))
    session = context.state
    past = session.problem.targets[: session.played].copy()
    drive(actions.move_switch(session, arguments.Line(name="change 1", value=700), context), board)
    assert session.instance.synthetic.switches[0] == 200
    drive(actions.move_switch(session, arguments.Line(name="change 3", value=500), context), board)
    assert session.instance.synthetic.switches == (200, 400, 500)
    drive(actions.force_marker(session, arguments.Choose(), context), board)
    forced = session.learners["flhs"].rounds_played
    undo, _, _ = drive(actions.change_threshold(session, arguments.Number(value=50.0), context), board)
    assert undo == {"value": 0.7}
    drive(work, board)
    assert (session.problem.targets[: len(past)] == past).all()
    assert forced in session.learners["flhs"].markers()
    assert session.settings.threshold == 50.0
    whole = Comparator(session.problem).best(0, 800).value
    loss = board.values["loss.ons"].value
    assert board.values["static_regret.ons"].value == pytest.approx(loss - whole, abs=1e-9)


def test_edits_before_a_run_are_what_is_played(tmp_path: Path) -> None:
    context = Context(3, tmp_path / "scratch", tmp_path / "cache")
    stream = METHOD.sets[0].load().value
    parameters = METHOD.settings("quick", {"rounds": 400, "cells": 8})
    session, board, _ = drive(load(METHOD.preview)(parameters, stream, context))
    assert "stream" in board.views()
    drive(actions.move_switch(session, arguments.Line(name="change 1", value=50), context))
    drive(actions.edit_burst(session, arguments.Burst(low=300, high=320, size=0.7), context))
    context.prepared = session
    played, _, _ = drive(load(METHOD.run)(parameters, stream, context))
    assert played.instance.synthetic.switches == (50, 200, 300)
    assert len(played.instance.synthetic.bursts) == 1
    assert (played.problem.targets == session.problem.targets).all()


def test_switches_of_the_views(finished) -> None:
    session, board, _, context = finished
    drive(actions.choose_map(session, arguments.Choose(value="OGD"), context), board)
    assert board.state("map").caption.startswith("OGD")
    drive(actions.choose_life(session, arguments.Choose(value="PSACS"), context), board)
    assert board.state("lifelines").caption.startswith("PSACS")
    drive(actions.choose_against(session, arguments.Choose(value="Fixed point"), context), board)
    curve = {series.name: series for series in board.state("regret").series}["OGD"]
    assert curve.y[-1] == pytest.approx(board.values["static_regret.ogd"].value, abs=1e-9)


def test_a_portfolio_run_prints_the_known_wealths(tmp_path: Path) -> None:
    session, board, _, context = run(tmp_path, "nyse_o", "portfolio", algorithms=("ucrp", "psacs"), cells=8)
    assert board.values["wealth.ucrp"].value == pytest.approx(27.0752, abs=5e-5)
    assert board.values["wealth.buy_and_hold"].value == pytest.approx(14.4973, abs=5e-5)
    assert board.values["wealth.best_stock"].value == pytest.approx(54.1404, abs=5e-5)
    assert board.values["wealth.best_rebalanced"].value == pytest.approx(250.597, abs=1e-3)
    drive(actions.change_cost(session, arguments.Number(value=20.0), context), board)
    after = {series.name: series.y[-1] for series in board.state("wealth").series}
    assert after["UCRP"] < 27.0


def test_costs_change_what_is_learned(tmp_path: Path) -> None:
    free, board_free, _, _ = run(tmp_path, "djia", "portfolio", algorithms=("sogd", "eg"), cells=8)
    paid, board, _, _ = run(tmp_path, "djia", "portfolio", algorithms=("sogd", "eg"), cells=8, cost=0.005)
    assert board.values["loss.sogd"].value > board_free.values["loss.sogd"].value
    points, before = paid.learners["sogd"].record.points, free.learners["sogd"].record.points
    assert np.abs(np.diff(points, axis=0)).sum() != np.abs(np.diff(before, axis=0)).sum()


def test_repeats_give_means_with_their_spread(tmp_path: Path) -> None:
    _, board, _, _ = run(tmp_path, rounds=200, repeats=3, cells=8, algorithms=("flhs", "ogd"))
    value = board.values["static_regret.flhs"]
    assert value.repeats == 3
    assert value.spread > 0
    assert board.tables["adaptivity"]["streams"][0] == 3


def test_the_noise_sweep_shows_the_small_loss_effect(tmp_path: Path) -> None:
    _session, board, _, _ = run(
        tmp_path, rounds=3000, stages=1, sweep=True, cells=8, algorithms=("sogd", "psacs", "ogd")
    )
    ratio = {n: board.values[f"small_loss_ratio.{n}"].value for n in ("sogd", "psacs", "ogd")}
    assert ratio["sogd"] >= 8
    assert ratio["psacs"] >= 8
    assert ratio["ogd"] <= 4
    assert len(board.state("noise").series[0].x) == 5


def test_the_cover_map_and_other_losses_run(tmp_path: Path) -> None:
    for loss in ("logistic", "hinge", "absolute"):
        session, board, _, _ = run(tmp_path, rounds=150, loss=loss, intervals="cover", cells=16)
        values = board.state("map").values
        assert np.isfinite(values).any()
        assert session.problem.loss == loss
