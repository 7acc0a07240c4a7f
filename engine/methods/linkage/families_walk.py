"""The families of a whole hierarchy, laid out to be scrubbed through: columns are target clusters."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.methods.linkage.bounds import L
from engine.methods.linkage.families import Family, Violation, family_steps
from engine.methods.linkage.pacing import PIECE_SECONDS


@dataclass
class FamilyWalk:
    """Every family that ever is, by id: `born`, `died` (merge; n−1 if it stays), `column`, `count`, `diam`.

    `edges` (m, 2): the family replaced, the family that replaces it. `cases` by merge. `bound` is
    k^log2(3)·avg-diam of the target, `target` says which clustering that is; `step` is the merge looked at.
    """

    linkage: str
    k: int
    n: int
    target: str
    bound: float
    born: NDArray[np.int64]
    died: NDArray[np.int64]
    column: NDArray[np.int64]
    count: NDArray[np.int64]
    diam: NDArray[np.float64]
    edges: NDArray[np.int64]
    cases: tuple[str, ...]
    violations: tuple[Violation, ...]
    largest: float
    step: int = 0

    @property
    def holds(self) -> bool:
        """Whether both invariants held at the start of each of the first n−k merges."""
        return not self.violations


@dataclass
class _Collected:
    families: list[Family] = field(default_factory=list)
    died: dict[int, int] = field(default_factory=dict)
    cases: list[str] = field(default_factory=list)
    broken: list[Violation] = field(default_factory=list)
    largest: float = 0.0


def walk_steps(
    linkage: str,
    tree: NDArray[np.float64],
    labels: NDArray[np.integer],
    d: NDArray[np.float64],
    target: str,
) -> Generator[int, None, FamilyWalk]:
    """Follow the families through all merges, checking the invariants; yields the merge it is at."""
    n, k = len(tree) + 1, len(np.unique(labels))
    found = _Collected()
    bound = 0.0
    last = time.perf_counter()
    for step in family_steps(tree, labels, d):
        if step.merge == 0:
            found.families.extend(step.roots)
            bound = k**L * float(np.mean([family.diam for family in step.roots]))
        found.families.extend(step.made)
        found.cases.append(step.case)
        for family in step.made:
            found.died.update(dict.fromkeys(family.replaces, family.born))
        if step.merge < n - k:
            _check(step.merge, step.regular, bound, found)
        if time.perf_counter() - last > PIECE_SECONDS:
            yield step.merge
            last = time.perf_counter()
    return _walk(linkage, k, n, target, bound, found)


def _check(merge: int, regular: tuple[Family, ...], bound: float, found: _Collected) -> None:
    if not regular:
        found.broken.append(Violation(merge, "no family is regular"))
    for family in regular:
        found.largest = max(found.largest, family.diam)
        if family.diam > bound * (1 + 1e-9):
            found.broken.append(Violation(merge, f"family {family.id} has diameter {family.diam:.6g}"))


def _walk(linkage: str, k: int, n: int, target: str, bound: float, found: _Collected) -> FamilyWalk:
    families = found.families
    column = np.empty(len(families), np.int64)
    for family in families:
        # A union stays in the column of the larger family, which is named first.
        column[family.id] = column[family.replaces[0]] if family.replaces else family.id
    edges = [(old, family.id) for family in families for old in family.replaces]
    return FamilyWalk(
        linkage, k, n, target, bound,
        born=np.array([family.born for family in families]),
        died=np.array([found.died.get(family.id, n - 1) for family in families]),
        column=column,
        count=np.array([len(family.clusters) for family in families]),
        diam=np.array([family.diam for family in families]),
        edges=np.array(edges, np.int64).reshape(-1, 2),
        cases=tuple(found.cases),
        violations=tuple(found.broken),
        largest=found.largest,
    )  # fmt: skip
