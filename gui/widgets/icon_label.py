"""An icon that stands by itself and does nothing; it follows the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS


class IconLabel(QWidget):
    """Phosphor icon in the colour of a token."""

    def __init__(
        self,
        icon_name: str,
        token: str = "text_secondary",
        size: int = TOKENS.size.icon,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name, self._token, self._size = icon_name, token, size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, icon_name: str, token: str) -> None:
        """Show another icon."""
        self._icon_name, self._token = icon_name, token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(self._size), theme().px(self._size))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_icon(painter, self.rect(), self._icon_name, self._token)
        finally:
            painter.end()
