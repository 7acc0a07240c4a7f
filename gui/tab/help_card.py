"""The help page of a method, over its views: the idea, the equations, how to read each view, the citation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QGuiApplication,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextTable,
)
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from engine.core.method import Method
from engine.core.places import RESOURCES
from gui.theme.theme import theme
from gui.theme.tokens import TypeName
from gui.widgets.button import Button
from gui.widgets.card import Card

WIDEST = 720


_ABOVE, _BELOW = {1: 4, 2: 20, 3: 14}, {1: 10, 2: 6, 3: 4}
_ROLES: dict[int, TypeName] = {1: "title", 2: "dialog", 3: "section"}


def set_spaces(document: QTextDocument) -> None:
    """Type and distances of the design, which Markdown knows nothing of."""
    look, cursor = theme(), QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        spaced = QTextBlockFormat(block.blockFormat())
        in_table = QTextCursor(block).currentTable() is not None
        spaced.setTopMargin(look.px(_ABOVE.get(level, 0)))
        spaced.setBottomMargin(look.px(_BELOW.get(level, 0 if in_table else 8)))
        spaced.setLineHeight(118, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(spaced)
        if level in _ROLES:
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            words = QTextCharFormat()
            words.setFont(look.font(_ROLES[level]))
            cursor.setCharFormat(words)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format()
            table.setBorderBrush(look.colour("border"))
            table.setCellPadding(look.px(5))
            table.setTopMargin(look.px(4))
            table.setBottomMargin(look.px(12))
            frame.setFormat(table)
    cursor.endEditBlock()


class HelpCard(Card):
    """Reads ``resources/help/<slug>.md`` and adds what the declaration knows: views, parameters, citation."""

    closed = Signal()
    told = Signal(str)

    def __init__(self, method: Method, parent: QWidget | None = None) -> None:
        super().__init__("Help", method.title, tools=(), parent=parent)
        self.method = method
        self.page = QTextBrowser()
        self.page.setOpenLinks(False)
        self.page.setStyleSheet("QTextBrowser, QTextBrowser:focus { border: none; padding: 0; }")
        self.page.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.page.setSearchPaths([str(RESOURCES / "help")])
        self.page.anchorClicked.connect(QDesktopServices.openUrl)
        self.page.setAccessibleName(f"Help on {method.title}")
        copy = Button("Copy BibTeX", icon_name="quotes")
        copy.clicked.connect(self._copy)
        close = Button("Back to the views", "ghost")
        close.clicked.connect(self.closed)
        body = QWidget()
        column = QVBoxLayout(body)
        column.addWidget(self.page, 1)
        row = QHBoxLayout()
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(close)
        column.addLayout(row)
        self.set_body(body)
        theme().changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Set the text in the present colours."""
        document = self.page.document()
        document.setDefaultFont(theme().font("body"))
        self.page.setMarkdown(self.text())
        set_spaces(document)
        self.page.setMaximumWidth(theme().px(WIDEST))

    def text(self) -> str:
        """The page as Markdown."""
        path = RESOURCES / "help" / f"{self.method.slug}.md"
        written = path.read_text(encoding="utf-8") if path.is_file() else f"# {self.method.title}\n"
        return "\n\n".join((written, self._parameters(), self._citation()))

    def keyPressEvent(self, event: object) -> None:
        if event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            self.closed.emit()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.method.paper.bibtex)
        self.told.emit("The citation is in the clipboard.")

    def _parameters(self) -> str:
        lines = ["## Parameters", "", "| parameter | meaning | allowed |", "|---|---|---|"]
        for spec in self.method.parameters.fields():
            unit = f" ({spec.unit})" if spec.unit else ""
            lines.append(f"| {spec.title}{unit} | {spec.help} | {spec.allowed()} |")
        return "\n".join(lines)

    def _citation(self) -> str:
        paper = self.method.paper
        return (
            f"## Citation\n\n{paper.authors}. *{paper.title}*. {paper.venue}, {paper.year}. "
            f"[{paper.url}]({paper.url})\n\n```\n{paper.bibtex}\n```"
        )
