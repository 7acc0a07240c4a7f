"""What a person may do: look elsewhere, steer ℓ and c, change φ, rotate the coordinates."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event, Message
from engine.methods.gaussian_sketch.catalogue import why_not
from engine.methods.gaussian_sketch.coefficient_pictures import ranked
from engine.methods.gaussian_sketch.parameters import (
    LABELS,
    LARGEST_SIZE,
    REGULARISER_LABELS,
    Bar,
    CellAt,
    Choose,
    Line,
    Number,
)
from engine.methods.gaussian_sketch.pictures import ALL, OF_METHOD, OF_PROBLEM, shown
from engine.methods.gaussian_sketch.regularisers import Penalty
from engine.methods.gaussian_sketch.session import AXES, Session, change_penalty, turn
from engine.methods.gaussian_sketch.solvers import SegaSolver, SketchSolver
from engine.methods.gaussian_sketch.traces import checkpoint_steps

Edit = Generator[Event, Any, dict[str, Any] | None]
"""Returns the arguments that undo it, None where nothing was changed."""
_OVER = "The run is over: start another one with this setting to measure it"


def choose_problem(session: Session, arguments: Choose, context: Context) -> Iterator[Event]:
    """Look at another problem."""
    if arguments.value in session.titles():
        session.chosen = session.titles().index(arguments.value)
        names = session.study.methods
        if names and session.method not in names:
            session.method = names[0]
        yield from shown(session, *ALL)


def choose_axis(session: Session, arguments: Choose, context: Context) -> Iterator[Event]:
    """Measure the cost in derivatives, seconds, iterations or operations."""
    if arguments.value in AXES:
        session.axis = arguments.value
        yield from shown(session, "gap", "variance", "path")


def choose_method(session: Session, arguments: Choose, context: Context) -> Iterator[Event]:
    """Look at the coefficients of another method."""
    name = next((n for n, label in LABELS.items() if label == arguments.value), "")
    if name in session.study.measured:
        session.method = name
        yield from shown(session, *OF_METHOD, "plane")


def pick_row(session: Session, arguments: CellAt, context: Context) -> Iterator[Event]:
    """Follow the coefficient of a row of the map."""
    yield from _picked(session, arguments.row)


def pick_bar(session: Session, arguments: Bar, context: Context) -> Iterator[Event]:
    """Follow the coefficient of a bar."""
    yield from _picked(session, arguments.id)


def pick_pixel(session: Session, arguments: CellAt, context: Context) -> Iterator[Event]:
    """Follow the coefficient of a pixel."""
    study = session.study
    shape = study.base.image
    if shape is None:
        size = study.objective.penalty.size
        shape = (size, study.objective.dimension // max(size, 1))
    place = arguments.row * shape[1] + arguments.column
    if place < study.objective.dimension:
        session.coefficient = place
        yield from shown(session, "path")


def _picked(session: Session, place: int) -> Iterator[Event]:
    places = ranked(session)
    if place < places.size:
        session.coefficient = int(places[place])
        yield from shown(session, "path")


def set_size(session: Session, arguments: Number, context: Context) -> Edit:
    """Give GSGD another number of directions from the next step on."""
    before, d = session.size, session.study.objective.dimension
    largest = d if session.parameters.sketch in ("orthogonal", "srht") else LARGEST_SIZE
    session.size = int(np.clip(round(arguments.value), 1, largest))
    _steer(session, ("gsgd", "gsgd_plain"), size=session.size)
    yield from shown(session, "ranking", "rotation", "gap", "steering")
    if session.finished:
        yield Message(_OVER)
    return {"value": before}


def set_c(session: Session, arguments: Number, context: Context) -> Edit:
    """Give the trace step another factor from the next step on."""
    before, session.c = session.c, float(np.clip(arguments.value, 1e-3, 4.0))
    _steer(session, tuple(LABELS), c=session.c)
    yield from shown(session, "ranking", "rotation", "gap", "steering")
    if session.finished:
        yield Message(_OVER)
    return {"value": before}


def _steer(
    session: Session, names: tuple[str, ...], *, size: int | None = None, c: float | None = None
) -> None:
    for study in session.studies:
        for name, measured in study.measured.items():
            solver = measured.solver
            if name in names and isinstance(solver, (SketchSolver, SegaSolver)):
                solver.steer(size=size, c=c)
                measured.every = checkpoint_steps(solver, measured.budget)


def rotate(session: Session, arguments: Number, context: Context) -> Edit:
    """Turn the coordinates of the problem; while a run goes on its methods begin anew."""
    study = session.study
    if not study.base.can_rotate:
        return None
    before, amount = study.rotation, float(np.clip(arguments.value, 0.0, 1.0))
    turn(session, study, amount)
    yield from shown(session, *OF_PROBLEM, "gap")
    if session.finished:
        yield Message(_OVER)
    return {"value": before}


def drag_rotation(session: Session, arguments: Line, context: Context) -> Edit:
    """Drag the line of the present rotation."""
    undo = yield from rotate(session, Number(value=arguments.value), context)
    return None if undo is None else {"name": arguments.name, **undo}


def set_regulariser(session: Session, arguments: Choose, context: Context) -> Edit:
    """Change φ of the problem; its methods begin anew."""
    name = next((n for n, label in REGULARISER_LABELS.items() if label == arguments.value), "")
    penalty = session.study.objective.penalty
    if not name or name == penalty.name:
        return None
    new = replace(penalty, name=name)
    if name in ("simplex", "ball") and new.strength <= 0:
        new = replace(new, strength=1.0)
    if not any(not why_not(n, session.study.objective.with_penalty(new)) for n in session.parameters.methods):
        yield Message(f"No chosen method can use {REGULARISER_LABELS[name]}", "warning")
        return None
    yield from _changed(session, new)
    return {"value": REGULARISER_LABELS[penalty.name]}


def set_strength(session: Session, arguments: Number, context: Context) -> Edit:
    """Change the strength of φ; the methods begin anew."""
    penalty = session.study.objective.penalty
    new = replace(penalty, strength=max(arguments.value, 0.0))
    yield from _changed(session, new)
    return {"value": penalty.strength}


def _changed(session: Session, penalty: Penalty) -> Iterator[Event]:
    change_penalty(session, session.study, penalty)
    yield from shown(session, *OF_PROBLEM, "gap", "results")
    if session.finished:
        yield Message(_OVER)
