"""A fault in a slot, a paint event, another thread or the engine: one sentence, the log, a living window."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from engine.core.places import data_folder
from gui.widgets.button import Button
from gui.widgets.toast import Toast
from gui.window.faults import FaultDialog, report_faults


@pytest.fixture
def watched(window: Any) -> Any:
    report_faults(window)
    return window


def sentences(window: Any) -> list[str]:
    return [toast.accessibleName() for toast in window.findChildren(Toast) if toast.isVisible()]


def logged() -> str:
    path = data_folder() / "papertab.log"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def test_slot(watched: Any, until: Any) -> None:
    def fail() -> None:
        raise ValueError("the lamp is out")

    QTimer.singleShot(0, fail)
    until(lambda: sentences(watched))
    assert sentences(watched) == ["Something went wrong: the lamp is out."]
    assert watched.isVisible()


def test_paint_event_is_told_once(watched: Any, until: Any) -> None:
    class Faulty(QWidget):
        painted = 0

        def paintEvent(self, event: Any) -> None:
            Faulty.painted += 1
            raise ArithmeticError("no brush")

    widget = Faulty(watched)
    widget.resize(20, 20)
    widget.show()
    for _ in range(3):
        widget.update()
        before = Faulty.painted
        until(lambda before=before: Faulty.painted > before)
    widget.hide()
    assert sentences(watched) == ["Something went wrong: no brush."]


def test_details_and_log(watched: Any, until: Any, monkeypatch: Any) -> None:
    lines: list[str] = []
    import logging

    monkeypatch.setattr(logging.getLogger("papertab"), "error", lambda _, text: lines.append(text))
    try:
        raise KeyError("gone")
    except KeyError:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    (toast,) = watched.findChildren(Toast)
    details = next(b for b in toast.findChildren(Button) if b.text() == "Details")
    details.click()
    (dialog,) = watched.findChildren(FaultDialog)
    assert "KeyError: 'gone'" in dialog.text.toPlainText()
    assert "test_faults.py" in lines[0]
    dialog.close()


def test_another_thread(watched: Any, until: Any) -> None:
    def fail() -> None:
        raise OSError("cable cut")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    until(lambda: sentences(watched))
    assert sentences(watched) == ["Something went wrong: cable cut."]


def test_failed_run_leaves_the_engine_alive(tab: Any, until: Any, monkeypatch: Any, tmp_path: Path) -> None:
    import tests.example_methods.walk.run as algorithm

    def broken(parameters: Any, data: Any, context: Any) -> Any:
        yield from list(algorithm.preview(parameters, data, context))
        raise RuntimeError("step 7 fell over")

    monkeypatch.setattr(algorithm, "run", broken)
    tab.run_button.click()
    until(lambda: tab.status_text() == "Failed")
    assert tab.run_bar.line.whole_text() == "RuntimeError: step 7 fell over"
    tab.run_bar.details.click()
    assert "step 7 fell over" in tab.drawer.log.toPlainText()
    assert tab.drawer.open_page() == "Log"
    monkeypatch.undo()
    tab.run_button.click()
    until(lambda: tab.status_text() == "Finished")


def test_one_failing_answer_does_not_lose_the_others(watched: Any, until: Any) -> None:
    taken: list[int] = []
    lane, bridge = watched.engine.loading, watched.bridge

    def fail(_: object) -> None:
        raise ValueError("first")

    bridge.then(lane.call(lambda: 1), fail)
    bridge.then(lane.call(lambda: 2), taken.append)
    until(lambda: taken == [2])
    assert sentences(watched) == ["Something went wrong: first."]
