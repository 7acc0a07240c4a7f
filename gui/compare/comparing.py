"""Brings comparisons into the window: under the list of runs, made when the first is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject

from engine.core.records.summary import RunSummary

if TYPE_CHECKING:
    from gui.compare.compare_panel import ComparePanel
    from gui.compare.export_source import ExportSource
    from gui.tab.method_tab import MethodTab
    from gui.window.main_window import MainWindow


class Comparing(QObject):
    """Owns the one panel of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.panel: ComparePanel | None = None

    def compare(self, runs: Sequence[RunSummary]) -> None:
        """Compare these runs under the list."""
        panel = self.panel or self._make()
        panel.compare([run.folder for run in runs])
        self.window.runs.show_below(panel)

    def _make(self) -> ComparePanel:
        from gui.compare.compare_panel import ComparePanel

        window = self.window
        panel = self.panel = ComparePanel(window.bridge, window.methods)
        panel.closed.connect(panel.hide)
        panel.told.connect(lambda text: window.tell(text, error=True))
        panel.letters_changed.connect(window.runs.set_letters)
        panel.export_requested.connect(self._export)
        ignored = window.session.get("compare", {}).get("left_out", [])
        panel.settings.ignored = frozenset(str(key) for key in ignored)
        panel.settings.ignored_changed.connect(self._keep)
        return panel

    def _keep(self, keys: frozenset[str]) -> None:
        self.window.session.set("compare", {"left_out": sorted(keys)})
        self.window.session.save()

    def _export(self, source: ExportSource, names: list[str]) -> None:
        from gui.export.dialog import ExportDialog

        # The dialog asks of a tab only what the source answers as well.
        dialog = ExportDialog(cast("MethodTab", source), names, self.window)
        dialog.told.connect(self.window.tell)
        dialog.open()
