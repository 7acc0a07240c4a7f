"""Small sets of tasks whose mean score ranks the models nearly as all tasks do (not in the paper).

Random draws as a reference, greedy growth, and the exact best set where there are few enough to try all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .ranking import _rank_distance, _tolerant_ranks, tolerant_ranks

Objective = Literal["tau", "mrc"]


@dataclass(frozen=True)
class TaskSet:
    """A set of tasks (column indices) and how far its ranking is from that of all tasks."""

    tasks: tuple[int, ...]
    tau: float
    mrc: float

    def value(self, objective: Objective) -> tuple[float, float]:
        """Sort key, smaller is better: the objective, ties by the other distance."""
        return (self.tau, self.mrc) if objective == "tau" else (self.mrc, self.tau)


@njit(nogil=True, cache=True)
def _distances(
    scores: NDArray[np.float64], sets: NDArray[np.intp], ranks: NDArray[np.float64]
) -> NDArray[np.float64]:
    count, size = sets.shape
    found = np.empty((count, 2))
    means = np.empty(scores.shape[0])
    for c in range(count):
        for i in range(means.size):
            total = 0.0
            for t in range(size):
                total += scores[i, sets[c, t]]
            means[i] = total / size
        found[c] = _rank_distance(_tolerant_ranks(means, 1e-8), ranks)
    return found


def set_distances(scores: NDArray[np.float64], sets: NDArray[np.intp]) -> NDArray[np.float64]:
    """(c, 2) τ-distance and MRC between the ranking by each set of tasks (c, size) and by all tasks."""
    table = np.ascontiguousarray(scores, dtype=np.float64)
    return _distances(table, np.ascontiguousarray(sets, dtype=np.intp), tolerant_ranks(table.mean(axis=1)))


def random_sets(
    scores: NDArray[np.float64], size: int, rng: np.random.Generator, draws: int = 1000
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """(sets (draws, size), their distances (draws, 2)) of sets drawn without replacement."""
    sets = rng.random((draws, scores.shape[1])).argsort(axis=1)[:, :size]
    return sets, set_distances(scores, sets)


def greedy_sets(scores: NDArray[np.float64], largest: int, objective: Objective = "tau") -> Iterator[TaskSet]:
    """The set of each size 1 … largest that adds to the one before the task that helps most."""
    chosen: tuple[int, ...] = ()
    for _ in range(min(largest, scores.shape[1])):
        rest = [t for t in range(scores.shape[1]) if t not in chosen]
        sets = np.array([(*chosen, t) for t in rest], dtype=np.intp)
        best = _best(sets, set_distances(scores, sets), objective)
        chosen = best.tasks
        yield best


def exact_set(
    scores: NDArray[np.float64], size: int, objective: Objective = "tau", chunk: int = 2000
) -> Iterator[TaskSet]:
    """The best set of one size by trying all of them; yields the best so far every `chunk` sets."""
    every = combinations(range(scores.shape[1]), size)
    best: TaskSet | None = None
    while block := list(islice(every, chunk)):
        sets = np.array(block, dtype=np.intp)
        found = _best(sets, set_distances(scores, sets), objective)
        if best is None or found.value(objective) < best.value(objective):
            best = found
        yield best


def number_of_sets(tasks: int, size: int) -> int:
    """How many sets `exact_set` has to try."""
    return comb(tasks, size)


def _best(sets: NDArray[np.intp], distances: NDArray[np.float64], objective: Objective) -> TaskSet:
    first, second = (0, 1) if objective == "tau" else (1, 0)
    at = np.lexsort((distances[:, second], distances[:, first]))[0]
    return TaskSet(tuple(int(t) for t in sets[at]), float(distances[at, 0]), float(distances[at, 1]))
