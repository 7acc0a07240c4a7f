"""A search for instances on which a linkage does badly, by simulated annealing over small graphs.

Stands in for the published Ω(k) construction for complete linkage, whose details are not rebuilt here.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.core.errors import FieldError

from .exact import exact_optimum
from .greedy import TiePolicy, greedy_hierarchy
from .instances import Instance
from .pacing import result_of
from .storage import Distances
from .tree import cut_at_k

ADVERSARY_LIMIT = 9
STEPS_PER_YIELD = 20


@njit(nogil=True, cache=True)
def shortest_paths(weights: NDArray) -> NDArray:
    """Closure of a symmetric weight matrix (n, n) under shortest paths: a metric (Floyd-Warshall)."""
    d = weights.copy()
    n = d.shape[0]
    for via in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, via] + d[via, j])
    return d


@dataclass(frozen=True)
class SearchState:
    """Where the search is: steps done, ratio of the present instance, best ratio and best matrix (n, n)."""

    step: int
    ratio: float
    best: float
    matrix: NDArray[np.float64]


def cohesion_ratio(
    matrix: NDArray[np.float64], linkage: str, k: int, optimum: Literal["OPT_DM", "OPT_AV"], ties: TiePolicy
) -> float:
    """max-diam of the linkage's k-clustering over the exact optimum, for a metric of n <= 16 points."""
    tree = greedy_hierarchy(Distances(matrix, len(matrix)), linkage, ties).tree
    labels = cut_at_k(tree, k)
    same = labels[:, None] == labels
    exact = exact_optimum(matrix, k)
    best = float(exact.dm[k] if optimum == "OPT_DM" else exact.av[k])
    return float(matrix[same].max()) / best if best > 0 else 1.0


def adversary_steps(
    linkage: str = "complete",
    k: int = 3,
    n: int = 8,
    steps: int = 2000,
    optimum: Literal["OPT_DM", "OPT_AV"] = "OPT_DM",
    ties: TiePolicy = "adversarial",
    largest_weight: int = 8,
    seed: int = 0,
) -> Generator[SearchState, None, Instance]:
    """Anneal integer weights 1..`largest_weight` on the pairs of n <= 9 points; returns the worst instance.

    One step changes one weight; the temperature falls from 0.3 to 0.01 geometrically. Yields every 20 steps.
    Raises `FieldError` unless 1 <= k < n <= 9.
    """
    if not 3 <= n <= ADVERSARY_LIMIT:
        raise FieldError("n", found=n, allowed=f"between 3 and {ADVERSARY_LIMIT}")
    if not 1 <= k < n:
        raise FieldError("k", found=k, allowed=f"between 1 and {n - 1}")
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.integers(1, largest_weight + 1, size=(n, n)), 1).astype(float)
    weights += weights.T
    best_matrix = shortest_paths(weights)
    now = best = cohesion_ratio(best_matrix, linkage, k, optimum, ties)
    for step in range(1, steps + 1):
        i, j = rng.choice(n, size=2, replace=False)
        tried = weights.copy()
        tried[i, j] = tried[j, i] = rng.integers(1, largest_weight + 1)
        matrix = shortest_paths(tried)
        ratio = cohesion_ratio(matrix, linkage, k, optimum, ties)
        temperature = 0.3 * (0.01 / 0.3) ** (step / steps)
        if ratio >= now or rng.random() < exp((ratio - now) / temperature):
            weights, now = tried, ratio
        if ratio > best:
            best, best_matrix = ratio, matrix
        if step % STEPS_PER_YIELD == 0 or step == steps:
            yield SearchState(step, now, best, best_matrix)
    return Instance(
        "adversary", f"{linkage} linkage at k = {k}: {best:.4g} times {optimum}", k, "precomputed",
        matrix=best_matrix,
    )  # fmt: skip


def worst_instance(**settings: Any) -> Instance:
    """`adversary_steps` run to its end, with the same arguments."""
    return result_of(adversary_steps(**settings))


def climb(
    matrix: NDArray[np.float64],
    linkage: str,
    k: int,
    steps: int,
    seed: int | Sequence[int],
    optimum: Literal["OPT_DM", "OPT_AV"] = "OPT_DM",
    ties: TiePolicy = "adversarial",
) -> SearchState:
    """From a metric (n, n), n <= 16: change one distance at a time, keep what does not lower the ratio.

    The distances are first rounded to eighths of the largest and closed under shortest paths, so that ties
    can arise. Returns the state after `steps` steps.
    """
    rng = np.random.default_rng(seed)
    n, most = len(matrix), 8
    unit = float(matrix.max()) / most or 1.0
    weights = np.clip(np.round(matrix / unit), 1, most)
    np.fill_diagonal(weights, 0.0)
    best_matrix = shortest_paths(weights)
    now = cohesion_ratio(best_matrix, linkage, k, optimum, ties)
    for _ in range(steps):
        i, j = rng.choice(n, size=2, replace=False)
        tried = weights.copy()
        tried[i, j] = tried[j, i] = rng.integers(1, most + 1)
        closed = shortest_paths(tried)
        ratio = cohesion_ratio(closed, linkage, k, optimum, ties)
        if ratio >= now:
            weights, now, best_matrix = tried, ratio, closed
    return SearchState(steps, now, now, best_matrix)
