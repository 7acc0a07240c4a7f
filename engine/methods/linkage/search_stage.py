"""Stage of a run: search an instance on which a linkage does badly, shown in the lab as it grows worse."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.core.context import Context
from engine.core.events import Event, Message, Value
from engine.methods.linkage.adversary import adversary_steps
from engine.methods.linkage.clock import Clock
from engine.methods.linkage.lab import Lab, circle, lab_of
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Session, label
from engine.methods.linkage.shares import Shares

YIELDED_EVERY = 10


def search_stage(session: Session, context: Context, shares: Shares) -> Generator[Event, None, Any]:
    """Anneal small integer-weight metrics; each better one enters the lab. Stopped, the best so far stays."""
    p = session.parameters
    ties = "adversarial" if p.ties == "index" else p.ties
    work = adversary_steps(
        p.search_linkage, p.search_k, p.search_points, p.search_steps, p.search_optimum, ties,
        seed=context.seed,
    )  # fmt: skip
    clock, best, yields = Clock(p.search_points), 0.0, 0
    phase = f"Searching against {label(p.search_linkage)} linkage"
    for state in work:
        yields += 1
        if yields % YIELDED_EVERY and state.step < p.search_steps:
            continue
        told = f"{phase}: {state.best:.4g} × {p.search_optimum}"
        yield shares.told("search", state.step / p.search_steps, told, state.step, p.search_steps, "step")
        if state.best > best and (clock.due() or state.step == p.search_steps):
            best = state.best
            session.lab = _lab(session, state.matrix, best, ties)
            yield Value("searched_ratio", best)
            yield from shown(session, "lab", "lab_distances")
    yield Message(
        f"Search: {label(p.search_linkage)} linkage at k = {p.search_k} on {p.search_points} points "
        f"reaches {best:.4g} × {p.search_optimum}; the instance is in the lab"
    )


def _lab(session: Session, matrix: Any, best: float, ties: Any) -> Lab:
    p = session.parameters
    like = Lab("", circle(0), None, shown=p.search_linkage, linkages=tuple(p.linkages), ties=ties)
    made = lab_of(circle(len(matrix)), matrix, "search", p.search_k, like)
    made.searched = f"found: {best:.4g} × {p.search_optimum}"
    return made
