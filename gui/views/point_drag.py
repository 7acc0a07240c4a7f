"""Dragging one point of a scatter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from gui.views.per_frame import PerFrame

if TYPE_CHECKING:
    from gui.views.scatter import ScatterDrawing


class PointDrag:
    """A ring goes with the mouse; the new place is told once a frame, and drawn when it comes back."""

    def __init__(self, drawing: ScatterDrawing, index: int) -> None:
        self._drawing, self._id = drawing, drawing.ids[index].item()
        self._origin = drawing.canvas.to_scene(
            float(drawing.points.xs[index]), float(drawing.points.ys[index])
        )
        ident = self._id
        self._tell = PerFrame(lambda x, y: drawing.make_gesture("drag-point", id=ident, x=x, y=y), drawing)

    def move(self, pos: QPointF) -> None:
        """The ring is where the point will be."""
        drawing = self._drawing
        drawing.segments.ring = drawing.canvas.to_data(pos)
        drawing.segments.update()
        self._tell.offer(**drawing.place_at(pos))

    def finish(self, pos: QPointF) -> None:
        """The last place counts."""
        self.move(pos)
        self._tell.finish()
        self._drawing.segments.ring = None
        self._drawing.segments.update()

    def cancel(self) -> None:
        """Back to where it was."""
        self._tell.drop()
        self._drawing.make_gesture("drag-point", id=self._id, **self._drawing.place_at(self._origin))
        self._drawing.segments.ring = None
        self._drawing.segments.update()
