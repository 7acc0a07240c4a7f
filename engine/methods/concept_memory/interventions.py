"""Corrections of concepts and the simulated human who gives them.

Notation: c_hat = sigmoid(g(x)) in [0, 1]^C, the predictor f(c) = W c + b with W (K, C), groups G_1 … G_n a
partition of the concepts. A correction i = (ordered concept indices I, values v); applying it replaces
c_hat[I] by v before f. Corrections are counted in groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
NOT_VISIBLE = 1
"""Certainty of a concept that cannot be seen in the image (CUB's scale of 1 to 4)."""


@dataclass(frozen=True)
class Correction:
    """Concept indices in order of importance, and the value 0 or 1 of each."""

    concepts: tuple[int, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.concepts) != len(self.values) or len(set(self.concepts)) != len(self.concepts):
            raise ValueError("a correction has one value for each of its concepts, each named once")

    def truncated(self, groups: NDArray[np.integer], most: int) -> Correction:
        """Only the concepts of the first `most` groups in the correction's order."""
        kept: list[int] = []
        seen: list[int] = []
        for place, concept in enumerate(self.concepts):
            group = int(groups[concept])
            if group not in seen:
                if len(seen) == most:
                    continue
                seen.append(group)
            kept.append(place)
        return Correction(
            tuple(self.concepts[place] for place in kept), tuple(self.values[place] for place in kept)
        )

    def applied(self, probabilities: Floats) -> NDArray[np.float64]:
        """c_hat (C,) with the corrected concepts replaced."""
        corrected = np.array(probabilities, np.float64)
        corrected[list(self.concepts)] = self.values
        return corrected


def class_logits(concepts: Floats, weight: Floats, bias: Floats) -> NDArray[np.float64]:
    """f(c) = W c + b for c (…, C): logits (…, K), each row by itself.

    Sums run concept by concept in one order, so that a row gives bit-identical logits in any company.
    """
    return np.einsum("...c,kc->...k", np.asarray(concepts, np.float64), np.asarray(weight, np.float64)) + bias


def softmax(logits: Floats) -> NDArray[np.float64]:
    """Probabilities along the last axis."""
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def group_order(scores: Floats, groups: NDArray[np.integer]) -> NDArray[np.int64]:
    """Groups by falling mean of their concepts' `scores` (C,); ties keep the groups' own order."""
    count = int(groups.max()) + 1
    means = np.bincount(groups, weights=scores, minlength=count) / np.bincount(groups, minlength=count)
    return np.argsort(-means, kind="stable")


def simulated_correction(
    scores: Floats,
    truth: NDArray[np.integer],
    groups: NDArray[np.integer],
    certainty: NDArray[np.integer] | None = None,
) -> Correction:
    """What the simulated human records: true values, group by group in order of the criterion.

    Args:
        scores: the criterion, one number per concept (C,).
        truth: true concepts 0 or 1 (C,).
        groups: group of each concept, 0 … n−1 (C,).
        certainty: where given, concepts marked `NOT_VISIBLE` are left out (C,).
    """
    ordered = [
        concept
        for group in group_order(scores, groups)
        for concept in np.flatnonzero(groups == group).tolist()
        if certainty is None or certainty[concept] != NOT_VISIBLE
    ]
    return Correction(tuple(ordered), tuple(float(truth[concept]) for concept in ordered))


def exclusive_projection(
    correction: Correction, groups: NDArray[np.integer], exclusive: Sequence[bool]
) -> Correction:
    """Beyond the paper: in one-hot groups, setting one concept to 1 sets the others of its group to 0."""
    concepts, values = list(correction.concepts), list(correction.values)
    for concept, value in zip(correction.concepts, correction.values, strict=True):
        group = int(groups[concept])
        if value != 1.0 or not exclusive[group]:
            continue
        for other in np.flatnonzero(groups == group).tolist():
            if other not in concepts:
                concepts.append(other)
                values.append(0.0)
    return Correction(tuple(concepts), tuple(values))


def crowded_groups(
    correction: Correction, groups: NDArray[np.integer], exclusive: Sequence[bool]
) -> tuple[int, ...]:
    """One-hot groups of which the correction sets more than one concept to 1: allowed, worth a warning."""
    ones = [int(groups[c]) for c, v in zip(correction.concepts, correction.values, strict=True) if v == 1.0]
    return tuple(sorted({group for group in ones if exclusive[group] and ones.count(group) > 1}))


def exclusive_groups(concepts: NDArray[np.integer], groups: NDArray[np.integer]) -> tuple[bool, ...]:
    """Groups of which every sample of `concepts` (n, C) has exactly one concept."""
    count = int(groups.max()) + 1
    return tuple(
        bool((concepts[:, groups == group].sum(axis=1) == 1).all()) and int((groups == group).sum()) > 1
        for group in range(count)
    )
