"""The window: methods at the left, one page at the right, toasts, Ctrl+K, and what comes back next time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QMessageBox,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from engine.core.errors import PapertabError
from engine.core.method import Method
from engine.core.records.reader import RunRecord
from engine.core.registry import methods
from engine.core.running.feed import Changes
from engine.core.running.job import Job
from engine.core.running.status import Status
from engine.core.running.steerable import Steerable
from gui.bridge import EngineBridge
from gui.session import Session
from gui.tab.method_tab import MethodTab
from gui.theme.icons import application_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.command_palette import CommandPalette
from gui.widgets.toast import ToastStack
from gui.window.queue_menu import queue_menu, queue_words
from gui.window.runs_page import RunsPage
from gui.window.settings_menu import settings_menu
from gui.window.shortcuts import add_shortcuts
from gui.window.sidebar import RUNS, START, Sidebar
from gui.window.start_page import StartPage

HIDE_SIDEBAR_BELOW = 1180


class MainWindow(QMainWindow):
    """Holds the pages; a tab is made when it is first opened."""

    def __init__(self, bridge: EngineBridge, session: Session) -> None:
        super().__init__()
        self.bridge = bridge
        self.engine = bridge.engine
        self.session = session
        self.methods: dict[str, Method] = methods()
        self.tabs: dict[str, MethodTab] = {}
        self.sidebar = Sidebar(list(self.methods.values()))
        self.start = StartPage(list(self.methods.values()))
        self.runs = RunsPage(bridge)
        self.pages = QStackedWidget()
        self.palette_box = CommandPalette(self)
        self.toasts = ToastStack(self)
        self._seen_narrow = False
        self.setWindowTitle("Papertab")
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        add_shortcuts(self)
        self._restore()

    # ------------------------------------------------------------------ pages

    def open_page(self, key: object) -> None:
        """Show "start", "runs", or ("method", slug)."""
        if isinstance(key, tuple):
            self.open_tab(str(key[1]))
            return
        self.pages.setCurrentWidget(self.runs if key == RUNS else self.start)
        self.sidebar.set_current(key)

    def open_tab(self, slug: str) -> MethodTab:
        """Show the tab of a method, making it if this is the first time."""
        tab = self.tab(slug)
        self.pages.setCurrentWidget(tab)
        self.sidebar.set_current(("method", slug))
        self._look(slug)
        tab.open()
        return tab

    def tab(self, slug: str) -> MethodTab:
        """The tab of a method."""
        if slug not in self.tabs:
            tab = MethodTab(self.methods[slug], self.bridge)
            tab.restore(self.session.get("tabs", {}).get(slug, {}))
            tab.told.connect(lambda text: self.tell(text))
            tab.list_requested.connect(self.toggle_sidebar)
            tab.export_requested.connect(lambda names: self.export(tab, names))
            tab.drawer.renamed.connect(lambda name: self._rename(tab, name))
            tab.header.list_button.setVisible(self.sidebar.isHidden())
            self.tabs[slug] = tab
            self.pages.addWidget(tab)
        return self.tabs[slug]

    def current_tab(self) -> MethodTab | None:
        """The tab on show, if a tab is."""
        page = self.pages.currentWidget()
        return page if isinstance(page, MethodTab) else None

    def toggle_sidebar(self) -> None:
        """Show or hide the list of methods."""
        self._show_sidebar(self.sidebar.isHidden())

    def open_palette(self) -> None:
        """Ctrl+K: jump to anything."""
        from gui.window.palette_sources import palette_items

        self.palette_box.open(palette_items(self))

    def show_keys(self) -> None:
        """The list of all keys."""
        from gui.window.keys_dialog import KeysDialog

        KeysDialog(self).open()

    def tell(self, sentence: str, undo: Callable[[], object] | None = None, *, error: bool = False) -> None:
        """A toast, with a way back where there is one."""
        word = "Undo" if undo else ""
        icon = "warning-circle" if error else "info"
        self.toasts.show(sentence, icon_name=icon, error=error, action_word=word, action=undo)

    def export(self, tab: MethodTab, views: tuple[str, ...]) -> None:
        """The export dialog for some views of a tab."""
        from gui.export.dialog import ExportDialog

        shown = [name for name in views if tab.view(name).state is not None]
        if not shown:
            self.tell("There is nothing to export yet.")
            return
        dialog = ExportDialog(tab, shown, self)
        dialog.told.connect(self.tell)
        dialog.open()

    # ------------------------------------------------------------------ files

    def choose_file(self) -> None:
        """Open data: the file goes to the tab on show, or the person chooses a method that reads it."""
        name, _ = QFileDialog.getOpenFileName(self, "Open data")
        if name:
            self.take_file(Path(name))

    def take_file(self, path: Path) -> None:
        """Use a file in the tab on show; on another page, offer the methods that read its format."""
        tab = self.current_tab()
        if tab is not None:
            tab.experiment.choose_data(str(path))
            return
        suffix = path.suffix.lower()
        able = [m.slug for m in self.methods.values() if any(suffix in kind.accepts for kind in m.data)]
        if not able:
            self.tell(f"No method reads {path.name}: its ending {suffix or 'is missing'}.", error=True)
            return
        if len(able) == 1:
            self.open_with(able[0], path)
            return
        from gui.window.palette_sources import method_items_for

        self.palette_box.open(method_items_for(self, able, path))

    def open_with(self, slug: str, path: Path) -> None:
        """Open a method's tab on a file."""
        tab = self.tab(slug)
        tab.experiment.source = str(path)
        self.open_tab(slug)
        tab.experiment.choose_data(str(path))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.take_file(Path(event.mimeData().urls()[0].toLocalFile()))
        event.acceptProposedAction()

    # ------------------------------------------------------------------ runs

    def open_run(self, run_id: str) -> None:
        """Show a recorded run in its method's tab; a run of this session is shown as it stands."""
        live = next((job for job in self.engine.jobs() if job.id == run_id), None)
        if live is not None:
            self.open_tab(live.method.slug).experiment.show_job(live)
            return
        library = self.engine.library
        future = self.engine.loading.call(lambda: library.open(run_id))
        self.bridge.then(future, self._show_record, self._not_opened)

    def run_again(self, run_id: str) -> None:
        """Take the settings of a recorded run, and run."""
        library = self.engine.library
        future = self.engine.loading.call(lambda: library.open(run_id))
        self.bridge.then(future, self._repeat, self._not_opened)

    def _show_record(self, record: RunRecord) -> None:
        slug = record.header.method
        if slug not in self.methods:
            self.tell(f"This run is of “{record.header.title}”, a method that is not installed.", error=True)
            return
        tab = self.tab(slug)
        tab.open_record(record)
        self.pages.setCurrentWidget(tab)
        self.sidebar.set_current(("method", slug))

    def _repeat(self, record: RunRecord) -> None:
        tab = self.open_tab(record.header.method)
        tab.experiment.repeat(record)

    def _not_opened(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.tell(str(error), error=True)

    def _rename(self, tab: MethodTab, name: str) -> None:
        experiment = tab.experiment
        run = (
            experiment.record.header.id if experiment.record else experiment.job.id if experiment.job else ""
        )
        try:
            self.engine.library.rename(run, name)
        except PapertabError as error:
            self.tell(str(error), error=True)

    # ------------------------------------------------------------------ news of runs

    def _take_news(self, target: Steerable, changes: Changes) -> None:
        if not isinstance(target, Job):
            return
        slug = target.method.slug
        share = changes.progress.fraction if changes.progress is not None else None
        if changes.status is not None or share is not None:
            self._show_status(slug, target, share or 0.0)
        if changes.status is not None:
            self.sidebar.set_queue(queue_words(self.engine.jobs()))
            if target.status.ended:
                self._tell_end(slug, target)

    def _show_status(self, slug: str, job: Job, share: float) -> None:
        away = self.current_tab() is not self.tabs.get(slug)
        sign: Any = {
            Status.QUEUED: "queued",
            Status.RUNNING: "running",
            Status.PAUSED: "paused",
            Status.WAITING: "waiting",
            Status.FINISHED: "finished" if away else "",
            Status.STOPPED: "",
            Status.FAILED: "failed",
        }.get(job.status, "")
        self.sidebar.set_status(slug, sign, share)

    def _look(self, slug: str) -> None:
        """The tab is looked at: its green dot goes."""
        job = self.tabs[slug].experiment.job
        if job is None or job.status in (Status.FINISHED, Status.FAILED):
            self.sidebar.set_status(slug, "")

    def _tell_end(self, slug: str, job: Job) -> None:
        self.runs.refresh()
        if self.current_tab() is self.tabs.get(slug):
            return
        words = {
            Status.FINISHED: "finished",
            Status.STOPPED: "stopped",
            Status.FAILED: "failed",
        }.get(job.status)
        detail = job.failure.message if job.failure else "What was computed is kept."
        self.toasts.show(
            f"{job.request.name} {words}.",
            detail,
            error=job.failure is not None,
            action_word="Open",
            action=lambda: self.open_run(job.id),
        )

    # ------------------------------------------------------------------ coming and going

    def closeEvent(self, event: QCloseEvent) -> None:
        active = [job for job in self.engine.jobs() if job.status.active]
        if active and not self._agreed_to_stop(active):
            event.ignore()
            return
        self._keep()
        self.bridge.stop()
        self.engine.close()
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(HIDE_SIDEBAR_BELOW)
        if narrow != self._seen_narrow:
            self._seen_narrow = narrow
            self._show_sidebar(not narrow)

    def _agreed_to_stop(self, active: list[Job]) -> bool:
        count = len(active)
        what = f"“{active[0].request.name}” is" if count == 1 else f"{count} runs are"
        box = QMessageBox(self)
        box.setWindowTitle("Papertab")
        box.setText(f"{what} not finished.")
        box.setInformativeText("Stop and close? What was computed is kept.")
        stop = box.addButton("Stop and close", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Go on", QMessageBox.ButtonRole.RejectRole)
        box.exec()
        return box.clickedButton() is stop

    def _keep(self) -> None:
        session = self.session
        tab = self.current_tab()
        page = tab.method.slug if tab else RUNS if self.pages.currentWidget() is self.runs else START
        session.set("page", page)
        session.set("geometry", bytes(self.saveGeometry().data()).hex())
        session.set("theme", theme().mode)
        session.set("zoom", theme().zoom)
        tabs = session.get("tabs", {})
        session.set("tabs", {**tabs, **{slug: tab.state() for slug, tab in self.tabs.items()}})
        session.save()

    def _restore(self) -> None:
        self.resize(1280, 800)
        geometry = self.session.get("geometry")
        if isinstance(geometry, str):
            self.restoreGeometry(QByteArray(bytes.fromhex(geometry)))
        if not any(s.availableGeometry().intersects(self.frameGeometry()) for s in QGuiApplication.screens()):
            self.move(QGuiApplication.primaryScreen().availableGeometry().topLeft())
        page = self.session.get("page", START)
        if page in self.methods:
            self.open_tab(page)
        else:
            self.open_page(page if page == RUNS else START)

    def _show_sidebar(self, shown: bool) -> None:
        self.sidebar.setVisible(shown)
        for tab in self.tabs.values():
            tab.header.list_button.setVisible(not shown)

    def _connect(self) -> None:
        self.sidebar.chosen.connect(self.open_page)
        self.sidebar.palette_requested.connect(self.open_palette)
        self.sidebar.queue_requested.connect(lambda: queue_menu(self).popup_above(self.sidebar.queue_button))
        self.sidebar.settings_requested.connect(
            lambda: settings_menu(self).popup_above(self.sidebar.settings_button)
        )
        self.start.method_chosen.connect(self.open_tab)
        self.start.open_requested.connect(self.choose_file)
        self.start.palette_requested.connect(self.open_palette)
        self.runs.opened.connect(self.open_run)
        self.runs.again.connect(self.run_again)
        self.runs.told.connect(self.tell)
        self.runs.counted.connect(self._show_counts)
        self.palette_box.chosen.connect(self._go)
        self.bridge.changed.connect(self._take_news)

    def _show_counts(self, total: int, counts: dict[str, int]) -> None:
        self.sidebar.set_runs(total)
        self.start.set_runs(counts)

    def _go(self, key: Any, second: bool) -> None:
        deed, *arguments = key
        deed(*arguments)

    def _lay_out(self) -> None:
        self.setMinimumSize(*(theme().px(side) for side in TOKENS.size.window_min))
        for page in (self.start, self.runs):
            self.pages.addWidget(page)
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.columns.setHandleWidth(1)
        self.columns.setChildrenCollapsible(False)
        self.sidebar.setMinimumWidth(theme().px(200))
        self.sidebar.setMaximumWidth(theme().px(320))
        self.columns.addWidget(self.sidebar)
        self.columns.addWidget(self.pages)
        self.columns.setStretchFactor(1, 1)
        self.columns.setSizes([theme().px(TOKENS.size.sidebar), 1048])
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.columns)
        self.setCentralWidget(box)
