"""A run: distances, one tree a linkage with its criteria, the bracket on the optimum, results."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event, Message, Progress, Rows, Value
from engine.methods.linkage.check import cap_of, plans_of
from engine.methods.linkage.companion import run_tables
from engine.methods.linkage.data import Tables
from engine.methods.linkage.families import FAMILIES_LIMIT
from engine.methods.linkage.families_stage import families_stage
from engine.methods.linkage.lab_filling import first_lab
from engine.methods.linkage.memory import GREEDY_LIMIT, LinkagePlan
from engine.methods.linkage.numbering import split_numbers
from engine.methods.linkage.optimum_stage import (
    baselines_stage,
    bracket_values,
    criteria_rows,
    optimum_rows,
    optimum_stage,
)
from engine.methods.linkage.parameters import Parameters
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.ratio_tables import GROUPED, group_shares
from engine.methods.linkage.search_stage import search_stage
from engine.methods.linkage.session import Grown, Session, label, open_session
from engine.methods.linkage.shares import Shares, stage_shares
from engine.methods.linkage.stages import distances_stage, linkage_stage
from engine.methods.linkage.store import Store
from engine.methods.linkage.tree import layout


def run(parameters: Parameters, data: Any, context: Context) -> Generator[Event, Any, Session]:
    """Grow every linkage on the same distances and compare; returns the session actions work on."""
    if isinstance(data, Tables):
        return (yield from run_tables(parameters, data, context, run_one))
    return (yield from run_one(parameters, data, context))


def run_one(parameters: Parameters, data: Any, context: Context) -> Generator[Event, Any, Session]:
    """A run on one table, distance matrix or hierarchy."""
    yield Progress(0.0, "Preparing")
    session = _session(parameters, data, context)
    context.keep(session)
    yield Value("rows", session.n)
    yield from shown(session, "points")
    if session.measured.merges is not None:
        yield from _given(session)
        return session
    plans = plans_of(parameters, session.measured)
    store = _store(session, plans, context)
    wanted = _base_wanted(session, store, plans)
    shares = stage_shares(
        plans, session.n, session.measured.dimensions, len(session.ks),
        filled=wanted, bracketed=parameters.effort != "off", separated=session.n <= 20_000,
        searched=parameters.search_steps if parameters.search else 0,
    )  # fmt: skip
    yield from distances_stage(session, store, shares, wanted)
    if store.base is not None and session.n <= FAMILIES_LIMIT:
        session.square = store.base.as_square()
    for place, chosen in enumerate(plans, 1):
        told = f"linkage {place} of {len(plans)}"
        yield from linkage_stage(session, store, chosen, context, shares, told)
    yield from baselines_stage(session, store, context, shares)
    if parameters.effort != "off":
        yield from optimum_stage(session, store, shares)
    yield from families_stage(session, shares)
    if parameters.search:
        yield from search_stage(session, context, shares)
    yield from _results(session, shares)
    yield from shown(session, "lab", "lab_distances")
    yield Progress(1.0, "Finished")
    return session


def _session(parameters: Parameters, data: Any, context: Context) -> Session:
    """A new session; the lab the person edited before the run stays theirs."""
    session, before = open_session(parameters, data), context.prepared
    session.lab = before.lab if isinstance(before, Session) else first_lab(session)
    return session


def _store(session: Session, plans: list[LinkagePlan], context: Context) -> Store:
    """Double precision up to 2,000 points, where the greedy engine works; beyond that what was planned."""
    stored = [chosen.dtype for chosen in plans if chosen.layout != "none"]
    single = session.n > GREEDY_LIMIT and "float32" in stored
    if not stored and session.n > 5000:
        single = session.parameters.precision != "float64"
    dtype: type[np.floating] = np.float32 if single else np.float64
    return Store(session.measured, cap_of(session.parameters), context.threads, dtype)


def _base_wanted(session: Session, store: Store, plans: list[LinkagePlan]) -> bool:
    """Whether distances are stored: an engine reads them, or they fit and brackets gain by them."""
    if any(chosen.layout != "none" for chosen in plans) or session.measured.prepared is None:
        return True
    return session.n <= 20_000 and store.fits(1) and session.parameters.effort != "off"


def _given(session: Session) -> Iterator[Event]:
    """A hierarchy that came as a file: looked at, cut and exported."""
    tree = session.measured.merges
    assert tree is not None
    session.trees["given"] = Grown("given", tree, split_numbers(tree), layout(tree).order)
    session.heights["given"] = np.sort(tree[:, 2])
    yield Message(f"A finished hierarchy of {session.n:,} leaves: to be looked at, cut and exported")
    yield Value("root_height.given", float(tree[-1, 2]))
    yield from shown(session, "tree", "heights")
    yield Progress(1.0, "Finished")


def _results(session: Session, shares: Shares) -> Iterator[Event]:
    yield shares.told("results", 0.0, "Writing results")
    yield from bracket_values(session)
    for group in ("small", "medium", "large"):
        for criterion in GROUPED:
            for name, share in group_shares(session, group, criterion).items():
                if math.isfinite(share):
                    yield Value(f"group_{criterion}.{group}.{name}", share)
    yield Rows("criteria", criteria_rows(session))
    yield Rows("optimum", optimum_rows(session))
    yield Rows("groups", _group_rows(session))
    yield from _counter_note(session)
    yield from shown(session, "tree", "points", "cohesion", "ratios", "groups")


def _group_rows(session: Session) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {"group": [], "linkage": [], "criterion": [], "share": []}
    for group in ("small", "medium", "large"):
        for criterion in GROUPED:
            for name, share in group_shares(session, group, criterion).items():
                for column, value in zip(columns.values(), (group, name, criterion, share), strict=True):
                    column.append(value)
    return columns


def _counter_note(session: Session) -> Iterator[Event]:
    """Where single linkage has the lowest average diameter, say why that is no praise."""
    names = session.names_of_trees()
    if "single" not in names or len(names) < 2:
        return
    found = {name: session.trees[name].by_k("avg_diam") for name in names}
    curves = {name: values for name, values in found.items() if values is not None}
    if len(curves) < len(names):
        return
    ks = [k for k in session.ks if 1 < k < session.n]
    others = np.min([values for name, values in curves.items() if name != "single"], axis=0)
    lowest = [k for k in ks if curves["single"][k] < others[k]]
    if len(lowest) * 2 > len(ks) > 0:
        k = lowest[-1]
        told = ", ".join(f"{label(name)} {curves[name][k]:.4g}" for name in names)
        yield Message(
            f"Single linkage has the lowest average diameter at {len(lowest)} of {len(ks)} k, because it "
            f"leaves singletons of diameter 0 beside one large cluster (k = {k}: {told})"
        )
