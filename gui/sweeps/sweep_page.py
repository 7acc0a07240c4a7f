"""The page of sweeps: what is varied at the left; runs, results and plots at the right."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from engine.core.method import Method
from engine.core.sweeps.folder import SweepFolder
from engine.core.sweeps.pictures import Picture, result_picture, table_picture
from engine.core.sweeps.results import result_names
from engine.core.sweeps.shelf import StoredSweep, stored_sweeps
from engine.core.views import Table
from gui.bridge import EngineBridge
from gui.compare.export_source import ExportSource
from gui.sweeps.outcome_card import OutcomeCard
from gui.sweeps.runs_table import SweepRunsTable
from gui.sweeps.subject import Subject
from gui.sweeps.sweep_form import SweepForm
from gui.sweeps.sweep_model import SweepModel
from gui.tab.hairline import Hairline
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.views import make_drawing
from gui.widgets.button import Button, IconButton
from gui.widgets.card import Card
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.menu import Menu

MOST_LISTED = 20
NO_RESULTS = Table("settings", title="Results", empty="Means and intervals of the settings appear here")


class SweepPage(QWidget):
    """Shows one sweep at a time; the others are under Sweeps."""

    back_requested = Signal()
    told = Signal(str)
    export_requested = Signal(object, object)
    """(``ExportSource``, names of the pictures to export)."""
    run_opened = Signal(object)
    """Folder of a run that ended."""
    compare_requested = Signal(object)
    """Folders of runs to compare."""

    def __init__(
        self, bridge: EngineBridge, methods: Mapping[str, Method], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.methods = methods
        self.model = SweepModel(bridge, self)
        self.form = SweepForm(self.model)
        self.caption = ElidedLabel("", "small", "secondary")
        self.stored_button = Button("Sweeps", icon_name="clock-counter-clockwise")
        self.export_button = Button("Export…", icon_name="export")
        self.compare_button = Button("Compare runs", icon_name="columns")
        self.table = SweepRunsTable(self.model)
        self.results = make_drawing(NO_RESULTS)
        self.outcome = OutcomeCard(self.model)
        self._lay_out()
        self._connect()
        self.refresh()

    def begin(self, subject: Subject, first_seed: int = 0) -> bool:
        """A new sweep; False while another one runs, which is then shown."""
        if self.model.running:
            return False
        self.model.begin(subject, first_seed)
        return True

    def open(self, folder: Path) -> None:
        """Show a sweep on disk."""
        if self.model.running:
            self.told.emit("A sweep is running: stop it before another one is opened.")
            return
        self.model.open(folder, self.methods)

    def refresh(self) -> None:
        """Show the present state."""
        model = self.model
        plan, subject = model.plan, model.subject
        self.caption.set_text(f"{plan.title} · {plan.name}" if plan is not None else "")
        self.table.refresh()
        if plan is not None and subject is not None:
            results = model.results()
            _, state = table_picture(subject.method, plan, results)
            self.results.show_state(state if any(r.finished for r in results) else None)
        self.outcome.refresh()
        nothing = "" if model.outcomes() else "No run has ended yet."
        self.export_button.set_blocked(nothing)
        self._show_chosen()

    def pictures(self) -> list[Picture]:
        """The table and every result, for export."""
        plan, subject = self.model.plan, self.model.subject
        if plan is None or subject is None:
            return []
        results = self.model.results()
        made = [table_picture(subject.method, plan, results)]
        for name in result_names(results):
            made.append(result_picture(subject.method, plan, results, name, self.outcome.against or None))
        return made

    def sweeps_menu(self) -> Menu:
        """The sweeps on disk."""
        menu = Menu(self)
        found = stored_sweeps()
        for sweep in found[:MOST_LISTED]:
            reason = sweep.damaged or ("It is on show." if sweep.folder == self.model.folder else "")
            menu.add(_stored_words(sweep), partial(self.open, sweep.folder), "stack", reason=reason)
        if not found:
            menu.add("No sweeps yet", lambda: None, reason="Start one from a tab: the menu beside Run.")
        return menu

    def _export(self, whole: bool) -> None:
        pictures = self.pictures()
        shown = self.outcome.picture()
        if not whole and shown is None:
            return
        names = [view.name for view, _ in pictures] if whole else [shown[0].name]  # type: ignore[index]
        drawings = {self.outcome.drawing.view.name: self.outcome.drawing} if self.outcome.drawing else {}
        title = self.model.plan.name if self.model.plan is not None else ""
        self.export_requested.emit(ExportSource(title, pictures, drawings), names)

    def _chosen_folders(self) -> list[Path]:
        folder = self.model.folder
        if folder is None:
            return []
        place = SweepFolder(folder)
        keys = [self.table.runs[row].key for row in self.table.selection() if row < len(self.table.runs)]
        return [found for key in keys if (found := place.place(key)) is not None]

    def _open_run(self, key: str) -> None:
        found = SweepFolder(self.model.folder).place(key) if self.model.folder is not None else None
        if found is None:
            self.told.emit("This run has not ended yet.")
        else:
            self.run_opened.emit(found)

    def _show_chosen(self) -> None:
        count = len(self._chosen_folders()) if self.table.selection() else 0
        self.compare_button.set_blocked("" if count > 1 else "Choose two runs or more that ended.")

    def _connect(self) -> None:
        model = self.model
        model.planned.connect(self.refresh)
        model.progressed.connect(self.refresh)
        model.subject_changed.connect(self.refresh)
        model.told.connect(self.told)
        self.table.selection_changed.connect(lambda _: self._show_chosen())
        self.table.run_opened.connect(self._open_run)
        self.compare_button.clicked.connect(lambda _: self.compare_requested.emit(self._chosen_folders()))
        self.export_button.clicked.connect(lambda _: self._export(True))
        self.outcome.export_requested.connect(lambda: self._export(False))
        self.stored_button.clicked.connect(
            lambda _: self.sweeps_menu().popup(
                self.stored_button.mapToGlobal(QPoint(0, self.stored_button.height()))
            )
        )

    def _lay_out(self) -> None:
        head = QWidget()
        head.setFixedHeight(theme().px(TOKENS.size.header))
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        back = IconButton("arrow-left", "Back to the tab")
        back.clicked.connect(self.back_requested)
        row.addWidget(back)
        row.addWidget(Label("Sweep", "title"))
        row.addWidget(self.caption, 1)
        for button in (self.compare_button, self.export_button, self.stored_button):
            row.addWidget(button)
        runs = Card("Runs", tools=())
        runs.set_body(self.table)
        results = Card("Results", tools=())
        results.set_body(self.results)
        lower = QSplitter(Qt.Orientation.Horizontal)
        lower.addWidget(results)
        lower.addWidget(self.outcome)
        right = QSplitter(Qt.Orientation.Vertical)
        right.addWidget(runs)
        right.addWidget(lower)
        for splitter in (lower, right):
            splitter.setHandleWidth(TOKENS.size.gap_cards)
            splitter.setChildrenCollapsible(False)
        right.setSizes([300, 420])
        lower.setSizes([500, 500])
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.form)
        body.addWidget(Hairline(upright=True))
        views = QVBoxLayout()
        views.setContentsMargins(12, 12, 12, 12)
        views.addWidget(right)
        body.addLayout(views, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(Hairline())
        column.addLayout(body, 1)


def _stored_words(sweep: StoredSweep) -> str:
    if sweep.damaged:
        return f"{sweep.folder.name}, damaged"
    return f"{sweep.title} · {sweep.name} · {sweep.finished:,} of {sweep.total:,} · {sweep.status}"
