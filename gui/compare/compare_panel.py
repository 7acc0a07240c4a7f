"""Runs compared: differences and results at the left, overlaid views at the right, the scrubber below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from engine.core.comparison.future import Future
from engine.core.comparison.overlay import MOST_SIDES, Picture
from engine.core.method import Method
from gui.bridge import EngineBridge
from gui.compare.compared_runs import ComparedRuns
from gui.compare.export_source import ExportSource
from gui.compare.picture_grid import PictureGrid
from gui.compare.results_card import ResultsCard
from gui.compare.settings_card import SettingsCard
from gui.compare.side_legend import SideLegend
from gui.theme.tokens import TOKENS
from gui.views.selection import Picked
from gui.widgets.button import Button, IconButton
from gui.widgets.history_scrubber import HistoryScrubber
from gui.widgets.label import ElidedLabel, Label

STEPS = 400
"""Places of the scrubber over the whole work of the runs."""


class ComparePanel(QWidget):
    """Shown under the list of runs."""

    closed = Signal()
    """The person wants the list alone."""
    told = Signal(str)
    export_requested = Signal(object, object)
    """(``ExportSource``, names of the pictures to export)."""
    letters_changed = Signal(object)
    """Name of a run's folder → letter of its side."""

    def __init__(
        self, bridge: EngineBridge, methods: Mapping[str, Method], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.runs = ComparedRuns(bridge, methods, self)
        self.names = ElidedLabel("", "small", "secondary")
        self.counted = Label("", "small", "tertiary")
        self.legend = SideLegend()
        self.export_button = Button("Export…", icon_name="export")
        self.settings = SettingsCard()
        self.results = ResultsCard()
        self.grid = PictureGrid()
        self.scrubber = HistoryScrubber()
        self._future = Future([])
        self._lay_out()
        self.runs.opened.connect(self._show)
        self.runs.moved.connect(self._show_moment)
        self.runs.told.connect(self.told)
        self.scrubber.position_changed.connect(self._seek)
        self.export_button.clicked.connect(self.export_all)
        self.grid.export_requested.connect(lambda name: self._export([name]))
        self.grid.picked.connect(self._mark)

    def compare(self, folders: Sequence[Path]) -> None:
        """Compare the runs in these folders."""
        self.names.set_text("Reading the runs")
        self.runs.open(folders)

    def close_comparison(self) -> None:
        """Let the runs go and show the list alone."""
        self.scrubber.set_playing(False)
        self.runs.close()
        self.letters_changed.emit({})
        self.closed.emit()

    def export_all(self) -> None:
        """Every picture and table of the comparison."""
        self._export([view.name for view, _ in self._everything()])

    def _export(self, names: list[str]) -> None:
        comparison = self.runs.comparison
        if comparison is None or not names:
            return
        drawings = {name: card.drawing for name, card in self.grid.cards.items()}
        title = " and ".join(side.name for side in comparison.sides[:2])
        self.export_requested.emit(ExportSource(title, self._everything(), drawings), names)

    def _everything(self) -> list[Picture]:
        comparison = self.runs.comparison
        if comparison is None:
            return []
        settings = comparison.settings_table(self.settings.ignored)
        tables = [settings, comparison.results_table(), *comparison.tables()]
        return [*self.runs.pictures, *tables]

    def _show(self) -> None:
        comparison = self.runs.comparison
        assert comparison is not None
        sides = comparison.sides
        names = comparison.names()
        self.names.set_text(" — ".join(names))
        drawn = sum(len(side.runs) for side in sides[:MOST_SIDES])
        total = comparison.total
        self.counted.setText(f"views show {drawn} of {total} runs" if drawn < total else f"{total} runs")
        self.legend.show_sides(sides[:MOST_SIDES], names)
        self.settings.show_comparison(comparison)
        self.results.show_comparison(comparison)
        self._future = Future(self.runs.pictures)
        self.grid.make_cards(sorted([*self.runs.pictures, *comparison.tables()], key=_stands_apart))
        quiet = self.scrubber.blockSignals(True)
        self.scrubber.set_playing(False)
        self.scrubber.set_steps(STEPS + 1)
        self.scrubber.set_position(STEPS)
        self.scrubber.blockSignals(quiet)
        self.scrubber.set_words("end of all runs")
        folders = {id: record.folder.name for id, record in comparison.records.items()}
        self.letters_changed.emit({folders[run.id]: side.letter for side in sides for run in side.runs})

    def _seek(self, step: int) -> None:
        comparison = self.runs.comparison
        if comparison is not None:
            share = step / STEPS
            self.scrubber.set_words(comparison.words(share) or f"{share:.0%} of the work")
            self.runs.seek(share)

    def _show_moment(self, share: float, pictures: list[Picture]) -> None:
        comparison = self.runs.comparison
        assert comparison is not None
        shown = self._future.behind(pictures) if share < 1 else pictures
        self.grid.show_pictures([*shown, *comparison.tables()])
        self.grid.set_badges("From history" if share < 1 else "")

    def _mark(self, picked: Picked) -> None:
        """The side of the curve that was clicked stands out in the tables."""
        comparison = self.runs.comparison
        letters = {side.letter for side in comparison.sides} if comparison else set()
        named = {word for name in picked.ids.tolist() for word in str(name).replace(",", " ").split()[-3:]}
        found = sorted(letters & named)
        letter = found[0] if len(found) == 1 else ""
        self.settings.mark(letter)
        self.results.mark(letter)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(24, 8, 16, 8)
        head.setSpacing(12)
        head.addWidget(Label("Comparison", "section"))
        head.addWidget(self.names, 1)
        head.addWidget(self.counted)
        head.addWidget(self.legend)
        head.addWidget(self.export_button)
        close = IconButton("x", "Close the comparison")
        close.clicked.connect(self.close_comparison)
        head.addWidget(close)
        left = QSplitter(Qt.Orientation.Vertical)
        left.addWidget(self.settings)
        left.addWidget(self.results)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.addWidget(left)
        parts.addWidget(self.grid)
        parts.setStretchFactor(0, 2)
        parts.setStretchFactor(1, 5)
        parts.setSizes([330, 800])
        for splitter in (left, parts):
            splitter.setHandleWidth(TOKENS.size.gap_cards)
            splitter.setChildrenCollapsible(False)
        body = QHBoxLayout()
        body.setContentsMargins(24, 0, 16, 8)
        body.addWidget(parts)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 0, 16, 12)
        foot.addWidget(self.scrubber)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(body, 1)
        column.addLayout(foot)


def _stands_apart(picture: Picture) -> bool:
    """Whether a picture shows one side alone: those that show all come first."""
    return picture[0].title.endswith(tuple(f", {letter}" for letter in "ABCD"))
