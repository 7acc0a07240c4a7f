"""The runs being compared, without a widget: read in the background, moved through their histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.core.comparison.comparison import Comparison
from engine.core.comparison.overlay import Picture
from engine.core.errors import PapertabError
from engine.core.method import Method
from engine.core.records.reader import RunRecord
from gui.bridge import EngineBridge


class ComparedRuns(QObject):
    """One comparison at a time. Reading and seeking go through the loading lane; the latest wish counts."""

    opened = Signal()
    """There is a comparison now."""
    moved = Signal(float, object)
    """(share of the work, pictures of that moment)."""
    closed = Signal()
    told = Signal(str)
    """A sentence for a toast."""

    def __init__(
        self, bridge: EngineBridge, methods: Mapping[str, Method], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.methods = methods
        self.comparison: Comparison | None = None
        self.pictures: list[Picture] = []
        self.share = 1.0

    def open(self, folders: Sequence[Path]) -> None:
        """Compare the runs in these folders."""
        methods = self.methods

        def read() -> tuple[Comparison, list[Picture]]:
            records = [RunRecord(folder) for folder in folders]
            slug = records[0].header.method
            if slug not in methods:
                title = records[0].header.title or slug
                raise PapertabError(f"These runs are of “{title}”, a method that is not installed.")
            comparison = Comparison(records, methods[slug])
            comparison.seek()
            return comparison, comparison.pictures()

        future = self.bridge.engine.loading.call(read, key="comparison")
        self.bridge.then(future, self._show, self._failed, self)

    def seek(self, share: float) -> None:
        """Go to where `share` of each run's work was done."""
        comparison = self.comparison
        if comparison is None:
            return

        def move() -> list[Picture]:
            comparison.seek(share)
            return comparison.pictures()

        future = self.bridge.engine.loading.call(move, key=(id(comparison), "seek"))
        self.bridge.then(future, lambda found: self._arrived(comparison, share, found), self._failed, self)

    def close(self) -> None:
        """Let the runs go."""
        comparison, self.comparison = self.comparison, None
        self.pictures = []
        if comparison is not None:
            # On the lane, behind whatever still reads from them.
            self.bridge.engine.loading.call(comparison.close)
            self.closed.emit()

    def _show(self, found: tuple[Comparison, list[Picture]]) -> None:
        before, (self.comparison, self.pictures) = self.comparison, found
        self.share = 1.0
        if before is not None:
            self.bridge.engine.loading.call(before.close)
        self.opened.emit()

    def _arrived(self, comparison: Comparison, share: float, found: list[Picture]) -> None:
        if self.comparison is comparison:
            self.share, self.pictures = share, found
            self.moved.emit(share, found)

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            raise error
        self.told.emit(str(error))
