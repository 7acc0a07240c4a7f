"""Every run of a sweep: its setting, seed, how far it is, why it failed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from engine.core.sweeps.grid import shown
from engine.core.sweeps.pictures import parameter_titles
from engine.core.sweeps.plan import PlannedRun
from engine.core.sweeps.runner import RunState
from gui.sweeps.sweep_model import SweepModel
from gui.tab.times import clock
from gui.widgets.data_table import DataTable
from gui.widgets.table_column import Column

BADGES = {"waiting": "queued", "running": "running", "finished": "finished", "failed": "failed"}


class SweepRunsTable(DataTable):
    """Double click opens a run that ended."""

    run_opened = Signal(str)
    """Key of the run."""

    def __init__(self, model: SweepModel, parent: QWidget | None = None) -> None:
        super().__init__(name="Runs of the sweep", parent=parent)
        self.model_ = model
        self.runs: list[PlannedRun] = []
        self._states: dict[str, RunState] = {}
        self.row_activated.connect(lambda row: self.run_opened.emit(self.runs[row].key))

    def refresh(self) -> None:
        """Show the present states, if they are different."""
        plan = self.model_.plan
        runs = plan.runs() if plan is not None else []
        states = self.model_.states()
        if states == self._states and [r.key for r in runs] == [r.key for r in self.runs]:
            return
        self.runs, self._states = runs, states
        sorted_by = self.model().sorted_by  # type: ignore[attr-defined]
        self.set_columns(self._columns())
        if sorted_by is not None:
            self.sort_by(sorted_by[0], descending=sorted_by[1])

    def _columns(self) -> list[Column]:
        plan, subject = self.model_.plan, self.model_.subject
        if plan is None or subject is None:
            return []
        titles = parameter_titles(subject.method)
        states = [self._states[run.key] for run in self.runs]
        columns = []
        for name in plan.grid:
            values = [run.values[name] for run in self.runs]
            numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
            columns.append(
                Column(
                    titles[name],
                    [shown(value) for value in values],
                    "number" if numeric else "text",
                    keys=values if numeric else None,
                )
            )
        words = [_words(state) for state in states]
        seconds = [state.seconds for state in states]
        return [
            *columns,
            Column("Seed", [str(run.seed) for run in self.runs], "number", keys=[r.seed for r in self.runs]),
            Column("Status", words, "badge", states=[BADGES[state.status] for state in states]),
            Column("Time", ["" if s is None else clock(s, tenths=True) for s in seconds], "number",
                   keys=[s or 0.0 for s in seconds]),
            Column("Doing", [state.error or state.phase for state in states], tone="text_secondary"),
        ]  # fmt: skip


def _words(state: RunState) -> str:
    if state.status == "running" and state.fraction is not None:
        return f"running {state.fraction:.0%}"
    return "queued" if state.status == "waiting" else state.status
