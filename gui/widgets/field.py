"""What all fields of a form have in common."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from gui.theme.sheet import repolish


@runtime_checkable
class Field(Protocol):
    """A widget that holds one value of a form.

    Signals: ``value_changed(object)`` when the person made it a different, valid value;
    ``problem_changed(str)`` when what is typed became wrong or right again; ``left()`` when the focus
    went elsewhere.
    """

    value_changed: SignalInstance
    problem_changed: SignalInstance
    left: SignalInstance

    def value(self) -> object:
        """The last valid value."""

    def set_value(self, value: object) -> None:
        """Show ``value`` without emitting ``value_changed``."""

    def problem(self) -> str:
        """What is wrong with what is typed and what is allowed; empty if nothing."""

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""


def show_state(widget: QWidget, state: str) -> None:
    """Set the outline of a field: empty, ``error`` or ``warning``."""
    repolish(widget, "state", state)
