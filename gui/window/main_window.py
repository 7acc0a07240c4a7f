"""The window: methods at the left, one page at the right, toasts, Ctrl+K, and what comes back next time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QWidget,
)

from engine.core.errors import PapertabError
from engine.core.method import Method
from engine.core.registry import methods
from engine.core.running.job import Job
from engine.core.running.lane import Lane
from engine.core.running.status import Status
from gui.bridge import EngineBridge
from gui.compare.comparing import Comparing
from gui.export.figures_lane import FiguresLane
from gui.session import Session
from gui.sweeps.sweeping import Sweeping
from gui.tab.hairline import HairlineSplitter
from gui.tab.method_tab import MethodTab
from gui.tab.tab_state import restore_tab
from gui.theme.icons import application_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.command_palette import CommandPalette
from gui.widgets.toast import ToastStack
from gui.window.keeping import keep, restore
from gui.window.queue_menu import queue_menu
from gui.window.recorded_runs import RecordedRuns
from gui.window.run_news import RunNews
from gui.window.runs_page import RunsPage
from gui.window.settings_menu import settings_menu
from gui.window.shortcuts import add_shortcuts
from gui.window.sidebar import RUNS, Sidebar
from gui.window.start_page import StartPage

HIDE_SIDEBAR_BELOW = 1180


class MainWindow(QMainWindow):
    """Holds the pages; a tab is made when it is first opened."""

    def __init__(self, bridge: EngineBridge, session: Session) -> None:
        super().__init__()
        self.bridge = bridge
        self.warming: Lane | None = None
        self.engine = bridge.engine
        self.figures = FiguresLane()
        self.session = session
        self.methods: dict[str, Method] = methods()
        self.tabs: dict[str, MethodTab] = {}
        self.sidebar = Sidebar(list(self.methods.values()))
        self.start = StartPage(list(self.methods.values()))
        self.runs = RunsPage(bridge)
        self.pages = QStackedWidget()
        self.palette_box = CommandPalette(self)
        self.toasts = ToastStack(self)
        self.recorded = RecordedRuns(self)
        self.comparing = Comparing(self)
        self.sweeping = Sweeping(self)
        self.run_news = RunNews(self)
        self._seen_narrow = False
        self.setWindowTitle("Papertab")
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        add_shortcuts(self)
        restore(self)

    # ------------------------------------------------------------------ pages

    def open_page(self, key: object) -> None:
        """Show "start", "runs", or ("method", slug)."""
        if isinstance(key, tuple):
            self.open_tab(str(key[1]))
            return
        self.pages.setCurrentWidget(self.runs if key == RUNS else self.start)
        self.sidebar.set_current(key)

    def open_tab(self, slug: str) -> MethodTab:
        """Show the tab of a method, making it if this is the first time, and load its data."""
        tab = self.show_tab(slug)
        tab.open()
        return tab

    def show_tab(self, slug: str) -> MethodTab:
        """Show the tab of a method as it is."""
        tab = self.tab(slug)
        self.pages.setCurrentWidget(tab)
        self.sidebar.set_current(("method", slug))
        self.run_news.looked_at(tab)
        return tab

    def tab(self, slug: str) -> MethodTab:
        """The tab of a method."""
        if slug not in self.tabs:
            tab = MethodTab(self.methods[slug], self.bridge)
            restore_tab(tab, self.session.get("tabs", {}).get(slug, {}))
            tab.told.connect(lambda text: self.tell(text))
            tab.offered.connect(self._offer)
            tab.list_requested.connect(self.toggle_sidebar)
            tab.export_requested.connect(lambda names: self.export(tab, names))
            tab.again_requested.connect(self.recorded.run_again)
            tab.run_bar.sweep_requested.connect(lambda: self.sweeping.begin(tab.experiment))
            tab.drawer.renamed.connect(lambda name: self.recorded.rename(tab, name))
            tab.header.list_button.setVisible(self.sidebar.isHidden())
            self.tabs[slug] = tab
            self.pages.addWidget(tab)
        return self.tabs[slug]

    def page(self) -> QWidget:
        """The page on show."""
        return self.pages.currentWidget() or self.start

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

    def filter(self) -> None:
        """Ctrl+F: the filter of the list on show."""
        field = self.runs.search if self.pages.currentWidget() is self.runs else self.sidebar.filter
        if field is self.sidebar.filter:
            self._show_sidebar(True)
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def second_window(self) -> MainWindow:
        """Another window over the same engine."""
        other = MainWindow(self.bridge, self.session)
        other.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        other.move(self.pos() + QPoint(32, 32))
        other.show()
        return other

    # ------------------------------------------------------------------ telling

    def tell(self, sentence: str, undo: Callable[[], object] | None = None, *, error: bool = False) -> None:
        """A toast, with a way back where there is one."""
        word = "Undo" if undo else ""
        icon = "warning-circle" if error else "info"
        self.toasts.show(sentence, icon_name=icon, error=error, action_word=word, action=undo)

    def tell_fault(self, sentence: str, details: str) -> None:
        """A fault of the program: one sentence, the traceback one click away."""
        from gui.window.faults import FaultDialog

        self.toasts.show(
            sentence,
            error=True,
            action_word="Details",
            action=lambda: FaultDialog(sentence, details, self).open(),
        )

    def export(self, tab: MethodTab, views: tuple[str, ...]) -> None:
        """The export dialog for some views of a tab."""
        from gui.export.dialog import ExportDialog

        shown = [name for name in views if tab.views.state_of(name) is not None]
        if not shown:
            self.tell("There is nothing to export yet.")
            return
        dialog = ExportDialog(tab, shown, self)
        dialog.told.connect(self.tell)
        dialog.open()

    def _offer(self, sentence: str, word: str, deed: Callable[[], object]) -> None:
        self.toasts.show(sentence, icon_name="info", action_word=word, action=deed)

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
            tab.take_file(str(path))
            return
        suffix = path.suffix.lower()
        able = [m.slug for m in self.methods.values() if any(suffix in kind.accepts for kind in m.data)]
        if not able:
            ending = f"its ending is {suffix}" if suffix else "it has no ending"
            self.tell(f"No method reads {path.name}: {ending}.", error=True)
            return
        if len(able) == 1:
            self.open_with(able[0], path)
            return
        from gui.window.palette_sources import method_items_for

        self.palette_box.open(method_items_for(self, able, path))

    def open_with(self, slug: str, path: Path) -> None:
        """Open a method's tab on a file."""
        self.show_tab(slug).take_file(str(path))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take_file(Path(event.mimeData().urls()[0].toLocalFile()))

    # ------------------------------------------------------------------ coming and going

    def is_computing(self) -> bool:
        """Whether a run is being computed now."""
        return any(job.status is Status.RUNNING for job in self.engine.jobs())

    def open_run(self, run_id: str) -> None:
        """Show a run in its method's tab."""
        self.recorded.show(run_id)

    def closeEvent(self, event: QCloseEvent) -> None:
        if len(open_windows()) > 1:
            keep(self)
            self.sweeping.shut()
            self.figures.close()
            event.accept()
            return
        unfinished = [job for job in self.engine.jobs() if not job.status.ended]
        if unfinished and not self._agreed_to_stop(unfinished):
            event.ignore()
            return
        keep(self)
        self.sweeping.shut()
        self.bridge.stop()
        self.figures.close()
        self.engine.close()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that nothing with the focus took."""
        tab, key = self.current_tab(), Qt.Key(event.key())
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_F:
            self.filter()
        elif event.modifiers() or tab is None or not tab.take_key(key):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(HIDE_SIDEBAR_BELOW)
        if narrow != self._seen_narrow:
            self._seen_narrow = narrow
            self._show_sidebar(not narrow)

    def _agreed_to_stop(self, unfinished: list[Job]) -> bool:
        count = len(unfinished)
        what = f"“{unfinished[0].request.name}” is" if count == 1 else f"{count} runs are"
        box = QMessageBox(self)
        box.setWindowTitle("Papertab")
        box.setText(f"{what} not finished.")
        box.setInformativeText("Stop and close? What was computed is kept.")
        stop = box.addButton("Stop and close", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Go on", QMessageBox.ButtonRole.RejectRole)
        box.exec()
        return box.clickedButton() is stop

    def _show_sidebar(self, shown: bool) -> None:
        self.sidebar.setVisible(shown)
        for tab in self.tabs.values():
            tab.header.list_button.setVisible(not shown)
        self.start.list_button.setVisible(not shown)
        self.runs.list_button.setVisible(not shown)

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
        self.start.list_button.clicked.connect(self.toggle_sidebar)
        self.runs.list_button.clicked.connect(self.toggle_sidebar)
        self.runs.opened.connect(self.recorded.show)
        self.runs.again.connect(self.recorded.run_again)
        self.runs.branched.connect(self.recorded.branch)
        self.runs.compare_requested.connect(self.comparing.compare)
        self.runs.sweeps_requested.connect(self.sweeping.show)
        self.runs.told.connect(lambda text, undo: self.tell(text, undo))
        self.runs.counted.connect(self._count_runs)
        self.palette_box.chosen.connect(self._go)
        self.bridge.changed.connect(self.run_news.take)

    def _count_runs(self, count: int, by_method: dict[str, int]) -> None:
        self.sidebar.set_runs(count)
        self.start.set_runs(by_method)

    def _go(self, key: Any, second: bool) -> None:
        deed, *arguments = key
        if second and getattr(deed, "__self__", None) is self:
            deed = getattr(self.second_window(), deed.__name__)
        try:
            deed(*arguments)
        except PapertabError as error:
            self.tell(str(error), error=True)

    def _lay_out(self) -> None:
        self.setMinimumSize(*(theme().px(side) for side in TOKENS.size.window_min))
        for page in (self.start, self.runs):
            self.pages.addWidget(page)
        self.columns = HairlineSplitter()
        self.sidebar.setMinimumWidth(theme().px(200))
        self.sidebar.setMaximumWidth(theme().px(320))
        self.columns.addWidget(self.sidebar)
        self.columns.addWidget(self.pages)
        self.columns.setStretchFactor(0, 0)
        self.columns.setStretchFactor(1, 1)
        self.columns.setSizes([theme().px(TOKENS.size.sidebar), 10_000])
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.columns)
        self.setCentralWidget(box)


def open_windows() -> list[MainWindow]:
    """The windows of this process that are on the screen."""
    return [
        each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible()
    ]
