"""The stages of a run: optimum, measured methods side by side, rotation sweep; each in short pieces."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.core.events import Event, Message, Progress
from engine.methods.gaussian_sketch.catalogue import make_solver
from engine.methods.gaussian_sketch.constants import Smoothness, dense, smoothness, turned
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.outcomes import values_of
from engine.methods.gaussian_sketch.parameters import LABELS
from engine.methods.gaussian_sketch.pictures import ALL, OF_METHOD, shown
from engine.methods.gaussian_sketch.plane import plane_of
from engine.methods.gaussian_sketch.preparing import turned as turned_objective
from engine.methods.gaussian_sketch.preparing import without_penalty
from engine.methods.gaussian_sketch.problem_pictures import SWEEP_GAP, SWEPT
from engine.methods.gaussian_sketch.reference import Optimum, optimum, search
from engine.methods.gaussian_sketch.rotation import LARGEST, cayley_rotation
from engine.methods.gaussian_sketch.session import TURNS, Session, Study, predicted, renew
from engine.methods.gaussian_sketch.solvers import SolverSettings
from engine.methods.gaussian_sketch.traces import Measured, checkpoint_steps

PIECE = 0.03
"""Seconds of work between two yields, as reckoned from sizes."""
SWEEP_TURNS = np.linspace(0.0, 1.0, 5)
_SWEEP_SECONDS = 15.0
_LARGEST_PLANE = 20_000_000


def compiled(session: Session) -> Iterator[Event]:
    """One step of every method on a tiny problem, so that compilation is not measured."""
    rng = np.random.default_rng(0)
    for study in session.studies:
        o = study.objective
        tiny = Objective(rng.standard_normal((4, 3)), np.ones(4), np.ones(3), o.loss, o.penalty)
        if o.penalty.name == "nuclear":
            tiny = tiny.with_penalty(type(o.penalty)("nuclear", o.penalty.strength, size=3))
        for name in session.usable(o):
            yield Progress(None, f"Preparing {LABELS[name]}")
            solver = make_solver(tiny, smoothness(tiny), name, SolverSettings(), session.parameters.seeds, 0)
            solver.advance(1)
            tiny.values(solver.x)
            tiny.gradient(solver.x[0])


def find_optimum(session: Session, study: Study) -> Iterator[Event]:
    """F* of a study by the reference solver."""
    o = study.objective
    part = max(1, int(PIECE * 1e9 / (1.5 * o.stored + 10 * o.samples + 1000)))
    found = Optimum(o.start(), o.value(o.start()), False)
    for step, better in enumerate(search(o, study.constants, part=part), 1):
        found = better
        yield Progress(None, f"Finding the optimum of {study.base.title}", step, None, "piece")
        if study.restart:
            return
    study.best = found
    if not found.exact:
        yield Message(
            f"{study.base.title}: the reference solver stopped at its limit of iterations; "
            "gaps are to the best point",
            "warning",
        )
    if o.samples * o.dimension <= _LARGEST_PLANE and o.penalty.name != "nuclear":
        study.plane = plane_of(o, found.x, o.start())


def turn_predictions(study: Study) -> Iterator[Event]:
    """Constants at several rotations of the coordinates."""
    if study.turned or study.base.generator is None:
        return
    constants, matrix = smoothness(study.base.objective), dense(study.base.objective)
    found = []
    for amount in TURNS:
        found.append(turned(constants, matrix, cayley_rotation(study.base.generator, float(amount))))
        yield Progress(None, "Turning the coordinates")
    study.turned = found


def begin(session: Session, study: Study) -> Iterator[Event]:
    """Optimum, predictions and solvers of a study, from the start.

    A change of the problem between two yields ends it: `restart` is set then, and it is begun once more.
    """
    study.restart, study.measured = False, {}
    renew(session, study)
    yield from find_optimum(session, study)
    yield from turn_predictions(study)
    if study.restart:
        return
    p, d = session.parameters, study.objective.dimension
    budget = float(p.epochs * d)
    assert study.best is not None
    for name in session.usable(study.objective):
        solver = make_solver(study.objective, study.constants, name, session.settings, p.seeds, session.seed)
        every = checkpoint_steps(solver, budget)
        study.measured[name] = Measured(solver, study.best, budget, every, d <= LARGEST, p.tolerance)
    for name, why in study.reasons.items():
        yield Message(f"{study.base.title}: {LABELS[name]} is left out: {why}")
    yield from shown(session, *ALL)


def measure(session: Session) -> Iterator[Event]:
    """Advance all methods of all problems in turn until their budgets are used.

    A study whose rotation or φ the person changes is begun anew.
    """
    told: dict[int, int] = {}
    piece = 0
    while True:
        for study in session.studies:
            if study.best is None or study.restart or not study.measured:
                yield from begin(session, study)
        if any(study.restart for study in session.studies):
            continue
        work = [(s, n, m) for s in session.studies for n, m in s.measured.items() if not m.done]
        if not work:
            return
        for study, name, measured in work:
            if study.restart or study.measured.get(name) is not measured:
                continue
            measured.advance(PIECE)
            piece += 1
            yield _progress(session, study, name)
            if measured.trace.halvings > told.get(id(measured), 0):
                told[id(measured)] = measured.trace.halvings
                yield Message(
                    f"{LABELS[name]} diverged; its step is halved to {measured.solver.eta[0]:.3g}. "
                    "A smaller factor c avoids this",
                    "warning",
                )
            if measured.done:
                yield from values_of(session, study, name)
            if piece % 5 == 0:
                yield from shown(session, "gap", "variance")
            if piece % 20 == 0:
                yield from shown(session, "results", "ranking", *OF_METHOD, "plane")


def _progress(session: Session, study: Study, name: str) -> Progress:
    all_measured = [m for s in session.studies for m in s.measured.values()]
    shares = [1.0 if m.done else min(m.solver.derivatives / m.budget, 1.0) for m in all_measured]
    ended = sum(m.done for m in all_measured)
    return Progress(
        0.95 * float(np.mean(shares)), f"{study.base.title}: {LABELS[name]}", ended, len(shares), "method"
    )


def sweep(session: Session) -> Iterator[Event]:
    """Derivatives to a gap of 1e−4 of f alone at several rotations, one seed."""
    for study in session.studies:
        if study.base.generator is None:
            continue
        smooth = without_penalty(study.base.objective)
        constants = smoothness(smooth)
        work = predicted("gsgd", constants, SolverSettings(c=1.0), SWEEP_GAP)
        one = make_solver(smooth, constants, "gsgd_plain", SolverSettings(c=1.0), 1, session.seed)
        if not math.isfinite(work) or len(SWEEP_TURNS) * work * one.nanoseconds() * 1e-9 > _SWEEP_SECONDS:
            yield Message(f"{study.base.title}: the rotation sweep is left out, it would take too long")
            continue
        best = optimum(smooth, constants)
        yield Progress(0.95, "Rotation sweep")
        for amount in SWEEP_TURNS:
            objective = without_penalty(turned_objective(study.base, float(amount)))
            here = smoothness(objective)
            for name in SWEPT:
                yield from _count(session, study, objective, here, best, name, float(amount), 3 * work)
            yield from shown(session, "rotation")


def _count(
    session: Session, study: Study, objective: Objective, constants: Smoothness, best: Optimum,
    name: str, amount: float, budget: float,
) -> Iterator[Event]:  # fmt: skip
    solver = make_solver(objective, constants, name, SolverSettings(c=1.0), 1, session.seed)
    measured = Measured(solver, best, budget, checkpoint_steps(solver, budget, 600), tolerance=SWEEP_GAP)
    while not measured.done:
        measured.advance(PIECE)
        yield Progress(0.96, f"Rotation sweep at {amount:.2f}: {LABELS[name]}")
    count = float(measured.trace.reached(SWEEP_GAP)[0])
    study.counts.setdefault(name, []).append((amount, count))
