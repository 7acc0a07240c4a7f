"""The methods by name, how each is made, and what each cannot do.

solver = make_solver(objective, smoothness(objective), "gsgd", SolverSettings(), seeds=3, seed=0)
solver.advance(1000); objective.values(solver.x)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.methods.gaussian_sketch import step_sizes
from engine.methods.gaussian_sketch.constants import Smoothness
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.solvers import (
    AcceleratedSolver,
    CoordinateSolver,
    GradientSolver,
    SegaSolver,
    SketchSolver,
    Solver,
    SolverSettings,
)

Maker = Callable[[Objective, Smoothness, SolverSettings, int], Solver]


def _uniform(o: Objective, k: Smoothness, s: SolverSettings, seeds: int) -> Solver:
    p = step_sizes.uniform_probabilities(k)
    return CoordinateSolver(o, k, s, seeds, p, step_sizes.coordinate_step(k, p) / p)


def _importance(o: Objective, k: Smoothness, s: SolverSettings, seeds: int) -> Solver:
    p = step_sizes.importance_probabilities(k)
    step = step_sizes.coordinate_step(k, np.maximum(p, 1e-300)) / np.maximum(p, 1e-300)
    return CoordinateSolver(o, k, s, seeds, p, step)


def _own_steps(o: Objective, k: Smoothness, s: SolverSettings, seeds: int) -> Solver:
    return CoordinateSolver(
        o, k, s, seeds, step_sizes.uniform_probabilities(k), 1 / np.maximum(k.diagonal, 1e-300)
    )


def _minibatch(o: Objective, k: Smoothness, s: SolverSettings, seeds: int) -> Solver:
    size = min(s.size if s.size > 1 else 8, o.dimension)
    p = step_sizes.uniform_probabilities(k)
    return CoordinateSolver(o, k, s, seeds, p, step_sizes.minibatch_steps(k, size), size)


MAKERS: dict[str, Maker] = {
    "gsgd": lambda o, k, s, r: SketchSolver(o, k, s, r),
    "gsgd_plain": lambda o, k, s, r: SketchSolver(o, k, s, r, learns=False),
    "rcd_uniform": _uniform,
    "rcd_importance": _importance,
    "rcd_own": _own_steps,
    "minibatch": _minibatch,
    "sega_uniform": lambda o, k, s, r: SegaSolver(o, k, s, r, step_sizes.uniform_probabilities(k)),
    "sega_importance": lambda o, k, s, r: SegaSolver(o, k, s, r, step_sizes.importance_probabilities(k)),
    "sega_gaussian": lambda o, k, s, r: SketchSolver(o, k, s, r, kind="orthogonal", size=1),
    "acd": AcceleratedSolver,
    "gd": lambda o, k, s, r: GradientSolver(o, k, s, False),
    "fista": lambda o, k, s, r: GradientSolver(o, k, s, True),
}
COORDINATE = ("rcd_uniform", "rcd_importance", "rcd_own", "minibatch")


def why_not(name: str, objective: Objective) -> str:
    """Why a method cannot be used on a problem; empty when it can."""
    penalty = objective.penalty
    if name in COORDINATE and not penalty.is_separable:
        return "a coordinate step needs a separable regulariser"
    if name == "gsgd_plain" and penalty.name != "none":
        return "without learnt h it does not converge with a regulariser"
    if name == "acd" and penalty.name != "none":
        return "the accelerated form here is without a regulariser"
    return ""


def make_solver(
    objective: Objective, constants: Smoothness, name: str, settings: SolverSettings, seeds: int, seed: int
) -> Solver:
    """The solver `name` of MAKERS at x = 0.

    Raises:
        ValueError: it cannot be used with this regulariser (`why_not`).
    """
    reason = why_not(name, objective)
    if reason:
        raise ValueError(reason)
    solver = MAKERS[name](objective, constants, settings, seeds)
    solver.seeded(name, seed)
    return solver
