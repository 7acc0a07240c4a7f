"""The tab without a screen: runs, results, steering, undo, refusals."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from engine.core.context import Context
from engine.core.data.datasets import resolve
from engine.core.errors import FieldError, RunError
from engine.core.events import Append, Artifact, Message, Progress, Rows, Show, Value
from engine.core.method import load
from engine.core.records.library import Library
from engine.core.registry import method
from engine.core.running.engine import Engine
from engine.core.running.job import RunRequest
from engine.core.running.status import Status
from engine.methods.benchmark_choice import cardinal
from engine.methods.benchmark_choice.board_views import overtake, shortened
from engine.methods.benchmark_choice.boards import Board, leaderboard

METHOD = method("benchmark_choice")
FAST = {"companions": "none", "draws": 20, "restarts": 5, "prove": False, "sweep": False}


def context(tmp_path, seed=0):
    return Context(seed=seed, scratch=tmp_path / "scratch", cache=tmp_path / "cache")


def go(board, tmp_path, *, seed=0, **values):
    """Run to the end; returns (events, context)."""
    here = context(tmp_path, seed)
    parameters = METHOD.settings(None, {**FAST, **values})
    return list(load(METHOD.run)(parameters, board, here)), here


def values_of(events):
    return {event.name: event.value for event in events if isinstance(event, Value)}


def act(here, name, **arguments):
    """Carry out an action; returns (events, what undoes it)."""
    action = METHOD.action(name)
    outcome = load(action.apply)(here.state, action.arguments.build(arguments), here)
    events = []
    while True:
        try:
            events.append(next(outcome))
        except StopIteration as done:
            return events, done.value


def test_only_declared_views_results_and_tables_are_used(tmp_path):
    for name in ("vtab", "heim_quality_auto"):
        events, _ = go(leaderboard(name), tmp_path, companions="quick", sweep=True)
        for event in events:
            if isinstance(event, (Show, Append)):
                METHOD.view(event.view)
            elif isinstance(event, Rows):
                declared = METHOD.table(event.table).columns
                assert set(event.columns) <= set(declared)
            elif isinstance(event, Value):
                assert METHOD.scalar(event.name) is not None
        shown = {event.view for event in events if isinstance(event, Show)}
        missing = {"subsets"} if name == "heim_quality_auto" else set()
        assert shown == {view.name for view in METHOD.views} - missing


def test_quick_run_gives_the_published_and_the_best_numbers(tmp_path):
    events, here = go(leaderboard("vtab"), tmp_path, companions="quick", restarts=40, prove=True)
    found = values_of(events)
    assert found["one_minus_w.vtab"] == pytest.approx(0.1897471, abs=5e-8)
    assert found["published_tau.vtab"] == pytest.approx(0.0666667, abs=5e-8)
    assert found["found_tau.vtab"] == pytest.approx(25 / 120)
    assert found["found_mrc.vtab"] == pytest.approx(0.6)
    assert (found["tau_optimal.vtab"], found["mrc_optimal.vtab"]) == ("yes", "yes")
    assert found["published_mrc.superglue"] == pytest.approx(0.2962963, abs=5e-8)
    fractions = [e.fraction for e in events if isinstance(e, Progress)]
    assert all(0 <= f <= 1 for f in fractions)
    assert fractions[-1] == 1.0
    weights = next(e for e in events if isinstance(e, Rows) and e.table == "weights")
    problem = here.state.main.problem
    assert cardinal.rank_change(problem, np.array(weights.columns["alpha"]))[0] == found["found_tau.vtab"]


def test_ordinal_run_proves_its_optimum(tmp_path):
    found = values_of(go(leaderboard("helm_accuracy"), tmp_path, prove=True)[0])
    assert found["published_tau.helm_accuracy"] == pytest.approx(25 / 78)
    assert found["found_tau.helm_accuracy"] == pytest.approx(26 / 78)
    assert found["tau_optimal.helm_accuracy"] == "yes"


def test_same_seed_same_numbers(tmp_path):
    board = leaderboard("superglue")
    runs = [go(board, tmp_path, companions="quick", sweep=True, seed=3)[0] for _ in range(2)]
    assert values_of(runs[0]) == values_of(runs[1])
    nulls = [next(e for e in run if isinstance(e, Show) and e.view == "null") for run in runs]
    assert np.array_equal(nulls[0].state.series[0].values, nulls[1].state.series[0].values)


def test_solver_choice(tmp_path):
    published = values_of(go(leaderboard("vtab"), tmp_path, solver="published")[0])
    assert published["found_tau.vtab"] == published["published_tau.vtab"]
    searched = values_of(go(leaderboard("vtab"), tmp_path, solver="vertex")[0])
    assert "published_tau.vtab" not in searched
    assert searched["found_tau.vtab"] > 0.19


def test_reference_boards_carry_their_spread(tmp_path):
    events, _ = go(
        leaderboard("helm_capability"), tmp_path, companions="cardinal", reference_seeds=2, restarts=1
    )
    random = next(e for e in events if isinstance(e, Value) and e.name == "published_tau.random")
    assert random.repeats == 2
    assert random.spread > 0
    found = values_of(events)
    assert found["published_tau.constant"] == found["found_mrc.constant"] == 0.0
    assert found["correlation_tau"] > 0.9


def test_sliders_move_ranks_and_are_undone(tmp_path):
    _, here = go(leaderboard("openllm"), tmp_path)
    act(here, "move", to="original")
    analysis = here.state.current
    assert analysis.change_now() == (0.0, 0.0)
    events, undo = act(here, "move", task_0=0.0, task_2=0.5)
    assert analysis.alpha.tolist() == [0, 1, 0.5, 1, 1, 1]
    expected = cardinal.rank_change(analysis.problem, analysis.alpha)
    assert analysis.change_now() == expected
    assert {e.view for e in events if isinstance(e, Show)} == {"weights", "slope", "ranks"}
    act(here, "move", **undo)
    assert analysis.alpha.tolist() == [1] * 6
    act(here, "move", to="worst MRC")
    assert analysis.change_now()[1] == pytest.approx(0.989898989)


def test_equal_tasks_share_a_slider(tmp_path):
    _, here = go(leaderboard("mteb"), tmp_path)
    act(here, "move", to="original")
    act(here, "move", task_0=0.25)
    alpha = here.state.current.alpha
    assert (alpha == 0.25).sum() == 56


def test_no_weight_at_all_is_refused(tmp_path):
    _, here = go(leaderboard("openllm"), tmp_path)
    with pytest.raises(FieldError):
        act(here, "move", **{f"task_{k}": 0.0 for k in range(6)})


def test_models_join_and_leave(tmp_path):
    _, here = go(leaderboard("helm_accuracy"), tmp_path)
    act(here, "move", to="original")
    analysis = here.state.current
    _, undo = act(here, "move", model_0=True, model_3=True)
    assert np.flatnonzero(analysis.present).tolist() == [0, 3]
    act(here, "move", **undo)
    assert not analysis.present.any()


def test_a_click_on_a_pair_shows_its_witness(tmp_path):
    for name in ("superglue", "helm_accuracy"):
        _, here = go(leaderboard(name), tmp_path)
        analysis = here.state.current
        can = analysis.certificate.can_overtake
        row, column = (int(i) for i in np.argwhere(can)[0])
        before = analysis.change()
        events, undo = act(here, "show_witness", row=row, column=column)
        now = analysis.ranks_now()
        assert now[row] < now[column]
        assert any("lies above" in e.text for e in events if isinstance(e, Message))
        act(here, "show_witness", **undo)
        assert np.array_equal(analysis.change(), before)
        lead = analysis.certificate.can_lead
        row, column = (int(i) for i in np.argwhere(~lead & ~np.eye(len(lead), dtype=bool))[0])
        events, undo = act(here, "show_witness", row=row, column=column)
        assert undo is None
        assert "certified" in events[0].text


def test_an_edited_score_changes_the_certificates_and_is_undone(tmp_path):
    for name in ("superglue", "helm_accuracy"):
        _, here = go(leaderboard(name), tmp_path)
        board = here.state.current.board
        before = here.state.current.certificate.reach.copy()
        events, undo = act(here, "edit_score", id=5, column=board.tasks[2], value=0.999)
        assert here.state.current.board.scores[5, 2] == 0.999
        assert not np.array_equal(here.state.current.certificate.reach, before)
        assert "scores" in {e.view for e in events if isinstance(e, Show)}
        act(here, "edit_score", **undo)
        assert np.allclose(here.state.current.certificate.reach, before)


def test_edits_before_the_run_are_part_of_it(tmp_path):
    board = leaderboard("vtab")
    here = context(tmp_path)
    parameters = METHOD.settings(None, FAST)
    preview = load(METHOD.preview)(parameters, board, here)
    shown = set()
    while True:
        try:
            shown.add(next(preview).view)
        except StopIteration as done:
            here.keep(done.value)
            break
    assert {"overtake", "weights", "ranks", "scores", "tradeoff"} <= shown
    act(here, "edit_score", id=15, column="DTD", value=500.0)
    here.prepared, here.state = here.state, None
    list(load(METHOD.run)(parameters, board, here))
    model = board.models.index(leaderboard("vtab").models[15])
    assert 500.0 in here.state.main.board.scores
    assert board.scores[model].max() < 500


def test_a_score_that_breaks_the_table_is_refused(tmp_path):
    _, here = go(leaderboard("vtab"), tmp_path)
    with pytest.raises(RunError, match="needs a full table"):
        act(here, "edit_score", id=0, column="DTD", value=None)


def test_other_boards_open_and_the_metric_changes(tmp_path):
    _, here = go(leaderboard("vtab"), tmp_path, companions="quick", sweep=True)
    events, _ = act(here, "open_board", id=1)
    assert here.state.current.board.name == "superglue"
    assert "ranks" in {e.view for e in events if isinstance(e, Show)}
    events, _ = act(here, "choose_metric", metric="MRC")
    scatter = next(e.state for e in events if e.view == "tradeoff")
    assert scatter.y.max() == pytest.approx(0.6)
    assert {e.view for e in events} == {"tradeoff", "sweep", "null"}
    with pytest.raises(FieldError):
        act(here, "open_board", id=7)


def test_export_writes_the_change_and_the_table(tmp_path):
    _, here = go(leaderboard("vtab"), tmp_path)
    act(here, "move", to="worst τ-distance")
    events, _ = act(here, "export_change")
    paths = {e.name: e.path for e in events if isinstance(e, Artifact)}
    facts = json.loads(paths["change.json"].read_text(encoding="utf-8"))
    alpha = np.array([facts["alpha"][task] for task in here.state.main.tasks])
    assert cardinal.rank_change(here.state.main.problem, alpha) == (facts["tau_distance"], facts["mrc"])
    lines = paths["changed_table.csv"].read_text(encoding="utf-8").splitlines()
    assert len(lines) == 17


def test_check_names_field_and_way_out():
    check = load(METHOD.check)
    helm = leaderboard("helm_accuracy")

    def fields(board, **values):
        return [(p.field, p.severity, p.suggestion) for p in check(METHOD.settings(None, values), board)]

    assert fields(helm) == []
    assert fields(helm, kind="cardinal") == [("gaps", "error", "impute")]
    assert fields(helm, kind="cardinal", gaps="impute") == []
    assert fields(leaderboard("vtab"), fixed_tasks="DTD; nothing") == [("fixed_tasks", "error", None)]
    small = Board(
        "s", "s", "ordinal", ("a", "b", "c", "d"), ("x", "y"), np.arange(8.0).reshape(4, 2), (False,) * 2
    )
    assert fields(small) == [("relevant_share", "error", 0.5)]
    apart = Board(
        "s", "s", "ordinal", ("a", "b", "c"), ("x", "y"), np.array([[1, np.nan], [np.nan, 2], [1, 1]])
    )
    assert fields(apart, relevant_share=0.9) == [("kind", "warning", None)]
    tied = Board("s", "s", "cardinal", ("a", "b", "c"), ("x", "y"), np.ones((3, 2)))
    assert fields(tied) == [("kind", "error", None)]


def test_gaps_are_closed_as_asked(tmp_path):
    board = leaderboard("helm_accuracy")
    for gaps, shape in (("drop-tasks", (67, None)), ("drop-models", (None, 16)), ("impute", (67, 16))):
        _, here = go(board, tmp_path, kind="cardinal", gaps=gaps)
        scores = here.state.main.board.scores
        assert not np.isnan(scores).any()
        assert shape[0] in (None, scores.shape[0])
        assert shape[1] in (None, scores.shape[1])
    with pytest.raises(RunError, match="missing"):
        go(board, tmp_path, kind="cardinal")


def test_flipped_and_fixed_tasks(tmp_path):
    board = leaderboard("vtab")
    _, here = go(board, tmp_path, flipped_tasks="DTD", fixed_tasks="EuroSAT;SVHN")
    state = here.state.main
    column = board.tasks.index("DTD")
    assert sorted(state.board.scores[:, column]) == sorted(-board.scores[:, column])
    assert (~state.shrinkable).sum() == 2


def test_a_run_closed_while_proving_leaves_no_process(tmp_path):
    here = context(tmp_path)
    parameters = METHOD.settings(None, {**FAST, "prove": True})
    run = load(METHOD.run)(parameters, leaderboard("superglue"), here)
    for event in run:
        if isinstance(event, Progress) and event.phase.startswith("Proving"):
            break
    time.sleep(0.1)
    run.close()
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in left


def _wait(true, seconds=30.0):
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_pause_and_stop_through_the_engine(tmp_path):
    data = resolve("openllm", METHOD.sets, METHOD.data)
    engine = Engine(Library(tmp_path / "runs"), tmp_path / "cache")
    try:
        parameters = METHOD.settings(None, {**FAST, "restarts": 20_000})
        job = engine.submit(RunRequest(method=METHOD, parameters=parameters, data=data))
        _wait(lambda: job.board.state("search") is not None)
        for wish, status in ((engine.pause, Status.PAUSED), (engine.resume, Status.RUNNING)):
            start = time.monotonic()
            wish(job)
            _wait(lambda wanted=status: job.status is wanted)
            assert time.monotonic() - start < 1
        start = time.monotonic()
        engine.stop(job)
        assert job.ended.wait(1)
        assert time.monotonic() - start < 1
        assert job.status is Status.STOPPED
        assert "tau_bound.openllm" in job.board.results()
    finally:
        assert engine.close(timeout=10)


def test_shown_names_are_short_and_differ():
    for name in ("openllm", "mmlu", "helm_lite", "imagenet"):
        models = leaderboard(name).models
        shown = shortened(models)
        assert len(set(shown)) == len(models)
        assert max(map(len, shown)) <= 30


def test_overtaking_says_always_possibly_never(tmp_path):
    _, here = go(leaderboard("vtab"), tmp_path)
    analysis = here.state.current
    state = overtake(analysis, None)
    reach, off = analysis.certificate.reach, ~np.eye(16, dtype=bool)
    assert ((state.values == -1) == (reach <= 0))[off].all()
    assert ((state.values == 1) == (reach.T < 0))[off].all()
    assert np.isnan(state.values[~off]).all()


def test_declaration_loads_no_heavy_library():
    code = (
        "import sys; from engine.core.registry import method; method('benchmark_choice');"
        "print(sorted({'numba', 'scipy', 'torch', 'sklearn', 'pandas', 'fastcluster'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
