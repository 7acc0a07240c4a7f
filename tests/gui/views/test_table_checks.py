"""Columns of check boxes: one click asks for the edit, the state answers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.core.figures.cell_text import printed
from engine.core.views import Column, Table, TableState

VIEW = Table("t", title="Concepts", entity="concept", gestures={"edit-cell": "set", "click": "look"})


def state(on: tuple[bool, bool], editable: bool = True) -> TableState:
    return TableState(
        columns=(
            Column(name="name", title="Concept", values=("red", "round"), kind="text"),
            Column(name="wanted", title="Set to", values=on, kind="check", editable=editable),
        ),
        ids=(7, 9),
    )


def press(shown: Any, row: int, column: int) -> None:
    table = shown.drawing.table
    rect = table.visualRect(table.model().index(row, column))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def test_one_click_tells_the_new_value(show: Any) -> None:
    shown = show(VIEW, state((False, True)))
    press(shown, 0, 1)
    assert shown.gestures == [("edit-cell", {"id": 7, "column": "wanted", "value": True})]
    press(shown, 1, 1)
    assert shown.gestures[-1] == ("edit-cell", {"id": 9, "column": "wanted", "value": False})
    assert shown.drawing.data_table()[1][1] == ["no", "yes"]
    shown.drawing.show_state(state((True, True)))
    assert shown.drawing.data_table()[1][1] == ["yes", "yes"]


def test_a_column_that_is_not_editable_stays(show: Any) -> None:
    shown = show(VIEW, state((False, True), editable=False))
    press(shown, 0, 1)
    assert shown.gestures == []


def test_in_print_boxes_are_words() -> None:
    assert printed(state((False, True)).columns[1]) == ["no", "yes"]
