"""Text in a role of the type scale, and text that elides at its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gui.theme.sheet import repolish
from gui.theme.tokens import TypeName
from gui.theme.typeset import typeset


class Label(QLabel):
    """Plain text; ``tone`` is one of secondary, tertiary, accent, success, warning, danger, or empty."""

    def __init__(
        self,
        text: str = "",
        role: TypeName = "body",
        tone: str = "",
        *,
        tabular: bool = False,
        weight: int = 0,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        typeset(self, role, tabular=tabular, weight=weight)
        self.set_tone(tone)

    def set_tone(self, tone: str) -> None:
        """Change the colour."""
        repolish(self, "tone", tone)


class ElidedLabel(Label):
    """One line that ends in an ellipsis when there is no room; the whole text is then in the tooltip."""

    # On the class, since the first change of font comes from within the constructor of the parent class.
    _whole = ""
    _tip = ""

    def __init__(
        self,
        text: str = "",
        role: TypeName = "body",
        tone: str = "",
        *,
        weight: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", role, tone, weight=weight, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Set the whole text."""
        self._whole = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def whole_text(self) -> str:
        """The text before eliding."""
        return self._whole

    def set_tip(self, tip: str) -> None:
        """Tooltip to show while the text is not elided."""
        self._tip = tip
        self._elide()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._whole) + 1
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        shortest = min(self.fontMetrics().horizontalAdvance("mmm…"), self.sizeHint().width())
        return QSize(shortest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else self._tip)
