"""What the window has not seen yet of one run, coalesced on the engine's side.

The engine puts every event; the window drains once a frame and then reads the present state of the views
that changed from the board. However many events came, a drain costs the same: the latest progress, the
set of changed views, and the few events that must each be seen.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from engine.core.events import (
    Acted,
    Answered,
    Append,
    Artifact,
    Ask,
    EngineEvent,
    Message,
    Progress,
    Show,
    StatusChanged,
)

MESSAGES_HELD = 2_000
"""Log lines held for a window that does not drain; older ones are in the record."""


@dataclass
class Changes:
    """What came since the last drain."""

    views: set[str] = field(default_factory=set)
    progress: Progress | None = None
    status: StatusChanged | None = None
    messages: list[Message] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    ask: Ask | None = None
    acted: list[Acted] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """What actions answered in words."""
    results: bool = False
    answered: bool = False


class Feed:
    """Thread-safe: `put` from the engine, `drain` from the window."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: Changes | None = None
        self._messages: deque[Message] = deque(maxlen=MESSAGES_HELD)

    def put(self, event: EngineEvent) -> None:
        """Note that `event` happened."""
        with self._lock:
            changes = self._changes
            if changes is None:
                changes = self._changes = Changes()
            if isinstance(event, (Append, Show)):
                changes.views.add(event.view)
            elif isinstance(event, Progress):
                changes.progress = event
            else:
                self._note(changes, event)

    def fail(self, sentence: str) -> None:
        """An action could not be carried out; `sentence` says why."""
        with self._lock:
            if self._changes is None:
                self._changes = Changes()
            self._changes.failures.append(sentence)

    def say(self, sentence: str) -> None:
        """An action answered in words."""
        with self._lock:
            if self._changes is None:
                self._changes = Changes()
            self._changes.said.append(sentence)

    def drain(self) -> Changes | None:
        """Everything since the last drain; None if nothing happened."""
        with self._lock:
            changes, self._changes = self._changes, None
            if changes is not None:
                changes.messages = list(self._messages)
                self._messages.clear()
            return changes

    def _note(self, changes: Changes, event: EngineEvent) -> None:
        if isinstance(event, Message):
            self._messages.append(event)
        elif isinstance(event, StatusChanged):
            changes.status = event
        elif isinstance(event, Artifact):
            changes.artifacts.append(event)
        elif isinstance(event, Ask):
            changes.ask = event
        elif isinstance(event, Answered):
            changes.ask, changes.answered = None, True
        elif isinstance(event, Acted):
            changes.acted.append(event)
        else:
            changes.results = True
