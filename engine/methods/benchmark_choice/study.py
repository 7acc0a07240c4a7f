"""What stands beside the main analysis: other boards, sweeps, the null, task sets; all yield often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from . import subsets as task_sets
from .analysis import Analysis, analyse, settle, solve_by_search, solve_published
from .baselines import RULES, random_subset_changes, random_weight_changes
from .boards import Board, constant_board, imagenet_groups, leaderboard, random_board
from .bootstrap import bootstrap_ranks, rank_intervals
from .cardinal import CardinalProblem, rank_change, shrink_factors
from .session import Session, Spreads, Sweep, recertify
from .study_views import SubsetCurves

EPSILONS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
LARGEST_SET = 6
MOST_SETS = 20_000
"""The exact best task set of a size is sought when there are at most so many."""

SWEEP_RESTARTS = 8
RANDOM_MODELS, RANDOM_RELEVANT = 1000, 10
"""Models, and relevant ones among them, of the authors' random ordinal board."""


def reference(name: str, seed: int) -> Board | None:
    """A companion that depends on a seed, or None."""
    makers: dict[str, Callable[[int], Board]] = {
        "random": random_board,
        "constant": constant_board,
        "imagenet": imagenet_groups,
        "constant_ordinal": lambda seed: replace(constant_board(seed), name=name, kind="ordinal"),
        "random_ordinal": lambda seed: replace(
            random_board(seed, RANDOM_MODELS), name=name, kind="ordinal", title="Random, 1,000 models"
        ),
    }
    return makers[name](seed) if name in makers else None


def companion(session: Session, name: str, stream: Callable[[str], np.random.Generator]) -> Iterator[str]:
    """Analyse one companion board with the chosen solvers; yields words on what is being done."""
    p = session.parameters.model_copy(update={"fixed_tasks": "", "flipped_tasks": "", "kind": "auto"})
    seeded = reference(name, 0) is not None
    seeds = range(p.reference_seeds if seeded else 1)
    numbers = []
    for seed in seeds:
        board = reference(name, seed) if seeded else leaderboard(name)
        assert board is not None
        relevant = RANDOM_RELEVANT if name == "random_ordinal" else None
        analysis = analyse(settle(board, p), p, relevant)
        yield f"{board.title}, seed {seed}" if len(seeds) > 1 else board.title
        for _ in solve(analysis, stream(f"search {name} {seed}")):
            yield board.title
        numbers.append(summary(analysis))
        if seed == 0:
            session.analyses[name] = analysis
    if seeded and len(seeds) > 1:
        table = {key: np.array([each[key] for each in numbers]) for key in numbers[0]}
        session.spreads[name] = Spreads(
            {key: float(values.mean()) for key, values in table.items()},
            {key: float(1.96 * values.std(ddof=1) / np.sqrt(len(seeds))) for key, values in table.items()},
            len(seeds),
        )


def solve(analysis: Analysis, rng: np.random.Generator) -> Iterator[None]:
    """Both solvers, or the one chosen, to their end."""
    solver = analysis.parameters.solver
    if solver in ("both", "published"):
        for _ in solve_published(analysis):
            yield
    if solver in ("both", "vertex"):
        for _ in solve_by_search(analysis, rng):
            yield


def summary(analysis: Analysis) -> dict[str, float]:
    """The numbers of a board that a paper prints."""
    tau, mrc = analysis.best
    numbers = {
        "one_minus_w": analysis.diversity.one_minus_w,
        "one_minus_w_corrected": analysis.one_minus_w_corrected,
        "mean_mrc": analysis.diversity.mean_mrc,
        "max_mrc": analysis.diversity.max_mrc,
        "tau_bound": analysis.tau_bound,
        "mrc_bound": analysis.certificate.mrc_bound,
    }
    if analysis.published is not None:
        numbers |= {"published_tau": analysis.published.tau, "published_mrc": analysis.published.mrc}
    if tau is not None and mrc is not None:
        numbers |= {"found_tau": tau.tau, "found_mrc": mrc.mrc}
    return numbers


def sweep(session: Session, stream: Callable[[str], np.random.Generator]) -> Iterator[int]:
    """Sensitivity of the main board for other ε, or other relevant shares; yields points done."""
    main = session.main
    points = EPSILONS if main.is_cardinal else _possible_shares(main)
    x = np.array(points)
    rows = np.full((len(x), 2, 3), np.nan)
    for place, value in enumerate(points):
        changed = main.parameters.model_copy(update={"restarts": SWEEP_RESTARTS, **_setting(main, value)})
        if main.is_cardinal and value == 1.0:
            rows[place] = _nothing_shrinks(main)
        else:
            other = analyse(main.board, changed)
            for _ in solve(other, stream(f"sweep {value}")):
                yield place
            rows[place] = _row(other)
        session.sweeps = {
            "τ-distance": Sweep(x, *rows[:, 0].T.copy()),
            "MRC": Sweep(x, *rows[:, 1].T.copy()),
        }
        yield place + 1


def _possible_shares(main: Analysis) -> tuple[float, ...]:
    return tuple(share for share in SHARES if int(main.board.n * share + 1e-9) >= 2)


def _setting(main: Analysis, value: float) -> dict[str, float]:
    return {"epsilon": min(value, 0.99)} if main.is_cardinal else {"relevant_share": value}


def _row(analysis: Analysis) -> NDArray[np.float64]:
    """[[τ of published, best, bound], [MRC of the same]]."""
    tau, mrc = analysis.best
    published = analysis.published
    return np.array(
        [
            [published.tau if published else np.nan, tau.tau if tau else np.nan, analysis.tau_bound],
            [
                published.mrc if published else np.nan,
                mrc.mrc if mrc else np.nan,
                analysis.certificate.mrc_bound,
            ],
        ]
    )


def _nothing_shrinks(analysis: Analysis) -> NDArray[np.float64]:
    """ε = 1: only the division by σ is left, which is one single ranking."""
    assert isinstance(analysis.problem, CardinalProblem)
    ones = np.ones(analysis.problem.kept.size)
    alpha = shrink_factors(analysis.problem, ones, analysis.parameters.normalise)
    tau, mrc = rank_change(analysis.problem, alpha)
    bounds = recertify(analysis, 1.0)
    return np.array([[np.nan, tau, bounds[0]], [np.nan, mrc, bounds[1]]])


def null(session: Session, rng: np.random.Generator, chunk: int = 50) -> Iterator[int]:
    """Distances of the main board under random irrelevant changes; yields draws done."""
    main, draws = session.main, session.parameters.draws
    parts = []
    for done in range(0, draws, chunk):
        count = min(chunk, draws - done)
        if isinstance(main.problem, CardinalProblem):
            p = session.parameters
            part = random_weight_changes(
                main.problem, rng, draws=count, epsilon=p.epsilon, normalise=p.normalise
            )
        else:
            part = random_subset_changes(main.problem, rng, draws=count)
        parts.append(part)
        yield done + count
    session.null = np.concatenate(parts)


def intervals(session: Session, rng: np.random.Generator, chunk: int = 20) -> Iterator[int]:
    """Bootstrap intervals of the ranks of the main board, tasks drawn anew; yields draws done.

    Slow rules get fewer draws at a time, so that there is a yield every few hundredths of a second.
    """
    main, draws = session.main, session.parameters.draws
    rule = session.parameters.rule
    chunk = chunk if rule in ("mean", "median", "geometric mean", "z-score mean") else 1
    parts = []
    for done in range(0, draws, chunk):
        count = min(chunk, draws - done)
        parts.append(bootstrap_ranks(main.board.scores, rng, draws=count, rule=RULES[rule]))
        yield done + count
    main.intervals = rank_intervals(np.concatenate(parts))


def subset_curves(session: Session, rng: np.random.Generator) -> Iterator[SubsetCurves]:
    """Random, greedy and exact task sets of growing size of a complete main board; yields as it goes."""
    scores = session.main.board.scores
    largest = min(LARGEST_SET, scores.shape[1] - 1)
    sizes = np.arange(1, largest + 1, dtype=np.float64)
    random: list[NDArray[np.float64]] = []
    greedy: list[task_sets.TaskSet] = []
    exact: list[task_sets.TaskSet | None] = []
    growing = task_sets.greedy_sets(scores, largest)
    for size in range(1, largest + 1):
        _, distances = task_sets.random_sets(scores, size, rng, session.parameters.draws)
        random.append(np.quantile(distances[:, 0], [0.05, 0.5, 0.95]))
        greedy.append(next(growing))
        exact.append(None)
        if task_sets.number_of_sets(scores.shape[1], size) <= MOST_SETS:
            for best in task_sets.exact_set(scores, size, chunk=500):
                exact[-1] = best
                yield SubsetCurves(sizes, np.array(random), tuple(greedy), tuple(exact))
        yield SubsetCurves(sizes, np.array(random), tuple(greedy), tuple(exact))
