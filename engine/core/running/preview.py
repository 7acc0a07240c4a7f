"""What a tab shows before its first run, and what actions work on until then."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from engine.core.context import Context
from engine.core.errors import PapertabError
from engine.core.events import Acted, EngineEvent
from engine.core.method import Method, load
from engine.core.parameters import MethodParameters
from engine.core.running.steerable import Steerable


class Preview(Steerable):
    """Made on the steering thread. `steering` keeps what the person did, for the run that follows.

    `earlier` are edits of the preview before it (of the same data): they are done again on this one.
    """

    def __init__(
        self,
        method: Method,
        parameters: MethodParameters,
        data: Any,
        context: Context,
        earlier: Sequence[Acted] = (),
    ) -> None:
        super().__init__(method, context)
        self._earlier = tuple(earlier)
        self.parameters = parameters
        self.data = data
        self.steering: list[Acted] = []
        self.future: Future[None] | None = None

    def make(self) -> None:
        """Draw the preview; a method without one draws nothing."""
        if self.method.preview is None:
            return
        with self.lock:
            outcome = load(self.method.preview)(self.parameters, self.data.value, self.context)
            while True:
                try:
                    self.publish(next(outcome))
                except StopIteration as done:
                    if done.value is not None:
                        self.context.keep(done.value)
                    break
            for acted in standing(self._earlier):
                self._do_again(acted)

    def _do_again(self, acted: Acted) -> None:
        """An earlier edit; one that no longer fits is left out, which is told."""
        try:
            self.carry_out(self.call(acted.action, acted.arguments))
        except PapertabError as error:
            self.feed.fail(f"An edit was left out. {error}")

    def publish(self, event: EngineEvent) -> None:
        super().publish(event)
        if isinstance(event, Acted) and self.method.action(event.action).edits:
            self.steering.append(event)


def standing(edits: Sequence[Acted]) -> list[Acted]:
    """The edits that were not taken back, in order."""
    held: list[Acted] = []
    for acted in edits:
        if acted.kind == "undo":
            held.pop()
        else:
            held.append(acted)
    return held
