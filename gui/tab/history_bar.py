"""Goes back through a recorded run: shown when a tab shows a record."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.core.board import Board
from engine.core.records.reader import RunRecord
from gui.tab.experiment import Experiment
from gui.tab.times import clock
from gui.widgets.history_scrubber import HistoryScrubber

MOST_STEPS = 2_000
EVEN_STEPS = 200
"""Moments between the key frames, at which curves had grown."""


def moments(record: RunRecord) -> np.ndarray:
    """Seconds at which a view was shown anew, and others evenly between, ascending."""
    duration = record.duration
    if duration <= 0:
        return np.empty(0)
    even = np.linspace(0, duration, EVEN_STEPS + 1)
    return np.unique(np.concatenate([np.asarray(record.key_times, dtype=float), even]))


class HistoryBar(QWidget):
    """The scrubber over the key times of the record."""

    moved = Signal(object, object)
    """(seconds since the run began or None for its end, the board of that moment)."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.scrubber = HistoryScrubber()
        self._times = np.empty(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 8)
        column.addWidget(self.scrubber)
        self.scrubber.position_changed.connect(self._on_position)
        self.hide()

    def follow(self) -> None:
        """Show the history of the record on show; hidden where there is none."""
        record = self.experiment.record
        times = moments(record) if record is not None else np.empty(0)
        self.setVisible(len(times) > 1)
        if len(times) < 2:
            self._times = times
            return
        if len(times) > MOST_STEPS:
            times = times[np.linspace(0, len(times) - 1, MOST_STEPS).astype(int)]
        self._times = times
        quiet = self.scrubber.blockSignals(True)
        self.scrubber.set_steps(len(times))
        self.scrubber.set_position(max(0, len(times) - 1))
        self.scrubber.blockSignals(quiet)
        self._say(len(times) - 1)

    def _on_position(self, step: int) -> None:
        self._say(step)
        record = self.experiment.record
        if record is None or not 0 <= step < len(self._times):
            return
        seconds = None if step == len(self._times) - 1 else float(self._times[step])
        future = self.experiment.engine.loading.call(
            lambda: record.board(seconds), key=(record.folder, "history")
        )
        self.experiment.bridge.then(future, lambda board: self._arrived(record, seconds, board), owner=self)

    def _arrived(self, record: RunRecord, seconds: float | None, board: Board) -> None:
        if self.experiment.record is record:
            self.moved.emit(seconds, board)

    def _say(self, step: int) -> None:
        if 0 <= step < len(self._times):
            self.scrubber.set_words(f"{clock(self._times[step])} of {clock(self._times[-1])}")
