"""Menus with round corners."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPainterPath, QRegion, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from gui.theme.icons import icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset


class Menu(QMenu):
    """Menu whose entries have an icon, a word and a shortcut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Corners outside the radius must be clear. Without a compositor, which X11 may lack, a clear
        # corner is black: there the window is cut to its shape instead.
        self._cut = QGuiApplication.platformName() == "xcb"
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not self._cut)
        self.setWindowFlags(
            self.windowFlags() | Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        )
        self.setToolTipsVisible(True)
        typeset(self, "body")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cut:
            path, radius = QPainterPath(), theme().px(TOKENS.radius.menu)
            path.addRoundedRect(QRectF(self.rect()), radius, radius)
            self.setMask(QRegion(path.toFillPolygon().toPolygon()))

    def add(
        self, text: str, deed: Callable[[], object], icon_name: str = "", shortcut: str = "", reason: str = ""
    ) -> QAction:
        """Add an entry.

        Args:
            text: the deed in words.
            deed: called without arguments when the entry is chosen.
            icon_name: Phosphor icon.
            shortcut: shown at right; it works only while the action is also added to a widget.
            reason: why the entry cannot be used; empty if it can.
        """
        action = QAction(text, self)
        if icon_name:
            action.setIcon(icon(icon_name))
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False: deed())
        action.setEnabled(not reason)
        action.setToolTip(reason)
        self.addAction(action)
        return action
