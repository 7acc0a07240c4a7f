"""Rounded boxes with a crisp outline, for the widgets that paint themselves."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gui.theme.theme import theme


def paint_box(
    painter: QPainter,
    rect: QRect | QRectF,
    radius: float,
    fill: str = "",
    outline: QColor | None = None,
    width: float = 1.0,
    dashed: bool = False,
) -> None:
    """Draw a rounded box whose outline lies inside ``rect``.

    Args:
        painter: an open painter; its pen and brush are changed.
        rect: outer edge, logical px.
        radius: corner radius of the outer edge.
        fill: colour token, empty for none.
        outline: colour of the outline, none for no outline.
        width: width of the outline.
        dashed: outline of short dashes.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(theme().colour(fill) if fill else Qt.BrushStyle.NoBrush)
    box = QRectF(rect)
    if outline is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        pen = QPen(outline, width)
        if dashed:
            pen.setDashPattern([3.0, 2.5])
        painter.setPen(pen)
        inset = width / 2
        box.adjust(inset, inset, -inset, -inset)
        radius -= inset
    painter.drawRoundedRect(box, radius, radius)


def one_sided(rect: QRect | QRectF, radius: float, *, left: bool, right: bool) -> QPainterPath:
    """Box with round corners at the named sides only."""
    box, path = QRectF(rect), QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    path.addRoundedRect(box, radius, radius)
    if not left:
        path.addRect(QRectF(box.left(), box.top(), box.width() / 2, box.height()))
    if not right:
        path.addRect(QRectF(box.center().x(), box.top(), box.width() / 2, box.height()))
    return path.simplified()


def paint_shape(painter: QPainter, centre: QPointF, size: float, shape: str) -> None:
    """Draw a marker (circle, square, triangle, diamond) with the painter's pen and brush."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = size / 2
    x, y = centre.x(), centre.y()
    if shape == "circle":
        painter.drawEllipse(centre, half, half)
    elif shape == "square":
        side = half * 0.9
        painter.drawRect(QRectF(x - side, y - side, 2 * side, 2 * side))
    elif shape == "triangle":
        painter.drawPolygon([QPointF(x, y - half), QPointF(x + half, y + half), QPointF(x - half, y + half)])
    elif shape == "diamond":
        reach = half * 1.2
        corners = [QPointF(x, y - reach), QPointF(x + reach, y), QPointF(x, y + reach), QPointF(x - reach, y)]
        painter.drawPolygon(corners)
    else:
        raise ValueError(f"no marker is called {shape!r}")
