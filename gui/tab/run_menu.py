"""The menu beside Run: several seeds, another place in the queue, the reopened run once more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gui.widgets.menu import Menu

if TYPE_CHECKING:
    from gui.tab.run_bar import RunBar

SEEDS = (3, 5, 10)


def run_menu(bar: RunBar) -> Menu:
    """The ways to run besides the plain one."""
    experiment = bar.experiment
    menu = Menu(bar)
    blocked = experiment.blocked()
    if experiment.record is not None:
        menu.add("Run again as recorded", bar.again_requested.emit, "arrow-clockwise")
    menu.add("Run with the next seed", partial(_next_seed, bar), "dice-five", reason=blocked)
    for count in SEEDS:
        words = f"Run with {count} seeds, {experiment.seed} to {experiment.seed + count - 1}"
        menu.add(words, partial(_several, bar, count), "stack", reason=blocked)
    active = any(not job.status.ended for job in experiment.engine.jobs())
    idle = "" if active else "Nothing runs: Run starts at once."
    menu.add("Queue after the other runs", partial(_queue, bar), "queue", reason=blocked or idle)
    menu.add("Sweep over parameters…", bar.sweep_requested.emit, "stack", reason=blocked)
    menu.addSeparator()
    shown = experiment.job is not None or experiment.record is not None
    nothing = "" if shown else "The views show no run."
    menu.add("Clear the views", experiment.show_preview, "eraser", reason=nothing)
    return menu


def _next_seed(bar: RunBar) -> None:
    bar.experiment.set_settings(seed=bar.experiment.seed + 1)
    bar.run()


def _several(bar: RunBar, count: int) -> None:
    jobs = bar.experiment.run_seeds(count)
    if jobs:
        first, last = jobs[0].request.seed, jobs[-1].request.seed
        bar.experiment.told.emit(f"{len(jobs)} runs are queued: seeds {first} to {last}.")


def _queue(bar: RunBar) -> None:
    job = bar.experiment.queue(bar.experiment.seed)
    if job is not None:
        bar.experiment.told.emit(f"{job.request.name} is queued; the views stay as they are.")
