"""Algorithms by name, and the learner that plays one of them on a problem, in chunks of rounds.

learner = Learner("flhs", problem)
while learner.rounds_played < problem.rounds:
    learner.play(500)
learner.losses, learner.markers()
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.methods.adaptive_regret import covers, experts, metas, rounds
from engine.methods.adaptive_regret.losses import LOSS_CODES
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.projections import BALL, SIMPLEX

Expert = tuple[int, float]
"""Kind and constant (β, λ or η) of a member of a bundle."""
LEVELS = 32
COLUMNS = 400


@dataclass(frozen=True)
class Settings:
    """What a person may set for the algorithms. None: from the data and the losses.

    `threshold` C; `alpha` exp-concavity; `beta` of the Newton experts; `lam` strong convexity;
    `grid` the number of values in the grids of USIA and UMA (None: ⌈log2 T⌉ + 1); `usia_betas`,
    `usia_lams` give USIA's grids outright; `tight`: β = α, else β = ½ min(1/(4GD), α);
    `diagonal`: the Newton experts keep the diagonal of A alone; `cost` per unit of turnover.
    """

    threshold: float = 3.0
    alpha: float | None = None
    beta: float | None = None
    lam: float | None = None
    tight: bool = True
    grid: int | None = 6
    usia_betas: tuple[float, ...] | None = None
    usia_lams: tuple[float, ...] | None = None
    one_gradient: bool = False
    running_max: bool = True
    shortest: int = 1
    diagonal: bool = False
    cost: float = 0.0
    horizon: int | None = None


@dataclass(frozen=True)
class Design:
    """What makes an algorithm: bundle, cover, meta-algorithm and its rate, the loss-counting member."""

    bundle: tuple[Expert, ...]
    cover: int
    rule: int
    compact: bool = True
    alpha: float = 0.0
    auxiliary: int = 0


def newton_beta(problem: Problem, settings: Settings, alpha: float | None = None) -> float:
    """β of an online Newton step: as given, α itself ("tight"), or ½ min(1/(4GD), α) ("theory")."""
    if settings.beta is not None and alpha is None:
        return settings.beta
    value = exp_concavity(problem, settings) if alpha is None else alpha
    if settings.tight:
        return value
    return 0.5 * min(1.0 / (4.0 * problem.gradient_limit() * problem.diameter), value)


def exp_concavity(problem: Problem, settings: Settings) -> float:
    """α: as given, or what holds by the data."""
    return settings.alpha if settings.alpha is not None else problem.alpha()


def design(name: str, problem: Problem, settings: Settings) -> Design:
    """The named algorithm for this problem.

    Raises:
        KeyError: an unknown name.
    """
    s = settings
    newton = experts.ONS_DIAG if s.diagonal else experts.ONS
    alpha = exp_concavity(problem, s)
    sogd: Expert = (experts.SOGD, 0.0)
    ons: Expert = (newton, newton_beta(problem, s))
    ogd: Expert = (experts.OGD, 0.0)
    lam = s.lam if s.lam is not None else 1.0
    simple = {
        "ogd": ogd,
        "sogd": sogd,
        "ons": ons,
        "scogd": (experts.SC_OGD, lam),
        "s2ogd": (experts.S2OGD, lam),
        "eg": (experts.EG, _eg_rate(problem)),
        "ucrp": (experts.FIXED, 0.0),
    }
    if name in simple:
        return Design((simple[name],), covers.NEVER, metas.HEDGE)
    horizon = s.horizon or problem.rounds
    made = {
        "flh": lambda: Design((ons,), covers.EACH_ROUND, metas.HEDGE, alpha=alpha),
        "flhs": lambda: Design((ons,), covers.BY_LOSS, metas.HEDGE, alpha=alpha),
        "aflh": lambda: Design(
            (sogd,), covers.EACH_ROUND, metas.HEDGE, alpha=1.0 / math.sqrt(horizon) / problem.loss_limit()
        ),
        "sacs": lambda: Design((sogd,), covers.EACH_ROUND, metas.NORMAL),
        "psacs": lambda: Design((sogd,), covers.BY_LOSS, metas.NORMAL),
        "saol": lambda: Design((sogd,), covers.EACH_ROUND, metas.PROD, compact=False),
        "cbce": lambda: Design((sogd,), covers.EACH_ROUND, metas.COIN, compact=False),
        "uma": lambda: Design(_uma_bundle(problem, s, horizon), covers.EACH_ROUND, metas.TILT),
        "usia": lambda: Design(_usia_bundle(problem, s, horizon), covers.BY_LOSS, metas.ML_PROD),
    }
    return made[name]()


def _eg_rate(problem: Problem) -> float:
    """η = √(8 ln d / T)/‖∇f‖_∞ with the largest entry from the data (Helmbold et al. 1998)."""
    low = np.maximum(problem.features.min(axis=1), 1e-12)
    largest = float((problem.features.max(axis=1) / low).max()) if problem.loss == "log" else 1.0
    return math.sqrt(8.0 * math.log(max(problem.dimension, 2)) / problem.rounds) / largest


def _grid(settings: Settings, horizon: int) -> list[float]:
    count = settings.grid if settings.grid is not None else math.ceil(math.log2(max(horizon, 2))) + 1
    return [2.0**-j for j in range(count)]


def _usia_bundle(problem: Problem, settings: Settings, horizon: int) -> tuple[Expert, ...]:
    """One SOGD, an ONS for every α̂ and a strongly convex OGD for every λ̂ of the grid."""
    newton = experts.ONS_DIAG if settings.diagonal else experts.ONS
    grid = _grid(settings, horizon)
    if settings.usia_betas is not None:
        betas = list(settings.usia_betas)
    else:
        betas = [newton_beta(problem, settings, a) for a in grid]
    lams = list(settings.usia_lams) if settings.usia_lams is not None else grid
    members = [(experts.SOGD, 0.0), *((newton, b) for b in dict.fromkeys(betas))]
    return (*members, *((experts.SC_OGD, v) for v in lams))


def _uma_bundle(problem: Problem, settings: Settings, horizon: int) -> tuple[Expert, ...]:
    """For every η = 2^{-i}/(5GD), i = 0 … ⌈½ log2 T⌉: an exp-concave and a strongly convex expert."""
    count = settings.grid if settings.grid is not None else math.ceil(0.5 * math.log2(max(horizon, 2))) + 1
    largest = 1.0 / (5.0 * problem.gradient_limit() * problem.diameter)
    rates = [largest * 2.0**-i for i in range(count)]
    return tuple((kind, rate) for rate in rates for kind in (experts.UMA_EXP, experts.UMA_SC))


def expected_seconds(plan: Design, problem: Problem) -> float:
    """Rough time of all rounds on one processor, from the operations they take."""
    d, rounds_ = problem.dimension, problem.rounds
    levels = math.log2(max(rounds_, 2)) + 1
    awake = {covers.NEVER: 1.0, covers.BY_LOSS: 3.0}.get(plan.cover, levels / 2 if plan.compact else levels)
    seconds = 0.0
    for kind, _ in plan.bundle:
        seconds += 0.2e-6 + 0.1e-6 * d
        if experts.is_newton(kind):
            seconds += 20e-9 * d * d + 1e-9 * d**3
    return rounds_ * awake * seconds


class Learner:
    """Plays one algorithm on a problem. `plan` replaces the named design (bundles of one, test hooks)."""

    def __init__(
        self,
        name: str,
        problem: Problem,
        settings: Settings | None = None,
        *,
        plan: Design | None = None,
        keep_points: bool = False,
        starts: Sequence[NDArray[np.float64]] | None = None,
    ) -> None:
        self.name, self.problem = name, problem
        self.settings = settings or Settings()
        self.plan = plan or design(name, problem, self.settings)
        kinds = np.array([kind for kind, _ in self.plan.bundle], np.int64)
        constants = np.array([value for _, value in self.plan.bundle], np.float64)
        levels = 1 if self.plan.cover == covers.NEVER else 4
        self.bank = experts.make_bank(levels, kinds, constants, problem.dimension)
        self.counts = np.array([0, 0, 1, 0, 0, 0], np.int64)
        self.sums = np.zeros(3)
        self.held = problem.start.copy()
        self.setup = _setup(problem, self.plan, self.settings)
        total = problem.rounds
        self.record = rounds.Record(
            loss=np.zeros(total),
            awake=np.zeros(total, np.int32),
            mark=np.zeros(total, np.uint8),
            taken=np.zeros(total, np.int64),
            level_weight=np.zeros((LEVELS, COLUMNS)),
            member_weight=np.zeros((len(kinds), COLUMNS)),
            width=-(-total // COLUMNS),
            points=np.zeros((total if keep_points else 0, problem.dimension)),
            newest=np.zeros(total),
        )
        if starts is not None:
            self._start_apart(starts)

    @property
    def rounds_played(self) -> int:
        return int(self.counts[rounds.ROUND])

    @property
    def levels(self) -> int:
        """Levels there is room for; grows with the markers."""
        return len(self.bank.alive) // len(self.plan.bundle)

    @property
    def losses(self) -> NDArray[np.float64]:
        """Losses of the rounds played so far, (t,); a view."""
        return self.record.loss[: self.rounds_played]

    @property
    def worst_identity(self) -> float:
        """max_t |Σ_i p_i r_i| of Adapt-ML-Prod: zero but for rounding."""
        return float(self.sums[rounds.WORST_IDENTITY])

    def markers(self) -> NDArray[np.int64]:
        """Rounds (from 0) before which a marker stands."""
        return np.flatnonzero(self.record.mark[: self.rounds_played])

    def take_overs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rounds at which a younger expert took the lead from one still awake, and that expert's birth."""
        at = np.flatnonzero(self.record.taken[: self.rounds_played])
        return at, self.record.taken[at] - 1

    def lifelines(self) -> covers.Lifelines:
        """Lives of the intervals so far."""
        return covers.lifelines(self.markers(), self.rounds_played, compact=self.plan.compact)

    def force_marker(self) -> bool:
        """Set a marker before the next round. False where the algorithm has no markers."""
        if self.plan.cover == covers.NEVER:
            return False
        self.counts[rounds.DUE] = 1
        return True

    def change_threshold(self, threshold: float) -> None:
        """Another C from the next round on."""
        self.settings = replace(self.settings, threshold=threshold)
        self.setup = self.setup._replace(threshold=float(threshold))

    def change_stream(self, problem: Problem) -> None:
        """Another future: rounds not yet played are taken from `problem`; all constants stay."""
        self.problem = problem

    def play(self, count: int) -> int:
        """Play up to `count` further rounds; returns the rounds played in all."""
        stop = min(self.rounds_played + count, self.problem.rounds)
        features, targets = self.problem.features, self.problem.targets
        while (
            rounds.advance(
                stop, features, targets, self.problem.start, self.bank, self.setup, self.counts,
                self.sums, self.held, self.record,
            )
            == rounds.GROW
        ):  # fmt: skip
            self.bank = experts.grown(
                self.bank, 2 * self.levels, len(self.plan.bundle), self.problem.dimension
            )
        return self.rounds_played

    def memory(self) -> int:
        """Bytes of the experts' state; independent of the number of rounds but for the levels."""
        return sum(each.nbytes for each in self.bank)

    def _start_apart(self, starts: Sequence[NDArray[np.float64]]) -> None:
        """Wake the first bundle with each member at a point of its own (for identities in tests)."""
        rounds._set_marker(0, self.problem.start, self.bank, self.setup, self.counts, self.sums)
        self.record.mark[0] = 1
        for s, point in enumerate(starts):
            self.bank.w[s] = point


def _setup(problem: Problem, plan: Design, settings: Settings) -> rounds.Setup:
    return rounds.Setup(
        loss=LOSS_CODES[problem.loss],
        domain=SIMPLEX if problem.simplex else BALL,
        rule=plan.rule,
        cover=plan.cover,
        radius=float(problem.radius),
        diameter=float(problem.diameter),
        gradient_bound=float(problem.gradient_limit()),
        loss_bound=float(problem.loss_limit()),
        alpha=float(plan.alpha),
        threshold=float(settings.threshold),
        shortest=int(settings.shortest),
        compact=bool(plan.compact),
        members=len(plan.bundle),
        auxiliary=plan.auxiliary,
        one_gradient=bool(settings.one_gradient),
        running_max=bool(settings.running_max),
        cost=float(settings.cost),
    )


def play_all(name: str, problem: Problem, settings: Settings | None = None) -> Learner:
    """Play all rounds at once."""
    learner = Learner(name, problem, settings)
    learner.play(problem.rounds)
    return learner
