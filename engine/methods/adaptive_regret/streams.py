"""Synthetic streams: least squares with a model that changes between stages, and what a person edits in them.

y_t = ⟨φ_t, v_stage⟩ + σ ε_t, clipped to [−1, 1]; f_t(w) = ½(⟨φ_t, w⟩ − y_t)². With σ = 0 the best fixed
point of a stage has loss zero: the small-loss case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.methods.adaptive_regret.problems import Problem

Floats = NDArray[np.float64]
_SIX = (1.0, 0.6, 0.4, 0.25, 0.15, 0.1)


@dataclass(frozen=True)
class Burst:
    """Extra noise of standard deviation `size` in rounds `first` … `last` − 1 (from 0)."""

    first: int
    last: int
    size: float


@dataclass(frozen=True, eq=False)
class SwitchingStream:
    """All that a synthetic stream is made of, so that an edit changes only what it names.

    `features` (T, d); `models` (S, d), one per stage; `noise` (T,) standard normal; `switches` S − 1
    rounds (from 0) at which the next stage begins; `sigma`; `bursts`; `burst_noise` (T,).
    """

    features: Floats
    models: Floats
    noise: Floats
    switches: tuple[int, ...]
    sigma: float
    burst_noise: Floats = field(repr=False)
    bursts: tuple[Burst, ...] = ()

    @property
    def rounds(self) -> int:
        return len(self.features)

    def stage_of(self) -> NDArray[np.int64]:
        """Stage of every round, (T,)."""
        return np.searchsorted(np.array(self.switches, dtype=np.int64), np.arange(self.rounds), side="right")

    def targets(self) -> Floats:
        """y (T,) in [−1, 1]."""
        clean = np.einsum("td,td->t", self.features, self.models[self.stage_of()])
        sizes = np.zeros(self.rounds)
        for burst in self.bursts:
            sizes[burst.first : burst.last] += burst.size
        return np.clip(clean + self.sigma * self.noise + sizes * self.burst_noise, -1.0, 1.0)

    def problem(self, loss: str = "square", radius: float = 1.0) -> Problem:
        """The stream as a problem over the ball; G = D = 2 for the square loss on the unit ball."""
        unit = radius == 1.0 and loss == "square"
        targets = self.targets()
        if loss in ("logistic", "hinge"):
            targets = np.where(targets >= 0, 1.0, -1.0)
        return Problem(
            self.features,
            targets,
            loss=loss,
            radius=radius,
            gradient_bound=2.0 if unit else None,
            switches=self.switches,
        )

    def with_switch(self, index: int, at: int) -> SwitchingStream:
        """The same stream with one switch moved, kept between its neighbours."""
        edges = (0, *self.switches, self.rounds)
        place = int(np.clip(at, edges[index] + 1, edges[index + 2] - 1))
        moved = (*self.switches[:index], place, *self.switches[index + 1 :])
        return replace(self, switches=moved)

    def with_bursts(self, bursts: Sequence[Burst]) -> SwitchingStream:
        """The same stream with these bursts of noise."""
        return replace(self, bursts=tuple(bursts))


def feature_scales(dimension: int) -> Floats:
    """Sizes of the coordinates, falling tenfold, of norm one: (1, .6, .4, .25, .15, .1) for six."""
    if dimension == len(_SIX):
        scales = np.array(_SIX)
    else:
        scales = 10.0 ** (-np.arange(dimension) / max(dimension - 1, 1))
    return scales / np.linalg.norm(scales)


def make_features(rng: np.random.Generator, rounds: int, dimension: int, kind: str) -> Floats:
    """ "signs": random signs times falling scales (norm one); "ball": uniform in the unit ball."""
    if kind == "signs":
        return rng.choice([-1.0, 1.0], size=(rounds, dimension)) * feature_scales(dimension)
    directions = rng.normal(size=(rounds, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions * rng.random((rounds, 1)) ** (1.0 / dimension)


def make_models(rng: np.random.Generator, stages: int, dimension: int, change: str, size: float) -> Floats:
    """One model per stage. "flip": negated at every even stage, drawn anew (norm `size`) at every odd one;
    "random": a random direction times a uniform length up to `size`."""
    models = np.empty((stages, dimension))
    for k in range(stages):
        if change == "flip" and k % 2 == 1:
            models[k] = -models[k - 1]
            continue
        direction = rng.normal(size=dimension)
        length = size * (rng.random() if change == "random" else 1.0)
        models[k] = length * direction / np.linalg.norm(direction)
    return models


def switching_stream(
    rng: np.random.Generator,
    rounds: int = 6000,
    dimension: int = 6,
    stages: int = 4,
    sigma: float = 0.05,
    features: str = "signs",
    change: str = "flip",
    size: float = 1.0,
) -> SwitchingStream:
    """A stream of `stages` equal stages."""
    matrix = make_features(rng, rounds, dimension, features)
    models = make_models(rng, stages, dimension, change, size)
    noise = rng.normal(size=rounds)
    switches = tuple(round(k * rounds / stages) for k in range(1, stages))
    return SwitchingStream(matrix, models, noise, switches, sigma, rng.normal(size=rounds))
