"""What is seen before a run: the test images with their true classes, and the concepts of one of them."""

from __future__ import annotations

from collections.abc import Generator

from engine.core.context import Context
from engine.core.events import Event, Show
from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.image_pictures import before_training
from engine.methods.concept_memory.parameters import Parameters
from engine.methods.concept_memory.pictures import shown
from engine.methods.concept_memory.run import scenarios_of
from engine.methods.concept_memory.scenarios import prepare
from engine.methods.concept_memory.session import Session


def preview(parameters: Parameters, data: ConceptImages, context: Context) -> Generator[Event, None, Session]:
    """Images and concepts; returns a session without a study, so that an image can be looked at."""
    scenario = scenarios_of(parameters, data)[0]
    experiment = prepare(
        data, scenario, context.seed, nines=parameters.nines, shifted=parameters.evaluation == "shifted"
    )
    session = Session(parameters, experiment.data)
    session.selected = int(experiment.test[0]) if len(experiment.test) else -1
    yield Show("images", before_training(session, experiment.test_images, experiment.test))
    yield from shown(session, "concepts")
    return session
