"""The simulated part of a run: points with intervals, rare errors, allocations, and one run by steps."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from engine.core.context import Context
from engine.methods.best_arm.parameters import LABELS
from engine.methods.best_arm.replay import Trace, bernoulli_source, log_source, tracing
from engine.methods.best_arm.session import FEW_ERRORS, Allocation, Point, Session, algorithm_of
from engine.methods.best_arm.simulation import Simulator, Tally, correct_arms, simulate
from engine.methods.best_arm.tilting import tilted_error

_CHECKPOINTS = 60
_RARE_RUNS = 50_000
_TRACE_STEPS = 400_000


def work_list(session: Session) -> list[tuple[int, str, int]]:
    """(instance, algorithm, budget) of every point to simulate, small budgets first."""
    return [
        (i, name, budget)
        for budget in session.parameters.budget_list
        for i, name in session.pairs()
        if name != "own"
    ]


def simulated_points(session: Session, context: Context) -> Iterator[tuple[int, str]]:
    """Simulate every point until its runs or errors are reached; yields (points done, what is done)."""
    for done, (i, name, budget) in enumerate(work_list(session)):
        phase = f"Simulating {LABELS[name]}, T = {budget:,}"
        for _ in _simulate(session, context, i, name, budget):
            yield done, phase
        yield done + 1, phase


def _simulate(session: Session, context: Context, i: int, name: str, budget: int) -> Iterator[None]:
    p, arms = session.parameters, session.instances[i]
    point, right = session.point(i, name, budget), correct_arms(arms.means)
    place = 0 if p.common else 1 + list(LABELS).index(name)
    last = budget == p.budget_list[-1]
    checkpoints = np.unique(np.linspace(1, budget, _CHECKPOINTS).astype(int)) if last else ()
    simulator = Simulator(
        algorithm_of(name, p, arms.count), arms.means, budget, seed=context.seed,
        stream_name=(i, place, budget), checkpoints=checkpoints,
    )  # fmt: skip
    inside = bool(((arms.means > 0) & (arms.means < 1)).all() and (arms.means == arms.means.max()).sum() == 1)
    tally: Tally | None = None
    for tally in simulate(simulator, p.runs, threads=context.threads):
        _count(point, tally, right, arms.means)
        yield
        if p.min_errors and point.errors >= p.min_errors:
            break
        if p.tilted and inside and point.errors == 0 and 10 * point.runs >= p.runs:
            break
    if last and tally is not None:
        session.allocations[i, name] = Allocation(
            budget, tally.checkpoints, tally.mean_shares, tally.split.astype(float)
        )
    if p.tilted and point.log_exact is None and point.errors < FEW_ERRORS and inside:
        yield from _rare(session, context, point)


def _count(point: Point, tally: Tally, right: np.ndarray, means: np.ndarray) -> None:
    point.runs, point.errors = tally.runs, tally.errors(right)
    point.regret = float(((means.max() - means) * tally.draws).sum() / tally.runs)


def _rare(session: Session, context: Context, point: Point) -> Iterator[None]:
    arms = session.instances[point.instance]
    algorithm = algorithm_of(point.algorithm, session.parameters, arms.count)
    name = (point.instance, 100 + list(LABELS).index(point.algorithm), point.budget)
    runs = min(_RARE_RUNS, session.parameters.runs)
    for estimate in tilted_error(
        algorithm, arms.means, point.budget, runs, seed=context.seed, stream_name=name
    ):
        if np.isfinite(estimate.log_error):
            point.log_rare, point.rare_error = estimate.log_error, estimate.relative_error
        yield


def one_run(session: Session, context: Context, i: int, name: str) -> Generator[int, None, Trace]:
    """Make one run of an algorithm, step by step: on the log where there is one to replay, else simulated."""
    arms, p = session.instances[i], session.parameters
    budget = min(p.budget_list[-1], max(_TRACE_STEPS // arms.count, 2 * arms.count))
    rng = context.stream(f"one run {i} {name} {session.trace_number}")
    if p.replay and arms.log_arms is not None and arms.log_rewards is not None:
        source = log_source(arms.log_arms, arms.log_rewards, arms.count)
    else:
        source = bernoulli_source(arms.means, rng)
    algorithm = algorithm_of(name, p, arms.count)
    found = yield from tracing(algorithm, arms.count, budget, source, rng, arms.means.tolist())
    session.traces[i, name] = found
    return found
