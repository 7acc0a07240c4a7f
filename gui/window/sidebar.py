"""The left side: name, Ctrl+K, filter, the methods under their areas, the queue in words, settings."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.core.method import Method
from gui.theme.icons import application_icon
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.button import Button, IconButton
from gui.widgets.label import Label
from gui.widgets.search_field import SearchField
from gui.widgets.sidebar_list import SidebarEntry, SidebarList, Status, heading

START, RUNS = "start", "runs"


class Logo(QWidget):
    """The program's sign."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(theme().px(18), theme().px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            application_icon().paint(painter, self.rect())
        finally:
            painter.end()


class Sidebar(QWidget):
    """Chooses what the window shows. Keys: "start", "runs", ("method", slug)."""

    chosen = Signal(object)
    palette_requested = Signal()
    queue_requested = Signal()
    settings_requested = Signal()

    def __init__(self, methods: list[Method], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.filter = SearchField("Filter methods")
        self.filter.set_hint("Ctrl F")
        self.list = SidebarList()
        self.queue_button = Button("Nothing running", "ghost", "queue", tip="Show the queue")
        typeset(self.queue_button, "body")
        self.settings_button = IconButton("gear-six", "Settings")
        self._fill(methods)
        self._lay_out()
        self.filter.textChanged.connect(self.list.set_filter)
        self.list.opened.connect(self.chosen)
        self.queue_button.clicked.connect(self.queue_requested)
        self.settings_button.clicked.connect(self.settings_requested)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(TOKENS.size.sidebar), 600)

    def set_current(self, key: object) -> None:
        """Mark what the window shows."""
        self.list.set_current(key)

    def set_status(self, slug: str, status: Status, share: float = 0.0) -> None:
        """The sign beside a method."""
        self.list.set_status(("method", slug), status, share)

    def set_runs(self, count: int) -> None:
        """How many runs there are."""
        self.list.set_status(RUNS, "", count=f"{count:,}" if count else "")

    def set_queue(self, text: str) -> None:
        """The queue in words."""
        self.queue_button.setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme().colour("sidebar"))
        finally:
            painter.end()

    def _fill(self, methods: list[Method]) -> None:
        entries = [
            SidebarEntry(START, "Start", icon="house"),
            SidebarEntry(RUNS, "Runs", icon="clock-counter-clockwise"),
        ]
        area = ""
        for method in methods:
            if method.area != area:
                area = method.area
                entries.append(heading(area))
            entries.append(SidebarEntry(("method", method.slug), method.title, tip=method.sentence))
        self.list.set_entries(entries)

    def _lay_out(self) -> None:
        palette = IconButton("command", "Go to anything", "Ctrl+K", bind=False)
        palette.clicked.connect(self.palette_requested)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        top = QHBoxLayout()
        top.setContentsMargins(16, 10, 12, 0)
        top.setSpacing(10)
        top.addWidget(Logo())
        top.addWidget(Label("Papertab", "section"))
        top.addStretch(1)
        top.addWidget(palette)
        column.addLayout(top)
        middle = QHBoxLayout()
        middle.setContentsMargins(12, 0, 12, 0)
        middle.addWidget(self.filter)
        column.addLayout(middle)
        column.addWidget(self.list, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 4, 8, 6)
        foot.addWidget(self.queue_button)
        foot.addStretch(1)
        foot.addWidget(self.settings_button)
        column.addLayout(foot)
