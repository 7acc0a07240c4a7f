"""The states of a run and the ways between them."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """queued → running ⇄ paused / waiting → finished / stopped / failed; interrupted: its process died."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    WAITING = "waiting"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def ended(self) -> bool:
        """Nothing will be computed any more (actions still work)."""
        return self in _ENDED

    @property
    def active(self) -> bool:
        """Has begun and has not ended."""
        return self in (Status.RUNNING, Status.PAUSED, Status.WAITING)


_ENDED = frozenset({Status.FINISHED, Status.STOPPED, Status.FAILED, Status.INTERRUPTED})
