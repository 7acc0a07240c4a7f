"""A run: exact values, simulation beside them, maps of two-arm policies, one run by steps."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Artifact, Event, Message, Progress, Rows, Value
from engine.methods.best_arm.arms import Instances
from engine.methods.best_arm.error_pictures import uniform_log
from engine.methods.best_arm.exact_stage import exact_curves, exact_points, policy_maps
from engine.methods.best_arm.parameters import LABELS, Parameters
from engine.methods.best_arm.pictures import OF_INSTANCE, shown
from engine.methods.best_arm.planner import smallest_budget
from engine.methods.best_arm.rates import sr_rate, sr_rate_terms, uniform_rate
from engine.methods.best_arm.session import EDITED, Point, PolicyMap, Session, open_session
from engine.methods.best_arm.simulation_stage import one_run, simulated_points, work_list
from engine.methods.best_arm.static_optimum import best_static_weights

_SECONDS_BETWEEN_PICTURES = 0.25


def run(parameters: Parameters, data: Instances, context: Context) -> Generator[Event, None, Session]:
    """Compare the algorithms on the instances; returns the session that actions go on working on."""
    session = _session(parameters, data, context)
    context.keep(session)
    yield from shown(session, *OF_INSTANCE, "region", "table", "results")
    yield from _rates(session)
    total = len(work_list(session)) + sum(name == "own" for _, name in session.pairs()) * len(
        parameters.budget_list
    )
    maps = bool(parameters.map and session.two_arm_policies())
    parts = _Parts(exact=0.2 if parameters.exact else 0.0, maps=0.25 if maps else 0.0)
    if parameters.exact:
        yield from _exact(session, parts, total)
    yield from _simulation(session, context, parts, total)
    if maps:
        yield from _maps(session, context, parts)
    for i, name in session.pairs():
        if name != "own":
            for _ in one_run(session, context, i, name):
                yield Progress(0.99, "One run of every algorithm")
    yield from shown(session, *OF_INSTANCE, "results")
    yield from _results(session)
    yield Progress(1.0, "Finished")
    return session


class _Parts:
    """The share of the whole run that each stage takes."""

    def __init__(self, *, exact: float, maps: float) -> None:
        self.exact, self.maps = exact, maps
        self.simulation = 0.98 - exact - maps


class _Clock:
    """Says when a picture is due; pictures do not decide results."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def is_due(self) -> bool:
        now = time.monotonic()
        if now - self._last < _SECONDS_BETWEEN_PICTURES:
            return False
        self._last = now
        return True


def _session(parameters: Parameters, data: Instances, context: Context) -> Session:
    """A new session; means and policy the person changed before the run are taken over."""
    session, before = open_session(parameters, data), context.prepared
    if isinstance(before, Session):
        session.instances = list(before.instances)
        session.instance = min(before.instance, len(session.instances) - 1)
        session.table, session.goal, session.planned = before.table, before.goal, before.planned
        names = session.algorithms_on(session.instance)
        session.algorithm = session.algorithm if session.algorithm in names else [*names, "uniform"][0]
    session.start()
    return session


def _rates(session: Session) -> Iterator[Event]:
    for i, arms in enumerate(session.instances[: session.compared]):
        means, key = arms.means, instance_key(session, i)
        yield Value(f"rate.{key}.uniform", uniform_rate(means))
        yield Value(f"rate.{key}.sr", sr_rate(means))
        if ((means > 0) & (means < 1)).all():
            yield Value(f"rate.{key}.best_static", best_static_weights(means)[1])
        terms = sr_rate_terms(means)
        names = [*(f"SR, j = {j}" for j in range(2, means.size + 1)), "uniform"]
        yield Rows(
            "rates",
            {"instance": [key] * len(names), "term": names, "rate": [*terms.tolist(), uniform_rate(means)]},
        )
        plan = smallest_budget(means, session.goal, max_budget=4_000_000)
        yield Value(f"budget.{key}", plan.budget if plan.budget is not None else math.inf)
        yield Rows(
            "plan",
            {
                "instance": [key],
                "allowed_error": [session.goal],
                "budget": [plan.budget if plan.budget is not None else math.nan],
                "error": [math.exp(plan.log_error)],
            },
        )


def _exact(session: Session, parts: _Parts, total: int) -> Iterator[Event]:
    clock = _Clock()
    for done, phase in exact_points(session):
        yield Progress(parts.exact * 0.7 * done / max(total, 1), _titled(phase), done, total, "point")
        if clock.is_due():
            yield from shown(session, "error", "rate")
    for _ in exact_curves(session):
        yield Progress(parts.exact * 0.8, "Exact curves")
        if clock.is_due():
            yield from shown(session, "error", "rate")
    yield from shown(session, "error", "rate", "results")


def _titled(phase: str) -> str:
    """The algorithm's title in place of its short name."""
    head, _, rest = phase.partition(": ")
    name, comma, end = rest.partition(",")
    return f"{head}: {LABELS.get(name, name)}{comma}{end}"


def _simulation(session: Session, context: Context, parts: _Parts, total: int) -> Iterator[Event]:
    clock, finished = _Clock(), 0
    for done, phase in simulated_points(session, context):
        fraction = parts.exact + parts.simulation * done / max(total, 1)
        yield Progress(fraction, phase, done, total, "point")
        if done > finished:
            finished = done
            yield from _value_of(session, session.points[work_list(session)[done - 1]])
        if clock.is_due():
            yield from shown(session, "error", "rate", "results", "trade_off", "shares", "split")
    yield from shown(session, "error", "rate", "results", "trade_off", "shares", "split")


def _maps(session: Session, context: Context, parts: _Parts) -> Iterator[Event]:
    clock, finished = _Clock(), 0
    for done, total, name in policy_maps(session):
        fraction = parts.exact + parts.simulation + parts.maps * done / total
        yield Progress(fraction, f"Map of {LABELS[name]}", done, total, "policy")
        if done > finished:
            finished = done
            yield from shown(session, "map", "stability")
            values = session.maps[name].values[-1]
            yield Value(f"map_better.{name}", float(np.nanmean(values < 0)))
            yield Value(f"map_worse.{name}", float(np.nanmean(values > 0)))
            yield Value(f"map_worst_factor.{name}", float(np.exp(min(np.nanmax(values), 700.0))))
        elif clock.is_due():
            yield from shown(session, "map")
    if _compared_maps(session):
        yield from _map_rows(session)
        path = context.scratch / "map.npz"
        arrays: dict[str, Any] = {name: found.values for name, found in _compared_maps(session).items()}
        np.savez(path, means=session.grid, **arrays)
        yield Artifact("map.npz", path, "The table of universality maps")


def _compared_maps(session: Session) -> dict[str, PolicyMap]:
    """The maps of the run, without that of a table edited meanwhile."""
    return {name: found for name, found in session.maps.items() if name != EDITED}


def _map_rows(session: Session) -> Iterator[Event]:
    grid = session.grid
    for name, found in _compared_maps(session).items():
        size = grid.size * grid.size
        yield Rows(
            "map",
            {
                "algorithm": [name] * size,
                "budget": [found.budgets[-1]] * size,
                "mean_1": np.tile(grid, grid.size),
                "mean_2": np.repeat(grid, grid.size),
                "log_ratio": found.values[-1].ravel(),
            },
        )


def instance_key(session: Session, i: int) -> str:
    """The name of an instance as a part of a result's name: no dots or spaces."""
    name = session.instances[i].name.replace(".", "_").replace(" ", "_")
    return (
        name
        if sum(a.name == session.instances[i].name for a in session.instances) == 1
        else f"{name}_{i + 1}"
    )


def _value_of(session: Session, point: Point) -> Iterator[Event]:
    name = f"error.{instance_key(session, point.instance)}.{point.algorithm}.t{point.budget}"
    if point.source == "exact":
        yield Value(name, math.exp(point.log_value))
    elif point.runs:
        low, high = point.interval(session.parameters.level)
        value = math.exp(point.log_value) if math.isfinite(point.log_value) else 0.0
        yield Value(name, value, (high - low) / 2, point.runs)


def _results(session: Session) -> Iterator[Event]:
    points = sorted(session.points.values(), key=lambda p: (p.instance, p.budget, p.algorithm))
    for point in points:
        yield from _value_of(session, point)
    columns: dict[str, list[Any]] = {name: [] for name in _ERROR_COLUMNS}
    for point in points:
        low, high = point.interval(session.parameters.level) if point.runs else (math.nan, math.nan)
        row = (
            instance_key(session, point.instance), point.algorithm, point.budget,
            math.exp(point.log_value), point.log_value / math.log(10), point.source, low, high,
            point.errors, point.runs,
            math.exp(min(point.log_value - uniform_log(session, point.instance, point.budget), 700.0)),
            point.regret,
        )  # fmt: skip
        for name, value in zip(_ERROR_COLUMNS, row, strict=True):
            columns[name].append(value)
    yield Rows("errors", columns)
    for text in _disagreements(session, points):
        yield Message(text)


_ERROR_COLUMNS = (
    "instance", "algorithm", "budget", "error", "log10_error", "source", "low", "high", "errors", "runs",
    "ratio_to_uniform", "regret",
)  # fmt: skip


def _disagreements(session: Session, points: list[Point]) -> Iterator[str]:
    """Where the finite-budget order of SR and uniform differs from the order of their rates."""
    for i, arms in enumerate(session.instances[: session.compared]):
        found = {(p.algorithm, p.budget): p for p in points if p.instance == i}
        rates_say = uniform_rate(arms.means) > sr_rate(arms.means)
        for budget in session.parameters.budget_list:
            sr, uniform = found.get(("sr", budget)), found.get(("uniform", budget))
            if sr is None or uniform is None or not arms.count > 2:
                continue
            if math.isfinite(sr.log_value - uniform.log_value) and (
                (uniform.log_value < sr.log_value) != rates_say
            ):
                better = "uniform sampling" if rates_say else "Successive Rejects"
                yield (
                    f"{session.labels()[i]}, T = {budget:,}: {better} has the larger rate, "
                    "but not the smaller error at this budget."
                )
