"""Runs chosen in the list and compared under it, with real widgets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from engine.core.places import data_folder
from engine.core.records.header import new_id
from engine.core.scripting import repeat
from engine.core.views import LinesState
from gui.compare.compare_panel import STEPS, ComparePanel
from gui.views.selection import Picked, as_ids
from gui.window.main_window import MainWindow

Until = Callable[..., None]


def walked(seed: int = 0, **parameters: Any) -> Path:
    folder = data_folder() / "runs" / new_id()
    repeat("walk", out=folder, seed=seed, parameters=parameters, threads=1)
    return folder


def compare(window: MainWindow, until: Until) -> ComparePanel:
    """Every run of the list, by its buttons."""
    window.open_page("runs")
    until(lambda: window.runs.runs)
    window.runs.table.selectAll()
    window.runs.buttons["Compare"].click()
    until(lambda: window.comparing.panel is not None and window.comparing.panel.grid.cards)
    panel = window.comparing.panel
    assert panel is not None
    until(lambda: panel.grid.cards["path"].drawing.state is not None)
    return panel


@pytest.fixture
def panel(window: MainWindow, until: Until) -> ComparePanel:
    """A: 40 steps, B: 30 steps (the list shows the newest first)."""
    walked(steps=30)
    walked(steps=40)
    return compare(window, until)


def texts(table: Any) -> list[list[str]]:
    columns = table.columns()
    return [[column.text(row) for column in columns] for row in range(len(columns[0]))]


def test_compare_needs_two_runs_of_one_method(window: MainWindow, until: Until) -> None:
    walked(steps=30)
    window.open_page("runs")
    until(lambda: window.runs.runs)
    button = window.runs.buttons["Compare"]
    window.runs.table.selectAll()
    assert not button.isEnabled()
    assert button.toolTip() == "Choose two runs or more of one method."


def test_differences_and_results_stand_side_by_side(panel: ComparePanel, window: MainWindow) -> None:
    settings = panel.settings.table
    assert [column.title for column in settings.columns()] == ["Setting", "A", "B"]
    assert texts(settings) == [["Steps", "40", "30"]]
    assert settings.columns()[1].noted == frozenset({0})
    (first, last) = texts(panel.results.table)
    assert first[0] == "largest.whole (cm)"
    a, b, difference = (float(text.replace("−", "-")) for text in last[1:])
    assert difference == pytest.approx(b - a, abs=0.0011)
    assert panel.names.whole_text() == "A Steps 40 — B Steps 30"
    names = window.runs.table.columns()[0].values
    assert [name.split(" · ")[0] for name in names] == ["A", "B"]


def test_all_settings_are_one_click_away_and_keys_can_be_left_out(
    panel: ComparePanel, window: MainWindow
) -> None:
    count = len(panel.settings.comparison.settings())  # type: ignore[union-attr]
    assert panel.settings.all_button.text().endswith(" equal")
    panel.settings.all_button.click()
    assert len(texts(panel.settings.table)) == count
    panel.settings.all_button.click()
    panel.settings.table.selectAll()
    panel.settings.ignore_button.click()
    assert texts(panel.settings.table) == []
    assert window.session.get("compare") == {"left_out": ["steps"]}
    panel.settings.back_button.click()
    assert texts(panel.settings.table) == [["Steps", "40", "30"]]


def test_curves_lie_over_each_other(panel: ComparePanel) -> None:
    state = panel.grid.cards["path"].drawing.state
    assert isinstance(state, LinesState)
    assert [(s.name, s.style, len(s.x)) for s in state.series] == [
        ("walker A", "solid", 40),
        ("walker B", "dashed", 30),
    ]


def test_a_chosen_curve_marks_its_side_in_the_tables(panel: ComparePanel) -> None:
    drawing: Any = panel.grid.cards["path"].drawing
    panel.window().resize(1400, 900)
    QTest.qWait(50)
    curve = drawing.curves["walker A"]
    place = drawing.canvas.box.mapViewToScene(QPointF(curve.x[35], curve.y[35]))
    spot = drawing.canvas.mapFromScene(place)
    QTest.mouseClick(drawing.canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert (panel.settings.marked, panel.results.marked) == ("A", "A")
    assert panel.results.table.columns()[1].best_rows.all()
    drawing.selected.emit(Picked("walker", as_ids(["walker B"])))
    assert panel.settings.marked == "B"


def test_results_turn(panel: ComparePanel) -> None:
    panel.results.turn()
    assert [column.title for column in panel.results.table.columns()] == [
        "Side",
        "largest.whole (cm)",
        "final (cm)",
    ]
    assert len(texts(panel.results.table)) == 2


def test_the_scrubber_moves_all(panel: ComparePanel, until: Until) -> None:
    panel.scrubber.set_position(0)
    until(lambda: panel.runs.share == 0.0)
    state = panel.grid.cards["path"].drawing.state
    assert isinstance(state, LinesState)
    # What is still to come is there, muted.
    assert [(s.name, s.muted, len(s.x)) for s in state.series if len(s.x)] == [
        ("walker A (later)", True, 40),
        ("walker B (later)", True, 30),
    ]
    panel.scrubber.set_position(STEPS)
    until(lambda: panel.runs.share == 1.0)
    state = panel.grid.cards["path"].drawing.state
    assert isinstance(state, LinesState)
    assert [len(s.x) for s in state.series] == [40, 30]


def test_everything_can_be_exported(
    panel: ComparePanel, window: MainWindow, until: Until, tmp_path: Path
) -> None:
    from gui.export.dialog import ExportDialog

    panel.export_button.click()
    (dialog,) = window.findChildren(ExportDialog)
    assert [shown.view.name for shown in dialog.figures()] == ["path", "settings", "results", "table.steps"]
    folder = tmp_path / "Vergleich"
    folder.mkdir()
    dialog.form.folder.set_value(str(folder))
    dialog.form.files.set_value(("svg", "csv"))
    dialog.export()
    until(lambda: dialog.writing is not None and len(dialog.writing.reports) == 8)
    assert sorted(path.suffix for path in folder.iterdir()) == [".csv"] * 4 + [".svg"] * 4
    path = next(p for p in folder.iterdir() if "path" in p.name and p.suffix == ".svg")
    assert "walker B" in path.read_text(encoding="utf-8")
    until(lambda: not window.findChildren(ExportDialog))


def test_more_than_four_are_counted_and_seeds_are_one_side(window: MainWindow, until: Until) -> None:
    for steps in range(20, 25):
        walked(steps=steps)
    walked(steps=24, seed=1)
    panel = compare(window, until)
    assert panel.counted.text() == "views show 5 of 6 runs"
    comparison = panel.runs.comparison
    assert comparison is not None
    assert [len(side.runs) for side in comparison.sides] == [2, 1, 1, 1, 1]
    assert panel.results.table.columns()[1].title == "A, mean of 2 seeds"
    assert "±" in texts(panel.results.table)[0][1]


def test_closing_gives_the_list_back(panel: ComparePanel, window: MainWindow) -> None:
    panel.close_comparison()
    assert not panel.isVisible()
    assert panel.runs.comparison is None
    assert not any(" · " in name for name in window.runs.table.columns()[0].values)


def test_a_run_that_cannot_be_read_is_told(window: MainWindow, until: Until) -> None:
    one, two = walked(steps=30), walked(steps=31)
    window.open_page("runs")
    until(lambda: len(window.runs.runs) == 2)
    runs = list(window.runs.runs)
    (one / "run.json").write_text("{", encoding="utf-8")
    window.comparing.compare(runs)
    panel = window.comparing.panel
    assert panel is not None
    told: list[str] = []
    panel.told.connect(told.append)
    until(lambda: told)
    assert "is damaged" in told[0]
    assert two.exists()
