"""What a person may do in the instance lab. Every edit can be undone and clusters again at once."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.errors import FieldError
from engine.core.events import Event, Message
from engine.methods.linkage.adversary import climb
from engine.methods.linkage.lab import CELLS_LIMIT, Lab, lab_of
from engine.methods.linkage.lab_filling import filled, first_lab
from engine.methods.linkage.lab_pictures import SEARCHED_UP_TO, lab_full
from engine.methods.linkage.parameters import (
    Choose,
    Chosen,
    EditDistance,
    LabContent,
    MovePoint,
    NewPoint,
    Number,
    RemovePoint,
)
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Session, label, named

Edit = Generator[Event, None, Any]
STEPS_A_PRESS = 150
LAB_VIEWS = ("lab", "lab_distances")


def lab_held(session: Session) -> Lab:
    """The lab, filled when first needed."""
    if session.lab is None:
        session.lab = first_lab(session)
    return session.lab


def move_point(session: Session, arguments: MovePoint, context: Context) -> Edit:
    """Drag a point; its distances follow unless they are given by the table."""
    lab = lab_held(session)
    if arguments.id >= lab.n:
        return None
    before = lab.places[arguments.id].tolist()
    lab.places = lab.places.copy()
    lab.places[arguments.id] = arguments.x, arguments.y
    if lab.matrix is None:
        lab.recluster(context.seed)
    yield from shown(session, *LAB_VIEWS)
    return {"id": arguments.id, "x": before[0], "y": before[1]}


def add_point(session: Session, arguments: NewPoint, context: Context) -> Edit:
    """A point where the plane was double-clicked; among given distances as far as it looks."""
    lab = lab_held(session)
    if arguments.take_back:
        _drop(lab, lab.n - 1)
    elif lab_full(lab):
        yield Message("The lab takes at most 200 points", "warning")
        return None
    else:
        place = np.array([arguments.x, arguments.y])
        if lab.matrix is not None:
            far = np.linalg.norm(lab.places - place, axis=1)
            lab.matrix = np.block([[lab.matrix, far[:, None]], [far[None, :], np.zeros((1, 1))]])
        lab.places = np.vstack([lab.places, place])
    lab.recluster(context.seed)
    yield from shown(session, *LAB_VIEWS)
    return {"x": arguments.x, "y": arguments.y, "take_back": not arguments.take_back}


def remove_point(session: Session, arguments: RemovePoint, context: Context) -> Edit:
    """Take a point away: the one picked, or the last; or put it back."""
    lab = lab_held(session)
    if arguments.row:
        _put_back(lab, int(arguments.id or 0), json.loads(arguments.row))
        inverse: dict[str, Any] = {"id": arguments.id}
    else:
        at = lab.n - 1 if arguments.id is None else arguments.id
        if at >= lab.n or lab.n <= 2:
            return None
        row = None if lab.matrix is None else lab.matrix[at].tolist()
        inverse = {"id": at, "row": json.dumps({"place": lab.places[at].tolist(), "row": row})}
        _drop(lab, at)
    lab.picked = None
    lab.recluster(context.seed)
    yield from shown(session, *LAB_VIEWS)
    return inverse


def _drop(lab: Lab, at: int) -> None:
    lab.places = np.delete(lab.places, at, axis=0)
    if lab.matrix is not None:
        lab.matrix = np.delete(np.delete(lab.matrix, at, axis=0), at, axis=1)


def _put_back(lab: Lab, at: int, held: dict[str, Any]) -> None:
    lab.places = np.insert(lab.places, at, held["place"], axis=0)
    if lab.matrix is not None and held["row"] is not None:
        row = np.array(held["row"])
        whole = np.insert(lab.matrix, at, np.delete(row, at), axis=0)
        lab.matrix = np.insert(whole, at, row, axis=1)


def pick_point(session: Session, arguments: Chosen, context: Context) -> Iterator[Event]:
    """The point that Remove takes away."""
    lab = lab_held(session)
    lab.picked = int(arguments.id)
    yield from shown(session, "lab_distances")


def edit_distance(session: Session, arguments: EditDistance, context: Context) -> Edit:
    """Set one distance, both ways; from then on distances are those of the table."""
    lab = lab_held(session)
    i, j = arguments.row, arguments.column
    if lab.n > CELLS_LIMIT:
        raise FieldError(
            "value", found=arguments.value, allowed=f"cells are edited up to {CELLS_LIMIT} points"
        )
    if max(i, j) >= lab.n or i == j:
        raise FieldError("value", found=arguments.value, allowed="the distance of two different points")
    measured = lab.matrix is None
    before = float(lab.square[i, j])
    if arguments.as_points:
        lab.matrix = None
    else:
        lab.matrix = lab.square.copy()
        lab.matrix[i, j] = lab.matrix[j, i] = arguments.value
    lab.recluster(context.seed)
    yield from shown(session, *LAB_VIEWS)
    return {"row": i, "column": j, "value": before, "as_points": measured and not arguments.as_points}


def fill_lab(session: Session, arguments: LabContent, context: Context) -> Edit:
    """Fill the lab with an instance or with the data of the tab."""
    before = lab_held(session)
    inverse = before.content()
    session.lab = filled(session, arguments, before)
    yield from shown(session, *LAB_VIEWS)
    return inverse


def reset_lab(session: Session, arguments: LabContent, context: Context) -> Edit:
    """The content the tab began with; undone, what was there before."""
    inverse = lab_held(session).content()
    session.lab = filled(session, arguments, session.lab) if arguments.points else first_lab(session)
    yield from shown(session, *LAB_VIEWS)
    return inverse


def lab_linkage(session: Session, arguments: Choose, context: Context) -> Iterator[Event]:
    """Look at another linkage of the lab."""
    lab, name = lab_held(session), named(arguments.value)
    if name in lab.trees:
        lab.shown = name
        yield from shown(session, *LAB_VIEWS)


def lab_k(session: Session, arguments: Number, context: Context) -> Iterator[Event]:
    """Cut the lab into another number of clusters."""
    lab = lab_held(session)
    lab.k = int(min(max(1, round(arguments.value)), max(1, lab.n - 1)))
    if lab.trees:
        lab.bracket()
    yield from shown(session, *LAB_VIEWS)


def worsen(session: Session, arguments: LabContent, context: Context) -> Edit:
    """Some steps of a search for distances on which the linkage shown does worse at k; undone as a whole."""
    lab = lab_held(session)
    inverse = lab.content()
    if arguments.points:
        session.lab = filled(session, arguments, lab)
        yield from shown(session, *LAB_VIEWS)
        return inverse
    if not 4 <= lab.n <= SEARCHED_UP_TO or not 2 <= lab.k < lab.n:
        raise FieldError(
            "k", found=lab.k, allowed=f"the search takes 4 to {SEARCHED_UP_TO} points, 2 ≤ k < n"
        )
    presses = lab.presses + 1
    found = climb(lab.square, lab.shown, lab.k, STEPS_A_PRESS, [context.seed, presses])
    made = lab_of(lab.places, found.matrix, lab.name, lab.k, lab)
    made.presses = presses
    made.searched = f"{label(lab.shown)}: {found.best:.4g} × OPT_DM after {presses * STEPS_A_PRESS:,} steps"
    session.lab = made
    yield from shown(session, *LAB_VIEWS)
    return inverse
