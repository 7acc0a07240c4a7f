"""What is seen before a run: the points, and what the other views will show."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.core.context import Context
from engine.core.errors import DataError
from engine.core.events import Event
from engine.methods.linkage.data import Tables
from engine.methods.linkage.lab_filling import first_lab
from engine.methods.linkage.parameters import Parameters
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Session, open_session


def preview(parameters: Parameters, data: Any, context: Context) -> Generator[Event, Any, Session | None]:
    """The points and the lab; returns the session, None where metric and data do not fit."""
    try:
        session = open_session(parameters, data.tables[0] if isinstance(data, Tables) else data)
    except DataError:
        # The check says it beside the field of the metric.
        return None
    yield from shown(session, "points")
    session.lab = first_lab(session)
    yield from shown(session, "lab", "lab_distances")
    return session
