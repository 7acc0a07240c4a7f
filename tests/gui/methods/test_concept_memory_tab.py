"""Concept bottleneck memory in the real window: click, tick, remember, watch, undo, be asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.core.running.status import Status
from engine.methods.concept_memory.session import Session
from gui.tab.method_tab import MethodTab
from gui.window.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def tab(window: MainWindow, until: Any) -> MethodTab:
    """The tab with the digits read, and few epochs."""
    opened = window.open_tab("concept_memory")
    until(lambda: opened.view("images").state is not None and not opened.experiment.blocked())
    opened.experiment.set_value("epochs", 8)
    return opened


def run(tab: MethodTab, until: Any) -> Session:
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and tab.experiment.job.status.ended, 60_000)
    until(lambda: tab.status_text() == "Finished" and tab.view("images").state.filters)
    return tab.experiment.job.context.state


def click_tile(tab: MethodTab, row: int) -> int:
    """Click a tile; returns its image."""
    grid = tab.view("images")
    place = int(grid.ids()[row])
    rect = grid.list.visualRect(grid.model.index(row))
    QTest.mouseClick(grid.list.viewport(), LEFT, pos=rect.center())
    return place


def tick(tab: MethodTab, concept: int) -> None:
    """Click a concept's box."""
    drawing = tab.view("concepts")
    column = [one.name for one in drawing.state.columns].index("wanted")
    index = drawing.table.model().index(concept, column)
    drawing.table.scrollTo(index)
    QTest.mouseClick(drawing.table.viewport(), LEFT, pos=drawing.table.visualRect(index).center())


def button(tab: MethodTab, view: str, label: str) -> Any:
    fields = tab.views.cards[view].strip.fields
    return next(field for field in fields if getattr(field, "text", lambda: "")() == label)


def note(tab: MethodTab) -> str:
    return tab.experiment.board().state("concepts").note


def wanted(tab: MethodTab) -> list[bool]:
    state = tab.experiment.board().state("concepts")
    return list(next(one.values for one in state.columns if one.name == "wanted"))


def test_before_a_run_the_data_can_be_looked_at(tab: MethodTab, until: Any) -> None:
    place = click_tile(tab, 3)
    until(lambda: f"image {place}," in note(tab))
    assert len(tab.view("concepts").state.columns[0].values) == 10
    told: list[str] = []
    tab.told.connect(told.append)
    tab.experiment.act("move_t_a", {"value": 1.0})
    until(lambda: any("before the first network is trained" in sentence for sentence in told))


def test_a_person_teaches_by_clicking_and_takes_it_back(tab: MethodTab, until: Any) -> None:
    session = run(tab, until)
    images = tab.view("images")
    images.filters.choose("still wrong")
    place = click_tile(tab, 0)
    until(lambda: f"image {place}:" in note(tab))
    assert tab.views.selection.ids("image").tolist() == [place]
    digit = int(session.data.concepts[place].argmax())
    if wanted(tab)[digit]:
        tick(tab, digit)
        until(lambda: not wanted(tab)[digit])
    tick(tab, digit)
    until(lambda: wanted(tab) == [c == digit for c in range(10)])
    assert "now right" in note(tab)
    held, before = len(session.known.memory), session.now.state.copy()
    until(lambda: button(tab, "concepts", "Remember").isEnabled())
    button(tab, "concepts", "Remember").click()
    until(lambda: len(session.known.memory) == held + 1)
    row = session.row(place)
    until(lambda: images.state.marks[int(images.state.mark[row])].name == "corrected by hand")
    changed = np.flatnonzero(session.now.applied.entry == held)
    assert row in changed
    tab.undo()
    until(lambda: len(session.known.memory) == held)
    until(lambda: images.state.marks[int(images.state.mark[row])].name == "still wrong")
    assert np.array_equal(session.now.state, before)


def test_sliders_answer_with_counts(tab: MethodTab, until: Any) -> None:
    session = run(tab, until)
    tab.views.raise_view("thresholds")
    until(lambda: tab.view("thresholds").state is not None)
    panel = tab.view("thresholds")
    slider = next(f for f in panel.fields if f.control.label == "Applies within t_a").slider
    slider.setValue(0)
    until(lambda: session.now.gain.identified == 0)
    until(lambda: dict(panel.state.notes)["Application"].startswith("0 images corrected"))
    slider.setValue(slider.maximum())
    until(lambda: session.now.gain.identified > 100)
    told = dict(panel.state.notes)["Application"]
    until(
        lambda: dict(panel.state.notes)["Application"].startswith(f"{session.now.gain.identified:,} images")
    )
    assert told


def test_why_shows_the_entry_and_reject_stops_it(tab: MethodTab, until: Any) -> None:
    session = run(tab, until)
    tab.views.raise_view("why")
    tab.view("images").filters.choose("repaired")
    place = click_tile(tab, 0)
    row = session.row(place)
    until(lambda: tab.view("why").state is not None and "Corrected by entry" in tab.view("why").note.text())
    used = int(session.now.applied.entry[row])
    number = session.known.memory.entries[used].number
    assert f"entry {number} " in tab.view("why").note.text()
    button(tab, "why", "Reject").click()
    until(lambda: session.verdict(place, number) == "reject")
    assert int(session.now.applied.entry[row]) != used


def test_a_reviewing_run_asks_and_goes_on(tab: MethodTab, until: Any) -> None:
    tab.experiment.choose_preset("review")
    tab.experiment.set_value("epochs", 8)
    until(lambda: not tab.experiment.blocked())
    tab.run_button.click()
    until(lambda: tab.experiment.job and tab.experiment.job.status is Status.WAITING, 60_000)
    job = tab.experiment.job
    session = job.context.state
    until(lambda: tab.run_bar.answers.isVisible())
    words = [one.text() for one in tab.run_bar.answers.buttons]
    assert words == ["Remember and next", "It is right", "Finish review"]
    first = session.selected
    until(lambda: f"image {first}:" in note(tab))
    tick(tab, int(session.data.concepts[first].argmax()))
    until(lambda: session.draft(first))
    held = len(session.known.memory)
    tab.run_bar.answers.buttons[0].click()
    until(lambda: job.status is Status.WAITING and session.selected != first)
    assert len(session.known.memory) == held + 1
    until(lambda: tab.run_bar.answers.buttons and job.question is tab.run_bar.answers.question)
    tab.run_bar.answers.buttons[2].click()
    until(lambda: job.status.ended)
    assert job.board.results()["review.corrections"] == 1
