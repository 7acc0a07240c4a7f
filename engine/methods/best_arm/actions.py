"""What a person may do with the tab: choose what is looked at, move means, edit the own policy, replan."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event
from engine.methods.best_arm.arms import arms_of
from engine.methods.best_arm.map_pictures import equal_mean_shares, log_ratio_map
from engine.methods.best_arm.parameters import (
    CellAt,
    CellValue,
    Choose,
    Line,
    MoveMean,
    Number,
)
from engine.methods.best_arm.pictures import OF_ALGORITHM, OF_INSTANCE, shown
from engine.methods.best_arm.preview import add_uniform_curve
from engine.methods.best_arm.session import EDITED, MAP_LABELS, PolicyMap, Session
from engine.methods.best_arm.simulation_stage import one_run
from engine.methods.best_arm.two_arm_exact import two_arm_law
from engine.methods.best_arm.two_arm_policies import static_policy

Answer = Iterator[Event]
Edit = Generator[Event, None, Mapping[str, Any] | None]
"""Returns the arguments that undo it."""
_EDITED_BUDGET = 60


def choose_instance(session: Session, arguments: Choose, context: Context) -> Answer:
    """Look at another instance."""
    labels = session.labels()
    if arguments.value in labels:
        session.instance = labels.index(arguments.value)
        session.region_mean = float(np.clip(session.arms.means[0], 0.05, 0.99))
        _keep_algorithm(session)
        if (session.instance, "uniform") not in session.curves:
            add_uniform_curve(session)
        yield from shown(session, *OF_INSTANCE, "region")


def choose_algorithm(session: Session, arguments: Choose, context: Context) -> Answer:
    """Look at the allocation and the single run of another algorithm."""
    name = _named(arguments.value)
    if name in session.algorithms_on(session.instance) and name != "own":
        session.algorithm = name
        yield from shown(session, *OF_ALGORITHM)


def choose_map(session: Session, arguments: Choose, context: Context) -> Answer:
    """Show the map of another policy."""
    name = _named(arguments.value)
    if name in session.maps:
        session.map_choice = name
        yield from shown(session, "map")


def move_map_budget(session: Session, arguments: Number, context: Context) -> Answer:
    """Show the map at the nearest computed budget."""
    found = session.maps.get(session.map_choice)
    if found is not None:
        session.map_step = int(np.argmin(np.abs(np.array(found.budgets) - arguments.value)))
        yield from shown(session, "map")


def open_pair(session: Session, arguments: CellAt, context: Context) -> Answer:
    """Look at the pair of means under the pointer as an instance of its own."""
    grid = session.grid
    if max(arguments.row, arguments.column) < grid.size:
        means = (float(grid[arguments.column]), float(grid[arguments.row]))
        pair = arms_of(f"μ = {means[0]:.3g}, {means[1]:.3g}", means)
        session.instances.append(pair)
        session.instance = len(session.instances) - 1
        _keep_algorithm(session)
        add_uniform_curve(session)
        yield from shown(session, *OF_INSTANCE)


def move_mean(session: Session, arguments: MoveMean, context: Context) -> Edit:
    """Give an arm another mean; an instance that a run compares is left alone, a copy is edited."""
    before = session.arms
    if arguments.id >= before.count:
        return None
    means = before.means.copy()
    previous, means[arguments.id] = float(means[arguments.id]), arguments.value
    changed = before.with_means(means)
    if session.instance < session.compared:
        session.instances.append(replace(changed, name=f"{before.name}, edited"))
        session.instance = len(session.instances) - 1
    session.instances[session.instance] = replace(changed, name=session.arms.name)
    add_uniform_curve(session)
    session.region_mean = float(np.clip(means.max(), 0.05, 0.99))
    yield from shown(session, *OF_INSTANCE, "region")
    return {"id": arguments.id, "value": previous}


def move_region(session: Session, arguments: Number, context: Context) -> Answer:
    """Another best mean for the region of three arms."""
    session.region_mean = float(np.clip(arguments.value, 0.05, 0.99))
    yield from shown(session, "region")


def move_plan(session: Session, arguments: Line, context: Context) -> Edit:
    """Drag the allowed error or the planned budget."""
    if arguments.name == "allowed error":
        before, session.goal = session.goal, float(np.clip(arguments.value, 1e-9, 0.499))
        changed: tuple[str, ...] = ("plan", "answers", "error")
    else:
        before, session.planned = float(session.planned), max(int(arguments.value), session.arms.count)
        changed = ("plan", "answers")
    yield from shown(session, *changed)
    return {"name": arguments.name, "value": before}


def edit_policy(session: Session, arguments: CellValue, context: Context) -> Edit:
    """Change one cell of the own policy and compare it with uniform at once, by an exact pass."""
    rows, columns = session.table.shape
    if arguments.row >= rows or arguments.column >= columns:
        return None
    before = float(session.table[arguments.row, arguments.column])
    session.table = session.table.copy()
    session.table[arguments.row, arguments.column] = arguments.value
    add_edited_map(session)
    yield from shown(session, "table", "map", "stability")
    return {"row": arguments.row, "column": arguments.column, "value": before}


def add_edited_map(session: Session) -> None:
    """Map and stability of the own policy at a budget small enough to answer at once."""
    budget = min(_EDITED_BUDGET, session.parameters.map_budget)
    law = two_arm_law(session.policy(EDITED), budget)
    uniform = two_arm_law(static_policy(0.5), budget)
    session.maps[EDITED] = PolicyMap((budget,), log_ratio_map(law, uniform, session.grid)[None])
    session.stability[EDITED] = equal_mean_shares(law)
    session.map_choice = EDITED


def another_run(session: Session, arguments: Any, context: Context) -> Answer:
    """Draw the single run shown again."""
    session.trace_number += 1
    for _ in one_run(session, context, session.instance, session.algorithm):
        pass
    yield from shown(session, "trace", "steps")


def _named(label: str) -> str:
    return next((name for name, text in MAP_LABELS.items() if text == label), "")


def _keep_algorithm(session: Session) -> None:
    names = [name for name in session.algorithms_on(session.instance) if name != "own"]
    if session.algorithm not in names and names:
        session.algorithm = names[0]
