"""The keys of a tab."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab


def bind_keys(tab: MethodTab) -> None:
    """Bind what works anywhere in the tab. Space and Escape are left to whatever has the focus first."""
    deeds: dict[str, Callable[[], object]] = {
        "Ctrl+Return": tab.run_bar.run,
        "Ctrl+Enter": tab.run_bar.run,
        "Ctrl+.": tab.run_bar.stop,
        "Ctrl+Z": tab.undo,
        "Ctrl+Shift+Z": tab.redo,
        "Ctrl+E": tab.export_focused,
        "F11": tab.maximise_focused,
        "F1": tab.show_help,
        **{f"Ctrl+{number}": partial(tab.views.focus_view, number - 1) for number in range(1, 10)},
    }
    for keys, deed in deeds.items():
        shortcut = QShortcut(QKeySequence(keys), tab)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(deed)
