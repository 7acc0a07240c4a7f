"""In which order a human is asked: random, UCP, ECTP, LCP (official code). One score per concept.

Scores are averaged within groups and taken in falling order (`interventions.group_order`).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.interventions import Floats, class_logits, softmax

Criterion = Literal["random", "ucp", "ectp", "lcp"]
SMALLEST = 1e-8


def random_scores(count: int, concepts: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Uniform scores (count, concepts)."""
    return rng.random((count, concepts))


def ucp(probabilities: Floats) -> NDArray[np.float64]:
    """Uncertainty of concept prediction: 1 / |p − 0.5|², the denominator at least 1e-8."""
    return 1.0 / np.maximum((np.asarray(probabilities, np.float64) - 0.5) ** 2, SMALLEST)


def lcp(probabilities: Floats, truth: NDArray[np.integer]) -> NDArray[np.float64]:
    """Loss of concept prediction: |p − c|². Knows the truth, so it is an oracle."""
    return (np.asarray(probabilities, np.float64) - truth) ** 2


def ectp(probabilities: Floats, weight: Floats, bias: Floats) -> NDArray[np.float64]:
    """Expected change of the target prediction, in nats, for p (N, C), W (K, C), b (K,): (N, C).

    (1 − p_j) KL(q_{j←0} ‖ q) + p_j KL(q_{j←1} ‖ q) with q = softmax f(p).
    """
    p = np.asarray(probabilities, np.float64)
    logits = class_logits(p, weight, bias)
    log_q = np.log(np.maximum(softmax(logits), 1e-300))
    expected = np.zeros_like(p)
    columns = np.asarray(weight, np.float64).T[None]
    for value, chance in ((0.0, 1.0 - p), (1.0, p)):
        changed = logits[:, None, :] + (value - p)[:, :, None] * columns
        after = softmax(changed)
        divergence = (after * (np.log(np.maximum(after, 1e-300)) - log_q[:, None, :])).sum(axis=-1)
        expected += chance * divergence
    return expected


def scores(
    criterion: Criterion,
    probabilities: Floats,
    truth: NDArray[np.integer],
    weight: Floats,
    bias: Floats,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """The scores (N, C) of a criterion by name."""
    if criterion == "ucp":
        return ucp(probabilities)
    if criterion == "ectp":
        return ectp(probabilities, weight, bias)
    if criterion == "lcp":
        return lcp(probabilities, truth)
    count, concepts = np.shape(probabilities)
    return random_scores(count, concepts, rng)
