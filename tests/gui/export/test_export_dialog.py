"""Export from the window: exact size, what is on the screen, several files, stopping, settings kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage

from engine.core.figures import PRESETS, FigureStyle
from engine.core.views import Group, LinesState, ScatterState, Series
from gui.export.dialog import ExportDialog, Scrim
from gui.export.on_screen import without
from gui.export.settings import OWN_SIZE, ExportSettings
from gui.export.writing import Writing, file_name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "Abbildungen für 論文"
    place.mkdir()
    return place


@pytest.fixture
def dialog(ran: Any, window: Any, folder: Path, until: Any) -> Any:
    settings = ExportSettings(folder=str(folder), formats=("pdf", "svg", "csv"))
    window.session.set("export", settings.as_record())
    window.export(ran, ("path",))
    (opened,) = window.findChildren(ExportDialog)
    until(lambda: opened.preview.report is not None)
    return opened


def size_of_pdf(path: Path) -> tuple[float, float]:
    """Width and height of the first page in points."""
    found = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", path.read_bytes())
    assert found is not None
    return float(found[1]), float(found[2])


def test_files_have_the_size_asked_for(dialog: Any, folder: Path, until: Any) -> None:
    dialog.form.unit.value_changed.emit("mm")
    dialog.form.width_field.lineEdit().setText("90")
    dialog.form.height_field.lineEdit().setText("55.5")
    assert dialog.form.preset.value() == OWN_SIZE
    assert dialog.export_button.text() == "Export 3 files"
    dialog.export_button.click()
    until(lambda: (folder / "Iris-path.csv").is_file())
    width, height = (side * 25.4 / 72 for side in size_of_pdf(folder / "Iris-path.pdf"))
    assert abs(width - 90) < 0.1
    assert abs(height - 55.5) < 0.1
    assert "position (cm)" in (folder / "Iris-path.svg").read_text(encoding="utf-8").lower()
    until(lambda: len((folder / "Iris-path.csv").read_text(encoding="utf-8").splitlines()) > 50)


def test_the_preview_tells_what_a_reviewer_would_ask(dialog: Any) -> None:
    assert dialog.preview.text_words.text() == "smallest text 7.0 pt"
    assert dialog.preview.grey_words.text() == "told apart without colour"
    assert dialog.preview.size_words.text().startswith("shown at ")
    assert not dialog.preview.image().isNull()


def test_true_size(dialog: Any, until: Any) -> None:
    dialog.true_size.setChecked(True)
    until(lambda: dialog.preview.size_words.text() == "true size")
    shown = dialog.preview._pixmap.deviceIndependentSize()
    assert abs(shown.width() - 3.25 * 96) <= 1.5


def test_the_window_is_dimmed_only_while_the_dialog_is_there(dialog: Any, window: Any) -> None:
    (scrim,) = window.findChildren(Scrim)
    assert scrim.isVisible()
    dialog.reject()
    assert not scrim.isVisible()


def test_copy_image(dialog: Any) -> None:
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().image().size() == dialog.preview.image().size()


def test_all_figures_and_settings_kept(dialog: Any, window: Any, folder: Path, until: Any) -> None:
    dialog.everything.setChecked(True)
    dialog.form.files.set_value(("png",))
    dialog.form.dpi.set_value(200)
    dialog.form.theme.set_value("dark")
    dialog.form.changed.emit()
    assert dialog.export_button.text() == "Export 2 files"
    dialog.export_button.click()
    until(lambda: (folder / "Iris-data.png").is_file() and (folder / "Iris-path.png").is_file())
    image = QImage(str(folder / "Iris-data.png"))
    assert (image.width(), image.height()) == (650, 480)
    assert image.pixelColor(2, 2).lightness() < 80
    kept = ExportSettings.of_record(window.session.get("export"))
    assert (kept.formats, kept.style.dpi, kept.style.theme) == (("png",), 200, "dark")


def test_presets_set_size_and_type(dialog: Any) -> None:
    dialog.form.preset.set_value("slide 16:9")
    dialog.form.preset.value_changed.emit("slide 16:9")
    style = dialog.form.settings().style
    wanted = PRESETS["slide 16:9"]
    assert (style.width, style.height, style.font_size) == (wanted.width, wanted.height, wanted.font_size)


def test_a_missing_folder_blocks_and_says_why(dialog: Any, folder: Path) -> None:
    folder.rmdir()
    dialog._refresh()
    assert not dialog.export_button.isEnabled()
    assert dialog.refusal.text() == "The folder does not exist."


def test_stopping_keeps_what_was_written(ran: Any, folder: Path) -> None:
    from gui.export.on_screen import as_shown

    shown = as_shown(ran.view("path"), ran.views.state_of("path"))
    assert shown is not None
    writing = Writing([shown, shown], ["one", "two"], folder, ("csv",), FigureStyle())
    writing.stop()
    assert writing.write() == []
    again = Writing([shown, shown], ["one", "two"], folder, ("csv",), FigureStyle())
    assert len(again.write()) == 2 == again.done
    assert (folder / "two.csv").is_file()


def test_hidden_curves_stay_out_and_colours_stay() -> None:
    x = np.arange(3.0)
    state = LinesState(series=tuple(Series(name=name, x=x, y=x) for name in "abc"))
    shown = without(state, frozenset("b"))
    assert isinstance(shown, LinesState)
    assert [(one.name, one.colour) for one in shown.series] == [("a", 0), ("c", 2)]


def test_hidden_groups_stay_out() -> None:
    state = ScatterState(
        x=np.arange(4.0),
        y=np.arange(4.0),
        group=np.array([0, 1, 0, 1]),
        groups=(Group(name="left", colour=0), Group(name="right", colour=1)),
        names=("p", "q", "r", "s"),
    )
    shown = without(state, frozenset({"left"}))
    assert isinstance(shown, ScatterState)
    assert shown.ids is not None
    assert shown.ids.tolist() == [1, 3]
    assert list(shown.names) == ["q", "s"]


def test_what_is_selected_is_selected_in_the_file(ran: Any) -> None:
    from gui.export.on_screen import as_shown

    ran.views.selection.set("point", [4, 7])
    shown = as_shown(ran.view("data"), ran.views.state_of("data"))
    assert shown is not None
    assert shown.selection == (4, 7)


def test_settings_that_do_not_hold_are_passed_over(folder: Path) -> None:
    fresh = ExportSettings.of_record({})
    assert fresh.style == FigureStyle()
    for wrong in ({"style": {"width": -3}}, {"style": 7}, {"style": {}, "preset": 3, "formats": 1}):
        assert ExportSettings.of_record(wrong).style == FigureStyle()


def test_names_any_file_system_takes() -> None:
    assert file_name("Größe: 3/4", "path?") == "Größe-3-4-path"
    assert file_name("") == "figure"
