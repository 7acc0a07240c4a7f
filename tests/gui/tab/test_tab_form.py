"""The form: values typed, errors beside fields, presets, own presets, what keeps a run from starting."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QScrollBar, QWidget

from engine.core.method import Estimate, Problem
from gui.tab.own_presets import OwnPresetDialog


def type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    line = field.lineEdit() if isinstance(field, QAbstractSpinBox) else field
    line.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Tab)


def test_a_wrong_value_is_told_beside_its_field_and_blocks_the_run(tab: Any, until: Any) -> None:
    type_into(tab.field("steps"), "0")
    until(lambda: tab.form.rows["steps"].message())
    assert "1" in tab.form.rows["steps"].message()
    assert tab.experiment.values["steps"] == 50
    type_into(tab.field("steps"), "60")
    until(lambda: not tab.form.rows["steps"].message())
    assert tab.experiment.values["steps"] == 60


def test_what_depends_on_the_data_blocks_the_run_and_says_why(tab: Any, until: Any, monkeypatch: Any) -> None:
    import tests.example_methods.walk.run as algorithm

    monkeypatch.setattr(algorithm, "check", lambda p, d: [Problem("scale", f"at most {d.n} for {d.n} rows")])
    type_into(tab.field("scale"), "90")
    until(lambda: tab.experiment.errors())
    assert tab.form.rows["scale"].message() == "at most 150 for 150 rows"
    assert not tab.run_button.isEnabled()
    assert tab.run_button.toolTip() == "One thing to settle before a run"
    assert tab.run_bar.line.whole_text() == "One thing to settle before a run"
    QTest.mouseClick(tab.run_bar.line, Qt.MouseButton.LeftButton)
    focused = QApplication.focusWidget()
    assert focused is tab.field("scale") or tab.field("scale").isAncestorOf(focused)


def test_presets_and_what_differs_from_them(tab: Any) -> None:
    tab.form.chips._chips[1].click()
    assert tab.field("steps").value() == 200
    type_into(tab.field("scale"), "3")
    assert tab.experiment.values.changed() == ["scale"]
    assert tab.form.sections["Parameters"]._note.text() == "changed: 1"
    tab.form.rows["scale"].reset_requested.emit()
    assert tab.field("scale").value() == 1
    assert tab.experiment.values.changed() == []


def test_own_preset_by_hand(tab: Any, window: Any) -> None:
    type_into(tab.field("steps"), "77")
    tab.form.chips._own.click()
    (dialog,) = tab.findChildren(OwnPresetDialog)
    dialog.name.setText("quick")
    dialog.keep.click()
    assert dialog.isVisible()
    assert "allowed" in dialog.refusal.text()
    dialog.name.setText("Mine")
    dialog.keep.click()
    assert tab.form.chips.value() == "Mine"
    assert tab.experiment.values.changed() == []
    tab.form.chips._chips[0].click()
    assert tab.field("steps").value() == 50
    tab.form.chips._chips[-1].click()
    assert tab.field("steps").value() == 77


def test_the_wheel_scrolls_and_changes_nothing(tab: Any, window: Any) -> None:
    for section in (*tab.form.sections.values(), tab.computing.section):
        section.set_open(True)
    QApplication.processEvents()
    before = dict(tab.experiment.values.values), tab.experiment.seed, tab.experiment.data.source
    kinds = (QAbstractSpinBox, QComboBox, QAbstractSlider)
    fields = [f for kind in kinds for f in tab.findChildren(kind) if not isinstance(f, QScrollBar)]
    assert len(fields) >= 8
    for field in fields:
        middle = QPointF(field.rect().center())
        event = QWheelEvent(
            middle,
            QPointF(field.mapToGlobal(field.rect().center())),
            QPoint(0, 0),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(field, event)
    assert (dict(tab.experiment.values.values), tab.experiment.seed, tab.experiment.data.source) == before


def test_the_estimate_stands_over_run(tab: Any, until: Any, monkeypatch: Any) -> None:
    tab.experiment.estimate = Estimate(seconds=72, bytes=4_600_000_000)
    tab.experiment.set_settings(seed=3)
    tab.run_bar.refresh()
    assert tab.run_bar.line.whole_text() == "about 1:12 · 4.6 GB · 2 threads · seed 3"


def test_every_control_has_a_name(ran: Any, window: Any) -> None:
    ran.show_report()
    from PySide6.QtWidgets import QAbstractButton, QLineEdit

    nameless = [
        control
        for kind in (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
        for control in window.findChildren(kind)
        if control.isVisible() and not control.accessibleName() and not _inner(control)
    ]
    assert nameless == []


def _inner(control: QWidget) -> bool:
    """The line of a spin box, or a part of a scroll area: their owner has the name."""
    parent = control.parentWidget()
    return isinstance(parent, QAbstractSpinBox | QComboBox) or "qt_" in control.objectName()
