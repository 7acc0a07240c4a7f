"""Stage of a run: the families of the linkage looked at, against the best known clustering."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.events import Event, Message, Value
from engine.methods.linkage.bounds import CLASS_M
from engine.methods.linkage.families import FAMILIES_LIMIT
from engine.methods.linkage.families_walk import FamilyWalk, walk_steps
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Session, label
from engine.methods.linkage.shares import Shares


def target_of(session: Session, k: int) -> tuple[NDArray[np.integer], str] | None:
    """Labels (n,) of the best clustering known for OPT_AV(k), else of the tree looked at; and its name."""
    if session.brackets is not None:
        held = session.brackets.av.get(k)
        if held is not None and held.labels is not None:
            word = "optimum" if held.exact else "best known"
            return held.labels, f"{word} for OPT_AV({k:,}), {held.upper_from}"
    grown = session.tree
    return None if grown is None else (grown.clusters(k).labels, f"{label(grown.name)} at k = {k:,}")


def begin_walk(session: Session, square: NDArray[np.float64]) -> Generator[int, None, FamilyWalk] | None:
    """The walk of the tree looked at at the present k; None where there is no target."""
    grown = session.tree
    k = min(session.k, session.n - 1)
    target = target_of(session, k)
    if grown is None or target is None or not 1 <= k < session.n:
        return None
    return walk_steps(grown.name, grown.tree, target[0], square, target[1])


def families_stage(session: Session, shares: Shares) -> Generator[Event, None, Any]:
    """Follow the families of the linkage looked at; say whether the invariants of the proof held."""
    if session.n > FAMILIES_LIMIT or session.square is None:
        return
    work = begin_walk(session, session.square)
    if work is None:
        return
    while True:
        try:
            merge = next(work)
        except StopIteration as end:
            walk: FamilyWalk = end.value
            break
        yield shares.told("families", merge / session.n, "Following families", merge, session.n - 1, "merge")
    walk.step = max(0, session.n - 2 * walk.k)
    session.walk = walk
    yield Value("family_violations", len(walk.violations))
    if walk.bound > 0:
        yield Value("family_bound_share", walk.largest / walk.bound)
    if not walk.holds and walk.linkage in CLASS_M and session.measured.is_metric:
        yield Message(f"An invariant of the proof fails at merge {walk.violations[0].merge}", "error")
    yield from shown(session, "families")
