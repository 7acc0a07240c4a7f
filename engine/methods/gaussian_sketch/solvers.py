"""Resumable solvers: each holds its state for R seeds and is advanced by a number of steps at a time.

What a solver draws depends on its seeds alone, not on how its steps are cut.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch import step_sizes
from engine.methods.gaussian_sketch.constants import Smoothness
from engine.methods.gaussian_sketch.coordinate_kernels import accelerated_steps, coordinate_steps, sega_steps
from engine.methods.gaussian_sketch.gradient_kernels import gradient_steps
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.products import row_products
from engine.methods.gaussian_sketch.sketch_kernels import ORACLES, sketched_steps
from engine.methods.gaussian_sketch.sketches import draw, h_step

Vector = NDArray[np.float64]
REFRESH = 1000
"""Scores kept by updates are computed anew after so many steps, which bounds their rounding."""
_DRAWN_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class SolverSettings:
    """What the solvers share. `size` ℓ (or τ of the minibatch); `c` of the trace step.

    `rule`: trace, provable, manual (`eta` itself) or armijo (the step found along the sketch). `h_exact`
    starts h at ∇f(0) for d derivatives. `oracle`: exact, central or forward differences of length `epsilon`
    (0: chosen by the size of x).
    """

    size: int = 1
    c: float = 0.5
    rule: Literal["trace", "provable", "manual", "armijo"] = "trace"
    eta: float = 0.1
    sketch: str = "gaussian"
    h_exact: bool = False
    oracle: Literal["exact", "central", "forward"] = "exact"
    epsilon: float = 0.0


class Solver:
    """Base: `x` (R, d), `steps` done, `cost` derivatives a step, `eta` (R,) where steps can be halved."""

    cost = 1
    h: Vector | None = None

    def __init__(
        self, objective: Objective, constants: Smoothness, settings: SolverSettings, seeds: int
    ) -> None:
        self.objective, self.constants, self.settings, self.seeds = objective, constants, settings, seeds
        self.x = np.tile(objective.start(), (seeds, 1))
        self.steps = 0
        self.extra = 0
        self.eta = np.ones(seeds)

    def seeded(self, name: str, seed: int) -> None:
        """Give every seed its own generator."""
        key = zlib.crc32(name.encode())
        self.generators = [np.random.default_rng([seed, r, key]) for r in range(self.seeds)]

    @property
    def derivatives(self) -> int:
        """Directional derivatives taken by each seed so far."""
        return self.extra + self.steps * self.cost

    def advance(self, count: int) -> None:
        """Do `count` steps."""
        while count > 0:
            part = min(count, REFRESH - self.steps % REFRESH, self.at_once())
            if self.steps % REFRESH == 0:
                self.refresh()
            self.work(part)
            self.steps += part
            count -= part

    def at_once(self) -> int:
        """Steps whose random numbers are drawn together."""
        return REFRESH

    def refresh(self) -> None:
        """Compute anew what is kept by updates."""

    def work(self, count: int) -> None:
        """Do the steps."""
        raise NotImplementedError

    def flops(self) -> float:
        """Floating point operations of one step on the data."""
        raise NotImplementedError

    def nanoseconds(self) -> float:
        """A rough time of one step of all seeds; pieces of work are cut by it, so that they repeat."""
        per_seed = (
            0.12 * self.flops() + 8.0 * self.objective.samples + 25.0 * self.objective.dimension * self.cost
        )
        return 2000.0 + per_seed * self.seeds

    def saved(self) -> dict[str, Vector]:
        """Copies of the arrays that make up the state."""
        return {name: value.copy() for name, value in self.__dict__.items() if isinstance(value, np.ndarray)}

    def put_back(self, saved: dict[str, Vector]) -> None:
        """Return to a saved state (the generators go on)."""
        for name, value in saved.items():
            self.__dict__[name][...] = value

    def begin_at(self, x: Vector) -> None:
        """Go on from x (R, d) or (d,) with nothing learnt."""
        self.x[...] = x
        if self.h is not None:
            self.h[...] = 0.0

    def _scores(self, points: Vector) -> Vector:
        out = np.empty((self.objective.samples, len(points)))
        row_products(*self.objective.rows, points, out)
        return np.ascontiguousarray(out.T)

    def _problem(self) -> tuple[Vector, int, float, Vector]:
        o = self.objective
        return o.target, o.loss_code, o.delta, o.ridge

    def _penalty(self) -> tuple[int, int, Vector, Vector]:
        p = self.objective.penalty
        return p.code, p.size, p.numbers(), self.objective.weights


class SketchSolver(Solver):
    """GSGD: proximal with learnt h; h frozen (`learns` False); or SEGA along random directions."""

    def __init__(
        self, objective: Objective, constants: Smoothness, settings: SolverSettings, seeds: int,
        *, learns: bool = True, kind: str = "", size: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(objective, constants, settings, seeds)
        self.learns, self.kind = learns, kind or settings.sketch
        self.size = size or settings.size
        self.cost = self.size
        self.h: Vector = np.zeros_like(self.x)
        if settings.h_exact and learns:
            self.h[...] = objective.gradient(self.x[0])
            self.extra = objective.dimension
        self.c = settings.c
        self.eta[:] = self.step_size()
        self.scores = np.zeros((seeds, objective.samples))
        self.h_scores = np.zeros((seeds, objective.samples))

    def step_size(self) -> float:
        """η by the rule of the settings, with the present c and ℓ."""
        if self.settings.rule == "manual":
            return self.settings.eta
        if self.settings.rule == "provable":
            return step_sizes.provable_step(self.constants, self.size)
        c = 1.0 if self.settings.rule == "armijo" else self.c
        return step_sizes.trace_step(self.constants, self.size, c, self.kind)

    def steer(self, *, size: int | None = None, c: float | None = None) -> None:
        """Change ℓ or c from the next step on."""
        if size is not None and size != self.size:
            self.extra += self.steps * self.cost
            self.extra -= self.steps * size
            self.size = self.cost = size
        self.c = self.c if c is None else c
        self.eta[:] = self.step_size()

    def at_once(self) -> int:
        return max(1, _DRAWN_AT_ONCE // (self.seeds * self.size * self.objective.dimension))

    def refresh(self) -> None:
        if self.objective.penalty.name == "none":
            self.scores[...] = self._scores(self.x)
            self.h_scores[...] = self._scores(self.h)

    def work(self, count: int) -> None:
        d = self.objective.dimension
        drawn = [draw(self.kind, rng, count, self.size, d) for rng in self.generators]
        self.run_sketches(np.ascontiguousarray(np.stack(drawn, axis=1)))

    def run_sketches(self, sketches: Vector) -> None:
        """Steps along given sketches (T, R, ℓ, d); the counter of steps stays."""
        s, d = self.settings, self.objective.dimension
        code, group, numbers, weights = self._penalty()
        sketched_steps(
            *self.objective.rows, *self._problem(), code, group, numbers, weights,
            sketches, self.x, self.h, self.scores, self.h_scores, self.eta, self.learns,
            h_step(self.kind, d, self.size), ORACLES[s.oracle], s.epsilon, s.rule == "armijo", self.c,
            self.growth(),
        )  # fmt: skip

    def growth(self) -> float:
        """Largest growth of an Armijo step: 4 in plain descent, 2^(ℓ/d) where one η serves all directions."""
        plain = self.objective.penalty.name == "none" and not self.learns
        return 4.0 if plain else 2.0 ** min(1.0, self.size / self.objective.dimension)

    def flops(self) -> float:
        products = self.size if self.objective.penalty.name == "none" else self.size + 1
        return 2.0 * self.objective.stored * products


class CoordinateSolver(Solver):
    """Coordinate descent with given probabilities and steps; sets of τ coordinates where `size` > 1."""

    def __init__(
        self, objective: Objective, constants: Smoothness, settings: SolverSettings, seeds: int,
        probabilities: Vector, step: Vector, size: int = 1,
    ) -> None:  # fmt: skip
        super().__init__(objective, constants, settings, seeds)
        self.cost = self.size = size
        self.step = np.array(step)
        self.cumulative = np.cumsum(probabilities)
        self.scores = np.zeros((seeds, objective.samples))

    def refresh(self) -> None:
        self.scores[...] = self._scores(self.x)

    def picks(self, count: int) -> NDArray[np.int64]:
        """Coordinates (count, R, τ), without repeats within a set."""
        d = self.objective.dimension
        if self.size > 1:
            keys = np.stack([rng.random((count, d)) for rng in self.generators], axis=1)
            return np.argpartition(keys, self.size - 1, axis=2)[..., : self.size].astype(np.int64)
        drawn = np.stack([rng.random(count) for rng in self.generators], axis=1)
        return np.searchsorted(self.cumulative, drawn, "right").clip(max=d - 1)[..., None]

    def at_once(self) -> int:
        if self.size == 1:
            return REFRESH
        return max(1, _DRAWN_AT_ONCE // (self.seeds * self.objective.dimension))

    def work(self, count: int) -> None:
        code, _, numbers, weights = self._penalty()
        coordinate_steps(
            *self.objective.columns, *self._problem(), code, numbers, weights,
            self.picks(count), self.step * self.eta[0], self.x, self.scores,
        )  # fmt: skip

    def flops(self) -> float:
        return 4.0 * self.size * self.objective.stored / self.objective.dimension


class SegaSolver(CoordinateSolver):
    """SEGA with coordinate sketches."""

    def __init__(
        self, objective: Objective, constants: Smoothness, settings: SolverSettings, seeds: int,
        probabilities: Vector,
    ) -> None:  # fmt: skip
        super().__init__(objective, constants, settings, seeds, probabilities, np.ones(1))
        self.probabilities = np.array(probabilities)
        self.h: Vector = np.zeros_like(self.x)
        if settings.h_exact:
            self.h[...] = objective.gradient(self.x[0])
            self.extra = objective.dimension
        self.h_scores = np.zeros_like(self.scores)
        self.c = settings.c
        self.eta[:] = self.c * step_sizes.coordinate_step(constants, probabilities)

    def steer(self, *, size: int | None = None, c: float | None = None) -> None:
        """Change c from the next step on; ℓ is 1."""
        self.c = self.c if c is None else c
        self.eta[:] = self.c * step_sizes.coordinate_step(self.constants, self.probabilities)

    def refresh(self) -> None:
        self.scores[...] = self._scores(self.x)
        self.h_scores[...] = self._scores(self.h)

    def work(self, count: int) -> None:
        sega_steps(
            *self.objective.rows, *self.objective.columns, *self._problem(), *self._penalty(),
            self.picks(count)[..., 0], self.probabilities, self.eta, self.x, self.h,
            self.scores, self.h_scores,
        )  # fmt: skip

    def flops(self) -> float:
        column = self.objective.stored / self.objective.dimension
        if self.objective.penalty.name == "none":
            return 6.0 * column + 2.0 * self.objective.samples
        return 2.0 * self.objective.stored + 2.0 * column


class AcceleratedSolver(CoordinateSolver):
    """Accelerated coordinate descent with p_i ∝ √M_ii, without φ."""

    def __init__(
        self, objective: Objective, constants: Smoothness, settings: SolverSettings, seeds: int
    ) -> None:
        probabilities = step_sizes.accelerated_probabilities(constants)
        super().__init__(objective, constants, settings, seeds, probabilities, np.ones(1))
        self.probabilities = probabilities
        self.middle = np.zeros_like(self.x)
        self.z = self.x.copy()
        self.z_scores = np.zeros_like(self.scores)
        total = float(np.sqrt(constants.diagonal).sum())
        self.mu = constants.convexity
        self.tau = 2.0 / (1.0 + np.sqrt(4.0 * total**2 / max(self.mu, 1e-300) + 1.0))
        self.z_step = 1.0 / (self.tau * total**2)

    def begin_at(self, x: Vector) -> None:
        super().begin_at(x)
        self.z[...] = x

    def refresh(self) -> None:
        self.scores[...] = self._scores(self.x)
        self.z_scores[...] = self._scores(self.z)

    def work(self, count: int) -> None:
        accelerated_steps(
            *self.objective.columns, *self._problem(), self.picks(count)[..., 0], self.constants.diagonal,
            self.probabilities, self.mu, self.tau, self.z_step, self.middle, self.x, self.z,
            self.scores, self.z_scores,
        )  # fmt: skip

    def flops(self) -> float:
        column = self.objective.stored / self.objective.dimension
        return 6.0 * column + 6.0 * (self.objective.samples + self.objective.dimension)


class GradientSolver(Solver):
    """Proximal gradient descent or FISTA with step 1/L: deterministic, one seed."""

    def __init__(
        self, objective: Objective, constants: Smoothness, settings: SolverSettings, accelerated: bool
    ) -> None:
        super().__init__(objective, constants, settings, 1)
        self.accelerated = accelerated
        self.cost = objective.dimension
        self.eta[:] = 1.0 / constants.largest
        self.y = self.x[0].copy()
        self.momentum = np.ones(1)
        self.moved = np.inf

    def begin_at(self, x: Vector) -> None:
        super().begin_at(x)
        self.y[...] = self.x[0]
        self.momentum[:] = 1.0

    def work(self, count: int) -> None:
        self.moved = gradient_steps(
            *self.objective.rows, *self._problem(), *self._penalty(),
            count, self.eta[0], self.accelerated, self.x[0], self.y, self.momentum,
        )  # fmt: skip

    def flops(self) -> float:
        return 4.0 * self.objective.stored
