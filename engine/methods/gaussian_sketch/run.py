"""A run: the optimum, every method side by side, the sweep over rotations, results."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.core.context import Context
from engine.core.errors import FieldError
from engine.core.events import Event, Progress
from engine.methods.gaussian_sketch import measuring, outcomes
from engine.methods.gaussian_sketch.data import Samples
from engine.methods.gaussian_sketch.parameters import Parameters
from engine.methods.gaussian_sketch.pictures import ALL, OF_PROBLEM, shown
from engine.methods.gaussian_sketch.session import Session, change_penalty, open_session, turn


def run(parameters: Parameters, data: Samples, context: Context) -> Generator[Event, Any, Session]:
    """Compare the methods on the problem of the data; returns the session actions go on working on.

    Raises:
        FieldError: the target does not fit the loss.
    """
    yield Progress(None, "Preparing the problem")
    session = started(parameters, data, context)
    context.keep(session)
    yield from shown(session, *OF_PROBLEM, "gap")
    yield from measuring.compiled(session)
    yield from measuring.measure(session)
    session.finished = True
    for study in session.studies:
        yield from outcomes.problem_values(session, study)
    yield from shown(session, *ALL)
    if parameters.sweep:
        yield from measuring.sweep(session)
    yield from outcomes.comparisons(session)
    yield from outcomes.tables(session)
    yield from outcomes.files(session, context)
    yield from shown(session, *ALL)
    yield Progress(1.0, "Finished")
    return session


def started(parameters: Parameters, data: Samples, context: Context) -> Session:
    """A new session; what the person steered before the run is taken over."""
    try:
        session = open_session(parameters, data, context.seed)
    except ValueError as error:
        raise FieldError("objective", found=parameters.objective, allowed=str(error)) from None
    before = context.prepared
    if isinstance(before, Session):
        session.size, session.c, session.axis = before.size, before.c, before.axis
        session.chosen = min(before.chosen, len(session.studies) - 1)
        for study, earlier in zip(session.studies, before.studies, strict=False):
            if earlier.rotation != study.rotation and study.base.can_rotate:
                turn(session, study, earlier.rotation)
            if earlier.objective.penalty != study.objective.penalty:
                change_penalty(session, study, earlier.objective.penalty)
    return session
