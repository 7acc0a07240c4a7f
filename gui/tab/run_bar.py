"""Run, Pause, Stop: the state of the run in words, its progress, and how long it will take."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.core.events import Progress
from engine.core.running.feed import Changes
from engine.core.running.job import Job
from engine.core.running.status import Status
from gui.tab.experiment import Experiment
from gui.tab.times import bytes_in_words, clock, remaining
from gui.widgets.badge import Badge
from gui.widgets.button import Button, IconButton, RunButton
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.menu import Menu
from gui.widgets.progress import ProgressBar

_SLOW_STOP = 0.3
"""Seconds after which a stop that has not come through says so."""


class RunBar(QWidget):
    """Fixed at the foot of the form; always visible."""

    details_requested = Signal()
    """The person wants to see why the run failed."""
    problem_requested = Signal()
    """The person clicked on what keeps the run from starting."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.progress: Progress | None = None
        self._asked_to_stop: float | None = None
        self.headline = ElidedLabel("", "body", "", weight=500)
        self.percent = Label("", "body", tabular=True)
        self.bar = ProgressBar(name="Progress of the run")
        self.counted = ElidedLabel("", "small", "secondary")
        self.elapsed = Label("", "small", "secondary", tabular=True)
        self.left = Label("", "small", "", tabular=True, weight=500)
        self.badge = Badge()
        self.line = ElidedLabel("", "small", "secondary")
        self.details = Button("Details", "ghost")
        self.run_button = RunButton()
        self.more = IconButton("dots-three-vertical", "More ways to run")
        self.pause_button = Button("Pause", icon_name="pause-fill", large=True)
        self.stop_button = Button("Stop", "danger", "stop-fill", large=True)
        self._lay_out()
        self.run_button.clicked.connect(self.run)
        self.more.clicked.connect(self._show_menu)
        self.pause_button.clicked.connect(self.pause_or_resume)
        self.stop_button.clicked.connect(self.stop)
        self.details.clicked.connect(self.details_requested)
        experiment.target_changed.connect(self._start_afresh)
        experiment.problems_changed.connect(self.refresh)
        experiment.data_changed.connect(self.refresh)
        experiment.news.connect(self._take)
        self._tick = QTimer(self)
        self._tick.setInterval(250)
        self._tick.timeout.connect(self.refresh)
        self.refresh()

    # ------------------------------------------------------------------ deeds

    def run(self) -> None:
        """Start a run, or show what keeps it from starting."""
        if self._computing():
            return
        if self.experiment.run() is None:
            self.problem_requested.emit()

    def pause_or_resume(self) -> None:
        """Pause a run that computes; let a paused one go on."""
        job = self.experiment.job
        if job is None:
            return
        if job.status is Status.PAUSED:
            self.experiment.engine.resume(job)
        else:
            self.experiment.engine.pause(job)
        self.refresh()

    def stop(self) -> None:
        """Stop the run; what it has is kept."""
        if self.experiment.job is not None and self._computing():
            self._asked_to_stop = time.monotonic()
            self.experiment.engine.stop(self.experiment.job)
            self.refresh()

    # ------------------------------------------------------------------ what is shown

    def refresh(self) -> None:
        """Show the present state."""
        job = self.experiment.job if self.experiment.record is None else None
        computing = self._computing()
        for widget in (self.headline, self.percent, self.bar, self.counted, self.elapsed, self.left):
            widget.setVisible(computing)
        self.pause_button.setVisible(computing)
        self.stop_button.setVisible(computing)
        self.run_button.setVisible(not computing)
        self.more.setVisible(not computing)
        self.line.setVisible(not computing)
        self.badge.setVisible(not computing and bool(self._ended_badge()[0]))
        self.details.setVisible(not computing and job is not None and job.failure is not None)
        if computing:
            assert job is not None
            self._show_computing(job)
            self._tick.start()
        else:
            self._tick.stop()
            self._show_idle(job)

    def _computing(self) -> bool:
        job = self.experiment.job
        return self.experiment.record is None and job is not None and not job.status.ended

    def _show_computing(self, job: Job) -> None:
        progress = self.progress
        self.headline.set_text(self._phase(job))
        share = progress.fraction if progress else None
        self.bar.set_share(share)
        self.bar.set_paused(job.status is Status.PAUSED)
        self.percent.setText(f"{share:.0%}" if share is not None else "")
        self.counted.set_text(_counted(progress))
        self.elapsed.setText(f"{clock(job.clock.elapsed)} elapsed")
        self.left.setText(remaining(job.clock.elapsed, share) if job.status is Status.RUNNING else "")
        paused = job.status is Status.PAUSED
        self.pause_button.setText("Resume" if paused else "Pause")
        self.pause_button.set_icon("play-fill" if paused else "pause-fill")
        self.pause_button.set_kind("primary" if paused else "secondary")
        stopping = job.wish == "stop"
        self.pause_button.set_blocked("The run is stopping." if stopping else "")
        self.stop_button.set_blocked("The run is stopping." if stopping else "")

    def _phase(self, job: Job) -> str:
        if job.wish == "stop":
            slow = self._asked_to_stop and time.monotonic() - self._asked_to_stop > _SLOW_STOP
            return "Stopping after this step" if slow else "Stopping"
        if job.status is Status.QUEUED:
            waiting = self.experiment.engine.queue.waiting()
            place = waiting.index(job) + 1 if job in waiting else 1
            return f"Queued, place {place}"
        if job.status is Status.PAUSED:
            return f"Paused. {job.reason}" if job.reason else "Paused"
        if job.status is Status.WAITING:
            return f"Your turn: {job.reason}"
        return self.progress.phase if self.progress else "Starting"

    def _show_idle(self, job: Job | None) -> None:
        blocked = self.experiment.blocked()
        self.run_button.set_blocked(blocked)
        badge, state = self._ended_badge()
        self.badge.set_badge(badge, state)
        if blocked:
            self.line.set_text(blocked)
        elif self.experiment.record is not None:
            self.line.set_text(_record_line(self.experiment))
        elif job is not None:
            self.line.set_text(_job_line(job))
        else:
            self.line.set_text(self._estimate())

    def _ended_badge(self) -> tuple[str, str]:
        record, job = self.experiment.record, self.experiment.job
        status = record.status if record is not None else job.status.value if job is not None else ""
        return (status.capitalize(), status) if status in _BADGED else ("", "neutral")

    def _estimate(self) -> str:
        estimate = self.experiment.estimate
        parts = []
        if estimate is not None and estimate.seconds is not None:
            parts.append(f"about {clock(estimate.seconds)}")
        if estimate is not None and estimate.bytes is not None:
            parts.append(f"{bytes_in_words(estimate.bytes)} of memory")
        parts.append(f"seed {self.experiment.seed}")
        return " · ".join(parts)

    def _take(self, changes: Changes) -> None:
        if changes.progress is not None:
            self.progress = changes.progress
        if changes.status is not None or changes.progress is not None:
            self.refresh()

    def _start_afresh(self) -> None:
        self.progress = None
        self._asked_to_stop = None
        self.refresh()

    def _show_menu(self) -> None:
        menu = Menu(self)
        blocked = self.experiment.blocked()
        menu.add("Run with the next seed", self._run_next_seed, "dice-five", reason=blocked)
        menu.add("Clear the views", self.experiment.show_preview, "eraser")
        menu.exec(self.more.mapToGlobal(self.more.rect().topLeft()))

    def _run_next_seed(self) -> None:
        self.experiment.seed += 1
        self.experiment.run()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 16, 16)
        column.setSpacing(6)
        column.addLayout(_row(self.headline, None, self.percent))
        column.addWidget(self.bar)
        column.addWidget(self.counted)
        column.addLayout(_row(self.elapsed, None, self.left))
        column.addLayout(_row(self.badge, self.line, self.details))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for widget, stretch in (
            (self.run_button, 1),
            (self.more, 0),
            (self.pause_button, 1),
            (self.stop_button, 1),
        ):
            buttons.addWidget(widget, stretch)
        column.addLayout(buttons)


_BADGED = ("finished", "stopped", "failed", "interrupted")


def _job_line(job: Job) -> str:
    if job.failure is not None:
        return job.failure.message
    peak = f" · peak {bytes_in_words(job.peak_bytes)}" if job.peak_bytes else ""
    return f"in {clock(job.clock.elapsed, tenths=True)} · seed {job.request.seed}{peak}"


def _record_line(experiment: Experiment) -> str:
    record = experiment.record
    assert record is not None
    return f"{record.header.name} · seed {record.header.seed}"


def _counted(progress: Progress | None) -> str:
    if progress is None or progress.done is None:
        return ""
    of = f" of {progress.total:,}" if progress.total else ""
    return f"{progress.counted} {progress.done:,}{of}".strip()


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget, 1 if isinstance(widget, ElidedLabel) else 0)
    return row
