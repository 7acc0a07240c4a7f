"""What a tab shows before its first run, and what actions work on until then."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from engine.core.context import Context
from engine.core.events import Acted, EngineEvent
from engine.core.method import Method, load
from engine.core.parameters import MethodParameters
from engine.core.running.steerable import Steerable


class Preview(Steerable):
    """Made on the steering thread. `steering` keeps what the person did, for the run that follows."""

    def __init__(self, method: Method, parameters: MethodParameters, data: Any, context: Context) -> None:
        super().__init__(method, context)
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
                    return

    def publish(self, event: EngineEvent) -> None:
        super().publish(event)
        if isinstance(event, Acted) and self.method.action(event.action).edits:
            self.steering.append(event)
