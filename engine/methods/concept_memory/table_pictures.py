"""Pictures of tables: the concepts of the selected image, gains, detectors, harm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.core.views import Button, Column, TableState
from engine.methods.concept_memory.detection import auroc, average_precision
from engine.methods.concept_memory.image_pictures import number_words
from engine.methods.concept_memory.interventions import class_logits, softmax
from engine.methods.concept_memory.session import HARMED, Session
from engine.methods.concept_memory.thresholds import f1

UNDEFINED = "undefined"


def concepts(session: Session) -> TableState:
    """Every concept of the selected image: predicted, true, and what the person sets it to."""
    data, place = session.data, session.selected
    if place < 0:
        return TableState(caption="select an image")
    truth = data.concepts[place]
    values = {
        "name": data.concept_names,
        "truth": tuple("yes" if bit else "" for bit in truth.tolist()),
    }
    columns = [Column(name="name", title="Concept", values=values["name"], kind="text")]
    groups = []
    if 1 < len(data.group_names) < len(data.concept_names):
        names = tuple(data.group_names[group] for group in data.groups.tolist())
        groups = [Column(name="group", title="Group", values=names, kind="text")]
    row = session.row(place) if session.study is not None else -1
    if row < 0:
        columns.append(Column(name="truth", title="True", values=values["truth"], kind="text"))
        return TableState(
            columns=(*columns, *groups),
            ids=tuple(range(len(truth))),
            caption=data.name_of(place),
            note=_plain_note(session),
        )
    probabilities = session.known.test.probabilities[row]
    draft = session.draft(place)
    held = session.entry_from(place)
    wanted = probabilities > 0.5
    if held is not None and held.correction is not None:
        wanted[list(held.correction.concepts)] = np.array(held.correction.values) > 0.5
    wanted[list(draft)] = np.array(list(draft.values())) > 0.5
    columns += [
        Column(
            name="wanted",
            title="Set to",
            values=tuple(wanted.tolist()),
            kind="check",
            editable=True,
            help="Tick what the image really shows",
        ),
        Column(name="truth", title="True", values=values["truth"], kind="text"),
        Column(name="predicted", title="Predicted", values=probabilities, kind="bar", digits=2),
    ]
    return TableState(
        columns=(*columns, *groups),
        ids=tuple(range(len(truth))),
        caption=f"{data.name_of(place)}{', changed' if draft else ''}",
        note=_class_note(session, row),
        controls=_memory_buttons(session),
    )


def _memory_buttons(session: Session) -> tuple[Button, ...]:
    place = session.selected
    draft, held = session.draft(place), session.entry_from(place)
    buttons = [
        Button(
            action="keep_entry",
            label="Remember",
            arguments={"number": 0, "kept": True},
            enabled=bool(draft),
            reason="Set a concept of this image first",
        )
    ]
    if held is not None:
        buttons.append(
            Button(
                action="keep_entry",
                label=f"Forget {held.number}",
                arguments={"number": held.number, "kept": False},
            )
        )
    return tuple(buttons)


def _class_note(session: Session, row: int) -> str:
    """ "odd 0.99 → even 1.00: now right"."""
    now, data = session.now, session.data
    draft = session.drafted(session.selected)
    before = now.class_before[row]
    after, how = now.class_after[row], "with the memory"
    if draft is not None:
        model = session.known.model
        corrected = draft.applied(now.applied.probabilities[row])
        after, how = softmax(class_logits(corrected, model.weight, model.bias)), "as you set it"
    first, then, true = int(before.argmax()), int(after.argmax()), int(session.labels[row])
    verdict = {
        (True, True): "right",
        (False, True): "now right",
        (True, False): "now wrong",
        (False, False): "wrong",
    }[first == true, then == true]
    change = f"{data.class_names[first]} {before[first]:.2f} → {data.class_names[then]} {after[then]:.2f}"
    text = f"{data.name_of(session.selected)}: {change} {how}, {verdict} (truly {data.class_names[true]})"
    crowded = session.crowded(session.selected)
    if crowded:
        text += f". More than one concept of {', '.join(crowded)} is set to yes, of which one is expected."
    return text


def _plain_note(session: Session) -> str:
    name = session.data.name_of(session.selected)
    return f"{name}, truly {session.data.class_names[session.data.labels[session.selected]]}"


def before_after(session: Session) -> TableState:
    """Accuracy without and with the memory, over all test images and over those it reached."""
    g, study = session.now.gain, session.known
    all_of, reached = f"all {g.samples:,}", f"{g.identified:,} reached"
    rows = (f"class, {all_of}", f"class, {reached}", f"concepts, {all_of}", f"concepts, {reached}")
    before = [g.class_before, g.identified_before, g.concept_before, g.identified_concept_before]
    after = [g.class_after, g.identified_after, g.concept_after, g.identified_concept_after]
    columns = (
        Column(name="accuracy", title="Accuracy", values=rows, kind="text"),
        Column(name="before", title="Without", values=np.array(before), digits=3),
        Column(name="after", title="With", values=np.array(after), digits=3),
    )
    notes = [f"{g.repaired} repaired, {g.harmed} made wrong."]
    if study.tuned is not None:
        notes.append(f"Fine-tuning on the same corrections instead reaches {tuned_accuracy(session):.3f}.")
    taught = int(session.taught.sum())
    if taught:
        notes.append(f"{taught} corrected by hand are left out.")
    return TableState(columns=columns, ids=rows, note=" ".join(notes), caption=f"{len(study.memory)} entries")


def tuned_accuracy(session: Session) -> float:
    """Class accuracy of the fine-tuned bottleneck on the test images."""
    study = session.known
    assert study.tuned is not None
    predicted = study.tuned.predict(study.tuned.probabilities(study.experiment.test_inputs))
    return float((predicted == session.labels).mean())


@dataclass(frozen=True)
class DetectorRow:
    """One detector on the test set; None where it is undefined."""

    name: str
    title: str
    auroc: float | None
    precision: float | None
    f1: float | None


def detector_rows(session: Session) -> list[DetectorRow]:
    """AUROC, average precision, and F1 at the chosen thresholds where there is one."""
    study = session.known
    right = ~study.wrong(study.test)
    rows = []
    for one in study.detectors():
        at = None
        if one.name == "memory" and len(study.memory):
            at = f1(session.now.flags, ~right)
        elif one.name == "softmax":
            at = f1(one.scores <= study.softmax_choice.threshold, ~right)
        rows.append(
            DetectorRow(
                one.name, one.title, auroc(one.scores, right), average_precision(one.scores, right), at
            )
        )
    return rows


def detector_verdict(rows: list[DetectorRow]) -> str:
    """Which of memory and softmax finds mistakes better here, said plainly."""
    found = {row.name: row.auroc for row in rows}
    memory, softmax_score = found["memory"], found["softmax"]
    if memory is None or softmax_score is None:
        return "Detection is undefined: there is no mistake, or no right answer, to tell apart."
    better, worse = ("Softmax confidence", "the memory")
    if softmax_score <= memory:
        better, worse = ("The memory", "softmax confidence")
    high, low = max(memory, softmax_score), min(memory, softmax_score)
    return f"{better} detects mistakes better than {worse} here: AUROC {high:.3f} against {low:.3f}."


def detectors(session: Session) -> TableState:
    """How well each detector ranks the mistakes of the test set."""
    rows = detector_rows(session)

    def column(name: str, title: str, values: list[float | None], best: bool = True) -> Column:
        return Column(
            name=name,
            title=title,
            values=np.array([np.nan if v is None else v for v in values]),
            digits=3,
            best="high" if best else "",
            texts=tuple(UNDEFINED if v is None else "" for v in values),
        )

    columns = (
        Column(name="detector", title="Detector", values=tuple(row.title for row in rows), kind="text"),
        column("auroc", "AUROC", [row.auroc for row in rows]),
        column("ap", "AP", [row.precision for row in rows]),
    )
    return TableState(
        columns=columns,
        ids=tuple(row.title for row in rows),
        colours=DETECTOR_COLOURS[: len(rows)],
        note=f"{detector_verdict(rows)} {_f1_words(rows)}".strip(),
        caption=f"{int(session.known.wrong(session.known.test).sum())} mistakes in {len(session.labels)}",
    )


def _f1_words(rows: list[DetectorRow]) -> str:
    """F1 where a threshold was chosen."""
    found = [f"{row.f1:.3f} ({row.title})" for row in rows if row.f1 is not None]
    return f"F1 at the chosen thresholds: {', '.join(found)}." if found else ""


DETECTOR_COLOURS = (7, 3, 4, 5, 0, 1)


def harm(session: Session) -> TableState:
    """Images the memory made wrong, the worst entries first: what they cost and what they repaired."""
    now, study, data = session.now, session.known, session.data
    rows = np.flatnonzero(now.state == HARMED)
    used = now.applied.entry[rows]
    damage = np.bincount(used, minlength=max(len(study.memory), 1))
    repaired = np.bincount(now.applied.entry[now.state == 2], minlength=max(len(study.memory), 1))
    rows = rows[np.lexsort((rows, used, -damage[used]))]
    used = now.applied.entry[rows]
    entries = [study.memory.entries[at] for at in used.tolist()]
    names = data.class_names
    columns = (
        Column(
            name="image",
            title="Image",
            values=tuple(data.name_of(p) for p in study.test.places[rows].tolist()),
            kind="text",
        ),
        Column(
            name="true",
            title="Truly",
            values=tuple(names[v] for v in session.labels[rows].tolist()),
            kind="text",
        ),
        Column(
            name="after",
            title="Became",
            values=tuple(names[v] for v in now.predicted_after[rows].tolist()),
            kind="text",
        ),
        Column(
            name="entry",
            title="Entry",
            values=np.array([entry.number for entry in entries], float),
            kind="integer",
        ),
        Column(name="harmed", title="Harms", values=damage[used].astype(float), kind="integer"),
        Column(name="repaired", title="Repairs", values=repaired[used].astype(float), kind="integer"),
        Column(name="distance", title="Distance", values=study.distances[rows, used], digits=2),
    )
    return TableState(
        columns=columns,
        ids=tuple(study.test.places[rows].tolist()),
        caption=f"{len(rows)} made wrong, {int((now.state == 2).sum())} repaired",
        note="" if len(rows) else f"The memory made no image wrong within {number_words(session.t_a)}.",
    )
