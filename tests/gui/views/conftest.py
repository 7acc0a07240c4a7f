"""Plots in the program's look, shown offscreen, and a hand that presses, moves and lets go."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.core.views import View, ViewState
from gui.theme.theme import theme
from gui.views import make_drawing
from gui.views.drawing import Drawing
from gui.views.plot import PlotDrawing
from gui.views.selection import Selection

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture(autouse=True)
def look(qapp: QApplication) -> Iterator[None]:
    """The light theme, whatever a test switches to."""
    theme().attach(qapp)
    theme().set_mode("light")
    yield
    theme().set_mode("light")


class Shown:
    """A drawing on the screen with all it told."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.gestures: list[tuple[str, dict[str, Any]]] = []
        self.picked: list[Any] = []
        self.controls: list[tuple[str, dict[str, Any]]] = []
        drawing.gesture.connect(self.gestures.append)
        drawing.selected.connect(self.picked.append)
        drawing.control.connect(self.controls.append)

    def link(self) -> Selection:
        """A selection that takes in what is picked and is shown again, as in a tab."""
        selection = Selection(self.drawing)
        self.drawing.selected.connect(selection.pick)
        self.drawing.set_selection(selection)
        return selection


ShowView = Callable[..., Shown]


@pytest.fixture
def show(qtbot: Any) -> ShowView:
    """Shows a view in a state, 500 × 340 px unless said."""

    def shown(view: View, state: ViewState | None, size: tuple[int, int] = (500, 340)) -> Shown:
        drawing = make_drawing(view)
        qtbot.addWidget(drawing)
        drawing.resize(*size)
        drawing.show()
        drawing.show_state(state)
        QApplication.processEvents()
        return Shown(drawing)

    return shown


class Hand:
    """Real mouse events on a plot; places are px of the canvas."""

    def press(self, plot: PlotDrawing, pos: QPointF, button: Any = LEFT, keys: Any = NO_KEYS) -> None:
        QTest.mousePress(plot.canvas.viewport(), button, keys, _px(pos))

    def move(self, plot: PlotDrawing, pos: QPointF) -> None:
        QTest.mouseMove(plot.canvas.viewport(), _px(pos))
        QApplication.processEvents()

    def release(self, plot: PlotDrawing, pos: QPointF, button: Any = LEFT, keys: Any = NO_KEYS) -> None:
        QTest.mouseRelease(plot.canvas.viewport(), button, keys, _px(pos))

    def click(self, plot: PlotDrawing, pos: QPointF, keys: Any = NO_KEYS) -> None:
        QTest.mouseClick(plot.canvas.viewport(), LEFT, keys, _px(pos))

    def double_click(self, plot: PlotDrawing, pos: QPointF) -> None:
        QTest.mouseDClick(plot.canvas.viewport(), LEFT, NO_KEYS, _px(pos))

    def drag(self, plot: PlotDrawing, *places: QPointF, button: Any = LEFT, keys: Any = NO_KEYS) -> None:
        """Press at the first place, move over the others, let go at the last."""
        self.press(plot, places[0], button, keys)
        for place in places[1:]:
            self.move(plot, place)
        self.release(plot, places[-1], button, keys)

    def key(self, widget: QWidget, key: Any, keys: Any = NO_KEYS) -> None:
        QTest.keyClick(widget, key, keys)


@pytest.fixture
def hand() -> Hand:
    """A hand."""
    return Hand()


def _px(pos: QPointF) -> QPoint:
    return QPoint(round(pos.x()), round(pos.y()))
