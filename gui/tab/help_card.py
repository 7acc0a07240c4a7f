"""The help page of a method, over its views: the idea, the equations, how to read each view, the citation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from engine.core.method import Method
from engine.core.places import RESOURCES
from gui.theme.theme import theme
from gui.widgets.button import Button
from gui.widgets.card import Card

WIDEST = 720


class HelpCard(Card):
    """Reads ``resources/help/<slug>.md`` and adds what the declaration knows: views, parameters, citation."""

    closed = Signal()
    told = Signal(str)

    def __init__(self, method: Method, parent: QWidget | None = None) -> None:
        super().__init__("Help", method.title, tools=(), parent=parent)
        self.method = method
        self.page = QTextBrowser()
        self.page.setOpenLinks(False)
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
