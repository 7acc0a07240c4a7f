"""One of several, in a list that drops down."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.field import show_state
from gui.widgets.option import Option, as_options
from gui.widgets.wheel_guard import guard_wheel


class ChoiceField(QComboBox):
    """Drop-down list; with ``two_lines`` the chosen option's note stands under its label."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        options: Iterable[Option | str],
        value: object = None,
        *,
        two_lines: bool = False,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._two_lines = two_lines
        self._options: tuple[Option, ...] = ()
        if two_lines:
            self.setProperty("lines", "2")
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        # The default delegate of combo boxes ignores the item heights of the style sheet.
        self.setItemDelegate(QStyledItemDelegate(self))
        typeset(self, "body")
        guard_wheel(self)
        self.set_options(options, value)
        self.activated.connect(self._on_choice)

    def options(self) -> tuple[Option, ...]:
        """What is offered, in order."""
        return self._options

    def set_options(self, options: Iterable[Option | str], value: object = None) -> None:
        """Offer other options and choose ``value`` (None: the first), without a signal."""
        self._options = as_options(options)
        model = QStandardItemModel(self)
        for option in self._options:
            item = QStandardItem(option.label)
            item.setToolTip(option.reason or option.help or option.note)
            item.setEnabled(not option.reason)
            model.appendRow(item)
        self.setModel(model)
        self.set_value(self._options[0].value if value is None and self._options else value)

    def value(self) -> object:
        """Value of the chosen option, None if there is none."""
        index = self.currentIndex()
        return self._options[index].value if index >= 0 else None

    def set_value(self, value: object) -> None:
        """Choose the option with this value, without a signal.

        Raises:
            ValueError: no option has this value.
        """
        for index, option in enumerate(self._options):
            if option.value == value:
                self.setCurrentIndex(index)
                self._describe()
                return
        if self._options:
            raise ValueError(f"no option stands for {value!r}")

    def problem(self) -> str:
        """Why the chosen option cannot be used, empty if it can."""
        index = self.currentIndex()
        return self._options[index].reason if index >= 0 else ""

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""
        show_state(self, state)

    def sizeHint(self) -> QSize:
        tall = TOKENS.size.control_large if self._two_lines else TOKENS.size.control
        return QSize(super().sizeHint().width(), theme().px(tall))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(72), self.sizeHint().height())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        try:
            frame = QStyleOptionComboBox()
            self.initStyleOption(frame)
            text, frame.currentText = frame.currentText, ""
            painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, frame)
            left, room = theme().px(9), self.width() - theme().px(9 + 26)
            if self._two_lines and self.currentIndex() >= 0:
                half = theme().px(16)
                top = (self.height() - 2 * half) // 2 + 1
                self._line(painter, QRect(left, top, room, half), text, "text", "control")
                note = self._options[self.currentIndex()].note
                self._line(
                    painter, QRect(left, top + half - 2, room, half), note, "text_secondary", "caption"
                )
            else:
                self._line(painter, QRect(left, 0, room, self.height()), text, "text", "body")
        finally:
            painter.end()

    def _line(self, painter: QStylePainter, rect: QRect, text: str, token: str, role: str) -> None:
        painter.setFont(theme().font(role))  # type: ignore[arg-type]
        painter.setPen(theme().colour(token if self.isEnabled() else "text_disabled"))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)

    def _on_choice(self, _index: int) -> None:
        self._describe()
        self.value_changed.emit(self.value())

    def _describe(self) -> None:
        option = self._options[self.currentIndex()]
        self.setToolTip(option.help or option.note)
        self.setAccessibleDescription(option.note)
