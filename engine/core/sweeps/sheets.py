"""The sweep as CSV files: results, runs, failures."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.core.intervals import NOTHING
from engine.core.records.disk import storage_error, write_whole
from engine.core.sweeps.folder import Outcome
from engine.core.sweeps.grid import shown
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.results import SettingResult, result_names, setting_results, word_names


def write_sheets(folder: Path, plan: SweepPlan, outcomes: Mapping[str, Outcome]) -> None:
    """Writes ``results.csv``, ``runs.csv`` and ``failures.csv``; each appears whole.

    Raises:
        StorageError: the disk does not allow it.
    """
    sheets = {
        "results.csv": results_sheet(setting_results(plan, outcomes)),
        "runs.csv": runs_sheet(plan, outcomes),
        "failures.csv": failures_sheet(plan, outcomes),
    }
    try:
        for name, content in sheets.items():
            write_whole(folder / name, content)
    except OSError as error:
        raise storage_error(error, folder) from error


def results_sheet(results: list[SettingResult]) -> bytes:
    """One line a setting: grid values, finished and failed runs, then mean, ± and n of every result."""
    fields = list(results[0].values) if results else []
    names, words = result_names(results), word_names(results)
    head = [*fields, "finished", "failed"]
    for name in names:
        head += [name, f"{name} ±", f"{name} n"]
    head += [*words, "seconds", "seconds ±"]
    rows = []
    for result in results:
        row: list[Any] = [_cell(result.values[field]) for field in fields]
        row += [result.finished, result.failed]
        for name in names:
            mean = result.means.get(name, NOTHING)
            row += [_number(mean.mean), _number(mean.half), mean.n]
        row += [result.words.get(name, "") for name in words]
        seconds = result.seconds or NOTHING
        rows.append([*row, _number(seconds.mean), _number(seconds.half)])
    return _csv([head, *rows])


def runs_sheet(plan: SweepPlan, outcomes: Mapping[str, Outcome]) -> bytes:
    """One line a run that ended: key, grid values, seed, status, seconds, memory, results."""
    ended = [(run, outcomes[run.key]) for run in plan.runs() if run.key in outcomes]
    names = list(dict.fromkeys(name for _, outcome in ended for name in outcome.results or {}))
    rows = [
        [
            run.key,
            *(_cell(run.values[field]) for field in plan.grid),
            run.seed,
            outcome.status,
            outcome.seconds,
            outcome.peak_mb,
            *((outcome.results or {}).get(name) for name in names),
        ]
        for run, outcome in ended
    ]
    return _csv([["key", *plan.grid, "seed", "status", "seconds", "peak_mb", *names], *rows])


def failures_sheet(plan: SweepPlan, outcomes: Mapping[str, Outcome]) -> bytes:
    """One line a failure: grid values, seed, key (empty for a setting that is not allowed), kind, message."""
    rows: list[list[Any]] = []
    for values, reason in plan.refused:
        rows.append([*(_cell(values[field]) for field in plan.grid), "", "", "not allowed", reason])
    for run in plan.runs():
        outcome = outcomes.get(run.key)
        if outcome is not None and outcome.status == "failed":
            error = outcome.error or {}
            cells = [_cell(run.values[field]) for field in plan.grid]
            rows.append([*cells, run.seed, run.key, error.get("kind", ""), error.get("message", "")])
    return _csv([[*plan.grid, "seed", "key", "kind", "message"], *rows])


def _cell(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) and not isinstance(value, bool) else shown(value)


def _number(value: float) -> Any:
    return "" if math.isnan(value) else value


def _csv(rows: Iterable[list[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode(errors="backslashreplace")
