"""How well a score tells right from wrong predictions. A large score means "likely right"."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.interventions import Floats


@dataclass(frozen=True, eq=False)
class DetectorScores:
    """A detector's scores (N,) on the test set, under the name shown."""

    name: str
    title: str
    scores: NDArray[np.float64]


def combined(d_k: Floats, confidence: Floats) -> NDArray[np.float64]:
    """max(min–max-scaled d_k, max softmax) (official code); infinite distances count as the largest."""
    finite = np.isfinite(d_k)
    if not finite.any():
        return np.asarray(confidence, np.float64)
    low, high = float(d_k[finite].min()), float(d_k[finite].max())
    scaled = (np.where(finite, d_k, high) - low) / (high - low) if high > low else np.zeros(len(d_k))
    return np.maximum(scaled, confidence)


def concept_certainty(probabilities: Floats) -> NDArray[np.float64]:
    """Certainty of the least certain concept, |p − 0.5| doubled: the review order of UCP."""
    return (2 * np.abs(np.asarray(probabilities, np.float64) - 0.5)).min(axis=1)


def auroc(scores: Floats, right: NDArray[np.bool_]) -> float | None:
    """Area under the ROC of telling right from wrong; None (undefined) where one of them is missing."""
    if right.all() or not right.any():
        return None
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(right, _finite(scores)))


def average_precision(scores: Floats, right: NDArray[np.bool_]) -> float | None:
    """Average precision of finding the mistakes; None where there are none."""
    if right.all():
        return None
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(~right, -_finite(scores)))


def roc(scores: Floats, right: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share of right predictions flagged (x) and of mistakes found (y), the lowest scores flagged first."""
    from sklearn.metrics import roc_curve

    x, y, _ = roc_curve(~right, -_finite(scores))
    return x, y


def precision_recall(
    scores: Floats, right: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share of mistakes found (x) and share of the flagged that are mistakes (y), rising x."""
    from sklearn.metrics import precision_recall_curve

    precision, recall, _ = precision_recall_curve(~right, -_finite(scores))
    return recall[::-1], precision[::-1]


def found_curve(scores: Floats, right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Share of all mistakes found after reviewing 0, 1 … N images, the lowest scores first (N + 1,)."""
    order = np.argsort(scores, kind="stable")
    found = np.concatenate(([0], np.cumsum(~right[order])))
    return found / max(1, int((~right).sum()))


def _finite(scores: Floats) -> NDArray[np.float64]:
    """Scores with infinities at the largest finite value and one more: an empty memory ranks all alike."""
    scores = np.asarray(scores, np.float64)
    finite = np.isfinite(scores)
    top = float(scores[finite].max()) + 1 if finite.any() else 0.0
    return np.where(finite, scores, top)
