"""The algorithms by name, with what can be set on each. Plain data; imports nothing compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from engine.methods.best_arm.rates import complexity, log_bar
from engine.methods.best_arm.schedules import check_weights, smallest_budget_for


@dataclass(frozen=True)
class AlgorithmInfo:
    """What an algorithm is called, its source, and whether it is defined for two arms only."""

    title: str
    source: str
    two_arms_only: bool = False
    by_steps: bool = False


ALGORITHMS: dict[str, AlgorithmInfo] = {
    "uniform": AlgorithmInfo("Uniform", "Wang, Ariu and Proutiere (2024)"),
    "static": AlgorithmInfo("Static share", "Glynn and Juneja (2004)"),
    "sr": AlgorithmInfo("Successive Rejects", "Audibert, Bubeck and Munos (2010)"),
    "sh": AlgorithmInfo("Sequential Halving", "Karnin, Koren and Somekh (2013)"),
    "sh_fresh": AlgorithmInfo("Sequential Halving, fresh samples", "Karnin, Koren and Somekh (2013)"),
    "ucbe": AlgorithmInfo("UCB-E", "Audibert, Bubeck and Munos (2010)", by_steps=True),
    "cr_c": AlgorithmInfo("CR-C", "Wang, Tzeng and Proutiere (2023)", by_steps=True),
    "cr_a": AlgorithmInfo("CR-A", "Wang, Tzeng and Proutiere (2023)", by_steps=True),
    "tracking": AlgorithmInfo("Plug-in tracking", "Garivier and Kaufmann (2016), fixed budget", True, True),
    "two_stage": AlgorithmInfo("Two-stage", "explore, then the estimated best share", True, True),
    "ttts": AlgorithmInfo("Top-two Thompson", "Russo (2020)", by_steps=True),
    "thompson": AlgorithmInfo("Thompson (regret)", "Thompson (1933)", by_steps=True),
}


@dataclass(frozen=True)
class Algorithm:
    """An algorithm with its settings; those that do not concern `name` are ignored.

    `weights`: fixed allocation of "static" (K,). `exploration`: a of UCB-E, a number, None for the
    adaptive estimate, or "oracle" (a = 25/36 (T−K)/H1, needs the means). `theta`: θ0 of CR.
    `keep_drawing`: CR draws its last candidate to the end. `tracking_exploration`: coefficient of the
    forced exploration √(t+1). `explore`: fraction of the budget of the first stage. `leader_share`: β.
    """

    name: str
    weights: tuple[float, ...] | None = None
    exploration: float | str | None = None
    theta: float = 1e-6
    keep_drawing: bool = False
    tracking_exploration: float = 0.5
    explore: float = 0.5
    leader_share: float = 0.5

    @property
    def title(self) -> str:
        """The name shown to a person."""
        return ALGORITHMS[self.name].title

    def check(self, arms: int, budget: int) -> None:
        """Raise ValueError, in words, when the algorithm cannot run on `arms` arms with `budget` draws."""
        if self.name not in ALGORITHMS:
            raise ValueError(f"unknown algorithm {self.name!r}; known: {', '.join(ALGORITHMS)}")
        if arms < 2:
            raise ValueError("at least two arms are needed")
        if ALGORITHMS[self.name].two_arms_only and arms != 2:
            raise ValueError(f"{self.title} is defined for two arms, not {arms}")
        least = smallest_budget_for(arms, "sh" if self.name == "sh_fresh" else self.name)
        if budget < least:
            raise ValueError(f"{self.title} on {arms} arms needs a budget of at least {least}, not {budget}")
        if self.name == "static":
            if self.weights is None or len(self.weights) != arms:
                raise ValueError(f"Static share needs {arms} weights, one per arm")
            check_weights(self.weights)
        if self.name.startswith("cr_") and not 0 < self.theta < 1 / log_bar(arms):
            raise ValueError(f"θ0 must lie between 0 and 1/logbar({arms}) = {1 / log_bar(arms):.4g}")

    def ucbe_exploration(self, means: ArrayLike, budget: int) -> float:
        """a of UCB-E as a number; −1 asks the simulation for the adaptive estimate."""
        if self.exploration is None:
            return -1.0
        if self.exploration == "oracle":
            return ucbe_numerator(int(np.size(means)), budget) / complexity(means)
        return float(self.exploration)

    def first_stage(self, budget: int) -> int:
        """Draws of the first stage of the two-stage rule: an even number, at least 2."""
        return max(2, 2 * int(self.explore * budget / 2))


def ucbe_numerator(arms: int, budget: int) -> float:
    """25/36 (T−K): a of UCB-E is this over H1 (Audibert, Bubeck and Munos, 2010, Theorem 1)."""
    return 25.0 / 36.0 * (budget - arms)


def static_two_arms(share: float) -> Algorithm:
    """The static rule giving `share` of the draws to arm 2."""
    return Algorithm("static", weights=(1.0 - share, share))


def labels(algorithms: Sequence[Algorithm]) -> list[str]:
    """Titles, made distinct by a number where an algorithm is there twice."""
    titles = [a.title for a in algorithms]
    seen: dict[str, int] = {}
    named = []
    for title in titles:
        seen[title] = seen.get(title, 0) + 1
        named.append(title if titles.count(title) == 1 else f"{title} ({seen[title]})")
    return named
