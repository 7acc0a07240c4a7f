"""Curves: what is drawn, read with the mouse, hidden, dragged, grown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.core.board import Board
from engine.core.events import Append
from engine.core.views import Axis, Bracket, Level, Lines, LinesState, Reference, Series

K = np.array([2.0, 3, 4, 5, 6])
VIEW = Lines("c", title="Cohesion", x=Axis("clusters k"), y=Axis("diameter", "cm"), entity="linkage")
STATE = LinesState(
    series=(
        Series(name="complete", x=K, y=np.array([4.0, 3.0, 2.5, 2.0, 1.7]), colour=7),
        Series(name="single", x=K, y=np.array([4.5, 4.4, 4.3, 4.2, 4.1]), colour=5),
    ),
    brackets=(Bracket(name="optimum", x=K, low=K * 0 + 1.0, high=K * 0 + 1.5),),
    references=(Reference(name="proven bound", x=K, y=K),),
)


def label(drawing: Any, text: str) -> Any:
    return next(one for one in drawing.labels.labels if one.text.startswith(text))


def at_label(drawing: Any, text: str) -> QPointF:
    found = label(drawing, text)
    return QPointF(found.x + 5, found.y)


def test_names_stand_at_the_ends_apart(show: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    names = {one.text for one in drawing.labels.labels}
    assert names == {"complete", "single", "optimum", "proven bound"}
    places = sorted(one.y for one in drawing.labels.labels)
    assert min(np.diff(places)) >= 13 - 1e-6
    plot = drawing.canvas.plot_rect()
    assert all(one.x > plot.right() for one in drawing.labels.labels)


def test_the_mouse_reads_all_curves_best_first(show: Any, hand: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    hand.move(drawing, drawing.canvas.to_scene(4.1, 3.0))
    lines = drawing.hover_box.text().splitlines()
    assert lines[0] == "k = 4, optimum 1.00–1.50"
    assert lines[1:] == ["complete 2.50", "single 4.30", "proven bound 4"]
    assert drawing.hair.place == 4.0
    hand.move(drawing, QPointF(2, 2))
    assert not drawing.hover_box.isVisible()


def test_a_click_on_a_name_hides_and_alt_leaves_alone(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    drawing = shown.drawing
    hand.click(drawing, at_label(drawing, "single"))
    assert drawing.hidden() == {"single"}
    assert not drawing.curves["single"].item.isVisible()
    assert label(drawing, "single").hidden
    hand.click(drawing, at_label(drawing, "single"))
    assert drawing.hidden() == frozenset()
    hand.click(drawing, at_label(drawing, "complete"), Qt.KeyboardModifier.AltModifier)
    assert drawing.hidden() == {"single"}
    hand.click(drawing, at_label(drawing, "complete"), Qt.KeyboardModifier.AltModifier)
    assert drawing.hidden() == frozenset()


def test_a_click_on_a_curve_selects_it_and_pales_the_others(show: Any, hand: Any) -> None:
    view = Lines("c", title="T", x=VIEW.x, y=VIEW.y, entity="linkage", gestures={"click": "look"})
    shown = show(view, STATE)
    selection = shown.link()
    hand.click(shown.drawing, shown.drawing.canvas.to_scene(4.0, 2.5))
    assert shown.gestures == [("click", {"series": "complete", "x": 4.0})]
    assert selection.ids("linkage").tolist() == ["complete"]
    assert shown.drawing.curves["single"].item.curve.opacity() == pytest.approx(0.3)
    assert shown.drawing.curves["complete"].item.curve.opacity() == 1.0
    hand.key(shown.drawing.canvas, Qt.Key.Key_Escape)
    assert selection.ids("linkage").size == 0


def test_a_level_is_dragged(show: Any, hand: Any) -> None:
    view = Lines("c", title="T", x=VIEW.x, y=VIEW.y, gestures={"drag-level": "move"})
    state = LinesState(series=STATE.series, levels=(Level(name="goal", value=3.0, draggable=True),))
    shown = show(view, state)
    canvas = shown.drawing.canvas
    start, end = canvas.to_scene(3.0, 3.0), canvas.to_scene(3.0, 2.0)
    hand.drag(shown.drawing, start, (start + end) / 2, end)
    words = {word for word, _ in shown.gestures}
    assert words == {"drag-level"}
    assert shown.gestures[-1][1]["name"] == "goal"
    assert shown.gestures[-1][1]["value"] == pytest.approx(2.0, abs=0.03)


def test_a_span_is_dragged_and_told_in_the_units_of_a_log_axis(show: Any, hand: Any) -> None:
    view = Lines("c", title="T", x=Axis("k", log=True), y=VIEW.y, gestures={"span": "choose"})
    shown = show(view, STATE)
    canvas = shown.drawing.canvas
    start, end = canvas.to_scene(np.log10(5), 3.0), canvas.to_scene(np.log10(3), 2.0)
    hand.drag(shown.drawing, start, end)
    word, payload = shown.gestures[-1]
    assert word == "span"
    assert payload["low"] == pytest.approx(3, rel=0.01)
    assert payload["high"] == pytest.approx(5, rel=0.01)


def test_undeclared_gestures_are_not_made(show: Any, hand: Any) -> None:
    shown = show(VIEW, STATE)
    hand.click(shown.drawing, shown.drawing.canvas.to_scene(4.0, 2.5))
    assert shown.gestures == []


def test_dragging_pans_the_wheel_zooms_and_double_click_resets(show: Any, hand: Any, qtbot: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    canvas = drawing.canvas
    home = drawing.view_range()
    start = canvas.to_scene(4.0, 1.2)
    hand.drag(drawing, start, start + QPointF(30, 0), start + QPointF(60, 0))
    assert drawing.view_range()[0] < home[0]
    hand.double_click(drawing, canvas.plot_rect().center() + QPointF(0, 40))
    assert drawing.view_range() == pytest.approx(home)
    canvas.setFocus()
    hand.key(canvas, Qt.Key.Key_Plus)
    inner = drawing.view_range()
    assert inner[1] - inner[0] == pytest.approx(0.8 * (home[1] - home[0]))
    hand.key(canvas, Qt.Key.Key_Right)
    assert drawing.view_range()[0] == pytest.approx(inner[0] + 0.1 * (inner[1] - inner[0]))
    hand.key(canvas, Qt.Key.Key_Home)
    assert drawing.view_range() == pytest.approx(home)


def test_values_that_cannot_be_shown_are_gaps_and_are_counted(show: Any) -> None:
    y = np.array([1.0, np.nan, 10.0, 0.0, 100.0])
    view = Lines("c", title="T", x=Axis("k"), y=Axis("d", log=True))
    drawing = show(view, LinesState(series=(Series(name="a", x=K, y=y),))).drawing
    assert drawing.notice() == "2 values not shown (no number or not above zero)"
    assert drawing.view_range()[2:] == pytest.approx((1.0, 100.0))
    shown = drawing.curves["a"].item.curve.getData()[1]
    assert np.isnan(shown).sum() == 2


def test_a_growing_curve_is_extended_not_rebuilt(show: Any) -> None:
    board = Board()
    drawing = show(VIEW, None).drawing
    drawing.set_live(True)
    items, ranges = set(), []
    for step in range(300):
        board.apply(Append("c", "loss", float(step), 1.0 / (1 + step)))
        board.apply(Append("c", "error", float(step), 2.0 / (1 + step)))
        drawing.show_state(board.state("c"))
        items.add(id(drawing.curves["loss"].item))
        ranges.append(drawing.view_range()[:2])
    QApplication.processEvents()
    assert len(items) == 1
    assert drawing.curves["loss"].item.getData()[0].size == 300
    assert len(set(ranges)) < 25
    assert drawing.curves["loss"].y_ends == pytest.approx((1 / 300, 1.0))
    assert drawing.canvas.axes.to_come == 299.0
    assert any("loss" in one.text and "0.0033" in one.text for one in drawing.labels.labels)
    drawing.set_live(False)
    assert drawing.canvas.axes.to_come is None
    assert drawing.view_range()[1] == 299.0


def test_extremes_survive_the_thinning_on_screen(show: Any) -> None:
    y = np.zeros(200_000)
    y[123_456] = 7.0
    drawing = show(VIEW, LinesState(series=(Series(name="a", x=np.arange(200_000.0), y=y),))).drawing
    x_shown, y_shown = drawing.curves["a"].item.curve.getData()
    assert len(x_shown) < 20_000
    assert y_shown.max() == 7.0


def test_stacked_areas_add_up(show: Any) -> None:
    view = Lines("c", title="T", x=VIEW.x, y=VIEW.y, stacked=True)
    parts = tuple(Series(name=n, x=K, y=K * 0 + v) for n, v in (("a", 1.0), ("b", 2.0), ("c", 4.0)))
    drawing = show(view, LinesState(series=parts)).drawing
    assert drawing.curves["c"].y.tolist() == [7.0] * 5
    assert [band.high[0] for band in drawing.bands.bands] == [1.0, 3.0, 7.0]
    drawing.hide_curves(frozenset({"b"}))
    assert drawing.curves["c"].y.tolist() == [5.0] * 5


def test_the_right_axis_has_its_own_limits(show: Any) -> None:
    view = Lines("c", title="T", x=VIEW.x, y=VIEW.y, right=Axis("share"))
    series = (Series(name="a", x=K, y=K), Series(name="b", x=K, y=K / 1000, right=True))
    drawing = show(view, LinesState(series=series)).drawing
    shown = drawing.curves["b"].item.getData()[1]
    low, high = drawing.view_range()[2:]
    assert low <= shown.min() < shown.max() <= high
    words = [text for _, text in drawing.canvas.axes.ticks()["right"]]
    assert "0.0040" in words


def test_the_wheel_outside_the_plot_is_left_to_the_page(show: Any) -> None:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QWheelEvent

    drawing = show(VIEW, STATE).drawing
    before = drawing.view_range()

    def turn(pos: QPointF) -> bool:
        event = QWheelEvent(
            pos, pos, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        drawing.canvas.wheelEvent(event)
        return event.isAccepted()

    assert not turn(QPointF(3, 3))
    assert drawing.view_range() == before
    assert turn(drawing.canvas.plot_rect().center())
    after = drawing.view_range()
    assert after[1] - after[0] < before[1] - before[0]


def test_no_context_menu_appears(show: Any) -> None:
    drawing = show(VIEW, STATE).drawing
    QTest.mouseClick(
        drawing.canvas.viewport(), Qt.MouseButton.RightButton, pos=drawing.canvas.rect().center()
    )
    assert QApplication.activePopupWidget() is None
    assert drawing.canvas.box.menu is None


def test_names_of_upright_levels_do_not_overlap(show: Any) -> None:
    levels = tuple(Level(name=f"a level named {i}", value=4 + 0.05 * i, axis="x") for i in range(3))
    drawing = show(VIEW, LinesState(series=STATE.series, levels=levels)).drawing
    names = drawing.levels.names(drawing.canvas.plot_rect())
    assert [name for name, _ in names] == [level.name for level in levels]
    width = drawing.labels.width_of(levels[0].name, 400)
    assert min(np.diff([left for _, left in names])) >= width + 4
    assert names[-1][1] + width <= drawing.canvas.width()


def test_a_curve_that_ends_early_is_named_where_it_ends(show: Any) -> None:
    short = Series(name="short", x=K[:3], y=np.array([4.0, 4.2, 4.1]))
    drawing = show(VIEW, LinesState(series=(STATE.series[1], short))).drawing
    found = label(drawing, "short")
    assert found.x < drawing.canvas.plot_rect().right()
    assert found.y == pytest.approx(drawing.canvas.y_to_scene(4.1))
