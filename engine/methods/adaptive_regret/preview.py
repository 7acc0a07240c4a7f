"""What is seen before a run: the stream, its changes, the empty curves."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.core.context import Context
from engine.core.errors import FieldError
from engine.core.events import Event
from engine.methods.adaptive_regret.data import Stream
from engine.methods.adaptive_regret.parameters import Parameters
from engine.methods.adaptive_regret.pictures import shown
from engine.methods.adaptive_regret.session import Session, open_session


def preview(parameters: Parameters, data: Stream, context: Context) -> Generator[Event, Any, Session | None]:
    """The stream as it will be played; returns the session that edits work on."""
    try:
        session = open_session(parameters, data, context)
    except FieldError:
        # The form says what is wrong; there is nothing to draw until it is put right.
        return None
    yield from shown(session, "stream", "wealth", "interval")
    return session
