"""When a picture is due: a few times a second, less often for large sets. Decides no result."""

from __future__ import annotations

import time


class Clock:
    """`due()` is true once after each `seconds`."""

    def __init__(self, n: int) -> None:
        self.seconds = 0.25 if n <= 5000 else 0.5 if n <= 50_000 else 1.5
        self._last = time.monotonic() - self.seconds / 2

    def due(self) -> bool:
        """Whether so much time has passed since it was last true."""
        now = time.monotonic()
        if now - self._last < self.seconds:
            return False
        self._last = now
        return True
