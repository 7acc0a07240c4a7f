"""Something painted over or under a plot, in px of the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

if TYPE_CHECKING:
    from gui.views.canvas import PlotCanvas


class Layer(QGraphicsItem):
    """Subclasses paint in ``draw``; ``clipped`` keeps the paint inside the plot."""

    clipped = True

    def __init__(self, canvas: PlotCanvas, z: float) -> None:
        super().__init__()
        self.canvas = canvas
        self.setZValue(z)
        canvas.add_layer(self)

    def boundingRect(self) -> QRectF:
        """The whole canvas."""
        return self.canvas.whole()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Clip and draw."""
        painter.save()
        if self.clipped:
            painter.setClipRect(self.canvas.plot_rect().adjusted(0, 0, 1, 1))
        self.draw(painter, self.canvas.plot_rect())
        painter.restore()

    def draw(self, painter: QPainter, plot: QRectF) -> None:
        """Paint; ``plot`` is where the data are, px."""
        raise NotImplementedError
