"""Views of error probabilities: against the budget, their rates, the results table, the trade-off."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine.core.views import (
    Column,
    Group,
    Level,
    LinesState,
    ScatterState,
    Series,
    TableState,
)
from engine.methods.best_arm.arms import means_in_words
from engine.methods.best_arm.parameters import LABELS
from engine.methods.best_arm.rate_pictures import SMALLEST, in_words, instance_switch, shown_probability
from engine.methods.best_arm.rates import sr_rate, uniform_rate
from engine.methods.best_arm.session import Point, Session
from engine.methods.best_arm.static_optimum import best_static_weights


def error_picture(session: Session) -> LinesState:
    """P(error) against T: exact curves as lines, simulated points with their intervals."""
    i, series = session.instance, []
    for name in session.algorithms_on(i):
        exact = _exact_series(session, i, name)
        series += exact + _simulated_series(session, i, name, beside_exact=bool(exact))
    return LinesState(
        caption=means_in_words(session.arms.means),
        controls=instance_switch(session),
        series=tuple(series),
        levels=(Level(name="allowed error", value=session.goal),),
    )


def _exact_series(session: Session, instance: int, name: str) -> list[Series]:
    colour = session.colour(name)
    if (instance, name) in session.curves:
        budgets, logs = session.curves[instance, name]
        y = np.array([shown_probability(v) for v in logs])
        return [Series(name=LABELS[name], x=budgets.astype(float), y=y, colour=colour, marks=False)]
    known = [p for p in session.points_of(instance, name) if p.log_exact is not None]
    if not known:
        return []
    x = np.array([p.budget for p in known], dtype=float)
    y = np.array([shown_probability(p.log_exact) for p in known if p.log_exact is not None])
    return [Series(name=LABELS[name], x=x, y=y, colour=colour, marks=False)]


def _simulated_series(session: Session, instance: int, name: str, *, beside_exact: bool) -> list[Series]:
    seen = [p for p in session.points_of(instance, name) if _has_simulated_value(p)]
    if not seen:
        return []
    values, lows, highs = zip(*(_simulated(p, session.parameters.level) for p in seen), strict=True)
    return [
        Series(
            name=f"{LABELS[name]}, simulated" if beside_exact else LABELS[name],
            x=np.array([p.budget for p in seen], dtype=float),
            y=np.array(values),
            low=np.array(lows),
            high=np.array(highs),
            colour=session.colour(name),
            style="dotted",
            marks=True,
            named=not beside_exact,
            spread=f"{session.parameters.level:.0%} interval of the simulation",
        )
    ]


def _has_simulated_value(point: Point) -> bool:
    """Whether an error was seen or importance sampling gave a value; else only the table has a limit."""
    return bool(point.errors) or (point.log_rare is not None and point.log_rare > math.log(SMALLEST))


def _simulated(point: Point, level: float) -> tuple[float, float, float]:
    """(value, low, high) of the simulation, whatever the exact value is."""
    alone = replace(point, log_exact=None)
    low, high = alone.interval(level)
    value = shown_probability(alone.log_value)
    return value, max(low, value / 100), high


def rate_picture(session: Session) -> LinesState:
    """−ln P(error) / T against T, with the limits as horizontal lines."""
    i, series = session.instance, []
    for name in session.algorithms_on(i):
        if (i, name) in session.curves:
            budgets, logs = session.curves[i, name]
        else:
            known = [p for p in session.points_of(i, name) if math.isfinite(p.log_value)]
            budgets = np.array([p.budget for p in known])
            logs = np.array([p.log_value for p in known])
        if budgets.size:
            series.append(
                Series(
                    name=LABELS[name],
                    x=budgets.astype(float),
                    y=-logs / budgets,
                    colour=session.colour(name),
                    marks=budgets.size < 20,
                )
            )
    return LinesState(
        caption="the limits are the horizontal lines",
        controls=instance_switch(session),
        series=tuple(series),
        levels=tuple(_limits(session)),
    )


def _limits(session: Session) -> list[Level]:
    means = session.arms.means
    uniform, rejects = uniform_rate(means), sr_rate(means)
    if math.isclose(uniform, rejects, rel_tol=1e-9):
        limits = [("limit of both", uniform, "bound")]
    else:
        limits = [("limit of uniform", uniform, "bound"), ("limit of rejects", rejects, "baseline")]
    if ((means > 0) & (means < 1)).all():
        limits.append(("best static", best_static_weights(means)[1], "optimum"))
    return [
        Level(name=name, value=rate, kind=kind)  # type: ignore[arg-type]
        for name, rate, kind in limits
        if math.isfinite(rate)
    ]


def uniform_log(session: Session, instance: int, budget: int) -> float:
    """ln P(error) of uniform sampling at the same instance and budget; NaN when not compared."""
    point = session.points.get((instance, "uniform", budget))
    return point.log_value if point else math.nan


def results_table(session: Session) -> TableState:
    """One row per instance, algorithm and budget."""
    points = sorted(session.points.values(), key=lambda p: (p.instance, p.budget, p.algorithm))
    points = [p for p in points if p.source != "no error seen" or p.runs]
    level = session.parameters.level
    bounds = [p.interval(level) if p.runs else (math.nan, math.nan) for p in points]
    ratio = [p.log_value - uniform_log(session, p.instance, p.budget) for p in points]
    return TableState(
        caption=f"{len(points)} points",
        columns=(
            _text("algorithm", "Algorithm", (LABELS[p.algorithm] for p in points)),
            _whole("instance", "Instance", (p.instance + 1 for p in points)),
            _whole("budget", "T", (p.budget for p in points)),
            Column(
                name="error",
                title="P(error)",
                values=np.array([math.exp(p.log_value) for p in points]),
                texts=tuple(_value(p, level) for p in points),
                digits=4,
            ),
            _text("interval", "Simulated", (_interval(b) for b in bounds)),
            _whole("runs", "Runs", (p.runs for p in points)),
            _text("source", "From", (p.source for p in points)),
            Column(
                name="ratio", title="To uniform", values=np.array([math.exp(min(r, 700)) for r in ratio]),
                digits=3, help="P(error) over that of uniform sampling",
            ),
        ),
        ids=tuple(range(len(points))),
        colours=tuple(session.colour(p.algorithm) for p in points),
    )  # fmt: skip


def _text(name: str, title: str, words: Iterable[str]) -> Column:
    return Column(name=name, title=title, values=tuple(words), kind="text")


def _whole(name: str, title: str, numbers: Iterable[int]) -> Column:
    return Column(name=name, title=title, values=np.array(list(numbers), np.int64), kind="integer")


def _bound(value: float) -> str:
    return "" if math.isnan(value) else in_words(math.log(value)) if value > 0 else "0"


def _interval(bounds: tuple[float, float]) -> str:
    return "" if math.isnan(bounds[1]) else f"{_bound(bounds[0])}–{_bound(bounds[1])}"


def _value(point: Point, level: float) -> str:
    if point.source == "no error seen":
        return f"below {_bound(point.interval(level)[1])}"
    return in_words(point.log_value)


def trade_off_picture(session: Session) -> ScatterState:
    """Regret per draw against the error probability, at the largest budget simulated."""
    chosen = []
    for name in session.algorithms_on(session.instance):
        known = [
            p
            for p in session.points_of(session.instance, name)
            if p.runs and math.isfinite(p.log_value) and math.isfinite(p.regret)
        ]
        if known:
            chosen.append(known[-1])
    low_high = [p.interval(session.parameters.level) for p in chosen]
    exact = [p.log_exact is not None for p in chosen]
    values = np.array([shown_probability(p.log_value) for p in chosen])
    return ScatterState(
        caption=f"T = {chosen[-1].budget:,}" if chosen else "",
        x=np.array([p.regret / p.budget for p in chosen]),
        y=values,
        group=np.arange(len(chosen)),
        groups=tuple(Group(name=LABELS[p.algorithm], colour=session.colour(p.algorithm)) for p in chosen),
        names=tuple(LABELS[p.algorithm] for p in chosen),
        low=np.where(exact, values, [b[0] for b in low_high]) if chosen else None,
        high=np.where(exact, values, [b[1] for b in low_high]) if chosen else None,
    )
