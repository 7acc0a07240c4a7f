"""What a tab holds: problems, their constants and optima, the methods measured, what is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.methods.gaussian_sketch import step_sizes
from engine.methods.gaussian_sketch.catalogue import why_not
from engine.methods.gaussian_sketch.constants import Smoothness, smoothness
from engine.methods.gaussian_sketch.data import Samples
from engine.methods.gaussian_sketch.objective import Objective
from engine.methods.gaussian_sketch.parameters import LABELS, Parameters
from engine.methods.gaussian_sketch.plane import Plane
from engine.methods.gaussian_sketch.preparing import (
    COMPANION_SIZE,
    Ground,
    ground,
    preconditioned,
    quadratic_ground,
    settings_of,
    turned,
)
from engine.methods.gaussian_sketch.reference import Optimum
from engine.methods.gaussian_sketch.regularisers import Penalty
from engine.methods.gaussian_sketch.solvers import SolverSettings
from engine.methods.gaussian_sketch.traces import Measured

AXES = ("Derivatives", "Seconds", "Iterations", "Operations")
OTHER_COLOURS = (3, 4, 5, 0, 1, 2, 6)
TURNS = np.linspace(0.0, 1.0, 11)
"""Rotations at which predictions are made."""
AT_ONCE = 300
"""Up to so many coordinates a rotation is carried out while the person drags."""


@dataclass
class Study:
    """One problem under its present rotation and φ, and what was measured of it."""

    base: Ground
    rotation: float
    objective: Objective
    constants: Smoothness
    best: Optimum | None = None
    measured: dict[str, Measured] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    turned: list[Smoothness] = field(default_factory=list)
    counts: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    plane: Plane | None = None
    restart: bool = False
    stale: bool = False
    measured_rotation: float = 0.0

    @property
    def methods(self) -> list[str]:
        """Methods that can be used, in the order of the form."""
        return list(self.measured)


@dataclass
class Session:
    """The state of a tab; `chosen` is the problem looked at, `method` the one whose coefficients are.

    `coefficient` −1 follows the largest of the optimum.
    """

    parameters: Parameters
    seed: int
    studies: list[Study]
    chosen: int = 0
    axis: str = "Derivatives"
    method: str = "gsgd"
    coefficient: int = -1
    size: int = 1
    c: float = 0.5
    finished: bool = False

    @property
    def study(self) -> Study:
        """The problem looked at."""
        return self.studies[self.chosen]

    @property
    def settings(self) -> SolverSettings:
        """The form's settings with the steered ℓ and c."""
        return replace(settings_of(self.parameters), size=self.size, c=self.c)

    def usable(self, objective: Objective) -> list[str]:
        """The chosen methods that can be used on a problem."""
        return [name for name in self.parameters.methods if not why_not(name, objective)]

    def colour(self, name: str) -> int:
        """Palette index: the paper's method is 7, the others by their place among the chosen ones."""
        chosen = self.parameters.methods
        ours = "gsgd" if "gsgd" in chosen or "gsgd_plain" not in chosen else "gsgd_plain"
        if name in (ours, "gsgd"):
            return 7
        # methods of the sweep that were not chosen come after the chosen ones
        others = sorted((each for each in LABELS if each != ours), key=lambda each: each not in chosen)
        return OTHER_COLOURS[others.index(name) % len(OTHER_COLOURS)]

    def titles(self) -> tuple[str, ...]:
        """Names of the problems."""
        return tuple(study.base.title for study in self.studies)


def open_session(parameters: Parameters, data: Samples, seed: int) -> Session:
    """A session with nothing measured: the problem of the data, and its companion if there is one."""
    session = Session(parameters, seed, [], size=parameters.size, c=parameters.c)
    session.studies.append(study_of(session, ground(parameters, data, seed), parameters.rotation))
    if parameters.companion != "none":
        kind = parameters.companion
        base = quadratic_ground(kind, COMPANION_SIZE, f"companion_{kind}", seed)
        session.studies.append(study_of(session, base, 1.0))
    names = session.usable(session.study.objective)
    session.method = "gsgd" if "gsgd" in names or not names else names[0]
    return session


def study_of(session: Session, base: Ground, rotation: float) -> Study:
    """The study of a problem at a rotation."""
    objective = preconditioned(session.parameters, turned(base, rotation))
    study = Study(base, rotation, objective, smoothness(objective))
    study.reasons = {n: why for n in session.parameters.methods if (why := why_not(n, objective))}
    return study


def turn(session: Session, study: Study, rotation: float) -> None:
    """Put a study at another rotation: what was measured no longer belongs to it, unless the run is over.

    Above `AT_ONCE` coordinates the data are turned when the run goes on; until then the diagonal of the
    nearest rotation known stands for it.
    """
    study.rotation = rotation
    if study.objective.dimension > AT_ONCE:
        if study.turned:
            study.constants = study.turned[int(np.argmin(np.abs(TURNS - rotation)))]
        study.stale = not session.finished
    else:
        fresh = study_of(session, study.base, rotation)
        study.constants = fresh.constants
        if not session.finished:
            study.objective = fresh.objective
    _forget(session, study)


def renew(session: Session, study: Study) -> None:
    """Turn the data now, where that waited for the run."""
    if study.stale:
        fresh = study_of(session, study.base, study.rotation)
        study.objective, study.constants, study.stale = fresh.objective, fresh.constants, False
    study.measured_rotation = study.rotation


def change_penalty(session: Session, study: Study, penalty: Penalty) -> None:
    """Give a problem another φ; the counts of its methods begin anew, unless the run is over."""
    study.base = replace(study.base, objective=study.base.objective.with_penalty(penalty))
    study.objective = study.objective.with_penalty(penalty)
    study.reasons = {n: why for n in session.parameters.methods if (why := why_not(n, study.objective))}
    _forget(session, study)


def _forget(session: Session, study: Study) -> None:
    if not session.finished:
        study.best, study.plane, study.measured, study.restart = None, None, {}, True


def effective_step(name: str, constants: Smoothness, settings: SolverSettings) -> float:
    """The η of (1 − ημ): the expected decrease of f by one iteration is at least η/2 ‖∇f‖² (smooth case)."""
    k, d = constants, constants.dimension
    uniform = step_sizes.uniform_probabilities(k)
    importance = step_sizes.importance_probabilities(k)
    if name in ("gsgd", "gsgd_plain"):
        if settings.rule == "manual":
            return settings.eta
        if settings.rule == "provable":
            return step_sizes.provable_step(k, settings.size)
        c = 1.0 if settings.rule == "armijo" else settings.c
        return step_sizes.trace_step(k, settings.size, c, settings.sketch)
    if name == "sega_gaussian":
        return step_sizes.trace_step(k, 1, settings.c, "orthogonal")
    if name == "minibatch":
        tau = min(settings.size if settings.size > 1 else 8, d)
        return tau / d * float(step_sizes.minibatch_steps(k, tau).min())
    if name in ("gd", "fista"):
        return 1.0 / k.largest
    p = importance if name.endswith("importance") else uniform
    eta = step_sizes.coordinate_step(k, np.maximum(p, 1e-300))
    return settings.c * eta if name.startswith("sega") else eta


def minibatch_size(settings: SolverSettings, d: int) -> int:
    """τ: ℓ where it is more than 1, else 8."""
    return min(settings.size if settings.size > 1 else 8, d)


def predicted(name: str, constants: Smoothness, settings: SolverSettings, gap: float) -> float:
    """Predicted derivatives to a relative gap."""
    size = minibatch_size(settings, constants.dimension) if name == "minibatch" else settings.size
    return step_sizes.predicted(constants, name, size, effective_step(name, constants, settings), gap)


def spread(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Median and the 10 and 90 % points over seeds; infinite values stay infinite."""
    if np.isinf(values).any():
        ordered = np.sort(values)
        last = ordered.size - 1
        middle, low, high = (float(ordered[round(q * last)]) for q in (0.5, 0.1, 0.9))
        return middle, low, high
    middle, low, high = (float(v) for v in np.percentile(values, (50, 10, 90)))
    return middle, low, high
