"""What actions work on: the state a run keeps, or a preview's, with its board, feed and undo history."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.board import Board
from engine.core.context import Context
from engine.core.errors import RunError
from engine.core.events import Acted, EngineEvent, Message, Value
from engine.core.method import Action, Method, load
from engine.core.parameters import MethodParameters
from engine.core.running.feed import Feed


@dataclass(frozen=True)
class Call:
    """An action to be carried out."""

    action: Action
    arguments: MethodParameters
    kind: str = "do"


class Steerable:
    """Base of a run and of a preview. `lock` is held while an action changes the state."""

    def __init__(self, method: Method, context: Context) -> None:
        self.method = method
        self.context = context
        self.board = Board()
        self.feed = Feed()
        self.lock = threading.RLock()
        self.yields = -1
        self._undo: list[tuple[str, Mapping[str, Any]]] = []
        self._redo: list[tuple[str, Mapping[str, Any]]] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo)

    def publish(self, event: EngineEvent) -> None:
        """Take an event into the board and tell the window. Undeclared views and results are refused."""
        if isinstance(event, Value) and self.method.scalar(event.name) is None:
            raise RunError(f"{self.method.title} yields a result it does not declare: {event.name}")
        view = self.board.apply(event)
        if view is not None:
            self.method.view(view)
        self.feed.put(event)

    def call(self, name: str, arguments: Mapping[str, Any], kind: str = "do") -> Call:
        """A checked call of action `name`.

        Raises:
            UnknownNameError, FieldError: no such action, or an argument that is not allowed.
        """
        action = self.method.action(name)
        return Call(action, action.arguments.build(arguments), kind)

    def undo_call(self) -> Call | None:
        """The call that takes back the last edit, if there is one."""
        return self.call(*self._undo[-1], kind="undo") if self._undo else None

    def redo_call(self) -> Call | None:
        """The call that does again what was last taken back."""
        return self.call(*self._redo[-1], kind="redo") if self._redo else None

    def carry_out(self, call: Call) -> None:
        """Apply the action to the state, publishing its events. The caller holds `lock`.

        Raises:
            RunError: there is no state yet; whatever the action raises.
        """
        if self.context.state is None:
            raise RunError(f"{call.action.title}: there is nothing to act on yet")
        if call.kind != "do":
            # others may have been carried out since it was asked for: what counts is the history now
            latest = self.undo_call() if call.kind == "undo" else self.redo_call()
            if latest is None:
                return
            call = latest
        inverse = self._apply(call)
        values = call.arguments.as_record()
        undo = (call.action.name, inverse) if call.action.edits and inverse is not None else None
        self._remember(call.kind, undo)
        self.publish(
            Acted(call.action.name, values, self.yields, undo, call.kind)  # type: ignore[arg-type]
        )

    def _apply(self, call: Call) -> Mapping[str, Any] | None:
        outcome = load(call.action.apply)(self.context.state, call.arguments, self.context)
        if not isinstance(outcome, Iterator):
            return outcome
        while True:
            try:
                event = next(outcome)
            except StopIteration as done:
                return done.value
            self.publish(event)
            if isinstance(event, Message):
                self.feed.say(event.text)

    def _remember(self, kind: str, undo: tuple[str, Mapping[str, Any]] | None) -> None:
        if kind == "undo":
            self._undo.pop()
        elif kind == "redo":
            self._redo.pop()
        if undo is None:
            return
        if kind == "undo":
            self._redo.append(undo)
            return
        self._undo.append(undo)
        if kind == "do":
            self._redo.clear()
