"""One step of every method on a tiny problem, so that kernels are compiled before the first press of Run."""

from __future__ import annotations

import numpy as np

from engine.methods.gaussian_sketch.catalogue import MAKERS, make_solver, why_not
from engine.methods.gaussian_sketch.constants import smoothness
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.plane import plane_of
from engine.methods.gaussian_sketch.regularisers import Penalty
from engine.methods.gaussian_sketch.solvers import SolverSettings


def compile_kernels() -> None:
    """Compile (or load from the cache) what runs use."""
    rng = np.random.default_rng(0)
    for penalty in (Penalty("l1", 0.1), Penalty()):
        tiny = Objective(rng.standard_normal((4, 3)), np.ones(4), np.ones(3), "logistic", penalty)
        for name in MAKERS:
            if not why_not(name, tiny):
                make_solver(tiny, smoothness(tiny), name, SolverSettings(), 2, 0).advance(1)
        plane_of(tiny, tiny.gradient(tiny.start()), tiny.start(), 3)
        tiny.values(np.zeros((1, 3)))
