"""A run from the first press to its results: pause, stop, seeds, questions, edits, views."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.core.events import Progress
from tests.example_methods.walk import run as walk_run

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(autouse=True)
def walking_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long walks take seconds on a fast machine too; their numbers stay what they are."""
    real = walk_run.run

    def paced(parameters: Any, data: Any, context: Any) -> Generator[Any, Any, Any]:
        inner, reply = real(parameters, data, context), None
        while True:
            try:
                event = inner.send(reply)
            except StopIteration as done:
                return done.value
            if parameters.steps > 1_000 and isinstance(event, Progress):
                time.sleep(0.002)
            reply = yield event

    monkeypatch.setattr(walk_run, "run", paced)


def start_long(tab: Any, until: Any) -> Any:
    tab.experiment.set_value("steps", 20_000)
    tab.run_button.click()
    until(lambda: tab.experiment.job.status == "running" and tab.run_bar.progress)
    return tab.experiment.job


def test_before_a_run_the_data_is_drawn_and_the_rest_says_what_will_come(tab: Any) -> None:
    assert len(tab.view("data").state.x) == 150
    assert len(tab.view("path").state.series[0].x) == 0
    assert tab.data.status.text() == "4 numeric · 0 missing · 1 duplicate row kept"
    assert tab.run_button.isEnabled()


def test_first_press_of_run(ran: Any) -> None:
    assert ran.status_text() == "Finished"
    assert len(ran.view("path").state.series[0].x) == 50
    assert len(ran.view("data").state.x) == 150
    names = ran.drawer.results.columns()[0].values
    assert names == ["largest.whole", "final"]
    assert "Walking 50 steps" in ran.drawer.log.toPlainText()
    assert ran.run_bar.line.whole_text().endswith("seed 0") or "peak" in ran.run_bar.line.whole_text()


def test_space_pauses_and_goes_on_when_no_field_has_the_focus(tab: Any, window: Any, until: Any) -> None:
    job = start_long(tab, until)
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Space)
    until(lambda: job.status == "paused")
    until(lambda: tab.run_bar.headline.whole_text() == "Paused")
    assert tab.run_bar.pause_button.text() == "Resume"
    assert not tab.field("steps").isEnabled()
    assert tab.field("steps").toolTip() == "Locked while the run goes on"
    QTest.keyClick(window, Qt.Key.Key_Space)
    until(lambda: tab.status_text() == "Finished")
    assert tab.status_text() == "Finished"
    assert tab.field("steps").isEnabled()


def test_stop_keeps_what_was_done(tab: Any, window: Any, until: Any) -> None:
    job = start_long(tab, until)
    QTest.keyClick(window, Qt.Key.Key_Period, CTRL)
    until(lambda: job.status.ended, 1_000)
    until(lambda: tab.status_text() == "Stopped")
    until(lambda: tab.views.cards["path"]._badge.text() == "Partial")
    assert len(tab.view("path").state.series[0].x) > 0


def test_seeds_are_queued_and_differ(tab: Any, until: Any) -> None:
    jobs = tab.experiment.run_seeds(3)
    assert [job.request.seed for job in jobs] == [0, 1, 2]
    until(lambda: all(job.status.ended for job in jobs))
    assert len({job.board.results()["final"] for job in jobs}) == 3
    assert tab.experiment.job is jobs[0]


def test_queued_run_can_be_removed(tab: Any, until: Any) -> None:
    start_long(tab, until)
    first = tab.experiment.job
    second = tab.experiment.queue(5)
    tab.experiment.show_job(second)
    assert tab.run_bar.headline.whole_text() == "Queued, place 1"
    assert tab.run_bar.stop_button.text() == "Remove"
    tab.run_bar.stop_button.click()
    until(lambda: second.status.ended)
    assert second.status == "stopped"
    tab.experiment.engine.stop(first)
    until(lambda: first.status.ended)


def test_a_question_is_answered(tab: Any, until: Any) -> None:
    tab.experiment.set_value("ask", True)
    tab.run_button.click()
    until(lambda: tab.experiment.job.status == "waiting")
    until(lambda: tab.status_text() == "Your turn")
    assert tab.run_bar.answers.question.question == "Go one step more?"
    tab.run_bar.answers.fields["more"].set_value(True)
    tab.run_bar.answers.buttons[0].click()
    until(lambda: tab.status_text() == "Finished")
    assert tab.experiment.job.board.results()["final"] > 900


def test_an_edit_is_undone_and_done_again(ran: Any, window: Any, until: Any) -> None:
    goal = lambda: ran.view("path").state.levels[0].value  # noqa: E731
    ran.view("path").make_gesture("drag-level", name="goal", value=3.0)
    until(lambda: goal() == 3.0)
    until(lambda: ran.header.undo_button.isEnabled())
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    until(lambda: goal() == 1.0)
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL | SHIFT)
    until(lambda: goal() == 3.0)


def test_clear_the_views(ran: Any, until: Any) -> None:
    ran.experiment.show_preview()
    until(lambda: (state := ran.view("path").state) is not None and len(state.series[0].x) == 0)
    assert ran.run_bar.line.whole_text() == "2 threads · seed 0"


def test_views_are_maximised_hidden_and_brought_back(ran: Any, window: Any) -> None:
    QTest.keyClick(window, Qt.Key.Key_2, CTRL)
    assert ran.views.focused() == "data"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F11)
    assert ran.views.maximised == "data"
    assert not ran.views.cards["path"].isVisible()
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    assert ran.views.cards["path"].isVisible()
    ran.views.hide_view("path")
    assert not ran.views.cards["path"].isVisible()
    ran.views.raise_view("path")
    assert ran.views.cards["path"].isVisible()


def test_a_narrow_window_breaks_the_row(ran: Any, window: Any) -> None:
    window.resize(1024, 700)
    QApplication.processEvents()
    ran.columns.setSizes([400, 300])
    QApplication.processEvents()
    for card in ran.views.cards.values():
        assert card.width() >= 280
        assert card.height() >= 200
    assert ran.views.horizontalScrollBar().maximum() == 0


def test_a_file_dropped_while_running_offers_to_stop(
    tab: Any, window: Any, until: Any, tmp_path: Any
) -> None:
    from gui.widgets.button import Button
    from gui.widgets.toast import Toast

    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n2,4\n5,1\n", encoding="utf-8")
    job = start_long(tab, until)
    tab.take_file(str(path))
    assert tab.experiment.data.source == "iris"
    (toast,) = window.findChildren(Toast)
    next(b for b in toast.findChildren(Button) if b.text().startswith("Stop")).click()
    until(lambda: job.status == "stopped" and tab.experiment.data.loaded.name == "other.csv")


def test_python_script_holds_what_differs(ran: Any) -> None:
    from PySide6.QtGui import QGuiApplication

    ran.copy_python()
    text = QGuiApplication.clipboard().text()
    assert "data='iris'" in text
    assert "seed=0" in text
    compile(text, "script", "exec")


def test_same_seed_same_numbers(ran: Any, until: Any) -> None:
    first = ran.experiment.job.board.state("path").series[0].y.copy()
    ran.run_button.click()
    until(lambda: not ran.experiment.computing)
    np.testing.assert_array_equal(ran.experiment.job.board.state("path").series[0].y, first)
