"""The tab Linkage clustering in the window: first run, cut, switches, lab, bad values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtTest import QTest


@pytest.fixture
def linkage(window: Any, until: Any) -> Any:
    """The tab with the data read and its preview drawn."""
    tab = window.open_tab("linkage")
    until(lambda: tab.views.state_of("points") is not None and not tab.experiment.blocked())
    return tab


@pytest.fixture
def clustered(linkage: Any, until: Any) -> Any:
    """The same after its first run."""
    linkage.run_button.click()
    until(lambda: linkage.experiment.job is not None and not linkage.experiment.computing, 60_000)
    until(lambda: linkage.status_text() == "Finished" and linkage.views.state_of("ratios") is not None)
    return linkage


def test_before_a_run_the_rows_and_the_lab_are_drawn(linkage: Any, until: Any) -> None:
    state = linkage.views.state_of("points")
    assert len(state.x) == 150
    assert state.x_axis.shown() == "first principal component (cm, 92.5% of variance)"
    until(lambda: linkage.views.state_of("lab") is not None)
    assert linkage.views.state_of("tree") is None


def test_first_press_of_run_fills_every_view(clustered: Any) -> None:
    for name in ("tree", "heights", "points", "cohesion", "ratios", "groups", "families", "lab"):
        assert clustered.views.state_of(name) is not None, name
    assert clustered.views.state_of("tree").cut_label == "k = 3"
    assert clustered.view("ratios").table.columns()[0].values[-1] == "Optimum known"
    assert clustered.view("ratios").table.columns()[1].text(4) == "exact"


def test_dragging_the_cut_recolours_points_and_bound(clustered: Any, until: Any) -> None:
    tree = clustered.view("tree")
    heights = clustered.views.state_of("tree").merges[:, 2]
    tree.make_gesture("cut", height=float(heights[-6:-4].mean()))
    until(lambda: clustered.views.state_of("tree").cut_label == "k = 6")
    until(lambda: len(clustered.views.state_of("points").groups) == 6)
    until(lambda: clustered.views.state_of("ratios").columns[-1].title == "proven ≤ (k = 6)")
    assert set(clustered.views.state_of("points").group) == set(range(6))


def test_a_selection_survives_another_tree_and_another_k(clustered: Any, until: Any) -> None:
    points = clustered.view("points")
    points.pick(np.arange(10))
    clustered.experiment.act("show_linkage", {"value": "single"})
    until(lambda: "single linkage" in clustered.views.state_of("tree").caption)
    clustered.experiment.act("cut", {"k": 40})
    until(lambda: clustered.views.state_of("tree").cut_label == "k = 40")
    assert sorted(clustered.view("points").chosen()) == list(range(10))


def test_other_data_while_something_is_selected(clustered: Any, until: Any) -> None:
    clustered.view("points").pick(np.arange(140, 150))
    clustered.experiment.choose_preset("adversarial")
    until(lambda: not clustered.experiment.blocked() and clustered.experiment.data.loaded.value.n == 12)
    until(lambda: clustered.run_button.isEnabled())
    clustered.run_button.click()
    until(lambda: clustered.experiment.job.request.data.value.n == 12)
    until(
        lambda: clustered.status_text() == "Finished" and len(clustered.views.state_of("points").x) == 12,
        60_000,
    )
    assert clustered.views.state_of("tree").leaves == 12


def test_too_many_clusters_is_said_beside_the_field(linkage: Any, until: Any) -> None:
    linkage.experiment.set_value("k", (2, 300))
    until(lambda: linkage.experiment.blocked())
    until(lambda: "300 is more than the 150 rows" in _texts(linkage))
    linkage.experiment.set_value("k", (2, 10))
    until(lambda: not linkage.experiment.blocked())


def test_lab_edits_are_taken_back(clustered: Any, until: Any) -> None:
    clustered.experiment.act("fill_lab", {"source": "moons"})
    until(lambda: len(clustered.views.state_of("lab").x) == 60)
    before = clustered.views.state_of("lab").x[0]
    clustered.views.raise_view("lab")
    until(lambda: clustered.view("lab").state is not None)
    clustered.view("lab").make_gesture("drag-point", id=0, x=4.0, y=4.0)
    until(lambda: clustered.views.state_of("lab").x[0] == 4.0)
    clustered.undo()
    until(lambda: clustered.views.state_of("lab").x[0] == before)
    QTest.qWait(20)


def _texts(tab: Any) -> str:
    from PySide6.QtWidgets import QLabel

    return " ".join(label.text() for label in tab.findChildren(QLabel)) + " ".join(
        str(getattr(field, "error", "")) for field in tab.findChildren(QLabel)
    )
