"""What a view says before there is anything to draw: what will be there, and how it will be read."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.icon_label import IconLabel
from gui.widgets.label import Label

_WIDEST = 360


class EmptyView(QWidget):
    """Icon, what will appear, and one sentence on how it will be read."""

    def __init__(
        self, headline: str, sentence: str = "", icon_name: str = "chart-line", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{headline}. {sentence}".strip())
        self._headline = Label(headline, "control", "secondary", wrap=True)
        self._sentence = Label(sentence, "small", "tertiary", wrap=True)
        block = QWidget()
        block.setMaximumWidth(theme().px(_WIDEST))
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, theme().px(8))
        column.setSpacing(theme().px(6))
        column.addStretch(1)
        sign = IconLabel(icon_name, "text_tertiary", TOKENS.size.icon_large)
        column.addWidget(sign, 0, Qt.AlignmentFlag.AlignHCenter)
        for words in (self._headline, self._sentence):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(words)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme().px(16), 0, theme().px(16), 0)
        row.addStretch(1)
        row.addWidget(block, 1000)
        row.addStretch(1)

    def set_texts(self, headline: str, sentence: str) -> None:
        """Say something else."""
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{headline}. {sentence}".strip())
