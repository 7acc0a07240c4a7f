"""What comes back at the next start, and where the window opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPoint
from PySide6.QtGui import QGuiApplication

from gui.tab.tab_state import tab_state
from gui.theme.theme import theme
from gui.window.sidebar import RUNS, START

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

FIRST_SIZE = (1280, 800)


def keep(window: MainWindow) -> None:
    """Write the session: geometry, theme, page, and the state of every tab that was opened."""
    session, tab = window.session, window.current_tab()
    on_runs = window.pages.currentWidget() is window.runs
    session.set("page", tab.method.slug if tab else RUNS if on_runs else START)
    session.set("geometry", bytes(window.saveGeometry().data()).hex())
    session.set("sidebar", window.columns.sizes())
    session.set("theme", theme().mode)
    session.set("zoom", theme().zoom)
    tabs = session.get("tabs", {})
    session.set("tabs", {**tabs, **{slug: tab_state(each) for slug, each in window.tabs.items()}})
    session.save()


def restore(window: MainWindow) -> None:
    """Put geometry and page back. A place whose title bar no screen shows is not used."""
    session = window.session
    window.resize(*(theme().px(side) for side in FIRST_SIZE))
    try:
        window.restoreGeometry(QByteArray(bytes.fromhex(session.get("geometry", ""))))
    except ValueError:
        session.forget("geometry")
    if not title_bar_visible(window):
        window.move(QGuiApplication.primaryScreen().availableGeometry().topLeft())
    sizes = session.get("sidebar", [])
    if len(sizes) == 2 and all(isinstance(size, int) and size >= 0 for size in sizes) and sizes[0]:
        window.columns.setSizes(sizes)
    page = session.get("page", START)
    if page in window.methods:
        window.open_tab(page)
    else:
        window.open_page(page if page == RUNS else START)


def title_bar_visible(window: MainWindow) -> bool:
    """Whether the middle of the window's upper edge lies on a screen."""
    frame = window.frameGeometry()
    grip = QPoint(frame.center().x(), frame.top() + 8)
    return any(screen.availableGeometry().contains(grip) for screen in QGuiApplication.screens())
