"""Keeps what is selected in the views with the record of the run they show."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from engine.core.errors import StorageError
from engine.core.records.reader import RunRecord
from gui.tab.experiment import Experiment
from gui.views.selection import Selection

PAUSE_MS = 400


class SelectionKeeper(QObject):
    """Writes a moment after the last change, on the loading lane; gives a record's selection back."""

    def __init__(self, experiment: Experiment, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self.selection = selection
        self._taking = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.save)
        selection.changed.connect(self._on_change)

    def take(self, stored: Any) -> None:
        """Select what a record holds; nothing where it holds nothing."""
        self._taking = True
        try:
            self.selection.restore(stored if isinstance(stored, dict) else {})
        finally:
            self._taking = False

    def save(self) -> None:
        """Store the present selection with the run on show, if one is."""
        self._pause.stop()
        folder = self._folder()
        if folder is None:
            return
        stored = self.selection.stored()
        self.experiment.engine.loading.call(lambda: _store(folder, stored), key=(str(folder), "selection"))

    def _on_change(self, _entity: str) -> None:
        if not self._taking:
            self._pause.start()

    def _folder(self) -> Path | None:
        experiment = self.experiment
        if experiment.record is not None:
            return None if experiment.record.read_only else experiment.record.folder
        return experiment.job.writer.folder if experiment.job is not None else None


def _store(folder: Path, stored: dict[str, Any]) -> None:
    # A full disk loses a selection, never a run; the run's own writer tells of the disk.
    with contextlib.suppress(StorageError), RunRecord(folder) as record:
        record.save_selection(stored)
