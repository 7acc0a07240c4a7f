"""The review: what is asked, what a simulated human answers, what an answer does."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Ask, Event
from engine.methods.concept_memory.actions import remembered
from engine.methods.concept_memory.image_pictures import number_words
from engine.methods.concept_memory.interventions import NOT_VISIBLE
from engine.methods.concept_memory.session import Session


def asked_text(session: Session, place: int, done: int, waiting: int) -> str:
    """The question about one image."""
    now, data, row = session.now, session.data, session.row(place)
    predicted = int(now.predicted_after[row])
    sure = float(now.class_after[row, predicted])
    named = data.name_of(place)
    taken = f"it is taken for {data.class_names[predicted]} ({sure:.2f})"
    where = f"{named[:1].upper()}{named[1:]} is {number_words(float(now.d_k[row]))} from a known mistake"
    return f"{where}; {taken}. Set its concepts, or say it is right. {done} reviewed, {waiting} waiting."


def simulated_answer(session: Session, place: int) -> dict[str, Any]:
    """Sets every visible concept that is predicted wrong; says "right" where none is."""
    data, row = session.data, session.row(place)
    truth = data.concepts[place]
    wrong = (session.known.test.probabilities[row] > 0.5) != (truth > 0)
    if data.certainty is not None:
        wrong &= data.certainty[place] != NOT_VISIBLE
    pairs = [f"{concept}={truth[concept]}" for concept in np.flatnonzero(wrong).tolist()]
    return {"verdict": "remember" if pairs else "right", "concepts": " ".join(pairs)}


def oracle(question: Ask, data: Any, context: Context) -> Mapping[str, Any]:
    """Answers for the person where nobody can be asked: the image asked about is the selected one."""
    session = context.state
    assert isinstance(session, Session)
    return simulated_answer(session, session.selected)


def review_step(session: Session, place: int, answer: Mapping[str, Any]) -> Generator[Event, Any, bool]:
    """Carry out an answer; True where a correction was remembered.

    Concepts named in the answer are set; otherwise those the person ticked in the view count.
    """
    if answer["verdict"] != "remember":
        return False
    for pair in str(answer.get("concepts", "")).split():
        concept, _, value = pair.partition("=")
        session.set_concept(place, int(concept), float(value))
    if session.drafted(place) is None:
        return False
    yield from remembered(session, place)
    return True
