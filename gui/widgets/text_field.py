"""Words: one line, or several."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.field import show_state

Check = Callable[[str], str]
"""Takes what is typed, returns what is wrong with it, or an empty text."""


def _all_right(_text: str) -> str:
    return ""


class TextField(QLineEdit):
    """One line of words; ``check`` says what is wrong with them."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = "",
        check: Check = _all_right,
        code: bool = False,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(value, parent)
        self._check = check
        self._value = value
        self._problem = check(value)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        typeset(self, "code" if code else "body")
        self.textEdited.connect(self._on_edit)

    def value(self) -> str:
        """The last valid text."""
        return self._value

    def set_value(self, value: object) -> None:
        """Show ``value`` without ``value_changed``."""
        self._value = str(value)
        self.setText(self._value)
        self._set_problem(self._check(self._value))

    def problem(self) -> str:
        """What is wrong with the text; empty if nothing."""
        return self._problem

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""
        show_state(self, state)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(TOKENS.size.control))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(56), theme().px(TOKENS.size.control))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def _on_edit(self, text: str) -> None:
        problem = self._check(text)
        self._set_problem(problem)
        if not problem and text != self._value:
            self._value = text
            self.value_changed.emit(text)

    def _set_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self.problem_changed.emit(problem)


class TextArea(QPlainTextEdit):
    """Several lines of words, plain; Tab moves on to the next field."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = "",
        lines: int = 4,
        check: Check = _all_right,
        code: bool = False,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(value, parent)
        self._check = check
        self._lines = lines
        self._value = value
        self._problem = check(value)
        self._setting = False
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        typeset(self, "code" if code else "body")
        self.document().setDocumentMargin(2)
        self.textChanged.connect(self._on_edit)

    def value(self) -> str:
        """The last valid text."""
        return self._value

    def set_value(self, value: object) -> None:
        """Show ``value`` without ``value_changed``."""
        self._setting = True
        self._value = str(value)
        self.setPlainText(self._value)
        self._setting = False
        self._set_problem(self._check(self._value))

    def problem(self) -> str:
        """What is wrong with the text; empty if nothing."""
        return self._problem

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""
        show_state(self, state)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(160), self.fontMetrics().lineSpacing() * self._lines + theme().px(14))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(96), self.sizeHint().height())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def _on_edit(self) -> None:
        if self._setting:
            return
        text = self.toPlainText()
        problem = self._check(text)
        self._set_problem(problem)
        if not problem and text != self._value:
            self._value = text
            self.value_changed.emit(text)

    def _set_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self.problem_changed.emit(problem)
