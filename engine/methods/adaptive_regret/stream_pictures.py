"""Pictures of the stream itself: the model that fits each stretch best, prices, wealth."""

from __future__ import annotations

import itertools

import numpy as np

from engine.core.views import Axis, Button, Level, LinesState, Reference, Series, Slider, Span
from engine.methods.adaptive_regret.parameters import COLOURS, LABELS, dashed
from engine.methods.adaptive_regret.portfolios import (
    best_stock,
    buy_and_hold,
    log_peaks,
    net_wealth,
    wealth,
)
from engine.methods.adaptive_regret.session import Session

_STRETCHES = 60
_MOST_COORDINATES = 6
_MOST_ASSETS = 8
_WEALTH_POINTS = 600


def stream_picture(session: Session) -> LinesState:
    """What changes in the stream: the best fixed point of each stretch, or the growth of the assets."""
    if session.instance.relatives is not None:
        return _assets(session)
    problem = session.problem
    edges = np.unique(np.linspace(0, problem.rounds, _STRETCHES + 1).astype(int))
    points = np.array([session.comparator.best(a, b).point for a, b in itertools.pairwise(edges)])
    middles = (edges[1:] + edges[:-1]) / 2
    shown = np.sort(np.argsort(-np.abs(points).mean(axis=0), kind="stable")[:_MOST_COORDINATES])
    synthetic = session.instance.synthetic
    levels = tuple(
        Level(name=name, value=float(at), axis="x", kind="chance", draggable=synthetic is not None)
        for name, at in session.switch_names()
    )
    bursts = synthetic.bursts if synthetic is not None else ()
    length = int(np.median(np.diff(edges)))
    return LinesState(
        caption=f"{problem.rounds:,} rounds, {len(shown)} of {problem.dimension} coordinates of the best "
        f"point of each {length} rounds",
        series=tuple(
            Series(
                name=session.instance.names[j], x=middles, y=points[:, j], colour=i, marks=False, steps=False
            )
            for i, j in enumerate(shown.tolist())
        ),
        levels=levels,
        spans=tuple(Span(name="noise burst", low=b.first, high=b.last) for b in bursts),
        controls=_edit_controls(session),
    )


def _edit_controls(session: Session) -> tuple[Slider | Button, ...]:
    if session.instance.synthetic is None:
        return ()
    clear = (
        (Button(action="clear_bursts", label="Clear bursts"),) if session.instance.synthetic.bursts else ()
    )
    size = Slider(
        action="set_burst_size",
        argument="value",
        label="Burst",
        low=0.1,
        high=2.0,
        value=session.burst_size,
        step=0.1,
    )
    return (size, *clear)


def _assets(session: Session) -> LinesState:
    relatives = session.instance.relatives
    assert relatives is not None
    grown = np.cumprod(relatives, axis=0)
    at = _thinned(len(grown))
    order = np.argsort(-grown[-1], kind="stable")
    half = _MOST_ASSETS // 2
    shown = order if len(order) <= _MOST_ASSETS else np.concatenate([order[:half], order[-half:]])
    names = session.instance.names
    return LinesState(
        caption=f"{len(shown)} of {len(names)} assets, {len(grown):,} days",
        y=Axis("growth since the first day", "×", log=True),
        x=Axis("day"),
        series=tuple(
            Series(name=names[j], x=at + 1.0, y=grown[at, j], colour=i % 8, marks=False)
            for i, j in enumerate(shown.tolist())
        ),
    )


def wealth_picture(session: Session) -> LinesState:
    """Wealth of every portfolio after costs, against the best that was possible in hindsight."""
    relatives = session.instance.relatives
    if relatives is None:
        return LinesState(caption="for prices")
    played, cost = session.played, session.shown_cost
    at = _thinned(played) if played else np.empty(0, int)
    series = []
    for name in session.names:
        learner = session.learners[name]
        if cost > 0 and len(learner.record.points):
            grown = net_wealth(learner.record.points[:played], relatives[:played], cost)
        else:
            grown = wealth(learner.losses[:played], relatives)
        series.append(
            Series(
                name=LABELS[name],
                x=at + 1.0,
                y=grown[at],
                colour=COLOURS[name],
                marks=False,
                style="dashed" if dashed(name) else "solid",
            )
        )
    _, stock = best_stock(relatives)
    at_all = _thinned(len(relatives))
    references = [
        Reference(name="buy and hold", x=at_all + 1.0, y=buy_and_hold(relatives)[at_all], kind="baseline"),
        Reference(name="best stock", x=at_all + 1.0, y=stock[at_all], kind="baseline"),
    ]
    if session.best_whole is not None:
        kept = np.exp(
            np.cumsum(np.log(session.problem.features @ session.best_whole.point) + log_peaks(relatives))
        )
        references.append(Reference(name="best rebalanced", x=at_all + 1.0, y=kept[at_all], kind="optimum"))
    after = f" after {cost * 1e4:.0f} basis points a trade" if cost > 0 else ""
    return LinesState(
        caption=f"{played:,} of {len(relatives):,} days{after}",
        series=tuple(series),
        references=tuple(references),
        controls=(
            Slider(
                action="change_cost",
                argument="value",
                label="Cost",
                low=0.0,
                high=100.0,
                value=cost * 1e4,
                step=5.0,
                unit="bp",
            ),
        ),
    )


def _thinned(count: int) -> np.ndarray:
    """At most 600 places of `count`, the last included."""
    if count == 0:
        return np.empty(0, int)
    return np.unique(np.linspace(0, count - 1, min(count, _WEALTH_POINTS)).astype(int))
