"""Merge trees: places, lines, the cut, subtrees, search, growth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication
from scipy.cluster import hierarchy

from engine.core.views import Axis, Dendrogram, DendrogramState
from gui.views.tree_layout import DIM, TreeLayout

VIEW = Dendrogram(
    "d",
    title="Tree",
    height=Axis("merge height", "cm"),
    entity="flower",
    gestures={"cut": "cut", "click": "look"},
)
RNG = np.random.default_rng(5)
TREE = hierarchy.linkage(RNG.normal(0, 1, (40, 3)) + 5 * RNG.integers(0, 3, (40, 1)), "complete")
ORDER = hierarchy.leaves_list(TREE)
LABELS = hierarchy.fcluster(TREE, 3, "maxclust") - 1
CUT = float(TREE[-3:-1, 2].mean())
STATE = DendrogramState(
    merges=TREE,
    leaves=40,
    order=ORDER,
    labels=LABELS,
    clusters=("cluster 1", "cluster 2", "cluster 3"),
    cut=CUT,
    cut_label="k = 3",
    names=tuple(f"flower {i}" for i in range(40)),
)


def test_places_are_those_of_scipy() -> None:
    tree = TreeLayout(STATE, log=False)
    drawn = hierarchy.dendrogram(TREE, no_plot=True)
    assert drawn["leaves"] == ORDER.tolist()
    middles = sorted((xs[1] + xs[2]) / 2 / 10 - 0.5 for xs in drawn["icoord"])
    assert sorted(tree.x[40:].tolist()) == pytest.approx(middles)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 60), st.integers(0, 10**6))
def test_every_subtree_is_a_stretch_of_places(leaves: int, seed: int) -> None:
    merges = hierarchy.linkage(np.random.default_rng(seed).normal(0, 1, (leaves, 2)), "average")
    state = DendrogramState(merges=merges, leaves=leaves, order=hierarchy.leaves_list(merges))
    tree = TreeLayout(state, log=False)
    assert (tree.high - tree.low + 1)[leaves:] == pytest.approx(merges[:, 3])
    for node in range(leaves, 2 * leaves - 1):
        assert len(tree.leaves_of(node)) == merges[node - leaves, 3]
    assert tree.roots.tolist() == [2 * leaves - 2]


@pytest.mark.parametrize("clusters", [1, 2, 3, 7, 40])
def test_the_cut_for_k_gives_k(clusters: int) -> None:
    tree = TreeLayout(STATE, log=False)
    assert tree.clusters_at(tree.cut_for(clusters)) == clusters


def test_lines_of_a_small_tree_are_the_links(show: Any) -> None:
    merges = np.array([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]])
    drawing = show(VIEW, DendrogramState(merges=merges, leaves=4, order=np.arange(4))).drawing
    plot = drawing.canvas.plot_rect()
    lines, tints = drawing.links.lines(plot)
    assert set(tints.tolist()) == {0}
    flat = lines[np.isclose(lines[:, 1], lines[:, 3])]
    upright = lines[np.isclose(lines[:, 0], lines[:, 2])]
    heights = sorted(round(drawing.canvas.to_data(QPointF(0, plot.top() + y))[1], 1) for y in flat[:, 1])
    assert heights == pytest.approx([1, 2, 4], abs=0.05)
    assert len(upright) == 6


@pytest.mark.parametrize("shape", ["chain", "single", "ward"])
def test_the_number_of_lines_is_bounded_by_the_screen(show: Any, shape: str) -> None:
    leaves = 20_000
    if shape == "chain":
        index = np.arange(leaves - 1)
        left = np.where(index == 0, 0, leaves + index - 1)
        merges = np.column_stack((left, index + 1, 1.0 + index, index + 2)).astype(float)
        order = np.arange(leaves)
    else:
        import fastcluster

        points = RNG.normal(0, 1, (leaves, 1))
        merges = fastcluster.linkage_vector(points, shape)
        first = np.zeros(2 * leaves - 1, np.int64)
        sizes = np.concatenate((np.ones(leaves, np.int64), merges[:, 3].astype(np.int64)))
        for row in range(leaves - 2, -1, -1):
            a, b = int(merges[row, 0]), int(merges[row, 1])
            first[a], first[b] = first[leaves + row], first[leaves + row] + sizes[a]
        order = np.empty(leaves, np.int64)
        order[first[:leaves]] = np.arange(leaves)
    drawing = show(VIEW, DendrogramState(merges=merges, leaves=leaves, order=order)).drawing
    plot = drawing.canvas.plot_rect()
    lines, _ = drawing.links.lines(plot)
    assert 10 < len(lines) <= 3 * (plot.width() + plot.height())
    drawing.canvas.zoom(0.01)
    QApplication.processEvents()
    assert len(drawing.links.lines(plot)[0]) > 10


def test_the_cut_is_dragged_at_most_once_a_frame(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    drawing, canvas = shown.drawing, shown.drawing.canvas
    assert drawing.cut_layer.label == "k = 3"
    start = drawing.cut_layer.tag().center()
    target = drawing.tree.cut_for(2)
    end = QPointF(start.x(), canvas.y_to_scene(target))
    hand.press(drawing, start)
    for share in np.linspace(0.05, 1, 40):
        hand.move(drawing, start + (end - start) * share)
    told = len(shown.gestures)
    assert drawing.cut_layer.label == "k = 2"
    hand.release(drawing, end)
    assert told < 20
    word, payload = shown.gestures[-1]
    assert word == "cut"
    assert drawing.tree.clusters_at(payload["height"]) == 2


def test_a_state_that_comes_back_does_not_pull_the_line_out_of_the_hand(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    start = drawing.cut_layer.tag().center()
    hand.press(drawing, start)
    hand.move(drawing, start - QPointF(0, 30))
    held = drawing.cut
    drawing.show_state(STATE)
    assert drawing.cut == held != STATE.cut
    hand.key(drawing.canvas, Qt.Key.Key_Escape)
    assert drawing.cut == STATE.cut


def test_arrows_move_the_cut_by_one_cluster(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    drawing = shown.drawing
    hand.key(drawing.canvas, Qt.Key.Key_Down)
    assert drawing.cut_layer.label == "k = 4"
    hand.key(drawing.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert drawing.cut_layer.label == "k = 14"
    hand.key(drawing.canvas, Qt.Key.Key_Up)
    assert drawing.cut_layer.label == "k = 13"


def test_a_view_without_the_gesture_keeps_its_cut(show: Any, hand: Any) -> None:
    view = Dendrogram("d", title="T", height=VIEW.height)
    drawing = show(view, STATE).drawing
    start = drawing.cut_layer.tag().center()
    hand.drag(drawing, start, start - QPointF(0, 40))
    assert drawing.cut == STATE.cut


def test_a_click_on_a_link_selects_its_leaves_and_pales_the_rest(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    drawing = shown.drawing
    selection = shown.link()
    node = 40 + 37
    pos = drawing.canvas.to_scene(float(drawing.tree.x[node]), float(drawing.tree.height[node]))
    hand.click(drawing, pos)
    assert shown.gestures[-1] == ("click", {"node": node})
    wanted = sorted(drawing.tree.leaves_of(node).tolist())
    assert selection.ids("flower").tolist() == wanted
    assert drawing.links.tint[78] >= DIM
    assert drawing.links.tint[node] < DIM


def test_a_click_on_the_strip_selects_a_cluster(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    selection = shown.link()
    plot = shown.drawing.canvas.plot_rect()
    hand.click(shown.drawing, QPointF(plot.left() + 3, plot.bottom() + 4))
    assert selection.ids("flower").tolist() == np.flatnonzero(LABELS[ORDER[0]] == LABELS).tolist()


def test_colours_below_the_cut_are_those_of_the_clusters() -> None:
    tree = TreeLayout(STATE, log=False)
    above = tree.height > CUT
    assert (tree.tint[above] == 0).all()
    assert set(tree.tint[~above].tolist()) == {1, 2, 3}
    assert tree.tint[:40].tolist() == (LABELS + 1).tolist()


def test_double_click_closes_a_subtree_to_a_triangle(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    node = 76
    pos = drawing.canvas.to_scene(float(drawing.tree.x[node]), float(drawing.tree.height[node]))
    before = len(drawing.links.lines(drawing.canvas.plot_rect())[0])
    hand.double_click(drawing, pos)
    assert drawing.tree.closed[node]
    assert len(drawing.links.lines(drawing.canvas.plot_rect())[0]) < before
    hand.double_click(drawing, pos)
    assert not drawing.tree.closed.any()


def test_collapse_is_the_methods_where_declared(show: Any, hand: Any) -> None:
    view = Dendrogram("d", title="T", height=VIEW.height, gestures={"collapse": "fold"})
    shown = show(view, STATE)
    tree = shown.drawing.tree
    hand.double_click(shown.drawing, shown.drawing.canvas.to_scene(float(tree.x[78]), float(tree.height[78])))
    assert shown.gestures == [("collapse", {"node": 78})]
    assert not shown.drawing.tree.closed.any()


def test_hover_says_height_size_and_cluster(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    node = int(np.flatnonzero(drawing.tree.tint[40:] == 2)[-1]) + 40
    hand.move(drawing, drawing.canvas.to_scene(float(drawing.tree.x[node]), float(drawing.tree.height[node])))
    said = drawing.hover_box.text().splitlines()
    assert said[0] == f"{int(TREE[node - 40, 3])} leaves"
    assert said[1].startswith("merge height ")
    assert said[1].endswith(" cm")
    assert said[2] == "cluster 2"


def test_search_goes_to_a_leaf(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    selection = shown.link()
    hand.key(shown.drawing.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    shown.drawing.search.setText("flower 17")
    hand.key(shown.drawing.search, Qt.Key.Key_Return)
    assert selection.ids("flower").tolist() == [17]
    x0, x1 = shown.drawing.canvas.view()[:2]
    assert x0 <= shown.drawing.tree.place[17] <= x1


def test_a_tree_that_still_grows_has_many_roots(show: Any) -> None:
    drawing = show(VIEW, DendrogramState(merges=np.empty((0, 4)), leaves=40, order=ORDER)).drawing
    assert drawing.tree.roots.size == 0
    for count in (1, 20, 38, 39):
        drawing.show_state(DendrogramState(merges=TREE[:count], leaves=40, order=ORDER, log=count > 20))
        QApplication.processEvents()
        assert drawing.tree.roots.size >= 1
        assert len(drawing.links.lines(drawing.canvas.plot_rect())[0]) > 0
    assert drawing.describe().startswith("Tree: 40 leaves, 39 merges up to")


def test_panning_stays_on_the_tree(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    drawing.canvas.zoom(0.5)
    for _ in range(30):
        hand.key(drawing.canvas, Qt.Key.Key_Right)
    x0, x1, y0, _ = drawing.canvas.view()
    assert x1 == pytest.approx(39.5)
    assert x1 - x0 == pytest.approx(20)
    assert y0 == 0


def test_a_deep_chain_needs_no_recursion(show: Any, hand: Any) -> None:
    leaves = 100_000
    index = np.arange(leaves - 1)
    left = np.where(index == 0, 0, leaves + index - 1)
    merges = np.column_stack((left, index + 1, 1.0 + index, index + 2)).astype(float)
    shown = show(VIEW, DendrogramState(merges=merges, leaves=leaves, order=np.arange(leaves), log=True))
    selection = shown.link()
    node = leaves + 50_000
    tree = shown.drawing.tree
    hand.click(shown.drawing, shown.drawing.canvas.to_scene(20_000.0, float(tree.height[node])))
    assert abs(selection.ids("flower").size - 50_000) < 8_000
