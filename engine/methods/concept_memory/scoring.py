"""Accuracy with and without the memory, and what the memory did to each sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.filling import concept_accuracy
from engine.methods.concept_memory.generalisation import Applied, Corrections
from engine.methods.concept_memory.interventions import Floats, class_logits

RIGHT, WRONG, REPAIRED, HARMED = 0, 1, 2, 3


@dataclass(frozen=True)
class Gain:
    """Class and concept accuracy before and after, over all samples and over those the memory reached.

    Accuracies of the reached are NaN where none was.
    """

    samples: int
    class_before: float
    class_after: float
    concept_before: float
    concept_after: float
    identified: int
    identified_before: float
    identified_after: float
    identified_concept_before: float
    identified_concept_after: float
    repaired: int
    harmed: int


def outcome(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> NDArray[np.int64]:
    """0 right and still right, 1 wrong and still wrong, 2 repaired, 3 made wrong (n,)."""
    return np.where(after, np.where(before, RIGHT, REPAIRED), np.where(before, HARMED, WRONG))


def gain(
    probabilities: Floats,
    applied: Applied,
    concepts: NDArray[np.integer],
    labels: NDArray[np.integer],
    weight: Floats,
    bias: Floats,
    counted: NDArray[np.bool_] | None = None,
) -> Gain:
    """What the memory brings; `counted` (n,) leaves samples out (those corrected by hand)."""
    kept = np.ones(len(labels), bool) if counted is None else counted
    before = class_logits(probabilities, weight, bias).argmax(axis=1) == labels
    after = class_logits(applied.probabilities, weight, bias).argmax(axis=1) == labels
    concept_before = concept_accuracy(probabilities, concepts)
    concept_after = concept_accuracy(applied.probabilities, concepts)
    reached = applied.changed & kept
    return Gain(
        samples=int(kept.sum()),
        class_before=_mean(before, kept),
        class_after=_mean(after, kept),
        concept_before=_mean(concept_before, kept),
        concept_after=_mean(concept_after, kept),
        identified=int(reached.sum()),
        identified_before=_mean(before, reached),
        identified_after=_mean(after, reached),
        identified_concept_before=_mean(concept_before, reached),
        identified_concept_after=_mean(concept_after, reached),
        repaired=int((~before & after & kept).sum()),
        harmed=int((before & ~after & kept).sum()),
    )


def budget_curve(
    probabilities: Floats,
    all_distances: Floats,
    corrections: Corrections,
    labels: NDArray[np.integer],
    weight: Floats,
    bias: Floats,
    t_a: float,
    counted: NDArray[np.bool_] | None = None,
    refused: NDArray[np.bool_] | None = None,
) -> Iterator[float]:
    """Class accuracy with the first 0, 1 … m entries, by the nearest entry within t_a (k = 1)."""
    kept = np.ones(len(labels), bool) if counted is None else counted
    right = class_logits(probabilities, weight, bias).argmax(axis=1) == labels
    nearest = np.full(len(labels), np.inf)
    yield _mean(right, kept)
    right = right.copy()
    for column in range(all_distances.shape[1]):
        distance = all_distances[:, column]
        closer = (distance < nearest) & (distance < t_a) & corrections.usable[column]
        if refused is not None:
            closer &= ~refused[:, column]
        if closer.any():
            rows = np.flatnonzero(closer)
            held = corrections.held[column]
            changed = np.where(held, corrections.values[column], np.asarray(probabilities)[rows])
            right[rows] = class_logits(changed, weight, bias).argmax(axis=1) == labels[rows]
            nearest[rows] = distance[rows]
        yield _mean(right, kept)


def _mean(values: NDArray[np.generic], kept: NDArray[np.bool_]) -> float:
    return float(values[kept].mean()) if kept.any() else float("nan")
