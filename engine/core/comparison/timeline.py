"""The same place in several histories: where each run was when so much of its work was done."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.core.events import Progress
from engine.core.records.reader import RunRecord


@dataclass(frozen=True, eq=False)
class Timeline:
    """One run's way: `shares` of its work done (ascending, from 0 to 1) at `seconds` since its beginning, and
    what it was doing then. A run that told no progress is measured by time."""

    seconds: np.ndarray
    shares: np.ndarray
    told: tuple[Progress | None, ...]

    def at(self, share: float) -> float | None:
        """Seconds at which `share` of the work was done; None at the end."""
        if share >= 1.0:
            return None
        return float(np.interp(share, self.shares, self.seconds))

    def words(self, share: float) -> str:
        """What the run was doing: "Merging, merge 112 of 148"."""
        place = int(np.searchsorted(self.shares, share + 1e-12, side="right")) - 1
        told = next((p for p in reversed(self.told[: place + 1]) if p is not None), None)
        if told is None:
            return ""
        if told.done is None:
            return told.phase
        of = f" of {told.total:,}" if told.total else ""
        counted = f"{told.counted} {told.done:,}{of}".strip()
        return f"{counted} · {told.phase}" if told.phase else counted


def timeline_of(record: RunRecord) -> Timeline:
    """The way of a recorded run."""
    end = max(record.duration, 1e-9)
    told = [(seconds, p) for seconds, p in record.progress() if p.fraction is not None]
    if not told:
        return Timeline(np.array([0.0, end]), np.array([0.0, 1.0]), (None, None))
    seconds = np.array([0.0, *(s for s, _ in told), end])
    shares = np.maximum.accumulate([0.0, *(min(1.0, p.fraction or 0.0) for _, p in told), 1.0])
    return Timeline(np.maximum.accumulate(seconds), shares, (None, *(p for _, p in told), None))
