"""Asks for the arguments of an action before it is carried out."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from engine.core.errors import PapertabError
from engine.core.method import Action
from gui.tab.editors import editor, meant
from gui.tab.experiment import Experiment
from gui.theme.theme import theme
from gui.widgets.button import Button
from gui.widgets.field_row import FieldRow
from gui.widgets.label import Label
from gui.widgets.wheel_guard import guard_wheel


def ask_to_act(action: Action, experiment: Experiment, parent: QWidget) -> None:
    """Carry an action out, after its arguments are known where it takes any."""
    if not action.arguments.fields():
        experiment.act(action.name, {})
        return
    dialog = ActionDialog(action, parent)
    dialog.agreed.connect(partial(experiment.act, action.name))
    dialog.open()


class ActionDialog(QDialog):
    """One field per argument; the button is named by the deed."""

    agreed = Signal(object)
    """A mapping: argument → value."""

    def __init__(self, action: Action, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.action = action
        self.setWindowTitle(action.title)
        self.setMinimumWidth(theme().px(380))
        self.fields: dict[str, Any] = {}
        self.refusal = Label("", "caption", "danger", wrap=True)
        self.refusal.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addWidget(Label(action.title, "dialog"))
        column.addWidget(Label(action.help, "small", "secondary", wrap=True))
        self._specs = {spec.name: spec for spec in action.arguments.fields()}
        for name, spec in self._specs.items():
            self.fields[name] = editor(spec, spec.default)
            row = FieldRow(spec.title, self.fields[name], help_text=spec.help, above=spec.kind == "several")
            column.addWidget(row)
        column.addWidget(self.refusal)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        cancel = Button("Cancel")
        cancel.clicked.connect(self.reject)
        self.go = Button(action.button or action.title, "primary")
        self.go.clicked.connect(self._agree)
        buttons.addWidget(cancel)
        buttons.addWidget(self.go)
        column.addLayout(buttons)
        guard_wheel(self)

    def _agree(self) -> None:
        held = {name: meant(self._specs[name], field.value()) for name, field in self.fields.items()}
        try:
            self.action.arguments.build(held)
        except PapertabError as error:
            self.refusal.setText(str(error))
            self.refusal.show()
            return
        self.accept()
        self.agreed.emit(held)
