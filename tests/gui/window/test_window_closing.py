"""Closing asks once while something runs, stops within two seconds and leaves nothing behind."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox

from engine.core.events import Append
from engine.core.records.reader import RunRecord
from tests.example_methods.walk import run as walk_run

THREADS = {"engine", "steering", "loading", "heart", "figures"}


def choose(monkeypatch: pytest.MonkeyPatch, place: int) -> list[str]:
    """Answer the next questions with the button at `place`; returns the texts asked."""
    asked: list[str] = []
    chosen: dict[QMessageBox, Any] = {}

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        chosen[box] = box.buttons()[place]
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: chosen[box])
    return asked


def endless(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
    for step in itertools.count():
        time.sleep(0.001)
        yield Append("path", "walker", float(step), 1.0)


def button_named(text: str) -> int:
    """Where the button with this word stands among a message box's buttons."""
    box = QMessageBox()
    box.addButton("Stop and close", QMessageBox.ButtonRole.AcceptRole)
    box.addButton("Go on", QMessageBox.ButtonRole.RejectRole)
    return [button.text() for button in box.buttons()].index(text)


def start_long_run(tab: Any, until: Any, monkeypatch: Any) -> Any:
    monkeypatch.setattr(walk_run, "run", endless)
    tab.run_button.click()
    until(lambda: tab.experiment.job.status == "running")
    return tab.experiment.job


def test_closing_asks_once_and_stops(tab: Any, window: Any, until: Any, monkeypatch: Any) -> None:
    asked = choose(monkeypatch, button_named("Stop and close"))
    job = start_long_run(tab, until, monkeypatch)
    begin = time.monotonic()
    window.close()
    assert time.monotonic() - begin < 2.0
    assert asked == [f"“{job.request.name}” is not finished."]
    assert not window.isVisible()
    assert not THREADS & {thread.name for thread in threading.enumerate()}
    record = RunRecord(job.writer.folder)
    assert record.status == "stopped"
    assert len(record.board().state("path").series[0].x) > 0


def test_going_on_keeps_window_and_run(tab: Any, window: Any, until: Any, monkeypatch: Any) -> None:
    choose(monkeypatch, button_named("Go on"))
    job = start_long_run(tab, until, monkeypatch)
    window.close()
    assert window.isVisible()
    before = job.yields
    until(lambda: job.yields > before)
    assert job.status == "running"
    window.engine.stop(job)
    until(lambda: job.status.ended)


def test_nothing_is_asked_when_nothing_runs(ran: Any, window: Any, monkeypatch: Any) -> None:
    asked = choose(monkeypatch, 0)
    window.close()
    assert asked == []
    assert not window.isVisible()


def test_two_windows_share_the_engine(ran: Any, window: Any, until: Any) -> None:
    other = window.second_window()
    tab = other.open_tab("walk")
    until(lambda: tab.view("data").state is not None)
    other.close()
    assert window.isVisible()
    ran.run_button.click()
    until(lambda: ran.status_text() == "Finished")
