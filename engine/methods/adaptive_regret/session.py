"""What a tab holds: the stream, the learners, exact minima, and what is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.core.context import Context
from engine.methods.adaptive_regret.comparators import Best, Comparator
from engine.methods.adaptive_regret.covers import NEVER
from engine.methods.adaptive_regret.data import Stream
from engine.methods.adaptive_regret.instances import Instance, make_instance, make_settings, problem_of
from engine.methods.adaptive_regret.learners import Learner, Settings
from engine.methods.adaptive_regret.parameters import LABELS, Parameters
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.regret import IntervalGrid, Windows, window_lengths
from engine.methods.adaptive_regret.streams import Burst, SwitchingStream

Floats = NDArray[np.float64]
CHECKPOINTS = 120
_MOST_POINTS = 4_000_000
"""Played points are kept (for wealth after costs) while T·d stays below this."""


@dataclass
class Opened:
    """An expert whose bar was clicked: whom it serves, its kind, its life [born, last], its losses."""

    algorithm: str
    title: str
    born: int
    last: int
    losses: Floats
    against: Floats


@dataclass
class Session:
    """The state of a tab; actions and the run work on it.

    `curve_x` rounds at which regret is drawn, `curves` its values per comparator ("fixed": R[1, t];
    "stages": against the best point of each known stage) and algorithm; `seconds` computing time per
    algorithm; `repeats` SA(τ) and `totals` (loss, static regret) of every stream drawn.
    """

    parameters: Parameters
    stream: Stream
    instance: Instance
    settings: Settings
    learners: dict[str, Learner]
    comparator: Comparator
    windows: Windows
    checkpoints: list[int]
    map_choice: str
    life_choice: str
    types_choice: str
    playing: bool = False
    finished: bool = False
    grid: IntervalGrid | None = None
    curve_x: list[int] = field(default_factory=list)
    curves: dict[str, dict[str, list[float]]] = field(default_factory=lambda: {"fixed": {}, "stages": {}})
    against: str = "fixed"
    seconds: dict[str, float] = field(default_factory=dict)
    span: tuple[int, int] | None = None
    opened: Opened | None = None
    burst_size: float = 0.5
    shown_cost: float = 0.0
    replayed: tuple[str, ...] | None = None
    repeats: dict[str, dict[int, list[float]]] = field(default_factory=dict)
    totals: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    sweep: dict[str, dict[float, list[float]]] = field(default_factory=dict)
    best_whole: Best | None = None
    _known: dict[tuple[int, int], float] = field(default_factory=dict, repr=False)

    @property
    def problem(self) -> Problem:
        return self.instance.problem

    @property
    def played(self) -> int:
        """Rounds that every learner has played."""
        return min((each.rounds_played for each in self.learners.values()), default=0)

    @property
    def names(self) -> list[str]:
        """The algorithms, in the order of the form."""
        return [name for name in LABELS if name in self.learners]

    def switch_names(self) -> list[tuple[str, int]]:
        """Name and round of every known change; many have numbers alone, so that they do not collide."""
        switches = self.problem.switches
        word = "change " if len(switches) <= 4 else ""
        return [(f"{word}{k}", at) for k, at in enumerate(switches, 1)]

    def with_markers(self) -> list[str]:
        """Those that wake and sleep experts."""
        return [name for name in self.names if self.learners[name].plan.cover != NEVER]

    def with_types(self) -> list[str]:
        """Those whose bundles hold several kinds of expert."""
        return [name for name in self.names if len({kind for kind, _ in self.learners[name].plan.bundle}) > 1]

    def least_losses(self, mark: int) -> dict[str, float]:
        """Loss of rounds 1 … mark under each comparator: one fixed point, and one for each known stage."""
        edges = [0, *(s for s in self.problem.switches if s < mark), mark]
        parts = [self._least(a, b) for a, b in pairwise(edges)]
        return {"fixed": self._least(0, mark), "stages": sum(parts)}

    def _least(self, first: int, last: int) -> float:
        key = (first, last)
        if key not in self._known:
            self._known[key] = self.comparator.best(first, last).value
        return self._known[key]

    def replace_stream(self, synthetic: SwitchingStream, first: int) -> None:
        """Another synthetic stream that differs from the present one from round `first` on."""
        problem = replace(problem_of(self.parameters, synthetic), loss_bound=self.problem.loss_limit())
        self.instance = replace(self.instance, problem=problem, synthetic=synthetic)
        self.comparator = Comparator(problem)
        self._known = {}
        self.windows.comparator = self.comparator
        self.windows.forget_from(first)
        for learner in self.learners.values():
            learner.change_stream(problem)


def make_learners(
    names: Sequence[str], problem: Problem, settings: Settings, keep_points: bool = False
) -> dict[str, Learner]:
    """A learner per algorithm, in the order of the labels."""
    return {
        name: Learner(name, problem, settings, keep_points=keep_points) for name in LABELS if name in names
    }


def suitable(parameters: Parameters, instance: Instance) -> list[str]:
    """The chosen algorithms that are defined on the domain: EG and UCRP need the simplex."""
    ball = not instance.problem.simplex
    return [name for name in parameters.algorithms if not (ball and name in ("eg", "ucrp"))]


def open_session(
    parameters: Parameters, stream: Stream, context: Context, synthetic: SwitchingStream | None = None
) -> Session:
    """A session with nothing played. `synthetic` stands in for the stream the seed would draw."""
    instance = make_instance(parameters, stream, context.stream("stream"))
    if synthetic is not None and instance.synthetic is not None:
        instance = replace(instance, problem=problem_of(parameters, synthetic), synthetic=synthetic)
    settings = make_settings(parameters, instance)
    problem = instance.problem
    # An edit of the stream, or another stream, does not change the constants.
    settings = replace(settings, alpha=settings.alpha or problem.alpha())
    keep = instance.relatives is not None and problem.features.size <= _MOST_POINTS
    learners = make_learners(suitable(parameters, instance), problem, settings, keep)
    comparator = Comparator(problem)
    rounds = problem.rounds
    marks = np.unique(np.linspace(0, rounds, min(CHECKPOINTS, rounds) + 1).astype(int))[1:]
    session = Session(
        parameters,
        stream,
        instance,
        settings,
        learners,
        comparator,
        Windows(comparator, window_lengths(rounds)),
        marks.tolist(),
        "",
        "",
        "",
    )
    session.shown_cost = parameters.cost
    session.against = "stages" if problem.switches else "fixed"
    session.map_choice = session.names[0]
    session.life_choice = next(iter(session.with_markers()), "")
    session.types_choice = next(iter(session.with_types()), "")
    return session


def burst_of(low: float, high: float, size: float, rounds: int) -> Burst:
    """A burst within the stream, at least one round long."""
    first = int(np.clip(round(min(low, high)), 0, rounds - 1))
    return Burst(first, int(np.clip(round(max(low, high)), first + 1, rounds)), size)
