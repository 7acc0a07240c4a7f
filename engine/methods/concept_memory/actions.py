"""What a person may do: look at an image, set its concepts, remember, forget, judge, move thresholds."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from engine.core.context import Context
from engine.core.events import Artifact, Event, Message
from engine.methods.concept_memory.parameters import At, Judge, KeepEntry, Mode, MoveTo, SetConcept
from engine.methods.concept_memory.pictures import (
    OF_APPLICATION,
    OF_DETECTION,
    OF_DETECTORS,
    OF_SELECTION,
    shown,
)
from engine.methods.concept_memory.session import Session

Answer = Iterator[Event]
Edit = Generator[Event, None, dict[str, Any] | None]
"""Events, and the arguments that undo the edit."""


def select_image(session: Session, arguments: At, context: Context) -> Answer:
    """Look at an image: its concepts, why it was corrected, what it covers."""
    if arguments.id < session.data.n:
        session.selected = arguments.id
        yield from shown(session, *(OF_SELECTION if session.study is not None else ("concepts",)))


def set_concept(session: Session, arguments: SetConcept, context: Context) -> Edit:
    """Set one concept of the selected image; the class follows at once."""
    place = session.selected if arguments.image < 0 else arguments.image
    session.known  # noqa: B018 - there is nothing to correct before a network is trained
    if arguments.id >= len(session.data.concept_names) or session.row(place) < 0:
        return None
    before = _draft_text(session.draft(place))
    if arguments.restore:
        session.drafts[place] = _draft_of(arguments.restore)
    else:
        session.set_concept(place, arguments.id, float(arguments.value))
    yield from shown(session, "concepts")
    return {"id": arguments.id, "value": arguments.value, "image": place, "restore": before}


def keep_entry(session: Session, arguments: KeepEntry, context: Context) -> Edit:
    """Remember the draft, bring an entry back, or forget one: all similar images answer at once."""
    if not arguments.kept:
        session.take_back(arguments.number)
        yield from shown(session, *OF_APPLICATION)
        return {"number": arguments.number, "kept": True}
    if arguments.number:
        session.bring_back(arguments.number)
        yield from shown(session, *OF_APPLICATION)
        return {"number": arguments.number, "kept": False}
    correction = session.drafted(session.selected)
    if correction is None:
        yield Message("Set a concept of this image first: nothing is remembered.", "warning")
        return None
    number = yield from remembered(session, session.selected)
    return {"number": number, "kept": False}


def remembered(session: Session, place: int) -> Generator[Event, None, int]:
    """Remember the draft of an image; returns the number of its entry."""
    correction = session.drafted(place)
    assert correction is not None
    entry, twins = session.remember(place, correction, "person")
    session.drafts.pop(place, None)
    crowded = session.crowded(place)
    for twin in twins:
        if twin.correction != correction:
            text = (
                f"Entry {twin.number} corrects the same place otherwise: the newest is kept, {entry.number}."
            )
            yield Message(text, "warning")
            session.forget(twin.number)
            session.superseded.setdefault(entry.number, []).append(twin.number)
    if crowded:
        yield Message(f"More than one concept of {', '.join(crowded)} is set to yes.", "warning")
    at = [one.number for one in session.known.memory.entries].index(entry.number)
    others = int((session.now.applied.entry == at).sum()) - 1
    reach = "no other image" if others <= 0 else f"{others} other image{'s' * (others > 1)}"
    yield Message(f"Entry {entry.number} is remembered and corrects {reach}.")
    yield from shown(session, *OF_APPLICATION)
    return entry.number


def judge(session: Session, arguments: Judge, context: Context) -> Edit:
    """Accept a correction, reject it (a negative example), or take the verdict back."""
    place, number = arguments.id, arguments.number
    if session.row(place) < 0 or number not in {entry.number for entry in session.known.memory.entries}:
        return None
    before = session.verdict(place, number)
    if before == "reject":
        session.allow(place, number)
    session.accepted.pop(place, None)
    if arguments.verdict == "reject":
        session.refuse(place, number)
    elif arguments.verdict == "accept":
        session.accepted[place] = number
    yield from shown(session, *OF_APPLICATION)
    return {"id": place, "number": number, "verdict": before}


def move_t_a(session: Session, arguments: MoveTo, context: Context) -> Edit:
    """Apply corrections within another distance."""
    before, session.t_a = session.t_a, arguments.value
    yield from _moved(session, *OF_APPLICATION)
    return {"value": before}


def move_t_d(session: Session, arguments: MoveTo, context: Context) -> Edit:
    """Flag images within another distance."""
    before, session.t_d = session.t_d, arguments.value
    yield from _moved(session, *OF_DETECTION)
    return {"value": before}


def move_k(session: Session, arguments: MoveTo, context: Context) -> Edit:
    """Flag by the distance to another neighbour."""
    before = float(session.k)
    session.k = max(1, min(round(arguments.value), max(1, len(session.known.memory))))
    yield from _moved(session, *OF_DETECTION)
    return {"value": before}


def move_groups(session: Session, arguments: MoveTo, context: Context) -> Edit:
    """Apply more or fewer groups of each correction."""
    before = float(session.groups_applied)
    session.groups_applied = max(1, min(round(arguments.value), len(session.data.group_names)))
    yield from _moved(session, *OF_APPLICATION)
    return {"value": before}


def _moved(session: Session, *names: str) -> Answer:
    session.known  # noqa: B018 - thresholds need a memory
    session.mode = "manual"
    session.changed()
    yield from shown(session, *names)


def set_mode(session: Session, arguments: Mode, context: Context) -> Edit:
    """Thresholds as chosen on held-out data, or by hand from where they stand."""
    before, session.mode = session.mode, arguments.value
    if session.mode == "auto":
        session.choose_thresholds()
    session.changed()
    yield from shown(session, *dict.fromkeys((*OF_APPLICATION, *OF_DETECTORS)))
    return {"value": before}


def save_memory(session: Session, arguments: Any, context: Context) -> Answer:
    """The memory as one archive of JSON and NPZ, to be used in a later run."""
    context.scratch.mkdir(parents=True, exist_ok=True)
    made = session.known.memory.save(context.scratch / "memory.zip", session.data.concept_names)
    yield Artifact("memory.zip", made, "The memory")


def _draft_text(draft: Mapping[int, float]) -> str:
    """ "2=1 3=0"; a blank draft is "-", since nothing means no restoring."""
    return " ".join(f"{concept}={value:.0f}" for concept, value in draft.items()) or "-"


def _draft_of(text: str) -> dict[int, float]:
    pairs = [part.split("=") for part in text.split() if "=" in part]
    return {int(concept): float(value) for concept, value in pairs}
