"""At most one call a frame: the first at once, the latest of the others when the frame is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

FRAME = 33
"""Length of a frame, ms."""


class PerFrame(QObject):
    """Calls ``deliver(**payload)`` at most once a frame."""

    def __init__(self, deliver: Callable[..., None], parent: QObject) -> None:
        super().__init__(parent)
        self._deliver = deliver
        self._pending: dict[str, Any] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._frame_over)

    def offer(self, **payload: Any) -> None:
        """Deliver now if this frame has seen nothing yet, else at its end unless a newer one comes."""
        if self._timer.isActive():
            self._pending = payload
        else:
            self._timer.start(FRAME)
            self._deliver(**payload)

    def flush(self) -> None:
        """Deliver what waits."""
        self._timer.stop()
        payload, self._pending = self._pending, None
        if payload is not None:
            self._deliver(**payload)

    def finish(self) -> None:
        """Deliver what waits and end."""
        self.flush()
        self.deleteLater()

    def drop(self) -> None:
        """Forget what waits and end."""
        self._timer.stop()
        self._pending = None
        self.deleteLater()

    def _frame_over(self) -> None:
        payload, self._pending = self._pending, None
        if payload is not None:
            self.offer(**payload)
