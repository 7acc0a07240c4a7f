"""What a person does in the tab: cutting, looking, the lab with undo, exports."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from engine.core.board import Board
from engine.core.context import Context
from engine.core.errors import FieldError, RunError
from engine.core.events import Artifact, Show
from engine.core.method import load
from engine.core.scripting import prepare
from engine.methods.linkage import cut_at_k, distances
from engine.methods.linkage.declaration import METHOD
from engine.methods.linkage.numbering import clusters_at, forest_of
from engine.methods.linkage.preview import preview
from engine.methods.linkage.run import run


@pytest.fixture
def context(tmp_path):
    return Context(0, tmp_path / "scratch", tmp_path / "cache", threads=1)


def drive(work):
    events = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


@pytest.fixture
def session(context):
    request, _ = prepare("linkage", preset="quick")
    return drive(run(request.parameters, request.data.value, context))[1]


@pytest.fixture
def before(context):
    request, _ = prepare("linkage", preset="quick")
    return drive(preview(request.parameters, request.data.value, context))


def act(session, context, action_name, **arguments):
    action = METHOD.action(action_name)
    return drive(load(action.apply)(session, action.arguments.build(arguments), context))


def states(events):
    return {e.view: e.state for e in events if isinstance(e, Show)}


def same_partition(a, b):
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


def test_clusters_keep_their_number_as_k_changes(session):
    for grown in session.trees.values():
        earlier = grown.clusters(1).labels
        for k in range(2, 60):
            clusters = clusters_at(grown.tree, grown.numbers, k)
            assert same_partition(clusters.labels, cut_at_k(grown.tree, k))
            changed = np.flatnonzero(clusters.labels != earlier)
            # Only the part that split off has another number, and it is the new one.
            assert set(clusters.labels[changed]) == {k - 1}
            assert len(set(earlier[changed])) == 1
            assert len(changed) <= np.sum(earlier == earlier[changed[0]]) / 2
            earlier = clusters.labels


def test_a_forest_on_its_way_holds_the_merges_so_far():
    pairs, heights = np.array([[0, 3], [1, 2], [4, 0]]), np.array([3.0, 1.0, 5.0])
    forest = forest_of(pairs, heights, 6)
    assert forest.merges.tolist() == [[1, 2, 1, 2], [0, 3, 3, 2], [4, 7, 5, 3]]
    assert sorted(forest.order) == list(range(6))
    assert forest.root.tolist() == [8, 6, 6, 8, 8, 5]
    together = [forest.order.tolist().index(i) for i in (0, 3, 4)]
    assert max(together) - min(together) == 2


def test_cut_by_height_and_by_k_agree(session, context):
    tree = session.tree.tree
    events, _ = act(session, context, "cut", height=3.6)
    assert session.k == 3
    shown = states(events)
    assert shown["tree"].cut == 3.6
    assert shown["tree"].cut_label == "k = 3"
    assert len(shown["points"].groups) == 3
    assert shown["cohesion"].levels[0].value == 3.0
    assert shown["ratios"].columns[-1].title == "proven ≤ (k = 3)"
    for k in (1, 2, 40, 149):
        events, _ = act(session, context, "cut", k=k)
        cut = states(events)["tree"].cut
        assert np.sum(tree[:, 2] > cut) == k - 1
    act(session, context, "cut", height=0.0)
    # Two rows of iris are equal: they merge at height 0.
    assert session.k == 149
    assert states(events)["tree"].labels.max() <= 31


def test_looking_at_another_linkage_keeps_k(session, context):
    act(session, context, "cut", k=5)
    events, _ = act(session, context, "show_linkage", value="minimax")
    shown = states(events)
    assert session.k == 5
    assert "minimax linkage" in shown["tree"].caption
    stars = shown["points"].stars
    labels = session.tree.clusters(5).labels
    assert labels[stars].tolist() == [0, 1, 2, 3, 4]
    square = distances(session.measured.points).as_square()
    radius = [square[i, labels == c].max() for c, i in enumerate(stars)]
    assert max(radius) == pytest.approx(session.tree.tree[150 - 5 - 1, 2])
    events, _ = act(session, context, "choose_linkage", id="single")
    assert session.shown == "single"
    events, _ = act(session, context, "choose_k", series="average", x=4.2)
    assert (session.shown, session.k) == ("average", 4)


def test_diameters_drawn_are_the_clusters_diameters(session, context):
    act(session, context, "cut", k=4)
    square = distances(session.measured.points).as_square()
    for grown in session.trees.values():
        clusters = grown.clusters(4)
        for c, root in enumerate(clusters.roots):
            inside = np.flatnonzero(clusters.labels == c)
            i, j = grown.cohesion.node_ends[root]
            assert {i, j} <= set(inside)
            assert square[i, j] == grown.cohesion.node_diam[root] == square[np.ix_(inside, inside)].max()


def test_switches_change_their_view_alone(session, context):
    events, _ = act(session, context, "choose_criterion", value="average diameter")
    assert set(states(events)) == {"cohesion"}
    assert states(events)["cohesion"].y.title == "average diameter"
    events, _ = act(session, context, "choose_optimum", value="AV")
    assert "OPT_AV" in states(events)["ratios"].caption
    events, _ = act(session, context, "toggle_log", value=True)
    assert states(events)["tree"].log
    node = 2 * 150 - 3
    events, _ = act(session, context, "collapse", node=node)
    assert states(events)["tree"].collapsed == (node,)
    events, _ = act(session, context, "open_all")
    assert states(events)["tree"].collapsed == ()
    act(session, context, "mark_node", node=200)


def test_families_are_scrubbed_and_followed_anew(session, context):
    events, _ = act(session, context, "family_step", value=0)
    state = states(events)["families"]
    assert session.walk.holds
    assert len(state.x) == session.walk.k == 3
    assert sum(int(name.split()[0]) for name in state.names) == 150
    for step in (1, 70, 149):
        events, _ = act(session, context, "family_step", value=step)
        state = states(events)["families"]
        assert "invariants hold" in state.caption
        assert f"merge {step}" in state.caption
    act(session, context, "cut", k=6)
    act(session, context, "families_here")
    assert session.walk.k == 6
    assert session.walk.linkage == "complete"


def test_a_point_is_moved_added_removed_and_taken_back(session, context):
    act(session, context, "fill_lab", source="blobs")
    lab = session.lab
    places = lab.places.copy()
    events, undo = act(session, context, "move_point", id=3, x=9.0, y=9.0)
    assert session.lab.places[3].tolist() == [9.0, 9.0]
    assert session.lab.square[3].max() > 8
    assert set(states(events)) == {"lab", "lab_distances"}
    act(session, context, "move_point", **undo)
    assert np.array_equal(session.lab.places, places)
    _, undo = act(session, context, "add_point", x=-3.0, y=0.5)
    assert session.lab.n == 61
    act(session, context, "add_point", **undo)
    assert np.array_equal(session.lab.places, places)
    act(session, context, "pick_point", id=5)
    _, undo = act(session, context, "remove_point", id=5)
    assert session.lab.n == 59
    act(session, context, "remove_point", **undo)
    assert np.array_equal(session.lab.places, places)


def test_the_labs_ratio_is_exact_for_the_chain(session, context):
    act(session, context, "fill_lab", source="sl-chain")
    act(session, context, "lab_linkage", value="single")
    events, _ = act(session, context, "lab_k", value=7)
    caption = states(events)["lab"].caption
    assert "34.97 × OPT_AV (exact)" in caption
    assert "4.99 × OPT_DM (exact)" in caption or "5.00 × OPT_DM (exact)" in caption


def test_a_distance_is_edited_and_taken_back(session, context):
    act(session, context, "fill_lab", source="cube")
    assert session.lab.matrix is None
    value = session.lab.square[2, 7]
    events, undo = act(session, context, "edit_distance", row=2, column=7, value=50.0)
    assert session.lab.square[7, 2] == session.lab.square[2, 7] == 50.0
    assert "not a metric" in states(events)["lab"].caption
    act(session, context, "edit_distance", **undo)
    assert session.lab.matrix is None
    assert session.lab.square[2, 7] == value
    with pytest.raises(FieldError):
        act(session, context, "edit_distance", row=2, column=2, value=1.0)


def test_fill_reset_and_search_are_taken_back(session, context):
    act(session, context, "fill_lab", source="sl-chain")
    held = session.lab.square.copy()
    _, undo = act(session, context, "fill_lab", source="moons")
    act(session, context, "fill_lab", **undo)
    assert np.array_equal(session.lab.square, held)
    for at in (11, 10, 9, 8):
        act(session, context, "remove_point", id=at)
    act(session, context, "lab_k", value=3)
    square = session.lab.square.copy()
    _, undo = act(session, context, "worsen")
    after = session.lab.trees["complete"].cohesion.max_diam[3] / session.lab.brackets.dm[3].lower
    assert session.lab.brackets.dm[3].exact
    assert after > 1.0
    assert f"{after:.4g} × OPT_DM" in session.lab.searched
    act(session, context, "worsen", **undo)
    assert np.allclose(session.lab.square, square)
    with pytest.raises(FieldError):
        act(session, context, "fill_lab", source="nothing of the kind")


def test_the_lab_works_before_a_run_and_is_kept_by_it(before, context):
    events, session = before
    assert {"points", "lab", "lab_distances"} <= set(states(events))
    assert "150 points" in states(events)["points"].caption
    act(session, context, "fill_lab", source="blobs")
    act(session, context, "move_point", id=0, x=5.0, y=5.0)
    for name, arguments in (
        ("cut", {"k": 4}),
        ("show_linkage", {"value": "single"}),
        ("toggle_log", {"value": True}),
        ("collapse", {"node": 200}),
        ("family_step", {"value": 3}),
        ("families_here", {}),
        ("choose_optimum", {"value": "AV"}),
    ):
        act(session, context, name, **arguments)
    context.prepared = session
    request, _ = prepare("linkage", preset="quick")
    _, after = drive(run(request.parameters, request.data.value, context))
    assert after.lab.places[0].tolist() == [5.0, 5.0]
    context.prepared = None


def test_files_hold_what_the_views_show(session, context):
    act(session, context, "cut", k=3)
    events, _ = act(
        session,
        context,
        "export",
        files=("labels", "matrix", "matrix_csv", "newick", "criteria", "instance"),
        k="3, 5",
    )
    files = {e.name: e.path for e in events if isinstance(e, Artifact)}
    with open(files["labels-complete.csv"], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["name"] == "iris 1"
    assert [int(row["k3"]) - 1 for row in rows] == session.tree.clusters(3).labels.tolist()
    assert {row["k5"] for row in rows} == {"1", "2", "3", "4", "5"}
    assert np.array_equal(np.load(files["linkage-complete.npy"]), session.tree.tree)
    again = np.loadtxt(files["linkage-complete.csv"], delimiter=",", skiprows=1)
    assert np.array_equal(again, session.tree.tree)
    text = files["tree-complete.nwk"].read_text(encoding="utf-8")
    assert text.count("'iris 42'") == 1
    assert text.endswith(";\n")
    with open(files["criteria.csv"], encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 36
    told = json.loads(files["instance.json"].read_text(encoding="utf-8"))
    assert len(told["distances"]) == session.lab.n
    every, _ = act(session, context, "export", files=("newick",), linkages="all")
    assert len(every) == 4
    with pytest.raises(FieldError):
        act(session, context, "export", files=("labels",), k="0, 3")


def test_files_before_a_run_are_refused_in_words(before, context):
    _, session = before
    with pytest.raises(RunError, match="run first"):
        act(session, context, "export")


def test_the_board_redraws_after_every_action(session, context):
    board = Board()
    for name, arguments in (("cut", {"k": 33}), ("show_linkage", {"value": "single"}), ("cut", {"k": 150})):
        for event in act(session, context, name, **arguments)[0]:
            board.apply(event)
    state = board.state("tree")
    assert (state.labels == -1).sum() == 150 - 32
    assert "150 clusters" in board.state("points").caption
