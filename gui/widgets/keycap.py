"""A key as a small outlined box, as in "Esc" at the end of a search field."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from gui.theme.theme import theme
from gui.widgets.box import paint_box

_HEIGHT = 18


def keycap_width(text: str) -> int:
    """Width of the box around ``text``, logical px."""
    return QFontMetrics(theme().font("caption")).horizontalAdvance(text) + theme().px(10)


def paint_keycap(painter: QPainter, right: float, middle: float, text: str) -> float:
    """Draw the box with its right edge at ``right``, centred on the height ``middle``.

    Returns:
        The left edge of the box.
    """
    width, height = keycap_width(text), theme().px(_HEIGHT)
    box = QRectF(right - width, middle - height / 2, width, height)
    painter.save()
    paint_box(painter, box, theme().px(4), "surface", theme().outline_colour())
    painter.setFont(theme().font("caption"))
    painter.setPen(theme().colour("text_tertiary"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return box.left()
