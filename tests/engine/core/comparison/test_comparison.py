"""Recorded runs of a real method, compared whole: settings, results, views, tables, files, history."""

from __future__ import annotations

import csv
import dataclasses
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.comparison.comparison import Comparison
from engine.core.comparison.files import export_comparison
from engine.core.comparison.sides import facts_of, sides_of
from engine.core.comparison.timeline import Timeline
from engine.core.errors import RunError
from engine.core.events import Append, Progress
from engine.core.figures.style import FigureStyle
from engine.core.method import Method
from engine.core.records import writer as writing
from engine.core.records.header import RunHeader
from engine.core.records.reader import RunRecord
from engine.core.records.writer import RunWriter
from engine.core.registry import method
from engine.core.scripting import repeat
from engine.core.views import LinesState, TableState

Walked = Callable[..., RunRecord]
Compared = Callable[..., Comparison]


def test_only_what_differs_key_by_key(walked: Walked, compared: Compared) -> None:
    comparison = compared(walked(steps=20, window=(2, 10)), walked(steps=30, window=(2, 12)))
    lines = {line.key: line for line in comparison.differences()}
    assert set(lines) == {"steps", "window"}
    assert lines["steps"].title == "Steps"
    assert lines["steps"].values == ("20", "30")
    assert lines["window"].values == ("2, 10", "2, 12")
    assert [line.key for line in comparison.differences(ignored={"window"})] == ["steps"]
    groups = {line.key: line.group for line in comparison.settings()}
    assert groups["kind"] == "parameters"
    assert groups["fingerprint"] == "data"
    assert groups["versions.numpy"] == "environment"


def test_results_with_differences(walked: Walked, compared: Compared) -> None:
    one, two = walked(steps=20), walked(steps=30)
    comparison = compared(one, two)
    (_, final) = comparison.results()
    assert (final.name, final.unit, final.meaning) == ("final", "cm", "position after the last step")
    assert final.means[0].mean == one.results["final"]
    assert final.differences[1] == pytest.approx(two.results["final"] - one.results["final"])  # type: ignore[operator]
    _, table = comparison.results_table()
    assert isinstance(table, TableState)
    assert [column.title for column in table.columns] == ["Result", "A", "B", "B − A"]


def test_runs_that_differ_in_their_seed_are_one_side(walked: Walked, compared: Compared) -> None:
    a = [walked(steps=20, seed=seed) for seed in range(3)]
    b = [walked(steps=25, seed=seed) for seed in range(2)]
    comparison = compared(a[0], b[0], a[1], b[1], a[2])
    assert [[run.seed for run in side.runs] for side in comparison.sides] == [[0, 1, 2], [0, 1]]
    (_, final) = comparison.results()
    numbers = [record.results["final"] for record in a]
    assert final.means[0].mean == pytest.approx(np.mean(numbers))  # type: ignore[arg-type]
    half = 4.302653 * np.std(numbers, ddof=1) / np.sqrt(3)  # type: ignore[arg-type]
    assert final.means[0].half == pytest.approx(half, rel=1e-6)
    _, table = comparison.results_table()
    assert isinstance(table, TableState)
    assert [column.title for column in table.columns][1:] == [
        "A, mean of 3 seeds",
        "B, mean of 2 seeds",
        "B − A",
    ]
    assert table.caption == "± 95% of 2–3 seeds"
    _, path = comparison.pictures()[0]
    assert isinstance(path, LinesState)
    mean = path.series[0]
    curves = [record.board().state("path").series[0].y for record in a]  # type: ignore[union-attr]
    assert mean.y.tolist() == pytest.approx(np.mean(curves, axis=0).tolist())
    assert mean.spread == "mean, 95% of 3 seeds"
    assert mean.low is not None
    assert np.all(mean.low <= mean.y)


def test_seeds_alone_are_compared_with_each_other(walked: Walked, compared: Compared) -> None:
    comparison = compared(walked(steps=20, seed=0), walked(steps=20, seed=1))
    assert [len(side.runs) for side in comparison.sides] == [1, 1]
    assert [line.key for line in comparison.differences()] == ["seed"]


def test_curves_are_overlaid_and_points_side_by_side(walked: Walked, compared: Compared) -> None:
    comparison = compared(walked(steps=20), walked(steps=30))
    pictures = comparison.pictures()
    assert [view.name for view, _ in pictures] == ["path"]
    _, state = pictures[0]
    assert isinstance(state, LinesState)
    assert [(s.name, s.style, s.colour, len(s.x)) for s in state.series] == [
        ("walker A", "solid", 7, 20),
        ("walker B", "dashed", 7, 30),
    ]
    assert [(level.name, level.draggable) for level in state.levels] == [("goal", False)]
    assert state.caption == "A solid, B dashed"


def test_more_runs_than_can_be_told_apart_are_counted(walked: Walked, compared: Compared) -> None:
    comparison = compared(*(walked(steps=20 + n) for n in range(6)))
    _, state = comparison.pictures()[0]
    assert isinstance(state, LinesState)
    assert len(state.series) == 4
    assert state.caption == "A solid, B dashed, C dotted, D dash-dot · 4 of 6 runs"
    _, table = comparison.results_table()
    assert isinstance(table, TableState)
    assert len(table.columns) == 1 + 6 + 5


def test_declared_tables_side_by_side(walked: Walked, compared: Compared) -> None:
    one, two = walked(steps=21), walked(steps=41)
    ((_, state),) = compared(one, two).tables()
    assert isinstance(state, TableState)
    assert [c.title for c in state.columns] == ["step", "position A", "position B", "position B − A"]
    assert state.columns[0].values == ("0", "10", "20", "30", "40")
    assert state.columns[1].values[:3].tolist() == one.tables()["steps"]["position"]
    assert np.isnan(state.columns[1].values[3:]).all()
    # The same seed walks the same way.
    assert state.columns[3].values[:3].tolist() == [0, 0, 0]


def test_curves_in_numbers(walked: Walked, compared: Compared) -> None:
    one, two = walked(steps=20), walked(steps=30)
    _, state = compared(one, two).curves_table()
    assert isinstance(state, TableState)
    found = {column.title: column.values[0] for column in state.columns}
    y = one.board().state("path").series[0].y  # type: ignore[union-attr]
    assert found["Curve"] == "Path, walker"
    assert found["last A"] == one.results["final"]
    assert (found["lowest A"], found["at lowest A"]) == (y.min(), y.argmin())
    assert (found["highest A"], found["at highest A"]) == (y.max(), y.argmax())


def told(folder: Path, total: int, seconds: float, monkeypatch: pytest.MonkeyPatch) -> RunRecord:
    """A record of `total` steps at even pace over `seconds`, by a clock that moves when told."""
    clock = types.SimpleNamespace(now=0.0)
    clock.monotonic, clock.time = lambda: clock.now, lambda: 1.7e9 + clock.now
    monkeypatch.setattr(writing, "time", clock)
    writer = RunWriter(folder, RunHeader(method="walk", parameters={"steps": total}))
    for step in range(total):
        clock.now = seconds * (step + 1) / total
        writer.write(Append("path", "walker", step, float(step)))
        writer.write(Progress((step + 1) / total, "Walking", step + 1, total, "step"))
    writer.close("finished", None, seconds, None)
    return RunRecord(folder)


def test_both_histories_at_the_same_share_of_their_work(
    walk: Method, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [told(tmp_path / "a", 100, 50.0, monkeypatch), told(tmp_path / "b", 40, 200.0, monkeypatch)]
    comparison = Comparison(records, walk)
    for share, lengths in ((0.25, (25, 10)), (0.5, (50, 20)), (1.0, (100, 40)), (0.0, (0, 0))):
        comparison.seek(share)
        states = [board.state("path") for board in comparison.boards.values()]
        found = [len(s.series[0].x) if isinstance(s, LinesState) else 0 for s in states]
        assert tuple(found) == lengths
    assert comparison.words(0.5) == "A step 50 of 100 · Walking, B step 20 of 40 · Walking"
    assert comparison.words(0.0) == ""
    comparison.close()


def test_a_run_that_told_no_progress_is_measured_by_time() -> None:
    way = Timeline(np.array([0.0, 8.0]), np.array([0.0, 1.0]), (None, None))
    assert (way.at(0.25), way.at(1.0), way.words(0.5)) == (2.0, None, "")


def test_it_exports_as_figures_and_csv(walked: Walked, compared: Compared, tmp_path: Path) -> None:
    comparison = compared(walked(steps=20), walked(steps=30))
    folder = tmp_path / "Vergleich"
    reports = export_comparison(comparison, folder, ("svg", "csv"), FigureStyle(width=5))
    assert {report.path.name for report in reports} == {
        "results.csv",
        "table.steps.csv",
        "walk-path.svg",
        "walk-path.csv",
    }
    svg = (folder / "walk-path.svg").read_text(encoding="utf-8")
    assert "walker A" in svg
    assert "walker B" in svg
    assert "stroke-dasharray" in svg
    with (folder / "settings.csv").open(encoding="utf-8") as file:
        rows = {row["key"]: row for row in csv.DictReader(file)}
    assert rows["steps"]["differs"] == "yes"
    assert rows["scale"]["differs"] == "no"
    with (folder / "walk-path.csv").open(encoding="utf-8") as file:
        assert sum(row["name"] == "walker B" for row in csv.DictReader(file)) == 30
    assert next(report for report in reports if report.format == "svg").told_apart


def test_runs_of_two_methods_are_not_compared(walked: Walked) -> None:
    facts = facts_of(walked(steps=20))
    with pytest.raises(RunError, match="Only runs of the same method"):
        sides_of([facts, dataclasses.replace(facts, method="other")])
    with pytest.raises(RunError, match="Two runs or more"):
        sides_of([facts])


def test_letters_go_on_after_z(walked: Walked) -> None:
    facts = facts_of(walked(steps=20))
    many = [dataclasses.replace(facts, parameters={"steps": n}) for n in range(28)]
    assert [side.letter for side in sides_of(many)][24:] == ["Y", "Z", "AA", "AB"]


@pytest.mark.slow
def test_a_method_with_many_kinds_of_view(tmp_path: Path) -> None:
    records = []
    for place, draws in enumerate((50, 60)):
        repeat(
            "benchmark_choice",
            out=tmp_path / str(place),
            data="superglue",
            parameters={"draws": draws},
            threads=1,
        )
        records.append(RunRecord(tmp_path / str(place)))
    comparison = Comparison(records, method("benchmark_choice"))
    comparison.seek()
    pictures = comparison.pictures()
    shown: dict[str, list[Any]] = {}
    for view, state in pictures:
        shown.setdefault(view.kind, []).append(state)
    assert all(state.kind == kind for kind, states in shown.items() for state in states)
    assert "lines" in shown
    assert "table" in shown
    reports = export_comparison(comparison, tmp_path / "out", ("csv",))
    assert all(report.bytes > 0 for report in reports)
    comparison.close()
