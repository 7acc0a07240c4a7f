"""The wheel scrolls the page past every field, and changes one only after a click in it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QScrollArea,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.widgets.choice_field import ChoiceField
from gui.widgets.number_field import NumberField
from gui.widgets.wheel_guard import guard_wheel


def roll(widget: QWidget, notches: int = -1) -> None:
    """One step of the wheel over the middle of a widget, by way of its window as the system sends it."""
    window = widget.window()
    place = widget.mapTo(window, widget.rect().center())
    QTest.wheelEvent(window.windowHandle(), QPointF(place), QPoint(0, 120 * notches))
    QApplication.processEvents()


def values(fields: list[QWidget]) -> list[object]:
    """What each field holds."""
    return [f.currentIndex() if isinstance(f, QComboBox) else f.value() for f in fields]  # type: ignore[attr-defined]


@pytest.fixture
def form(qtbot: QtBot) -> tuple[QScrollArea, list[QWidget]]:
    area, page = QScrollArea(), QWidget()
    combo = QComboBox()
    combo.addItems(["a", "b", "c"])
    fields: list[QWidget] = [
        NumberField(5, whole=True),
        NumberField(0.5),
        ChoiceField(("a", "b", "c"), "b"),
        QSpinBox(),
        QDoubleSpinBox(),
        combo,
        QSlider(Qt.Orientation.Horizontal),
    ]
    column = QVBoxLayout(page)
    for field in fields:
        column.addWidget(field)
    column.addSpacing(900)
    guard_wheel(page)
    area.setWidget(page)
    area.resize(240, 300)
    qtbot.addWidget(area)
    area.show()
    return area, fields


def test_unfocused_fields_let_the_page_scroll(form: tuple[QScrollArea, list[QWidget]]) -> None:
    area, fields = form
    before = values(fields)
    for number, field in enumerate(fields):
        field.clearFocus()
        area.verticalScrollBar().setValue(0)
        roll(field)
        assert area.verticalScrollBar().value() > 0, f"field {number} kept the wheel"
    assert values(fields) == before


def test_focus_without_a_click_is_not_enough(form: tuple[QScrollArea, list[QWidget]]) -> None:
    _, fields = form
    before = values(fields)
    for field in fields:
        field.setFocus(Qt.FocusReason.TabFocusReason)
        roll(field)
    assert values(fields) == before


def test_after_a_click_the_wheel_changes_the_field(
    form: tuple[QScrollArea, list[QWidget]], qtbot: QtBot
) -> None:
    _, fields = form
    field = fields[0]
    assert isinstance(field, NumberField)
    field.window().activateWindow()
    qtbot.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(field.hasFocus)
    roll(field, 1)
    assert field.value() == 6
    fields[1].setFocus()
    roll(field, 1)
    assert field.value() == 6


def test_no_field_takes_focus_from_the_wheel(form: tuple[QScrollArea, list[QWidget]]) -> None:
    _, fields = form
    assert all(field.focusPolicy() == Qt.FocusPolicy.StrongFocus for field in fields)
