"""A line to filter by, with its sign and its shortcut inside."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.button import shortcut_text
from gui.widgets.keycap import keycap_width, paint_keycap


class SearchField(QLineEdit):
    """Filter text. Escape clears it; arrows up and down go to whoever listens to ``moved``."""

    moved = Signal(int)
    """The person pressed an arrow, -1 up or +1 down, to move in the list the field filters."""

    def __init__(
        self,
        placeholder: str = "Search",
        shortcut: str = "",
        *,
        bare: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._hint = shortcut_text(shortcut) if shortcut else ""
        self._bare = bare
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        typeset(self, "dialog" if bare else "body", weight=400)
        left = theme().px(22 if not bare else 28)
        right = keycap_width(self._hint) if self._hint else 0
        self.setTextMargins(left - theme().px(2), 0, right, 0)
        if bare:
            self.setProperty("kind", "bare")
        if shortcut and not bare:
            key = QShortcut(QKeySequence(shortcut), self)
            key.activated.connect(self._take_focus)

    def set_hint(self, text: str) -> None:
        """Show a key at the right, as "Esc"."""
        self._hint = text
        margins = self.textMargins()
        margins.setRight(keycap_width(text) if text else 0)
        self.setTextMargins(margins)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Escape and self.text() and not self._bare:
            self.clear()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        try:
            side = theme().px(TOKENS.size.icon)
            left = theme().px(2 if self._bare else 8)
            box = QRectF(left, (self.height() - side) / 2, side, side)
            paint_icon(painter, box, "magnifying-glass", "text_tertiary")
            if self._hint and (self._bare or not self.text()):
                paint_keycap(painter, self.width() - theme().px(6), self.height() / 2, self._hint)
        finally:
            painter.end()

    def _take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
