"""The history of one run as it lies on the disk, whether it still grows or not. No widgets."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from engine.core.board import Board
from engine.core.comparison.future import Future
from engine.core.events import Show
from engine.core.method import Method
from engine.core.records.reader import RunRecord

MOST_STEPS = 2_000
EVEN_STEPS = 200
"""Moments between the key frames, at which curves had grown."""
READ_AGAIN = 1.0
"""Seconds after which a record that grows is read anew when somebody looks back."""


class Past:
    """Boards of earlier moments. `board` is slow the first time and belongs on a lane.

    A record that was handed over is somebody else's to close.
    """

    def __init__(self, method: Method, folder: Path, record: RunRecord | None = None) -> None:
        self.method = method
        self.folder = folder
        self._record = record
        self._own = record is None
        self._read_at = time.monotonic()
        self._future: Future | None = None

    def board(self, seconds: float, growing: bool) -> Board:
        """What the views showed at `seconds`; of a run that has ended, with what was still to come, muted."""
        record = self._present(growing)
        board = record.board(seconds)
        if growing:
            return board
        if self._future is None:
            end = record.board()
            known = [(view, end.state(view.name)) for view in self.method.views]
            self._future = Future([(view, state) for view, state in known if state is not None])
        return self._with_future(board, self._future)

    def moments(self) -> np.ndarray:
        """Seconds at which a view was shown anew, and others evenly between, ascending; at most 2,000."""
        record = self._present(growing=False)
        times = even_moments(record.duration)
        if len(times):
            times = np.unique(np.concatenate([np.asarray(record.key_times, dtype=float), times]))
        if len(times) > MOST_STEPS:
            times = times[np.linspace(0, len(times) - 1, MOST_STEPS).astype(int)]
        return times

    def close(self) -> None:
        """Gives files and memory back."""
        if self._own and self._record is not None:
            self._record.close()
            self._record = None

    def _present(self, growing: bool) -> RunRecord:
        if self._record is None:
            self._record = RunRecord(self.folder)
            self._read_at = time.monotonic()
        elif growing and time.monotonic() - self._read_at > READ_AGAIN:
            self._record.refresh()
            self._read_at = time.monotonic()
        return self._record

    def _with_future(self, board: Board, future: Future) -> Board:
        states = [(view, board.state(view.name)) for view in self.method.views]
        seen = Board()
        for view, state in future.behind([(view, state) for view, state in states if state is not None]):
            seen.apply(Show(view.name, state))
        seen.values, seen.tables = board.values, board.tables
        return seen


def even_moments(duration: float) -> np.ndarray:
    """Moments evenly over a run; none of one that took no time."""
    return np.linspace(0, duration, EVEN_STEPS + 1) if duration > 0 else np.empty(0)
