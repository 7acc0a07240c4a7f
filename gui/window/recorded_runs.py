"""Opens recorded runs: shows them, runs them again, branches from them, renames them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.core.board import Board
from engine.core.errors import PapertabError
from engine.core.records.reader import RunRecord

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab
    from gui.window.main_window import MainWindow


class RecordedRuns(QObject):
    """Records are read on the loading lane and shown when they are there."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window

    def show(self, run_id: str) -> None:
        """Show a run in its tab: one of this session as it stands, any other from its record."""
        live = next((job for job in self.window.engine.jobs() if job.id == run_id), None)
        if live is not None:
            self.window.show_tab(live.method.slug).experiment.show_job(live)
            return
        self._read(run_id, lambda record, board: self._tab_of(record).open_record(record, board))

    def run_again(self, run_id: str) -> None:
        """Take the settings of a recorded run, do again what the person did, and run."""
        self._read(run_id, lambda record, _: self._tab_of(record).experiment.repeat(record))

    def branch(self, run_id: str) -> None:
        """Take the settings of a recorded run into the form; the next run names it as its parent."""
        self._read(run_id, self._branch)

    def rename(self, tab: MethodTab, name: str) -> None:
        """Give the run on show another name."""
        experiment = tab.experiment
        shown = experiment.record.folder.name if experiment.record else ""
        run = shown or (experiment.job.id if experiment.job else "")
        try:
            self.window.engine.library.rename(run, name)
        except PapertabError as error:
            self.window.tell(str(error), error=True)
        self.window.runs.refresh()

    def _branch(self, record: RunRecord, _: Board) -> None:
        name = record.header.name or record.header.id
        self._tab_of(record).experiment.branch(record)
        self.window.tell(f"The settings of {name} are in the form. The next run names it as its origin.")

    def _read(self, run_id: str, then: Callable[[RunRecord, Board], object]) -> None:
        engine = self.window.engine

        def read() -> tuple[RunRecord, Board]:
            record = engine.library.open(run_id)
            return record, record.board()

        def show(found: tuple[RunRecord, Board]) -> None:
            record, board = found
            if record.header.method not in self.window.methods:
                title = record.header.title or record.header.method
                self.window.tell(f"This run is of “{title}”, a method that is not installed.", error=True)
                record.close()
                return
            then(record, board)

        self.window.bridge.then(engine.loading.call(read, key="record"), show, self._refused, self)

    def _tab_of(self, record: RunRecord) -> MethodTab:
        return self.window.show_tab(record.header.method)

    def _refused(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.window.tell(str(error), error=True)
