"""Shapes of marks, as outlines and as small pictures."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform


@lru_cache(maxsize=8)
def mark_path(shape: str) -> QPainterPath:
    """Outline of a shape of diameter 1 about the origin; unequal shapes have nearly equal areas."""
    path = QPainterPath()
    if shape == "square":
        path.addRect(QRectF(-0.45, -0.45, 0.9, 0.9))
    elif shape == "diamond":
        path.addPolygon(QPolygonF([QPointF(*p) for p in ((0, -0.62), (0.62, 0), (0, 0.62), (-0.62, 0))]))
        path.closeSubpath()
    elif shape == "triangle":
        path.addPolygon(QPolygonF([QPointF(*p) for p in ((0, -0.6), (0.58, 0.42), (-0.58, 0.42))]))
        path.closeSubpath()
    elif shape == "star":
        points = []
        for corner in range(10):
            radius, angle = (0.75 if corner % 2 == 0 else 0.31), math.pi * corner / 5 - math.pi / 2
            points.append(QPointF(radius * math.cos(angle), radius * math.sin(angle)))
        path.addPolygon(QPolygonF(points))
        path.closeSubpath()
    else:
        path.addEllipse(QRectF(-0.5, -0.5, 1, 1))
    return path


def draw_mark(
    painter: QPainter,
    pos: QPointF,
    shape: str,
    fill: QColor | None,
    size: float,
    outline: QColor | None = None,
    width: float = 0.75,
) -> None:
    """One mark of diameter ``size`` px at ``pos``; hollow without ``fill``."""
    place = QTransform.fromTranslate(pos.x(), pos.y()).scale(size, size)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(outline, width) if outline is not None else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(QBrush(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawPath(place.map(mark_path(shape)))
    painter.restore()
