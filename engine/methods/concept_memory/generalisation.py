"""Detection (is x likely a mistake?) and generalisation (correct x like its nearest entry).

Detection flags x where d_k(x) ≤ t_d; generalisation needs d_k(x) < t_a. The official code differs in the
sign of equality in just this way, and so does this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.methods.concept_memory.interventions import Floats
from engine.methods.concept_memory.memory import Memory
from engine.methods.concept_memory.neighbours import kth

Conflict = Literal["closest", "vote"]
AGREEMENT = 2 / 3
"""Share of the weight that must stand behind a value for a vote to set it."""


@dataclass(frozen=True, eq=False)
class Corrections:
    """All corrections of a memory as arrays: `held` bool (m, C) concepts set, `values` (m, C) to what."""

    held: NDArray[np.bool_]
    values: NDArray[np.float64]

    @property
    def usable(self) -> NDArray[np.bool_]:
        """Entries with a correction, bool (m,)."""
        return np.asarray(self.held.any(axis=1))


@dataclass(frozen=True, eq=False)
class Applied:
    """Outcome of a generalisation over N samples: new probabilities (N, C), the entry used (N,), −1 none."""

    probabilities: NDArray[np.float64]
    entry: NDArray[np.int64]

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Samples a correction was applied to, bool (N,)."""
        return self.entry >= 0


def corrections_of(memory: Memory, groups: NDArray[np.integer], most_groups: int) -> Corrections:
    """The memory's corrections, each truncated to its first `most_groups` groups."""
    held = np.zeros((len(memory), len(groups)), bool)
    values = np.zeros((len(memory), len(groups)))
    for place, entry in enumerate(memory.entries):
        if entry.correction is not None:
            kept = entry.correction.truncated(groups, most_groups)
            held[place, list(kept.concepts)] = True
            values[place, list(kept.concepts)] = kept.values
    return Corrections(held, values)


def flagged(all_distances: Floats, t_d: float, k: int = 1) -> NDArray[np.bool_]:
    """Likely mistakes: d_k ≤ t_d. An empty memory flags nothing."""
    return kth(all_distances, k) <= t_d


def refusal_mask(all_distances: Floats, memory: Memory, to_refusals: Floats) -> NDArray[np.bool_]:
    """(N, m) True where a refusal of the entry is at least as near as the entry itself.

    `to_refusals` (N, r): distances to the refusals, in the memory's order.
    """
    refused = np.zeros(all_distances.shape, bool)
    column = {entry.number: place for place, entry in enumerate(memory.entries)}
    for place, refusal in enumerate(memory.refusals):
        at = column.get(refusal.number)
        if at is not None:
            refused[:, at] |= to_refusals[:, place] <= all_distances[:, at]
    return refused


def generalise(
    probabilities: Floats,
    all_distances: Floats,
    corrections: Corrections,
    t_a: float,
    k: int = 1,
    *,
    refused: NDArray[np.bool_] | None = None,
    conflict: Conflict = "closest",
) -> Applied:
    """Correct every sample that has k entries nearer than t_a.

    Args:
        probabilities: c_hat (N, C).
        all_distances: from each sample to each entry (N, m).
        corrections: of the m entries, already truncated to the wanted number of groups.
        t_a: application threshold, infinite for all.
        k: entries that must be near; the closest one's correction is taken (the paper uses k = 1).
        refused: pairs that must not match (N, m): an entry and its own sample in leave-one-out, refusals.
        conflict: "closest" is the paper's; "vote" weighs the k nearest by 1/distance, and abstains on a
            concept where neither value holds `AGREEMENT` of the weight (beyond the paper).

    Where nothing is applied the probabilities are returned bit for bit.
    """
    start = np.asarray(probabilities, np.float64)
    distances = np.where(corrections.usable[None], all_distances, np.inf)
    if refused is not None:
        distances = np.where(refused, np.inf, distances)
    nobody = Applied(start, np.full(len(start), -1))
    if distances.shape[1] < k:
        return nobody
    closest = distances.argmin(axis=1)
    applies = kth(distances, k) < t_a
    if not applies.any():
        return nobody
    result = start.copy()
    rows = np.flatnonzero(applies)
    if conflict == "vote" and k > 1:
        result[rows] = _voted(start[rows], distances[rows], corrections, k)
    else:
        chosen = closest[rows]
        result[rows] = np.where(corrections.held[chosen], corrections.values[chosen], start[rows])
    return Applied(result, np.where(applies, closest, -1))


def _voted(start: Floats, distances: Floats, corrections: Corrections, k: int) -> NDArray[np.float64]:
    near = np.argpartition(distances, k - 1, axis=1)[:, :k]
    weight = 1.0 / np.maximum(np.take_along_axis(distances, near, axis=1), 1e-9)
    held, values = corrections.held[near], corrections.values[near]
    behind = (weight[:, :, None] * held).sum(axis=1)
    ones = (weight[:, :, None] * held * values).sum(axis=1)
    share = np.divide(ones, behind, out=np.full(behind.shape, 0.5), where=behind > 0)
    return np.where(share >= AGREEMENT, 1.0, np.where(share <= 1 - AGREEMENT, 0.0, start))
