"""Bars, heat maps, graphs, panels and tables under the hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider

from engine.core.views import (
    Axis,
    Bars,
    BarSeries,
    BarsState,
    Button,
    Column,
    Graph,
    GraphState,
    HeatMap,
    HeatMapState,
    Panel,
    PanelState,
    Slider,
    Switch,
    Table,
    TableState,
    Toggle,
)

BARS = Bars("b", title="Wins", category=Axis("policy"), value=Axis("wins", "games"), entity="policy")
BARS_STATE = BarsState(
    categories=("uniform", "greedy", "planner"),
    series=(
        BarSeries(
            name="wins",
            values=np.array([4.0, 2.0, 8.0]),
            low=np.array([3.0, 1, 7]),
            high=np.array([5.0, 3, 9]),
        ),
    ),
)
CELLS = np.array([[0.0, 1.0, 2.0], [3.0, np.nan, 5.0]])
HEAT = HeatMap("h", title="Cells", x=Axis("set"), y=Axis("rule"), value=Axis("ratio", "cm"), entity="rule")
HEAT_STATE = HeatMapState(values=CELLS, rows=("ward", "single"), columns=("iris", "wine", "cars"))


def test_bars_stand_on_zero_and_read_with_their_whiskers(show: Any, hand: Any) -> None:
    drawing = show(BARS, BARS_STATE).drawing
    assert drawing.view_range()[2:] == (0.0, 10.0)
    box = drawing.bars.box(drawing.bars.runs[0], 2)
    assert box.height() / drawing.canvas.plot_rect().height() == pytest.approx(0.8)
    hand.move(drawing, box.center())
    assert drawing.hover_box.text().splitlines() == ["planner", "wins 8  (7–9)"]
    room = drawing.canvas.x_to_scene(1) - drawing.canvas.x_to_scene(0)
    assert box.width() / room == pytest.approx(0.75)


def test_a_click_on_a_bar_selects_its_category(show: Any, hand: Any) -> None:
    view = Bars(
        "b", title="T", category=BARS.category, value=BARS.value, entity="policy", gestures={"click": "a"}
    )
    shown = show(view, BARS_STATE)
    selection = shown.link()
    hand.click(shown.drawing, shown.drawing.bars.box(shown.drawing.bars.runs[0], 1).center())
    assert shown.gestures == [("click", {"id": 1})]
    assert selection.ids("policy").tolist() == [1]
    assert shown.drawing.bars.chosen.tolist() == [False, True, False]


@pytest.mark.parametrize("horizontal", [False, True])
def test_a_bar_is_dragged_to_a_value(show: Any, hand: Any, horizontal: bool) -> None:
    view = Bars(
        "b",
        title="T",
        category=BARS.category,
        value=BARS.value,
        horizontal=horizontal,
        gestures={"drag-bar": "a"},
    )
    shown = show(view, BARS_STATE)
    canvas = shown.drawing.canvas
    start, end = (canvas.to_scene(0.0, v) for v in (4.0, 6.0))
    if horizontal:
        start, end = (canvas.to_scene(v, 0.0) for v in (4.0, 6.0))
    hand.drag(shown.drawing, start, (start + end) / 2, end)
    word, payload = shown.gestures[-1]
    assert (word, payload["id"]) == ("drag-bar", 0)
    assert payload["value"] == pytest.approx(6.0, abs=0.05)


def test_a_histogram_reads_its_bins(show: Any, hand: Any) -> None:
    state = BarsState(
        edges=np.array([0.0, 1, 2, 4]), series=(BarSeries(name="count", values=np.array([5, 7, 2])),)
    )
    drawing = show(BARS, state).drawing
    hand.move(drawing, drawing.canvas.to_scene(3.0, 1.0))
    assert drawing.hover_box.text().splitlines() == ["2–4", "count 2"]
    widths = [drawing.bars.box(drawing.bars.runs[0], i).width() for i in range(3)]
    assert widths[2] == pytest.approx(2 * widths[0])


def test_stacked_bars_add_up_and_series_hide(show: Any, hand: Any) -> None:
    view = Bars("b", title="T", category=BARS.category, value=BARS.value, stacked=True)
    series = tuple(BarSeries(name=n, values=np.array([v, v, v])) for n, v in (("a", 1.0), ("b", 2.0)))
    drawing = show(view, BarsState(categories=("x", "y", "z"), series=series)).drawing
    assert drawing.bars.runs[1].top.tolist() == [3.0, 3.0, 3.0]
    box = next(box for entry, box in drawing.legend.boxes() if entry.key == "a")
    hand.click(drawing, box.center())
    assert drawing.hidden() == {"a"}
    assert [run.name for run in drawing.bars.runs] == ["b"]
    assert drawing.bars.runs[0].top.tolist() == [2.0, 2.0, 2.0]


def test_many_bins_draw_no_more_bars_than_pixels(show: Any) -> None:
    counts = np.arange(100_000.0)
    state = BarsState(edges=np.arange(100_001.0), series=(BarSeries(name="n", values=counts),))
    drawing = show(BARS, state).drawing
    seen = drawing.bars._seen(drawing.bars.runs[0])
    assert len(seen) <= 2 * drawing.canvas.plot_rect().width()
    assert 99_999 in seen


def test_long_names_of_categories_end_in_an_ellipsis(show: Any, hand: Any) -> None:
    names = tuple(f"a rather long name of policy {i}" for i in range(6))
    state = BarsState(categories=names, series=(BarSeries(name="n", values=np.arange(6.0)),))
    drawing = show(BARS, state).drawing
    assert all(words.endswith("…") for _, words in drawing.canvas.axes.ticks()["x"])
    hand.move(drawing, drawing.canvas.to_scene(3.0, 1.0))
    assert drawing.hover_box.title == names[3]


def test_a_cell_says_its_names_and_value(show: Any, hand: Any) -> None:
    drawing = show(HEAT, HEAT_STATE).drawing
    hand.move(drawing, drawing.cells.box(1, 2).center())
    assert drawing.hover_box.text().splitlines() == ["5 cm", "rule single", "set cars"]
    hand.move(drawing, drawing.cells.box(1, 1).center())
    assert drawing.hover_box.title == "not defined"
    assert drawing.cells.box(0, 0).top() < drawing.cells.box(1, 0).top()


def test_cells_have_the_colours_of_the_scale(show: Any) -> None:
    drawing = show(HEAT, HEAT_STATE).drawing
    picture = drawing.grab().toImage()
    table = drawing.scale.table()
    for row, column in ((0, 0), (0, 2), (1, 2)):
        corner = drawing.cells.box(row, column).topLeft().toPoint()
        pixel = picture.pixelColor(corner.x() + 4, corner.y() + 4)
        wanted = table[int(drawing.scale.places(CELLS[row, column]))]
        assert abs(pixel.red() - int(wanted[0])) <= 3
        assert abs(pixel.green() - int(wanted[1])) <= 3


def test_a_cell_is_clicked_brushed_and_edited(show: Any, hand: Any) -> None:
    gestures = {"click": "a", "brush": "b", "edit-cell": "c"}
    view = HeatMap("h", title="T", x=HEAT.x, y=HEAT.y, value=HEAT.value, entity="rule", gestures=gestures)
    shown = show(view, HEAT_STATE)
    selection = shown.link()
    drawing = shown.drawing
    hand.click(drawing, drawing.cells.box(1, 0).center())
    assert shown.gestures.pop() == ("click", {"row": 1, "column": 0})
    assert selection.ids("rule").tolist() == [1]
    hand.drag(drawing, drawing.cells.box(1, 2).center(), drawing.cells.box(0, 1).center())
    assert shown.gestures.pop() == ("brush", {"row_low": 0, "row_high": 1, "column_low": 1, "column_high": 2})
    hand.double_click(drawing, drawing.cells.box(0, 1).center())
    assert drawing.editor.isVisible()
    assert drawing.editor.text() == "1"
    drawing.editor.clear()
    QTest.keyClicks(drawing.editor, "1e-3x")
    hand.key(drawing.editor, Qt.Key.Key_Return)
    assert shown.gestures == []
    assert "not a number" in drawing.editor.toolTip()
    hand.key(drawing.editor, Qt.Key.Key_Backspace)
    hand.key(drawing.editor, Qt.Key.Key_Return)
    assert shown.gestures == [("edit-cell", {"row": 0, "column": 1, "value": 0.001})]


def test_a_function_over_the_plane_has_y_upwards_and_level_lines(show: Any, hand: Any) -> None:
    x, y = np.linspace(-2, 2, 41), np.linspace(0, 3, 31)
    state = HeatMapState(values=np.hypot(x[None], y[:, None]), x=x, y=y, contours=(1.0,))
    drawing = show(HEAT, state).drawing
    line = np.concatenate(drawing.cells.contours)
    assert np.hypot(line[:, 0], line[:, 1]) == pytest.approx(np.ones(len(line)), abs=0.01)
    assert drawing.cells.box(0, 0).top() > drawing.cells.box(1, 0).top()
    hand.move(drawing, drawing.canvas.to_scene(2.0, 3.0))
    assert drawing.hover_box.text().splitlines()[1:] == ["rule 3", "set 2"]


def test_uneven_cells_stand_where_they_are(show: Any) -> None:
    state = HeatMapState(values=np.array([[1.0, 2.0, 3.0]]), x=np.array([1.0, 2.0, 10.0]), y=np.array([0.0]))
    drawing = show(HEAT, state).drawing
    assert drawing.cells.across.tolist() == [0.5, 1.5, 6.0, 14.0]
    picture = drawing.grab().toImage()
    pos = drawing.canvas.to_scene(5.5, 0.2).toPoint()
    wanted = drawing.scale.table()[int(drawing.scale.places(np.array(2.0)))]
    assert abs(picture.pixelColor(pos).green() - int(wanted[1])) <= 3


def test_a_diverging_map_is_centred() -> None:
    from gui.views.colour_bar import ColourScale

    scale = ColourScale.fitted("diverging", np.array([-1.0, 5.0, np.nan]), None, 1.0)
    assert (scale.low, scale.high) == (-3.0, 5.0)
    assert ColourScale.fitted("zero", np.array([2.0, 4.0]), None).low == 0.0
    assert ColourScale.fitted("sequential", np.array([2.0, 2.0]), None).high > 2.0


GRAPH = Graph("g", title="Scene", entity="asset")
GRAPH_STATE = GraphState(
    x=np.array([0.0, 1, 2]),
    y=np.array([0.0, 1, 0]),
    names=("table", "chair", "lamp"),
    notes=("round", "", ""),
    edges=np.array([[0, 1], [1, 2]]),
    edge_names=("around", ""),
    edge_score=np.array([0.971, np.nan]),
)


def test_nodes_and_edges_are_clicked_and_read(show: Any, hand: Any) -> None:
    view = Graph("g", title="T", entity="asset", gestures={"click": "a", "click-edge": "b"})
    shown = show(view, GRAPH_STATE)
    selection = shown.link()
    drawing = shown.drawing
    hand.move(drawing, drawing.layer.place(0))
    assert drawing.hover_box.text().splitlines() == ["table", "round"]
    hand.click(drawing, drawing.layer.place(2))
    assert shown.gestures.pop() == ("click", {"id": 2})
    assert selection.ids("asset").tolist() == [2]
    middle = drawing.layer.edge_path(0).pointAtPercent(0.5)
    hand.move(drawing, middle)
    assert drawing.hover_box.text().splitlines() == ["table → chair", "around 0.97"]
    hand.click(drawing, middle)
    assert shown.gestures.pop() == ("click-edge", {"edge": 0})


def test_boxes_stay_inside_the_card(show: Any) -> None:
    drawing = show(GRAPH, GRAPH_STATE, (300, 220)).drawing
    for index in range(3):
        assert drawing.canvas.whole().contains(drawing.layer.box(index))


def test_a_node_is_dragged(show: Any, hand: Any) -> None:
    shown = show(Graph("g", title="T", gestures={"drag-node": "a"}), GRAPH_STATE)
    drawing = shown.drawing
    end = drawing.canvas.to_scene(0.5, 0.5)
    hand.drag(drawing, drawing.layer.place(0), end - QPointF(20, 0), end)
    word, payload = shown.gestures[-1]
    assert (word, payload["id"]) == ("drag-node", 0)
    assert (payload["x"], payload["y"]) == pytest.approx((0.5, 0.5), abs=0.01)
    assert drawing.layer.place(0).x() == pytest.approx(end.x(), abs=1)
    assert np.asarray(GRAPH_STATE.x).tolist() == [0, 1, 2]


def test_more_than_forty_nodes_are_dots(show: Any) -> None:
    turn = np.linspace(0, 6, 41)
    state = GraphState(x=np.cos(turn), y=np.sin(turn), names=tuple(map(str, range(41))))
    assert not show(GRAPH, state).drawing.layer.nodes.boxed
    assert show(GRAPH, GRAPH_STATE).drawing.layer.nodes.boxed


PANEL = Panel("p", title="Solver")


def panel_state(value: float = 2.0, on: bool = True, enabled: bool = True) -> PanelState:
    return PanelState(
        controls=(
            Slider(
                action="set",
                argument="radius",
                label="Radius",
                low=0,
                high=10,
                value=value,
                step=0.5,
                unit="m",
            ),
            Slider(action="set", argument="rate", label="Rate", low=1e-4, high=1, value=0.01, log=True),
            Toggle(action="keep", argument="ties", label="Keep ties", value=on, group="Rules"),
            Switch(action="pick", argument="mode", label="Mode", options=("auto", "manual"), value="auto"),
            Button(
                action="solve",
                label="Solve",
                arguments={"again": True},
                enabled=enabled,
                reason="Nothing to do",
            ),
        ),
        notes=(("Rules", "3 rules"),),
    )


def test_controls_tell_action_and_argument(show: Any) -> None:
    shown = show(PANEL, panel_state())
    radius, rate, ties, mode, solve = shown.drawing.fields
    radius.slider.setValue(5)
    assert shown.controls.pop() == ("set", {"radius": 2.5})
    rate.slider.setValue(200)
    assert shown.controls.pop() == ("set", {"rate": pytest.approx(1.0)})
    QTest.mouseClick(ties.switch, Qt.MouseButton.LeftButton)
    assert shown.controls.pop() == ("keep", {"ties": False})
    QTest.mouseClick(mode.field._segments[1], Qt.MouseButton.LeftButton)
    assert shown.controls.pop() == ("pick", {"mode": "manual"})
    QTest.mouseClick(solve.button, Qt.MouseButton.LeftButton)
    assert shown.controls == [("solve", {"again": True})]


def test_a_new_value_keeps_the_fields_and_tells_nothing(show: Any) -> None:
    shown = show(PANEL, panel_state())
    before = list(shown.drawing.fields)
    shown.drawing.show_state(panel_state(value=7.5, on=False, enabled=False))
    assert shown.drawing.fields == before
    assert before[0].slider.value() == 15
    assert before[0].value.text() == "7.5 m"
    assert not before[2].switch.isChecked()
    assert not before[4].button.isEnabled()
    assert before[4].button.toolTip() == "Nothing to do"
    assert shown.controls == []
    assert "Radius 7.5 m" in shown.drawing.describe()


def test_sliders_are_reached_by_keys(show: Any, hand: Any) -> None:
    shown = show(PANEL, panel_state())
    slider = shown.drawing.fields[0].slider
    assert isinstance(slider, QSlider)
    hand.key(slider, Qt.Key.Key_Right)
    assert shown.controls == [("set", {"radius": 2.5})]


TABLE = Table("t", title="Ratios", entity="linkage", gestures={"click": "a", "edit-cell": "b", "move": "c"})
LOW = np.array([1.2, 2.0])
SPREAD = np.array([0.012, np.nan])
TABLE_STATE = TableState(
    columns=(
        Column(name="name", title="Linkage", values=("complete", "single"), kind="text"),
        Column(name="ratio", title="Ratio", values=np.array([1.25, -3.0]), best="high", editable=True),
        Column(
            name="range", title="Range", values=LOW, kind="interval", low=LOW, high=np.array([1.23, 2.0001])
        ),
        Column(
            name="acc", title="Accuracy", values=np.array([0.77, 0.5]), kind="spread", high=SPREAD, digits=3
        ),
        Column(name="n", title="Rows", values=np.array([3375, 12]), kind="integer"),
    ),
    ids=("complete", "single"),
    colours=(7, 5),
)


def test_a_table_prints_as_a_paper_does(show: Any) -> None:
    headers, columns = show(TABLE, TABLE_STATE).drawing.data_table()
    assert headers == ["Linkage", "Ratio", "Range", "Accuracy", "Rows"]
    assert columns[1] == ["1.25", "−3.00"]
    assert columns[2] == ["1.20–1.23", "2.00"]
    assert columns[3] == ["0.770 ± 0.012", "0.500"]
    assert columns[4] == ["3,375", "12"]


def cell(shown: Any, row: int, column: int) -> Any:
    table = shown.drawing.table
    return table.visualRect(table.model().index(row, column)).center()


def test_a_row_is_selected_with_the_other_views(show: Any) -> None:
    shown = show(TABLE, TABLE_STATE)
    selection = shown.link()
    viewport = shown.drawing.table.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell(shown, 1, 0))
    assert selection.ids("linkage").tolist() == ["single"]
    assert shown.gestures == [("click", {"id": "single"})]
    selection.set("linkage", ["complete"])
    assert shown.drawing.table.selection() == (0,)


def test_a_cell_of_a_table_is_edited(show: Any, hand: Any) -> None:
    shown = show(TABLE, TABLE_STATE)
    viewport = shown.drawing.table.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell(shown, 0, 1))
    QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=cell(shown, 0, 1))
    editor = shown.drawing.editor
    assert editor.isVisible()
    editor.selectAll()
    QTest.keyClicks(editor, "0.5")
    hand.key(editor, Qt.Key.Key_Return)
    assert shown.gestures[-1] == ("edit-cell", {"id": "complete", "column": "ratio", "value": 0.5})


def test_a_row_is_moved_by_keys(show: Any, hand: Any) -> None:
    shown = show(TABLE, TABLE_STATE)
    shown.link().set("linkage", ["single"])
    hand.key(shown.drawing.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert shown.gestures[-1] == ("move", {"id": "single", "to": 0})


def test_sorting_stays_when_numbers_change(show: Any) -> None:
    shown = show(TABLE, TABLE_STATE)
    shown.drawing.table.sort_by(1)
    assert shown.drawing.table.row_order().tolist() == [1, 0]
    shown.drawing.show_state(TABLE_STATE)
    QApplication.processEvents()
    assert shown.drawing.table.row_order().tolist() == [1, 0]
