"""How each side is drawn: a stretch of line and its name, one after another."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.core.comparison.sides import Side
from engine.core.views.lines import LineStyle
from gui.theme.theme import theme
from gui.theme.typeset import typeset
from gui.views.curve import DASHES

_STROKE, _GAP, _BETWEEN = 22, 6, 14
_NAME = 140


class SideLegend(QWidget):
    """A solid, B dashed, C dotted, D dash-dot, each with its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: tuple[tuple[str, LineStyle], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        typeset(self, "small")

    def show_sides(self, sides: Sequence[Side], names: Sequence[str]) -> None:
        """Show these, under these names."""
        self._sides = tuple(zip(names, (side.style for side in sides), strict=False))
        words = ", ".join(f"{name} {style}" for name, style in self._sides)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        look = theme()
        width = sum(look.px(_STROKE + _GAP + _BETWEEN) + self._width(name) for name, _ in self._sides)
        return QSize(width, look.px(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme().px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        look, left = theme(), 0
        painter = QPainter(self)
        try:
            painter.setFont(self.font())
            middle = self.height() / 2
            for name, style in self._sides:
                pen = QPen(look.colour("text"), look.px(2))
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                if style in DASHES:
                    pen.setDashPattern([length / 2 for length in DASHES[style]])
                painter.setPen(pen)
                painter.drawLine(QLineF(left, middle, left + look.px(_STROKE), middle))
                left += look.px(_STROKE + _GAP)
                painter.setPen(look.colour("text_secondary"))
                width = self._width(name)
                words = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, width)
                painter.drawText(left, 0, width, self.height(), Qt.AlignmentFlag.AlignVCenter, words)
                left += width + look.px(_BETWEEN)
        finally:
            painter.end()

    def _width(self, name: str) -> int:
        return min(theme().px(_NAME), self.fontMetrics().horizontalAdvance(name) + 1)
