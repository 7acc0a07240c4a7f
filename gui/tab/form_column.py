"""The left column of a tab: data, parameters, what a repetition needs; the run bar stays at its foot."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.tab.hairline import Hairline, HairlineSplitter
from gui.tab.header import NARROW
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS

WIDEST = 400


class FormColumn(QWidget):
    """Scrolls as one above the run bar."""

    def __init__(self, parts: tuple[QWidget, ...], foot: QWidget) -> None:
        super().__init__()
        inside = QWidget()
        inner = QVBoxLayout(inside)
        inner.setContentsMargins(24, 16, 16, 16)
        inner.setSpacing(16)
        for part in parts:
            inner.addWidget(part)
        inner.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inside)
        self.setMinimumWidth(theme().px(TOKENS.size.form_narrow))
        self.setMaximumWidth(theme().px(WIDEST))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.area, 1)
        column.addWidget(Hairline())
        column.addWidget(foot)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(TOKENS.size.form), super().sizeHint().height())


class FormSplitter(HairlineSplitter):
    """Form at the left, views at the right; a narrow tab begins with a narrow form."""

    def __init__(self, form: QWidget, views: QWidget) -> None:
        super().__init__()
        self._narrow = False
        self.addWidget(form)
        self.addWidget(views)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setSizes([theme().px(TOKENS.size.form), 10_000])

    def fit(self, width: int) -> None:
        """The tab has this width now; where that crosses the limit, the form takes its other width."""
        narrow = width < theme().px(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            form = TOKENS.size.form_narrow if narrow else TOKENS.size.form
            self.setSizes([theme().px(form), width])
