"""The queue: in words at the foot of the list of methods, and as a menu that reorders and removes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from engine.core.running.job import Job
from engine.core.running.status import Status
from gui.widgets.menu import Menu

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


class UpwardMenu(Menu):
    """A menu that opens above what it belongs to."""

    def popup_above(self, widget: QWidget) -> None:
        """Show the menu with its foot at the top of `widget`."""
        corner = widget.mapToGlobal(QPoint(0, 0))
        self.popup(corner - QPoint(0, self.sizeHint().height()))


def queue_words(jobs: list[Job]) -> str:
    """ "1 running · 2 queued", "1 waiting for you", "Nothing running"."""
    counts = {
        "running": sum(job.status is Status.RUNNING for job in jobs),
        "paused": sum(job.status is Status.PAUSED for job in jobs),
        "waiting for you": sum(job.status is Status.WAITING for job in jobs),
        "queued": sum(job.status is Status.QUEUED for job in jobs),
    }
    return " · ".join(f"{count} {word}" for word, count in counts.items() if count) or "Nothing running"


def queue_menu(window: MainWindow) -> UpwardMenu:
    """Every run that has not ended, in order, with what can be done with it."""
    engine = window.engine
    menu = UpwardMenu(window)
    waiting = engine.queue.waiting()
    active = [job for job in engine.jobs() if job.status.active]
    for job in active:
        entry = _submenu(menu, job, job.status.value)
        entry.add("Show", partial(window.open_run, job.id), "eye")
        if job.status is Status.PAUSED:
            entry.add("Resume", partial(engine.resume, job), "play-fill")
        else:
            entry.add("Pause", partial(engine.pause, job), "pause-fill")
        entry.add("Stop", partial(engine.stop, job), "stop-fill")
    for place, job in enumerate(waiting):
        entry = _submenu(menu, job, f"queued, place {place + 1}")
        entry.add("Show", partial(window.open_run, job.id), "eye")
        first = "It is next already." if place == 0 else ""
        entry.add("Run next", partial(engine.queue.move, job, 0), "arrow-line-up", reason=first)
        entry.add("Earlier", partial(engine.queue.move, job, place - 1), "arrow-up", reason=first)
        last = "It is the last already." if place == len(waiting) - 1 else ""
        entry.add("Later", partial(engine.queue.move, job, place + 1), "arrow-down", reason=last)
        entry.add("Remove", partial(engine.stop, job), "x")
    if not active and not waiting:
        menu.add("Nothing runs and nothing waits", lambda: None, reason="Press Run in a tab.")
    return menu


def _submenu(menu: Menu, job: Job, state: str) -> Menu:
    entry = Menu(menu)
    entry.setTitle(f"{job.request.name or job.method.title}, {state}")
    menu.addMenu(entry)
    return entry
