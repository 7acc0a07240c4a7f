"""Settings: theme, zoom, outlines, motion, the log file, where runs are kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from engine.core.places import data_folder
from gui.theme.theme import Mode, theme
from gui.window.queue_menu import UpwardMenu

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

ZOOM_STEP = 0.1
MODES: tuple[tuple[Mode, str, str], ...] = (
    ("system", "Follow the system", "monitor"),
    ("light", "Light", "sun"),
    ("dark", "Dark", "moon"),
)


def zoom_by(step: float) -> None:
    """Make all text and controls larger or smaller; zero is back to the system's size."""
    theme().set_zoom(1.0 if step == 0 else theme().zoom + step)


def settings_menu(window: MainWindow) -> UpwardMenu:
    """What the person can set for the whole window."""
    look = theme()
    menu = UpwardMenu(window)
    for mode, text, icon in MODES:
        entry = menu.add(text, partial(look.set_mode, mode), icon)
        entry.setCheckable(True)
        entry.setChecked(look.mode == mode)
    menu.addSeparator()
    menu.add("Larger", partial(zoom_by, ZOOM_STEP), "magnifying-glass-plus", "Ctrl++")
    menu.add("Smaller", partial(zoom_by, -ZOOM_STEP), "magnifying-glass-minus", "Ctrl+-")
    menu.add("Usual size", partial(zoom_by, 0), "magnifying-glass", "Ctrl+0")
    menu.addSeparator()
    outlines, motion = look.outline == look.colours.control_border, look.reduce_motion
    for name, text, icon, chosen, setting in (
        ("strong_outlines", "Stronger outlines", "selection", outlines, look.set_strong_outlines),
        ("reduce_motion", "Reduce motion", "wind", motion, look.set_reduce_motion),
    ):
        entry = menu.add(text, partial(_choose, window, name, not chosen, setting), icon)
        entry.setCheckable(True)
        entry.setChecked(chosen)
    menu.addSeparator()
    menu.add("Open the folder of runs", lambda: _open(str(data_folder())), "folder")
    menu.add("Open the log file", lambda: _open(str(data_folder() / "papertab.log")), "file-text")
    menu.add("Keys", window.show_keys, "keyboard", "?")
    return menu


def _choose(window: MainWindow, name: str, on: bool, setting: Callable[[bool], None]) -> None:
    """Kept from now on, whatever the system asks for."""
    window.session.set(name, on)
    setting(on)


def _open(path: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))
