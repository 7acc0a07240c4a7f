"""What share of a run each stage takes, estimated from the counted work of each, and the progress told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.events import Progress
from engine.methods.linkage.memory import LinkagePlan

PAIRS_A_SECOND = 3e8
OPERATIONS_A_SECOND = 1.2e9
SEARCHED_UP_TO = 5000


@dataclass
class Shares:
    """Weights of the stages in seconds, in order; `at(stage, fraction)` is the fraction of the whole."""

    weights: dict[str, float] = field(default_factory=dict)

    def at(self, stage: str, fraction: float) -> float:
        """Fraction of the whole run when `stage` is at `fraction`."""
        total = sum(self.weights.values()) or 1.0
        before = 0.0
        for name, weight in self.weights.items():
            if name == stage:
                return min(1.0, (before + weight * min(max(fraction, 0.0), 1.0)) / total)
            before += weight
        return 1.0

    def told(
        self, stage: str, fraction: float, phase: str, done: int | None = None, total: int | None = None,
        counted: str = "",
    ) -> Progress:  # fmt: skip
        """The progress event of a moment of a stage."""
        return Progress(self.at(stage, fraction), phase, done, total, counted)


def merging_seconds(chosen: LinkagePlan, n: int, d: int) -> float:
    """Seconds one linkage takes, roughly, from measured rates of each engine."""
    pairs = 0.5 * n * n
    if chosen.engine == "greedy":
        return pairs / 5e6
    if chosen.engine == "chain":
        return 4 * pairs / PAIRS_A_SECOND
    if chosen.engine == "minimax":
        return 40 * pairs / PAIRS_A_SECOND
    if chosen.engine == "prim":
        return 2 * pairs / PAIRS_A_SECOND
    if chosen.engine == "spanning-tree":
        return 1.5 + n / 1e5
    return pairs * max(d, 2) / OPERATIONS_A_SECOND * (3 if chosen.engine == "ward-points" else 1)


def filling_seconds(n: int, d: int) -> float:
    """Seconds all distances of points take on two threads."""
    return 0.5 * n * n * max(d, 4) / (2 * OPERATIONS_A_SECOND)


def stage_shares(
    plans: Sequence[LinkagePlan],
    n: int,
    d: int,
    ks: int,
    *,
    filled: bool,
    bracketed: bool,
    separated: bool,
    searched: int = 0,
) -> Shares:
    """The stages of a run: distances, each linkage and its criteria, brackets, results."""
    pairs = 0.5 * n * n
    weights = {"distances": 0.05 + (filling_seconds(n, d) if filled else 0.0)}
    for chosen in plans:
        weights[f"merge {chosen.linkage}"] = 0.02 + merging_seconds(chosen, n, d)
        weights[f"criteria {chosen.linkage}"] = 0.02 + pairs * (6 if separated else 2) / PAIRS_A_SECOND
    if bracketed:
        # Square distances are read in rows; condensed ones, beyond 2,000 points, here and there.
        searches = 3.0 if n <= 2000 else 18.0 * (2000 / n) ** 2 if n <= SEARCHED_UP_TO else 0.0
        weights["optimum"] = 0.3 + pairs * (4 + (2.0 + searches) * ks) / PAIRS_A_SECOND
    if n <= 500:
        weights["families"] = 0.05 + n * n * n / 1e9
    if searched:
        weights["search"] = 0.05 + searched * 1e-4
    weights["results"] = 0.05
    return Shares(weights)
