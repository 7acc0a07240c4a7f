"""Pictures of other rules, and of win rate's dependence on third models, on the board that is looked at."""

from __future__ import annotations

import numpy as np

from engine.core.views import Column, HeatMapState, TableState

from .analysis import Analysis
from .arrow import task_votes
from .baselines import RULES, rank_by
from .board_views import short, shortened
from .ranking import rank_distance
from .session import Session


def flips(session: Session) -> TableState:
    """Pairs whose order under mean win rate one other model decides."""
    found = session.flips()
    names = shortened(session.current.board.models, 22)
    columns = (
        Column(name="first", title="Leads without", values=tuple(names[f.first] for f in found), kind="text"),
        Column(name="second", title="Leads with", values=tuple(names[f.second] for f in found), kind="text"),
        Column(
            name="third", title="The third model", values=tuple(names[f.third] for f in found), kind="text"
        ),
        Column(
            name="without",
            title="Lead without",
            values=np.array([f.lead_without for f in found]),
            digits=3,
            help="Sum of the differences in win rate over the models on the board",
        ),
        Column(name="with", title="Lead with", values=np.array([f.lead_with for f in found]), digits=3),
    )
    count = "200 or more" if len(found) == 200 else f"{len(found):,}"
    return TableState(
        columns=columns,
        ids=tuple(range(len(found))),
        caption=f"{session.current.board.title}, {count} orders that one model decides",
    )


def votes(session: Session) -> HeatMapState | None:
    """Tasks as voters on the three models of the chosen flip: their ranks on each task."""
    found = session.flips()
    if not found:
        return None
    flip = found[min(session.flip or 0, len(found) - 1)]
    board = session.current.board
    models = (flip.first, flip.second, flip.third)
    table = task_votes(board.scores, models)
    return HeatMapState(
        values=table.T,
        rows=tuple(short(board.models[i], 18) for i in models),
        columns=board.tasks,
        limits=(1.0, 3.0),
        caption=f"{len(board.tasks):,} tasks as voters; “{board.models[flip.third]}” decides the order",
    )


def rules(analysis: Analysis) -> TableState:
    """Every ranking rule: how far its ranking is from the board's own, and whom it puts first."""
    found = rule_distances(analysis)
    columns = (
        Column(name="rule", title="Rule", values=tuple(found), kind="text"),
        Column(name="tau", title="τ-distance", values=np.array([row[0] for row in found.values()]), digits=4),
        Column(name="mrc", title="MRC", values=np.array([row[1] for row in found.values()]), digits=4),
        Column(
            name="first", title="First", values=tuple(short(row[2]) for row in found.values()), kind="text"
        ),
    )
    own = "mean" if analysis.is_cardinal else "win rate"
    return TableState(
        columns=columns,
        ids=tuple(found),
        caption=f"{analysis.board.title}, distance to the ranking by {own}",
        note="The geometric mean needs positive scores",
    )


def rule_distances(analysis: Analysis) -> dict[str, tuple[float, float, str]]:
    """Rule → (τ-distance, MRC) to the ranking of all models by the board's own rule, and its first model."""
    board = analysis.board
    own = rank_by(board.scores, "mean" if analysis.is_cardinal else "win rate")
    present = ~np.isnan(board.scores).all(axis=1)
    found = {}
    for rule in RULES:
        if rule == "geometric mean" and not np.nanmin(board.scores) > 0:
            found[rule] = (float("nan"), float("nan"), "")
            continue
        ranks = rank_by(board.scores[present], rule)
        tau, mrc = rank_distance(ranks, rank_by(-own[present][:, None], "mean"))
        first = int(np.flatnonzero(present)[np.argmin(ranks)])
        found[rule] = (tau, mrc, board.models[first])
    return found
