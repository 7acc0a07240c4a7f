"""What the tab shows before a run, and what depends on the data."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event, Show
from engine.core.method import Estimate, Problem

from .analysis import analyse, settle
from .boards import Board
from .parameters import COMPANIONS, Parameters
from .run import board_pictures
from .session import Session
from .study_views import loss_start, search_start, tradeoff
from .win_rate import relevant_count


def preview(parameters: Parameters, data: Board, context: Context) -> Generator[Event, Any, Session | None]:
    """The board with its certificates, at once: they need no run."""
    if any(problem.severity == "error" for problem in check(parameters, data)):
        return None
    analysis = analyse(settle(data, parameters), parameters)
    session = Session(parameters, {data.name: analysis}, data.name)
    yield from board_pictures(session)
    yield Show("search", search_start(analysis))
    yield Show("loss", loss_start(analysis))
    yield Show("tradeoff", tradeoff(session))
    return session


def check(parameters: Parameters, data: Board) -> list[Problem]:
    """What is wrong with the parameters for this board."""
    kind = data.kind if parameters.kind == "auto" else parameters.kind
    problems = [
        *_unknown_tasks("fixed_tasks", parameters.named(parameters.fixed_tasks), data),
        *_unknown_tasks("flipped_tasks", parameters.named(parameters.flipped_tasks), data),
    ]
    if kind == "cardinal":
        problems += _check_gaps(parameters, data)
    elif relevant_count(data.n, parameters.relevant_share) < 2:
        count = relevant_count(data.n, parameters.relevant_share)
        least = min(0.9, float(np.ceil(2 / data.n * 100) / 100))
        words = (
            f"{count} of {data.n} models would be relevant and two are needed: a share of {least:g} or more"
        )
        problems.append(Problem("relevant_share", words, suggestion=least))
    elif _without_common_task(data):
        problems.append(
            Problem(
                "kind",
                f"{_without_common_task(data):,} pairs of models have no task in common: neither wins",
                severity="warning",
            )
        )
    return problems


def _unknown_tasks(field: str, names: tuple[str, ...], data: Board) -> list[Problem]:
    unknown = [name for name in names if name not in data.tasks]
    return [Problem(field, f"the board has no task “{unknown[0]}”")] if unknown else []


def _check_gaps(parameters: Parameters, data: Board) -> list[Problem]:
    gaps = np.isnan(data.scores)
    if parameters.gaps == "refuse" and gaps.any():
        cells, tasks, models = gaps.sum(), gaps.any(axis=0).sum(), gaps.any(axis=1).sum()
        words = (
            f"{cells:,} scores are missing, in {tasks:,} tasks and {models:,} models: ranking by mean score "
            "needs a full table. Leave out the tasks, leave out the models, impute, or rank by mean win rate"
        )
        return [Problem("gaps", words, suggestion="impute")]
    if parameters.gaps == "drop-tasks" and (~gaps.any(axis=0)).sum() < 2:
        return [Problem("gaps", "fewer than two tasks have all scores", suggestion="impute")]
    if parameters.gaps == "drop-models" and (~gaps.any(axis=1)).sum() < 3:
        return [Problem("gaps", "fewer than three models have all scores", suggestion="impute")]
    complete = data.scores[~gaps.any(axis=1)] if parameters.gaps == "drop-models" else data.scores
    if not (np.nanstd(complete, axis=0) > 1e-8).any():
        return [Problem("kind", "every task scores all models alike, so nothing can be ranked")]
    return []


def _without_common_task(data: Board) -> int:
    present = (~np.isnan(data.scores)).astype(np.int64)
    common = present @ present.T
    return int((common[np.triu_indices(data.n, 1)] == 0).sum())


def estimate(parameters: Parameters, data: Board) -> Estimate:
    """Seconds and bytes, from models, tasks and restarts (fitted on the kept boards)."""
    m, n = data.scores.shape
    search = parameters.restarts * m * m * min(n, 60) * 2.5e-8
    seconds = 1.0 + 0.5 * len(COMPANIONS[parameters.companions]) + (3 if parameters.sweep else 1) * search
    return Estimate(seconds, 8 * (6 * m * m + 4 * m * n) + 60_000_000)
