"""The whole of a default run by keyboard alone, from opening a file to an exported figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from gui.export.dialog import ExportDialog

CTRL = Qt.KeyboardModifier.ControlModifier


def key(code: Any, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
    target = QApplication.focusWidget() or QApplication.activeWindow()
    QTest.keyClick(target, code, keys)
    QApplication.processEvents()


def tab_to(wanted: QWidget, most: int = 120) -> None:
    """Press Tab until `wanted`, or something inside it, has the focus."""
    for _ in range(most):
        now = QApplication.focusWidget()
        if now is wanted or (now is not None and wanted.isAncestorOf(now)):
            return
        key(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not reach {wanted.accessibleName()}")


def test_from_a_file_to_a_figure(window: Any, until: Any, tmp_path: Path, monkeypatch: Any) -> None:
    folder = tmp_path / "Meßwerte 測定"
    folder.mkdir()
    path = folder / "pünktchen.csv"
    path.write_text("x,y\n1,2\n2,4\n5,1\n3,3\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    window.session.set("export", {"preset": "single column", "unit": "in", "style": {},
                                  "formats": ["pdf"], "folder": str(folder)})  # fmt: skip

    key(Qt.Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "random walk")
    key(Qt.Key.Key_Return)
    tab = window.current_tab()
    until(lambda: tab.experiment.data.loaded is not None)
    key(Qt.Key.Key_O, CTRL)
    until(lambda: tab.experiment.data.loaded.name == path.name and not tab.experiment.data.loading)

    key(Qt.Key.Key_F6)
    tab_to(tab.field("steps"))
    key(Qt.Key.Key_A, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "120")
    key(Qt.Key.Key_Return, CTRL)
    until(lambda: tab.status_text() == "Finished")
    assert len(tab.view("path").state.series[0].x) == 120

    key(Qt.Key.Key_1, CTRL)
    key(Qt.Key.Key_E, CTRL)
    (dialog,) = window.findChildren(ExportDialog)
    until(lambda: dialog.preview.report is not None)
    dialog.activateWindow()
    dialog.form.preset.setFocus()
    button: QPushButton = dialog.export_button
    assert button.text() == "Export 1 file"
    tab_to(button)
    key(Qt.Key.Key_Space)
    until(lambda: (folder / "pünktchen-path.pdf").is_file())
    assert (folder / "pünktchen-path.pdf").read_bytes().startswith(b"%PDF")
