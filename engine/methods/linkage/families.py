"""The device of the proof: families of clusters that a target k-clustering induces along the merges.

At the start family F_i holds the singletons of T_i. When a linkage merges g ∈ F and g' ∈ F', |F| >= |F'|:

(a) |F'| = 1 and |F| > 1: F without g replaces F, and {g ∪ g'} replaces F';
(b) otherwise one family, F ∪ F' ∪ {g ∪ g'} without g and g', replaces both.

New families are parents in a forest; the current ones are its roots. A family is regular if it holds more
than one cluster. For linkages of class M, at the start of each of the first n-k merges at least one root is
regular, and every regular family has diameter at most k^log2(3)·avg-diam(T).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import FieldError

from .bounds import L

FAMILIES_LIMIT = 500


@dataclass(frozen=True)
class Family:
    """`clusters`: nodes of the tree it holds; `replaces`: the families below it in the forest (0, 1 or 2).

    `born`: the merge that made it, -1 at the start. `diam`: diameter of all its points.
    """

    id: int
    clusters: tuple[int, ...]
    replaces: tuple[int, ...]
    born: int
    diam: float

    @property
    def regular(self) -> bool:
        """More than one cluster."""
        return len(self.clusters) > 1


@dataclass(frozen=True)
class FamilyStep:
    """State at the start of merge `merge` (n-1 after the last): current families, and how they came.

    `case` is 'a' or 'b' for the merge before, '' at the start; `made` are the families it created.
    """

    merge: int
    roots: tuple[Family, ...]
    case: str
    made: tuple[Family, ...]

    @property
    def regular(self) -> tuple[Family, ...]:
        """The regular families among the roots."""
        return tuple(family for family in self.roots if family.regular)


def family_steps(
    tree: NDArray[np.float64], labels: NDArray[np.integer], d: NDArray[np.float64]
) -> Iterator[FamilyStep]:
    """States of the families before merge 0, 1, …, and after the last (n states).

    `labels` (n,) is the target clustering, `d` (n, n) the distances. Raises `FieldError` for n > 500.
    """
    n = len(tree) + 1
    if n > FAMILIES_LIMIT:
        raise FieldError("families", found=n, allowed=f"at most {FAMILIES_LIMIT} points")
    leaves: list[NDArray[np.int64]] = [np.array([i]) for i in range(n)]
    groups = (tuple(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels))
    roots = {i: Family(i, group, (), -1, _diameter(d, leaves, group)) for i, group in enumerate(groups)}
    home = {cluster: family.id for family in roots.values() for cluster in family.clusters}
    following = len(roots)
    yield FamilyStep(0, tuple(roots.values()), "", ())
    for t in range(n - 1):
        g, h = int(tree[t, 0]), int(tree[t, 1])
        leaves.append(np.concatenate([leaves[g], leaves[h]]))
        case, parts = _replacement(roots[home[g]], roots[home[h]], g, h, n + t)
        made = []
        for replaced, clusters in parts:
            made.append(Family(following, clusters, replaced, t, _diameter(d, leaves, clusters)))
            following += 1
        for family in made:
            for old in family.replaces:
                roots.pop(old, None)
            roots[family.id] = family
            home.update(dict.fromkeys(family.clusters, family.id))
        yield FamilyStep(t + 1, tuple(roots.values()), case, tuple(made))


def _replacement(
    first: Family, second: Family, g: int, h: int, union: int
) -> tuple[str, list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The case, and for each new family the ids it replaces and the clusters it holds."""
    if len(first.clusters) < len(second.clusters):
        first, second, g, h = second, first, h, g
    if len(second.clusters) == 1 and len(first.clusters) > 1:
        rest = tuple(c for c in first.clusters if c != g)
        return "a", [((first.id,), rest), ((second.id,), (union,))]
    joined = dict.fromkeys((*first.clusters, *second.clusters))
    kept = tuple(c for c in joined if c not in (g, h))
    return "b", [(tuple(dict.fromkeys((first.id, second.id))), (*kept, union))]


def _diameter(d: NDArray[np.float64], leaves: list[NDArray[np.int64]], clusters: tuple[int, ...]) -> float:
    points = np.concatenate([leaves[c] for c in clusters])
    return float(d[np.ix_(points, points)].max())


@dataclass(frozen=True)
class Violation:
    """A state in which an invariant fails: no regular family, or one wider than the bound."""

    merge: int
    what: str


def family_bound(labels: NDArray[np.integer], d: NDArray[np.float64]) -> float:
    """k^log2(3) times the average diameter of the target: no regular family may be wider."""
    groups = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    return len(groups) ** L * float(np.mean([d[np.ix_(g, g)].max() for g in groups]))


def check_families(
    tree: NDArray[np.float64], labels: NDArray[np.integer], d: NDArray[np.float64]
) -> list[Violation]:
    """Assert both invariants at the start of each of the first n-k merges; an empty list means they hold."""
    k, n = len(np.unique(labels)), len(tree) + 1
    bound, broken = family_bound(labels, d), []
    for step in family_steps(tree, labels, d):
        if step.merge >= n - k:
            break
        if not step.regular:
            broken.append(Violation(step.merge, "no family is regular"))
        for family in step.regular:
            if family.diam > bound * (1 + 1e-9):
                broken.append(Violation(step.merge, f"family {family.id} has diameter {family.diam:.6g}"))
    return broken
