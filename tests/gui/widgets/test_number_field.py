"""A number field takes exactly what was typed, or marks it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.number_field import NumberField
from gui.widgets.range_field import RangeField


def retype(qtbot: QtBot, field: NumberField, text: str) -> None:
    """Replace the text by typing."""
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)


@pytest.mark.parametrize("way", ["type", "paste"])
def test_scientific_notation_is_taken_as_it_stands(qtbot: QtBot, way: str) -> None:
    page = QWidget()
    column = QVBoxLayout(page)
    field, other = NumberField(0.5), QLineEdit()
    column.addWidget(field)
    column.addWidget(other)
    qtbot.addWidget(page)
    page.show()
    seen: list[object] = []
    field.value_changed.connect(seen.append)
    if way == "type":
        retype(qtbot, field, "1e-3")
    else:
        QGuiApplication.clipboard().setText("1e-3")
        field.selectAll()
        field.lineEdit().paste()
    assert field.value() == 0.001
    assert seen[-1] == 0.001
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert field.text() == "1e-3"
    assert field.value() == 0.001
    assert field.problem() == ""


def test_what_cannot_be_taken_is_marked_and_not_changed(qtbot: QtBot) -> None:
    field = NumberField(60, whole=True, minimum=1, maximum=2000)
    qtbot.addWidget(field)
    field.show()
    with qtbot.waitSignal(field.problem_changed):
        retype(qtbot, field, "x")
    assert field.text() == "x"
    assert field.value() == 60
    retype(qtbot, field, "-3")
    assert field.problem() == "−3 is below 1. Between 1 and 2000."
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "-3"
    retype(qtbot, field, "80")
    assert field.problem() == ""
    assert field.value() == 80


def test_whole_numbers_come_as_int(qtbot: QtBot) -> None:
    field = NumberField(60, whole=True)
    qtbot.addWidget(field)
    retype(qtbot, field, "1e3")
    assert field.value() == 1000
    assert isinstance(field.value(), int)
    with pytest.raises(TypeError):
        field.set_value(2.5)


def test_arrows_step_and_shift_steps_ten_times_as_far(qtbot: QtBot) -> None:
    field = NumberField(0.1, step=0.1, maximum=5)
    qtbot.addWidget(field)
    field.show()
    qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.value() == 0.3
    qtbot.keyClick(field, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert field.value() == 1.3
    for _ in range(6):
        qtbot.keyClick(field, Qt.Key.Key_PageUp)
    assert field.value() == 5


def test_a_value_set_from_outside_is_silent_and_judged(qtbot: QtBot) -> None:
    field = NumberField(5, whole=True, maximum=10)
    qtbot.addWidget(field)
    with qtbot.assertNotEmitted(field.value_changed):
        field.set_value(12)
    assert field.text() == "12"
    assert field.problem().startswith("12 is above 10.")
    field.set_bounds(None, 20)
    assert field.problem() == ""


def test_a_screen_reader_finds_name_and_role(qtbot: QtBot) -> None:
    field = NumberField(5, name="Epochs", unit="steps")
    qtbot.addWidget(field)
    interface = QAccessible.queryAccessibleInterface(field)
    assert interface.role() == QAccessible.Role.SpinBox
    assert interface.text(QAccessible.Text.Name) == "Epochs"


def test_a_range_needs_its_ends_in_order(qtbot: QtBot) -> None:
    field = RangeField(2, 10, whole=True, minimum=2, maximum=212)
    qtbot.addWidget(field)
    field.show()
    low, high = field.findChildren(NumberField)
    retype(qtbot, high, "1e2")
    assert field.value() == (2, 100)
    retype(qtbot, low, "101")
    assert "comes first" in field.problem()
    assert field.value() == (10, 100), "the last pair in order, from typing the 10 of 101"
    retype(qtbot, high, "300")
    assert field.problem() == "300 is above 212. Between 2 and 212."
    field.set_state("error")
    assert (low.property("state"), high.property("state")) == ("", "error")
    field.set_value((3, 4))
    assert (field.value(), field.problem()) == ((3, 4), "")
