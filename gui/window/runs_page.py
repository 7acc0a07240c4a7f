"""The list of runs: find, open, run again, rename, tag, delete with undo, import and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QInputDialog, QSplitter, QVBoxLayout, QWidget

from engine.core.errors import PapertabError
from engine.core.records.summary import RunSummary
from gui.bridge import EngineBridge
from gui.tab.times import clock
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.badge import LOOKS
from gui.widgets.button import Button, IconButton
from gui.widgets.data_table import DataTable
from gui.widgets.empty_view import EmptyView
from gui.widgets.label import Label
from gui.widgets.search_field import SearchField
from gui.widgets.table_column import Column
from gui.window.runs_filter import RunsFilter, filter_menu, status_of

TYPING_PAUSE_MS = 200
ROWS_KEPT = 6
"""Rows of the list that stay in sight over a comparison."""
NARROW = 1_120
"""Below this width in logical px the buttons have their words alone."""
REFRESH_MS = 2_000


class RunsPage(QWidget):
    """Shows the library. Reading it goes through the loading lane; a large library never holds the window."""

    opened = Signal(str)
    """The run with this id is to be shown in its tab."""
    again = Signal(str)
    """The run with this id is to be run once more with its settings."""
    sweeps_requested = Signal()
    """The page of sweeps is wanted."""
    compare_requested = Signal(object)
    """The runs of these summaries are to be compared."""
    branched = Signal(str)
    """The settings of the run with this id are to be changed and run."""
    told = Signal(str, object)
    """(sentence, undo or None)."""
    counted = Signal(int, object)
    """(number of runs, counts by method)."""

    def __init__(self, bridge: EngineBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.library = bridge.engine.library
        self.runs: list[RunSummary] = []
        self.found: list[RunSummary] = []
        self.filter = RunsFilter()
        self.count = Label("", "small", "secondary")
        self.search = SearchField("Name, tag, method, data")
        self.search.set_hint("Ctrl F")
        self.list_button = IconButton("list", "Show the methods", "Ctrl+B", bind=False)
        self.list_button.hide()
        self.table = DataTable(name="Runs")
        self.empty = EmptyView(
            "Runs appear here", "Every run is kept as it happens, with its settings and views.", "clock"
        )
        self.chosen = Label("", "small", "secondary")
        self.buttons: dict[str, Button] = {}
        self.letters: dict[str, str] = {}
        self._icons: dict[str, str] = {}
        self._narrow = False
        self._order = Label("newest first", "small", "tertiary")
        self.split = QSplitter(Qt.Orientation.Vertical)
        self._lay_out()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self.refresh)
        self._watch = QTimer(self)
        self._watch.setInterval(REFRESH_MS)
        self._watch.timeout.connect(self.refresh)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.table.selection_changed.connect(lambda _: self._show_chosen())
        self.table.row_activated.connect(lambda row: self.opened.emit(self.runs[row].id))
        remove = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self.delete)
        self._show_chosen()

    # ------------------------------------------------------------------ reading

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._watch.start()

    def hideEvent(self, event: Any) -> None:
        super().hideEvent(event)
        self._watch.stop()

    def refresh(self) -> None:
        """Read the list again."""
        query, library = self.search.text(), self.library

        def read() -> list[RunSummary]:
            library.sync()
            return list(library.runs(query))

        self.bridge.then(self.bridge.engine.loading.call(read, key="runs"), self._show, self._failed)

    def set_filter(self, wanted: RunsFilter) -> None:
        """Show only the runs that pass."""
        self.filter = wanted
        self.filter_button.setText(f"Filter · {wanted.count}" if wanted.count else "Filter")
        self._show(self.found)

    def _open_filter(self) -> None:
        menu = filter_menu(self.found, self.filter, self.set_filter, self)
        menu.popup(self.filter_button.mapToGlobal(QPoint(0, self.filter_button.height())))

    def _show(self, found: list[RunSummary]) -> None:
        before = self.selected()
        runs = [run for run in found if self.filter.passes(run)]
        self.found, self.runs = found, runs
        self.table.set_columns(_columns(runs, self.letters))
        kept = {run.id for run in before}
        self.table.set_selection([row for row, run in enumerate(runs) if run.id in kept])
        self.empty.setVisible(not runs)
        self.table.setVisible(bool(runs))
        of = f" of {len(found):,}" if len(runs) < len(found) else ""
        self.count.setText(f"{len(runs):,}{of} run{'s' * (len(found) != 1)}")
        if not self.search.text():
            counts: dict[str, int] = {}
            for run in found:
                counts[run.method] = counts.get(run.method, 0) + 1
            self.counted.emit(len(found), counts)
        self._show_chosen()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.told.emit(str(error), None)

    # ------------------------------------------------------------------ deeds

    def selected(self) -> list[RunSummary]:
        """The runs chosen in the list."""
        return [self.runs[row] for row in self.table.selection() if row < len(self.runs)]

    def delete(self) -> None:
        """Move the chosen runs to the bin; the toast brings them back."""
        runs = self.selected()
        if not runs:
            return
        names = self._carry_out(lambda: self.library.delete([run.id for run in runs]))
        if names is not None:
            what = runs[0].name if len(runs) == 1 else f"{len(runs):,} runs"
            self.told.emit(f"Deleted {what}.", lambda: self._restore(names))
        self.refresh()

    def rename(self) -> None:
        """Give the chosen run another name."""
        (run,) = self.selected()
        name, agreed = QInputDialog.getText(self, "Rename the run", "Name", text=run.name)
        if agreed and name.strip():
            self._carry_out(lambda: self.library.rename(run.id, name.strip()))
            self.refresh()

    def tag(self) -> None:
        """Give the chosen runs tags, separated by commas."""
        runs = self.selected()
        present = ", ".join(runs[0].tags)
        text, agreed = QInputDialog.getText(self, "Tags", "Tags, separated by commas", text=present)
        if agreed:
            for run in runs:
                self._carry_out(partial(self.library.tag, run.id, text.split(",")))
            self.refresh()

    def note(self) -> None:
        """Write a note on the chosen run."""
        (run,) = self.selected()
        text, agreed = QInputDialog.getMultiLineText(self, "Note", f"Note on {run.name or run.id}", run.note)
        if agreed:
            self._carry_out(lambda: self.library.note(run.id, text.strip()))
            self.refresh()

    def export(self) -> None:
        """The chosen runs as one zip that reads without Papertab."""
        from engine.core.records.archive import export_runs

        runs = self.selected()
        name, _ = QFileDialog.getSaveFileName(self, "Export runs", "runs.zip", "Archive (*.zip)")
        if name:
            records = [self.library.open(run.id) for run in runs]
            done = self._carry_out(lambda: export_runs(records, Path(name)))
            if done is not None:
                self.told.emit(f"Exported {len(runs):,} runs to {Path(name).name}.", None)

    def import_archive(self) -> None:
        """Take in the runs of a colleague's zip."""
        from engine.core.records.archive import import_runs

        name, _ = QFileDialog.getOpenFileName(self, "Import runs", "", "Archive (*.zip)")
        if name:
            ids = self._carry_out(lambda: import_runs(Path(name), self.library))
            if ids is not None:
                self.told.emit(f"Imported {len(ids):,} runs.", None)
            self.refresh()

    def _restore(self, names: list[str]) -> None:
        self._carry_out(lambda: self.library.restore(names))
        self.refresh()

    def _carry_out(self, deed: Callable[[], Any]) -> Any:
        """The result of `deed`; None where it failed, which is told."""
        try:
            return deed() or True
        except PapertabError as error:
            self.told.emit(str(error), None)
            return None

    def _show_chosen(self) -> None:
        count = len(self.selected())
        self.chosen.setText(f"{count:,} selected" if count else "None selected")
        for name, button in self.buttons.items():
            one = name in ("Open", "Run again", "Branch", "Rename", "Note")
            reason = "Choose a run first." if not count else "Choose one run." if one and count > 1 else ""
            button.set_blocked(self._not_comparable() if name == "Compare" else reason)
        several = count > 1
        self.buttons["Open"].set_kind("secondary" if several else "primary")
        self.buttons["Compare"].set_kind("primary" if several else "secondary")

    def _not_comparable(self) -> str:
        """Why the chosen runs cannot be compared; empty if they can."""
        runs = self.selected()
        if len(runs) < 2:
            return "Choose two runs or more of one method."
        if any(run.damaged for run in runs):
            return "A damaged run cannot be compared."
        return "" if len({run.method for run in runs}) == 1 else "The chosen runs are of several methods."

    def show_below(self, widget: QWidget) -> None:
        """Put a page under the list, which keeps a few rows."""
        if self.split.indexOf(widget) < 0:
            self.split.addWidget(widget)
            self.split.setStretchFactor(1, 1)
        if widget.isHidden() or not self.split.sizes()[1]:
            rows = min(ROWS_KEPT, len(self.runs)) + 1
            height = theme().px(TOKENS.size.table_row) * rows + theme().px(12)
            self.split.setSizes([height, max(height, self.split.height() - height)])
        widget.show()

    def set_letters(self, letters: Mapping[str, str]) -> None:
        """Name the runs that are compared by their side's letter."""
        self.letters = dict(letters)
        self._show(self.found)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(24, 0, 24, 0)
        top.setSpacing(12)
        top.addWidget(self.list_button)
        top.addWidget(Label("Runs", "title"))
        top.addWidget(self.count, 1)
        self.search.setMinimumWidth(theme().px(240))
        top.addWidget(self.search)
        self.filter_button = Button("Filter", icon_name="funnel")
        self.filter_button.clicked.connect(lambda _: self._open_filter())
        top.addWidget(self.filter_button)
        self.sweeps_button = Button("Sweeps", icon_name="stack")
        self.sweeps_button.clicked.connect(lambda _: self.sweeps_requested.emit())
        top.addWidget(self.sweeps_button)
        taking = Button("Import…", icon_name="download-simple")
        taking.clicked.connect(self.import_archive)
        top.addWidget(taking)
        head = QWidget()
        head.setFixedHeight(theme().px(TOKENS.size.header))
        head.setLayout(top)
        column.addWidget(head)
        column.addLayout(self._deeds())
        listed = QWidget()
        inside = QVBoxLayout(listed)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.table, 1)
        inside.addWidget(self.empty, 1)
        self.empty.hide()
        self.split.addWidget(listed)
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        column.addWidget(self.split, 1)

    def _deeds(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(24, 8, 24, 8)
        row.setSpacing(8)
        row.addWidget(self.chosen)
        deeds = (
            ("Open", "eye", lambda: self.opened.emit(self.selected()[0].id)),
            ("Compare", "columns", lambda: self.compare_requested.emit(self.selected())),
            ("Run again", "arrow-clockwise", lambda: self.again.emit(self.selected()[0].id)),
            ("Branch", "git-branch", lambda: self.branched.emit(self.selected()[0].id)),
            ("Rename", "pencil-simple", self.rename),
            ("Tag", "tag", self.tag),
            ("Note", "note", self.note),
            ("Export zip…", "archive", self.export),
            ("Delete", "trash", self.delete),
        )
        for name, icon_name, deed in deeds:
            kind: Any = "primary" if name == "Open" else "ghost" if name == "Delete" else "secondary"
            button = Button(name, kind, icon_name)
            button.clicked.connect(lambda _=False, deed=deed: deed())
            self.buttons[name] = button
            self._icons[name] = icon_name
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self._order)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme().px(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self._order.setVisible(not narrow)
            for name, button in self.buttons.items():
                if narrow:
                    button.setIcon(QIcon())
                else:
                    button.set_icon(self._icons[name])


def _columns(runs: list[RunSummary], letters: Mapping[str, str]) -> list[Column]:
    def name(run: RunSummary) -> str:
        letter = f"{letters[run.id]} · " if run.id in letters else ""
        return f"{letter}{run.name or run.id}"

    return [
        Column("Name", [name(run) for run in runs], bold=[True] * len(runs)),
        Column("Method", [run.title for run in runs], tone="text_secondary"),
        Column("Data", [run.data for run in runs], tone="text_secondary"),
        Column("Status", [status_of(run) for run in runs], kind="badge", states=[_look(run) for run in runs]),
        Column("Time", [clock(run.seconds or 0, tenths=True) for run in runs], kind="number",
               keys=[run.seconds or 0.0 for run in runs]),
        Column("Main result", [_main_result(run) for run in runs]),
        Column("Tags", [", ".join(run.tags) for run in runs], tone="text_secondary"),
        Column("Started", [_when(run.created) for run in runs], keys=[run.created for run in runs],
               tone="text_secondary"),
    ]  # fmt: skip


def _look(run: RunSummary) -> str:
    return "bad" if run.damaged else run.status if run.status in LOOKS else "neutral"


def _main_result(run: RunSummary) -> str:
    if run.damaged:
        return run.damaged
    if run.error:
        return run.error
    for name, value in run.results.items():
        return f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
    return ""


def _when(created: str) -> str:
    """ "today 14:32", "yesterday 09:10", "3 Nov 2026"."""
    try:
        moment = datetime.fromisoformat(created).astimezone()
    except ValueError:
        return created
    days = (datetime.now().astimezone().date() - moment.date()).days
    if days in (0, 1):
        return f"{('today', 'yesterday')[days]} {moment:%H:%M}"
    return f"{moment.day} {moment:%b %Y}"
