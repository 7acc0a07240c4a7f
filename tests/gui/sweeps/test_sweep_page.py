"""A sweep from the form to its plots, with real widgets and real worker processes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest

from engine.core.places import data_folder
from engine.core.scripting import repeat
from engine.core.sweeps.folder import SweepFolder
from engine.core.views import LinesState, TableState
from gui.sweeps.sweep_page import SweepPage
from gui.window.main_window import MainWindow

Until = Callable[..., None]


def vary(page: SweepPage, name: str, typed: str) -> None:
    """A parameter from the menu, its values typed."""
    menu = page.form.parameter_menu()
    subject = page.model.subject
    assert subject is not None
    title = subject.spec(name).title
    next(action for action in menu.actions() if action.text() == title).trigger()
    field: Any = page.form.rows[name].field
    field.selectAll()
    QTest.keyClicks(field, typed)


def set_number(field: Any, text: str) -> None:
    field.lineEdit().selectAll()
    QTest.keyClicks(field.lineEdit(), text)


def planned(page: SweepPage, until: Until, runs: int) -> None:
    until(lambda: not page.model.blocked() and page.model.estimate.runs == runs)  # type: ignore[union-attr]


def texts(table: Any, column: str) -> list[str]:
    found = next(c for c in table.columns() if c.title == column)
    return [found.text(row) for row in range(len(found))]


def test_how_many_runs_and_how_long_is_said_before(page: SweepPage, until: Until) -> None:
    vary(page, "x", "-1:1:3")
    vary(page, "naps", "100, 300")
    set_number(page.form.seeds, "5")
    planned(page, until, 30)
    set_number(page.form.workers, "1")
    until(lambda: not page.model.blocked() and page.model.estimate.workers == 1)  # type: ignore[union-attr]
    assert page.form.line.text() == "30 runs · 1 at once · 419 MB each · about 1:00"
    assert texts(page.table, "Status") == ["queued"] * 30
    assert texts(page.table, "X")[:4] == ["-1", "-1", "0", "0"]


def test_what_is_wrong_is_said_and_start_is_blocked(page: SweepPage, until: Until) -> None:
    vary(page, "x", "1, 500")
    assert "500 is not allowed" in page.form.problem()
    assert not page.form.start_button.isEnabled()
    field: Any = page.form.rows["x"].field
    field.selectAll()
    QTest.keyClicks(field, "1, 5")
    planned(page, until, 2)
    assert page.form.start_button.isEnabled()
    vary(page, "rows", "1, 151")
    until(lambda: page.model.problem)
    assert page.form.line.text() == "rows: 151 is not allowed. At most 150 rows."
    assert page.form.start_button.toolTip() == page.form.line.text()


def test_runs_results_and_plot(page: SweepPage, until: Until, sweep_window: MainWindow) -> None:
    vary(page, "x", "1, 2, 3")
    menu = page.form.parameter_menu()
    next(action for action in menu.actions() if action.text() == "Kind").trigger()
    kinds: Any = page.form.rows["kind"].field
    kinds.set_value(("plain", "faulty"))
    kinds.value_changed.emit(kinds.value())
    set_number(page.form.seeds, "2")
    planned(page, until, 12)
    page.form.start_button.click()
    assert page.model.running
    assert page.form.stop_button.isVisible()
    until(lambda: not page.model.running and page.form.start_button.isVisible(), 60_000)

    assert sorted(texts(page.table, "Status")) == ["failed"] * 6 + ["finished"] * 6
    assert "ValueError: the trial went wrong" in texts(page.table, "Doing")
    state = page.results.state
    assert isinstance(state, TableState)
    heights = next(column for column in state.columns if column.name == "height")
    alone = [repeat("trial", parameters={"x": 2.0}, seed=seed, threads=1)["height"] for seed in (0, 1)]
    row = [(values["x"], values["kind"]) for values, _ in page.model.plan.settings].index((2.0, "plain"))  # type: ignore[union-attr]
    assert heights.values[row] == pytest.approx(sum(alone) / 2)  # type: ignore[arg-type]
    drawn = page.outcome.drawing
    assert drawn is not None
    assert isinstance(drawn.state, LinesState)
    assert [s.name for s in drawn.state.series] == ["Kind plain", "Kind faulty"]
    assert drawn.state.series[0].low is not None
    assert page.form.counted.text() == "6 of 12 runs done, 6 failed"
    assert page.form.start_button.toolTip() == "All runs are done."
    assert page.form.retry_button.isVisible()
    assert {view.name for view, _ in page.pictures()} == {"settings", "height"}


def test_stop_close_and_go_on_in_another_window(
    page: SweepPage, until: Until, sweep_window: MainWindow, make: Callable[..., MainWindow]
) -> None:
    vary(page, "x", "1, 2, 3, 4")
    vary(page, "naps", "60")
    planned(page, until, 4)
    page.form.start_button.click()
    until(lambda: page.model.outcomes(), 60_000)
    page.form.stop_button.click()
    until(lambda: not page.model.running and page.form.start_button.isVisible())
    assert page.form.start_button.text() == "Resume"
    done = set(page.model.outcomes())
    assert 1 <= len(done) < 4
    (folder,) = (data_folder() / "sweeps").iterdir()
    assert SweepFolder(folder).status() == "stopped"
    sweep_window.close()

    other = make()
    shown = other.sweeping.show()
    (action,) = shown.sweeps_menu().actions()
    assert action.text().endswith(f"{len(done)} of 4 · stopped")
    action.trigger()
    until(lambda: shown.model.plan is not None and shown.model.outcomes())
    assert set(shown.model.outcomes()) == done
    assert texts(shown.table, "Status").count("finished") == len(done)
    planned(shown, until, 4)
    shown.form.start_button.click()
    until(lambda: not shown.model.running and len(shown.model.outcomes()) == 4, 60_000)
    assert len(list((folder / "runs").iterdir())) == 4


def test_closing_the_window_stops_the_sweep_and_leaves_no_process(
    page: SweepPage, until: Until, sweep_window: MainWindow
) -> None:
    import psutil

    vary(page, "naps", "2000, 2001")
    planned(page, until, 2)
    page.form.start_button.click()
    until(lambda: any(state.fraction for state in page.model.states().values()), 60_000)
    before = [
        child for child in psutil.Process().children() if "engine.core.sweeps.worker" in child.cmdline()
    ]
    assert before
    sweep_window.close()
    assert not page.model.running
    assert not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in before)


@pytest.mark.slow
def test_runs_of_a_sweep_open_and_compare(
    page: SweepPage, until: Until, sweep_window: MainWindow, tmp_path: Path
) -> None:
    vary(page, "x", "1, 2")
    planned(page, until, 2)
    page.form.start_button.click()
    until(lambda: not page.model.running and len(page.model.outcomes()) == 2, 60_000)
    page.table.selectAll()
    page.compare_button.click()
    until(lambda: sweep_window.comparing.panel is not None)
    panel: Any = sweep_window.comparing.panel
    until(lambda: panel.runs.comparison is not None)
    assert panel.names.whole_text() == "A x 1, seed 0 — B x 2, seed 0"
    sweep_window.sweeping.show()
    page.table.row_activated.emit(0)
    until(lambda: sweep_window.current_tab() is not None)
    tab: Any = sweep_window.current_tab()
    assert tab.experiment.record.header.name == "x 1, seed 0"
