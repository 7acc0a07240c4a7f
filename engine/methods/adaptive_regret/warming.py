"""A tiny run of every kernel, so that they are compiled before the first press of Run."""

from __future__ import annotations

import numpy as np

from engine.methods.adaptive_regret.change_points import change_points
from engine.methods.adaptive_regret.comparators import Comparator
from engine.methods.adaptive_regret.learners import Settings, play_all
from engine.methods.adaptive_regret.portfolios import portfolio_problem
from engine.methods.adaptive_regret.streams import switching_stream
from engine.methods.adaptive_regret.thresholds import markers_at


def compile_kernels() -> None:
    """Compile (or load from the cache) what runs use."""
    rng = np.random.default_rng(0)
    stream = switching_stream(rng, rounds=40, dimension=3, stages=2)
    for loss in ("square", "logistic"):
        problem = stream.problem(loss)
        learner = play_all("flhs", problem, Settings(threshold=0.5))
        change_points(learner)
        markers_at(problem, 0.5)
        Comparator(problem).best(0, 40)
    market = portfolio_problem(np.exp(0.01 * rng.normal(size=(30, 3))))
    play_all("ons", market)
    Comparator(market).best(0, 30)
