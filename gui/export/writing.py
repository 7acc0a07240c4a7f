"""Writes the chosen figures on the figures' thread: counted, stoppable, each file whole or not at all."""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.core.errors import StorageError
from engine.core.figures import FigureStyle
from engine.core.figures.export import ExportReport, export
from gui.export.on_screen import Shown


@dataclass
class Writing:
    """One export on its way. `done` counts files; `stop` ends it after the present one."""

    figures: Sequence[Shown]
    names: Sequence[str]
    folder: Path
    formats: Sequence[str]
    style: FigureStyle
    done: int = 0
    reports: list[ExportReport] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def total(self) -> int:
        """How many files there will be."""
        return len(self.figures) * len(self.formats)

    def stop(self) -> None:
        """Write no further file; what was written stays."""
        self._stopped.set()

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    def write(self) -> list[ExportReport]:
        """Write all files, in order.

        Raises:
            StorageError: the folder or a file cannot be written; the files before it stay.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self.folder} cannot be made: {error.strerror}.") from error
        for shown, name in zip(self.figures, self.names, strict=True):
            style = dataclasses.replace(self.style, selection=shown.selection)
            for wanted in self.formats:
                if self.stopped:
                    return self.reports
                path = self.folder / f"{name}.{wanted}"
                self.reports.append(export(shown.view, shown.state, path, style, wanted))  # type: ignore[arg-type]
                self.done += 1
        return self.reports


def file_name(*parts: str) -> str:
    """Words joined to a name every file system takes; letters of all scripts stay."""
    joined = "-".join(part for part in parts if part)
    return re.sub(r"[\\/:*?\"<>|\s,]+", "-", joined).strip("-.") or "figure"
