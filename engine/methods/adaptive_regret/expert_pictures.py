"""Pictures of the experts: lifelines, kinds, counts, one expert opened."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.views import Axis, HeatMapState, LinesState, Series, Switch
from engine.methods.adaptive_regret import experts
from engine.methods.adaptive_regret.covers import Lifelines
from engine.methods.adaptive_regret.learners import Learner
from engine.methods.adaptive_regret.losses import LOSS_CODES, losses_of
from engine.methods.adaptive_regret.parameters import COLOURS, LABELS
from engine.methods.adaptive_regret.session import Session

Floats = NDArray[np.float64]
KIND_TITLES = {
    experts.SOGD: ("Convex", 5),
    experts.ONS: ("Exp-concave", 4),
    experts.ONS_DIAG: ("Exp-concave", 4),
    experts.SC_OGD: ("Strongly convex", 2),
    experts.UMA_EXP: ("Exp-concave", 4),
    experts.UMA_SC: ("Strongly convex", 2),
}


def _switch(session: Session, names: list[str], action: str, value: str) -> tuple[Switch, ...]:
    if not names:
        return ()
    options = tuple(LABELS[name] for name in names)
    return (Switch(action=action, argument="value", label="Algorithm", options=options, value=LABELS[value]),)


def awake_rounds(lives: Lifelines, levels: int, columns: int, width: int) -> Floats:
    """Rounds in which each level had an expert awake, per column, (levels, columns)."""
    edge = np.arange(columns + 1) * width
    total = np.zeros((levels, columns))
    for k in range(levels):
        at = np.flatnonzero(lives.level == k)
        if not at.size:
            continue
        born, length = lives.born[at], lives.last[at] - lives.born[at] + 1
        ended = np.concatenate(([0], np.cumsum(length)))
        # Intervals of a level do not overlap: before an edge all but the last to start are over.
        started = np.searchsorted(born, edge, side="left")
        newest = np.maximum(started - 1, 0)
        part = np.where(started > 0, np.minimum(edge - born[newest], length[newest]), 0)
        total[k] = np.diff(ended[newest] + part)
    return total


def lifelines_picture(session: Session) -> HeatMapState:
    """Mean weight of the expert awake on each level, per stretch of rounds; hatched where it sleeps."""
    names = session.with_markers()
    controls = _switch(session, names, "choose_life", session.life_choice)
    learner = session.learners[session.life_choice]
    played, width = learner.rounds_played, learner.record.width
    columns = -(-played // width)
    lives = learner.lifelines()
    levels = int(lives.level.max()) + 1
    awake = awake_rounds(lives, levels, columns, width)
    weight = learner.record.level_weight[:levels, :columns]
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(awake > 0, weight / awake, np.nan)
    rows = tuple(f"{1 << k:,}" for k in range(levels))
    return HeatMapState(
        values=np.clip(values, 0.0, 1.0),
        rows=rows,
        x=(np.arange(columns) + 0.5) * width,
        limits=(0.0, 1.0),
        caption=f"{LABELS[session.life_choice]}, {len(learner.markers()):,} markers, "
        f"{len(lives.born):,} intervals; hatched: asleep",
        controls=controls,
    )


def types_picture(session: Session) -> LinesState:
    """Weight by kind of expert, stacked, per stretch of rounds."""
    names = session.with_types()
    if not names:
        return LinesState(caption="for USIA and UMA, whose bundles hold several kinds")
    learner = session.learners[session.types_choice]
    played, width = learner.rounds_played, learner.record.width
    columns = -(-played // width) if played else 0
    shares: dict[str, Floats] = {}
    colours: dict[str, int] = {}
    for member, (kind, _) in enumerate(learner.plan.bundle):
        title, colours[title] = KIND_TITLES[kind][0], KIND_TITLES[kind][1]
        shares[title] = shares.get(title, np.zeros(columns)) + learner.record.member_weight[member, :columns]
    total = np.maximum(sum(shares.values(), np.zeros(columns)), 1e-300)
    x = np.minimum((np.arange(columns) + 0.5) * width, played)
    return LinesState(
        caption=f"{LABELS[session.types_choice]}, {len(learner.plan.bundle)} experts a bundle",
        series=tuple(
            Series(name=title, x=x, y=share / total, colour=colours[title], marks=False)
            for title, share in shares.items()
        ),
        controls=_switch(session, names, "choose_types", session.types_choice),
    )


def experts_picture(session: Session) -> LinesState:
    """Experts awake and markers set so far, per algorithm with intervals."""
    series = []
    for name in session.with_markers():
        learner = session.learners[name]
        played = learner.rounds_played
        at = np.unique(np.linspace(0, max(played - 1, 0), min(played, 400)).astype(int))
        if not played:
            continue
        awake = learner.record.awake[at].astype(float)
        count = np.cumsum(learner.record.mark[:played])[at].astype(float)
        series.append(
            Series(name=LABELS[name], x=at + 1.0, y=awake, colour=COLOURS[name], marks=False, steps=True)
        )
        if name in ("flhs", "usia", "psacs"):
            series.append(
                Series(
                    name=f"{LABELS[name]} markers",
                    x=at + 1.0,
                    y=count,
                    colour=COLOURS[name],
                    marks=False,
                    style="dotted",
                )
            )
    return LinesState(caption=f"{session.played:,} rounds", series=tuple(series))


def expert_picture(session: Session) -> LinesState:
    """Cumulative loss of the opened expert on its interval, and of the algorithm there."""
    opened = session.opened
    if opened is None:
        return LinesState(caption="click a bar of the lifelines")
    total = np.cumsum(opened.losses)
    x = opened.born + 1.0 + np.arange(len(total))
    at = np.unique(np.linspace(0, len(total) - 1, min(len(total), 600)).astype(int))
    best = session.comparator.best(opened.born, opened.last + 1)
    problem = session.problem
    part = slice(opened.born, opened.last + 1)
    z = problem.features[part] @ best.point
    fixed = np.cumsum(losses_of(LOSS_CODES[problem.loss], z, problem.targets[part]))
    return LinesState(
        caption=f"{opened.title}, rounds {opened.born + 1:,}–{opened.last + 1:,}",
        series=(
            Series(name="expert", x=x[at], y=total[at], colour=4, marks=False),
            Series(
                name=LABELS[opened.algorithm],
                x=x[at],
                y=np.cumsum(opened.against)[at],
                colour=COLOURS[opened.algorithm],
                marks=False,
            ),
            Series(name="best fixed point", x=x[at], y=fixed[at], marks=False, muted=True),
        ),
        x=Axis("round"),
    )


def life_at(learner: Learner, level: int, round_: int) -> tuple[int, int] | None:
    """(born, last) of the interval of `level` awake at `round_`, or the nearest of that level."""
    lives = learner.lifelines()
    at = np.flatnonzero(lives.level == level)
    if not at.size:
        return None
    apart = np.maximum(np.maximum(lives.born[at] - round_, round_ - lives.last[at]), 0)
    i = at[int(np.argmin(apart))]
    return int(lives.born[i]), int(lives.last[i])
