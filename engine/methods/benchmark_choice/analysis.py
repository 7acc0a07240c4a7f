"""One board under analysis: its problem, what is certain, what was found, and where the person stands.

This is what views are drawn from and what actions change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from . import cardinal, ordinal
from .agreement import Diversity, diversity, one_minus_kendall_w, task_ranks
from .arrow import Flip
from .boards import Board, best_first
from .certificates import (
    Certificate,
    cardinal_certificate,
    cardinal_witness,
    minimal_witness,
    ordinal_certificate,
)
from .exact import ExactTau
from .imputation import impute_nearest
from .parameters import Parameters
from .ranking import rank_distance
from .search import (
    Found,
    LinearRanking,
    SearchState,
    cardinal_search_problem,
    ordinal_search_problem,
    search_worst_change,
)

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """A worst change found by a solver: distances, and the change itself.

    `change` is α (k,) for a cardinal board, the row indices of the irrelevant models present for an ordinal.
    """

    tau: float
    mrc: float
    change: NDArray


def settle(board: Board, parameters: Parameters) -> Board:
    """The board as it is analysed: kind chosen, tasks flipped, gaps closed, best model first.

    Tasks without any score are left out.

    Raises ValueError when a table with gaps is to be ranked by mean score and nothing was said about them.
    """
    kind = board.kind if parameters.kind == "auto" else parameters.kind
    scores = board.scores.copy()
    flips = [board.tasks.index(name) for name in parameters.named(parameters.flipped_tasks)]
    scores[:, flips] *= -1.0
    flipped = tuple(
        bool(f) ^ (t in flips) for t, f in enumerate(board.flipped or (False,) * len(board.tasks))
    )
    board = replace(board, kind=kind, scores=scores, flipped=flipped)
    silent = np.isnan(scores).all(axis=0)
    if silent.any():
        board = keep_tasks(board, np.flatnonzero(~silent))
    if kind == "cardinal" and board.missing:
        board = _close_gaps(board, parameters)
    return best_first(board)


def _close_gaps(board: Board, parameters: Parameters) -> Board:
    gaps = np.isnan(board.scores)
    if parameters.gaps == "drop-tasks":
        return keep_tasks(board, np.flatnonzero(~gaps.any(axis=0)))
    if parameters.gaps == "drop-models":
        return board.rows(np.flatnonzero(~gaps.any(axis=1)))
    if parameters.gaps == "impute":
        return replace(board, scores=impute_nearest(board.scores, parameters.neighbours))
    raise ValueError(f"{int(gaps.sum()):,} scores are missing; say how to close the gaps")


def keep_tasks(board: Board, tasks: NDArray[np.intp]) -> Board:
    """The board with some of its tasks only."""
    return replace(
        board,
        tasks=tuple(board.tasks[t] for t in tasks),
        scores=np.ascontiguousarray(board.scores[:, tasks]),
        flipped=tuple(board.flipped[t] for t in tasks),
    )


@dataclass
class Analysis:
    """A board and all that is known about it. `board` has its best model first.

    `alpha` (k,) are the factors the person stands at (cardinal), `present` (m − ℓ,) the irrelevant models on
    the board (ordinal).
    """

    board: Board
    parameters: Parameters
    diversity: Diversity
    one_minus_w_corrected: float
    problem: cardinal.CardinalProblem | ordinal.OrdinalProblem
    certificate: Certificate
    alpha: Values
    present: NDArray[np.bool_]
    published: Outcome | None = None
    by_tau: Outcome | None = None
    by_mrc: Outcome | None = None
    exact: ExactTau | None = None
    search: SearchState | None = None
    intervals: tuple[Values, Values] | None = None
    flips: list[Flip] | None = None

    @property
    def is_cardinal(self) -> bool:
        """Whether models are ranked by mean score."""
        return self.board.kind == "cardinal"

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks that vary (cardinal), or of all."""
        if isinstance(self.problem, cardinal.CardinalProblem):
            return tuple(self.board.tasks[t] for t in self.problem.kept)
        return self.board.tasks

    @property
    def ranked(self) -> tuple[str, ...]:
        """Names of the models whose ranking is at stake: all, or the relevant ones."""
        if isinstance(self.problem, ordinal.OrdinalProblem):
            return tuple(self.board.models[i] for i in self.problem.relevant)
        return self.board.models

    @property
    def tau_bound(self) -> float:
        """The tightest bound on the τ-distance that is known."""
        if self.exact is not None and not self.is_cardinal:
            return min(self.certificate.tau_bound, self.exact.tau_bound)
        return self.certificate.tau_bound

    @property
    def best(self) -> tuple[Outcome | None, Outcome | None]:
        """The best outcome by τ and by MRC over all solvers."""
        found = [o for o in (self.published, self.by_tau, self.by_mrc) if o is not None]
        if not found:
            return None, None
        return max(found, key=lambda o: (o.tau, o.mrc)), max(found, key=lambda o: (o.mrc, o.tau))

    @property
    def tau_is_optimal(self) -> bool:
        """Whether the best τ-distance is proved to be the largest (cardinal: without new ties)."""
        best, _ = self.best
        if best is None:
            return False
        proved = self.exact is not None and self.exact.optimal and best.tau >= self.exact.found.tau - 1e-9
        return proved or best.tau >= self.tau_bound - 1e-9

    @property
    def mrc_is_optimal(self) -> bool:
        """Whether the best MRC is proved to be the largest."""
        _, best = self.best
        return best is not None and best.mrc >= self.certificate.mrc_bound - 1e-9

    @property
    def shrinkable(self) -> NDArray[np.bool_]:
        """(k,) the varying tasks that may shrink."""
        stay = set(self.parameters.named(self.parameters.fixed_tasks))
        return np.array([task not in stay for task in self.tasks])

    def ranks_now(self) -> Values:
        """The ranking under the factors, or the models present, that the person stands at."""
        if isinstance(self.problem, cardinal.CardinalProblem):
            return cardinal.reweighted_ranks(self.problem, self.alpha)
        return ordinal.subset_ranks(self.problem, self.problem.irrelevant[self.present])

    def change_now(self) -> tuple[float, float]:
        """(τ-distance, MRC) where the person stands."""
        return rank_distance(self.ranks_now(), self.problem.ranks)

    def stand_at(self, change: NDArray) -> None:
        """Move the person to an outcome's change."""
        if isinstance(self.problem, cardinal.CardinalProblem):
            self.alpha = np.asarray(change, dtype=np.float64).copy()
        else:
            self.present = np.isin(self.problem.irrelevant, change)

    def change(self) -> NDArray:
        """Where the person stands, in the form `stand_at` takes."""
        if isinstance(self.problem, cardinal.CardinalProblem):
            return self.alpha.copy()
        return self.problem.irrelevant[self.present]

    def original(self) -> NDArray:
        """The change that changes nothing: full spread, or only the relevant models on the board."""
        if isinstance(self.problem, cardinal.CardinalProblem):
            return np.ones(self.problem.kept.size)
        return np.empty(0, dtype=np.intp)

    def witness(self, above: int, below: int) -> NDArray | None:
        """A change that lifts ranked model `above` over `below` (positions in `ranked`), or None."""
        if above == below or not self.certificate.can_lead[above, below]:
            return None
        if isinstance(self.problem, cardinal.CardinalProblem):
            p = self.parameters
            weights = cardinal_witness(
                self.problem,
                above,
                below,
                epsilon=p.epsilon,
                normalise=p.normalise,
                shrinkable=self.shrinkable,
            )
            return cardinal.shrink_factors(self.problem, weights, p.normalise)
        return minimal_witness(self.problem, above, below)


def analyse(board: Board, parameters: Parameters, relevant: int | None = None) -> Analysis:
    """Everything about a settled board that is known at once: diversity and certificate.

    `relevant` fixes the number of relevant models of an ordinal board in place of their share.

    Raises ValueError when the board cannot be analysed (all tasks constant, fewer than two relevant models).
    """
    table = impute_nearest(board.scores, parameters.neighbours)
    diverse = diversity(table, parameters.w_mode)
    corrected = one_minus_kendall_w(task_ranks(table), "corrected")
    problem: cardinal.CardinalProblem | ordinal.OrdinalProblem
    if board.kind == "cardinal":
        problem = cardinal.prepare(board.scores)
        stay = set(parameters.named(parameters.fixed_tasks))
        certificate = cardinal_certificate(
            problem,
            epsilon=parameters.epsilon,
            normalise=parameters.normalise,
            shrinkable=np.array([board.tasks[t] not in stay for t in problem.kept]),
        )
        alpha, present = np.ones(problem.kept.size), np.zeros(0, dtype=np.bool_)
    else:
        first = None if relevant is None else np.arange(relevant)
        problem = ordinal.prepare(board.scores, share=parameters.relevant_share, relevant=first)
        certificate = ordinal_certificate(problem)
        alpha, present = np.ones(0), np.zeros(problem.irrelevant.size, dtype=np.bool_)
    return Analysis(board, parameters, diverse, corrected, problem, certificate, alpha, present)


def solve_published(analysis: Analysis) -> Iterator[tuple[str, int, Values]]:
    """Run the published solver; yields (variant, steps done, loss or τ-distance of the steps just done)."""
    p, problem = analysis.parameters, analysis.problem
    if isinstance(problem, ordinal.OrdinalProblem):
        for sampled, taus in ordinal.sample(
            problem, rate=p.ordinal_rate, steps=p.steps, seed=p.sampling_seed
        ):
            yield "sampled subsets", sampled.step, taus
        analysis.published = Outcome(sampled.tau, sampled.mrc, sampled.added)
        return
    best: Outcome | None = None
    for weighted in (True, False):
        variant = "rank-weighted" if weighted else "plain"
        for state, losses in cardinal.descend(
            problem,
            epsilon=p.epsilon,
            rank_weighted=weighted,
            rate=p.rate,
            steps=p.steps,
            threshold=p.threshold,
        ):
            yield variant, state.step, losses
        alpha = cardinal.shrink_factors(problem, state.weights, p.normalise)
        tau, mrc = cardinal.rank_change(problem, alpha)
        if best is None or (tau, mrc) >= (best.tau, best.mrc):
            best = Outcome(tau, mrc, alpha)
    analysis.published = best


def solve_by_search(
    analysis: Analysis, rng: np.random.Generator, restarts: int | None = None
) -> Iterator[SearchState]:
    """Run the corner and line search from the published solution, where there is one."""
    ranking, to_change, from_change = search_problem(analysis)
    starts = [] if analysis.published is None else [from_change(analysis.published.change)]
    restarts = restarts or analysis.parameters.restarts
    for state in search_worst_change(ranking, analysis.certificate, rng, restarts=restarts, starts=starts):
        analysis.search = state
        analysis.by_tau = as_outcome(state.by_tau, to_change)
        analysis.by_mrc = as_outcome(state.by_mrc, to_change)
        yield state


def search_problem(analysis: Analysis) -> tuple:
    """(ranking, weights → change, change → weights) for the search and the proof."""
    p, problem = analysis.parameters, analysis.problem
    if isinstance(problem, cardinal.CardinalProblem):
        ranking, expand, collapse = cardinal_search_problem(
            problem, epsilon=p.epsilon, normalise=p.normalise, shrinkable=analysis.shrinkable
        )
        return (
            ranking,
            lambda w: cardinal.shrink_factors(problem, expand(w), p.normalise),
            lambda alpha: collapse(alpha * problem.deviation if p.normalise else alpha),
        )
    ranking = ordinal_search_problem(problem)
    return (
        ranking,
        lambda w: problem.irrelevant[w > 0.5],
        lambda added: np.isin(problem.irrelevant, added).astype(np.float64),
    )


def as_outcome(found: Found, to_change: Callable[[Values], NDArray]) -> Outcome:
    """A find of the search with its change."""
    return Outcome(found.tau, found.mrc, to_change(found.weights))


def take_proof(analysis: Analysis, ranking: LinearRanking, exact: ExactTau) -> None:
    """Keep what the integer program proved, and its solution where it is the best so far."""
    _, to_change, _ = search_problem(analysis)
    analysis.exact = exact
    found = as_outcome(exact.found, to_change)
    if analysis.by_tau is None or (found.tau, found.mrc) > (analysis.by_tau.tau, analysis.by_tau.mrc):
        analysis.by_tau = found
