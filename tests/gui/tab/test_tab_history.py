"""Going back through a run of this session, while it goes on and after it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtTest import QTest

from engine.core.events import Append, Progress
from gui.widgets.history_scrubber import SPEEDS
from tests.example_methods.walk import run as walk_run


def points(tab: Any) -> dict[str, int]:
    state = tab.view("path").state
    return {series.name: len(series.x) for series in state.series} if state is not None else {}


def paced(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
    """The walk at a walking pace, so that its history has some length on a fast machine too."""
    for step in range(parameters.steps):
        time.sleep(0.001)
        yield Append("path", "walker", float(step), 1.0)
        if step % 10 == 0:
            yield Progress(step / parameters.steps, "Walking", step, parameters.steps, "step")


@pytest.fixture(autouse=True)
def walking_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk_run, "run", paced)


def test_a_run_that_goes_on_is_looked_back_on_and_left_alone(tab: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 100_000)
    tab.run_button.click()
    until(lambda: points(tab).get("walker", 0) > 1_000)
    QTest.qWait(1_500)
    tab.show_history()
    assert tab.history.isVisible()
    scrubber = tab.history.scrubber
    assert scrubber.at_end()
    before = points(tab)["walker"]
    until(lambda: tab.history._times.size > 3)
    scrubber.set_position(tab.history._times.size // 2)
    until(lambda: points(tab).get("walker", 0) < before)
    until(lambda: tab.views.cards["path"]._badge.text() == "From history")
    step = scrubber.position()
    QTest.qWait(1_300)
    assert (scrubber.position(), points(tab).get("walker", 0) < before) == (step, True)
    assert not tab.experiment.job.status.ended
    scrubber.set_position(10**6)
    until(lambda: points(tab)["walker"] >= before)
    assert tab.views.cards["path"]._badge.text() != "From history"
    tab.run_bar.stop()
    until(lambda: not tab.experiment.computing)


def test_an_ended_run_shows_what_was_still_to_come(tab: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 3_000)
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and not tab.experiment.computing)
    tab.show_history()
    until(lambda: tab.history._times.size > 2)
    tab.history.scrubber.set_position(len(tab.history._times) // 2)
    until(lambda: "walker (later)" in points(tab))
    found = points(tab)
    assert 0 < found["walker"] < 3_000
    assert found["walker (later)"] <= 4_000
    later = next(one for one in tab.view("path").state.series if one.muted)
    assert later.x[-1] == 2_999
    tab.show_history()
    until(lambda: points(tab) == {"walker": 3_000})
    assert not tab.history.isVisible()


def test_without_a_run_it_says_so(tab: Any) -> None:
    told: list[str] = []
    tab.told.connect(told.append)
    tab.show_history()
    assert told == ["There is no run yet whose history could be shown."]


def test_it_plays_at_any_speed(tab: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 3_000)
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and not tab.experiment.computing)
    tab.show_history()
    until(lambda: tab.history._times.size > 2)
    scrubber = tab.history.scrubber
    pace = scrubber._pace
    while pace.text() != f"{SPEEDS[-1]:g}×":
        pace.click()
    scrubber.set_playing(True)
    assert not scrubber.at_end()
    # 200 steps at 8 · 32 a second take under a second; steps are passed over, not pictures crowded.
    until(lambda: scrubber.at_end(), 5_000)
    assert not scrubber.is_playing()
