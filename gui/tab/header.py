"""The row above a tab: title, who wrote the paper, and what can be done with the whole tab."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.core.method import Method
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.button import Button, IconButton
from gui.widgets.label import ElidedLabel, Label

NARROW = 1040
"""Below this width of the tab the actions are icons alone."""


class Citation(ElidedLabel):
    """Authors and venue; a click copies the BibTeX entry."""

    copied = Signal()

    def __init__(self, method: Method) -> None:
        super().__init__(method.paper.short, "small", "secondary")
        self._bibtex = method.paper.bibtex
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_tip(f"{method.paper.title}. Click to copy the BibTeX entry.")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        QGuiApplication.clipboard().setText(self._bibtex)
        self.copied.emit()


class Header(QWidget):
    """Undo and redo, exports, layout, copy as Python, help."""

    menu_requested = Signal()
    layout_requested = Signal()
    python_requested = Signal()
    figures_requested = Signal()
    help_requested = Signal()
    undo_requested = Signal()
    redo_requested = Signal()
    action_requested = Signal(str)

    def __init__(self, method: Method, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(theme().px(TOKENS.size.header))
        self.citation = Citation(method)
        self.list_button = IconButton("list", "Show the methods", "Ctrl+B", bind=False)
        self.list_button.hide()
        self.undo_button = IconButton("arrow-u-up-left", "Undo", "Ctrl+Z", bind=False)
        self.redo_button = IconButton("arrow-u-up-right", "Redo", "Ctrl+Shift+Z", bind=False)
        self.buttons = {
            "Export figures": (Button("Export figures", "ghost", "export"), self.figures_requested),
            "Layout": (Button("Layout", "ghost", "layout"), self.layout_requested),
            "Copy as Python": (Button("Copy as Python", "ghost", "code"), self.python_requested),
            "Help": (Button("Help", "ghost", "question"), self.help_requested),
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self.list_button)
        row.addWidget(Label(method.title, "title"))
        row.addWidget(self.citation, 1)
        row.addWidget(self.undo_button)
        row.addWidget(self.redo_button)
        for action in method.actions:
            if action.button:
                button = Button(action.button, "ghost", tip=action.help)
                button.clicked.connect(lambda _=False, name=action.name: self.action_requested.emit(name))
                row.addWidget(button)
        for name, (button, signal) in self.buttons.items():
            button.clicked.connect(signal)
            button.setAccessibleName(name)
            row.addWidget(button)
        self.list_button.clicked.connect(self.menu_requested)
        self.undo_button.clicked.connect(self.undo_requested)
        self.redo_button.clicked.connect(self.redo_requested)
        self.show_undo(can_undo=False, can_redo=False, edits=any(a.edits for a in method.actions))

    def show_undo(self, *, can_undo: bool, can_redo: bool, edits: bool = True) -> None:
        """Whether there is an edit to take back; hidden on tabs where nothing can be edited."""
        self.undo_button.setVisible(edits)
        self.redo_button.setVisible(edits)
        self.undo_button.set_blocked("" if can_undo else "There is nothing to undo.")
        self.redo_button.set_blocked("" if can_redo else "There is nothing to do again.")

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        narrow = self.width() < theme().px(NARROW)
        for name, (button, _) in self.buttons.items():
            button.setText("" if narrow else name)
            button.setToolTip(name if narrow else "")
