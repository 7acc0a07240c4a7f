"""Views of allocations and of one run step by step."""

from __future__ import annotations

import numpy as np

from engine.core.views import (
    Axis,
    BarSeries,
    BarsState,
    Button,
    Column,
    LinesState,
    Rug,
    Series,
    Switch,
    TableState,
)
from engine.methods.best_arm.parameters import LABELS
from engine.methods.best_arm.session import Allocation, Session

_MOST_ARMS = 12
_MOST_STEPS = 1000
_MOST_BINS = 50


def algorithm_switch(session: Session) -> tuple[Switch, ...]:
    """The switch between algorithms on the instance looked at."""
    names = [name for name in session.algorithms_on(session.instance) if name != "own"]
    if len(names) < 2:
        return ()
    shown = session.algorithm if session.algorithm in names else names[0]
    return (
        Switch(
            action="choose_algorithm", argument="value", label="Algorithm",
            options=tuple(LABELS[name] for name in names), value=LABELS[shown],
        ),
    )  # fmt: skip


def shares_picture(session: Session) -> LinesState:
    """Mean share of the draws of each arm over time; arms beyond the twelfth are left out."""
    found = session.allocations.get((session.instance, session.algorithm))
    if found is None:
        return LinesState(controls=algorithm_switch(session))
    shown = min(found.shares.shape[1], _MOST_ARMS)
    names = session.arms.names
    return LinesState(
        caption=f"{LABELS[session.algorithm]}, T = {found.budget:,}, {shown} of {len(names)} arms",
        controls=algorithm_switch(session),
        series=tuple(
            Series(
                name=names[k],
                x=found.checkpoints.astype(float),
                y=np.round(found.shares[:, k], 9),
                colour=k % 8,
                marks=False,
            )
            for k in range(shown)
        ),
    )  # fmt: skip


def split_picture(session: Session) -> BarsState:
    """The shares at the end: the histogram of ω_2 for two arms, else the mean share of every arm."""
    found = session.allocations.get((session.instance, session.algorithm))
    if found is None:
        return BarsState(controls=algorithm_switch(session))
    if found.split.size == 0:
        return _mean_shares(session, found)
    exact = session.splits.get((session.instance, session.algorithm, found.budget))
    split = found.split if exact is None else exact
    bins = min(_MOST_BINS, split.size)
    place = np.minimum(np.arange(split.size) * bins // split.size, bins - 1)
    heights = np.bincount(place, weights=split / split.sum(), minlength=bins)
    return BarsState(
        caption=f"{LABELS[session.algorithm]}, T = {found.budget:,}"
        + (", simulated" if exact is None else ", exact"),
        controls=algorithm_switch(session),
        series=(BarSeries(name="probability", values=heights, colour=session.colour(session.algorithm)),),
        edges=np.linspace(0, 1, bins + 1),
    )


def _mean_shares(session: Session, found: Allocation) -> BarsState:
    few = session.arms.count <= _MOST_ARMS
    return BarsState(
        caption=f"{LABELS[session.algorithm]}, T = {found.budget:,}, mean of the runs",
        controls=algorithm_switch(session),
        series=(
            BarSeries(
                name="mean share",
                values=np.round(found.shares[-1], 9),
                colours=np.arange(session.arms.count) % 8 if few else None,
                colour=0,
            ),
        ),
        categories=session.arms.names,
        category=Axis("arm"),
        value=Axis("share of draws"),
    )


def trace_picture(session: Session) -> LinesState:
    """Empirical means in one run, with the times at which arms were dropped."""
    trace = session.traces.get((session.instance, session.algorithm))
    if trace is None or trace.arms.size == 0:
        once = Button(action="another_run", label="Draw a run")
        return LinesState(controls=(*algorithm_switch(session), once))
    means = trace.means_over_time()
    steps = np.unique(np.linspace(0, len(means) - 1, min(len(means), _MOST_STEPS)).astype(int))
    names = session.arms.names
    dropped = np.array([r.t for r in trace.rejections], dtype=float)
    note = f", log of {names[trace.exhausted]} used up" if trace.exhausted is not None else ""
    return LinesState(
        caption=f"{LABELS[session.algorithm]}, {trace.arms.size:,} draws, recommends "
        f"{names[trace.recommended]}{note}",
        controls=(*algorithm_switch(session), Button(action="another_run", label="Another run")),
        series=tuple(
            Series(name=names[k], x=steps + 1.0, y=means[steps, k], colour=k % 8, marks=False)
            for k in range(min(means.shape[1], _MOST_ARMS))
        ),
        rugs=(Rug(name="arm dropped", x=dropped),) if dropped.size else (),
    )


def steps_table(session: Session) -> TableState:
    """Counts, means and rejections of the run shown."""
    trace = session.traces.get((session.instance, session.algorithm))
    if trace is None:
        return TableState()
    arms = session.arms
    dropped = {r.arm: r.t for r in trace.rejections}
    status = [
        "recommended" if k == trace.recommended else f"dropped at {dropped[k]:,}" if k in dropped else ""
        for k in range(arms.count)
    ]
    with np.errstate(invalid="ignore"):
        means = trace.successes / trace.counts
    return TableState(
        caption=f"{LABELS[session.algorithm]}, one run",
        columns=(
            Column(name="arm", title="Arm", values=arms.names, kind="text"),
            Column(name="mean", title="True mean", values=arms.means.copy(), digits=4),
            Column(name="draws", title="Draws", values=trace.counts, kind="integer"),
            Column(name="successes", title="Successes", values=trace.successes, kind="integer"),
            Column(name="estimate", title="Empirical mean", values=means, digits=4),
            Column(name="status", title="Outcome", values=tuple(status), kind="text"),
        ),
        ids=tuple(range(arms.count)),
        colours=tuple(k % 8 for k in range(arms.count)),
    )
