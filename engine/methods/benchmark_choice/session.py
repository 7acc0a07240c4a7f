"""What a run keeps and actions work on: the boards, which one is looked at, and the person's edits."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from . import cardinal, ordinal
from .analysis import Analysis, analyse, solve_by_search
from .arrow import Flip, single_flips
from .boards import Board
from .certificates import cardinal_certificate, ordinal_certificate
from .parameters import Parameters
from .win_rate import pairwise_win_matrix, relevant_count, winning_rates

MOST_WORK_AT_ONCE = 600_000
"""Models² × tasks up to which an edited board is searched again at once (a few hundredths of a second)."""


MOST_MODELS_IN_FLIPS = 120
"""So many of the best models are looked at when three-model flips are listed."""


@dataclass(frozen=True)
class Spreads:
    """Mean and half-width over seeds of the four numbers of a reference board."""

    values: dict[str, float]
    spread: dict[str, float]
    seeds: int


@dataclass(frozen=True, eq=False)
class Sweep:
    """Sensitivity over ε, or over the relevant share: one value a point, NaN where not computed."""

    x: NDArray[np.float64]
    published: NDArray[np.float64]
    found: NDArray[np.float64]
    bound: NDArray[np.float64]


@dataclass
class Session:
    """`analyses` by board name, the person's own first; `focus` is the board the views show."""

    parameters: Parameters
    analyses: dict[str, Analysis]
    focus: str
    metric: str = "τ-distance"
    edits: dict[tuple[str, str], float] = field(default_factory=dict)
    picked: tuple[int, int] | None = None
    sweeps: dict[str, Sweep] = field(default_factory=dict)
    null: NDArray[np.float64] | None = None
    spreads: dict[str, Spreads] = field(default_factory=dict)
    flip: int | None = None

    @property
    def main(self) -> Analysis:
        """The person's own board."""
        return next(iter(self.analyses.values()))

    @property
    def current(self) -> Analysis:
        """The board the views show."""
        return self.analyses[self.focus]

    def flips(self) -> list[Flip]:
        """Pairs whose order one other model decides, the clearest first; at most 200."""
        current = self.current
        if current.flips is None:
            wins = pairwise_win_matrix(current.board.scores[:MOST_MODELS_IN_FLIPS])
            current.flips = single_flips(wins, most=200)
        return current.flips


def edit(session: Session, model: int, task: int, value: float) -> float:
    """Put a score into the board that is looked at; what was there before comes back.

    Diversity and certificate follow at once; solutions found before hold no longer (`search_again`).

    Raises ValueError when the board could not be analysed any more.
    """
    old = session.current
    before = float(old.board.scores[model, task])
    scores = old.board.scores.copy()
    scores[model, task] = value
    fresh = analyse(replace(old.board, scores=scores), session.parameters)
    _keep_rows(fresh, session.parameters)
    if fresh.alpha.size == old.alpha.size and fresh.present.size == old.present.size:
        fresh.alpha, fresh.present = old.alpha, old.present
    session.analyses[session.focus] = fresh
    session.picked = session.flip = None
    session.edits[fresh.board.models[model], fresh.board.tasks[task]] = value
    return before


def search_again(session: Session) -> bool:
    """A short search of the board that is looked at; False where it is too large to be done at once."""
    analysis = session.current
    m, n = analysis.board.scores.shape
    if m * m * n > MOST_WORK_AT_ONCE:
        return False
    for _ in solve_by_search(analysis, np.random.default_rng(0), restarts=3):
        continue
    return True


def _keep_rows(analysis: Analysis, parameters: Parameters) -> None:
    """After an edit rows stay where they are, so the relevant models are chosen by rate, not by place."""
    if not isinstance(analysis.problem, ordinal.OrdinalProblem):
        return
    wins = analysis.problem.wins
    count = relevant_count(len(wins), parameters.relevant_share)
    best = np.argsort(-winning_rates(wins), kind="stable")[:count]
    analysis.problem = ordinal.from_win_matrix(wins, relevant=best)
    analysis.certificate = ordinal_certificate(analysis.problem)


def with_edits(board: Board, edits: dict[tuple[str, str], float]) -> Board:
    """The board with the person's scores put in, by names of model and task."""
    if not edits:
        return board
    scores = board.scores.copy()
    for (model, task), value in edits.items():
        if model in board.models and task in board.tasks:
            scores[board.models.index(model), board.tasks.index(task)] = value
    return replace(board, scores=scores)


def slider_groups(analysis: Analysis) -> list[NDArray[np.intp]]:
    """Kept tasks that share a slider: those with equal scores, in the order of their first."""
    problem = analysis.problem
    assert isinstance(problem, cardinal.CardinalProblem)
    _, first, group = np.unique(problem.scores, axis=1, return_index=True, return_inverse=True)
    return [np.flatnonzero(group.ravel() == g) for g in np.argsort(first, kind="stable")]


def change_as_text(change: NDArray) -> str:
    """A change as JSON, for the record and for undo."""
    return json.dumps(change.tolist())


def change_from_text(text: str, analysis: Analysis) -> NDArray:
    """The change that `change_as_text` wrote. Raises ValueError when it does not fit the board."""
    values = np.asarray(json.loads(text), dtype=np.float64 if analysis.is_cardinal else np.intp)
    if analysis.is_cardinal and values.shape != analysis.alpha.shape:
        raise ValueError("the change has another number of tasks")
    return values


def sensitivity_bounds(analysis: Analysis, metric: str) -> float:
    """The certificate of the metric."""
    return analysis.tau_bound if metric == "τ-distance" else analysis.certificate.mrc_bound


def recertify(analysis: Analysis, epsilon: float) -> tuple[float, float]:
    """(τ, MRC) bounds of a cardinal board for another least spread."""
    assert isinstance(analysis.problem, cardinal.CardinalProblem)
    certificate = cardinal_certificate(
        analysis.problem,
        epsilon=epsilon,
        normalise=analysis.parameters.normalise,
        shrinkable=analysis.shrinkable,
    )
    return certificate.tau_bound, certificate.mrc_bound
