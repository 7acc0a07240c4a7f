"""The one way from the engine's threads to the window's: a timer on the main thread that drains feeds.

Nothing of Qt is touched elsewhere. Whatever the engine produces between two frames arrives as one
`Changes` per run; what a future holds arrives as a call of the slot that waits for it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from engine.core.running.engine import Engine
from engine.core.running.steerable import Steerable

FRAME_MS = 33
DRAIN_SECONDS = 0.008
"""A drain stops handing out changes after this long; the rest comes with the next frame."""

Done = Callable[[Any], None]
Failed = Callable[[BaseException], None]


@dataclass(eq=False)
class Waiting:
    """A future and who waits for it."""

    future: Future[Any]
    done: Done
    failed: Failed
    owner: QObject | None

    def settle(self) -> None:
        """Hand over the result or the error of a future that is done."""
        if self.owner is not None and not isValid(self.owner):
            return
        try:
            result = self.future.result()
        except CancelledError:
            return
        except Exception as error:
            self.failed(error)
            return
        self.done(result)


class EngineBridge(QObject):
    """Hands the engine's news to the window, once a frame."""

    changed = Signal(object, object)
    """(Steerable, Changes): what happened to a run or preview since the last frame."""

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.engine = engine
        self._watched: list[Steerable] = []
        self._futures: list[Waiting] = []
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.drain)
        self._timer.start(FRAME_MS)

    def watch(self, target: Steerable) -> None:
        """Report the changes of `target` from now on."""
        if target not in self._watched:
            self._watched.append(target)

    def leave(self, target: Steerable) -> None:
        """No longer report `target`."""
        self._watched[:] = [item for item in self._watched if item is not target]

    def then(
        self, future: Future[Any], done: Done, failed: Failed | None = None, owner: QObject | None = None
    ) -> None:
        """Call `done` with the result, or `failed` with the error, on the main thread.

        A cancelled future calls neither, nor does one whose `owner` (if `done` is a method of an object
        of Qt, that object) was deleted meanwhile.
        """
        bound = getattr(done, "__self__", None)
        waits = owner if owner is not None else bound if isinstance(bound, QObject) else None
        self._futures.append(Waiting(future, done, failed or _raise, waits))

    def stop(self) -> None:
        """No more deliveries: called before the window goes."""
        self._timer.stop()
        self._watched.clear()
        self._futures.clear()

    def drain(self) -> None:
        """Deliver what came since the last frame, for at most `DRAIN_SECONDS`."""
        until = time.perf_counter() + DRAIN_SECONDS
        self._settle_futures()
        for place, target in enumerate(list(self._watched), start=1):
            changes = target.feed.drain()
            if changes is not None:
                self.changed.emit(target, changes)
            if time.perf_counter() > until:
                # The rest comes first in the next frame, so that no run starves.
                self._watched[:] = self._watched[place:] + self._watched[:place]
                return

    def _settle_futures(self) -> None:
        waiting, self._futures = self._futures, []
        ready: list[Waiting] = []
        for item in waiting:
            (ready if item.future.done() else self._futures).append(item)
        for item in ready:
            try:
                item.settle()
            except Exception:
                # A slot that fails must not keep the others from what they wait for.
                sys.excepthook(*sys.exc_info())


def _raise(error: BaseException) -> None:
    raise error
