"""Going back through a run of this session, while it goes on and after it."""

from __future__ import annotations

from typing import Any

from PySide6.QtTest import QTest

from gui.widgets.history_scrubber import SPEEDS


def points(tab: Any) -> dict[str, int]:
    state = tab.view("path").state
    return {series.name: len(series.x) for series in state.series} if state is not None else {}


def test_a_run_that_goes_on_is_looked_back_on_and_left_alone(tab: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 100_000)
    tab.experiment.set_value("ask", True)
    tab.run_button.click()
    until(lambda: points(tab).get("walker", 0) > 2_000)
    QTest.qWait(1_500)
    tab.show_history()
    assert tab.history.isVisible()
    scrubber = tab.history.scrubber
    assert scrubber.at_end()
    before = points(tab)["walker"]
    scrubber.set_position(60)
    until(lambda: points(tab).get("walker", 0) < before)
    assert tab.views.cards["path"]._badge.text() == "From history"
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
    tab.experiment.set_value("steps", 60_000)
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and not tab.experiment.computing)
    tab.show_history()
    until(lambda: tab.history._times.size > 2)
    tab.history.scrubber.set_position(len(tab.history._times) // 2)
    until(lambda: "walker (later)" in points(tab))
    found = points(tab)
    assert 0 < found["walker"] < 60_000
    assert found["walker (later)"] <= 4_000
    later = next(one for one in tab.view("path").state.series if one.muted)
    assert later.x[-1] == 59_999
    tab.show_history()
    until(lambda: points(tab) == {"walker": 60_000})
    assert not tab.history.isVisible()


def test_without_a_run_it_says_so(tab: Any) -> None:
    told: list[str] = []
    tab.told.connect(told.append)
    tab.show_history()
    assert told == ["There is no run yet whose history could be shown."]


def test_it_plays_at_any_speed(tab: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 60_000)
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
