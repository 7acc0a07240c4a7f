"""Palette, keys, lists: what the window answers to wherever the focus is."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.window.keys_dialog import KeysDialog
from gui.window.queue_menu import queue_menu, queue_words

CTRL = Qt.KeyboardModifier.ControlModifier


def test_palette_jumps_to_a_method(window: Any, until: Any) -> None:
    QTest.keyClick(window, Qt.Key.Key_K, CTRL)
    assert window.palette_box.isVisible()
    QTest.keyClicks(QApplication.focusWidget(), "random wa")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.current_tab().method.slug == "walk"
    assert not window.palette_box.isVisible()


def test_palette_runs_an_action(tab: Any, window: Any, until: Any) -> None:
    QTest.keyClick(window, Qt.Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "all runs")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.pages.currentWidget() is window.runs


def test_filter_of_the_list_on_show(window: Any) -> None:
    QTest.keyClick(window, Qt.Key.Key_F, CTRL)
    assert QApplication.focusWidget() is window.sidebar.filter
    window.open_page("runs")
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F, CTRL)
    assert QApplication.focusWidget() is window.runs.search


def test_list_is_hidden_and_brought_back(tab: Any, window: Any) -> None:
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    assert window.sidebar.isHidden()
    assert tab.header.list_button.isVisible()
    tab.header.list_button.click()
    assert not window.sidebar.isHidden()


def test_narrow_window_hides_the_list_by_itself(window: Any) -> None:
    window.resize(1100, 700)
    assert window.sidebar.isHidden()
    window.resize(1300, 800)
    assert not window.sidebar.isHidden()


def test_areas_in_turn(tab: Any, window: Any) -> None:
    visited = []
    window.sidebar.filter.setFocus()
    for _ in range(4):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
        focused = QApplication.focusWidget()
        areas = {"form": tab.form, "views": tab.views, "drawer": tab.drawer, "list": window.sidebar}
        visited.append(next(name for name, area in areas.items() if area.isAncestorOf(focused)))
    assert visited == ["form", "views", "drawer", "list"]


def test_all_keys_are_listed(window: Any) -> None:
    QTest.keyClick(window, "?")  # type: ignore[arg-type]
    (dialog,) = window.findChildren(KeysDialog)
    assert dialog.isVisible()
    dialog.close()


def test_theme_switches_while_shown(tab: Any, window: Any) -> None:
    from gui.theme.theme import theme

    light = window.grab().toImage()
    theme().set_mode("dark")
    dark = window.grab().toImage()
    places = [(4, 400), (400, 20), (400, 500), (tab.width() - 20, 300)]
    for x, y in places:
        assert light.pixelColor(x, y).lightness() > 200 > 80 > dark.pixelColor(x, y).lightness()


def test_queue_is_reordered(tab: Any, window: Any, until: Any) -> None:
    experiment = tab.experiment
    experiment.set_value("steps", 100_000)
    jobs = experiment.run_seeds(3)
    until(lambda: jobs[0].status == "running")
    assert queue_words(window.engine.jobs()) == "1 running · 2 queued"
    menu = queue_menu(window)
    entry = next(a.menu() for a in menu.actions() if a.menu() and "seed 2" in a.menu().title())
    next(a for a in entry.actions() if a.text() == "Run next").trigger()
    assert window.engine.queue.waiting() == [jobs[2], jobs[1]]
    for job in jobs:
        window.engine.stop(job)
    until(lambda: all(job.status.ended for job in jobs))


def test_a_file_dropped_on_the_start_page_opens_a_tab(window: Any, until: Any, tmp_path: Any) -> None:
    folder = tmp_path / "Vögel 鳥"
    folder.mkdir()
    path = folder / "größe der flügel.csv"
    path.write_text("länge,breite\n1,2\n3,5\n4,4.5\n", encoding="utf-8")
    window.methods = {"walk": window.methods["walk"]}
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(300, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    tab = window.current_tab()
    until(lambda: tab.experiment.data.loaded is not None and not tab.experiment.data.loading)
    assert tab.experiment.data.loaded.value.names == ("länge", "breite")
    assert tab.data.chooser.currentText() == "größe der flügel.csv"
