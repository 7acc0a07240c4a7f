"""Reopened runs: views from the record, history, run again, branch, names, selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.records.reader import RunRecord


def reopen(ran: Any, window: Any, until: Any) -> Any:
    """The run of `ran` as a record, its job forgotten."""
    run = ran.experiment.job.id
    ran.experiment.show_preview()
    window.open_run(run)
    until(lambda: ran.experiment.record is not None)
    return run


def test_views_come_from_the_record(ran: Any, window: Any, until: Any) -> None:
    shown = ran.view("path").state.series[0].y.copy()
    reopen(ran, window, until)
    np.testing.assert_array_equal(ran.view("path").state.series[0].y, shown)
    assert ran.status_text() == "Finished"
    assert ran.drawer.results.columns()[0].values == ["largest.whole", "final"]
    assert "Walking 50 steps" in ran.drawer.log.toPlainText()


def test_history_shows_what_was_known_then(tab: Any, window: Any, until: Any) -> None:
    tab.experiment.set_value("steps", 60_000)
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and not tab.experiment.computing)
    reopen(tab, window, until)
    whole = len(tab.view("path").state.series[0].x)
    assert whole == 60_000
    assert tab.history.isVisible()
    tab.history.scrubber.set_position(tab.history.scrubber.position() // 2)
    until(lambda: len(tab.view("path").state.series[0].x) < whole)
    assert tab.views.cards["path"]._badge.text() == "From history"
    tab.history.scrubber.set_position(10**6)
    until(lambda: len(tab.view("path").state.series[0].x) == whole)


def test_run_again_gives_equal_numbers_and_names_its_parent(ran: Any, window: Any, until: Any) -> None:
    ran.view("path").make_gesture("drag-level", name="goal", value=4.0)
    until(lambda: ran.view("path").state.levels[0].value == 4.0)
    results = ran.experiment.job.board.results()
    run = reopen(ran, window, until)
    ran.experiment.set_value("steps", 9)
    ran.run_bar.again_requested.emit()
    until(lambda: ran.experiment.job is not None and not ran.experiment.computing)
    assert ran.experiment.job.board.results() == results
    assert ran.experiment.job.board.state("path").levels[0].value == 4.0
    assert ran.experiment.job.writer.header.parent == run


def test_branch(ran: Any, window: Any, until: Any) -> None:
    run = reopen(ran, window, until)
    window.recorded.branch(run)
    until(lambda: ran.experiment.record is None)
    until(lambda: not ran.experiment.blocked())
    ran.experiment.set_value("steps", 20)
    ran.run_button.click()
    until(lambda: ran.experiment.job is not None and not ran.experiment.computing)
    header = ran.experiment.job.writer.header
    assert header.parent == run
    assert header.parameters["steps"] == 20
    ran.run_button.click()
    until(lambda: not ran.experiment.computing)
    assert ran.experiment.job.writer.header.parent is None


def test_renamed_in_place(ran: Any, window: Any, until: Any) -> None:
    run = reopen(ran, window, until)
    ran.drawer._begin_edit()
    ran.drawer._edit.setText("Der längste Weg")
    ran.drawer._end_edit()
    assert window.engine.library.open(run).header.name == "Der längste Weg"


def test_selection_is_kept_with_the_run(ran: Any, window: Any, until: Any) -> None:
    folder = ran.experiment.job.writer.folder
    ran.views.selection.set("point", [3, 5, 8])
    until(lambda: RunRecord(folder).selection == {"point": [3, 5, 8]})
    reopen(ran, window, until)
    assert ran.views.selection.ids("point").tolist() == [3, 5, 8]
    ran.experiment.show_preview()


def test_a_record_cannot_be_edited(ran: Any, window: Any, until: Any) -> None:
    told: list[str] = []
    reopen(ran, window, until)
    ran.told.connect(told.append)
    ran.experiment.act("move_goal", {"value": 2.0})
    assert told == ["Run again to change this: a reopened run shows what was recorded."]


def test_a_run_whose_data_is_gone_still_opens(tab: Any, window: Any, until: Any, tmp_path: Any) -> None:
    path = tmp_path / "soon gone.csv"
    path.write_text("a,b\n1,2\n2,4\n5,1\n", encoding="utf-8")
    tab.take_file(str(path))
    until(lambda: tab.experiment.data.loaded.name == path.name and not tab.experiment.data.loading)
    tab.run_button.click()
    until(lambda: tab.experiment.job is not None and not tab.experiment.computing)
    path.unlink()
    reopen(tab, window, until)
    until(lambda: tab.experiment.data.error is not None)
    assert tab.pages.currentIndex() == 0
    assert len(tab.view("path").state.series[0].x) == 50
    assert "there is no such file" in tab.data.status.text()


def test_a_run_of_a_newer_version_says_so(ran: Any, window: Any, until: Any) -> None:
    import json

    from gui.widgets.toast import Toast

    folder = ran.experiment.job.writer.folder
    ran.experiment.show_preview()
    described = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps({**described, "format": 999}), encoding="utf-8")
    window.open_run(folder.name)
    until(lambda: ran.experiment.record is not None)
    until(lambda: window.findChildren(Toast))
    assert any("newer" in toast.accessibleName() for toast in window.findChildren(Toast))


def test_deleted_runs_come_back(ran: Any, window: Any, until: Any) -> None:
    from gui.widgets.button import Button
    from gui.widgets.toast import Toast

    ran.experiment.show_preview()
    window.open_page("runs")
    until(lambda: len(window.runs.runs) == 1)
    window.runs.table.set_selection([0])
    window.runs.delete()
    until(lambda: len(window.runs.runs) == 0)
    toast = window.findChildren(Toast)[-1]
    next(b for b in toast.findChildren(Button) if b.text() == "Undo").click()
    until(lambda: len(window.runs.runs) == 1)
