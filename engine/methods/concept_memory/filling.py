"""Filling the memory from a labelled pool: which samples enter, and the correction each carries.

A sample enters when its class is wrong and its concept accuracy is below t_s (default 1: at least one
concept wrong). The simulated human records true values, ordered by the criterion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.criteria import Criterion, scores
from engine.methods.concept_memory.interventions import Floats, simulated_correction
from engine.methods.concept_memory.memory import Entry, Memory
from engine.methods.concept_memory.network import Bottleneck

BLOCK = 32


@dataclass(frozen=True, eq=False)
class Answers:
    """What the bottleneck says of some samples: `places` in the data set (n,), encodings (n, d), c_hat."""

    places: NDArray[np.int64]
    encodings: NDArray[np.float32]
    probabilities: NDArray[np.float64]


def answers_of(model: Bottleneck, inputs: NDArray[np.float32], places: NDArray[np.int64]) -> Answers:
    """Encodings and concept probabilities of the samples at `places`."""
    encodings = model.encodings(inputs[places])
    return Answers(places, encodings, model.from_encodings(encodings))


def concept_accuracy(probabilities: Floats, concepts: NDArray[np.integer]) -> NDArray[np.float64]:
    """Share of each sample's concepts on the right side of one half (n,)."""
    return ((np.asarray(probabilities) > 0.5) == (concepts > 0)).mean(axis=1)


def is_mistake(
    model: Bottleneck, answers: Answers, data: ConceptImages, concept_limit: float
) -> NDArray[np.bool_]:
    """Class wrong and concept accuracy below t_s (n,)."""
    wrong = model.predict(answers.probabilities) != data.labels[answers.places]
    return wrong & (concept_accuracy(answers.probabilities, data.concepts[answers.places]) < concept_limit)


def fill(
    model: Bottleneck,
    answers: Answers,
    data: ConceptImages,
    *,
    criterion: Criterion,
    concept_limit: float,
    budget: int,
    rng: np.random.Generator,
) -> Iterator[Memory]:
    """The memory after every few entries, in the pool's order, up to `budget` entries (0: all)."""
    memory = Memory(model.dimension, model.checksum())
    mistakes = np.flatnonzero(is_mistake(model, answers, data, concept_limit))
    mistakes = mistakes[: budget or len(mistakes)]
    entries: list[Entry] = []
    for start in range(0, len(mistakes), BLOCK):
        part = mistakes[start : start + BLOCK]
        truth = data.concepts[answers.places[part]]
        ranked = scores(criterion, answers.probabilities[part], truth, model.weight, model.bias, rng)
        for place, score, true in zip(part.tolist(), ranked, truth, strict=True):
            source = int(answers.places[place])
            visible = None if data.certainty is None else data.certainty[source]
            entries.append(
                Entry(
                    number=len(entries) + 1,
                    encoding=answers.encodings[place],
                    source=source,
                    correction=simulated_correction(score, true, data.groups, visible),
                    name=data.name_of(source),
                )
            )
        memory = Memory(memory.dimension, memory.checksum, tuple(entries))
        yield memory
    if not entries:
        yield memory


def own_pairs(places: NDArray[np.int64], memory: Memory) -> NDArray[np.bool_]:
    """(n, m) True where an entry came from this very sample: never matched in leave-one-out."""
    sources = np.array([entry.source for entry in memory.entries], np.int64)
    return places[:, None] == sources[None, :]
