"""One tab: header, the column of data, parameters and run bar, the views with their drawer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.core.method import Method
from engine.core.records.reader import RunRecord
from engine.core.running.feed import Changes
from gui.bridge import EngineBridge
from gui.tab.arrangement import Arrangement
from gui.tab.data_panel import DataPanel
from gui.tab.data_report import DataReport
from gui.tab.experiment import Experiment
from gui.tab.form import ParameterForm
from gui.tab.header import Header
from gui.tab.help_card import HelpCard
from gui.tab.history_bar import HistoryBar
from gui.tab.layout_menu import layout_menu
from gui.tab.results_drawer import ResultsDrawer
from gui.tab.run_bar import RunBar
from gui.tab.views_area import ViewsArea
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.progress import ProgressBar
from gui.widgets.wheel_guard import guard_wheel


class MethodTab(QWidget):
    """Puts the parts of a tab together; each part knows only the experiment."""

    told = Signal(str)
    """A sentence for a toast."""
    list_requested = Signal()
    """The hidden list of methods is wanted."""
    export_requested = Signal(object)
    """The names of the views to export."""

    def __init__(self, method: Method, bridge: EngineBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.experiment = Experiment(method, bridge, self)
        self.header = Header(method)
        self.thin = ProgressBar(thin=True, name="Progress of the run")
        self.data = DataPanel(self.experiment)
        self.form = ParameterForm(self.experiment)
        self.run_bar = RunBar(self.experiment)
        self.views = ViewsArea(method)
        self.drawer = ResultsDrawer(method)
        self.history = HistoryBar(self.experiment)
        self.pages = QStackedWidget()
        self._help: HelpCard | None = None
        self._help_page: QWidget | None = None
        self._report: DataReport | None = None
        self._lay_out()
        self._connect()
        self._shortcuts()
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

    def open_record(self, record: RunRecord) -> None:
        """Show a recorded run."""
        self.experiment.show_record(record)

    def show_report(self) -> None:
        """The report of what was read, over the views."""
        if self._report is None:
            self._report = DataReport(self.experiment)
            self._report.closed.connect(self.show_views)
            self.pages.addWidget(self._report)
        self._report.fill()
        self.pages.setCurrentWidget(self._report)

    def show_help(self) -> None:
        """The help page over the views, or back."""
        if self._help_page is not None and self.pages.currentWidget() is self._help_page:
            self.show_views()
            return
        if self._help is None:
            self._help = HelpCard(self.method)
            self._help.closed.connect(self.show_views)
            self._help_page = _margins(self._help)
            self.pages.addWidget(self._help_page)
        self.pages.setCurrentWidget(self._help_page)
        self._help.page.setFocus()

    def show_views(self) -> None:
        """Back to the views."""
        self.pages.setCurrentIndex(0)

    def state(self) -> dict[str, Any]:
        """What the session keeps of this tab."""
        experiment = self.experiment
        parameters = experiment.parameters()
        return {
            "preset": experiment.preset,
            "values": parameters.as_record() if parameters else {},
            "seed": experiment.seed,
            "source": experiment.source,
            "options": experiment.options.changed(),
            "arrangement": self.views.arrangement.as_record(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what the session kept; what no longer fits is left at its default."""
        experiment = self.experiment
        if state.get("preset") in {preset.name for preset in self.method.presets}:
            experiment.choose_preset(state["preset"])
        experiment.take_values(state.get("values", {}))
        experiment.seed = int(state.get("seed", 0))
        source = str(state.get("source", experiment.source))
        if source in {data.name for data in self.method.sets} or _small_file(source):
            experiment.source = source
            experiment.options = experiment.options.with_settings(state.get("options", {}))
        names = [view.name for view in self.method.views]
        arrangement = Arrangement.of_record(state.get("arrangement", {}), names)
        if arrangement is not None:
            self.views.set_arrangement(arrangement)

    # ------------------------------------------------------------------ parts

    def _connect(self) -> None:
        experiment, header = self.experiment, self.header
        experiment.target_changed.connect(self._show_target)
        experiment.news.connect(self._take_news)
        experiment.told.connect(self.told)
        experiment.data_changed.connect(self._data_changed)
        self.data.report_requested.connect(self.show_report)
        self.run_bar.problem_requested.connect(self._show_problem)
        self.run_bar.details_requested.connect(self._show_failure)
        self.views.acted.connect(experiment.act)
        self.views.export_requested.connect(lambda name: self.export_requested.emit((name,)))
        self.views.data_requested.connect(self._show_data)
        self.history.moved.connect(self._show_history)
        header.figures_requested.connect(lambda: self.export_requested.emit(tuple(self.views.cards)))
        header.layout_requested.connect(self._show_layout)
        header.python_requested.connect(self.copy_python)
        header.help_requested.connect(self.show_help)
        header.undo_requested.connect(experiment.undo)
        header.redo_requested.connect(experiment.redo)
        header.menu_requested.connect(self.list_requested)
        header.action_requested.connect(lambda name: experiment.act(name, {}))
        header.citation.copied.connect(lambda: self.told.emit("The citation is in the clipboard."))

    def _show_target(self) -> None:
        """The experiment shows another run, preview or record."""
        experiment = self.experiment
        self.history.follow()
        if experiment.record is not None:
            self.views.show_board(experiment.record.board())
            self._show_log(experiment.record)
            self.drawer.set_run_name(experiment.record.header.name)
        elif experiment.target is not None:
            job = experiment.job
            if job is not None:
                self.drawer.clear_log()
                self.drawer.set_run_name(job.request.name, "Saving as")
                self.show_views()
            self.views.show_board(experiment.target.board, live=job is not None and not job.status.ended)
        self._show_results()
        self._show_undo()

    def _take_news(self, changes: Changes) -> None:
        experiment = self.experiment
        job = experiment.job
        if changes.views:
            self.views.touch(changes.views)
        if job is not None and changes.messages:
            self.drawer.add_messages(job.clock.elapsed, changes.messages)
        if changes.progress is not None:
            self.thin.set_share(changes.progress.fraction)
        if changes.status is not None and job is not None:
            self.views.set_live(not job.status.ended)
            self.thin.setVisible(not job.status.ended)
            self.form.lock()
            self.data.lock()
            self.history.follow()
        if changes.results or changes.status is not None:
            self._show_results()
        if changes.acted:
            self._show_undo()

    def _show_results(self) -> None:
        experiment = self.experiment
        if experiment.record is not None:
            self.drawer.show_results(experiment.record.board())
        else:
            self.drawer.show_results(experiment.job.board if experiment.job else None)

    def _show_undo(self) -> None:
        target = self.experiment.target
        self.header.show_undo(
            can_undo=target is not None and target.can_undo,
            can_redo=target is not None and target.can_redo,
            edits=any(action.edits for action in self.method.actions),
        )

    def _show_log(self, record: RunRecord) -> None:
        self.drawer.clear_log()
        for seconds, message in record.log():
            self.drawer.add_messages(seconds, [message])

    def _show_history(self, seconds: float | None) -> None:
        record = self.experiment.record
        if record is not None:
            self.views.show_board(record.board(seconds))
            for card in self.views.cards.values():
                card.set_badge("From history" if seconds is not None else "")

    def _data_changed(self) -> None:
        if self.experiment.data_error is not None:
            self.show_report()
        elif self._report is not None and self._report.isVisible():
            self._report.fill()

    def _show_problem(self) -> None:
        if self.experiment.data_error is not None:
            self.show_report()
            return
        for name in self.experiment.errors():
            if name in self.form.rows:
                self.form.rows[name].field.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def _show_failure(self) -> None:
        job = self.experiment.job
        if job is not None and job.failure is not None:
            self.drawer.show_failure(job.failure.traceback)

    def _show_data(self, name: str) -> None:
        from gui.tab.data_window import DataWindow

        headers, columns = self.view(name).data_table()
        DataWindow(self.method.view(name).title, headers, columns, parent=self).show()

    def _show_layout(self) -> None:
        button, _ = self.header.buttons["Layout"]
        menu = layout_menu(self.views, self)
        menu.exec(button.mapToGlobal(button.rect().bottomLeft()))

    def copy_python(self) -> None:
        """A script that repeats the run without the window, to the clipboard."""
        from engine.core.scripting import python_script

        parameters = self.experiment.parameters()
        if parameters is None:
            self.told.emit("A field is wrong: there is nothing to copy yet.")
            return
        text = python_script(
            self.method,
            parameters,
            source=self.experiment.source,
            options=self.experiment.options,
            seed=self.experiment.seed,
            threads=self.experiment.threads,
        )
        QGuiApplication.clipboard().setText(text)
        self.told.emit("The Python script is in the clipboard.")

    # ------------------------------------------------------------------ dropping files

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.experiment.choose_data(event.mimeData().urls()[0].toLocalFile())
        event.acceptProposedAction()

    # ------------------------------------------------------------------ layout and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.drawer.set_room(self.columns.height())

    def _lay_out(self) -> None:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.pages.addWidget(self.views)
        column.addWidget(self.pages, 1)
        column.addWidget(self.history)
        column.addWidget(self.drawer)
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setHandleWidth(1)
        self.columns.setChildrenCollapsible(False)
        self.columns.addWidget(self._form_column())
        self.columns.addWidget(right)
        self.columns.setStretchFactor(1, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        whole.addWidget(self.thin)
        whole.addWidget(_hairline())
        whole.addWidget(self.columns, 1)
        self.thin.hide()

    def _form_column(self) -> QWidget:
        inside = QWidget()
        inner = QVBoxLayout(inside)
        inner.setContentsMargins(24, 16, 16, 16)
        inner.setSpacing(16)
        inner.addWidget(self.data)
        inner.addWidget(self.form)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        box = QWidget()
        box.setMinimumWidth(theme().px(TOKENS.size.form_narrow))
        box.setMaximumWidth(theme().px(400))
        box.resize(theme().px(TOKENS.size.form), 100)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(scroll, 1)
        column.addWidget(_hairline())
        column.addWidget(self.run_bar)
        return box

    def _shortcuts(self) -> None:
        deeds = {
            "Ctrl+Return": self.run_bar.run,
            "Ctrl+Enter": self.run_bar.run,
            "Ctrl+.": self.run_bar.stop,
            "Ctrl+Z": self.experiment.undo,
            "Ctrl+Shift+Z": self.experiment.redo,
            "F1": self.show_help,
            "Escape": self._escape,
            **{f"Ctrl+{number}": partial(self.views.focus_view, number - 1) for number in range(1, 10)},
        }
        for keys, deed in deeds.items():
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(deed)

    def _escape(self) -> None:
        if self.pages.currentIndex() != 0:
            self.show_views()
        else:
            self.views.restore_all()


REREAD_AT_START = 50_000_000
"""Bytes: a larger file of the last session is read again only when the person asks."""


def _small_file(source: str) -> bool:
    path = Path(source)
    return path.is_file() and path.stat().st_size <= REREAD_AT_START


def _hairline() -> QFrame:
    line = QFrame()
    line.setObjectName("hairline")
    line.setFrameShape(QFrame.Shape.HLine)
    line.setFixedHeight(1)
    return line


def _margins(card: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(12, 12, 12, 12)
    row.addWidget(card)
    return box
