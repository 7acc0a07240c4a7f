"""What is seen before a run: the points, and what the other views will show."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.core.context import Context
from engine.core.events import Event
from engine.methods.linkage.parameters import Parameters
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Session, open_session


def preview(parameters: Parameters, data: Any, context: Context) -> Generator[Event, Any, Session]:
    """The points; returns the session."""
    session = open_session(parameters, data)
    if session.measured.drawn is not None:
        yield from shown(session, "points")
    return session
