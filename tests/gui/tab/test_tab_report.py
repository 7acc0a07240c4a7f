"""The report of a reading: faults with ways out, types, columns in use, separators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QRadioButton

from gui.widgets.banner import Banner
from gui.widgets.button import Button

BAD = "patient,age,haemoglobin,platelets,site\n" + "\n".join(
    f"P{n:03},{'n/a' if n in (40, 106) else 30 + n % 40},{8 + n % 7}.5,{100 + n},{('north', 'lake')[n % 2]}"
    for n in range(1, 151)
)


@pytest.fixture
def bad_file(tmp_path: Path) -> Path:
    path = tmp_path / "blood panel é.csv"
    path.write_text(BAD, encoding="utf-8")
    return path


def settled(tab: Any) -> bool:
    data = tab.experiment.data
    return not data.loading and (data.error is not None or data.loaded is not None)


@pytest.fixture
def refused(tab: Any, bad_file: Path, until: Any) -> Any:
    tab.take_file(str(bad_file))
    until(lambda: tab.experiment.data.error is not None)
    until(lambda: tab.report.rows_card.isVisible())
    return tab


def banner(tab: Any) -> Banner:
    return next(each for each in tab.report.findChildren(Banner) if each.isVisible())


def test_the_fault_is_told_with_its_place(refused: Any) -> None:
    assert refused.pages.currentWidget() is refused.report
    assert banner(refused).accessibleName().startswith("Row 41, column age: “n/a” is not a number")
    assert refused.data.status.text() == "Row 41, column age: “n/a” is not a number; 1 more"
    assert not refused.run_button.isEnabled()
    rows = refused.report.rows.columns()
    age = next(column for column in rows if column.title == "age")
    (wrong,) = age.wrong
    assert (rows[0].values[wrong], age.values[wrong]) == ("41", "n/a")


def test_every_way_out_is_offered_and_taken(refused: Any, until: Any) -> None:
    choices = banner(refused).findChildren(QRadioButton)
    assert len(choices) == 3
    choices[0].click()
    next(b for b in banner(refused).findChildren(Button) if b.text() == "Apply").click()
    until(lambda: refused.experiment.data.error is None and settled(refused))
    assert refused.experiment.data.loaded.value.n == 148
    assert refused.run_button.isEnabled()


def test_a_column_is_read_in_another_way_and_back(refused: Any, until: Any) -> None:
    data = refused.experiment.data
    data.repair(data.error.choices[0])
    until(lambda: data.error is None and settled(refused))
    refused.report.change_type("age", "category")
    until(lambda: settled(refused))
    read = dict(zip(*(column.values for column in refused.report.columns.columns()[:2]), strict=True))
    assert read["age"] == "category ▾"
    assert data.loaded.value.numeric_names == ("haemoglobin", "platelets")
    assert refused.report.undo_button.isVisible()
    refused.undo()
    until(lambda: settled(refused))
    assert data.loaded.value.numeric_names == ("age", "haemoglobin", "platelets")


def test_a_column_is_left_out_and_used_again(refused: Any, until: Any) -> None:
    data = refused.experiment.data
    data.repair(data.error.choices[0])
    until(lambda: data.error is None and settled(refused))
    names = list(refused.report.columns.columns()[0].values)
    refused.report.columns.cell_toggled.emit((names.index("haemoglobin"), 2, False))
    until(lambda: settled(refused))
    assert data.loaded.value.numeric_names == ("age", "platelets")
    names = list(refused.report.columns.columns()[0].values)
    refused.report.columns.cell_toggled.emit((names.index("haemoglobin"), 2, True))
    until(lambda: settled(refused))
    assert data.loaded.value.numeric_names == ("age", "haemoglobin", "platelets")


def test_separator_and_decimal_are_changed_and_read_at_once(tab: Any, until: Any, tmp_path: Path) -> None:
    path = tmp_path / "deutsch.csv"
    path.write_text("länge;breite\n1,5;2\n3,25;5\n4;4,5\n", encoding="cp1252")
    tab.take_file(str(path))
    until(lambda: settled(tab) and tab.experiment.data.loaded.name == path.name)
    tab.show_report()
    fields = tab.report.reading.fields
    assert fields["separator"].currentText() == "found: semicolon"
    assert fields["decimal"].currentText() == "found: comma"
    fields["decimal"].value_changed.emit(".")
    until(lambda: settled(tab) and tab.experiment.data.options.decimal == ".")
    assert tab.experiment.data.error is not None or tab.experiment.data.loaded.report.decimal == "."
    tab.undo()
    until(lambda: settled(tab) and tab.experiment.data.error is None)
    assert tab.experiment.data.loaded.value.numeric()[0].tolist() == [1.5, 2.0]


def test_embedded_sets_have_a_report_too(tab: Any) -> None:
    tab.data.preview_button.click()
    assert tab.report.isVisible()
    assert not tab.report.reading.isVisible()
    assert "150 rows read" in tab.report.facts.text()
    assert len(tab.report.rows.columns()[0]) == 150
    tab.step_back()
    assert tab.pages.currentIndex() == 0
