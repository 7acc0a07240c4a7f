"""Names of groups in a row above the plot: click hides, Alt+click leaves alone, Ctrl+F searches."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gui.theme.theme import theme
from gui.views.canvas import PlotCanvas
from gui.views.layer import Layer
from gui.views.marks import draw_mark

ROW = 20.0


@dataclass(frozen=True)
class Entry:
    """One group: key, name, colour, shape."""

    key: str
    name: str
    colour: str
    shape: str = "square"


class LegendRow(Layer):
    """As many entries as fit; the rest are counted and named on hover."""

    clipped = False

    def __init__(self, canvas: PlotCanvas) -> None:
        self.entries: list[Entry] = []
        self.hidden: frozenset[str] = frozenset()
        super().__init__(canvas, 42)

    def boxes(self) -> list[tuple[Entry | None, QRectF]]:
        """Entries with their places, px; None is the count of those left out."""
        metrics = QFontMetricsF(theme().font("caption"))
        left, right = self.canvas.plot_rect().left(), self.canvas.width() - 12.0
        whole = sum(min(metrics.horizontalAdvance(one.name), 140.0) + 26 for one in self.entries)
        left = left if left + whole <= right else 12.0
        result: list[tuple[Entry | None, QRectF]] = []
        for index, entry in enumerate(self.entries):
            width = min(metrics.horizontalAdvance(entry.name), 140.0) + 14
            rest = len(self.entries) - index - 1
            if left + width > right - (60 if rest else 0) and result:
                result.append((None, QRectF(left, 2, right - left, ROW - 2)))
                break
            result.append((entry, QRectF(left, 2, width, ROW - 2)))
            left += width + 12
        return result

    def at(self, pos: QPointF) -> str:
        """Key of the entry under ``pos``, ''."""
        for entry, box in self.boxes():
            if entry is not None and box.adjusted(-4, -2, 4, 2).contains(pos):
                return entry.key
        return ""

    def left_out(self, pos: QPointF) -> list[Entry]:
        """The entries that do not fit, if ``pos`` is over their count."""
        boxes = self.boxes()
        over = any(entry is None and box.contains(pos) for entry, box in boxes)
        return self.entries[len(boxes) - 1 :] if over else []

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Mark and name; hidden ones pale and struck through."""
        boxes = self.boxes()
        for entry, box in boxes:
            font = theme().font("caption")
            if entry is None:
                text = f"+ {len(self.entries) - len(boxes) + 1} more"
                painter.setPen(theme().colour("text_tertiary"))
            else:
                gone = entry.key in self.hidden
                font.setStrikeOut(gone)
                painter.setOpacity(0.3 if gone else 1.0)
                at = QPointF(box.left() + 4, box.center().y())
                draw_mark(painter, at, entry.shape, QColor(entry.colour), 8)
                painter.setOpacity(1)
                text = entry.name
                painter.setPen(theme().colour("text_tertiary" if gone else "text_secondary"))
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            indent = 0.0 if entry is None else 14.0
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width() - indent + 1)
            baseline = box.center().y() - metrics.height() / 2 + metrics.ascent()
            painter.drawText(QPointF(box.left() + indent, baseline), text)
