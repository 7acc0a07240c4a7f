"""The walk itself."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Append, Ask, Event, Message, Progress, Rows, Show, Value
from engine.core.method import Problem
from engine.core.views import Level, LinesState, ScatterState, Series


@dataclass
class Walk:
    """What actions work on."""

    position: float = 0.0
    goal: float = 1.0


def check(parameters: Any, data: Any) -> list[Problem]:
    """The walk may not be longer than ten thousand steps per row."""
    if parameters.steps > 10_000 * data.n:
        return [Problem("steps", f"at most {10_000 * data.n:,} steps for {data.n} rows")]
    return []


def preview(parameters: Any, data: Any, context: Context) -> Generator[Event, Any, Walk]:
    """The data, and the goal."""
    x = data.numeric()
    yield Show("data", ScatterState(x=x[:, 0].copy(), y=x[:, 1].copy(), caption=f"{data.n} rows"))
    yield Show("path", picture(1.0))
    return Walk()


def picture(goal: float) -> LinesState:
    """The goal and an empty path."""
    empty = Series(name="walker", x=np.empty(0), y=np.empty(0), colour=7)
    return LinesState(series=(empty,), levels=(Level(name="goal", value=goal, draggable=True),))


def run(parameters: Any, data: Any, context: Context) -> Generator[Event, Any, Walk]:
    """One step a yield; half of each step is drawn from the process's own generator."""
    walk = context.prepared or Walk()
    context.keep(walk)
    yield Message(f"Walking {parameters.steps} steps")
    yield Show("path", picture(walk.goal))
    for step in range(parameters.steps):
        walk.position += parameters.scale * (context.rng.normal() + random.gauss(0, 1)) / 2
        yield Append("path", "walker", step, walk.position)
        if step % 10 == 0:
            yield Rows("steps", {"step": [step], "position": [walk.position]})
            yield Progress((step + 1) / parameters.steps, "Walking", step + 1, parameters.steps, "step")
    if parameters.ask:
        answer = yield Ask("Go one step more?", {"more": (True, False)}, {"more": False})
        walk.position += 1000.0 * answer["more"]
    yield Value("largest.whole", walk.position)
    yield Value("final", walk.position)
    return walk


def move_goal(walk: Walk, arguments: Any, context: Context) -> Iterator[Event]:
    """Draw the goal elsewhere."""
    before, walk.goal = walk.goal, arguments.value
    yield Show("path", picture(walk.goal))
    return {"name": arguments.name, "value": before}
