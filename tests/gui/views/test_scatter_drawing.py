"""Points: hover, click, lasso, groups, drag, search, many of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from engine.core.views import Axis, Group, Polygon, Reference, Scatter, ScatterState
from gui.views.lasso import points_inside
from gui.views.point_layer import CHOSEN, GONE, NORMAL, PALE

ALL = {"click": "a", "select": "b", "drag-point": "c", "double-click": "d"}
VIEW = Scatter("p", title="Points", x=Axis("width", "cm"), y=Axis("length", "cm"), entity="flower")
X, Y = np.array([0.0, 1, 2, 3, 4]), np.array([0.0, 4, 1, 3, 2])
STATE = ScatterState(
    x=X,
    y=Y,
    group=np.array([0, 0, 1, 1, 1]),
    groups=(Group(name="small", colour=0), Group(name="large", colour=1)),
    ids=np.array([10, 11, 12, 13, 14]),
    names=("anna", "bert", "carl", "dora", "emil"),
)


def place(drawing: Any, index: int) -> QPointF:
    return drawing.canvas.to_scene(float(drawing.points.xs[index]), float(drawing.points.ys[index]))


def test_hover_says_name_group_and_numbers(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    hand.move(drawing, place(drawing, 1) + QPointF(3, 2))
    assert drawing.hover_box.text().splitlines() == ["bert", "small", "width 1", "length 4"]
    assert drawing.segments.ring == (1.0, 4.0)
    hand.move(drawing, place(drawing, 1) + QPointF(40, 40))
    assert drawing.segments.ring is None


def test_a_pile_says_how_many(show: Any, hand: Any) -> None:
    state = ScatterState(x=np.zeros(7), y=np.zeros(7))
    drawing = show(VIEW, state).drawing
    hand.move(drawing, place(drawing, 0))
    assert drawing.hover_box.text().splitlines()[-1] == "and 6 more here"


def test_a_click_selects_and_tells(show: Any, hand: Any) -> None:
    view = Scatter("p", title="T", x=VIEW.x, y=VIEW.y, entity="flower", gestures={"click": "a"})
    shown = show(view, STATE)
    selection = shown.link()
    hand.click(shown.drawing, place(shown.drawing, 3))
    assert shown.gestures == [("click", {"id": 13})]
    assert shown.drawing.points.states.tolist() == [PALE, PALE, PALE, CHOSEN, PALE]
    hand.click(shown.drawing, place(shown.drawing, 0), Qt.KeyboardModifier.ShiftModifier)
    assert selection.ids("flower").tolist() == [10, 13]
    hand.click(shown.drawing, place(shown.drawing, 0) + QPointF(30, -30))
    assert shown.drawing.points.states.tolist() == [NORMAL] * 5


def test_a_lasso_selects_what_it_surrounds(show: Any, hand: Any) -> None:
    view = Scatter("p", title="T", x=VIEW.x, y=VIEW.y, entity="flower", gestures={"select": "b"})
    shown = show(view, STATE)
    selection = shown.link()
    corners = [
        shown.drawing.canvas.to_scene(x, y) for x, y in ((2.4, 0.5), (4.4, 1.6), (4.2, 3.4), (2.5, 3.6))
    ]
    hand.drag(shown.drawing, *corners)
    assert selection.ids("flower").tolist() == [13, 14]
    word, payload = shown.gestures[-1]
    assert word == "select"
    assert sorted(payload["ids"].tolist()) == [13, 14]
    assert shown.drawing.lasso.points == []


def test_alt_draws_a_box(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    selection = shown.link()
    start, end = (shown.drawing.canvas.to_scene(*p) for p in ((-0.2, -0.2), (2.2, 1.2)))
    hand.drag(shown.drawing, start, end, keys=Qt.KeyboardModifier.AltModifier)
    assert selection.ids("flower").tolist() == [10, 12]


def test_the_right_button_pans(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    before, start = drawing.view_range(), place(drawing, 2)
    hand.drag(drawing, start, start + QPointF(50, 0), button=Qt.MouseButton.RightButton)
    assert drawing.view_range()[0] < before[0]
    assert drawing.view_range()[1] - drawing.view_range()[0] == pytest.approx(before[1] - before[0])


def test_a_point_is_dragged_where_the_view_takes_it(show: Any, hand: Any) -> None:
    view = Scatter("p", title="T", x=VIEW.x, y=VIEW.y, entity="flower", gestures=ALL)
    shown = show(view, STATE)
    end = shown.drawing.canvas.to_scene(2.5, 2.5)
    hand.drag(shown.drawing, place(shown.drawing, 2), end - QPointF(9, 9), end)
    word, payload = shown.gestures[-1]
    assert (word, payload["id"]) == ("drag-point", 12)
    assert (payload["x"], payload["y"]) == pytest.approx((2.5, 2.5), abs=0.02)


def test_arrows_move_the_one_selected_point(show: Any, hand: Any) -> None:
    view = Scatter("p", title="T", x=VIEW.x, y=VIEW.y, entity="flower", gestures=ALL)
    shown = show(view, STATE)
    shown.link().set("flower", [14])
    hand.key(shown.drawing.canvas, Qt.Key.Key_Right)
    near = shown.gestures[-1][1]
    hand.key(shown.drawing.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    far = shown.gestures[-1][1]
    assert near["id"] == far["id"] == 14
    assert far["x"] - 4 == pytest.approx(10 * (near["x"] - 4))
    assert near["y"] == pytest.approx(2.0)


def test_a_double_click_tells_the_place(show: Any, hand: Any) -> None:
    view = Scatter("p", title="T", x=Axis("x", log=True), y=VIEW.y, gestures=ALL)
    shown = show(view, ScatterState(x=np.array([1.0, 100.0]), y=np.array([0.0, 1.0])))
    hand.double_click(shown.drawing, shown.drawing.canvas.to_scene(1.0, 0.5))
    assert shown.gestures[-1][0] == "double-click"
    assert shown.gestures[-1][1]["x"] == pytest.approx(10, rel=0.02)


def test_a_click_in_the_legend_hides_a_group(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    box = next(box for entry, box in drawing.legend.boxes() if entry.key == "large")
    hand.click(drawing, box.center())
    assert drawing.hidden() == {"large"}
    assert drawing.points.states.tolist() == [NORMAL, NORMAL, GONE, GONE, GONE]
    hand.move(drawing, place(drawing, 3))
    assert drawing.segments.ring is None


def test_ctrl_f_finds_by_name(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    selection = shown.link()
    hand.key(shown.drawing.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert shown.drawing.search.isVisible()
    shown.drawing.search.setText("OR")
    hand.key(shown.drawing.search, Qt.Key.Key_Return)
    assert selection.ids("flower").tolist() == [13]
    hand.key(shown.drawing.search, Qt.Key.Key_Escape)
    assert not shown.drawing.search.isVisible()


def test_equal_axes_have_equal_px(show: Any) -> None:
    view = Scatter("p", title="T", x=VIEW.x, y=VIEW.y, equal=True)
    canvas = show(view, STATE, (700, 300)).drawing.canvas
    wide = canvas.x_to_scene(1.0) - canvas.x_to_scene(0.0)
    high = canvas.y_to_scene(0.0) - canvas.y_to_scene(1.0)
    assert wide == pytest.approx(high)


def test_a_map_is_as_wide_as_its_latitude_asks(show: Any) -> None:
    view = Scatter("p", title="T", x=Axis("longitude"), y=Axis("latitude"), geographic=True)
    state = ScatterState(x=np.array([-120.0, -80]), y=np.array([50.0, 70]))
    drawing = show(view, state).drawing
    canvas = drawing.canvas
    wide = canvas.x_to_scene(1.0) - canvas.x_to_scene(0.0)
    high = canvas.y_to_scene(0.0) - canvas.y_to_scene(1.0)
    assert wide == pytest.approx(high * np.cos(np.radians(60)))
    assert all(words.endswith(("°W", "°E")) for _, words in canvas.axes.ticks()["x"])


def test_names_of_hulls_do_not_overlap(show: Any) -> None:
    square = np.array([0.0, 1, 1, 0])
    polygons = tuple(
        Polygon(
            x=square + 0.2 * i, y=np.array([0.0, 0, 1, 1]) + 0.1 * i, colour=i, label=f"{i} diameter 1.41"
        )
        for i in range(4)
    )
    drawing = show(VIEW, ScatterState(x=X, y=Y, polygons=polygons)).drawing
    boxes = [box for _, box in drawing.hull_names.places]
    assert len(boxes) == 4
    assert not any(a.intersects(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_undefined_points_are_counted(show: Any) -> None:
    drawing = show(VIEW, ScatterState(x=np.array([0.0, np.nan, 2]), y=np.array([0.0, 1, np.inf]))).drawing
    assert drawing.notice() == "2 points not shown (no number)"


def test_a_pixel_of_each_group_has_its_colour(show: Any) -> None:
    from gui.theme.plot import PlotTheme

    drawing = show(VIEW, STATE).drawing
    picture = drawing.grab().toImage()
    for index, colour in ((0, 0), (3, 1)):
        pos = place(drawing, index)
        pixel = picture.pixelColor(round(pos.x()), round(pos.y()))
        fill = PlotTheme().mark_brush(colour, 1.0).color()
        assert abs(pixel.red() - fill.red()) + abs(pixel.blue() - fill.blue()) < 90


@pytest.mark.parametrize("count", [30_000, 250_000])
def test_many_points_are_stamped_or_counted(show: Any, hand: Any, count: int) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(0, 1, (2, count))
    shown = show(VIEW, ScatterState(x=x, y=y))
    drawing = shown.drawing
    QApplication.processEvents()
    assert drawing.points.density_shown == (count > 200_000)
    picture = drawing.grab().toImage()
    middle = picture.pixelColor(drawing.canvas.plot_rect().center().toPoint())
    assert middle != drawing.grab().toImage().pixelColor(
        drawing.canvas.plot_rect().topLeft().toPoint() + QPointF(3, 3).toPoint()
    )
    selection = shown.link()
    box = [drawing.canvas.to_scene(a, b) for a, b in ((-0.5, -0.5), (0.5, 0.5))]
    hand.drag(drawing, *box, keys=Qt.KeyboardModifier.AltModifier)
    wanted = np.count_nonzero((abs(x) < 0.5) & (abs(y) < 0.5))
    assert selection.ids("flower").size == pytest.approx(wanted, rel=0.03)
    drawing.canvas.zoom(0.05)
    QApplication.processEvents()
    assert not drawing.points.density_shown


def test_the_stamped_picture_agrees_with_the_blitted_one(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import gui.views.point_layer as layer

    view = Scatter("p", title="T", x=VIEW.x, y=VIEW.y)
    monkeypatch.setattr(layer, "DENSE_POINTS", 4)
    stamped = show(view, ScatterState(x=X, y=Y)).drawing.grab().toImage()
    monkeypatch.setattr(layer, "DENSE_POINTS", 20_000)
    drawing = show(view, ScatterState(x=X, y=Y)).drawing
    blitted = drawing.grab().toImage()
    for index in range(5):
        pos = place(drawing, index).toPoint()
        assert abs(stamped.pixelColor(pos).red() - blitted.pixelColor(pos).red()) < 40


def test_inside_a_polygon_both_ways() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-2, 2, (2, 5000))
    angle = np.linspace(0, 2 * np.pi, 1001)[:-1]
    circle = np.column_stack((np.cos(angle), np.sin(angle)))
    few, many = points_inside(x[:1000], y[:1000], circle), points_inside(x, y, circle)
    assert np.array_equal(few, np.hypot(x[:1000], y[:1000]) < 1)
    assert np.array_equal(many, np.hypot(x, y) < 1)


def test_the_first_state_may_come_after_the_card_was_resized(qtbot: Any) -> None:
    from engine.core.views import Reference
    from gui.views import make_drawing

    drawing = make_drawing(VIEW)
    qtbot.addWidget(drawing)
    drawing.show()
    QApplication.processEvents()
    drawing.resize(640, 480)
    front = Reference(name="front", x=X, y=X, kind="optimum")
    drawing.show_state(ScatterState(x=X, y=Y, references=(front,)))
    QApplication.processEvents()
    drawing.show_state(STATE)
    drawing.show_state(None)
    drawing.resize(500, 300)
    drawing.show_state(ScatterState(x=X, y=Y, references=(front, front)))
    QApplication.processEvents()
    assert [label.text for label in drawing.labels.labels] == ["front", "front"]


def test_a_reference_may_come_and_go_between_states(show: Any) -> None:
    x = np.arange(4.0)
    line = Reference(name="fit", x=np.array([0.0, 90.0]), y=np.array([0.0, 90.0]))
    view = Scatter("p", title="P", x=Axis("x"), y=Axis("y"))
    drawing = show(view, ScatterState(x=x, y=x)).drawing
    for state in (ScatterState(x=x * 30, y=x * 30, references=(line,)), ScatterState(x=x * 90, y=x * 90)):
        drawing.show_state(state)
        drawing.on_ranged()
    assert [label.text for label in drawing.labels.labels] == []
