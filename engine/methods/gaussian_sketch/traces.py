"""Runs of a solver as curves: the relative gap at checkpoints, with what each one cost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.catalogue import make_solver
from engine.methods.gaussian_sketch.constants import smoothness
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.reference import Optimum, optimum
from engine.methods.gaussian_sketch.solvers import Solver, SolverSettings

Vector = NDArray[np.float64]
DIVERGED = 1000.0
"""An objective so many times its value at the start is taken for divergence; the step is halved."""
STUCK = 10
"""So is one that lies above its value at the start at so many checkpoints in a row."""


@dataclass
class Trace:
    """Checkpoints of one solver, one entry a checkpoint (the first at x = 0).

    `derivatives`, `iterations`, `seconds` (per seed, evaluation aside) and `flops` are lists of numbers;
    `gaps` of arrays (R,), (F − F*)/(F(0) − F*); `h_errors` of arrays (R,), ‖h − ∇f(x)‖ where h is learnt;
    `paths` of x of the first seed, float64 (d,).
    """

    derivatives: list[float] = field(default_factory=list)
    iterations: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    flops: list[float] = field(default_factory=list)
    gaps: list[Vector] = field(default_factory=list)
    h_errors: list[Vector] = field(default_factory=list)
    paths: list[Vector] = field(default_factory=list)
    halvings: int = 0

    def gap_matrix(self) -> Vector:
        """float64 (checkpoints, R)."""
        return np.array(self.gaps)

    def reached(self, gap: float) -> Vector:
        """Derivatives at which each seed first has `gap`, float64 (R,), infinite where it has not.

        Between two checkpoints the logarithm of the gap is taken as a straight line.
        """
        gaps, x = self.gap_matrix(), np.array(self.derivatives)
        out = np.full(gaps.shape[1], np.inf)
        for r in range(gaps.shape[1]):
            below = np.flatnonzero(gaps[:, r] <= gap)
            if not below.size:
                continue
            k = int(below[0])
            if k == 0:
                out[r] = x[0]
                continue
            high, low = np.log(gaps[k - 1, r]), np.log(max(gaps[k, r], 1e-300))
            out[r] = x[k - 1] + (x[k] - x[k - 1]) * (high - np.log(gap)) / max(high - low, 1e-300)
        return out


class Measured:
    """A solver and its trace. `advance` works in pieces, with checkpoints `every` steps.

    It is done when the derivatives of the budget are used or all seeds have a gap of `tolerance`.
    """

    def __init__(
        self,
        solver: Solver,
        best: Optimum,
        budget: float,
        every: int,
        path: bool = False,
        tolerance: float = 1e-14,
    ) -> None:
        self.solver, self.best, self.budget, self.every, self.path = solver, best, budget, max(every, 1), path
        self.trace = Trace()
        self.tolerance = tolerance
        self.seconds, self.flops = 0.0, 0.0
        self.start = float(solver.objective.value(solver.x[0]))
        self._safe = solver.saved()
        self._above = 0
        self.checkpoint()

    @property
    def done(self) -> bool:
        """Whether the budget of derivatives is used up, or all seeds are near enough."""
        return self.solver.derivatives >= self.budget or bool(self.trace.gaps[-1].max() <= self.tolerance)

    def advance(self, seconds: float) -> bool:
        """Work roughly so long, or up to the next checkpoint; True when one was taken.

        The length is reckoned from the size of the problem, not measured: pieces are the same every time.
        """
        left = self.every - self.solver.steps % self.every
        count = min(left, max(1, int(1e9 * seconds / self.solver.nanoseconds())))
        begun = time.perf_counter()
        self.solver.advance(count)
        self.seconds += (time.perf_counter() - begun) / self.solver.seeds
        self.flops += count * self.solver.flops()
        if count < left and self.solver.derivatives < self.budget:
            return False
        self.checkpoint()
        return True

    def checkpoint(self) -> None:
        """Add a point; where a seed has diverged, go back to the last good point and halve the step."""
        solver, trace = self.solver, self.trace
        values = solver.objective.values(solver.x)
        self._above = self._above + 1 if np.any(values > self.start * (1 + 1e-12)) else 0
        if self._has_diverged(values):
            eta = solver.eta * 0.5
            solver.put_back(self._safe)
            solver.eta[...] = eta
            self._above = 0
            trace.halvings += 1
            values = solver.objective.values(solver.x)
        elif not self._above:
            self._safe = solver.saved()
        span = self.start - self.best.value
        trace.gaps.append(np.maximum(values - self.best.value, 0.0) / (span if span > 0 else 1.0))
        trace.derivatives.append(float(solver.derivatives))
        trace.iterations.append(float(solver.steps))
        trace.seconds.append(self.seconds)
        trace.flops.append(self.flops)
        if solver.h is not None and getattr(solver, "learns", True):
            errors = [
                np.linalg.norm(h - solver.objective.gradient(x))
                for h, x in zip(solver.h, solver.x, strict=True)
            ]
            trace.h_errors.append(np.array(errors))
        if self.path:
            trace.paths.append(solver.x[0].copy())

    def _has_diverged(self, values: Vector) -> bool:
        bounded = np.isfinite(values) & (values <= DIVERGED * max(abs(self.start), 1e-300))
        return self._above >= STUCK or not np.all(bounded)


def checkpoint_steps(solver: Solver, budget: float, points: int = 200) -> int:
    """Steps between checkpoints for about `points` of them within the budget of derivatives."""
    return max(1, round(budget / solver.cost / points))


def solve(
    objective: Objective,
    name: str,
    settings: SolverSettings | None = None,
    *,
    epochs: float = 200.0,
    seeds: int = 3,
    seed: int = 0,
    best: Optimum | None = None,
    points: int = 200,
    tolerance: float = 1e-14,
) -> tuple[Vector, Trace]:
    """Solve a problem by one method of `catalogue.MAKERS` from x = 0; returns x (R, d) and the trace.

    `epochs` are d directional derivatives each; it ends early once every seed has a gap of `tolerance`.

    Raises:
        ValueError: the method cannot be used with this regulariser.
    """
    for measured in solving(objective, name, settings, epochs, seeds, seed, best, points, tolerance):  # noqa: B007
        pass
    return measured.solver.x, measured.trace


def solving(
    objective: Objective,
    name: str,
    settings: SolverSettings | None,
    epochs: float,
    seeds: int,
    seed: int,
    best: Optimum | None,
    points: int = 200,
    tolerance: float = 1e-14,
) -> Iterator[Measured]:
    """`solve` in pieces of about 30 ms."""
    constants = smoothness(objective)
    best = best or optimum(objective, constants)
    solver = make_solver(objective, constants, name, settings or SolverSettings(), seeds, seed)
    budget = epochs * objective.dimension
    measured = Measured(solver, best, budget, checkpoint_steps(solver, budget, points), tolerance=tolerance)
    yield measured
    while not measured.done:
        measured.advance(0.03)
        yield measured
