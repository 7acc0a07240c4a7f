"""A file or a folder on this machine, typed, chosen or dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QWidget

from gui.widgets.button import IconButton
from gui.widgets.text_field import TextField

Purpose = Literal["open", "save", "folder"]


class PathField(QWidget):
    """Path as text with a button that opens the system's dialog; its value is a ``str``, "" for none.

    A path to open must exist; a path to save needs an existing folder.
    """

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        value: str = "",
        purpose: Purpose = "open",
        *,
        kinds: str = "",
        needed: bool = False,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Make the field.

        Args:
            value: path shown at first.
            purpose: what the path is for.
            kinds: name filter of the dialog, such as "Tables (*.csv *.parquet)".
            needed: whether an empty path is wrong.
            name: accessible name.
            parent: parent widget.
        """
        super().__init__(parent)
        self._purpose: Purpose = purpose
        self._kinds = kinds
        self._needed = needed
        self._name = name
        self.setAcceptDrops(True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._line = TextField(value, check=self._check, name=name)
        self._browse = IconButton("folder-open", f"Choose {'a folder' if purpose == 'folder' else 'a file'}…")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._line, 1)
        row.addWidget(self._browse)
        self.setFocusProxy(self._line)
        self._browse.clicked.connect(self._ask)
        self._line.value_changed.connect(self.value_changed)
        self._line.problem_changed.connect(self.problem_changed)
        self._line.left.connect(self.left)

    def value(self) -> str:
        """The last valid path."""
        return self._line.value()

    def set_value(self, value: object) -> None:
        """Show ``value`` without ``value_changed``."""
        self._line.set_value(value)

    def problem(self) -> str:
        """What is wrong with the path; empty if nothing."""
        return self._line.problem()

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""
        self._line.set_state(state)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self._take(event.mimeData().urls()[0].toLocalFile())

    def _check(self, text: str) -> str:
        if not text:
            return "Empty. A path is needed." if self._needed else ""
        path = Path(text).expanduser()
        if self._purpose == "folder":
            return "" if path.is_dir() else f"“{text}” is not a folder."
        if self._purpose == "open":
            return "" if path.is_file() else f"“{text}” is not a file."
        return "" if path.parent.is_dir() else f"There is no folder “{path.parent}”."

    def _ask(self) -> None:
        title, start = self._name or self._browse.accessibleName(), self.value()
        if self._purpose == "folder":
            path = QFileDialog.getExistingDirectory(self, title, start)
        elif self._purpose == "open":
            path, _ = QFileDialog.getOpenFileName(self, title, start, self._kinds)
        else:
            path, _ = QFileDialog.getSaveFileName(self, title, start, self._kinds)
        if path:
            self._take(path)

    def _take(self, path: str) -> None:
        before = self.value()
        self._line.set_value(path)
        if not self.problem() and path != before:
            self.value_changed.emit(path)
