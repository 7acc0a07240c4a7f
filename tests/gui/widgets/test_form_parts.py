"""Rows, sections and words of a form."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.field import Field
from gui.widgets.field_row import TYPING_PAUSE_MS, FieldRow
from gui.widgets.label import ElidedLabel
from gui.widgets.number_field import NumberField
from gui.widgets.path_field import PathField
from gui.widgets.section import Section
from gui.widgets.segmented_control import SegmentedControl
from gui.widgets.several_field import SeveralField
from gui.widgets.text_field import TextArea, TextField
from gui.widgets.toggle_switch import ToggleSwitch


def epochs(qtbot: QtBot) -> tuple[FieldRow, NumberField]:
    field = NumberField(60, whole=True, minimum=1, maximum=2000)
    row = FieldRow("Epochs", field, help_text="Passes over the data")
    qtbot.addWidget(row)
    row.resize(280, 60)
    row.show()
    return row, field


def test_an_error_waits_for_a_pause_and_goes_at_once(qtbot: QtBot) -> None:
    row, field = epochs(qtbot)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0")
    assert row.message() == ""
    qtbot.waitUntil(lambda: row.message() != "", timeout=TYPING_PAUSE_MS + 900)
    assert row.message() == "0 is below 1. Between 1 and 2000."
    assert field.property("state") == "error"
    qtbot.keyClick(field, Qt.Key.Key_Home)
    qtbot.keyClicks(field, "1")
    assert (row.message(), field.property("state")) == ("", "")


def test_an_error_shows_when_the_field_is_left(qtbot: QtBot) -> None:
    row, field = epochs(qtbot)
    field.lineEdit().setText("x")
    assert row.message() == ""
    field.left.emit()
    assert "not a number" in row.message()
    assert "not a number" in field.accessibleDescription()


def test_the_fields_own_error_goes_before_what_the_form_found(qtbot: QtBot) -> None:
    row, field = epochs(qtbot)
    row.set_note("More than the 50 rows.", "warning")
    assert field.property("state") == "warning"
    field.lineEdit().setText("")
    field.left.emit()
    assert row.message().startswith("Empty.")
    field.lineEdit().setText("7")
    assert row.message() == "More than the 50 rows."
    row.set_note("")
    assert row.message() == ""


def test_a_wrong_value_is_marked_from_the_start(qtbot: QtBot) -> None:
    row = FieldRow("Epochs", NumberField(-3, whole=True, minimum=1))
    qtbot.addWidget(row)
    assert row.message() == "−3 is below 1. 1 or more."


def test_a_blocked_field_says_why_and_the_dot_resets(qtbot: QtBot) -> None:
    row, field = epochs(qtbot)
    row.set_blocked("Set by the preset Paper")
    assert not field.isEnabled()
    assert row.message() == field.toolTip() == "Set by the preset Paper"
    row.set_blocked("")
    assert field.isEnabled()
    dot = next(b for b in row.findChildren(QAbstractButton) if b.accessibleName() == "Reset Epochs")
    assert not dot.isVisible()
    row.set_changed(True, "60")
    assert dot.isVisible()
    assert min(dot.width(), dot.height()) >= 24
    with qtbot.waitSignal(row.reset_requested):
        qtbot.mouseClick(dot, Qt.MouseButton.LeftButton)


def test_a_border_of_two_pixels_does_not_move_the_form(qtbot: QtBot) -> None:
    row, field = epochs(qtbot)
    before = row.sizeHint().height(), field.sizeHint().height(), field.height()
    for state in ("error", "warning", ""):
        field.set_state(state)
        QApplication.processEvents()
        assert (row.sizeHint().height(), field.sizeHint().height(), field.height()) == before


@pytest.mark.parametrize(
    "make",
    [
        lambda: NumberField(1),
        lambda: SegmentedControl(("a", "b")),
        lambda: SeveralField(("a",)),
        lambda: ToggleSwitch("on"),
        lambda: TextField("a"),
        lambda: TextArea("a"),
        lambda: PathField(""),
    ],
)
def test_every_field_keeps_to_the_contract(make: object, qtbot: QtBot) -> None:
    field = make()  # type: ignore[operator]
    assert isinstance(field, Field)
    with qtbot.assertNotEmitted(field.value_changed):
        field.set_value(field.value())
    assert field.problem() == ""
    row = FieldRow("Label", field)
    qtbot.addWidget(row)
    assert field.accessibleName() == "Label" or field.accessibleName() == "on"


def test_labels_that_do_not_fit_stand_above(qtbot: QtBot) -> None:
    short, long = FieldRow("Metric", TextField()), FieldRow("Number of random restarts", TextField())
    for row in (short, long):
        qtbot.addWidget(row)
        row.resize(280, 60)
        row.show()
    assert short.field.x() == 96  # type: ignore[attr-defined]
    assert long.field.x() == 0  # type: ignore[attr-defined]


def test_messages_of_two_lines_make_room_and_squeeze_nothing(qtbot: QtBot) -> None:
    form = QWidget()
    column = QVBoxLayout(form)
    section = Section("Parameters")
    several = SeveralField(("a", "b", "c", "d"))
    wrong = NumberField(300, whole=True, minimum=2, maximum=212)
    rows = [
        FieldRow("Linkages", several, above=True),
        FieldRow("Clusters", wrong),
        FieldRow("Name", TextField()),
    ]
    for row in rows:
        section.add(row)
    rows[2].set_note("A long remark that cannot stand on one line of a narrow form column.", "warning")
    column.addWidget(section)
    column.addStretch(1)
    qtbot.addWidget(form)
    form.resize(300, 600)
    form.show()
    assert wrong.height() == 28
    assert min(box.height() for box in several.findChildren(QCheckBox)) >= 24
    for row in rows[1:]:
        assert row.height() == row.heightForWidth(row.width())
        assert row.height() > 28 + 16 + 4, "two lines below the field"


def test_the_form_grows_with_the_zoom(qtbot: QtBot, look: Theme) -> None:
    _row, field = epochs(qtbot)
    look.set_zoom(1.5)
    QApplication.processEvents()
    assert field.height() == 42
    assert field.x() == 132 + 8


def test_words_are_checked(qtbot: QtBot) -> None:
    field = TextField("a", check=lambda text: "" if text else "Empty. A name is needed.")
    qtbot.addWidget(field)
    seen: list[object] = []
    field.value_changed.connect(seen.append)
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert field.problem() == "Empty. A name is needed."
    qtbot.keyClicks(field, "bc")
    assert seen == ["b", "bc"]


def test_paths_may_have_blanks_accents_and_other_letters(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "été 数据"
    folder.mkdir()
    (folder / "a b.csv").write_text("x", encoding="utf-8")
    field = PathField(str(folder / "a b.csv"), "open")
    qtbot.addWidget(field)
    assert field.problem() == ""
    field.set_value(str(folder / "none.csv"))
    assert field.problem().endswith("is not a file.")
    saving = PathField(str(folder / "new.csv"), "save")
    qtbot.addWidget(saving)
    assert saving.problem() == ""


def test_a_section_opens_and_closes(qtbot: QtBot) -> None:
    section = Section("Advanced", collapsible=True, opened=False)
    inside = QLineEdit()
    section.add(inside)
    qtbot.addWidget(section)
    section.show()
    assert not inside.isVisible()
    title = next(b for b in section.findChildren(QAbstractButton) if b.text() == "Advanced")
    with qtbot.waitSignal(section.toggled) as sent:
        qtbot.keyClick(title, Qt.Key.Key_Space)
    assert sent.args == [True]
    assert inside.isVisible()
    section.set_open(False)
    assert not inside.isVisible()


def test_a_section_moves_when_motion_is_wanted(qtbot: QtBot, look: Theme) -> None:
    look.set_reduce_motion(False)
    section = Section("Advanced", collapsible=True, opened=True)
    inside = QLineEdit()
    section.add(inside)
    qtbot.addWidget(section)
    section.show()
    section.set_open(False)
    assert inside.isVisible()
    qtbot.waitUntil(lambda: not inside.isVisible(), timeout=1000)


def test_long_names_elide_and_keep_the_whole_in_the_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel("a rather long name of a rather long run")
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    assert label.text().endswith("…")
    assert label.toolTip() == label.whole_text() == label.accessibleName()
    label.resize(600, 20)
    assert label.text() == label.whole_text()
    assert label.toolTip() == ""
