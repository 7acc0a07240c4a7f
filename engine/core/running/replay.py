"""Answers and actions of an earlier run, given again at the same places."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from engine.core.events import Acted, Answered, EngineEvent


class Replay:
    """What a person did in a recorded run. `due` gives the actions that followed the nth yield."""

    def __init__(self, events: Sequence[EngineEvent]) -> None:
        self._answers = deque(event for event in events if isinstance(event, Answered))
        self._actions = deque(event for event in events if isinstance(event, Acted) and event.after >= 0)

    def answer(self) -> Answered | None:
        """The next recorded answer."""
        return Answered(self._answers.popleft().answer, "replay") if self._answers else None

    def due(self, yields: int) -> Iterator[Acted]:
        """The actions recorded after this many yields."""
        while self._actions and self._actions[0].after <= yields:
            yield self._actions.popleft()

    def rest(self) -> Iterator[Acted]:
        """The actions recorded after the run had ended."""
        while self._actions:
            yield self._actions.popleft()
