"""The window's keys, declared once: what they do and how they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from gui.window.settings_menu import ZOOM_STEP, zoom_by

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

KEYS = (
    ("Ctrl+K", "go to anything"),
    ("Ctrl+F", "filter the list; in a view or table, find in it"),
    ("Ctrl+B", "show or hide the methods"),
    ("Ctrl+O", "open data"),
    ("Ctrl+Enter", "run"),
    ("Space", "pause or resume, when no field has the focus"),
    ("Ctrl+.", "stop"),
    ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
    ("Ctrl+1 … Ctrl+9", "go to a view"),
    ("F11, Esc", "maximise the view, back"),
    ("Ctrl+E", "export the view"),
    ("F6", "next area: list, form, views, drawer"),
    ("F1", "help on the method"),
    ("Ctrl++, Ctrl+−, Ctrl+0", "larger, smaller, usual size"),
    ("?", "this list"),
)


def add_shortcuts(window: MainWindow) -> None:
    """Bind the keys that work everywhere in the window."""
    deeds = {
        "Ctrl+K": window.open_palette,
        "Ctrl+B": window.toggle_sidebar,
        "Ctrl+O": window.choose_file,
        "Ctrl++": lambda: zoom_by(ZOOM_STEP),
        "Ctrl+=": lambda: zoom_by(ZOOM_STEP),
        "Ctrl+-": lambda: zoom_by(-ZOOM_STEP),
        "Ctrl+0": lambda: zoom_by(0),
        "F6": lambda: next_area(window),
        "?": window.show_keys,
    }
    for keys, deed in deeds.items():
        QShortcut(QKeySequence(keys), window).activated.connect(deed)


def next_area(window: MainWindow) -> None:
    """Give the keyboard to the next of: list, form, views, drawer."""
    tab = window.current_tab()
    areas: list[QWidget] = [window.sidebar]
    areas += [tab.form, tab.views, tab.drawer] if tab is not None else [window.page()]
    focused = QApplication.focusWidget()
    here = next((n for n, area in enumerate(areas) if focused and area.isAncestorOf(focused)), -1)
    for step in range(1, len(areas) + 1):
        area = areas[(here + step) % len(areas)]
        target = _first_focusable(area)
        if area.isVisible() and target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def _first_focusable(area: QWidget) -> QWidget | None:
    for child in area.findChildren(QWidget):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible() and child.isEnabled():
            return child
    return None
