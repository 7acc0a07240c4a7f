"""Brings sweeps into the window: one page, made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject

from engine.core.board import Board
from engine.core.errors import PapertabError
from engine.core.records.reader import RunRecord
from engine.core.records.summary import summarise
from gui.tab.experiment import Experiment
from gui.window.queue_menu import queue_words

if TYPE_CHECKING:
    from gui.compare.export_source import ExportSource
    from gui.sweeps.sweep_page import SweepPage
    from gui.tab.method_tab import MethodTab
    from gui.window.main_window import MainWindow


class Sweeping(QObject):
    """Owns the page of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.page: SweepPage | None = None
        self._back = ""

    def begin(self, experiment: Experiment) -> None:
        """A sweep over what a tab shows."""
        from gui.sweeps.subject import Subject

        parameters, loaded = experiment.parameters(), experiment.data.loaded
        if parameters is None or loaded is None or experiment.blocked():
            self.window.tell(f"{experiment.blocked() or 'The data is being read'}: there is no sweep yet.")
            return
        subject = Subject(
            experiment.method,
            parameters,
            loaded,
            experiment.data.source,
            experiment.values.preset,
            experiment.device,
        )
        self._back = experiment.method.slug
        page = self.show()
        if not page.begin(subject, experiment.seed):
            self.window.tell("A sweep is running: it is shown. Stop it before another one is begun.")

    def show(self) -> SweepPage:
        """Show the page."""
        page = self.page or self._make()
        self.window.pages.setCurrentWidget(page)
        self.window.sidebar.set_current(None)
        return page

    def is_running(self) -> bool:
        """Whether runs of a sweep are carried out now."""
        return self.page is not None and self.page.model.running

    def shut(self) -> bool:
        """Stop the sweep and wait for it; what is done is kept."""
        return self.page.model.shut() if self.page is not None else True

    def _make(self) -> SweepPage:
        from gui.sweeps.sweep_page import SweepPage

        window = self.window
        page = self.page = SweepPage(window.bridge, window.methods)
        window.pages.addWidget(page)
        page.told.connect(lambda text: window.tell(text, error=True))
        page.back_requested.connect(self._go_back)
        page.export_requested.connect(self._export)
        page.run_opened.connect(self._open_run)
        page.compare_requested.connect(self._compare)
        page.model.progressed.connect(self._show_in_queue)
        return page

    def _show_in_queue(self) -> None:
        """The queue line of the sidebar counts the runs of the sweep while it goes on."""
        assert self.page is not None
        progress = self.page.model.progress()
        words = queue_words(self.window.engine.jobs())
        if progress is not None and self.page.model.running:
            words = f"Sweep, {progress.finished + progress.failed:,} of {progress.total:,} runs"
        self.window.sidebar.set_queue(words)

    def _go_back(self) -> None:
        if self._back in self.window.methods:
            self.window.show_tab(self._back)
        else:
            self.window.open_page("start")

    def _export(self, source: ExportSource, names: list[str]) -> None:
        from gui.export.dialog import ExportDialog

        # The dialog asks of a tab only what the source answers as well.
        dialog = ExportDialog(cast("MethodTab", source), names, self.window)
        dialog.told.connect(self.window.tell)
        dialog.open()

    def _compare(self, folders: Sequence[Path]) -> None:
        self.window.open_page("runs")
        self.window.comparing.compare([summarise(folder)[0] for folder in folders])

    def _open_run(self, folder: Path) -> None:
        def read() -> tuple[RunRecord, Board]:
            record = RunRecord(folder)
            return record, record.board()

        def show(found: tuple[RunRecord, Board]) -> None:
            self.window.show_tab(found[0].header.method).open_record(*found)

        future = self.window.engine.loading.call(read, key="record")
        self.window.bridge.then(future, show, self._refused, self)

    def _refused(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.window.tell(str(error), error=True)
