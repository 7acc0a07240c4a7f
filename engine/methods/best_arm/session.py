"""What a tab holds: instances, results, maps and what is looked at. Actions and the run work on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.methods.best_arm.algorithms import ALGORITHMS, Algorithm
from engine.methods.best_arm.arms import Arms, Instances, arms_of
from engine.methods.best_arm.expression import compile_rule
from engine.methods.best_arm.intervals import wilson
from engine.methods.best_arm.parameters import LABELS, Parameters, parse_means, parse_table
from engine.methods.best_arm.replay import Trace
from engine.methods.best_arm.two_arm_exact import Policy
from engine.methods.best_arm.two_arm_policies import function_policy, policy_of, table_policy

FEW_ERRORS = 10
"""Below so many errors seen, importance sampling takes the place of plain simulation."""
EDITED = "edited"
"""The policy table as the person has it now, beside what a run compared."""
MAP_LABELS = {**LABELS, EDITED: "Table as edited"}
_OTHER_COLOURS = (3, 4, 5, 0, 1, 2, 6)


@dataclass
class Point:
    """All that is known of one (instance, algorithm, budget)."""

    instance: int
    algorithm: str
    budget: int
    runs: int = 0
    errors: int = 0
    regret: float = math.nan
    log_exact: float | None = None
    log_rare: float | None = None
    rare_error: float = math.nan

    @property
    def log_value(self) -> float:
        """ln P(error), the best there is: exact, importance sampling, simulation; NaN when unknown."""
        if self.log_exact is not None:
            return self.log_exact
        if self.log_rare is not None and self.errors < FEW_ERRORS:
            return self.log_rare
        return math.log(self.errors / self.runs) if self.errors else math.nan

    @property
    def source(self) -> str:
        """Where `log_value` comes from."""
        if self.log_exact is not None:
            return "exact"
        if self.log_rare is not None and self.errors < FEW_ERRORS:
            return "importance sampling"
        return "simulated" if self.errors else "no error seen"

    def interval(self, level: float) -> tuple[float, float]:
        """Confidence interval of P(error) from simulation or importance sampling."""
        if self.source == "importance sampling" and self.log_rare is not None:
            from statistics import NormalDist

            half = NormalDist().inv_cdf(0.5 + level / 2) * self.rare_error
            value = math.exp(self.log_rare)
            return value * max(1 - half, 0.0), value * (1 + half)
        return wilson(self.errors, self.runs, level)


@dataclass
class PolicyMap:
    """ln(P(error) / P(error) of uniform) on a grid of means, (B, G, G) for B budgets; rows are μ_2."""

    budgets: tuple[int, ...]
    values: NDArray[np.float64]


@dataclass
class Allocation:
    """Mean shares (C, K) at checkpoints (C,), and for two arms P(N_2 = n), (T+1,)."""

    budget: int
    checkpoints: NDArray[np.int64]
    shares: NDArray[np.float64]
    split: NDArray[np.float64]


@dataclass
class Session:
    """The state of a tab. `instance` and `algorithm` are what its views look at.

    A run compares the first `compared` instances, and `compared_table` as the own policy; what the person
    edits meanwhile is set beside them. Before a run both are still free to edit.
    """

    parameters: Parameters
    instances: list[Arms]
    instance: int = 0
    algorithm: str = "uniform"
    points: dict[tuple[int, str, int], Point] = field(default_factory=dict)
    curves: dict[tuple[int, str], tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=dict)
    maps: dict[str, PolicyMap] = field(default_factory=dict)
    map_choice: str = ""
    map_step: int = -1
    stability: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    allocations: dict[tuple[int, str], Allocation] = field(default_factory=dict)
    splits: dict[tuple[int, str, int], NDArray[np.float64]] = field(default_factory=dict)
    traces: dict[tuple[int, str], Trace] = field(default_factory=dict)
    trace_number: int = 0
    table: NDArray[np.float64] = field(default_factory=lambda: np.full((2, 7), 0.5))
    compared_table: NDArray[np.float64] | None = None
    compared: int = 0
    region_mean: float = 0.5
    goal: float = 0.05
    planned: int = 1000

    @property
    def arms(self) -> Arms:
        """The instance looked at."""
        return self.instances[self.instance]

    @property
    def two_arms(self) -> bool:
        """Whether any instance has two arms."""
        return any(arms.count == 2 for arms in self.instances)

    @property
    def grid(self) -> NDArray[np.float64]:
        """Means along each side of the map, (G,)."""
        return np.linspace(0.02, 0.98, self.parameters.map_grid)

    def start(self) -> None:
        """From now on the instances and the own policy there are belong to a run."""
        self.compared, self.compared_table = len(self.instances), self.table

    def pairs(self) -> list[tuple[int, str]]:
        """(instance, algorithm) of everything a run compares."""
        return [(i, name) for i in range(self.compared) for name in self.algorithms_on(i)]

    def labels(self) -> tuple[str, ...]:
        """Names of the instances, distinct."""
        return tuple(f"{i}. {arms.name}" for i, arms in enumerate(self.instances, 1))

    def algorithms_on(self, instance: int) -> list[str]:
        """The chosen algorithms that are defined for the arms of an instance."""
        two = self.instances[instance].count == 2
        return [a for a in self.parameters.algorithms if two or not two_arms_only(a)]

    def two_arm_policies(self) -> list[str]:
        """Chosen algorithms that are functions of the two-arm state, uniform aside: the maps there are."""
        return [
            name
            for name in self.parameters.algorithms
            if name not in ("uniform", "sr", "sh", "sh_fresh", "two_stage")
        ]

    def colour(self, name: str) -> int:
        """Palette index of an algorithm: uniform is the paper's, the others by their place."""
        if name == "uniform":
            return 7
        others = [a for a in LABELS if a in self.parameters.algorithms and a != "uniform"]
        place = others.index(name) if name in others else len(others)
        return _OTHER_COLOURS[place % len(_OTHER_COLOURS)]

    def point(self, instance: int, name: str, budget: int) -> Point:
        """The point, made when first asked for."""
        key = (instance, name, budget)
        return self.points.setdefault(key, Point(*key))

    def points_of(self, instance: int, name: str) -> list[Point]:
        """Known points of a curve, by budget."""
        found = [p for (i, a, _), p in self.points.items() if i == instance and a == name]
        return sorted(found, key=lambda p: p.budget)

    def policy(self, name: str, means: Iterable[float] = (0.5, 0.5)) -> Policy:
        """The two-arm decision function of an algorithm, the own policy, or the table as edited."""
        if name == EDITED:
            return table_policy(self.table)
        if name != "own":
            return policy_of(algorithm_of(name, self.parameters, 2), tuple(means))
        if self.parameters.own == "rule":
            return function_policy(compile_rule(self.parameters.rule))
        return table_policy(self.table if self.compared_table is None else self.compared_table)


def two_arms_only(name: str) -> bool:
    """Whether an algorithm (or the own policy) needs exactly two arms."""
    return name == "own" or ALGORITHMS[name].two_arms_only


def uses_horizon(name: str) -> bool:
    """Whether a two-arm policy looks at the budget, so that every budget needs its own pass."""
    return name in ("ucbe", "cr_c", "cr_a", "own")


def algorithm_of(name: str, parameters: Parameters, arms: int) -> Algorithm:
    """The algorithm with the settings of the form, for `arms` arms."""
    p = parameters
    exploration: float | str | None = {"adaptive": None, "oracle": "oracle", "number": p.ucbe_a}[p.ucbe]
    first = 1.0 - p.share
    return Algorithm(
        name,
        weights=(first, *[p.share / (arms - 1)] * (arms - 1)) if name == "static" else None,
        exploration=exploration,
        theta=p.theta,
        keep_drawing=p.keep_drawing,
        tracking_exploration=p.forced,
        explore=p.explore,
        leader_share=p.leader,
    )


def chosen_instances(parameters: Parameters, data: Instances) -> list[Arms]:
    """The instances of a run: those typed, else the data's, by the settings for counts and mirroring."""
    typed = parse_means(parameters.means)
    items = [arms_of(f"typed-{i}", means) for i, means in enumerate(typed, 1)] or list(data.items)
    if parameters.estimate == "jeffreys":
        items = [arms.with_jeffreys().best_first() for arms in items]
    if parameters.mirror:
        items = [mirrored_arms(arms) for arms in items]
    return items


def mirrored_arms(arms: Arms) -> Arms:
    """Successes and failures exchanged, best arm first again."""
    swapped = replace(
        arms,
        means=1.0 - arms.means,
        successes=None if arms.successes is None or arms.trials is None else arms.trials - arms.successes,
        log_rewards=None if arms.log_rewards is None else 1 - arms.log_rewards,
    )
    return swapped.best_first()


def open_session(parameters: Parameters, data: Instances) -> Session:
    """A session with nothing computed yet."""
    session = Session(parameters, chosen_instances(parameters, data))
    session.goal = parameters.goal
    session.planned = parameters.budget_list[-1]
    session.table = np.array(parse_table(parameters.table))
    policies = session.two_arm_policies()
    session.map_choice = policies[0] if policies else ""
    adaptive = [name for name in session.algorithms_on(0) if name not in ("uniform", "static", "own")]
    session.algorithm = (adaptive or list(parameters.algorithms))[0]
    session.region_mean = float(np.clip(session.arms.means[0], 0.05, 0.95))
    return session
