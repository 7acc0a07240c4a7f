"""Choosing t_d, k and t_a on held-out data.

The official grids (t_d in 1 … 12, t_a in 1, 1.5 … 7.5, softmax in 0.05 … 0.95) fit its CUB encodings only
and are offered as "published"; the default takes quantiles of the observed nearest distances, and for t_a
the largest total accuracy under leave-one-out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.generalisation import Corrections, generalise
from engine.methods.concept_memory.interventions import Floats, class_logits
from engine.methods.concept_memory.neighbours import kth

PUBLISHED_T_D = np.arange(1.0, 13.0)
PUBLISHED_T_A = np.arange(1.0, 7.6, 0.5)
PUBLISHED_K = (1, 2, 3, 4, 5)
SOFTMAX_GRID = np.round(np.arange(0.05, 0.96, 0.05), 2)
CANDIDATES = 60


@dataclass(frozen=True)
class DetectionChoice:
    """The best threshold of a detector and the F1 of "wrong class" it reaches on held-out data."""

    k: int
    threshold: float
    f1: float


def candidates(distances: Floats, count: int = CANDIDATES) -> NDArray[np.float64]:
    """Quantiles 1% … 90% of the finite distances, distinct and rising; empty where there are none."""
    finite = distances[np.isfinite(distances)]
    return np.unique(np.quantile(finite, np.linspace(0.01, 0.9, count))) if finite.size else np.empty(0)


def f1(flags: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> float:
    """2 tp / (2 tp + fp + fn); 0 where there is neither."""
    hits = int((flags & wrong).sum())
    whole = int(flags.sum()) + int(wrong.sum())
    return 2 * hits / whole if whole else 0.0


def choose_detection(
    all_distances: Floats, wrong: NDArray[np.bool_], ks: tuple[int, ...], grid: Floats | None = None
) -> DetectionChoice:
    """(k, t_d) of the best F1; ties go to the smaller k and the smaller threshold.

    `all_distances` (N, m) are those of held-out samples, an entry infinitely far from its own sample.
    """
    best = DetectionChoice(ks[0], 0.0, -1.0)
    for k in ks:
        if k > all_distances.shape[1]:
            continue
        d_k = kth(all_distances, k)
        for threshold in candidates(d_k) if grid is None else grid:
            score = f1(d_k <= threshold, wrong)
            if score > best.f1:
                best = DetectionChoice(k, float(threshold), score)
    return best


def choose_softmax(confidence: Floats, wrong: NDArray[np.bool_]) -> DetectionChoice:
    """The softmax threshold of the best F1 over 0.05 … 0.95: flagged where confidence is at most that."""
    scores = [f1(confidence <= threshold, wrong) for threshold in SOFTMAX_GRID]
    best = int(np.argmax(scores))
    return DetectionChoice(1, float(SOFTMAX_GRID[best]), scores[best])


@dataclass(frozen=True)
class ApplicationPoint:
    """One candidate t_a: accuracy of all held-out samples with the memory, and samples it reaches."""

    threshold: float
    accuracy: float
    reached: int
    reached_before: float
    reached_after: float


def application_curve(
    probabilities: Floats,
    all_distances: Floats,
    corrections: Corrections,
    labels: NDArray[np.integer],
    weight: Floats,
    bias: Floats,
    grid: Floats,
    k: int = 1,
) -> Iterator[ApplicationPoint]:
    """Accuracy for every candidate t_a, one at a time."""
    right = class_logits(probabilities, weight, bias).argmax(axis=1) == labels
    for threshold in grid:
        applied = generalise(probabilities, all_distances, corrections, float(threshold), k)
        now = class_logits(applied.probabilities, weight, bias).argmax(axis=1) == labels
        reached = applied.changed
        yield ApplicationPoint(
            float(threshold),
            float(now.mean()),
            int(reached.sum()),
            float(right[reached].mean()) if reached.any() else 0.0,
            float(now[reached].mean()) if reached.any() else 0.0,
        )


def choose_application(points: list[ApplicationPoint], published: bool = False) -> float:
    """t_a of the largest total accuracy (the smallest of equals); 0 where nothing gains.

    `published`: the largest t_a for which the accuracy of the samples it reaches rises.
    """
    if published:
        rising = [point.threshold for point in points if point.reached_after > point.reached_before]
        return max(rising, default=0.0)
    best = max(points, key=lambda point: point.accuracy, default=None)
    return best.threshold if best is not None else 0.0
