"""A report that stays until it is settled, and a note on the result of an edit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.theme.icons import paint_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.announce import announce
from gui.widgets.box import one_sided, paint_box
from gui.widgets.button import Button
from gui.widgets.icon_label import IconLabel
from gui.widgets.label import Label
from gui.widgets.option import Option, as_options

Level = Literal["danger", "warning", "info"]
_ICONS: dict[Level, str] = {"danger": "warning-circle-fill", "warning": "warning", "info": "info"}
_BAR = 3


class Banner(QWidget):
    """Report with a bar in the colour of its level: what and where, why, and what can be done.

    Choices are radio buttons, each with its consequence beside it; Apply sends the chosen value.
    """

    applied = Signal(object)
    """The person applied the choice with this value."""
    action = Signal(object)
    """The person pressed the further button with this value."""

    def __init__(
        self,
        level: Level,
        headline: str,
        detail: str = "",
        *,
        choices: Iterable[Option | str] = (),
        actions: Iterable[Option | str] = (),
        apply_word: str = "Apply",
        parent: QWidget | None = None,
    ) -> None:
        """Make the report.

        Args:
            level: danger, warning or info.
            headline: what was found and where.
            detail: why it matters; follows the headline on the same line if there are no choices.
            choices: what can be done; ``note`` is the consequence.
            actions: further buttons; the first is secondary, the rest ghosts.
            apply_word: deed on the button that applies the choice.
            parent: parent widget.
        """
        super().__init__(parent)
        self._level: Level = level
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(f"{headline} {detail}".strip())
        self._group = QButtonGroup(self)
        self._offered = as_options(choices)
        column = QVBoxLayout(self)
        left = theme().px(_BAR + 10 + TOKENS.size.icon + 10)
        column.setContentsMargins(left, theme().px(10), theme().px(14), theme().px(10))
        column.setSpacing(theme().px(2))
        tone = {"danger": "danger", "warning": "warning", "info": "accent"}[level]
        if headline:
            column.addWidget(Label(headline, "section", tone, wrap=True))
        if detail:
            column.addWidget(Label(detail, "body", "secondary", wrap=True))
        for number, option in enumerate(self._offered):
            column.addLayout(self._choice(number, option))
        further = as_options(actions)
        if self._offered or further:
            column.addSpacing(theme().px(6))
            column.addLayout(self._buttons(apply_word, further))
        announce(self, self.accessibleName(), urgent=level == "danger")

    def chosen(self) -> object:
        """Value of the marked choice, None without choices."""
        number = self._group.checkedId()
        return self._offered[number].value if number >= 0 else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            radius = theme().px(TOKENS.radius.card)
            paint_box(painter, self.rect(), radius, "surface", theme().colour("border"))
            token = "info" if self._level == "info" else self._level
            bar = one_sided(QRectF(0, 0, 2 * radius, self.height()), radius, left=True, right=False)
            painter.setClipRect(QRectF(0, 0, theme().px(_BAR), self.height()))
            painter.fillPath(bar, theme().colour(token))
            painter.setClipping(False)
            side = theme().px(TOKENS.size.icon)
            box = QRectF(theme().px(_BAR + 10), theme().px(12), side, side)
            paint_icon(painter, box, _ICONS[self._level], token)
        finally:
            painter.end()

    def _choice(self, number: int, option: Option) -> QHBoxLayout:
        button = QRadioButton(option.label)
        button.setChecked(number == 0)
        button.setEnabled(not option.reason)
        button.setToolTip(option.reason or option.help)
        button.setAccessibleName(option.label)
        button.setAccessibleDescription(option.reason or option.note)
        typeset(button, "body")
        self._group.addButton(button, number)
        row = QHBoxLayout()
        row.setSpacing(theme().px(10))
        row.addWidget(button)
        row.addWidget(Label(option.note, "small", "secondary", wrap=True), 1)
        return row

    def _buttons(self, apply_word: str, further: tuple[Option, ...]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme().px(8))
        if self._offered:
            button = Button(apply_word, "primary")
            button.clicked.connect(lambda: self.applied.emit(self.chosen()))
            row.addWidget(button)
        for place, option in enumerate(further):
            button = Button(option.label, "ghost" if place else "secondary", tip=option.help)
            button.set_blocked(option.reason)
            button.clicked.connect(lambda _=False, value=option.value: self.action.emit(value))
            row.addWidget(button)
        row.addStretch(1)
        return row


class InlineNote(QWidget):
    """One or two sentences on soft ground: the result of an edit by hand."""

    def __init__(self, text: str, icon_name: str = "info", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme().px(10), theme().px(6), theme().px(10), theme().px(6))
        row.setSpacing(theme().px(8))
        row.addWidget(IconLabel(icon_name, "info"), 0, Qt.AlignmentFlag.AlignTop)
        self._words = Label(text, "small", wrap=True)
        row.addWidget(self._words, 1)

    def set_text(self, text: str) -> None:
        """Say something else."""
        self._words.setText(text)
        announce(self, text)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            paint_box(painter, self.rect(), theme().px(TOKENS.radius.control), "info_soft")
        finally:
            painter.end()
