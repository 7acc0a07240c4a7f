"""Goes back through a run: always there for a recorded one, at wish for one of this session."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.core.board import Board
from engine.core.running.job import Job
from gui.tab.experiment import Experiment
from gui.tab.past import Past, even_moments
from gui.tab.times import clock
from gui.widgets.history_scrubber import HistoryScrubber

GROW_MS = 1_000


class HistoryBar(QWidget):
    """The scrubber over the moments of the run on show. While a run goes on, its last step is the present."""

    moved = Signal(object, object)
    """(seconds since the run began or None for its end, the board of that moment)."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.scrubber = HistoryScrubber()
        self._times = np.empty(0)
        self._past: Past | None = None
        self._job: Job | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 8)
        column.addWidget(self.scrubber)
        self._grow = QTimer(self)
        self._grow.setInterval(GROW_MS)
        self._grow.timeout.connect(self._on_growth)
        self.scrubber.position_changed.connect(self._on_position)
        self.hide()

    def follow(self) -> None:
        """Another run is on show: the history of a record, none of a run of this session until asked for."""
        self._leave()
        record = self.experiment.record
        if record is not None:
            self._past = Past(self.experiment.method, record.folder, record)
            self._offer(self._past.moments())

    def open(self) -> bool:
        """Show the history of the run of this session, which may still go on; False where there is none."""
        job = self.experiment.job
        if self.experiment.record is not None:
            return not self.isHidden()
        if job is None or job.generator is None:
            return False
        self._leave()
        self._job = job
        self._past = Past(self.experiment.method, job.writer.folder)
        self._offer(even_moments(job.writer.seconds))
        if not job.status.ended:
            self._grow.start()
        else:
            self._measure(job)
        return True

    def close_history(self) -> None:
        """Back to the present, without the scrubber."""
        job = self._job
        self._leave()
        if job is not None and self.experiment.job is job:
            self.moved.emit(None, job.board)

    def _leave(self) -> None:
        self._grow.stop()
        self.scrubber.set_playing(False)
        past, self._past, self._job = self._past, None, None
        if past is not None:
            self.experiment.engine.loading.call(past.close)
        self._times = np.empty(0)
        self.hide()

    def _offer(self, times: np.ndarray) -> None:
        self.setVisible(len(times) > 1)
        self._times = times
        if len(times) < 2:
            return
        quiet = self.scrubber.blockSignals(True)
        self.scrubber.set_steps(len(times))
        self.scrubber.set_position(max(0, len(times) - 1))
        self.scrubber.blockSignals(quiet)
        self._say(len(times) - 1)

    def _on_growth(self) -> None:
        """The run went on. Steps stay where they are while the person looks back."""
        job = self._job
        if job is None:
            self._grow.stop()
            return
        if job.status.ended:
            self._grow.stop()
            if self.scrubber.at_end():
                self._measure(job)
        elif self.scrubber.at_end():
            self._offer(even_moments(job.writer.seconds))

    def _measure(self, job: Job) -> None:
        """The run has ended: its record tells the moments."""
        loading = self.experiment.engine.loading
        if self._past is not None:
            # What was read while it grew is old.
            loading.call(self._past.close)
        past = self._past = Past(self.experiment.method, job.writer.folder)

        def take(times: np.ndarray) -> None:
            if self._past is past and self.scrubber.at_end():
                self._offer(times)

        self.experiment.bridge.then(loading.call(past.moments), take, owner=self)

    def _on_position(self, step: int) -> None:
        self._say(step)
        past = self._past
        if past is None or not 0 <= step < len(self._times):
            return
        job = self._job
        growing = job is not None and not job.status.ended
        if step == len(self._times) - 1:
            # The end of a record is its last board; that of a run of this session is the run itself.
            board = job.board if job is not None else self.experiment.recorded
            if board is not None:
                self.moved.emit(None, board)
            return
        seconds = float(self._times[step])
        future = self.experiment.engine.loading.call(
            lambda: past.board(seconds, growing), key=(past.folder, "history")
        )
        self.experiment.bridge.then(future, lambda board: self._arrived(past, step, board), owner=self)

    def _arrived(self, past: Past, step: int, board: Board) -> None:
        if self._past is past and not self.scrubber.at_end() and step < len(self._times):
            self.moved.emit(float(self._times[step]), board)

    def _say(self, step: int) -> None:
        if 0 <= step < len(self._times):
            self.scrubber.set_words(f"{clock(self._times[step])} of {clock(self._times[-1])}")
