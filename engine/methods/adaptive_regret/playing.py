"""The stages of a run, each a generator that yields after every few hundredths of a second of work.

How large a piece is follows the clock; it never decides a result.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.methods.adaptive_regret.comparators import Comparator
from engine.methods.adaptive_regret.learners import Learner
from engine.methods.adaptive_regret.regret import (
    Windows,
    cover_intervals,
    grid_intervals,
    solve_intervals,
    window_lengths,
)
from engine.methods.adaptive_regret.session import Session, make_learners, suitable
from engine.methods.adaptive_regret.streams import switching_stream

PIECE_SECONDS = 0.03
SWEEP = (0.0, 0.02, 0.05, 0.1, 0.3)
SWEEP_STREAMS = 3
SWEEP_ROUNDS = 3000


class Ticker:
    """Says when a piece of work has taken long enough."""

    def __init__(self, seconds: float = PIECE_SECONDS) -> None:
        self._seconds, self._since = seconds, time.perf_counter()

    def due(self) -> bool:
        now = time.perf_counter()
        if now - self._since < self._seconds:
            return False
        self._since = now
        return True


def play_until(learner: Learner, stop: int) -> Iterator[int]:
    """Play up to round `stop` in pieces; yields the rounds played after each."""
    size = 50
    while learner.rounds_played < stop:
        start = time.perf_counter()
        learner.play(min(size, stop - learner.rounds_played))
        ratio = PIECE_SECONDS / max(time.perf_counter() - start, 1e-6)
        size = max(1, int(size * min(2.0, max(0.25, ratio))))
        yield learner.rounds_played


def play_session(session: Session) -> Iterator[tuple[int, str]]:
    """Play all rounds, all algorithms side by side; yields (rounds of the slowest, name) per piece.

    A checkpoint is reached when everybody has played up to it; `curves` then hold R[1, t] there.
    """
    for mark in session.checkpoints:
        for name, learner in session.learners.items():
            for _ in play_until_timed(session, name, learner, mark):
                yield session.played, name
        note_checkpoint(session, mark)
        yield mark, ""


def play_until_timed(session: Session, name: str, learner: Learner, stop: int) -> Iterator[int]:
    """`play_until`, with the time it takes added to the session's account."""
    work = play_until(learner, stop)
    while True:
        start = time.perf_counter()
        done = next(work, None)
        session.seconds[name] = session.seconds.get(name, 0.0) + time.perf_counter() - start
        if done is None:
            return
        yield done


def note_checkpoint(session: Session, mark: int) -> None:
    """Regret at round `mark`: the exact minima serve all algorithms."""
    least = session.least_losses(mark)
    session.curve_x.append(mark)
    for name, learner in session.learners.items():
        total = float(learner.record.loss[:mark].sum())
        for against, value in least.items():
            session.curves[against].setdefault(name, []).append(total - value)


def solve_windows(windows: Windows, played: int) -> Iterator[int]:
    """Solve the windows that end by `played`, yielding the windows solved now and then."""
    ticker = Ticker()
    for _ in windows.solve(played):
        if ticker.due():
            yield windows.solved


def solve_map(session: Session) -> Iterator[float]:
    """Solve the intervals of the map; yields the share that is done."""
    rounds, cells = session.problem.rounds, session.parameters.cells
    make = cover_intervals if session.parameters.intervals == "cover" else grid_intervals
    starts, lengths, first = make(rounds, cells)
    total, done, ticker = max(int((first >= 0).sum()), 1), 0, Ticker()
    for _, grid in solve_intervals(session.comparator, starts, lengths, first):
        done += 1
        if ticker.due():
            session.grid = replace(grid, minima=grid.minima.copy())
            yield min(done / total, 1.0)
    if session.grid is None or done:
        minima = np.full(first.shape, np.nan) if not done else grid.minima
        session.grid = replace(grid, minima=minima.copy()) if done else None


def note_repeat(session: Session, learners: dict[str, Learner], windows: Windows, best: float) -> None:
    """Keep SA(τ), loss and static regret of one stream."""
    for name, learner in learners.items():
        tau, values = windows.adaptive_regret(learner.losses)
        kept = session.repeats.setdefault(name, {})
        for t, value in zip(tau.tolist(), values.tolist(), strict=True):
            kept.setdefault(t, []).append(value)
        loss = float(learner.losses.sum())
        session.totals.setdefault(name, []).append((loss, loss - best))


def play_repeat(session: Session, rng: np.random.Generator) -> Iterator[float]:
    """Another stream of the same make, played by all; yields the share that is done."""
    from engine.methods.adaptive_regret.instances import make_instance

    instance = make_instance(session.parameters, session.stream, rng)
    problem = instance.problem
    learners = make_learners(suitable(session.parameters, instance), problem, session.settings)
    for i, learner in enumerate(learners.values()):
        for played in play_until(learner, problem.rounds):
            yield 0.6 * (i + played / problem.rounds) / len(learners)
    windows = Windows(Comparator(problem), window_lengths(problem.rounds))
    for solved in solve_windows(windows, problem.rounds):
        yield 0.6 + 0.4 * solved / windows.count
    note_repeat(session, learners, windows, windows.comparator.best(0, problem.rounds).value)


def play_sweep(session: Session, rng: np.random.Generator) -> Iterator[float]:
    """Stationary streams of several noise levels: static regret of every algorithm."""
    p = session.parameters
    rounds = min(p.rounds, SWEEP_ROUNDS)
    total, done = len(SWEEP) * SWEEP_STREAMS, 0
    for _ in range(SWEEP_STREAMS):
        stream = switching_stream(
            rng, rounds, p.dimension, 1, 0.0, p.features, "flip", 0.8 * min(p.radius or 1.0, 1.0)
        )
        for sigma in SWEEP:
            problem = replace(stream, sigma=sigma).problem("square", p.radius or 1.0)
            best = Comparator(problem).best(0, rounds).value
            for name, learner in make_learners(session.names, problem, session.settings).items():
                for _ in play_until(learner, rounds):
                    yield done / total
                found = session.sweep.setdefault(name, {}).setdefault(sigma, [])
                found.append(float(learner.losses.sum()) - best)
            done += 1
