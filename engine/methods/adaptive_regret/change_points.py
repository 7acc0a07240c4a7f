"""Experts as a drift detector: when the newest expert's loss rises, or a younger expert takes the lead.

A marker is set when the newest expert has lost C since its birth. Between two markers its losses are split
where that explains them best as two means (losses taken as exponential): with n = n₁ + n₂ rounds and means
m, m₁, m₂ the evidence is Λ = n ln m − n₁ ln m₁ − n₂ ln m₂. A marker counts as a change when m₂ > m₁ and
Λ exceeds the evidence asked for; the split is the onset. Not part of the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.adaptive_regret import covers
from engine.methods.adaptive_regret.learners import Learner

EVIDENCE = 20.0


@dataclass(frozen=True)
class ChangePoint:
    """`detected` and `onset` rounds (from 0); `sign` what gave it away; `evidence` Λ, or the new weight."""

    detected: int
    onset: int
    sign: Literal["loss", "lead"]
    evidence: float


def change_points(learner: Learner, evidence: float = EVIDENCE) -> list[ChangePoint]:
    """Changes seen so far, in order of detection; none for algorithms whose markers are not set by loss."""
    found: list[ChangePoint] = []
    if learner.plan.cover != covers.BY_LOSS:
        return found
    markers, newest = learner.markers(), learner.record.newest
    for first, last in zip(markers[:-1].tolist(), markers[1:].tolist(), strict=True):
        split, strength = best_split(newest[first:last])
        if strength > evidence:
            found.append(ChangePoint(last, first + split, "loss", strength))
    at, born = learner.take_overs()
    for t, birth in zip(at.tolist(), born.tolist(), strict=True):
        found.append(ChangePoint(t, birth, "lead", np.nan))
    return sorted(found, key=lambda each: each.detected)


@njit(nogil=True, cache=True)
def best_split(losses: NDArray[np.float64]) -> tuple[int, float]:
    """(k, Λ) of the split into losses[:k] and losses[k:] with a higher mean after it; (0, 0) if none."""
    n = losses.size
    total = losses.sum()
    floor = 1e-12 + 1e-3 * total / max(n, 1)
    best, place, before = 0.0, 0, 0.0
    whole = n * np.log(total / n + floor) if n else 0.0
    for k in range(1, n):
        before += losses[k - 1]
        first, second = before / k + floor, (total - before) / (n - k) + floor
        if second > first:
            strength = whole - k * np.log(first) - (n - k) * np.log(second)
            if strength > best:
                best, place = strength, k
    return place, best
