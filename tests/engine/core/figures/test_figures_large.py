"""A hundred thousand leaves, points and curve values: seconds and a few hundred kilobytes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from scipy.cluster import hierarchy

from engine.core.figures.export import export
from engine.core.figures.lines import thinned
from engine.core.figures.style import FigureStyle
from engine.core.figures.tree_layout import Links, joined, lay_out
from engine.core.views import (
    Axis,
    Dendrogram,
    DendrogramState,
    Group,
    HeatMap,
    HeatMapState,
    Lines,
    LinesState,
    Scatter,
    ScatterState,
    Series,
)

COUNT = 100_000


def chain(count: int) -> np.ndarray:
    """Leaves that join one large cluster one after the other: the deepest tree there is."""
    merges = np.empty((count - 1, 4))
    merges[:, 0] = np.arange(count - 1) + count - 1
    merges[0, 0] = 0
    merges[:, 1] = np.arange(1, count)
    merges[:, 2] = np.linspace(0.1, 1, count - 1)
    merges[:, 3] = np.arange(2, count + 1)
    return merges


@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_large_dendrogram(ending: str, tmp_path: Path) -> None:
    labels = np.arange(COUNT) // 25_000
    state = DendrogramState(merges=chain(COUNT), leaves=COUNT, order=np.arange(COUNT), labels=labels, cut=0.9)
    begin = time.perf_counter()
    report = export(Dendrogram("t", title="T", height=Axis("height")), state, tmp_path / f"a.{ending}")
    assert time.perf_counter() - begin < 10
    assert report.bytes < 3_000_000
    assert any("100,000 leaves" in note for note in report.notes)


@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_large_scatter(ending: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, COUNT))
    groups = tuple(Group(name=f"class {i}", colour=i) for i in range(10))
    state = ScatterState(x=x, y=y, group=rng.integers(0, 10, COUNT), groups=groups)
    begin = time.perf_counter()
    report = export(Scatter("s", title="S", x=Axis("x"), y=Axis("y")), state, tmp_path / f"a.{ending}")
    assert time.perf_counter() - begin < 10
    assert report.bytes < 3_000_000
    assert report.rasterised == ("100,000 points",)
    if ending == "svg":
        text = (tmp_path / "a.svg").read_text("utf-8")
        assert text.count("<image") == 1
        assert ">class 9</text>" in text


def test_large_curve_keeps_its_extremes(tmp_path: Path) -> None:
    y = np.sin(np.arange(1_000_000) / 1e5)
    y[123_456], y[654_321] = 50.0, -50.0
    state = LinesState(series=(Series(name="a", x=np.arange(1e6), y=y),))
    report = export(Lines("v", title="V", x=Axis("x"), y=Axis("y")), state, tmp_path / "a.pdf")
    assert report.bytes < 500_000
    assert any("1,000,000 points" in note for note in report.notes)
    x, kept = thinned(np.arange(1e6), y, 1000)
    assert len(x) <= 4000
    assert {50.0, -50.0} <= set(kept)
    assert x[[0, -1]].tolist() == [0, 999_999]


def test_large_matrix(tmp_path: Path) -> None:
    values = np.random.default_rng(0).random((1500, 1500))
    view = HeatMap("m", title="M", x=Axis("a"), y=Axis("b"), value=Axis("c"))
    report = export(view, HeatMapState(values=values), tmp_path / "a.pdf", FigureStyle(dpi=150))
    assert report.bytes < 3_000_000
    assert any("1,500 × 1,500 cells" in note for note in report.notes)


def test_layout_agrees_with_scipy(trees: dict) -> None:
    """scipy places leaf i at 10 i + 5 and every merge midway between its children."""
    for merges in trees.values():
        drawn = hierarchy.dendrogram(merges, no_plot=True)
        tree = lay_out(merges, 150, np.array(drawn["leaves"]))
        middles = (tree.x[150:] * 10 + 5).round(6)
        wanted = [round((xs[1] + xs[2]) / 2, 6) for xs in drawn["icoord"]]
        assert sorted(zip(middles.tolist(), tree.height[150:].round(9).tolist(), strict=True)) == sorted(
            zip(wanted, [round(ys[1], 9) for ys in drawn["dcoord"]], strict=True)
        )


def test_layout_of_a_forest_and_collapsed_nodes(trees: dict) -> None:
    merges = trees["complete"]
    order = hierarchy.leaves_list(merges)
    forest = lay_out(merges[:100], 150, order)
    assert int(np.sum(forest.parent < 0)) == 50
    folded = lay_out(merges, 150, order, collapsed=(297,))
    below = hierarchy.to_tree(hierarchy.linkage([[0.0], [1.0]]))
    assert below.count == 2
    assert int(np.sum(folded.hidden[:150])) == int(merges[147, 3])
    assert not folded.hidden[297]


def test_joined_links_cover_the_same_ground() -> None:
    rng = np.random.default_rng(3)
    low = rng.random(5000)
    links = Links(rng.random(5000) * 10, low, low + 0.2 * rng.random(5000), rng.integers(-1, 3, 5000))
    merged = joined(links, 0.5, 0.0)
    assert len(merged.at) < 400
    for at, a, b, label in zip(links.at, links.low, links.high, links.label, strict=True):
        same = (np.abs(merged.at - at) <= 0.25 + 1e-9) & (merged.label == label)
        assert np.any(same & (merged.low <= a) & (merged.high >= b))
