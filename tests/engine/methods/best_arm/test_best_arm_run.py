"""The run and its actions, driven without the engine thread and through it."""

from __future__ import annotations

import json
from math import exp, log

import numpy as np
import pytest

from engine.core.context import Context
from engine.core.events import Artifact, Message, Progress, Rows, Show, Value
from engine.core.method import load
from engine.core.scripting import repeat
from engine.methods.best_arm.declaration import METHOD
from engine.methods.best_arm.exact_counts import log_error_uniform
from engine.methods.best_arm.sets import SETS

SMALL = {
    "algorithms": ("uniform", "static", "tracking", "cr_c", "two_stage", "own"),
    "budgets": "20, 40",
    "runs": 4000,
    "map_budget": 20,
    "map_grid": 11,
}


def value_of(name):
    return next(each for each in SETS if each.name == name).load().value


@pytest.fixture
def context(tmp_path):
    (tmp_path / "scratch").mkdir()
    return Context(seed=3, scratch=tmp_path / "scratch", cache=tmp_path)


def drive(generator):
    events = []
    while True:
        try:
            events.append(next(generator))
        except StopIteration as end:
            return events, end.value


def run(context, data="pair", **values):
    parameters = METHOD.parameters.build({**SMALL, **values})
    return drive(load(METHOD.run)(parameters, value_of(data), context))


def act(session, context, deed, **arguments):
    action = METHOD.action(deed)
    return drive(load(action.apply)(session, action.arguments.build(arguments), context))


def test_a_run_gives_every_declared_result(context):
    events, session = run(context)
    values = {e.name: e for e in events if isinstance(e, Value)}
    for name in SMALL["algorithms"]:
        for budget in (20, 40):
            assert f"error.pair.{name}.t{budget}" in values
    assert values["error.pair.uniform.t40"].value == pytest.approx(exp(log_error_uniform((0.5, 0.4), 40)))
    assert values["rate.pair.uniform"].value == pytest.approx(0.005076711716, abs=1e-12)
    assert values["budget.pair"].value == 268
    assert all(METHOD.scalar(name) for name in values)
    declared = {table.name: set(table.columns) for table in METHOD.tables}
    rows = [e for e in events if isinstance(e, Rows)]
    assert {e.table for e in rows} == set(declared)
    for each in rows:
        assert set(each.columns) == declared[each.table]
        assert len({len(column) for column in each.columns.values()}) == 1
    assert {e.view for e in events if isinstance(e, Show)} == {view.name for view in METHOD.views}
    assert any(isinstance(e, Artifact) for e in events)
    fractions = [e.fraction for e in events if isinstance(e, Progress)]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert all(p.log_exact is not None for p in session.points.values())


def test_exact_and_simulated_values_agree(context):
    _, session = run(context, runs=20_000, min_errors=0)
    for point in session.points.values():
        if point.runs:
            exact = exp(point.log_exact)
            spread = (exact * (1 - exact) / point.runs) ** 0.5
            assert abs(point.errors / point.runs - exact) < 4.5 * spread, point


def test_the_map_shows_both_colours_for_a_skewed_share(context):
    events, session = run(context, algorithms=("static",), map_budget=60)
    values = {e.name: e.value for e in events if isinstance(e, Value)}
    assert values["map_better.static"] > 0.02
    assert values["map_worse.static"] > 0.5
    static = session.maps["static"].values[-1]
    assert np.isnan(np.diagonal(static)).all()


def test_the_disagreement_of_rate_and_finite_budget_is_said(context):
    events, session = run(context, data="three_arms", algorithms=("uniform", "sr"), budgets="120", map=False)
    texts = [e.text for e in events if isinstance(e, Message)]
    assert any("three_arms-2" in text and "larger rate" in text for text in texts)
    points = {(p.instance, p.algorithm): p.log_value for p in session.points.values()}
    assert points[0, "sr"] < points[0, "uniform"]
    assert points[2, "sr"] > points[2, "uniform"] + log(4)


def test_rare_errors_are_estimated(context):
    _, session = run(
        context, means="0.5, 0.01, 0.01", algorithms=("uniform", "cr_a"), budgets="120", map=False
    )
    point = session.points[0, "cr_a", 120]
    assert point.source == "importance sampling"
    assert 1e-10 < exp(point.log_value) < 1e-8


def test_replay_of_a_log_ends_with_a_notice(context):
    events, session = run(context, data="open_bandit_men", algorithms=("uniform",), budgets="9000", runs=1000)
    assert session.traces[0, "uniform"].exhausted is not None
    captions = [e.state.caption for e in events if isinstance(e, Show) and e.view == "trace"]
    assert "used up" in captions[-1]


def test_same_seed_same_results(tmp_path):
    settings = {"parameters": {**SMALL, "algorithms": ("uniform", "ucbe", "thompson"), "exact": False}}
    first = repeat("best_arm", data="pair", seed=5, threads=2, **settings)
    second = repeat("best_arm", data="pair", seed=5, threads=2, **settings)
    other = repeat("best_arm", data="pair", seed=6, threads=2, **settings)
    assert first == second
    assert first["error.pair.ucbe.t40"] != other["error.pair.ucbe.t40"]


def test_preview_draws_the_instance_and_the_plan(context):
    parameters = METHOD.settings("quick")
    events, session = drive(load(METHOD.preview)(parameters, value_of("pair"), context))
    shown = {e.view: e.state for e in events}
    assert shown["means"].series[0].values == pytest.approx([0.5, 0.4])
    assert "268 draws" in shown["answers"].columns[1].values[0]
    assert [s.name for s in shown["error"].series] == ["Uniform"]
    assert session.arms.name == "pair"


def test_moving_a_mean_answers_and_undoes(context):
    parameters = METHOD.settings("quick")
    _, session = drive(load(METHOD.preview)(parameters, value_of("pair"), context))
    events, inverse = act(session, context, "move_mean", id=1, value=0.3)
    answers = next(e.state for e in events if e.view == "answers")
    assert "268 draws" not in answers.columns[1].values[0]
    assert inverse == {"id": 1, "value": 0.4}
    events, _ = act(session, context, "move_mean", **inverse)
    answers = next(e.state for e in events if e.view == "answers")
    assert answers.columns[1].values[0] == "268 draws"
    context.prepared = session
    act(session, context, "move_mean", id=1, value=0.3)
    events, ran = drive(load(METHOD.run)(METHOD.parameters.build(SMALL), value_of("pair"), context))
    assert ran.arms.means == pytest.approx([0.5, 0.3])


def test_planning_by_dragging(context):
    _, session = drive(load(METHOD.preview)(METHOD.settings("quick"), value_of("pair"), context))
    events, inverse = act(session, context, "move_plan", name="allowed error", value=0.0220047687)
    answers = next(e.state for e in events if e.view == "answers")
    assert answers.columns[1].values[0] == "400 draws"
    assert inverse == {"name": "allowed error", "value": 0.05}
    events, _ = act(session, context, "move_plan", name="your budget", value=1000)
    answers = next(e.state for e in events if e.view == "answers")
    assert answers.columns[1].values[1] == "0.000722"


def test_an_edited_policy_changes_its_map(context):
    _, session = drive(load(METHOD.preview)(METHOD.settings("quick"), value_of("pair"), context))
    for column in range(7):
        for row in range(2):
            events, _ = act(session, context, "edit_policy", row=row, column=column, value=0.5)
    coin = next(e.state for e in events if e.view == "map").values
    assert (coin[np.isfinite(coin)] > 0).mean() > 0.8  # a coin at every draw is worse than equal counts
    events, inverse = act(session, context, "edit_policy", row=0, column=0, value=1.0)
    assert inverse["value"] == 0.5
    changed = next(e.state for e in events if e.view == "map").values
    assert not np.allclose(coin, changed, equal_nan=True)


def test_looking_elsewhere(context):
    _, session = run(context, data="two_arms", algorithms=("static", "tracking", "cr_c"))
    labels = session.labels()
    events, _ = act(session, context, "choose_instance", value=labels[1])
    assert session.arms.means == pytest.approx([0.5, 0.01])
    assert {"error", "rates", "region"} <= {e.view for e in events}
    act(session, context, "choose_algorithm", value="CR-C")
    assert session.algorithm == "cr_c"
    events, _ = act(session, context, "another_run")
    assert "CR-C" in events[0].state.caption
    act(session, context, "choose_map", value="Plug-in tracking")
    events, _ = act(session, context, "move_map_budget", value=10)
    assert "Plug-in tracking, T = 10:" in events[0].state.caption
    grid = session.grid
    act(session, context, "open_pair", row=2, column=7)
    assert sorted(session.arms.means) == pytest.approx(sorted((grid[7], grid[2])))
    events, _ = act(session, context, "move_region", value=0.8)
    assert "0.80" in events[0].state.caption


def test_edits_while_a_run_goes_on_leave_its_results_alone(tmp_path):
    parameters = METHOD.parameters.build({**SMALL, "algorithms": ("uniform", "cr_c", "own")})

    def results(edit):
        (tmp_path / str(edit)).mkdir()
        context = Context(seed=3, scratch=tmp_path / str(edit), cache=tmp_path)
        steps, values = load(METHOD.run)(parameters, value_of("two_arms"), context), {}
        for place, event in enumerate(steps):
            if isinstance(event, Value):
                values[event.name] = event.value
            if edit and place in (40, 90, 200):
                act(context.state, context, "move_mean", id=0, value=0.7)
                act(context.state, context, "edit_policy", row=1, column=1, value=0.9)
                act(context.state, context, "open_pair", row=1, column=2)
        return values, context.state

    plain, _ = results(False)
    edited, session = results(True)
    assert edited == plain
    assert len(session.instances) > session.compared == 3
    assert "edited" in session.maps


def test_degenerate_instances_run(context):
    for means in ("1, 0", "1, 0.5", "0.5, 0", "0.5, 0.5", "0.5, 0.5, 0.1", "0, 0"):
        names = ("uniform", "static", "sr", "sh_fresh", "ucbe", "cr_a", "ttts")
        events, session = run(context, means=means, algorithms=names, budgets="30", map=False, runs=1000)
        assert isinstance(events[-1], Progress), means
        assert all(p.runs for p in session.points.values())


def test_a_record_is_written(tmp_path):
    repeat("best_arm", data="pair", out=tmp_path / "out", parameters=SMALL)
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert record["status"] == "finished"
    assert (tmp_path / "out" / "tables" / "errors.csv").is_file()
