"""What is under the mouse: a box of aligned rows beside it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme.theme import theme
from gui.views.marks import draw_mark

_PAD_X, _PAD_Y, _ROW, _SHADOW, _AWAY = 10, 8, 17, 8, 14


@dataclass(frozen=True)
class Row:
    """One line: a mark in ``colour`` and ``shape`` (none if no colour), a name, a value."""

    name: str
    value: str = ""
    colour: str = ""
    shape: str = "circle"


class HoverBox(QWidget):
    """Raised box, seen by the mouse as air, at most 320 px wide, kept inside its parent."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.title, self.note = "", ""
        self.rows: tuple[Row, ...] = ()
        self.hide()

    def text(self) -> str:
        """Everything the box says, one row a line."""
        first = self.title + self.note
        return "\n".join([first, *(f"{row.name} {row.value}".strip() for row in self.rows)])

    def say(
        self, pos: QPointF, title: str, note: str = "", rows: tuple[Row, ...] = (), top: float | None = None
    ) -> None:
        """Show bold ``title`` with ``note`` behind it and ``rows`` below, beside ``pos``, or from ``top``."""
        self.title, self.note, self.rows = title, note, rows
        width, height = self._measured()
        parent = self._over.size()
        left = pos.x() + _AWAY - _SHADOW
        if left + width > parent.width():
            left = pos.x() - _AWAY - width + _SHADOW
        if top is None:
            above = pos.y() - height - _AWAY
            top = above if above >= 0 else pos.y() + _AWAY
        top = max(min(top, parent.height() - height), 0)
        left = min(max(left, 0), max(parent.width() - width, 0))
        self.setGeometry(QRect(int(left), int(top), int(width), int(height)))
        self.show()
        self.raise_()
        self.update()

    def _measured(self) -> tuple[float, float]:
        look = theme()
        bold = QFontMetricsF(look.font("small", tabular=True, weight=600))
        plain = QFontMetricsF(look.font("small", tabular=True))
        wide = bold.horizontalAdvance(self.title) + plain.horizontalAdvance(self.note)
        for row in self.rows:
            mark = 16 if row.colour else 0
            gap = 16 if row.value else 0
            name = plain.horizontalAdvance(row.name) + gap + plain.horizontalAdvance(row.value)
            wide = max(wide, mark + name)
        limit = look.px(320)
        rows = len(self.rows) + (1 if self.title or self.note else 0)
        height = rows * look.px(_ROW) + 2 * _PAD_Y
        return min(wide + 2 * _PAD_X, limit) + 2 * _SHADOW + 1, height + 2 * _SHADOW

    def paintEvent(self, event: QPaintEvent) -> None:
        """Soft shadow, ground, rows."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner = QRectF(self.rect()).adjusted(_SHADOW, _SHADOW, -_SHADOW, -_SHADOW)
            self._paint_ground(painter, inner)
            self._paint_rows(painter, inner.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y))
        finally:
            painter.end()

    @staticmethod
    def _paint_ground(painter: QPainter, inner: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        shade = QColor(0, 0, 0)
        for spread in range(_SHADOW, 0, -2):
            shade.setAlphaF(0.022)
            painter.setBrush(shade)
            painter.drawRoundedRect(
                inner.adjusted(-spread, -spread + 2, spread, spread), 6 + spread, 6 + spread
            )
        painter.setPen(QPen(theme().colour("border_strong"), 1))
        painter.setBrush(QBrush(theme().colour("tooltip")))
        painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def _paint_rows(self, painter: QPainter, area: QRectF) -> None:
        look = theme()
        plain, bold = look.font("small", tabular=True), look.font("small", tabular=True, weight=600)
        step, top = look.px(_ROW), area.top()
        painter.setPen(look.colour("tooltip_text"))
        if self.title or self.note:
            painter.setFont(bold)
            metrics = QFontMetricsF(bold)
            title = metrics.elidedText(self.title, Qt.TextElideMode.ElideRight, area.width())
            self._write(painter, area.left(), top, step, title)
            painter.setFont(plain)
            left = area.left() + metrics.horizontalAdvance(title)
            room = max(area.right() - left, 0) + 1
            note = QFontMetricsF(plain).elidedText(self.note, Qt.TextElideMode.ElideRight, room)
            self._write(painter, left, top, step, note)
            top += step
        painter.setFont(plain)
        metrics = QFontMetricsF(plain)
        for row in self.rows:
            left = area.left()
            if row.colour:
                draw_mark(painter, QPointF(left + 5, top + step / 2), row.shape, QColor(row.colour), 8)
                left += 16
            value = metrics.horizontalAdvance(row.value)
            room = area.right() - left - value - (8 if row.value else 0) + 1
            painter.setPen(look.colour("tooltip_text"))
            self._write(
                painter, left, top, step, metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, room)
            )
            self._write(painter, area.right() - value, top, step, row.value)
            top += step

    @staticmethod
    def _write(painter: QPainter, left: float, top: float, height: float, text: str) -> None:
        metrics = QFontMetricsF(painter.font())
        painter.drawText(QPointF(left, top + (height - metrics.height()) / 2 + metrics.ascent()), text)
