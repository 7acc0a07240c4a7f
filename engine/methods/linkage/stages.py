"""Stages of a run: distances, merging, criteria. Each is a generator of events."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event, Message, Value
from engine.methods.linkage.child import in_child
from engine.methods.linkage.clock import Clock
from engine.methods.linkage.criteria import cohesion_steps, cohesion_steps_of_points, separation_steps
from engine.methods.linkage.dissimilarities import triangle_steps
from engine.methods.linkage.greedy import Hierarchy, greedy_linkage
from engine.methods.linkage.memory import LinkagePlan
from engine.methods.linkage.minimax import minimax_linkage
from engine.methods.linkage.nn_chain import MergesSoFar, chain_linkage
from engine.methods.linkage.numbering import forest_of, split_numbers
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Grown, Session, label
from engine.methods.linkage.shares import Shares
from engine.methods.linkage.single import single_linkage, single_linkage_of_points
from engine.methods.linkage.storage import Distances
from engine.methods.linkage.store import Store
from engine.methods.linkage.tree import layout
from engine.methods.linkage.ward import ward_linkage_of_points

Stage = Generator[Event, None, Any]
FOREST_UP_TO = 20_000
ORDERED_UP_TO = 2000


def distances_stage(session: Session, store: Store, shares: Shares, wanted: bool) -> Stage:
    """Fill or take over the distances; check the triangle inequality of given ones."""
    held = session.measured
    if wanted:
        start = time.monotonic()
        pairs = held.n * (held.n - 1) // 2
        for fraction in store.open():
            yield shares.told(
                "distances", fraction, "Measuring distances", int(fraction * pairs), pairs, "pair"
            )
        taken = time.monotonic() - start
        assert store.base is not None
        size = store.base.values.nbytes / 1e6
        words = "distances" if held.prepared is None else f"{held.metric} distances"
        kind = store.base.values.dtype.name
        yield Message(f"{pairs:,} {words}, {size:,.0f} MB as {kind}, in {taken:.1f} s")
    if held.prepared is None:
        yield from _check_triangles(session, store.base, shares)
    elif held.metric == "cosine":
        yield Message(
            "Cosine distance is no metric: no bound of the paper is proven for it. "
            "On unit vectors the Euclidean metric gives the same single and complete trees.",
            "warning",
        )


def _check_triangles(session: Session, base: Distances | None, shares: Shares) -> Stage:
    held, how = session.measured, session.parameters.triangles
    if how == "off" or base is None:
        held.is_metric = None
        yield Message("The triangle inequality was not checked: proven bounds are left out")
        return
    full = True if how == "full" else None
    work = triangle_steps(base, full=full, seed=0)
    found = None
    for found in work:
        yield shares.told("distances", 0.9, "Checking triangles", found.checked, None, "triple")
    assert found is not None
    held.is_metric = found.holds
    told = f"{found.checked:,} triples{'' if found.full else ' drawn'}"
    yield Value("triangle_violations", found.violations)
    if found.holds:
        yield Message(f"Triangle inequality: {told} checked, none violated")
        return
    assert found.worst is not None
    i, j, via = (str(session.measured.names[v]) for v in found.worst)
    held.worst = f"{i} to {j} is {found.direct:.6g}, by way of {via} only {found.detour:.6g}"
    yield Message(
        f"Not a metric: {found.violations:,} of {told} violate the triangle inequality; "
        f"the worst: {held.worst}. Proven bounds are left out.",
        "warning",
    )


def linkage_stage(
    session: Session, store: Store, chosen: LinkagePlan, context: Context, shares: Shares, place: str
) -> Stage:
    """Grow one tree, then its criteria."""
    name, n = chosen.linkage, session.n
    session.merging = name
    clock, start = Clock(n), time.monotonic()
    phase = f"Merging, {label(name)} linkage"
    work = _merging(session, store, chosen, context)
    done = 0
    while True:
        try:
            step = next(work)
        except StopIteration as end:
            hierarchy: Hierarchy = end.value
            break
        if step is None:
            yield shares.told(f"merge {name}", 0.5, phase)
            continue
        done = step.done
        yield shares.told(f"merge {name}", done / (n - 1), phase, done, n - 1, f"{place} · merge")
        if clock.due():
            yield from _live(session, name, step)
    grown = Grown(
        name, hierarchy.tree, split_numbers(hierarchy.tree), layout(hierarchy.tree).order,
        hierarchy.prototypes, seconds=time.monotonic() - start,
    )  # fmt: skip
    yield shares.told(f"merge {name}", 1.0, phase, n - 1, n - 1, f"{place} · merge")
    if session.parameters.optimal_order and n <= ORDERED_UP_TO and store.base is not None:
        yield from _order(grown, store.base, context, shares)
    yield from _finished(session, grown)
    yield from criteria_stage(session, store, grown, shares)


def _live(session: Session, name: str, step: MergesSoFar) -> Iterator[Event]:
    """Heights so far, and where it is not too large the forest and its clusters."""
    session.heights[name] = np.sort(step.heights)
    yield from shown(session, "heights")
    if session.n <= FOREST_UP_TO and not session.trees:
        session.forest = forest_of(step.pairs, step.heights, session.n)
        yield from shown(session, "tree", "points")


def _finished(session: Session, grown: Grown) -> Iterator[Event]:
    name = grown.name
    session.trees[name] = grown
    session.merging, session.forest = "", None
    session.heights[name] = np.sort(grown.tree[:, 2])
    if session.shown not in session.trees:
        session.shown = name
    yield Value(f"root_height.{name}", float(grown.tree[-1, 2]))
    yield Message(f"{label(name)} linkage: {grown.n - 1:,} merges in {grown.seconds:.2f} s")
    yield from shown(session, "heights", "tree", "points")


def _merging(
    session: Session, store: Store, chosen: LinkagePlan, context: Context
) -> Generator[MergesSoFar | None, None, Hierarchy]:
    """Merges of one linkage by the engine of its plan; yields None while a child process works."""
    held, engine = session.measured, chosen.engine
    if engine == "greedy":
        assert store.base is not None
        ties, seed = session.parameters.ties, context.seed
        return (yield from greedy_linkage(store.base, chosen.linkage, ties, seed))
    if engine == "prim-points":
        assert held.prepared is not None
        return Hierarchy((yield from single_linkage_of_points(held.prepared, held.metric)))
    if engine == "ward-points":
        assert held.prepared is not None
        return Hierarchy((yield from ward_linkage_of_points(held.prepared)))
    if engine == "spanning-tree":
        assert held.prepared is not None
        answer = yield from in_child("spanning-tree", {"points": held.prepared}, {}, context.scratch)
        return Hierarchy(answer["tree"])
    if engine == "prim":
        assert store.base is not None
        return Hierarchy((yield from single_linkage(store.base)))
    if engine == "minimax":
        assert store.base is not None
        return (yield from minimax_linkage(Distances(store.base.as_square(), held.n)))
    work = yield from _silent(store.fresh())
    return Hierarchy((yield from chain_linkage(work, chosen.linkage)))


def _silent(work: Generator[float, None, Distances]) -> Generator[None, None, Distances]:
    """A piecewise computation that says nothing about merges."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
        yield None


def _order(grown: Grown, base: Distances, context: Context, shares: Shares) -> Stage:
    """Turn the branches in a child process: the library keeps the interpreter to itself."""
    arrays = {"tree": grown.tree, "condensed": base.as_condensed()}
    work = in_child("order", arrays, {}, context.scratch)
    while True:
        try:
            next(work)
        except StopIteration as end:
            grown.order = end.value["order"]
            return
        yield shares.told(f"criteria {grown.name}", 0.0, f"Ordering leaves, {label(grown.name)} linkage")


def criteria_stage(session: Session, store: Store, grown: Grown, shares: Shares) -> Stage:
    """Cohesion, and where the distances fit once more separation, at every k."""
    name, held = grown.name, session.measured
    phase = f"Criteria, {label(name)} linkage"
    split = 0.35 if store.base is not None and separated(session, store) else 1.0
    if store.base is not None:
        work = cohesion_steps(grown.tree, store.base)
    elif held.prepared is not None:
        work = cohesion_steps_of_points(grown.tree, held.prepared, held.metric)
    else:
        return
    grown.cohesion = yield from _told(work, name, 0.0, split, phase, shares)
    yield from criteria_values(session, grown)
    yield from shown(session, "points", "cohesion")
    if split < 1.0:
        copy = yield from _told(store.fresh(), name, split, split + 0.05, phase, shares)
        grown.separation = yield from _told(
            separation_steps(grown.tree, copy), name, split + 0.05, 1.0, phase, shares
        )
        yield from separation_values(session, grown)
        yield from shown(session, "cohesion", "groups")


def separated(session: Session, store: Store) -> bool:
    """Whether separation is computed: a second copy must fit, and n be no more than 20,000."""
    return session.n <= FOREST_UP_TO and store.fits(2) and session.n >= 2


def _told(
    work: Generator[float, None, Any], name: str, low: float, high: float, phase: str, shares: Shares
) -> Stage:
    """Run a piecewise computation, telling its fraction as part of the criteria stage."""
    while True:
        try:
            fraction = next(work)
        except StopIteration as end:
            return end.value
        yield shares.told(f"criteria {name}", low + (high - low) * fraction, phase)


def criteria_values(session: Session, grown: Grown) -> Iterator[Event]:
    """Named results of cohesion at the k of the tables."""
    assert grown.cohesion is not None
    tight = grown.cohesion
    for k in session.reported:
        yield Value(f"largest_diameter.{grown.name}.k{k}", float(tight.max_diam[k]))
        yield Value(f"average_diameter.{grown.name}.k{k}", float(tight.avg_diam[k]))
        yield Value(f"largest_average.{grown.name}.k{k}", float(tight.max_avg[k]))


def separation_values(session: Session, grown: Grown) -> Iterator[Event]:
    """Named results of separation at the k of the tables."""
    for criterion, result in (("cs_av", "cs_ratio_av"), ("cs_dm", "cs_ratio_dm"), ("sep_min", "sep_min")):
        values = grown.by_k(criterion)
        assert values is not None
        for k in session.reported:
            if 2 <= k < session.n and np.isfinite(values[k]):
                yield Value(f"{result}.{grown.name}.k{k}", float(values[k]))
