"""The families view: columns of target clusters, the forest growing upwards, scrubbed by a slider.

Drawn are the families that live and those that the last merges replaced; a number is how many clusters a
family holds.
"""

from __future__ import annotations

import numpy as np

from engine.core.views import Button, GraphState, Slider
from engine.methods.linkage.families_walk import FamilyWalk
from engine.methods.linkage.points_pictures import short
from engine.methods.linkage.session import Session, label

BOXES = 40
COLOURS = 32
RECENT = 6
WIDE_COLUMNS = 6


def families_picture(session: Session) -> GraphState:
    """Families that live or were born in the last merges; regular ones that live are outlined."""
    walk = session.walk
    if walk is None:
        return GraphState(x=np.empty(0), y=np.empty(0))
    born = walk.born < walk.step
    alive = born & (walk.died >= walk.step)
    shown = np.flatnonzero(alive | (born & (walk.born >= walk.step - RECENT)))
    regular = walk.count > 1
    place = np.full(len(walk.born), -1)
    place[shown] = np.arange(len(shown))
    edges = place[walk.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    few = len(shown) <= BOXES
    wide = walk.k <= WIDE_COLUMNS or not few
    return GraphState(
        x=walk.column[shown].astype(float),
        y=_levels(walk, shown),
        names=tuple(_name(walk, i, wide) for i in shown.tolist()),
        notes=tuple(_note(walk, i) for i in shown.tolist()),
        colours=np.where(alive & (walk.column < COLOURS), walk.column, -1)[shown],
        size=None if few else np.sqrt(walk.count[shown].astype(float)),
        shape="box" if few else "dot",
        emphasised=(alive & regular)[shown],
        edges=edges,
        columns=tuple(f"T{i + 1}" for i in range(walk.k)) if walk.k <= COLOURS else (),
        caption=_caption(walk, int(alive.sum()), int((alive & regular).sum())),
        controls=(
            Slider(
                action="family_step", argument="value", label="merge", low=0, high=walk.n - 1,
                value=walk.step, step=1,
            ),
            Button(action="families_here", label=f"For {label(session.shown)}, k = {session.k:,}"),
        ),
    )  # fmt: skip


def _levels(walk: FamilyWalk, shown: np.ndarray) -> np.ndarray:
    """Height in the picture: place among the births of the families shown, newest on top."""
    oldest = np.maximum(walk.born[shown], walk.step - RECENT - 1)
    return np.searchsorted(np.unique(oldest), oldest).astype(float)


def _name(walk: FamilyWalk, i: int, wide: bool = True) -> str:
    count = int(walk.count[i])
    return f"{count:,} cluster{'s' if count != 1 else ''}" if wide else f"{count:,}"


def _note(walk: FamilyWalk, i: int) -> str:
    born = "at the start" if walk.born[i] < 0 else f"by merge {walk.born[i] + 1:,}"
    return f"family {i + 1}, made {born}: {_name(walk, i)}, diameter {short(float(walk.diam[i]))}"


def _caption(walk: FamilyWalk, alive: int, regular: int) -> str:
    case = walk.cases[walk.step] if walk.step < len(walk.cases) else ""
    words = [f"{label(walk.linkage)} · merge {walk.step:,} of {walk.n - 1:,}"]
    if case:
        words.append(f"case {case}")
    words.append(f"{regular} regular of {alive} families (outlined)")
    if walk.holds:
        words.append(f"invariants hold: diameters ≤ {short(walk.largest)}, bound {short(walk.bound)}")
    else:
        words.append(f"{len(walk.violations)} violations of the invariants, first {walk.violations[0].what}")
    words.append(f"target: {walk.target}")
    return " · ".join(words)
