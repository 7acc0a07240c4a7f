"""Drags in a lines view: levels and spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from engine.core.views import Level
from gui.views.curve_layers import Stretch
from gui.views.per_frame import PerFrame
from gui.views.ticks import from_drawn

if TYPE_CHECKING:
    from gui.views.bars import BarsDrawing
    from gui.views.lines import LinesDrawing


class LevelDrag:
    """Moves a level with the mouse; its new value is told once a frame."""

    def __init__(self, drawing: LinesDrawing | BarsDrawing, level: Level) -> None:
        self._drawing, self._level = drawing, level
        self._tell = PerFrame(
            lambda value: drawing.make_gesture("drag-level", name=level.name, value=value), drawing
        )

    def move(self, pos: QPointF) -> None:
        """The level follows at once."""
        drawing = self._drawing
        x, y = drawing.canvas.to_data(pos)
        along_y = self._level.axis == "y"
        value = from_drawn(y if along_y else x, drawing.y_log if along_y else drawing.x_log)
        drawing.levels.values[self._level.name] = value
        drawing.on_ranged()
        drawing.levels.update()
        self._tell.offer(value=value)

    def finish(self, pos: QPointF) -> None:
        """The last value counts."""
        self.move(pos)
        self._tell.finish()

    def cancel(self) -> None:
        """Back to the state's value."""
        self._tell.drop()
        self._drawing.levels.values.pop(self._level.name, None)
        self._drawing.make_gesture("drag-level", name=self._level.name, value=self._level.value)
        self._drawing.on_ranged()


class SpanDrag:
    """Draws a stretch of x; told when let go."""

    def __init__(self, drawing: LinesDrawing, pos: QPointF) -> None:
        self._drawing, self._from = drawing, pos
        self._before = list(drawing.stretches.stretches)

    def move(self, pos: QPointF) -> None:
        """The stretch follows the mouse."""
        low, high = self._ends(pos)
        self._drawing.stretches.stretches = [*self._before, Stretch("", low, high, chosen=True)]
        self._drawing.stretches.update()

    def finish(self, pos: QPointF) -> None:
        """Tell the range in the data's units."""
        low, high = (from_drawn(end, self._drawing.x_log) for end in self._ends(pos))
        self._drawing.stretches.stretches = self._before
        self._drawing.stretches.update()
        self._drawing.make_gesture("span", low=low, high=high)

    def cancel(self) -> None:
        """As before."""
        self._drawing.stretches.stretches = self._before
        self._drawing.stretches.update()

    def _ends(self, pos: QPointF) -> tuple[float, float]:
        canvas = self._drawing.canvas
        x0, x1, _, _ = canvas.view()
        places = sorted(min(max(canvas.to_data(p)[0], x0), x1) for p in (self._from, pos))
        return places[0], places[1]
