"""The threshold C that sets a wanted number of markers, from the beginning of a stream."""

from __future__ import annotations

import numpy as np

from engine.methods.adaptive_regret.losses import LOSS_CODES
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.projections import BALL, SIMPLEX
from engine.methods.adaptive_regret.rounds import marker_rounds

LOOKED_AT = 2000


def markers_at(problem: Problem, threshold: float, shortest: int = 1) -> int:
    """Markers the loss-counting expert sets on the whole problem with this C."""
    return len(
        marker_rounds(
            problem.features, problem.targets, problem.start, SIMPLEX if problem.simplex else BALL,
            LOSS_CODES[problem.loss], float(problem.radius), problem.diameter, float(threshold),
            problem.loss_limit(), shortest,
        )
    )  # fmt: skip


def calibrated_threshold(problem: Problem, per_hundred: float, shortest: int = 1) -> float:
    """The smallest C (to 1%) with at most `per_hundred` markers in 100 of the first 2,000 rounds."""
    begin = problem.upto(min(problem.rounds, LOOKED_AT))
    allowed = max(per_hundred / 100.0 * begin.rounds, 1.0)
    low, high = 1e-6, 1.0
    while markers_at(begin, high, shortest) > allowed and high < 1e9:
        high *= 2.0
    for _ in range(60):
        middle = float(np.sqrt(low * high))
        if markers_at(begin, middle, shortest) > allowed:
            low = middle
        else:
            high = middle
        if high / low < 1.01:
            break
    return high
