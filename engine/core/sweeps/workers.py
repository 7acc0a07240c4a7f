"""What carries out the runs of a sweep, and what it tells meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engine.core.sweeps.task import RunTask


@dataclass(frozen=True)
class News:
    """What happened to the run `key`.

    progress: it is being computed (`fraction`, `phase`); finished, failed, stopped: its record is
    whole (in the task's folder, unless it failed before it began: `error`); lost: the worker is gone, the
    run may be given again; `reason` says why.
    """

    key: str
    kind: Literal["progress", "finished", "failed", "stopped", "lost"]
    fraction: float | None = None
    phase: str = ""
    seconds: float = 0.0
    error: Mapping[str, Any] | None = None
    reason: str = ""


class Workers(Protocol):
    """Where runs are carried out."""

    @property
    def slots(self) -> int:
        """How many runs are carried out at once."""

    def has_room(self, running: int) -> bool:
        """Whether another task can be given beside `running` ones."""

    def give(self, task: RunTask) -> None:
        """Begin a task as soon as possible."""

    def news(self, seconds: float) -> list[News]:
        """What happened since; waits at most so long for something to happen.

        Raises:
            RunError: the workers as a whole are gone.
        """

    def stop(self) -> None:
        """Every run on its way ends at its next yield, and says so by `news`."""

    def close(self) -> None:
        """Nothing of it stays behind."""
