"""Run, Pause, Stop: the state of the run in words, its progress, and how long it will take."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.core.events import Progress
from engine.core.running.feed import Changes
from engine.core.running.job import Job
from engine.core.running.status import Status
from gui.tab.answer_panel import AnswerPanel
from gui.tab.experiment import Experiment
from gui.tab.run_menu import run_menu
from gui.tab.run_words import counted, ended_badge, idle_line, idle_sign, phase
from gui.tab.times import clock, remaining
from gui.widgets.announce import announce
from gui.widgets.badge import Badge
from gui.widgets.button import Button, IconButton, RunButton
from gui.widgets.icon_label import IconLabel
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.progress import ProgressBar

_SLOW_STOP = 0.3
"""Seconds after which a stop that has not come through says so."""


class _Line(ElidedLabel):
    """A line that can be clicked where it names what is to be settled."""

    clicked = Signal()

    def mousePressEvent(self, event: object) -> None:
        self.clicked.emit()


class RunBar(QWidget):
    """Fixed at the foot of the form; always visible."""

    details_requested = Signal()
    """The person wants to see why the run failed."""
    problem_requested = Signal()
    """The person wants to see what keeps the run from starting."""
    sweep_requested = Signal()
    """The parameters are to be varied."""
    again_requested = Signal()
    """The reopened run is to be run once more as it was."""

    def __init__(self, experiment: Experiment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.progress: Progress | None = None
        self._asked_to_stop: float | None = None
        self._said = ""
        self.headline = ElidedLabel("", "body", "", weight=500)
        self.percent = Label("", "body", tabular=True)
        self.bar = ProgressBar(name="Progress of the run")
        self.counted = ElidedLabel("", "small", "secondary")
        self.elapsed = Label("", "small", "secondary", tabular=True)
        self.left = Label("", "small", "", tabular=True, weight=500)
        self.badge = Badge()
        self.sign = IconLabel("timer", "text_secondary")
        self.line = _Line("", "small", "secondary")
        self.details = Button("Details", "ghost")
        self.answers = AnswerPanel()
        self.run_button = RunButton()
        # The tab binds the key itself, so that it also tells what keeps a run from starting.
        self.run_button.setShortcut(QKeySequence())
        self.more = IconButton("dots-three-vertical", "More ways to run", outlined=True)
        self.pause_button = Button("Pause", icon_name="pause-fill", large=True)
        self.stop_button = Button("Stop", "danger", "stop-fill", large=True)
        self._lay_out()
        self._connect()
        self._tick = QTimer(self)
        self._tick.setInterval(250)
        self._tick.timeout.connect(self.refresh)
        self.refresh()

    # ------------------------------------------------------------------ deeds

    def run(self) -> None:
        """Start a run, or show what keeps it from starting."""
        if self.experiment.computing:
            return
        if self.experiment.run() is None:
            self.problem_requested.emit()

    def pause_or_resume(self) -> None:
        """Pause a run that computes; let a paused one go on."""
        job = self.experiment.job
        if job is None or not self.experiment.computing:
            return
        if job.status is Status.PAUSED:
            self.experiment.engine.resume(job)
        else:
            self.experiment.engine.pause(job)
        self.refresh()

    def stop(self) -> None:
        """Stop the run, or take it out of the queue; what it has is kept."""
        if self.experiment.job is not None and self.experiment.computing:
            self._asked_to_stop = time.monotonic()
            self.experiment.engine.stop(self.experiment.job)
            self.refresh()

    def answer(self, reply: object) -> None:
        """Reply to what the waiting run asks."""
        job = self.experiment.job
        if job is not None and job.status is Status.WAITING and isinstance(reply, dict):
            self.experiment.engine.answer(job, reply)
            self.refresh()

    # ------------------------------------------------------------------ what is shown

    def refresh(self) -> None:
        """Show the present state."""
        experiment = self.experiment
        job = experiment.job if experiment.record is None else None
        computing = experiment.computing
        waiting = job is not None and job.status is Status.WAITING
        queued = job is not None and job.status is Status.QUEUED
        for widget in (self.headline, self.percent, self.bar, self.elapsed, self.left):
            widget.setVisible(computing and not waiting and not queued)
        self.headline.setVisible(computing and not waiting)
        self.counted.setVisible(computing and bool(counted(self.progress)) and not waiting)
        self.pause_button.setVisible(computing and not waiting and not queued)
        self.stop_button.setVisible(computing)
        self.stop_button.setText("Remove" if queued else "Stop")
        self.run_button.setVisible(not computing)
        self.more.setVisible(not computing)
        self.answers.ask(job.question if waiting and job is not None else None)
        word, state = ("Your turn", "waiting") if waiting else ended_badge(experiment)
        self.badge.setVisible(bool(word) and (waiting or not computing))
        self.badge.set_badge(word, state)
        self.line.setVisible(not computing)
        self.sign.setVisible(not computing and not word)
        self.details.setVisible(not computing and job is not None and job.failure is not None)
        if computing and job is not None:
            self._show_computing(job)
            self._tick.start()
        else:
            self._tick.stop()
            self._show_idle()
        self._announce(word or (self.headline.whole_text() if computing else ""))

    def _show_computing(self, job: Job) -> None:
        stopping = job.wish == "stop"
        slow = self._asked_to_stop is not None and time.monotonic() - self._asked_to_stop > _SLOW_STOP
        self.headline.set_text(phase(job, self.progress, self.experiment.engine.queue.waiting(), slow))
        share = self.progress.fraction if self.progress else None
        paused = job.status is Status.PAUSED
        self.bar.set_share(share)
        self.bar.set_paused(paused)
        self.percent.setText(f"{share:.0%}" if share is not None else "")
        self.counted.set_text(counted(self.progress))
        self.elapsed.setText(f"{clock(job.clock.elapsed)} elapsed")
        self.left.setText(remaining(job.clock.elapsed, share) if job.status is Status.RUNNING else "")
        self.pause_button.setText("Resume" if paused else "Pause")
        self.pause_button.set_kind("primary" if paused else "secondary")
        self.pause_button.set_icon("play-fill" if paused else "pause-fill")
        self.pause_button.set_blocked("The run is stopping." if stopping else "")
        self.stop_button.set_blocked("The run is stopping." if stopping else "")

    def _show_idle(self) -> None:
        blocked = self.experiment.blocked()
        self.run_button.set_blocked(blocked)
        self.line.set_text(idle_line(self.experiment))
        self.sign.set_icon(*idle_sign(self.experiment))

    def _announce(self, said: str) -> None:
        if said != self._said:
            self._said = said
            announce(self, said)

    def _take(self, changes: Changes) -> None:
        if changes.progress is not None:
            self.progress = changes.progress
        if changes.status is not None or changes.progress is not None or changes.ask is not None:
            self.refresh()

    def _start_afresh(self) -> None:
        self.progress = None
        self._asked_to_stop = None
        self.refresh()

    def _show_menu(self) -> None:
        menu = run_menu(self)
        corner = self.more.mapToGlobal(self.more.rect().topRight())
        size = menu.sizeHint()
        corner.setX(corner.x() - size.width())
        corner.setY(corner.y() - size.height() - 4)
        menu.popup(corner)

    def _connect(self) -> None:
        experiment = self.experiment
        self.run_button.clicked.connect(self.run)
        self.more.clicked.connect(self._show_menu)
        self.pause_button.clicked.connect(self.pause_or_resume)
        self.stop_button.clicked.connect(self.stop)
        self.details.clicked.connect(self.details_requested)
        self.line.clicked.connect(lambda: self.problem_requested.emit() if experiment.blocked() else None)
        self.answers.answered.connect(self.answer)
        experiment.target_changed.connect(self._start_afresh)
        experiment.problems_changed.connect(self.refresh)
        experiment.data_changed.connect(self.refresh)
        experiment.settings_changed.connect(self.refresh)
        experiment.news.connect(self._take)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 16, 16)
        column.setSpacing(8)
        rows: tuple[tuple[QWidget | None, ...], ...] = (
            (self.headline, self.percent),
            (self.bar,),
            (self.counted,),
            (self.elapsed, None, self.left),
            (self.sign, self.badge, self.line, self.details),
            (self.answers,),
            (self.run_button, self.more, self.pause_button, self.stop_button),
        )
        for row in rows:
            column.addLayout(_row(*row))


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    grows = (ElidedLabel, ProgressBar, AnswerPanel)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            large = isinstance(widget, Button) and widget.property("tall") == "true"
            row.addWidget(widget, 1 if large or isinstance(widget, grows) else 0)
    return row
