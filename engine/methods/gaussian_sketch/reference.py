"""The reference optimum F*: FISTA with restarts until its steps vanish, resumable; Newton without φ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch.constants import Smoothness
from engine.methods.gaussian_sketch.losses import LOGISTIC, SQUARE
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.rotation import LARGEST
from engine.methods.gaussian_sketch.solvers import GradientSolver, SolverSettings


@dataclass
class Optimum:
    """`x` (d,), `value` F(x), and whether the search ended by itself (`exact`) or at its limit."""

    x: NDArray[np.float64]
    value: float
    exact: bool = True


def search(
    objective: Objective,
    constants: Smoothness,
    limit: int = 50_000,
    part: int = 50,
    tolerance: float = 1e-13,
    start: NDArray[np.float64] | None = None,
) -> Iterator[Optimum]:
    """Better and better optima, one after every `part` of iterations; the last one counts.

    FISTA ends when a step is shorter than `tolerance` (1 + ‖x‖), or `limit` iterations are done.
    """
    if objective.penalty.name == "none" and objective.dimension <= LARGEST and objective.loss != "huber":
        yield from _newton(objective, start)
        return
    solver = GradientSolver(objective, constants, SolverSettings(), True)
    if start is not None:
        solver.begin_at(start)
    while solver.steps < limit:
        solver.advance(part)
        x = solver.x[0].copy()
        done = bool(solver.moved <= tolerance * (1 + np.linalg.norm(x)))
        yield Optimum(x, objective.value(x), done)
        if done:
            return


def optimum(objective: Objective, constants: Smoothness, limit: int = 50_000) -> Optimum:
    """The last of `search`."""
    found = None
    for found in search(objective, constants, limit, part=1000):  # noqa: B007
        pass
    assert found is not None
    return found


def _newton(objective: Objective, start: NDArray[np.float64] | None) -> Iterator[Optimum]:
    """Newton's method with halved steps; least squares at once. Minimal norm where M is singular."""
    a, n = objective.matrix, objective.samples
    x = np.zeros(objective.dimension) if start is None else np.array(start)
    value = objective.value(x)
    for _ in range(100):
        scores = a @ x
        if objective.loss_code == SQUARE:
            bend = np.ones(n)
        else:
            assert objective.loss_code == LOGISTIC
            p = 1.0 / (1.0 + np.exp(-np.abs(scores)))
            bend = p * (1.0 - p)
        gradient = objective.gradient(x)
        weighted = a.multiply(bend[:, None]).tocsr() if hasattr(a, "multiply") else a * bend[:, None]
        hessian = np.asarray((a.T @ weighted).todense()) if hasattr(a, "multiply") else a.T @ weighted
        hessian = hessian / n + np.diag(objective.ridge)
        step = np.linalg.lstsq(hessian, gradient, rcond=1e-14)[0]
        size = 1.0
        while size > 1e-10 and objective.value(x - size * step) > value:
            size *= 0.5
        if size <= 1e-10:
            break
        x = x - size * step
        new = objective.value(x)
        settled = float(gradient @ step) <= 1e-28 * (1 + abs(new)) or new == value
        value = new
        yield Optimum(x.copy(), value, settled)
        if settled:
            return
    yield Optimum(x.copy(), value, True)
