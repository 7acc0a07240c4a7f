"""What is seen before a run: spectrum, predicted ranking, rotations, the empty axes with predicted rates."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.core.context import Context
from engine.core.events import Event, Progress
from engine.methods.gaussian_sketch.data import Samples
from engine.methods.gaussian_sketch.measuring import turn_predictions
from engine.methods.gaussian_sketch.parameters import Parameters
from engine.methods.gaussian_sketch.pictures import OF_PROBLEM, shown
from engine.methods.gaussian_sketch.session import Session, open_session

_LARGEST = 300
"""Above so many coordinates the predictions at other rotations wait for the run."""


def preview(parameters: Parameters, data: Samples, context: Context) -> Generator[Event, Any, Session]:
    """Views that follow from the problem alone; returns the session."""
    session = open_session(parameters, data, context.seed)
    for study in session.studies:
        if study.objective.dimension <= _LARGEST:
            for event in turn_predictions(study):
                assert isinstance(event, Progress)
    yield from shown(session, *OF_PROBLEM, "gap")
    return session
