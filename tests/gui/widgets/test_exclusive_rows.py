"""Segments, chips, check boxes, switches: choice by mouse and by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.choice_field import ChoiceField
from gui.widgets.exclusive_button import ExclusiveButton
from gui.widgets.option import Option
from gui.widgets.preset_chips import PresetChips
from gui.widgets.segmented_control import SegmentedControl
from gui.widgets.several_field import SeveralField
from gui.widgets.toggle_switch import ToggleSwitch


def buttons(widget: QWidget) -> list[ExclusiveButton]:
    """Buttons of an exclusive row, from left to right."""
    return sorted(widget.findChildren(ExclusiveButton), key=lambda b: b.x())


def test_chips_are_exclusive(qtbot: QtBot) -> None:
    chips = PresetChips(("Quick", "Default", "Paper"), "Quick")
    qtbot.addWidget(chips)
    chips.resize(400, 40)
    chips.show()
    seen: list[object] = []
    chips.chosen.connect(seen.append)
    for chip in buttons(chips):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        assert [b.isChecked() for b in buttons(chips)].count(True) == 1
    assert seen == ["Quick", "Default", "Paper"]
    assert chips.value() == "Paper"
    chips.set_value(None)
    assert chips.value() is None


def test_chips_offer_others_and_ask_for_an_own_name(qtbot: QtBot) -> None:
    chips = PresetChips(("Quick",))
    qtbot.addWidget(chips)
    chips.set_options((Option(1, "mine"), Option(2, "other")), 2)
    assert chips.value() == 2
    assert len(buttons(chips)) == 2
    chips.show()
    own = next(w for w in chips.findChildren(QWidget) if w.accessibleName() == "Save as own preset")
    with qtbot.waitSignal(chips.own_requested):
        qtbot.mouseClick(own, Qt.MouseButton.LeftButton)


def test_chips_wrap_where_there_is_no_room(qtbot: QtBot) -> None:
    chips = PresetChips(tuple(f"Preset number {n}" for n in range(6)))
    qtbot.addWidget(chips)
    assert chips.heightForWidth(2000) == 24
    assert chips.heightForWidth(250) > 2 * 24


def test_segments_by_keyboard(qtbot: QtBot) -> None:
    page = QWidget()
    column = QVBoxLayout(page)
    before, row, after = (
        QLineEdit(),
        SegmentedControl(("none", "z-score", "min–max"), name="Standardise"),
        QLineEdit(),
    )
    for widget in (before, row, after):
        column.addWidget(widget)
    qtbot.addWidget(page)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    seen: list[object] = []
    row.value_changed.connect(seen.append)
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is buttons(row)[0]
    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_Left,
    ):
        qtbot.keyClick(QApplication.focusWidget(), key)
    assert seen == ["z-score", "min–max", "none", "min–max", "z-score"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is after, "one Tab stop for the whole row"


def test_segments_pass_over_what_is_blocked_and_say_why(qtbot: QtBot) -> None:
    row = SegmentedControl((Option(1, "a"), Option(2, "b", reason="b needs more rows."), Option(3, "c")))
    qtbot.addWidget(row)
    row.show()
    qtbot.keyClick(buttons(row)[0], Qt.Key.Key_Right)
    assert row.value() == 3
    assert buttons(row)[1].toolTip() == "b needs more rows."
    row.set_blocked(2, "")
    assert buttons(row)[1].isEnabled()
    with pytest.raises(ValueError, match="stands for 9"):
        row.set_value(9)


def test_segments_are_radio_buttons_to_a_reader(qtbot: QtBot) -> None:
    row = SegmentedControl(("none", "z-score"))
    qtbot.addWidget(row)
    interface = QAccessible.queryAccessibleInterface(buttons(row)[1])
    assert interface.role() == QAccessible.Role.RadioButton
    assert interface.text(QAccessible.Text.Name) == "z-score"


def test_several_keeps_the_order_of_the_options(qtbot: QtBot) -> None:
    field = SeveralField(("complete", "average", "single"), ("single", "complete"), at_least=1)
    qtbot.addWidget(field)
    field.show()
    assert field.value() == ("complete", "single")
    boxes = field.findChildren(QCheckBox)
    with qtbot.waitSignal(field.value_changed) as sent:
        boxes[1].click()
    assert sent.args == [("complete", "average", "single")]
    for box in boxes:
        box.click()
    assert field.value() == ()
    assert field.problem() == "None chosen. At least 1."
    with pytest.raises(ValueError, match="ward"):
        field.set_value(("ward",))


def test_a_choice_is_silent_when_set_and_speaks_when_made(qtbot: QtBot) -> None:
    field = ChoiceField(
        (Option("l2", "euclidean"), Option("cos", "cosine", reason="Needs rows of length one."))
    )
    qtbot.addWidget(field)
    field.show()
    seen: list[object] = []
    field.value_changed.connect(seen.append)
    field.set_value("cos")
    assert seen == []
    assert field.problem() == "Needs rows of length one."
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert seen == ["l2"]


def test_a_switch_switches_with_space(qtbot: QtBot) -> None:
    switch = ToggleSwitch("on", False)
    qtbot.addWidget(switch)
    switch.show()
    with qtbot.waitSignal(switch.value_changed) as sent:
        qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert sent.args == [True]
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert switch.value() is False
