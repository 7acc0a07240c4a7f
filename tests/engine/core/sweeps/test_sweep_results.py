"""Means, intervals, tables and pictures of a sweep."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from engine.core.intervals import mean_of
from engine.core.method import Method
from engine.core.sweeps.folder import Outcome
from engine.core.sweeps.pictures import numeric_parameters, result_picture, table_picture
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.results import setting_results
from engine.core.sweeps.sheets import failures_sheet, results_sheet, runs_sheet
from engine.core.views import BarsState, LinesState, TableState

Planned = Callable[..., SweepPlan]


def test_the_interval_is_students() -> None:
    numbers = np.random.default_rng(3).normal(5, 2, 7).tolist()
    mean = mean_of(numbers)
    low, high = stats.t.interval(0.95, 6, np.mean(numbers), stats.sem(numbers))
    assert (mean.low, mean.high, mean.n) == (pytest.approx(low), pytest.approx(high), 7)


def test_two_numbers_by_hand() -> None:
    # t(1) at 0.975 is 12.7062; s/√2 of 1 and 3 is 1.
    mean = mean_of([1, 3])
    assert mean.mean == 2
    assert mean.half == pytest.approx(12.7062047, abs=1e-6)


def test_one_number_has_no_interval_and_none_no_mean() -> None:
    assert math.isnan(mean_of([4.0]).half)
    assert mean_of([4.0]).mean == 4
    nothing = mean_of([math.nan, math.inf])
    assert (nothing.n, math.isnan(nothing.mean)) == (0, True)


def ended(plan: SweepPlan, height: Callable[[float, int], float]) -> dict[str, Outcome]:
    return {
        run.key: Outcome(
            run.key, "finished", 1.5, 10.0, {"side": "right", "height": height(run.values["x"], run.seed)}
        )
        for run in plan.runs()
    }


def test_results_per_setting(planned: Planned) -> None:
    plan = planned({"x": (1, 2)}, seeds=3)
    outcomes = ended(plan, lambda x, seed: x * 10 + seed)
    lost = plan.runs()[-1].key
    outcomes[lost] = Outcome(lost, "failed", error={"kind": "program", "message": "it went wrong"})
    one, two = setting_results(plan, outcomes)
    assert (one.means["height"].mean, one.means["height"].n, one.finished, one.failed) == (11, 3, 3, 0)
    assert (two.means["height"].mean, two.means["height"].n, two.finished, two.failed) == (20.5, 2, 2, 1)
    assert one.words == {"side": "right"}


def test_the_tables_read_back(planned: Planned) -> None:
    plan = planned({"x": (1, 2)}, seeds=2)
    outcomes = ended(plan, lambda x, seed: x + seed)
    gone = plan.runs()[0].key
    outcomes[gone] = Outcome(gone, "failed", error={"kind": "program", "message": "it went, “wrong”"})
    results = list(csv.DictReader(io.StringIO(results_sheet(setting_results(plan, outcomes)).decode())))
    assert [float(row["height"]) for row in results] == [2.0, 2.5]
    assert [row["height n"] for row in results] == ["1", "2"]
    assert results[0]["height ±"] == ""
    assert float(results[1]["height ±"]) == pytest.approx(12.7062 / 2, abs=1e-3)
    runs = list(csv.DictReader(io.StringIO(runs_sheet(plan, outcomes).decode())))
    assert [row["status"] for row in runs] == ["failed", "finished", "finished", "finished"]
    (failure,) = csv.DictReader(io.StringIO(failures_sheet(plan, outcomes).decode()))
    assert (failure["x"], failure["seed"], failure["message"]) == ("1.0", "0", "it went, “wrong”")


def test_a_result_against_a_number_has_bands(trial: Method, planned: Planned) -> None:
    plan = planned({"kind": ("plain", "faulty"), "x": (3, 1, 2)}, seeds=2)
    results = setting_results(plan, ended(plan, lambda x, seed: x + seed))
    assert numeric_parameters(plan) == ["x"]
    view, state = result_picture(trial, plan, results, "height")
    assert isinstance(state, LinesState)
    assert view.y.shown() == "x² with noise (m)"  # type: ignore[attr-defined]
    assert [series.name for series in state.series] == ["Kind plain", "Kind faulty"]
    series = state.series[0]
    assert series.x.tolist() == [1, 2, 3]
    assert series.y.tolist() == [1.5, 2.5, 3.5]
    assert series.low is not None
    assert (series.y - series.low).tolist() == pytest.approx([12.7062 / 2] * 3, abs=1e-3)
    assert series.spread == "mean, 95% of 2 seeds"


def test_results_of_words_are_bars(trial: Method, planned: Planned) -> None:
    plan = planned({"kind": ("plain", "faulty")})
    outcomes = {
        run.key: Outcome(run.key, "finished", 1.0, 1.0, {"height": place + 1.0})
        for place, run in enumerate(plan.runs())
    }
    _, state = result_picture(trial, plan, setting_results(plan, outcomes), "height")
    assert isinstance(state, BarsState)
    assert state.categories == ("plain", "faulty")
    assert state.series[0].values.tolist() == [1, 2]


def test_the_table_of_settings(trial: Method, planned: Planned) -> None:
    plan = planned({"x": (1, 2.25)}, seeds=2)
    _, state = table_picture(trial, plan, setting_results(plan, ended(plan, lambda x, seed: x + seed)))
    assert isinstance(state, TableState)
    assert [column.title for column in state.columns] == ["X", "n", "height", "side", "Time"]
    assert state.columns[0].digits == 2
    assert state.columns[2].kind == "spread"
    assert state.columns[2].values.tolist() == [1.5, 2.75]
