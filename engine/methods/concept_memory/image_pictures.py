"""Pictures of images: the test set with its states, and why one of them was corrected."""

from __future__ import annotations

import numpy as np

from engine.core.views import Button, ImageGridState, TileFilter, TileMark, TileOrder
from engine.methods.concept_memory.concept_images import Experiment
from engine.methods.concept_memory.interventions import Correction
from engine.methods.concept_memory.memory import Entry
from engine.methods.concept_memory.network import Bottleneck
from engine.methods.concept_memory.session import BY_HAND, HARMED, REPAIRED, RIGHT, WRONG, Session

REPAIRED_MARK, WRONG_MARK, HARMED_MARK, REVIEW_MARK, TAUGHT_MARK = range(5)
MARKS = (
    TileMark(name="repaired", tone="good", sign="check"),
    TileMark(name="still wrong", tone="bad", sign="cross"),
    TileMark(name="made wrong", tone="bad", sign="down"),
    TileMark(name="to review", tone="warning", sign="flag"),
    TileMark(name="corrected by hand", tone="info", sign="star"),
)
WHY_MARKS = (
    TileMark(name="applied", tone="good", sign="check"),
    TileMark(name="refused", tone="bad", sign="cross"),
    TileMark(name="too far", tone="neutral", sign="dot"),
    TileMark(name="without correction", tone="neutral", sign="dot"),
    TileMark(name="this image", tone="info", sign="star"),
)
NEIGHBOURS_SHOWN = 11


def number_words(value: float, digits: int = 2) -> str:
    """ "1.64", "∞"."""
    return f"{value:.{digits}f}" if np.isfinite(value) else "∞"


def percent(before: float, after: float) -> str:
    """ "0.740 → 0.816"."""
    return f"{before:.3f} → {after:.3f}"


def before_training(session: Session, images: np.ndarray, places: np.ndarray) -> ImageGridState:
    """The test images with their true classes, before anything was learned of them."""
    labels = session.data.labels[places]
    return ImageGridState(
        images=images,
        ids=places,
        captions=tuple(session.data.class_names[label] for label in labels.tolist()),
        notes=tuple(session.data.name_of(place) for place in places.tolist()),
        focus=session.selected,
        smooth=session.data.smooth,
        caption=f"{len(places):,} test images with their true classes",
    )


def learning(experiment: Experiment, model: Bottleneck, epoch: int) -> ImageGridState:
    """The test images with what they are taken for while g is still being trained."""
    data, labels = experiment.data, experiment.data.labels[experiment.test]
    predicted = model.predict(model.probabilities(experiment.test_inputs))
    wrong = predicted != labels
    return ImageGridState(
        images=experiment.test_images,
        ids=experiment.test,
        captions=tuple(np.array(data.class_names)[predicted].tolist()),
        marks=(TileMark(name="wrong", tone="bad", sign="cross"),),
        mark=np.where(wrong, 0, -1),
        smooth=data.smooth,
        caption=f"epoch {epoch}: accuracy {1 - wrong.mean():.3f}",
    )


def images(session: Session) -> ImageGridState:
    """All test images: state, class before and with the memory, filters and orders."""
    study, now, data = session.known, session.now, session.data
    names = np.array(data.class_names)
    before, after = names[now.predicted_before], names[now.predicted_after]
    flags = now.flags & (now.state != REPAIRED) & (now.state != BY_HAND)
    mark = np.select(
        [now.state == BY_HAND, now.state == HARMED, now.state == REPAIRED, now.state == WRONG, flags],
        [TAUGHT_MARK, HARMED_MARK, REPAIRED_MARK, WRONG_MARK, REVIEW_MARK],
        -1,
    )
    queue = session.queue()
    filters = [
        ("repaired", np.flatnonzero(now.state == REPAIRED), REPAIRED_MARK),
        ("still wrong", np.flatnonzero(now.state == WRONG), WRONG_MARK),
        ("made wrong", np.flatnonzero(now.state == HARMED), HARMED_MARK),
        ("to review", queue, REVIEW_MARK),
    ]
    if (now.state == BY_HAND).any():
        filters.append(("by hand", np.flatnonzero(now.state == BY_HAND), TAUGHT_MARK))
    sure = study.confidence(study.test)
    importance = np.array([4, 1, 2, 0, 3])[now.state]
    orders = (
        TileOrder(name="distance to memory", places=np.argsort(now.d_k, kind="stable")),
        TileOrder(name="softmax confidence", places=np.argsort(sure, kind="stable")),
        TileOrder(name="state", places=np.argsort(importance * len(sure) + np.arange(len(sure)))),
        TileOrder(name="number", places=np.argsort(study.test.places, kind="stable")),
    )
    changed = before != after
    gain = now.gain
    return ImageGridState(
        images=study.experiment.test_images,
        ids=study.test.places,
        captions=tuple(after.tolist()),
        struck=tuple(np.where(changed, before, "").tolist()),
        notes=_notes(session, sure),
        marks=MARKS,
        mark=mark,
        filters=tuple(TileFilter(name=n, places=p, mark=m) for n, p, m in filters),
        orders=orders,
        focus=session.selected if session.row(session.selected) >= 0 else None,
        smooth=data.smooth,
        caption=f"{percent(gain.class_before, gain.class_after)} of {gain.samples:,}",
    )


def _notes(session: Session, sure: np.ndarray) -> tuple[str, ...]:
    now, data = session.now, session.data
    truth = np.array(data.class_names)[session.labels].tolist()
    return tuple(
        f"{data.name_of(place)}, truly {true}\ndistance {number_words(d)} · confidence {p:.2f}"
        for place, true, d, p in zip(
            session.known.test.places.tolist(), truth, now.d_k.tolist(), sure.tolist(), strict=True
        )
    )


def why(session: Session) -> ImageGridState:
    """The selected image and the entries nearest to it: which was applied, which not, and why."""
    study, data = session.known, session.data
    row = session.row(session.selected)
    if row < 0:
        return _entry_alone(session)
    distance = study.distances[row]
    order = np.argsort(distance, kind="stable")[:NEIGHBOURS_SHOWN]
    used = int(session.now.applied.entry[row])
    refused = {r.number for r in study.memory.refusals if r.source == session.selected}
    tiles, captions, notes, marks, ids = (
        [study.experiment.test_images[row]],
        ["this image"],
        [""],
        [4],
        [session.selected],
    )
    notes[0] = f"truly {data.class_names[data.labels[session.selected]]}"
    for at in order.tolist():
        entry = study.memory.entries[at]
        tiles.append(picture_of(session, entry))
        captions.append(f"{entry.number} · {number_words(distance[at])}")
        notes.append(entry_words(session, entry))
        ids.append(entry.source if entry.source >= 0 else -entry.number)
        marks.append(
            0
            if at == used
            else 1
            if entry.number in refused
            else 3
            if entry.correction is None
            else 2
            if distance[at] >= session.t_a
            else -1
        )
    return ImageGridState(
        images=np.stack(tiles),
        ids=np.array(ids, np.int64),
        captions=tuple(captions),
        notes=tuple(notes),
        marks=WHY_MARKS,
        mark=np.array(marks, np.int64),
        smooth=data.smooth,
        note=_reason(session, row, used),
        controls=_verdict_buttons(session, used),
    )


def picture_of(session: Session, entry: Entry) -> np.ndarray:
    """The image an entry was taken from; grey where it is from another run."""
    experiment = session.known.experiment
    if entry.source < 0:
        return np.full_like(experiment.images[0], 128)
    row = session.row(entry.source)
    return (
        experiment.test_images[row]
        if row >= 0 and entry.author == "person"
        else experiment.images[entry.source]
    )


def entry_words(session: Session, entry: Entry) -> str:
    """Author, what it corrects, where it is from."""
    who = "corrected by a person" if entry.author == "person" else "corrected by the simulated human"
    what = correction_words(session, entry.correction) if entry.correction else "no correction"
    return f"entry {entry.number}, {entry.name}\n{who}\n{what}"


def correction_words(session: Session, correction: Correction, most: int = 4) -> str:
    """ "digit 2 yes; 9 others no"."""
    names = session.data.concept_names
    yes = [names[c] for c, v in zip(correction.concepts, correction.values, strict=True) if v == 1.0]
    no = len(correction.concepts) - len(yes)
    shown = ", ".join(yes[:most]) + (f" and {len(yes) - most} more" if len(yes) > most else "")
    parts = [f"{shown} yes"] if yes else []
    if no == 1 and not yes:
        parts.append(f"{names[correction.concepts[0]]} no")
    elif no:
        parts.append(f"{no} {'others' if yes else 'concepts'} no" if no > 1 else "1 other no")
    return "; ".join(parts)


def _reason(session: Session, row: int, used: int) -> str:
    study = session.known
    if used < 0:
        nearest = float(study.distances[row].min()) if len(study.memory) else np.inf
        if not len(study.memory):
            return "Not corrected: the memory is empty."
        if nearest < session.t_a:
            return "Not corrected: refused, or the near entries hold no correction."
        far, reach = number_words(nearest), number_words(session.t_a)
        return f"Not corrected: the nearest entry is {far} away, beyond {reach}."
    entry, distance = study.memory.entries[used], float(study.distances[row, used])
    who = "a person" if entry.author == "person" else "simulated"
    verdict = session.verdict(session.selected, entry.number)
    said = {"accept": ", accepted", "none": ""}.get(verdict, "")
    near = f"distance {number_words(distance)} below {number_words(session.t_a)}"
    return f"Corrected by entry {entry.number} ({who}), {near}{said}."


def _verdict_buttons(session: Session, used: int) -> tuple[Button, ...]:
    study, place = session.known, session.selected
    refusals = [r for r in study.memory.refusals if r.source == place]
    if used < 0:
        if refusals:
            number = refusals[-1].number
            return (
                Button(
                    action="judge",
                    label="Allow again",
                    arguments={"id": place, "number": number, "verdict": "none"},
                ),
            )
        return ()
    number = study.memory.entries[used].number
    accepted = session.verdict(place, number) == "accept"
    return (
        Button(
            action="judge",
            label="Accept",
            arguments={"id": place, "number": number, "verdict": "accept"},
            enabled=not accepted,
            reason="This correction is accepted",
        ),
        Button(
            action="judge", label="Reject", arguments={"id": place, "number": number, "verdict": "reject"}
        ),
        _forget_button(number),
    )


def _forget_button(number: int) -> Button:
    return Button(action="keep_entry", label=f"Forget {number}", arguments={"number": number, "kept": False})


def _entry_alone(session: Session) -> ImageGridState:
    """An entry's own image and the test images it corrects."""
    study, data = session.known, session.data
    entry = session.entry_from(session.selected)
    blank = np.empty((0, *study.experiment.test_images.shape[1:]), np.uint8)
    if entry is None:
        return ImageGridState(images=blank, note="Select an image: the entries nearest to it appear here.")
    at = [one.number for one in study.memory.entries].index(entry.number)
    rows = np.flatnonzero(session.now.applied.entry == at)
    rows = rows[np.argsort(study.distances[rows, at], kind="stable")][:NEIGHBOURS_SHOWN]
    state = session.now.state[rows]
    names = {
        RIGHT: "right before and after",
        WRONG: "still wrong",
        REPAIRED: "repaired",
        HARMED: "made wrong",
    }
    tiles = [picture_of(session, entry), *study.experiment.test_images[rows]]
    return ImageGridState(
        images=np.stack(tiles),
        ids=np.array([session.selected, *study.test.places[rows].tolist()], np.int64),
        captions=(f"entry {entry.number}", *(number_words(d) for d in study.distances[rows, at].tolist())),
        notes=(entry_words(session, entry), *(names.get(s, "corrected by hand") for s in state.tolist())),
        marks=MARKS,
        mark=np.array([-1, *(_plain_mark(s) for s in state.tolist())], np.int64),
        smooth=data.smooth,
        controls=(_forget_button(entry.number),),
        note=f"Entry {entry.number} corrects {int((session.now.applied.entry == at).sum())} test images.",
    )


def _plain_mark(state: int) -> int:
    return {REPAIRED: REPAIRED_MARK, WRONG: WRONG_MARK, HARMED: HARMED_MARK, BY_HAND: TAUGHT_MARK}.get(
        state, -1
    )
