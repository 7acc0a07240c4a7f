"""One tab: header, the column of data, parameters and run bar, the views with their drawer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from engine.core.board import Board
from engine.core.method import Method
from engine.core.records.reader import RunRecord
from engine.core.running.feed import Changes
from gui.bridge import EngineBridge
from gui.tab.action_dialog import ask_to_act
from gui.tab.artifacts import offer
from gui.tab.computing import Computing
from gui.tab.data_panel import DataPanel
from gui.tab.data_report import DataReport
from gui.tab.experiment import Experiment
from gui.tab.form import ParameterForm
from gui.tab.form_column import FormColumn, FormSplitter
from gui.tab.hairline import Hairline
from gui.tab.header import Header
from gui.tab.help_card import HelpCard
from gui.tab.history_bar import HistoryBar
from gui.tab.layout_menu import layout_menu
from gui.tab.results_drawer import ResultsDrawer
from gui.tab.run_bar import RunBar
from gui.tab.selection_keeper import SelectionKeeper
from gui.tab.tab_keys import bind_keys
from gui.tab.views_area import ViewsArea
from gui.widgets.progress import ProgressBar
from gui.widgets.wheel_guard import guard_wheel


class MethodTab(QWidget):
    """Puts the parts of a tab together; each part knows only the experiment."""

    told = Signal(str)
    """A sentence for a toast."""
    offered = Signal(str, str, object)
    """(sentence, deed in words, deed): a toast with a way on."""
    list_requested = Signal()
    """The hidden list of methods is wanted."""
    export_requested = Signal(object)
    """The names of the views to export."""
    again_requested = Signal(str)
    """The recorded run with this id is to be run once more."""

    def __init__(self, method: Method, bridge: EngineBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.experiment = Experiment(method, bridge, self)
        self.header = Header(method)
        self.thin = ProgressBar(thin=True, name="Progress of the run")
        self.data = DataPanel(self.experiment)
        self.form = ParameterForm(self.experiment)
        self.computing = Computing(self.experiment)
        self.run_bar = RunBar(self.experiment)
        self.views = ViewsArea(method)
        self.drawer = ResultsDrawer(method)
        self.history = HistoryBar(self.experiment)
        self.keeper = SelectionKeeper(self.experiment, self.views.selection, self)
        self.pages = QStackedWidget()
        self._help: HelpCard | None = None
        self._help_page: QWidget | None = None
        self.report: DataReport | None = None
        self._lay_out()
        self._connect()
        bind_keys(self)
        guard_wheel(self)
        self.setAcceptDrops(True)

    # ------------------------------------------------------------------ what others ask

    @property
    def run_button(self) -> Any:
        return self.run_bar.run_button

    def view(self, name: str) -> Any:
        """The drawing of a view."""
        return self.views.cards[name].drawing

    def field(self, name: str) -> Any:
        """The editor of a parameter."""
        return self.form.field(name)

    def status_text(self) -> str:
        """The word of the run's badge, or the phase it is in."""
        return str(self.run_bar.badge.text() or self.run_bar.headline.whole_text())

    def open(self) -> None:
        """Load the data the first time the tab is shown."""
        self.experiment.open()

    def open_record(self, record: RunRecord, board: Board) -> None:
        """Show a recorded run."""
        self.experiment.show_record(record, board)

    def take_file(self, path: str) -> None:
        """Use a file as data; while a run computes, offer to stop it first."""
        experiment = self.experiment
        if not experiment.computing:
            experiment.choose_data(path)
            return

        def stop_and_open() -> None:
            self.run_bar.stop()
            experiment.choose_data(path)

        sentence = f"{experiment.data.title()} stays chosen while the run goes on."
        self.offered.emit(sentence, f"Stop and open {Path(path).name}", stop_and_open)

    def show_report(self) -> None:
        """The report of what was read, over the views."""
        if self.report is None:
            self.report = DataReport(self.experiment)
            self.report.closed.connect(self.show_views)
            self.report.told.connect(self.told)
            self.pages.addWidget(self.report)
            guard_wheel(self.report)
        self.report.fill()
        self.pages.setCurrentWidget(self.report)

    def show_help(self) -> None:
        """The help page over the views, or back."""
        if self._help_page is not None and self.pages.currentWidget() is self._help_page:
            self.show_views()
            return
        if self._help is None or self._help_page is None:
            self._help = HelpCard(self.method)
            self._help.closed.connect(self.show_views)
            self._help.told.connect(self.told)
            self._help_page = _margins(self._help)
            self.pages.addWidget(self._help_page)
        self.pages.setCurrentWidget(self._help_page)
        self._help.page.setFocus()

    def show_views(self) -> None:
        """Back to the views."""
        self.pages.setCurrentIndex(0)

    def step_back(self) -> None:
        """Escape: from a page to the views, from one view to all."""
        if self.pages.currentIndex() != 0:
            self.show_views()
        else:
            self.views.restore_all()

    def undo(self) -> None:
        """Take back the last edit; on the data report, the last change of the reading."""
        (self.experiment.data if self._reporting() else self.experiment).undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        (self.experiment.data if self._reporting() else self.experiment).redo()

    def export_focused(self) -> None:
        """Export the view that has the focus, or had it last."""
        self.export_requested.emit((self.views.focused(),))

    def maximise_focused(self) -> None:
        """Show the view that has the focus alone, or all again."""
        self.views.maximise(self.views.maximised or self.views.focused())

    def copy_python(self) -> None:
        """A script that repeats the run without the window, to the clipboard."""
        from gui.tab.python_copy import script_of

        text = script_of(self.experiment)
        if text is None:
            self.told.emit("A field is wrong: there is nothing to copy yet.")
            return
        QGuiApplication.clipboard().setText(text)
        self.told.emit("The Python script is in the clipboard.")

    # ------------------------------------------------------------------ following the experiment

    def _show_target(self) -> None:
        """The experiment shows another run, preview or record."""
        experiment = self.experiment
        record, job = experiment.record, experiment.job
        self.history.follow()
        before = experiment.preview.board if job is not None and experiment.preview is not None else None
        self.views.show_board(experiment.board(), live=experiment.computing, before=before)
        if record is not None:
            self._show_record(record)
        elif job is not None:
            self.drawer.clear_log()
            self.drawer.set_run_name(job.request.name, "Saving as" if experiment.computing else "Saved as")
            self.keeper.take({})
            self.show_views()
        else:
            self.drawer.clear_log()
            self.drawer.set_run_name("")
        self._follow_run()
        self._show_results()
        self._show_undo()

    def _show_record(self, record: RunRecord) -> None:
        self.drawer.clear_log()
        for seconds, message in record.log():
            self.drawer.add_messages(seconds, [message])
        self.drawer.set_run_name(record.header.name or record.header.id)
        self.views.set_badges("Partial" if record.status in ("stopped", "interrupted", "failed") else "")
        self.keeper.take(record.selection)
        for notice in record.notices:
            self.told.emit(notice)
        self.show_views()

    def _take_news(self, changes: Changes) -> None:
        job = self.experiment.job
        if changes.views:
            self.views.touch(changes.views)
        if job is not None and changes.messages:
            self.drawer.add_messages(job.clock.elapsed, changes.messages)
        if changes.progress is not None:
            self.thin.set_share(changes.progress.fraction)
        if changes.status is not None and job is not None:
            self._follow_run()
            if job.status.ended:
                self.drawer.set_run_name(job.request.name, "Saved as")
                self.views.set_badges("" if job.status == "finished" else "Partial")
        if changes.results or changes.status is not None:
            self._show_results()
        if changes.acted:
            self._show_undo()
        for artifact in changes.artifacts:
            offer(artifact, self)

    def _follow_run(self) -> None:
        computing = self.experiment.computing
        self.views.set_live(computing)
        self.thin.setVisible(computing)
        self.line.setVisible(not computing)
        self.form.lock()
        self.data.lock()
        self.computing.lock()

    def _show_results(self) -> None:
        board = self.experiment.board() if self.experiment.record or self.experiment.job else None
        self.drawer.show_results(board, live=self.experiment.computing)

    def _show_undo(self) -> None:
        target = self.experiment.target
        self.header.show_undo(
            can_undo=target is not None and target.can_undo,
            can_redo=target is not None and target.can_redo,
            edits=any(action.edits for action in self.method.actions),
        )

    def show_history(self) -> None:
        """Go back through the run on show, or back to the present."""
        if self.experiment.record is None and not self.history.isHidden():
            self.history.close_history()
        elif not self.history.open():
            self.told.emit("There is no run yet whose history could be shown.")

    def _show_history(self, seconds: float | None, board: Board) -> None:
        live = seconds is None and self.experiment.computing
        self.views.show_board(board, live=live)
        self.views.set_badges("From history" if seconds is not None else "")
        self.drawer.show_results(board)

    def _data_changed(self) -> None:
        data = self.experiment.data
        if data.error is not None and self.experiment.record is None:
            self.show_report()
        elif self.report is not None and self._reporting() and not data.loading:
            self.report.fill()

    def _reporting(self) -> bool:
        return self.report is not None and self.pages.currentWidget() is self.report

    def _show_problem(self) -> None:
        if self.experiment.data.error is not None:
            self.show_report()
            return
        for name in self.experiment.errors():
            if name in self.form.rows:
                self.form.show_field(name)
                return

    def _show_failure(self) -> None:
        job = self.experiment.job
        if job is not None and job.failure is not None:
            self.drawer.show_failure(job.failure.traceback)

    def _show_data(self, name: str) -> None:
        from gui.tab.data_window import DataWindow

        headers, columns = self.view(name).data_table()
        if not headers:
            self.told.emit(f"{self.method.view(name).title} shows nothing yet.")
            return
        DataWindow(self.method.view(name).title, headers, columns, parent=self).show()

    def _show_layout(self) -> None:
        button, _ = self.header.buttons["Layout"]
        menu = layout_menu(self.views, self)
        menu.addSeparator()
        history = menu.add("History of the run", self.show_history, "clock-counter-clockwise")
        history.setCheckable(True)
        history.setChecked(not self.history.isHidden())
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _run_again(self) -> None:
        if self.experiment.record is not None:
            self.again_requested.emit(self.experiment.record.folder.name)

    def _own_preset(self) -> None:
        from gui.tab.own_presets import OwnPresetDialog

        dialog = OwnPresetDialog(self.experiment.values, self)
        dialog.finished.connect(lambda _: self.form.refresh())
        dialog.open()

    # ------------------------------------------------------------------ events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take_file(event.mimeData().urls()[0].toLocalFile())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() or not self.take_key(Qt.Key(event.key())):
            super().keyPressEvent(event)

    def take_key(self, key: Qt.Key) -> bool:
        """Space pauses, Escape steps back; False for every other key."""
        if key == Qt.Key.Key_Space and self.experiment.computing:
            self.run_bar.pause_or_resume()
        elif key == Qt.Key.Key_Escape:
            self.step_back()
        else:
            return False
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.drawer.set_room(self.columns.height())
        self.columns.fit(self.width())

    # ------------------------------------------------------------------ parts

    def _connect(self) -> None:
        experiment, header = self.experiment, self.header
        experiment.target_changed.connect(self._show_target)
        experiment.news.connect(self._take_news)
        experiment.told.connect(self.told)
        experiment.data_changed.connect(self._data_changed)
        self.data.report_requested.connect(self.show_report)
        self.data.file_chosen.connect(self.take_file)
        self.form.own_requested.connect(self._own_preset)
        self.run_bar.problem_requested.connect(self._show_problem)
        self.run_bar.details_requested.connect(self._show_failure)
        self.run_bar.again_requested.connect(self._run_again)
        self.views.acted.connect(experiment.act)
        self.views.export_requested.connect(lambda name: self.export_requested.emit((name,)))
        self.views.data_requested.connect(self._show_data)
        self.history.moved.connect(self._show_history)
        header.figures_requested.connect(lambda: self.export_requested.emit(tuple(self.views.cards)))
        header.layout_requested.connect(self._show_layout)
        header.python_requested.connect(self.copy_python)
        header.help_requested.connect(self.show_help)
        header.undo_requested.connect(self.undo)
        header.redo_requested.connect(self.redo)
        header.menu_requested.connect(self.list_requested)
        header.action_requested.connect(lambda name: ask_to_act(self.method.action(name), experiment, self))
        header.citation.copied.connect(lambda: self.told.emit("The citation is in the clipboard."))

    def _lay_out(self) -> None:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.pages.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.pages.addWidget(self.views)
        column.addWidget(self.pages, 1)
        column.addWidget(self.history)
        column.addWidget(self.drawer)
        form = FormColumn((self.data, self.form, self.computing), self.run_bar)
        self.columns = FormSplitter(form, right)
        self.line = Hairline()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for widget in (self.header, self.thin, self.line):
            whole.addWidget(widget)
        whole.addWidget(self.columns, 1)
        self.thin.hide()


def _margins(card: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(12, 12, 12, 12)
    row.addWidget(card)
    return box
