"""The data of a tab: where it comes from, how it is read, what was read, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.core.data import Loaded, ReadOptions
from engine.core.data.datasets import resolve
from engine.core.errors import PapertabError, Repair
from engine.core.method import Method
from gui.bridge import EngineBridge


class DataSource(QObject):
    """Reads off the main thread; `changed` is told when reading begins and when it ends.

    `file` remembers the person's last file, so that it stays on offer while a set of ours is looked at.
    """

    changed = Signal()
    read = Signal()
    """The data was read and can be used."""

    def __init__(self, method: Method, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.method = method
        self.bridge = bridge
        self.source = method.presets[0].data or method.sets[0].name
        self.file = ""
        self.options = ReadOptions()
        self.loaded: Loaded | None = None
        self.loading = False
        self.error: PapertabError | None = None
        self._before: list[ReadOptions] = []
        self._after: list[ReadOptions] = []

    def open(self) -> None:
        """Read the present source unless it is read or being read."""
        if self.loaded is None and not self.loading:
            self._read()

    def choose(self, source: str, options: ReadOptions | None = None) -> None:
        """Read an embedded set by name, or a file by path."""
        self.source, self.options = source, options or ReadOptions()
        self._before, self._after = [], []
        if self.is_file:
            self.file = source
        self._read()

    def repair(self, choice: Repair) -> None:
        """Read again with the way out the person chose."""
        self._read_with(self.options.repaired(choice))

    def set_option(self, key: str, value: Any) -> None:
        """Read again with one option changed.

        Raises:
            UnknownNameError, FieldError: an option or value that is not allowed.
        """
        self._read_with(self.options.with_setting(key, value))

    @property
    def can_undo(self) -> bool:
        """Whether a change of the reading can be taken back."""
        return bool(self._before)

    def undo(self) -> None:
        """Take back the last change of how the file is read."""
        if self._before:
            self._after.append(self.options)
            self.options = self._before.pop()
            self._read()

    def redo(self) -> None:
        """Do again what was taken back."""
        if self._after:
            self._before.append(self.options)
            self.options = self._after.pop()
            self._read()

    @property
    def is_file(self) -> bool:
        """Whether the data is the person's own file."""
        return self.source not in {data.name for data in self.method.sets}

    def title(self) -> str:
        """What a person calls the data."""
        return next((d.title for d in self.method.sets if d.name == self.source), Path(self.source).stem)

    def _read_with(self, options: ReadOptions) -> None:
        self._before.append(self.options)
        self._after.clear()
        self.options = options
        self._read()

    def _read(self) -> None:
        self.loading, self.error = True, None
        self.changed.emit()
        method, source, options = self.method, self.source, self.options
        future = self.bridge.engine.loading.call(
            lambda: resolve(source, method.sets, method.data, options), key=(id(self), "data")
        )
        self.bridge.then(future, self._on_read, self._on_refused)

    def _on_read(self, loaded: Loaded) -> None:
        self.loading, self.loaded, self.error = False, loaded, None
        self.changed.emit()
        self.read.emit()

    def _on_refused(self, error: BaseException) -> None:
        self.loading = False
        if not isinstance(error, PapertabError):
            self.error = PapertabError(f"{self.title()} could not be read: {error}")
            self.changed.emit()
            raise error
        self.error = error
        self.changed.emit()
