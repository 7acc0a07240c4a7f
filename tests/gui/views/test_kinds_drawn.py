"""Every kind of view has a drawing; all of them show nothing, something, and both themes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from engine.core.views import (
    KINDS,
    STATES,
    Axis,
    Bars,
    BarSeries,
    BarsState,
    Column,
    Dendrogram,
    DendrogramState,
    Graph,
    GraphState,
    HeatMap,
    HeatMapState,
    ImageGrid,
    ImageGridState,
    Lines,
    LinesState,
    Panel,
    PanelState,
    Scatter,
    ScatterState,
    Series,
    Table,
    TableState,
    Toggle,
    View,
    ViewState,
)
from gui.theme.theme import theme
from gui.views import DRAWINGS, drawing_class
from gui.views.drawing import Drawing

X, Y = Axis("time", "s"), Axis("height", "cm")
T = np.arange(5.0)
MERGES = np.array([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 3.0, 4]])
EXAMPLES: dict[str, tuple[View, ViewState]] = {
    "lines": (Lines("v", title="T", x=X, y=Y), LinesState(series=(Series(name="a", x=T, y=T**2),))),
    "scatter": (Scatter("v", title="T", x=X, y=Y), ScatterState(x=T, y=T**2)),
    "bars": (
        Bars("v", title="T", category=X, value=Y),
        BarsState(categories=tuple("abcde"), series=(BarSeries(name="n", values=T),)),
    ),
    "heat-map": (HeatMap("v", title="T", x=X, y=Y, value=Axis("v")), HeatMapState(values=np.outer(T, T))),
    "table": (
        Table("v", title="T"),
        TableState(columns=(Column(name="a", title="A", values=T),), ids=(1, 2, 3, 4, 5)),
    ),
    "dendrogram": (
        Dendrogram("v", title="T", height=Y),
        DendrogramState(merges=MERGES, leaves=4, order=np.arange(4)),
    ),
    "graph": (Graph("v", title="T"), GraphState(x=T, y=T, names=tuple("abcde"), edges=np.array([[0, 1]]))),
    "panel": (
        Panel("v", title="T"),
        PanelState(controls=(Toggle(action="a", argument="on", label="Keep ties", value=True),)),
    ),
    "image-grid": (ImageGrid("v", title="T"), ImageGridState(images=np.full((5, 8, 8), 99, np.uint8))),
}


def test_the_table_of_drawings_holds_exactly_the_kinds() -> None:
    assert set(DRAWINGS) == set(KINDS) == set(STATES) == set(EXAMPLES)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_drawing_is_a_drawing_with_a_docstring(kind: str) -> None:
    assert issubclass(drawing_class(kind), Drawing)
    assert drawing_class(kind).__doc__


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_states_come_and_go(show: Any, kind: str) -> None:
    view, state = EXAMPLES[kind]
    shown = show(view, None)
    assert "T" in shown.drawing.describe()
    shown.drawing.show_state(state)
    QApplication.processEvents()
    headers, columns = shown.drawing.data_table()
    assert len(headers) == len(columns) > 0
    assert len({len(column) for column in columns}) == 1
    assert shown.drawing.accessibleDescription() == shown.drawing.describe()
    shown.drawing.show_state(None)
    shown.drawing.show_state(state)
    QApplication.processEvents()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_state_of_another_kind_is_refused(show: Any, kind: str) -> None:
    view, _ = EXAMPLES[kind]
    other = next(state for name, (_, state) in EXAMPLES.items() if name != kind)
    with pytest.raises(TypeError, match=kind):
        show(view, None).drawing.show_state(other)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_switch_of_theme_repaints_the_ground(show: Any, kind: str) -> None:
    drawing = show(*EXAMPLES[kind]).drawing
    for name in ("dark", "light"):
        theme().set_mode(name)
        QApplication.processEvents()
        picture = drawing.grab().toImage()
        ground = QColor(theme().colours.surface)
        pixels = [picture.pixelColor(x, y) for x in range(0, 500, 9) for y in range(0, 340, 9)]
        assert sum(pixel == ground for pixel in pixels) > 0.15 * len(pixels), (kind, name)


def test_importing_the_table_imports_no_drawing_and_no_compiler() -> None:
    import subprocess
    import sys

    code = "import sys, gui.views; print('numba' in sys.modules, 'gui.views.lines' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "False"]


def test_kernels_are_made_ready_off_the_main_thread() -> None:
    import sys

    from gui.views.warming import warm_kernels

    thread = warm_kernels()
    thread.join(60)
    assert not thread.is_alive()
    assert sys.modules["gui.views.kernels"].stamp.signatures


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"table", "panel", "image-grid"}))
def test_plots_take_the_keyboard_and_show_a_ring(show: Any, kind: str) -> None:
    from PySide6.QtCore import Qt

    drawing = show(*EXAMPLES[kind]).drawing
    drawing.activateWindow()
    drawing.canvas.clearFocus()
    drawing.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    picture = drawing.grab().toImage()
    focus = QColor(theme().colours.focus)
    edge = [picture.pixelColor(x, 2) for x in range(60, 440)]
    assert sum(abs(one.red() - focus.red()) < 30 and one.blue() > 150 for one in edge) > 300
