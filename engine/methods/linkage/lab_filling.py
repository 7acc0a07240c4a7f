"""What the lab is filled with: the data of the tab, a construction, or what it held before."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.data.limits import no_tick
from engine.core.data.values import Table
from engine.core.errors import FieldError
from engine.methods.linkage.data import DrawnDistances
from engine.methods.linkage.lab import LAB_LIMIT, PLANAR_METRICS, Lab, circle, lab_of
from engine.methods.linkage.parameters import LabContent
from engine.methods.linkage.session import Session
from engine.methods.linkage.storage import Distances
from engine.methods.linkage.traversal import farthest_first, rows_of_points

SAMPLE = 60
DEFAULT_INSTANCE = "sl-chain"
#: Small versions of the generated sets, for the lab.
SMALLER: dict[str, dict[str, Any]] = {
    "al-stairs": {"t": 4},
    "blobs": {"n": 60, "k": 4},
    "moons": {"n": 60},
    "ring": {"n": 60},
    "cube": {"n": 40},
}


def first_lab(session: Session) -> Lab:
    """The lab a tab opens with: its data up to 200 points, else the chain of single linkage."""
    source = "data" if session.n <= LAB_LIMIT and session.measured.merges is None else DEFAULT_INSTANCE
    return filled(session, LabContent(source=source), None)


def filled(session: Session, arguments: LabContent, before: Lab | None) -> Lab:
    """A lab with the content asked for, with the settings of the one before."""
    if before is None:
        names = tuple(name for name in session.parameters.linkages)
        before = Lab("", np.zeros((0, 2)), None, shown=session.shown, linkages=names)
        before.ties = session.parameters.ties
        if before.shown == "given":
            before.shown = names[0]
    if arguments.points:
        return _given(arguments, before)
    if arguments.source == before.name and before.n and arguments.source not in known_sources():
        return before
    if arguments.source == "data":
        places, matrix, name = _of_data(session)
        before.metric = session.measured.metric if matrix is None else "euclidean"
        return lab_of(places, matrix, name, session.k, before)
    return _of_instance(arguments.source, before)


def known_sources() -> tuple[str, ...]:
    """What the lab can be filled with by name."""
    from engine.methods.linkage.sets import GENERATED

    return ("data", *(each.name for each in GENERATED))


def _given(arguments: LabContent, before: Lab) -> Lab:
    places = np.array(json.loads(arguments.points), float).reshape(-1, 2)
    matrix = np.array(json.loads(arguments.matrix), float) if arguments.matrix else None
    return lab_of(places, matrix, arguments.name, before.k, before)


def _of_data(session: Session) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, str]:
    """Places, distances unless the places themselves are measured, and a name."""
    held, drawn = session.measured, session.measured.drawn
    if held.merges is not None or drawn is None:
        raise FieldError("source", found="data", allowed="a hierarchy alone has no points: take an instance")
    rows, name = np.arange(held.n), "data"
    row = _rows(session)
    if held.n > LAB_LIMIT:
        rows = np.sort(farthest_first(row, held.n, SAMPLE).order)
        name = f"data, {SAMPLE} points far apart"
    places = np.column_stack([drawn.x[rows], drawn.y[rows]])
    as_drawn = held.points is not None and held.points.shape[1] <= 2 and held.metric in PLANAR_METRICS
    if as_drawn:
        return places, None, name
    return places, np.stack([row(int(i))[rows] for i in rows]), name


def _rows(session: Session) -> Callable[[int], NDArray[np.float64]]:
    held = session.measured
    if held.prepared is not None:
        return rows_of_points(held.prepared, held.metric)
    assert held.given is not None
    return Distances(held.given, held.n).row


def _of_instance(name: str, before: Lab) -> Lab:
    from engine.methods.linkage.sets import GENERATED

    chosen = next((each for each in GENERATED if each.name == name), None)
    if chosen is None:
        raise FieldError("source", found=name, allowed=f"one of {', '.join(known_sources())}")
    value: Any = chosen.load(SMALLER.get(name), no_tick).value
    before.metric = "euclidean"
    if isinstance(value, DrawnDistances):
        return lab_of(value.drawn, value.square(), name, value.k, before)
    if isinstance(value, Table):
        points = value.numeric()
        return lab_of(points[:, :2], None, name, 3, before)
    return lab_of(circle(value.n), value.square(), name, 3, before)
