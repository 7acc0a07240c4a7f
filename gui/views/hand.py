"""What a plot answers to the hand, and the drag all plots know: moving the shown range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from gui.views.canvas import PlotCanvas


class Drag(Protocol):
    """Something being dragged; positions are px of the canvas."""

    def move(self, pos: QPointF) -> None: ...

    def finish(self, pos: QPointF) -> None: ...

    def cancel(self) -> None: ...


class Hand(Protocol):
    """What a plot answers to the hand; True and drags mean that it was dealt with."""

    def drag_at(self, pos: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> Drag | None: ...

    def click_at(self, pos: QPointF, keys: Qt.KeyboardModifier) -> None: ...

    def double_click_at(self, pos: QPointF) -> bool: ...

    def hover_at(self, pos: QPointF) -> None: ...

    def hover_left(self) -> None: ...

    def cursor_at(self, pos: QPointF) -> Qt.CursorShape: ...

    def key(self, event: QKeyEvent) -> bool: ...


class PanDrag:
    """Moves the shown range with the mouse."""

    def __init__(self, canvas: PlotCanvas, pos: QPointF) -> None:
        self._canvas, self._pos, self._view = canvas, pos, canvas.view()

    def move(self, pos: QPointF) -> None:
        """Keep the grabbed place under the mouse."""
        plot = self._canvas.plot_rect()
        x0, x1, y0, y1 = self._view
        dx = (pos.x() - self._pos.x()) / plot.width() * (x1 - x0)
        dy = (pos.y() - self._pos.y()) / plot.height() * (y1 - y0)
        if self._canvas.downwards:
            dy = -dy
        self._canvas.look_at(x0 - dx, x1 - dx, y0 + dy, y1 + dy, by_hand=True)

    def finish(self, pos: QPointF) -> None:
        """Stay here."""
        self.move(pos)

    def cancel(self) -> None:
        """Back to where the drag began."""
        self._canvas.look_at(*self._view, by_hand=True)
