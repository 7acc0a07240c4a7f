"""Which runs of the list are shown: by method, status, tag."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtWidgets import QWidget

from engine.core.records.summary import RunSummary
from gui.widgets.menu import Menu

MOST_TAGS = 30


@dataclass(frozen=True)
class RunsFilter:
    """An empty set lets everything pass; of a full one, one match suffices."""

    methods: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """How many conditions there are."""
        return len(self.methods) + len(self.statuses) + len(self.tags)

    def passes(self, run: RunSummary) -> bool:
        """Whether a run is shown."""
        return (
            (not self.methods or run.method in self.methods)
            and (not self.statuses or status_of(run) in self.statuses)
            and (not self.tags or bool(self.tags.intersection(run.tags)))
        )

    def toggled(self, part: str, value: str) -> RunsFilter:
        """With one condition more, or one less."""
        return replace(self, **{part: getattr(self, part) ^ {value}})


def status_of(run: RunSummary) -> str:
    """The status as the list shows it."""
    return "damaged" if run.damaged else run.status


def filter_menu(
    runs: Sequence[RunSummary],
    present: RunsFilter,
    choose: Callable[[RunsFilter], object],
    parent: QWidget,
) -> Menu:
    """What there is among `runs` to filter by, with ticks; a choice calls `choose` with the new filter."""
    menu = Menu(parent)
    titles = {run.method: run.title or run.method for run in runs if run.method}
    tags = sorted({tag for run in runs for tag in run.tags})[:MOST_TAGS]
    parts: tuple[tuple[str, Iterable[tuple[str, str]]], ...] = (
        ("methods", sorted(titles.items(), key=lambda pair: pair[1])),
        ("statuses", [(each, each) for each in sorted({status_of(run) for run in runs})]),
        (
            "tags",
            [(tag, f"tag {tag}") for tag in tags],
        ),
    )
    for part, values in parts:
        for value, words in values:
            entry = menu.add(words, partial(choose, present.toggled(part, value)))
            entry.setCheckable(True)
            entry.setChecked(value in getattr(present, part))
        menu.addSeparator()
    reason = "" if present.count else "Nothing is filtered."
    menu.add("Show all", partial(choose, RunsFilter()), "eraser", reason=reason)
    return menu
