"""The real window over the throw-away method, shown without a screen, with a home of its own."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.core.method import Method
from gui.start import make_window, shut
from gui.tab.method_tab import MethodTab
from gui.theme.theme import theme
from gui.window.main_window import MainWindow

Until = Callable[..., None]
MakeWindow = Callable[..., MainWindow]


@pytest.fixture
def until(qtbot: Any) -> Until:
    """Waits, with the event loop going, until something holds."""

    def wait(holds: Callable[[], object], milliseconds: int = 20_000) -> None:
        qtbot.waitUntil(lambda: bool(holds()), timeout=milliseconds)

    return wait


@pytest.fixture
def make(qapp: QApplication, walk: Method) -> Iterator[MakeWindow]:
    """Makes windows as the program does; each is shut at the end, and the hooks are put back."""
    hooks = sys.excepthook, threading.excepthook
    made: list[MainWindow] = []

    def window(*arguments: str) -> MainWindow:
        fresh: MainWindow = make_window(qapp, list(arguments))
        theme().set_mode("light")
        theme().set_reduce_motion(True)
        sys.excepthook, threading.excepthook = hooks
        made.append(fresh)
        fresh.resize(1280, 800)
        fresh.show()
        QTest.qWaitForWindowExposed(fresh)
        return fresh

    yield window
    for each in made:
        shut(each)
        each.hide()
        each.deleteLater()
    sys.excepthook, threading.excepthook = hooks
    theme().set_mode("light")


@pytest.fixture
def window(make: MakeWindow) -> MainWindow:
    """The window on its start page."""
    return make()


@pytest.fixture
def tab(window: MainWindow, until: Until) -> MethodTab:
    """The tab of the random walk, its data read and its preview drawn."""
    opened = window.open_tab("walk")
    until(lambda: opened.view("data").state is not None)
    return opened


@pytest.fixture
def ran(tab: MethodTab, until: Until) -> MethodTab:
    """The same after its first run."""
    tab.run_button.click()
    until(lambda: tab.status_text() == "Finished" and len(tab.view("path").state.series[0].x) == 50)
    return tab


def press(widget: QWidget | None, key: Qt.Key, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
    """A key on the widget that has the focus, or on this one."""
    target = QApplication.focusWidget() or widget
    assert target is not None
    QTest.keyClick(target, key, keys)
