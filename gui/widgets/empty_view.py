"""What a view says before there is anything to draw: what will be there, and how it will be read."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.theme.icons import icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.label import Label

_WIDEST = 360


class EmptyView(QWidget):
    """Icon, what will appear, and one sentence on how it will be read."""

    def __init__(
        self, headline: str, sentence: str = "", icon_name: str = "chart-line", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setAccessibleName(f"{headline}. {sentence}".strip())
        self._sign = QLabel()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._headline = Label(headline, "control", "secondary", wrap=True)
        self._sentence = Label(sentence, "small", "tertiary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme().px(16), 0, theme().px(16), theme().px(8))
        column.setSpacing(theme().px(6))
        column.addStretch(1)
        column.addWidget(self._sign)
        for words in (self._headline, self._sentence):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            words.setMaximumWidth(theme().px(_WIDEST))
            column.addWidget(words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self._redraw()
        theme().changed.connect(self._redraw)

    def set_texts(self, headline: str, sentence: str) -> None:
        """Say something else."""
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{headline}. {sentence}".strip())

    def _redraw(self) -> None:
        side = theme().px(TOKENS.size.icon_large)
        self._sign.setPixmap(
            icon(self._icon_name, "text_tertiary").pixmap(QSize(side, side), self.devicePixelRatioF())
        )
