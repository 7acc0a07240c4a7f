"""The card that holds a view: title, caption, state, tools."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.widgets.badge import Badge
from gui.widgets.box import paint_box
from gui.widgets.button import IconButton
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.menu import Menu

TOOLS = ("export", "maximise", "menu")


class _TitleBar(QWidget):
    """Strip of 34 px that can be pulled and double-clicked."""

    pulled = Signal(QPoint)
    let_go = Signal(QPoint)
    double_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pressed: QPoint | None = None
        self._pulling = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        way = (event.position().toPoint() - self._pressed).manhattanLength()
        if way >= QApplication.startDragDistance():
            self._pressed = None
            self._pulling = True
            self.pulled.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if self._pulling:
            self._pulling = False
            self.let_go.emit(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.double_clicked.emit()


class Card(QWidget):
    """View with its title bar. Tools are always visible and have names and shortcuts."""

    export_requested = Signal()
    maximise_requested = Signal()
    copy_requested = Signal()
    data_requested = Signal()
    hide_requested = Signal()
    reset_requested = Signal()
    pulled = Signal(QPoint)
    """The title is being dragged; the position is global."""
    let_go = Signal(QPoint)
    """The dragged title was let go at this global position."""

    def __init__(
        self, title: str, caption: str = "", *, tools: Sequence[str] = TOOLS, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._title_text = title
        self._body: QWidget | None = None
        self._focused = False
        self._maximised = False
        self.setAccessibleName(title)
        self._title = Label(title, "section")
        self._caption = ElidedLabel(caption, "small", "tertiary")
        self._badge = Badge(parent=self)
        self._bar = _TitleBar()
        self._column = QVBoxLayout(self)
        self._tools = QHBoxLayout()
        self._heading = QHBoxLayout()
        self._maximise = IconButton("arrows-out", "Maximise", "F11", small=True, bind=False)
        self._lay_out(tools)
        self._bar.pulled.connect(self.pulled)
        self._bar.let_go.connect(self.let_go)
        self._bar.double_clicked.connect(self.maximise_requested)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    def title(self) -> str:
        """Title of the view."""
        return self._title_text

    def set_caption(self, caption: str) -> None:
        """Say what is drawn, of how many, on which scale."""
        self._caption.set_text(caption)

    def set_badge(self, text: str, state: str = "live") -> None:
        """Show a state at the right: "Live", "From history", "Partial"; empty for none."""
        self._badge.set_badge(text, state)

    def set_maximised(self, maximised: bool) -> None:
        """Say whether the tool brings the card back instead of enlarging it."""
        self._maximised = maximised
        self._maximise.set_icon("arrows-in" if maximised else "arrows-out")
        self._maximise.set_name("Back to all views" if maximised else "Maximise")

    def add_tool(self, widget: QWidget) -> None:
        """Put the view's own switch before the common tools."""
        self._tools.insertWidget(0, widget)

    def set_heading(self, widget: QWidget | None) -> None:
        """Let `widget`, which names the view itself, stand in the place of the title; None for the title."""
        self._title.setVisible(widget is None)
        if widget is not None:
            self._heading.addWidget(widget)

    def set_body(self, body: QWidget) -> None:
        """Put the drawing, or an empty view, under the title; the one before is let go, not deleted."""
        if self._body is not None:
            self._column.removeWidget(self._body)
            self._body.hide()
            self._body.setParent(None)
        self._body = body
        self._column.addWidget(body, 1)
        body.show()

    def body(self) -> QWidget | None:
        """What lies under the title."""
        return self._body

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._bar.setFixedHeight(theme().px(TOKENS.size.card_title))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            token = "accent" if self._focused else "border"
            radius = theme().px(TOKENS.radius.card)
            paint_box(painter, self.rect(), radius, "surface", theme().colour(token))
        finally:
            painter.end()

    def _lay_out(self, tools: Sequence[str]) -> None:
        self._bar.setFixedHeight(theme().px(TOKENS.size.card_title))
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(theme().px(11), 0, theme().px(6), 0)
        bar.setSpacing(theme().px(8))
        bar.addLayout(self._heading)
        bar.addWidget(self._title)
        bar.addWidget(self._caption, 1)
        bar.addWidget(self._badge)
        self._tools.setSpacing(theme().px(6))
        bar.addLayout(self._tools)
        if "export" in tools:
            export = IconButton("export", f"Export {self._title_text}", "Ctrl+E", small=True, bind=False)
            export.clicked.connect(self.export_requested)
            self._tools.addWidget(export)
        if "maximise" in tools:
            self._maximise.clicked.connect(self.maximise_requested)
            self._tools.addWidget(self._maximise)
        if "menu" in tools:
            more = IconButton("dots-three-vertical", f"More for {self._title_text}", small=True)
            more.clicked.connect(lambda: self._open_menu(more))
            self._tools.addWidget(more)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self._column.addWidget(self._bar)

    def menu(self) -> Menu:
        """The card's menu, made anew."""
        menu = Menu(self)
        menu.add("Export figure…", self.export_requested.emit, "export", "Ctrl+E")
        menu.add("Copy image", self.copy_requested.emit, "copy")
        menu.add("Show the data", self.data_requested.emit, "table")
        menu.addSeparator()
        word = "Back to all views" if self._maximised else "Maximise"
        menu.add(word, self.maximise_requested.emit, "arrows-in" if self._maximised else "arrows-out", "F11")
        menu.add("Hide", self.hide_requested.emit, "eye-slash")
        menu.add("Reset the view", self.reset_requested.emit, "arrow-counter-clockwise")
        return menu

    def _open_menu(self, button: QWidget) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        focused = now is not None and self.isAncestorOf(now)
        if focused != self._focused:
            self._focused = focused
            self.update()
