"""Whole runs of the tab without a window: numbers, brackets, what is streamed and kept."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine.core.board import Board
from engine.core.context import Context
from engine.core.data.values import Distances, LinkageMatrix, number_table
from engine.core.events import Append, Message, Progress, Rows, Show, Value
from engine.core.scripting import prepare, repeat
from engine.methods.linkage.declaration import METHOD
from engine.methods.linkage.run import run


@pytest.fixture
def context(tmp_path):
    return Context(0, tmp_path / "scratch", tmp_path / "cache", threads=1)


def go(context, preset="quick", data=None, value=None, **parameters):
    """Events and session of a run."""
    if value is None:
        request, _ = prepare("linkage", preset=preset, data=data, parameters=parameters)
        settled, value = request.parameters, request.data.value
    else:
        settled = METHOD.settings(preset, parameters)
    work, events = run(settled, value, context), []
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


def values(events):
    return {e.name: e.value for e in events if isinstance(e, Value)}


def test_iris_has_the_known_heights_and_diameters(context):
    events, session = go(context)
    found = values(events)
    heights = {
        "single": [0.648074, 0.734847, 0.818535, 1.640122],
        "complete": [2.428992, 3.210919, 4.024922, 7.085196],
        "average": [1.380994, 1.785566, 1.963614, 4.062683],
    }
    for name, last in heights.items():
        assert session.trees[name].tree[-4:, 2] == pytest.approx(last, abs=1e-6)
        assert found[f"root_height.{name}"] == pytest.approx(last[-1], abs=1e-6)
    # Complete linkage: the largest diameter at k is the height of merge n−k.
    for k in session.reported:
        assert found[f"largest_diameter.complete.k{k}"] == session.trees["complete"].tree[150 - k - 1, 2]
    assert found["rows"] == 150


def test_brackets_and_ratios_agree_with_the_diameters(context):
    events, session = go(context)
    found = values(events)
    for k in session.reported:
        low, high = found[f"optimum_dm_low.k{k}"], found[f"optimum_dm_high.k{k}"]
        assert 0 < low <= high
        for name in session.trees:
            diam = found[f"largest_diameter.{name}.k{k}"]
            assert diam >= low * (1 - 1e-12)
            assert found[f"ratio_low.{name}.k{k}"] == pytest.approx(max(1.0, diam / high))
            assert found[f"ratio_high.{name}.k{k}"] == pytest.approx(diam / low)
            assert found[f"average_diameter.{name}.k{k}"] >= found[f"optimum_av_low.k{k}"] * (1 - 1e-12)
    ratios = [found[f"ratio_high.complete.k{k}"] for k in session.reported]
    assert min(ratios) <= found["geometric_mean_ratio.complete"] <= max(ratios)
    # OPT_DM(2) is exact for any n.
    assert found["optimum_dm_low.k2"] == found["optimum_dm_high.k2"]


def test_the_chain_has_the_ratio_of_the_construction(context):
    events, session = go(context, "adversarial")
    found = values(events)
    assert found["largest_diameter.single.k7"] == pytest.approx(4.995)
    assert found["largest_diameter.complete.k7"] == pytest.approx(1.0)
    assert found["largest_diameter.average.k7"] == pytest.approx(1.0)
    assert found["optimum_av_low.k7"] == pytest.approx(1 / 7)
    assert found["optimum_dm_high.k7"] == pytest.approx(1.0)
    assert found["ratio_av_low.single.k7"] == pytest.approx(34.965)
    assert found["ratio_av_high.single.k7"] == pytest.approx(34.965)
    assert found["triangle_violations"] == 0
    assert session.k == 7


def test_complete_linkage_wins_the_largest_diameter_on_digits(context):
    events, _ = go(context, "default")
    found = values(events)
    assert found["largest_diameter.complete.k2"] == pytest.approx(74.4983, rel=0.03)
    assert found["largest_diameter.single.k10"] == pytest.approx(77.039, rel=0.03)
    assert found["largest_diameter.complete.k10"] == pytest.approx(64.591, rel=0.03)
    for group, single in (("small", 0.884), ("medium", 0.663), ("large", 0.454)):
        shares = {n: found[f"group_max_diam.{group}.{n}"] for n in ("complete", "average", "single")}
        assert max(shares, key=shares.get) == "complete"
        assert min(shares, key=shares.get) == "single"
        assert shares["single"] == pytest.approx(single, abs=0.03)
    note = next(e.text for e in events if isinstance(e, Message) and "lowest average diameter" in e.text)
    assert "singletons" in note
    assert "single 5.805" in note


def test_progress_rises_and_counts_merges(context):
    events, _ = go(context)
    told = [e for e in events if isinstance(e, Progress)]
    fractions = [e.fraction for e in told]
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.0
    assert fractions[-1] == 1.0
    merged = [e for e in told if e.phase == "Merging, single linkage"]
    assert merged[-1].done == merged[-1].total == 149
    assert merged[-1].counted == "linkage 4 of 4 · merge"


def test_everything_yielded_is_declared_and_stored(context):
    events, _ = go(context)
    for event in events:
        if isinstance(event, Value):
            assert METHOD.scalar(event.name), event.name
        elif isinstance(event, (Show, Append)):
            assert METHOD.view(event.view)
        elif isinstance(event, Rows):
            assert set(event.columns) == set(METHOD.table(event.table).columns)
            assert len({len(column) for column in event.columns.values()}) == 1
    board = Board.of(events)
    assert board.views() == {view.name for view in METHOD.views}
    rows = board.tables["criteria"]
    assert len(rows["k"]) == 4 * 9
    assert board.tables["optimum"]["exact"].count(True) == values(events)["optima_exact"]


def test_every_linkage_at_once(context):
    every = ("complete", "average", "minimax", "single", "weighted", "ward", "centroid", "median")
    events, session = go(context, linkages=every, baselines=("gonzalez", "random"), k=(2, 6))
    found = values(events)
    assert session.names_of_trees() == every
    assert session.trees["ward"].tree[-4:, 2] == pytest.approx([4.847709, 6.399407, 12.300396, 32.447607])
    for k in (2, 6):
        # Gonzalez stays within twice the optimum.
        assert found[f"largest_diameter.gonzalez.k{k}"] <= 2 * found[f"optimum_dm_high.k{k}"]
        assert found[f"largest_diameter.random.k{k}"] >= found[f"optimum_dm_low.k{k}"]
    board = Board.of(events)
    assert "bound of complete" in board.state("cohesion").caption
    proven = dict(
        zip(board.state("ratios").columns[0].values, board.state("ratios").columns[-1].values, strict=True)
    )
    assert proven["Ward"] == proven["centroid"] == "no guarantee from this paper"
    assert proven["complete"] == "4 · optimum"
    assert proven["single"] == "5 · optimum"
    assert proven["average"].startswith("17.1 · avg-diam")
    assert proven["minimax"].startswith("11.4 · avg-diam")


@pytest.mark.slow
def test_baselines_of_libraries_run_in_child_processes(context):
    names = ("kmeans", "kmedoids", "genie", "sklearn")
    events, session = go(context, linkages=("complete",), baselines=names, optimal_order=True, k=(2, 6))
    found = values(events)
    assert set(session.baselines) == set(names)
    for k in (2, 6):
        # The reference implementation cuts the same tree.
        assert found[f"largest_diameter.sklearn.k{k}"] == pytest.approx(
            found[f"largest_diameter.complete.k{k}"]
        )
        for name in names:
            assert found[f"largest_diameter.{name}.k{k}"] >= found[f"optimum_dm_low.k{k}"] * (1 - 1e-12)
    import scipy.cluster.hierarchy as reference

    tree, points = session.trees["complete"].tree, session.measured.points
    expected = reference.leaves_list(reference.optimal_leaf_ordering(tree, points))
    assert session.trees["complete"].order.tolist() == expected.tolist()


def test_haversine_uses_kilometres_and_a_map(context):
    rng = np.random.default_rng(0)
    places = number_table(
        np.column_stack([rng.uniform(-60, 60, 40), rng.uniform(-170, 170, 40)]),
        ["latitude", "longitude"],
        geographic=True,
    )
    events, session = go(context, value=places, metric="haversine", k=(2, 5))
    board = Board.of(events)
    assert session.measured.unit == "km"
    assert board.state("points").geographic is True
    assert board.state("points").x_axis.title == "longitude"
    assert values(events)["root_height.complete"] < math.pi * 6371.1
    assert board.state("tree").height.unit == "km"


def test_a_matrix_that_is_no_metric_runs_without_bounds(context):
    square = np.array([[0, 5, 1, 4], [5, 0, 1, 4], [1, 1, 0, 4], [4, 4, 4, 0]], float)
    given = Distances(values=square, n=4, names=("a", "b", "c", "d"))
    events, session = go(context, value=given, k=(2, 3))
    found = values(events)
    assert found["triangle_violations"] == 1
    assert session.measured.is_metric is False
    warning = next(e.text for e in events if isinstance(e, Message) and "Not a metric" in e.text)
    assert "a to b is 5, by way of c only 2" in warning
    board = Board.of(events)
    assert not board.state("cohesion").references
    assert "bounds need a metric" in board.state("cohesion").caption
    proven = board.state("ratios").columns[-1].values
    assert proven[0] == "needs a metric"
    assert "classical scaling" in board.state("points").caption


def test_a_finished_hierarchy_is_looked_at_and_cut(context):
    merges = np.array([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 3.0, 4]])
    events, session = go(context, value=LinkageMatrix(merges=merges), k=(2, 4))
    assert session.names_of_trees() == ("given",)
    assert Board.of(events).state("tree").merges.tolist() == merges.tolist()
    assert values(events)["root_height.given"] == 3.0


def test_two_points_and_equal_points_give_trees_without_nan(context):
    for rows in ([[0.0], [1.0]], [[2.0, 2.0]] * 6):
        table = number_table(np.array(rows), [f"x{i}" for i in range(len(rows[0]))])
        k = (2, 2) if len(rows) == 2 else (2, 4)
        events, session = go(context, value=table, k=k)
        assert np.isfinite(session.trees["complete"].tree).all()
        assert values(events)["largest_diameter.complete.k2"] == 0.0
        for name, value in values(events).items():
            assert value == value, name


def test_large_sets_take_the_lean_engines(context):
    rng = np.random.default_rng(1)
    table = number_table(rng.random((2600, 2)), ["x", "y"])
    events, session = go(
        context, value=table, linkages=("complete", "single", "ward", "weighted"), k=(2, 4), ties="index"
    )
    found = values(events)
    for k in (2, 3, 4):
        assert found[f"largest_diameter.complete.k{k}"] == session.trees["complete"].tree[2600 - k - 1, 2]
    import scipy.cluster.hierarchy as reference

    for name in ("single", "ward", "weighted"):
        expected = reference.linkage(table.numeric(), name)[:, 2]
        assert session.trees[name].tree[:, 2] == pytest.approx(expected, rel=1e-9)


def test_without_memory_for_distances_brackets_come_from_points(context):
    table = number_table(np.random.default_rng(2).random((2100, 3)), list("xyz"))
    events, session = go(
        context, value=table, linkages=("ward", "single"), metric="euclidean", memory=0.002, k=(2, 3)
    )
    found = values(events)
    assert found["optimum_dm_low.k2"] > 0
    assert found["optimum_dm_high.k2"] >= found["optimum_dm_low.k2"]
    assert session.trees["single"].cohesion is not None
    assert "sep_min.single.k2" not in found


def test_the_search_reaches_an_instance_worse_than_the_optimum(context):
    events, session = go(context, "search", search_steps=3000)
    found = values(events)
    assert found["searched_ratio"] >= 1.5
    lab = session.lab
    assert lab.name == "search"
    assert lab.n == 8
    held = lab.brackets.dm[4]
    assert held.exact
    assert lab.trees["complete"].cohesion.max_diam[4] / held.lower == pytest.approx(found["searched_ratio"])


def test_same_seed_same_results_and_ties_by_seed():
    settings = {"preset": "quick", "parameters": {"ties": "random", "k": (2, 4)}, "threads": 1}
    first, again = repeat("linkage", seed=3, **settings), repeat("linkage", seed=3, **settings)
    assert first == again


def test_stopping_keeps_what_there_is_and_ends_the_child(context, tmp_path):
    table = number_table(np.random.default_rng(2).random((2500, 2)), ["x", "y"])
    settled = METHOD.settings("quick", {"linkages": ("single",), "k": (2, 3)})
    work = run(settled, table, context)
    while not list(Path(context.scratch).rglob("words.txt")):
        next(work)
    next(work)
    children = psutil.Process().children()
    assert len(children) == 1
    work.close()
    assert not children[0].is_running()
    assert not [path for path in Path(context.scratch).rglob("*") if path.is_file()]


def test_means_over_several_tables(context):
    from engine.methods.linkage.data import load_tables

    tables = load_tables(("iris", "wine"), lambda fraction, phase: None)
    events, session = go(
        context, value=tables, linkages=("complete", "average", "single"), effort="off", k=(2, 5)
    )
    told = {e.name: e for e in events if isinstance(e, Value)}
    rows = Board.of(events).tables["companion"]
    for linkage in ("complete", "average", "single"):
        each = [
            share
            for group, criterion, name, share in zip(
                rows["group"], rows["criterion"], rows["linkage"], rows["share"], strict=True
            )
            if (group, criterion, name) == ("small", "max_diam", linkage)
        ]
        mean = told[f"group_max_diam.small.{linkage}"]
        assert len(each) == mean.repeats == 2
        assert mean.value == pytest.approx(np.mean(each))
    best = {name: told[f"group_max_diam.small.{name}"].value for name in ("complete", "average", "single")}
    assert max(best, key=best.get) == "complete"
    assert min(best, key=best.get) == "single"
    fractions = [e.fraction for e in events if isinstance(e, Progress)]
    assert fractions == sorted(fractions)
    assert "over the tables" in Board.of(events).state("groups").caption
    assert not [p for p in told if p.startswith("largest_diameter")]
    assert session.n == 178
