"""The list of runs narrowed by method, status and tag."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.places import data_folder
from engine.core.records.header import RunHeader, new_id
from engine.core.records.summary import RunSummary
from engine.core.records.writer import RunWriter
from gui.window.main_window import MainWindow
from gui.window.runs_filter import RunsFilter, filter_menu

Until = Callable[..., None]


def run(**parts: Any) -> RunSummary:
    return RunSummary(id="x", folder=Path("x"), **parts)


def test_one_match_of_each_kind_suffices() -> None:
    wanted = RunsFilter(frozenset({"walk"}), frozenset({"failed", "stopped"}), frozenset({"paper"}))
    assert wanted.passes(run(method="walk", status="stopped", tags=("draft", "paper")))
    assert not wanted.passes(run(method="other", status="stopped", tags=("paper",)))
    assert not wanted.passes(run(method="walk", status="finished", tags=("paper",)))
    assert not wanted.passes(run(method="walk", status="failed", tags=("draft",)))
    assert RunsFilter().passes(run())
    assert RunsFilter(statuses=frozenset({"damaged"})).passes(run(damaged="no description"))


def test_a_condition_is_taken_back_by_choosing_it_again() -> None:
    once = RunsFilter().toggled("tags", "paper")
    assert once.count == 1
    assert once.toggled("tags", "paper") == RunsFilter()


@pytest.fixture
def stocked(window: MainWindow, until: Until) -> MainWindow:
    for place, (status, tags) in enumerate(
        [("finished", ("paper",)), ("failed", ()), ("stopped", ("paper",))]
    ):
        header = RunHeader(id=new_id(), method="walk", title="Random walk", name=f"run {place}", tags=tags)
        writer = RunWriter(data_folder() / "runs" / header.id, header)
        writer.close(status, None, 1.0, None)
    window.open_page("runs")
    until(lambda: len(window.runs.runs) == 3)
    return window


def test_the_menu_offers_what_there_is_and_narrows_the_list(stocked: MainWindow) -> None:
    runs = stocked.runs

    def choose(words: str) -> None:
        menu = filter_menu(runs.found, runs.filter, runs.set_filter, runs)
        next(action for action in menu.actions() if action.text() == words).trigger()

    menu = filter_menu(runs.found, runs.filter, runs.set_filter, runs)
    assert [action.text() for action in menu.actions() if action.text()] == [
        "Random walk",
        "failed",
        "finished",
        "stopped",
        "tag paper",
        "Show all",
    ]
    choose("tag paper")
    assert sorted(each.name for each in runs.runs) == ["run 0", "run 2"]
    assert runs.count.text() == "2 of 3 runs"
    assert runs.filter_button.text() == "Filter · 1"
    choose("stopped")
    assert [each.name for each in runs.runs] == ["run 2"]
    runs.table.selectAll()
    assert [each.name for each in runs.selected()] == ["run 2"]
    choose("Show all")
    assert len(runs.runs) == 3
    assert runs.filter_button.text() == "Filter"
