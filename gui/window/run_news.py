"""What the window shows of runs that no one looks at: signs in the list, the queue in words, toasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.core.running.feed import Changes
from engine.core.running.job import Job
from engine.core.running.status import Status
from engine.core.running.steerable import Steerable
from gui.widgets.sidebar_list import Status as Sign
from gui.window.queue_menu import queue_words

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab
    from gui.window.main_window import MainWindow

_SIGNS: dict[Status, Sign] = {
    Status.QUEUED: "queued",
    Status.RUNNING: "running",
    Status.PAUSED: "paused",
    Status.WAITING: "waiting",
    Status.FINISHED: "finished",
    Status.FAILED: "failed",
}
_RANK = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.QUEUED)


class RunNews(QObject):
    """Follows every run of the session."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self._shares: dict[str, float] = {}

    def take(self, target: Steerable, changes: Changes) -> None:
        """Something happened to a run or preview."""
        if not isinstance(target, Job):
            return
        if changes.progress is not None:
            self._shares[target.id] = changes.progress.fraction or 0.0
        if changes.progress is not None or changes.status is not None:
            self._show_sign(target)
        if changes.status is not None:
            self.window.sidebar.set_queue(queue_words(self.window.engine.jobs()))
            if target.status.ended:
                self._ended(target)

    def looked_at(self, tab: MethodTab) -> None:
        """The tab is opened: its sign of an ended run goes."""
        job = tab.experiment.job
        if job is None or job.status.ended:
            self._show_first(tab.method.slug)

    def _show_sign(self, job: Job) -> None:
        slug = job.method.slug
        if not job.status.ended:
            self._show_first(slug)
            return
        looked_at = self.window.current_tab() is self.window.tabs.get(slug)
        sign = _SIGNS.get(job.status, "") if not looked_at else ""
        if not self._show_first(slug):
            self.window.sidebar.set_status(slug, sign)

    def _show_first(self, slug: str) -> bool:
        """The sign of the run of a method that matters most; False where none is on its way."""
        jobs = [job for job in self.window.engine.jobs() if job.method.slug == slug and not job.status.ended]
        if not jobs:
            self.window.sidebar.set_status(slug, "")
            return False
        first = min(jobs, key=lambda job: _RANK.index(job.status))
        self.window.sidebar.set_status(slug, _SIGNS[first.status], self._shares.get(first.id, 0.0))
        return True

    def _ended(self, job: Job) -> None:
        window = self.window
        window.runs.refresh()
        self._shares.pop(job.id, None)
        tab = window.tabs.get(job.method.slug)
        shown = tab is not None and tab.experiment.job is job
        if not shown and not _shown_elsewhere(job):
            window.bridge.leave(job)
            window.engine.forget(job)
        if shown and window.current_tab() is tab:
            return
        words = {Status.FINISHED: "finished", Status.STOPPED: "stopped"}.get(job.status, "failed")
        detail = job.failure.message if job.failure else ""
        if job.status is Status.STOPPED:
            detail = "What was computed is kept."
        window.toasts.show(
            f"{job.request.name} {words}.",
            detail,
            icon_name="stop-circle" if job.status is Status.STOPPED else "check-circle",
            error=job.failure is not None,
            action_word="Open",
            action=lambda: window.open_run(job.id),
        )


def _shown_elsewhere(job: Job) -> bool:
    """Whether a tab of any window shows the run."""
    from gui.window.main_window import open_windows

    tabs = [window.tabs.get(job.method.slug) for window in open_windows()]
    return any(tab is not None and tab.experiment.job is job for tab in tabs)
