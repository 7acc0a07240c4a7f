"""What a sweep shows: each result against a parameter with bands, and the table of settings.

The pictures are ordinary views with their states, so that the window and the figures draw them like those
of any method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.intervals import NOTHING
from engine.core.method import Method
from engine.core.records.disk import file_name
from engine.core.sweeps.folder import Outcome
from engine.core.sweeps.grid import setting_words, shown
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.results import (
    SettingResult,
    result_names,
    setting_results,
    word_names,
)
from engine.core.views import (
    Axis,
    Bars,
    BarSeries,
    BarsState,
    Column,
    Lines,
    LinesState,
    Series,
    Table,
    TableState,
    View,
    ViewState,
)

if TYPE_CHECKING:
    from engine.core.figures.export import ExportReport, Format
    from engine.core.figures.style import FigureStyle

ORDER = (7, 3, 4, 5, 0, 1, 2, 6)
"""Colours of compared things, in their order."""
LOG_SPAN = 20.0
"""Positive values that span more than this factor are shown on a logarithmic axis."""

Picture = tuple[View, ViewState]


def numeric_parameters(plan: SweepPlan) -> list[str]:
    """The varied parameters a result can be drawn against as a curve: numbers with at least two values."""
    return [name for name, values in plan.grid.items() if len(values) > 1 and all(map(_is_number, values))]


def result_picture(
    method: Method, plan: SweepPlan, results: Sequence[SettingResult], name: str, against: str | None = None
) -> Picture:
    """A result against `against` (the first numeric parameter if None), one curve for each combination of
    the others; bars, one for each setting, where no parameter is a number."""
    numeric = numeric_parameters(plan)
    if against is None:
        against = numeric[0] if numeric else None
    if against in numeric:
        return _curves(method, plan, results, name, str(against))
    return _bars(method, plan, results, name)


def table_picture(method: Method, plan: SweepPlan, results: Sequence[SettingResult]) -> Picture:
    """One row a setting: its values, how many runs finished, mean ± half-width of every result, seconds."""
    titles = parameter_titles(method)
    columns = [_value_column(name, titles[name], [r.values[name] for r in results]) for name in plan.grid]
    columns.append(_count_column("finished", "n", [r.finished for r in results]))
    if any(r.failed for r in results):
        columns.append(_count_column("failed", "Failed", [r.failed for r in results]))
    for name in result_names(results):
        means = [r.means.get(name, NOTHING) for r in results]
        scalar = method.scalar(name)
        columns.append(
            Column(
                name=name,
                title=name,
                values=np.array([m.mean for m in means]),
                high=np.array([m.half for m in means]),
                kind="spread" if any(m.n > 1 for m in means) else "number",
                unit=scalar.unit if scalar else "",
                digits=scalar.digits if scalar else 3,
                help=scalar.meaning if scalar else "",
            )
        )
    for name in word_names(results):
        words = tuple(r.words.get(name, "") for r in results)
        columns.append(Column(name=name, title=name, values=words, kind="text"))
    seconds = [r.seconds or NOTHING for r in results]
    columns.append(
        Column(name="seconds", title="Time", values=np.array([m.mean for m in seconds]), unit="s", digits=2)
    )
    view = Table("settings", title="Results", entity="setting", empty="Means and intervals appear here")
    state = TableState(
        columns=tuple(columns),
        ids=tuple(range(len(results))),
        caption=f"{len(results):,} settings, mean ± {spread_words(plan)}",
    )
    return view, state


def export_figures(
    method: Method,
    plan: SweepPlan,
    outcomes: Mapping[str, Outcome],
    folder: Path,
    formats: Sequence[Format],
    style: FigureStyle | None = None,
) -> tuple[ExportReport, ...]:
    """Every result against every numeric parameter, and the table, as files in `folder`.

    Raises:
        StorageError: a file cannot be written.
    """
    from engine.core.figures.export import export

    results = setting_results(plan, outcomes)
    folder.mkdir(parents=True, exist_ok=True)
    reports = []
    for name in result_names(results):
        for against in (*numeric_parameters(plan),) or (None,):
            view, state = result_picture(method, plan, results, name, against)
            stem = f"{plan.method}-{name}" + (f"-{against}" if against else "")
            for wanted in formats:
                path = folder / f"{file_name(stem)}.{wanted}"
                reports.append(export(view, state, path, style, wanted))
    return tuple(reports)


def parameter_titles(method: Method) -> dict[str, str]:
    """Parameter → its label."""
    return {spec.name: spec.title for spec in method.parameters.fields()}


def spread_words(plan: SweepPlan) -> str:
    """What a band is: "95% of 5 seeds"."""
    count = len(plan.seeds)
    return f"95% of {count} seeds" if count > 1 else "one seed, no interval"


def _curves(
    method: Method, plan: SweepPlan, results: Sequence[SettingResult], name: str, against: str
) -> Picture:
    spec = next(spec for spec in method.parameters.fields() if spec.name == against)
    curves: dict[str, list[SettingResult]] = {}
    titles = parameter_titles(method)
    for result in results:
        others = {n: v for n, v in result.values.items() if n != against and len(plan.grid[n]) > 1}
        curves.setdefault(setting_words(others, titles) or name, []).append(result)
    several = len(plan.seeds) > 1
    series = []
    for place, (words, members) in enumerate(curves.items()):
        members = sorted(members, key=lambda r: float(r.values[against]))
        means = [r.means.get(name, NOTHING) for r in members]
        series.append(
            Series(
                name=words,
                x=np.array([float(r.values[against]) for r in members]),
                y=np.array([m.mean for m in means]),
                low=np.array([m.low for m in means]) if several else None,
                high=np.array([m.high for m in means]) if several else None,
                colour=ORDER[place % 8] + 8 * (place // 8),
                spread=f"mean, {spread_words(plan)}" if several else "",
            )
        )
    values = [float(value) for value in plan.grid[against]]
    log = min(values) > 0 and max(values) / min(values) > LOG_SPAN
    view = Lines(
        name,
        title=name,
        entity="setting",
        x=Axis(spec.title, spec.unit, log),
        y=_axis(method, name),
        empty="The result appears here as runs finish",
    )
    return view, LinesState(series=tuple(series), caption=_caption(plan, results))


def _bars(method: Method, plan: SweepPlan, results: Sequence[SettingResult], name: str) -> Picture:
    titles = parameter_titles(method)
    means = [r.means.get(name, NOTHING) for r in results]
    several = len(plan.seeds) > 1
    series = BarSeries(
        name=name,
        values=np.array([m.mean for m in means]),
        low=np.array([m.low for m in means]) if several else None,
        high=np.array([m.high for m in means]) if several else None,
        colour=ORDER[0],
    )
    varied = [titles[field] for field in plan.grid]
    names = tuple(
        ", ".join(shown(value) for value in result.values.values()) or "all seeds" for result in results
    )
    view = Bars(
        name,
        title=name,
        entity="setting",
        category=Axis(", ".join(varied) or "setting"),
        value=_axis(method, name),
        horizontal=len(names) > 6 or max(map(len, names), default=0) > 12,
        empty="The result appears here as runs finish",
    )
    return view, BarsState(series=(series,), categories=names, caption=_caption(plan, results))


def _axis(method: Method, name: str) -> Axis:
    scalar = method.scalar(name)
    return Axis(scalar.meaning, scalar.unit) if scalar else Axis(name)


def _caption(plan: SweepPlan, results: Sequence[SettingResult]) -> str:
    done = sum(result.finished for result in results)
    return f"{done:,} of {len(plan.settings) * len(plan.seeds):,} runs, {spread_words(plan)}"


def _value_column(name: str, title: str, values: Sequence[Any]) -> Column:
    if all(_is_number(value) for value in values):
        whole = all(float(value).is_integer() for value in values)
        numbers = np.array([float(value) for value in values])
        if whole:
            return Column(name=name, title=title, values=numbers.astype(np.int64), kind="integer")
        digits = max(_decimals(value) for value in values)
        return Column(name=name, title=title, values=numbers, digits=digits)
    return Column(name=name, title=title, values=tuple(shown(value) for value in values), kind="text")


def _count_column(name: str, title: str, values: Sequence[int]) -> Column:
    return Column(name=name, title=title, values=np.array(values, np.int64), kind="integer")


def _decimals(value: float) -> int:
    """Decimals that show `value` to six significant digits without trailing zeros; at most twelve."""
    text = f"{float(value):.12f}".rstrip("0")
    return min(12, len(text.partition(".")[2]))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
