"""What a run's description says while it goes on: status, results, counts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.core.encoding import plain_number
from engine.core.events import Value
from engine.core.records.header import RunHeader
from engine.core.records.process import this_process

#: Seconds between two heartbeats in run.json, and between two writings of it for new results.
HEARTBEAT, RESULTS = 5.0, 1.0


class RunState:
    """What ``run.json`` says at the moment."""

    def __init__(self, header: RunHeader) -> None:
        self._header = header
        self._status = "queued"
        self._error: dict[str, Any] | None = None
        self._seconds: float | None = None
        self._peak_mb: float | None = None
        self._results: dict[str, Any] = {}
        self._spreads: dict[str, dict[str, Any]] = {}
        self._counts: dict[str, int] = {}
        self._new_status = self._new_results = False
        self.latest = 0.0
        self.points = 0
        self.closed = False

    def value(self, event: Value) -> None:
        """A result. Raises TypeError if it is neither a number nor a text."""
        value = event.value.item() if isinstance(event.value, np.generic) else event.value
        if not isinstance(value, (bool, int, float, str)):
            raise TypeError(f"result {event.name} is neither a number nor a text")
        self._results[event.name] = plain_number(value) if isinstance(value, float) else value
        if event.spread is not None:
            self._spreads[event.name] = {"spread": float(event.spread), "repeats": event.repeats}
        self._new_results = True

    def change(self, status: str) -> None:
        """Another status; a run that ended keeps the one it ended in."""
        if not self.closed:
            self._status = status
            self._new_status = True

    def end(
        self, status: str, error: Mapping[str, Any] | None, seconds: float, peak_mb: float | None
    ) -> None:
        """How the run ended."""
        self._status, self._seconds, self._peak_mb = status, seconds, peak_mb
        self._error = dict(error) if error else None

    def counts(self, events: int, frames: int) -> None:
        """How much was written until now."""
        self._counts = {"events": events, "points": self.points, "frames": frames}

    def due(self, age: float) -> bool:
        """Whether a description written `age` seconds ago should be written anew."""
        if self.closed:
            return self._new_results
        return self._new_status or (self._new_results and age >= RESULTS) or age >= HEARTBEAT

    def described(self) -> None:
        """It was written."""
        self._new_status = self._new_results = False

    def as_json(self, elapsed: float) -> dict[str, Any]:
        """The description; `elapsed` seconds count until the run has ended."""
        header = self._header.as_json()
        last = ("note", "tags", "parent", "created", "versions")
        return {
            **{key: value for key, value in header.items() if key not in last},
            "status": self._status,
            "seconds": elapsed if self._seconds is None else self._seconds,
            "peak_mb": self._peak_mb,
            "results": self._results,
            "error": self._error,
            "spreads": self._spreads,
            "counts": self._counts,
            **{key: header[key] for key in last},
            **this_process().as_json(),
            "heartbeat": time.time(),
        }
