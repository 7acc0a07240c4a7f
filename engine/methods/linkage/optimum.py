"""Certified brackets around OPT_DM(k) and OPT_AV(k): what no clustering beats, and what one attains.

Lower bounds: farthest-first distances (radius[k] <= OPT_DM, radius[k]/k <= OPT_AV), the exact optima of a
subset, k = 2 exactly, colourings proven impossible, OPT_DM/k <= OPT_AV <= OPT_DM and both OPT_DM(k) and
k·OPT_AV(k) falling in k. Upper bounds: every clustering at hand, outliers as singletons, local search.
None needs the triangle inequality. Budgets are counted in search nodes and looks, so that equal settings
give equal brackets.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from .criteria import Cohesion
from .exact import (
    FEASIBLE,
    INFEASIBLE,
    SUBSET_LIMIT,
    colouring,
    diameters_steps,
    split_into,
    subset_optimum,
    two_diameter_optimum,
)
from .local_search import improved, outlier_singletons
from .pacing import result_of
from .storage import Distances
from .traversal import Traversal, farthest_first, k_center_labels
from .tree import cut_at_k

T = TypeVar("T")

Effort = Literal["fast", "exact"]
Optimum = Literal["OPT_DM", "OPT_AV"]
OPTIMA: tuple[Optimum, Optimum] = ("OPT_DM", "OPT_AV")

SEARCH_LIMIT = 5000
COLOUR_LIMIT = 150


@dataclass(frozen=True)
class Bracket:
    """lower <= optimum <= upper for one k, where each comes from, and labels (n,) that attain `upper`."""

    k: int
    lower: float = 0.0
    upper: float = float("inf")
    lower_from: str = "nothing"
    upper_from: str = "nothing"
    labels: NDArray[np.integer] | None = field(default=None, compare=False, repr=False)

    @property
    def exact(self) -> bool:
        """True when both ends meet (to 1e-12 relative)."""
        return self.upper <= self.lower * (1.0 + 1e-12)

    def ratio(self, value: float) -> tuple[float, float]:
        """Interval [value/upper, value/lower] that holds value/optimum; 0/0 counts as 1, x/0 as inf."""
        ends = []
        for optimum in (self.upper, self.lower):
            ends.append(value / optimum if optimum > 0 else (1.0 if value == 0 else float("inf")))
        return ends[0], ends[1]


@dataclass
class Brackets:
    """Both optima for every k asked for, tightened as computation goes on."""

    ks: tuple[int, ...]
    dm: dict[int, Bracket]
    av: dict[int, Bracket]

    @classmethod
    def open(cls, ks: Sequence[int]) -> Brackets:
        """Nothing known yet."""
        ks = tuple(sorted({int(k) for k in ks}))
        return cls(ks, {k: Bracket(k) for k in ks}, {k: Bracket(k) for k in ks})

    def of(self, optimum: Optimum) -> dict[int, Bracket]:
        """The brackets of one optimum by k."""
        return self.dm if optimum == "OPT_DM" else self.av

    def arrays(self, optimum: Optimum) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper ends (len(ks),), in the order of `ks`."""
        chosen = [self.of(optimum)[k] for k in self.ks]
        return np.array([b.lower for b in chosen]), np.array([b.upper for b in chosen])

    def raise_lower(self, optimum: Optimum, k: int, value: float, source: str) -> None:
        """Take a lower bound if it is larger; it never passes the upper end (rounding)."""
        held = self.of(optimum)
        if k in held and value > held[k].lower:
            held[k] = replace(held[k], lower=min(value, held[k].upper), lower_from=source)

    def offer(self, optimum: Optimum, k: int, value: float, labels: NDArray, source: str) -> None:
        """Take a clustering if it is better than the best so far."""
        held = self.of(optimum)
        if k in held and value < held[k].upper:
            held[k] = replace(
                held[k], upper=value, lower=min(value, held[k].lower), upper_from=source, labels=labels.copy()
            )

    def offer_diameters(self, k: int, diam: NDArray[np.float64], labels: NDArray, source: str) -> None:
        """Offer a clustering with diameters (k,) to both optima."""
        self.offer("OPT_DM", k, float(diam.max()), labels, source)
        self.offer("OPT_AV", k, float(diam.mean()), labels, source)

    def relate(self) -> None:
        """OPT_DM/k <= OPT_AV <= OPT_DM, and OPT_DM(k) and k·OPT_AV(k) do not grow with k."""
        for after, k in zip((*self.ks[::-1], 0)[1:], self.ks[::-1], strict=True):
            self.raise_lower("OPT_AV", k, self.dm[k].lower / k, "OPT_DM / k")
            self.raise_lower("OPT_DM", k, self.av[k].lower, "OPT_AV")
            if after:
                self.raise_lower("OPT_DM", after, self.dm[k].lower, f"OPT_DM({k})")
                self.raise_lower("OPT_AV", after, self.av[k].lower * k / after, f"OPT_AV({k})")


def bracket_steps(
    distances: Distances,
    ks: Sequence[int],
    hierarchies: Mapping[str, tuple[NDArray[np.float64], Cohesion]],
    effort: Effort = "fast",
    exact_limit: int = 13,
    colour_nodes: int = 200_000,
    looks_per_k: int = 10,
) -> Generator[tuple[str, Brackets], None, Brackets]:
    """Tighten brackets for all `ks`; yields (what is being done, brackets so far), returns the brackets.

    `hierarchies`: name -> (tree, its `Cohesion`). `exact_limit` (4..16): largest n, and largest subset of a
    larger n, solved by dynamic programming. `effort` 'exact' also colours graphs of up to 150 points with
    `colour_nodes` search nodes for each k.
    """
    n = distances.n
    found = Brackets.open([k for k in ks if 1 <= k <= n])
    for name, (tree, tight) in hierarchies.items():
        for k in found.ks:
            for optimum, value in zip(OPTIMA, (tight.max_diam[k], tight.avg_diam[k]), strict=True):
                if value < found.of(optimum)[k].upper:
                    found.offer(optimum, k, float(value), cut_at_k(tree, k), f"{name} linkage")
        yield f"{name} linkage", found
    limit = min(exact_limit, SUBSET_LIMIT)
    if n <= limit:
        yield from _by_subsets(distances.subset(np.arange(n)), found)
        return found
    order = farthest_first(distances.row, n, min(n, max((*found.ks, limit)) + 1))
    yield from _by_traversal(distances, order, limit, found)
    yield from _two_clusters(distances, found)
    if n <= SEARCH_LIMIT:
        yield from _by_outliers(distances, found)
        yield from _by_moves(distances, found, looks_per_k)
    if effort == "exact" and n <= COLOUR_LIMIT:
        yield from _by_colouring(distances.as_square(), found, colour_nodes)
    return found


def _by_subsets(d: NDArray[np.float64], found: Brackets) -> Generator[tuple[str, Brackets], None, None]:
    """Exact optima for every k."""
    work = subset_optimum(d, max(found.ks))
    exact = yield from _watched(work, "exact optimum over subsets", found)
    for k in found.ks:
        sources = ((exact.dm, exact.dm_labels), (exact.av, exact.av_labels))
        for optimum, (values, labels) in zip(OPTIMA, sources, strict=True):
            found.offer(optimum, k, float(values[k]), labels[k], "exact")
            # Equal to the last digit: both come from the same sum.
            found.of(optimum)[k] = replace(
                found.of(optimum)[k], lower=float(values[k]), upper=float(values[k]), lower_from="exact"
            )
    yield "exact optimum over subsets", found


def _by_traversal(
    distances: Distances, order: Traversal, limit: int, found: Brackets
) -> Generator[tuple[str, Brackets], None, None]:
    """Farthest-first: distances below, k-centre clusterings above, exact optima of the first points below."""
    for k in found.ks:
        radius = float(order.radius[k]) if k < len(order.radius) else 0.0
        found.raise_lower("OPT_DM", k, radius, "farthest-first")
        found.raise_lower("OPT_AV", k, radius / k, "farthest-first")
    found.relate()
    yield "farthest-first traversal", found
    for k in found.ks:
        labels = k_center_labels(distances.row, order, k)
        diam = yield from _watched(diameters_steps(distances, labels, k), "Gonzalez k-centre", found)
        found.offer_diameters(k, diam, labels, "Gonzalez k-centre")
        if k == 1:
            for optimum in OPTIMA:
                found.raise_lower(optimum, 1, float(diam[0]), "one cluster")
        yield "Gonzalez k-centre", found
    first = order.order[:limit]
    small = [k for k in found.ks if k < len(first)]
    if small:
        work = subset_optimum(distances.subset(first), max(small))
        exact = yield from _watched(work, "exact optimum of a subset", found)
        for k in small:
            found.raise_lower("OPT_DM", k, float(exact.dm[k]), f"exact on {len(first)} points")
            found.raise_lower("OPT_AV", k, float(exact.av[k]), f"exact on {len(first)} points")
        found.relate()
        yield "exact optimum of a subset", found


def _watched(
    work: Generator[Any, None, T], words: str, found: Brackets
) -> Generator[tuple[str, Brackets], None, T]:
    """Run a piecewise computation, yielding the brackets as they are after each piece."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
        yield words, found


def _two_clusters(distances: Distances, found: Brackets) -> Generator[tuple[str, Brackets], None, None]:
    if 2 not in found.ks:
        return
    value, labels = yield from _watched(two_diameter_optimum(distances), "two clusters exactly", found)
    found.raise_lower("OPT_DM", 2, value, "two-colouring")
    diam = yield from _watched(diameters_steps(distances, labels, 2), "two clusters exactly", found)
    found.offer_diameters(2, diam, labels, "two-colouring")
    found.relate()
    yield "two clusters exactly", found


def _by_outliers(distances: Distances, found: Brackets) -> Generator[tuple[str, Brackets], None, None]:
    work = outlier_singletons(distances, max(found.ks) - 1)
    out = yield from _watched(work, "outliers as singletons", found)
    for k in found.ks:
        diam = np.zeros(k)
        diam[0] = out.diam[k - 1]
        found.offer_diameters(k, diam, out.labels(distances.n, k), "outliers as singletons")
    yield "outliers as singletons", found


def _by_moves(
    distances: Distances, found: Brackets, looks_per_k: int
) -> Generator[tuple[str, Brackets], None, None]:
    for k in found.ks:
        for optimum in OPTIMA:
            start = found.of(optimum)[k]
            if k < 2 or start.exact or start.labels is None:
                continue
            work = improved(distances, start.labels, k, optimum == "OPT_AV", looks_per_k * k)
            labels, diam = yield from _watched(work, f"local search, k = {k}", found)
            found.offer_diameters(k, diam, labels, "local search")
        yield f"local search, k = {k}", found


def _by_colouring(
    d: NDArray[np.float64], found: Brackets, nodes: int
) -> Generator[tuple[str, Brackets], None, None]:
    """OPT_DM(k) <= t exactly if {d > t} has k colours; binary search for both ends of the bracket."""
    values = np.unique(d[np.triu_indices(len(d), 1)])
    for k in (k for k in found.ks if k >= 3):
        tried: dict[int, int] = {}
        for want in (INFEASIBLE, FEASIBLE):
            low = int(np.searchsorted(values, found.dm[k].lower))
            high = int(np.searchsorted(values, found.dm[k].upper))
            while low < high:
                middle = (low + high) // 2
                if middle not in tried:
                    work = colouring(d > values[middle], k, nodes)
                    outcome, labels = yield from _watched(work, f"colouring, k = {k}", found)
                    tried[middle] = outcome
                    if labels is not None:
                        _offer_colours(d, k, labels, found)
                    elif outcome == INFEASIBLE:
                        found.raise_lower("OPT_DM", k, float(values[middle + 1]), "colouring")
                infeasible = tried[middle] == INFEASIBLE
                feasible = tried[middle] == FEASIBLE
                up = infeasible or (want == FEASIBLE and not feasible)
                low, high = (middle + 1, high) if up else (low, middle)
        yield f"colouring, k = {k}", found
    found.relate()
    yield "colouring", found


def _offer_colours(d: NDArray[np.float64], k: int, labels: NDArray[np.int32], found: Brackets) -> None:
    """Offer a colouring as a clustering of exactly k clusters."""
    labels = labels.copy()
    split_into(labels, int(labels.max()) + 1, k)
    diam = np.array([d[np.ix_(g, g)].max() for g in (np.flatnonzero(labels == c) for c in range(k))])
    found.offer_diameters(k, diam, labels, "colouring")


def brackets_of(
    distances: Distances,
    ks: Sequence[int],
    hierarchies: Mapping[str, tuple[NDArray[np.float64], Cohesion]],
    effort: Effort = "fast",
    exact_limit: int = 13,
    colour_nodes: int = 200_000,
    looks_per_k: int = 10,
) -> Brackets:
    """`bracket_steps` run to its end."""
    return result_of(
        bracket_steps(distances, ks, hierarchies, effort, exact_limit, colour_nodes, looks_per_k)
    )
