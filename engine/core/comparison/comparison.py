"""Two or more recorded runs of a method, compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.core.board import Board
from engine.core.comparison.curves import ends_table
from engine.core.comparison.differences import (
    SettingLine,
    only_differences,
    setting_lines,
    settings_table,
)
from engine.core.comparison.overlay import MOST_SIDES, Picture, Shown, overlay
from engine.core.comparison.results import ResultLine, result_lines, results_table
from engine.core.comparison.sides import Side, facts_of, sides_of
from engine.core.comparison.tables import joined_results
from engine.core.comparison.timeline import Timeline, timeline_of
from engine.core.method import Method
from engine.core.records.reader import RunRecord

NOT_COMPARED = ("panel",)
"""Kinds of view that show only controls."""
NAMED_BY = 3
"""Differing parameters that name sides whose runs have the same name."""


class Comparison:
    """The records stay open until `close`. Boards hold what the views show at one share of the work."""

    def __init__(self, records: Iterable[RunRecord], method: Method, over_seeds: bool = True) -> None:
        """Raises RunError: runs of several methods, or fewer than two."""
        self.method = method
        self.records = {record.header.id: record for record in records}
        self.sides = sides_of([facts_of(record) for record in self.records.values()], over_seeds)
        self.boards: dict[str, Board] = {}
        self._timelines: dict[str, Timeline] = {}

    @property
    def total(self) -> int:
        """How many runs are compared."""
        return len(self.records)

    def seek(self, share: float = 1.0) -> None:
        """The boards are as they were when `share` of each run's work was done."""
        self.boards = {id: record.board(self.timeline(id).at(share)) for id, record in self.records.items()}

    def names(self) -> tuple[str, ...]:
        """What each side is called: "A iris, raw"; by what differs where the runs have the same name."""
        names = [side.runs[0].name for side in self.sides]
        if all(names) and len(set(names)) == len(names):
            return tuple(side.name for side in self.sides)
        lines = [line for line in self.differences() if line.group == "parameters"][:NAMED_BY]
        if not lines:
            return tuple(side.name for side in self.sides)
        return tuple(
            f"{side.letter} {', '.join(f'{line.title} {line.values[place]}' for line in lines)}"
            for place, side in enumerate(self.sides)
        )

    def timeline(self, id: str) -> Timeline:
        """The way of one run."""
        if id not in self._timelines:
            self._timelines[id] = timeline_of(self.records[id])
        return self._timelines[id]

    def words(self, share: float) -> str:
        """Where the sides are: "A merge 112 of 148, B merge 112 of 148", or once where all are alike."""
        told = [
            (side.letter, self.timeline(side.runs[0].id).words(share)) for side in self.sides[:MOST_SIDES]
        ]
        known = [(letter, text) for letter, text in told if text]
        if len({text for _, text in known}) == 1 and len(known) == len(told):
            return known[0][1]
        return ", ".join(f"{letter} {text}" for letter, text in known)

    def settings(self, ignored: Collection[str] = ()) -> list[SettingLine]:
        """Every setting of every side."""
        return setting_lines(self.sides, self.method, ignored)

    def differences(self, ignored: Collection[str] = ()) -> list[SettingLine]:
        """The settings that differ."""
        return only_differences(self.settings(ignored))

    def settings_table(self, ignored: Collection[str] = (), everything: bool = False) -> Picture:
        """The settings as a table: those that differ, or all."""
        lines = self.settings(ignored) if everything else self.differences(ignored)
        return settings_table(lines, self.sides)

    def results(self) -> list[ResultLine]:
        """Every result of every side."""
        return result_lines(self.sides, self.method)

    def results_table(self) -> Picture:
        """The results as a table."""
        return results_table(self.results(), self.sides)

    def pictures(self) -> list[Picture]:
        """Every view that shows something, compared, in the method's order. Call `seek` first."""
        found: list[Picture] = []
        for view in self.method.views:
            if view.kind not in NOT_COMPARED:
                found += overlay(view, self._shown(view.name), self.total)
        return found

    def curves_table(self) -> Picture:
        """Last, lowest and highest of every curve."""
        named = [(v.title, self._shown(v.name)) for v in self.method.views if v.kind == "lines"]
        return ends_table([(title, shown) for title, shown in named if shown])

    def tables(self) -> list[Picture]:
        """The declared result tables, side by side."""
        made: list[Picture] = []
        for declared in self.method.tables:
            rows = [
                (side, [self.boards[run.id].tables.get(declared.name, {}) for run in side.runs])
                for side in self.sides
            ]
            if any(table for _, each in rows for table in each):
                made.append(joined_results(declared, rows))
        return made

    def close(self) -> None:
        """Gives files and memory back."""
        self.boards.clear()
        for record in self.records.values():
            record.close()

    def _shown(self, view: str) -> Shown:
        """What each side shows in a view; runs that show nothing are left out."""
        found = []
        for side in self.sides:
            states = [(run, self.boards[run.id].state(view)) for run in side.runs]
            known = [(run, state) for run, state in states if state is not None]
            if known:
                shown = Side(side.place, tuple(run for run, _ in known))
                found.append((shown, [state for _, state in known]))
        return found
