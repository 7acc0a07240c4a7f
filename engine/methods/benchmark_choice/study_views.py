"""Pictures of the whole study: the trade-off over boards, the search, sweeps, task sets, the null."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.views import (
    Axis,
    BarSeries,
    BarsState,
    Group,
    Level,
    LinesState,
    Polygon,
    Reference,
    ScatterState,
    Segments,
    Series,
    Switch,
)

from .analysis import Analysis
from .session import Session, sensitivity_bounds
from .subsets import TaskSet
from .tradeoff import Tradeoff, fit_tradeoff

PUBLISHED, FOUND = 7, 3
"""Colours of the two solvers in every view."""

MOST_NAMED = 16
"""So many boards have their names written beside their marks."""


def metric_switch(session: Session) -> tuple[Switch, ...]:
    """Which of the two rank distances is shown."""
    return (
        Switch(
            action="choose_metric",
            argument="metric",
            label="Sensitivity",
            options=("τ-distance", "MRC"),
            value=session.metric,
        ),
    )


def chosen(session: Session, tau: float, mrc: float) -> float:
    """The distance that is shown."""
    return tau if session.metric == "τ-distance" else mrc


def point(session: Session, analysis: Analysis) -> tuple[float, float, float]:
    """(diversity, published sensitivity, best sensitivity) of a board; NaN where not known."""
    name = analysis.board.name
    mean = session.spreads[name].values if name in session.spreads else {}
    diverse = mean.get("one_minus_w", analysis.diversity.one_minus_w)
    key = "tau" if session.metric == "τ-distance" else "mrc"
    published, best = np.nan, np.nan
    if analysis.published is not None:
        published = mean.get(f"published_{key}", getattr(analysis.published, key))
    outcome = analysis.best[0 if key == "tau" else 1]
    if outcome is not None:
        best = mean.get(f"found_{key}", getattr(outcome, key))
    return diverse, published, best


def fit(session: Session) -> Tradeoff | None:
    """Regression through the origin and correlation over the boards, by the published solver if it ran."""
    points = np.array([point(session, a) for a in session.analyses.values()])
    y = points[:, 1] if np.isfinite(points[:, 1]).sum() >= 2 else points[:, 2]
    known = np.isfinite(y)
    return fit_tradeoff(points[known, 0], y[known]) if known.sum() >= 2 else None


def tradeoff(session: Session) -> ScatterState:
    """Diversity against sensitivity, one board a mark for each solver."""
    boards = list(session.analyses.values())
    points = np.array([point(session, analysis) for analysis in boards])
    number = np.arange(len(boards))
    x = np.tile(points[:, 0], 2)
    y = np.concatenate([points[:, 1], points[:, 2]])
    group = np.repeat([0, 1], len(boards))
    known = np.isfinite(y)
    ids = np.tile(number, 2)[known]
    line = fit(session)
    references: tuple[Reference, ...] = ()
    if line is not None:
        end = max(float(points[:, 0].max()), 0.05)
        references = (
            Reference(
                name="fit through 0",
                x=np.array([0.0, end]),
                y=np.array([0.0, line.slope * end]),
                kind="baseline",
            ),
        )
    both = np.isfinite(points[:, 1]) & np.isfinite(points[:, 2]) & (points[:, 2] > points[:, 1])
    rises = Segments(
        name="gain of the search",
        x=np.column_stack([points[both, 0]] * 2),
        y=points[both, 1:],
        colour=None,
        dashed=True,
    )
    return ScatterState(
        x=x[known],
        y=y[known],
        group=group[known],
        groups=(Group(name="Published solver", colour=PUBLISHED), Group(name="Best found", colour=FOUND)),
        ids=ids,
        names=tuple(boards[i].board.title for i in ids),
        stars=np.flatnonzero(ids == list(session.analyses).index(session.focus)),
        segments=(rises,) if both.any() else (),
        polygons=_names(boards, points),
        references=references,
        y_axis=Axis(f"sensitivity ({session.metric})"),
        caption=_correlation(len(boards), line),
        controls=metric_switch(session),
    )


def _names(boards: list[Analysis], points: NDArray[np.float64]) -> tuple[Polygon, ...]:
    """Each board's name beside the stretch between its two marks, where there are not too many."""
    if len(boards) > MOST_NAMED:
        return ()
    return tuple(
        Polygon(x=np.full(y.size, x), y=y, colour=None, label=analysis.board.title)
        for analysis, x, y in (
            (a, point[0], point[1:][np.isfinite(point[1:])]) for a, point in zip(boards, points, strict=True)
        )
        if y.size
    )


def _correlation(boards: int, line: Tradeoff | None) -> str:
    count = f"{boards} board" if boards == 1 else f"{boards} boards"
    if line is None or boards < 3 or not np.isfinite(line.correlation):
        return count
    return f"{count}, correlation {line.correlation:.2f}, slope {line.slope:.2f}"


def search_start(analysis: Analysis) -> LinesState:
    """The empty search curve with the certificates above it."""
    return LinesState(
        series=(
            Series(name="τ-distance", x=np.empty(0), y=np.empty(0), colour=FOUND, steps=True),
            Series(name="MRC", x=np.empty(0), y=np.empty(0), colour=4, steps=True),
        ),
        levels=search_levels(analysis),
        caption=analysis.board.title,
    )


def search_levels(analysis: Analysis) -> tuple[Level, ...]:
    """Certificates and what the published solver reached."""
    levels = [
        Level(name="τ certificate", value=analysis.tau_bound, kind="bound"),
        Level(name="MRC certificate", value=analysis.certificate.mrc_bound, kind="bound"),
    ]
    if analysis.published is not None:
        levels.append(Level(name="published τ", value=analysis.published.tau, kind="baseline"))
    return tuple(levels)


def loss_start(analysis: Analysis) -> LinesState:
    """The empty loss curves, or the τ-distances of the sampled sets."""
    names: tuple[tuple[str, int], ...]
    if analysis.is_cardinal:
        names = (("rank-weighted", PUBLISHED), ("plain", FOUND))
        y = Axis("loss", log=True)
    else:
        names, y = (("sampled subsets", PUBLISHED),), Axis("τ-distance of the sampled set")
    return LinesState(
        series=tuple(
            Series(name=name, x=np.empty(0), y=np.empty(0), colour=colour, marks=False)
            for name, colour in names
        ),
        y=y,
        caption=f"{analysis.board.title}, published solver",
    )


def sweep(session: Session) -> LinesState:
    """Sensitivity for other least spreads, or other relevant shares."""
    found = session.sweeps[session.metric]
    analysis = session.main
    series = []
    for name, values, colour in (
        ("Published solver", found.published, PUBLISHED),
        ("Best found", found.found, FOUND),
    ):
        known = np.isfinite(values)
        if known.any():
            series.append(Series(name=name, x=found.x[known], y=values[known], colour=colour, marks=True))
    known = np.isfinite(found.bound)
    return LinesState(
        series=tuple(series),
        references=(Reference(name="certificate", x=found.x[known], y=found.bound[known], kind="bound"),),
        x=Axis("least spread ε" if analysis.is_cardinal else "relevant share of the models"),
        y=Axis(f"sensitivity ({session.metric})"),
        caption=analysis.board.title,
        controls=metric_switch(session),
    )


@dataclass(frozen=True, eq=False)
class SubsetCurves:
    """By size of the set: quantiles of random draws, the greedy set, the exact best (None: not tried)."""

    sizes: NDArray[np.float64]
    random: NDArray[np.float64]
    greedy: tuple[TaskSet, ...]
    exact: tuple[TaskSet | None, ...]


def subsets(curves: SubsetCurves, analysis: Analysis) -> LinesState:
    """How well few tasks stand for all, by size of the set."""
    x = curves.sizes
    series = [
        Series(
            name="random sets",
            x=x[: len(curves.random)],
            y=curves.random[:, 1],
            low=curves.random[:, 0],
            high=curves.random[:, 2],
            colour=0,
            spread="5% to 95% of the draws",
        ),
        Series(
            name="greedy", x=x[: len(curves.greedy)], y=np.array([s.tau for s in curves.greedy]), colour=FOUND
        ),
    ]
    tried = [(size, best.tau) for size, best in zip(x, curves.exact, strict=False) if best is not None]
    if tried:
        sizes, values = np.array(tried).T
        series.append(Series(name="exact best", x=sizes, y=values, colour=PUBLISHED))
    return LinesState(series=tuple(series), caption=f"{analysis.board.title}, distance to the full ranking")


def null(session: Session) -> BarsState:
    """Histogram of the distances under random irrelevant changes, with what the solvers reached."""
    assert session.null is not None
    analysis = session.main
    values = session.null[:, 0 if session.metric == "τ-distance" else 1]
    tau, mrc = analysis.best
    bound = sensitivity_bounds(analysis, session.metric)
    levels: list[Level] = []
    if analysis.published is not None:
        reached = chosen(session, analysis.published.tau, analysis.published.mrc)
        levels.append(Level(name="published solver", value=reached, axis="x"))
    if tau is not None and mrc is not None:
        levels.append(
            Level(name="best found", value=chosen(session, tau.tau, mrc.mrc), kind="optimum", axis="x")
        )
    top = max(float(values.max()), *(level.value for level in levels), 1e-6)
    if bound <= 1.5 * top:
        levels.insert(0, Level(name="certificate", value=bound, kind="bound", axis="x"))
        top = max(top, bound)
    edges = np.linspace(0.0, top * 1.0001, 31)
    counts = np.histogram(values, edges)[0].astype(np.float64)
    what = "random weights" if analysis.is_cardinal else "random sets of irrelevant models"
    return BarsState(
        series=(BarSeries(name=what, values=counts, colour=0),),
        edges=edges,
        levels=tuple(levels),
        category=Axis(f"sensitivity ({session.metric})"),
        caption=f"{analysis.board.title}, {len(values):,} {what}, certificate {bound:.3f}",
        controls=metric_switch(session),
    )
