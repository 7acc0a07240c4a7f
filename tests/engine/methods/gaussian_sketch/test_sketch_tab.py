"""The tab: preparing problems, checks, a run, steering while it goes on, before it and after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.board import Board
from engine.core.context import Context
from engine.core.events import Append, Artifact, Message, Rows, Show, Value
from engine.core.method import load
from engine.core.parameters import MethodParameters
from engine.methods.gaussian_sketch import smoothness
from engine.methods.gaussian_sketch.check import check, estimate
from engine.methods.gaussian_sketch.data import Samples
from engine.methods.gaussian_sketch.declaration import METHOD
from engine.methods.gaussian_sketch.parameters import Parameters
from engine.methods.gaussian_sketch.preparing import ground, scaled, turned
from engine.methods.gaussian_sketch.preview import preview
from engine.methods.gaussian_sketch.run import run
from engine.methods.gaussian_sketch.session import Session

SMALL = {"epochs": 30, "seeds": 2, "methods": ("gsgd", "rcd_importance", "sega_uniform"), "sweep": False}


def data(classes: int = 2, n: int = 40, d: int = 6) -> Samples:
    rng = np.random.default_rng(0)
    labels = np.array([f"c{k % classes}" for k in range(n)], dtype=object)
    matrix = rng.standard_normal((n, d)) + (labels == "c1")[:, None] * np.arange(d)
    return Samples(name="toy", matrix=matrix, classes=labels, features=tuple("abcdefgh"[:d]))


def all_zero() -> Samples:
    target = np.array([0.0, 1, 0, 1])
    return Samples(name="zero", matrix=np.zeros((4, 2)), target=target, features=("a", "b"))


def context(folder: Path, prepared: Any = None) -> Context:
    folder.mkdir(parents=True, exist_ok=True)
    return Context(3, folder, folder, prepared=prepared)


def act(deed: str, session: Session, where: Context, **arguments: Any) -> tuple[list[Any], Any]:
    action = METHOD.action(deed)
    built: MethodParameters = action.arguments.build(arguments)
    outcome, events = load(action.apply)(session, built, where), []
    while True:
        try:
            events.append(next(outcome))
        except StopIteration as done:
            return events, done.value


def whole(parameters: Parameters, samples: Samples, where: Context) -> list[Any]:
    return list(run(parameters, samples, where))


def board_of(events: list[Any]) -> Board:
    return Board.of(e for e in events if isinstance(e, (Show, Append, Value, Rows)))


# ---------------------------------------------------------------------------------- preparing


def test_columns_are_standardised_and_constant_ones_are_zero() -> None:
    matrix = np.column_stack([np.arange(5.0), np.full(5, 0.1), [0, 0, 0, 0, 1.0]])
    out = scaled(matrix, "standardise")
    assert np.allclose(out.mean(axis=0), 0)
    assert np.allclose(out.std(axis=0), [1, 0, 1])
    assert np.allclose(np.linalg.norm(scaled(matrix, "rows"), axis=1), 1)


def test_an_intercept_is_neither_regularised_nor_penalised() -> None:
    base = ground(Parameters(intercept=True, strength=0.3), data(), 0)
    o = base.objective
    assert o.ridge[-1] == 0
    assert o.weights[-1] == 0
    x = np.zeros(7)
    x[-1] = 5.0
    assert o.penalty.value(x, o.weights) == 0
    assert o.in_data_units(x)[-1] == 5.0
    assert not base.can_rotate


def test_rotation_keeps_trace_and_spectrum_and_changes_the_diagonal() -> None:
    base = ground(Parameters(), data(), 0)
    here, there = smoothness(base.objective), smoothness(turned(base, 0.7))
    assert there.trace == pytest.approx(here.trace, rel=1e-12)
    assert np.allclose(there.eigenvalues, here.eigenvalues)
    assert np.abs(there.diagonal - here.diagonal).max() > 1e-3


def test_labels_become_signs_and_a_class_can_stand_against_the_rest() -> None:
    base = ground(Parameters(), data(), 0)
    assert base.objective.target.tolist() == [-1.0, 1.0] * 20
    three = ground(Parameters(positive="c2"), data(3), 0)
    assert three.objective.target.sum() == pytest.approx(13 - 27)


# ---------------------------------------------------------------------------------- checks


def problems(samples: Samples | None = None, **values: Any) -> dict[str, str]:
    found = check(Parameters.build(values), samples or data())
    return {problem.field: problem.severity for problem in found}


def test_what_depends_on_the_data_is_told() -> None:
    assert problems() == {}
    assert problems(data(3))["positive"] == "error"
    assert problems(positive="nobody")["positive"] == "error"
    assert problems(regulariser="tv")["methods"] == "warning"
    assert problems(regulariser="tv", methods=("rcd_uniform",))["methods"] == "error"
    assert problems(methods=("acd",))["methods"] == "error"
    assert problems(sketch="orthogonal", size=7)["size"] == "error"
    assert problems(size=100)["size"] == "warning"
    assert problems(regulariser="nuclear", group_size=4)["group_size"] == "error"
    assert problems(regulariser="box", low=2.0, high=1.0)["low"] == "error"
    assert problems(regulariser="simplex", strength=0.0)["strength"] == "error"
    assert problems(regulariser="tv", preconditioner="diagonal")["preconditioner"] == "error"
    assert problems(preconditioner="typed", diagonal="1,2")["diagonal"] == "error"
    assert problems(intercept=True, rotation=0.5)["rotation"] == "error"
    assert problems(mu=0.0)["mu"] == "warning"
    empty = Samples(
        name="zero", matrix=np.zeros((4, 2)), target=np.array([0.0, 1, 0, 1]), features=("a", "b")
    )
    assert problems(empty, mu=0.0)["mu"] == "error"
    assert problems(empty)["mu"] == "warning"
    assert estimate(Parameters(), data()).seconds < 60


def test_one_sample_and_all_zero_data_run(tmp_path: Path) -> None:
    one = Samples(name="one", matrix=np.array([[1.0, 2.0]]), target=np.array([3.0]), features=("a", "b"))
    for k, samples in enumerate((one, all_zero())):
        settings = {**SMALL, "scaling": "none", "objective": "square"}
        events = whole(Parameters.build(settings), samples, context(tmp_path / str(k)))
        gaps = [v for name, v in board_of(events).results().items() if name.startswith("gap.")]
        assert len(gaps) == 3
        assert np.isfinite(gaps).all()


# ---------------------------------------------------------------------------------- runs


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"regulariser": "tv", "methods": ("gsgd", "sega_uniform", "rcd_uniform", "fista")},
        {"regulariser": "simplex", "strength": 1.0},
        {"regulariser": "group", "rotation": 0.5},
        {"regulariser": "nuclear", "group_size": 2},
        {"regulariser": "none", "methods": ("gsgd_plain", "acd", "minibatch", "gd")},
        {"preconditioner": "diagonal", "intercept": True, "regulariser": "elastic"},
        {"oracle": "central", "size": 2, "sketch": "rademacher"},
        {"objective": "huber", "rule": "armijo", "c": 1.0},
        {"h_start": "exact", "sketch": "srht", "size": 3, "rule": "provable"},
    ],
)
def test_every_kind_of_problem_runs_and_falls(tmp_path: Path, values: dict[str, Any]) -> None:
    parameters = Parameters.build({**SMALL, **values})
    events = whole(parameters, data(), context(tmp_path))
    board = board_of(events)
    results = board.results()
    gaps = {name: v for name, v in results.items() if name.startswith("gap.toy.")}
    assert gaps
    assert all(0 <= v < 1 for v in gaps.values())
    for name in results:
        assert METHOD.scalar(name) is not None
    assert set(board.tables) >= {"curves", "summary", "coefficients"}
    assert any(isinstance(e, Artifact) for e in events)


def test_two_problems_run_side_by_side(tmp_path: Path) -> None:
    where = context(tmp_path)
    events = whole(Parameters.build({**SMALL, "companion": "spike", "sweep": True}), data(), where)
    results = board_of(events).results()
    assert {"trace.toy", "trace.companion_spike"} <= set(results)
    assert results["trace.companion_spike"] == pytest.approx(2.99)
    assert results["rotation_change.toy.gsgd"] < 2
    session = where.state
    shown, _ = act("choose_problem", session, where, value=session.titles()[1])
    assert {e.view for e in shown if isinstance(e, Show)} >= {"gap", "ranking", "coefficients"}
    assert session.study.base.key == "companion_spike"


def test_steering_while_a_run_goes_on(tmp_path: Path) -> None:
    where = context(tmp_path)
    going = run(Parameters.build({**SMALL, "epochs": 3000, "tolerance": 0.0}), data(), where)
    session = None
    while not session or not session.study.measured or session.study.measured["gsgd"].solver.steps < 100:
        next(going)
        session = where.state
    solver = session.study.measured["gsgd"].solver
    count = solver.derivatives
    _, undo = act("set_size", session, where, value=4)
    assert undo == {"value": 1}
    assert (solver.size, solver.derivatives) == (4, count)
    eta = solver.eta[0]
    act("set_c", session, where, value=2 * session.c)
    assert solver.eta[0] == pytest.approx(2 * eta)
    trace = session.study.constants.trace
    _, undo = act("rotate", session, where, value=0.6)
    assert undo == {"value": 0.0}
    next(going)
    while not session.study.measured:
        next(going)
    assert session.study.measured["gsgd"].solver is not solver
    assert session.study.measured["gsgd"].solver.size == 4
    assert session.study.constants.trace == pytest.approx(trace)
    act("set_regulariser", session, where, value="Total variation")
    for _ in range(200):
        next(going)
        if session.study.measured:
            break
    assert set(session.study.measured) == {"gsgd", "sega_uniform"}
    assert "rcd_importance" in session.study.reasons
    going.close()


def test_what_is_steered_before_a_run_is_taken_over(tmp_path: Path) -> None:
    where = context(tmp_path / "a")
    steps = preview(Parameters.build(SMALL), data(), where)
    views = []
    while True:
        try:
            views.append(next(steps).view)
        except StopIteration as done:
            session = done.value
            break
    assert {"spectrum", "ranking", "rotation", "steering", "gap"} <= set(views)
    act("rotate", session, where, value=0.4)
    act("set_size", session, where, value=3)
    act("set_strength", session, where, value=0.2)
    after = context(tmp_path / "b", prepared=session)
    whole(Parameters.build(SMALL), data(), after)
    study = after.state.study
    assert study.rotation == study.measured_rotation == 0.4
    assert study.objective.penalty.strength == 0.2
    assert study.measured["gsgd"].solver.size == 3


def test_after_a_run_a_change_shows_its_prediction_and_keeps_the_curves(tmp_path: Path) -> None:
    where = context(tmp_path)
    whole(Parameters.build(SMALL), data(), where)
    session = where.state
    kept = session.study.measured["gsgd"]
    events, undo = act("drag_rotation", session, where, name="now", value=0.9)
    assert undo == {"name": "now", "value": 0.0}
    assert session.study.measured["gsgd"] is kept
    assert any(isinstance(e, Message) for e in events)
    act("drag_rotation", session, where, **undo)
    assert session.study.rotation == 0.0
    act("choose_axis", session, where, value="Seconds")
    shown, _ = act("pick_bar", session, where, id=2)
    assert [e.view for e in shown] == ["path"]
    shown, _ = act("pick_row", session, where, row=1, column=0)
    assert shown[0].state.levels[0].name == "optimum"


def test_the_optimum_is_where_every_picture_says(tmp_path: Path) -> None:
    where = context(tmp_path)
    board = board_of(whole(Parameters.build({**SMALL, "epochs": 600}), data(), where))
    study = where.state.study
    model = board.state("model")
    assert np.allclose(model.series[0].values, model.ticks, atol=1e-3)
    table = board.tables["coefficients"]
    optimum = [c for m, c in zip(table["method"], table["coefficient"], strict=True) if m == "optimum"]
    assert np.allclose(optimum, study.best.x)
    plane = board.state("plane")
    assert np.allclose(plane.stars, 0)
    lowest = study.plane.values.min()
    assert lowest >= study.best.value - 1e-12
