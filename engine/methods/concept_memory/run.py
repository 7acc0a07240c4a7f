"""A run: train, fill the memory, choose thresholds, compare, let a person review, repeat over seeds."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Append, Artifact, Ask, Event, Message, Progress, Rows, Show, Value
from engine.methods.concept_memory.concept_images import ConceptImages, Experiment
from engine.methods.concept_memory.image_pictures import learning
from engine.methods.concept_memory.memory import load_memory
from engine.methods.concept_memory.neighbours import distances
from engine.methods.concept_memory.network import Bottleneck
from engine.methods.concept_memory.parameters import Parameters
from engine.methods.concept_memory.pictures import OF_APPLICATION, PICTURES, shown
from engine.methods.concept_memory.plot_pictures import training_axes
from engine.methods.concept_memory.reporting import Outcome, outcome_of, rows_of, values_of
from engine.methods.concept_memory.review import asked_text, review_step
from engine.methods.concept_memory.scenarios import Scenario, prepare
from engine.methods.concept_memory.session import Session
from engine.methods.concept_memory.study import Study, StudySettings, begin

TRAINING_SHARE, STUDY_SHARE = 0.7, 0.25
LOOK_EVERY = 5
"""Epochs between two looks at what the test images are taken for."""


def run(parameters: Parameters, data: ConceptImages, context: Context) -> Generator[Event, Any, Session]:
    """The first scenario and seed are for the person; the others only for their numbers."""
    session = Session(parameters, data)
    context.keep(session)
    yield Progress(0.0, "Loading torch")
    torch = context.torch
    work = [
        (name, context.seed + k) for name in scenarios_of(parameters, data) for k in range(parameters.seeds)
    ]
    outcomes: list[Outcome] = []
    for number, (scenario, seed) in enumerate(work):
        part = Part(number, len(work), scenario, seed)
        first = number == 0
        experiment = prepare(
            data, scenario, seed, nines=parameters.nines, shifted=parameters.evaluation == "shifted"
        )
        if first:
            session.data = experiment.data
            yield Show("training", training_axes(part.words()))
        model = yield from train(experiment, parameters, torch.Generator().manual_seed(seed), part, first)
        study = begin(experiment, model, study_settings(parameters))
        for step in study.steps():
            done = step.done / max(step.total, 1)
            yield part.progress(
                TRAINING_SHARE + STUDY_SHARE * done, step.phase, step.done, step.total, step.counted
            )
        one = session if first else Session(parameters, experiment.data)
        if first:
            yield from _with_saved_memory(study, parameters)
        one.take(study)
        yield from _warnings(one, part)
        if first:
            for name in PICTURES:
                yield from shown(session, name)
        outcomes.append(outcome_of(one, scenario, seed))
        yield from values_of(outcomes)
        yield from rows_of(outcomes[-1])
    yield from _reviewed(session, parameters, data)
    yield from _kept(session, context)
    yield Progress(1.0, "Finished")
    return session


class Part:
    """One scenario and seed among all of the run: its share of the progress, and its name."""

    def __init__(self, number: int, count: int, scenario: str, seed: int) -> None:
        self.number, self.count, self.scenario, self.seed = number, count, scenario, seed

    def words(self) -> str:
        """ "confounded, seed 3"."""
        return f"{self.scenario}, seed {self.seed}"

    def progress(self, share: float, phase: str, done: int, total: int, counted: str) -> Progress:
        """Progress of the whole run; the name is told where there are several parts."""
        fraction = 0.98 * (self.number + share) / self.count
        return Progress(
            fraction, f"{phase}, {self.words()}" if self.count > 1 else phase, done, total, counted
        )


def scenarios_of(parameters: Parameters, data: ConceptImages) -> tuple[Scenario, ...]:
    """What is run: the scenarios of digits, "plain" for other data."""
    if data.digits is None:
        return ("plain",)
    return ("confounded", "unbalanced") if parameters.scenario == "both" else (parameters.scenario,)


def study_settings(parameters: Parameters) -> StudySettings:
    """The part of the parameters that decides a study."""
    return StudySettings(
        criterion=parameters.criterion,
        concept_limit=parameters.concept_limit,
        budget=parameters.budget or 0,
        groups_applied=parameters.groups or 0,
        metric=parameters.metric,
        k_detect=parameters.k_detect,
        k_apply=parameters.k_apply,
        search_k=parameters.search_k,
        published_grid=parameters.grid == "published",
    )


def train(
    experiment: Experiment, parameters: Parameters, generator: Any, part: Part, live: bool
) -> Generator[Event, Any, Bottleneck]:
    """f on true concepts, then g epoch by epoch."""
    from engine.methods.concept_memory.bottleneck import ConceptTraining, PredictorTraining, Training

    settings = Training(
        epochs=parameters.epochs,
        hidden=parameters.hidden,
        rate=parameters.rate,
        momentum=parameters.momentum,
        decay=parameters.decay,
        batch=parameters.batch,
        weighting=parameters.weighting,
        keep=parameters.keep,
        patience=parameters.patience,
        head_steps=parameters.head_steps,
        head_rate=parameters.head_rate,
        head_batch=0 if parameters.head == "full batch" else parameters.batch,
    )
    data, places = experiment.data, experiment.train
    head = PredictorTraining(
        data.concepts[places], data.labels[places], len(data.class_names), settings, generator
    )
    for step, _ in enumerate(head.steps(), 1):
        if step % 20 == 0 or parameters.head != "full batch":
            share = 0.1 * TRAINING_SHARE * step / settings.head_steps
            yield part.progress(share, "Training f on true concepts", step, settings.head_steps, "step")
    training = ConceptTraining(
        experiment.inputs,
        data.concepts,
        data.labels,
        places,
        experiment.validation,
        head.result(),
        settings,
        generator,
    )
    done = 0
    for epoch in training.epochs():
        if epoch is not None:
            done = epoch.number
            if live:
                yield Append("training", "class accuracy", float(done), epoch.class_accuracy)
                yield Append("training", "concept accuracy", float(done), epoch.concept_accuracy)
                yield Append("training", "concept loss", float(done), epoch.loss)
                if done % LOOK_EVERY == 1:
                    yield Show("images", learning(experiment, training.bottleneck(), done))
        share = TRAINING_SHARE * (0.1 + 0.9 * done / settings.epochs)
        yield part.progress(share, "Training g", done, settings.epochs, "epoch")
    if live:
        yield Message(f"Epoch {training.best_epoch} of {settings.epochs} is kept.")
    return training.result()


def _with_saved_memory(study: Study, parameters: Parameters) -> Iterator[Event]:
    """Entries of an earlier run behind the new ones."""
    if not parameters.memory:
        return
    model, data = study.model, study.experiment.data
    loaded = load_memory(Path(parameters.memory), model.dimension, model.checksum(), data.concept_names)
    for text in loaded.warnings:
        yield Message(text, "warning")
    first = study.memory.next_number
    for offset, entry in enumerate(loaded.memory.entries):
        renumbered = type(entry)(**{**vars(entry), "number": first + offset})
        study.memory = study.memory.with_entry(renumbered)
    metric = study.settings.metric
    study.distances = distances(study.test.encodings, study.memory.encodings, metric)
    yield Message(f"{len(loaded.memory)} entries of {Path(parameters.memory).name} are used too.")


def _warnings(session: Session, part: Part) -> Iterator[Event]:
    """What a person should know of this memory."""
    study, wanted = session.known, session.parameters.k_detect
    held = len(study.memory)
    if not held:
        text = "no mistake in the pool: the memory is empty, nothing is corrected; the other detectors remain"
        yield Message(f"{part.words()}: {text}.", "warning")
    elif wanted > held:
        noun = "entry" if held == 1 else "entries"
        yield Message(f"k = {wanted} but the memory has {held} {noun}: k = {session.k} is used.", "warning")


def _reviewed(session: Session, parameters: Parameters, data: ConceptImages) -> Generator[Event, Any, None]:
    """Ask about flagged images, the nearest to the memory first, until the budget or the queue ends."""
    before = session.now.gain
    repaired, done = 0, 0
    while parameters.reviewer != "nobody" and done < parameters.review_budget:
        queue = session.queue()
        if not len(queue):
            break
        place = int(session.known.test.places[queue[0]])
        session.selected = place
        yield from shown(session, "images", "concepts", "why", "map")
        yield Progress(0.99, "Review", done, min(parameters.review_budget, done + len(queue)), "image")
        answer = yield from _answer(session, place, parameters, done, len(queue))
        if answer["verdict"] == "finish":
            break
        done += 1
        session.reviewed.add(place)
        remembered = yield from review_step(session, place, answer)
        repaired += remembered
        now = session.now.gain
        yield from shown(session, *OF_APPLICATION)
        yield Rows(
            "review",
            {
                "number": [done],
                "image": [data.name_of(place)],
                "verdict": ["remembered" if remembered else "right"],
                "reached": [now.identified],
                "accuracy": [now.class_after],
            },
        )
    if parameters.reviewer != "nobody":
        yield Value("review.images", done)
        yield Value("review.corrections", repaired)
        yield Value("review.gain", session.now.gain.class_after - before.class_after)


def _answer(
    session: Session, place: int, parameters: Parameters, done: int, waiting: int
) -> Generator[Event, Any, dict[str, Any]]:
    """The person's answer, or the simulated human's."""
    from engine.methods.concept_memory.review import simulated_answer

    if parameters.reviewer == "simulated":
        return simulated_answer(session, place)
    reply = yield Ask(
        asked_text(session, place, done, waiting),
        {"verdict": ("remember", "right", "finish"), "concepts": ""},
        {"verdict": "finish", "concepts": ""},
        "concepts",
        {
            "Remember and next": {"verdict": "remember", "concepts": ""},
            "It is right": {"verdict": "right", "concepts": ""},
            "Finish review": {"verdict": "finish", "concepts": ""},
        },
    )
    return dict(reply)


def _kept(session: Session, context: Context) -> Iterator[Event]:
    """The memory, and every test image with what was said of it."""
    study, now, data = session.known, session.now, session.data
    names = np.array(data.class_names)
    context.scratch.mkdir(parents=True, exist_ok=True)
    made = study.memory.save(context.scratch / "memory.zip", data.concept_names)
    yield Artifact("memory.zip", made, "The memory")
    used = now.applied.entry
    numbers = np.array([entry.number for entry in study.memory.entries] or [0])
    states = np.array(["right", "still wrong", "repaired", "made wrong", "corrected by hand"])
    yield Rows(
        "images",
        {
            "image": [data.name_of(place) for place in study.test.places.tolist()],
            "true_class": names[session.labels].tolist(),
            "before": names[now.predicted_before].tolist(),
            "with_memory": names[now.predicted_after].tolist(),
            "state": states[now.state].tolist(),
            "distance": now.d_k.tolist(),
            "softmax": study.confidence(study.test).tolist(),
            "flagged": now.flags.astype(int).tolist(),
            "entry": np.where(used >= 0, numbers[np.maximum(used, 0)], 0).tolist(),
        },
        replace=True,
    )
