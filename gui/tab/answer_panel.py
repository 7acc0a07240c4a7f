"""What a waiting run asks, and the fields to answer it: shown in the run bar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.core.events import Ask
from gui.widgets.button import Button
from gui.widgets.choice_field import ChoiceField
from gui.widgets.field_row import FieldRow
from gui.widgets.label import Label
from gui.widgets.number_field import NumberField
from gui.widgets.option import Option
from gui.widgets.text_field import TextField
from gui.widgets.toggle_switch import ToggleSwitch


class AnswerPanel(QWidget):
    """One field per thing asked; ready answers are buttons of their own."""

    answered = Signal(object)
    """A mapping: field → value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.question: Ask | None = None
        self.fields: dict[str, Any] = {}
        self.buttons: list[Button] = []
        self.hide()

    def ask(self, question: Ask | None) -> None:
        """Show a question; None for none."""
        if question is self.question:
            return
        self.question = question
        self._clear()
        self.setVisible(question is not None)
        if question is None:
            return
        self._column.addWidget(Label(question.question, "body", wrap=True))
        if question.choices:
            for place, (word, reply) in enumerate(question.choices.items()):
                self._add_button(word, reply, primary=place == 0)
            return
        for name, allowed in question.fields.items():
            field = _field(name, allowed, question.default.get(name))
            self.fields[name] = field
            self._column.addWidget(FieldRow(_title(name), field))
        self._add_button("Answer", None, primary=True)

    def _add_button(self, word: str, reply: Mapping[str, Any] | None, *, primary: bool) -> None:
        button = Button(word, "primary" if primary else "secondary", large=True)
        button.clicked.connect(
            lambda: self.answered.emit(dict(reply) if reply is not None else self._reply())
        )
        self.buttons.append(button)
        self._column.addWidget(button)

    def _reply(self) -> dict[str, Any]:
        return {name: field.value() for name, field in self.fields.items()}

    def _clear(self) -> None:
        self.fields, self.buttons = {}, []
        while self._column.count():
            item = self._column.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


def _field(name: str, allowed: Any, default: Any) -> Any:
    title = _title(name)
    if isinstance(allowed, tuple | list):
        return ChoiceField([Option(value, _word(value)) for value in allowed], default, name=title)
    if isinstance(allowed, bool):
        return ToggleSwitch("", bool(default if default is not None else allowed), name=title)
    if isinstance(allowed, int | float):
        start = allowed if default is None else default
        return NumberField(start, whole=isinstance(allowed, int), name=title)
    return TextField(str(allowed if default is None else default), name=title)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
