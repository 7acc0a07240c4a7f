"""Pictures of regret: over time, over windows, over all intervals, against the small loss."""

from __future__ import annotations

import numpy as np

from engine.core.views import (
    Axis,
    Button,
    Column,
    Group,
    HeatMapState,
    Level,
    LinesState,
    Rug,
    ScatterState,
    Series,
    Slider,
    Span,
    Switch,
    TableState,
)
from engine.core.views.lines import LineStyle
from engine.methods.adaptive_regret.change_points import change_points
from engine.methods.adaptive_regret.parameters import COLOURS, LABELS, dashed
from engine.methods.adaptive_regret.session import Session

_MOST_POINTS = 260
_MOST_TICKS = 120
_LEAST = 1e-3
AGAINST = {"stages": "Each stage", "fixed": "Fixed point"}
"""What regret is measured against: the best point of each known stage, or one for all rounds so far."""
_COMPARATOR = {"stages": "point of each stage", "fixed": "fixed point"}


def _style(name: str) -> LineStyle:
    return "dashed" if dashed(name) else "solid"


def regret_picture(session: Session) -> LinesState:
    """Cumulative loss less that of the comparator, on the rounds so far."""
    x = np.array(session.curve_x, float)
    names = session.names if session.replayed is None else [n for n in session.names if n in session.replayed]
    series = tuple(
        Series(
            name=LABELS[name],
            x=x,
            y=np.array(session.curves[session.against].get(name, ()), float),
            colour=COLOURS[name],
            marks=False,
            style=_style(name),
        )
        for name in names
    )
    life = session.life_choice
    markers = session.learners[life].markers() if life and life in names else np.empty(0)
    rugs: tuple[Rug, ...] = ()
    if 0 < len(markers) <= _MOST_TICKS:
        rugs = (Rug(name=f"markers of {LABELS[life]}", x=markers.astype(float), colour=COLOURS[life]),)
    spans: tuple[Span, ...] = ()
    if session.span is not None:
        first, last = session.span
        spans = (Span(name="interval", low=first + 1.0, high=float(last)),)
    caption = f"{session.played:,} of {session.problem.rounds:,} rounds"
    if session.replayed is not None:
        caption = f"edited stream, {len(names)} of {len(session.names)} algorithms replayed"
    return LinesState(
        caption=caption,
        series=series,
        rugs=rugs,
        spans=spans,
        levels=tuple(
            Level(name=text, value=float(at), axis="x", kind="chance") for text, at in session.switch_names()
        ),
        controls=_steering(session),
    )


def _steering(session: Session) -> tuple[Switch | Slider | Button, ...]:
    marker: tuple[Button, ...] = ()
    if session.playing and session.with_markers():
        marker = (Button(action="force_marker", label="Marker now"),)
    threshold = session.settings.threshold
    against: tuple[Switch, ...] = ()
    if session.problem.switches:
        against = (
            Switch(
                action="choose_against",
                argument="value",
                label="Against",
                options=tuple(AGAINST.values()),
                value=AGAINST[session.against],
            ),
        )
    return (
        *against,
        *marker,
        Slider(
            action="change_threshold",
            argument="value",
            label="C",
            log=True,
            low=min(0.05, threshold),
            high=max(100.0, threshold),
            value=threshold,
        ),
    )


def adaptivity_picture(session: Session) -> LinesState:
    """SA(τ) of every algorithm on the first stream, or its mean and spread over all of them."""
    series = []
    for name in session.names:
        several = session.repeats.get(name)
        if several and len(next(iter(several.values()))) > 1:
            tau = np.array(sorted(several))
            values = np.array([np.mean(several[t]) for t in tau])
            half = np.array([_half_width(several[t]) for t in tau])
            low, high = np.maximum(values - half, _LEAST), values + half
            spread = f"95% of {len(several[tau[0]])} streams"
        else:
            tau, values = session.windows.adaptive_regret(session.learners[name].losses)
            low = high = None
            spread = ""
        keep = values > 0
        series.append(
            Series(
                name=LABELS[name],
                x=tau[keep].astype(float),
                y=values[keep],
                colour=COLOURS[name],
                low=None if low is None else low[keep],
                high=None if high is None else high[keep],
                style=_style(name),
                spread=spread,
                marks=True,
            )
        )
    return LinesState(
        caption=f"{session.windows.solved:,} of {session.windows.count:,} windows solved",
        series=tuple(series),
    )


def _half_width(values: list[float]) -> float:
    """Half of the 95% interval of the mean (Student's t)."""
    from scipy.stats import t

    n = len(values)
    return float(t.ppf(0.975, n - 1) * np.std(values, ddof=1) / np.sqrt(n)) if n > 1 else 0.0


def map_picture(session: Session) -> HeatMapState:
    """R over (start, length) of the chosen algorithm."""
    grid, name = session.grid, session.map_choice
    options = tuple(LABELS[each] for each in session.names)
    controls = (
        Switch(action="choose_map", argument="value", label="Algorithm", options=options, value=LABELS[name]),
    )
    assert grid is not None
    learner = session.learners[name]
    values = grid.regrets(learner.losses)
    all_values = [grid.regrets(each.losses) for each in session.learners.values()]
    top = max(float(np.nanmax(each, initial=0.0)) for each in all_values) or 1.0
    worst = ", to be solved by the next run"
    if np.isfinite(values).any():
        i, j = np.unravel_index(int(np.nanargmax(values)), values.shape)
        first = int(grid.first[i, j])
        worst = f", worst {values[i, j]:.3g} on rounds {first + 1:,}–{first + int(grid.lengths[i]):,}"
    own = float(np.nanmax(values, initial=0.0))
    # One worst algorithm must not wash out the others: its scale is shared only within a factor of four.
    limit = top if own > 0.25 * top else own or 1.0
    kind = "geometric cover" if session.parameters.intervals == "cover" else "any start and length"
    return HeatMapState(
        values=values[::-1],
        x=grid.starts.astype(float) + 1.0,
        rows=tuple(f"{length:,}" for length in grid.lengths[::-1].tolist()),
        limits=(0.0, limit),
        caption=f"{LABELS[name]}, {kind}{worst}",
        controls=controls,
    )


def interval_table(session: Session) -> TableState:
    """R[r, s], loss and L of every algorithm on the chosen interval, and who wins."""
    if session.span is None or session.played < session.span[1]:
        return TableState(caption="drag a stretch of the regret curves, or click the map")
    first, last = session.span
    names = session.names
    losses = np.array([session.learners[n].losses[first:last].sum() for n in names])
    best = session.comparator.best(first, last)
    regrets = losses - best.value
    order = np.argsort(regrets, kind="stable")
    winner = int(order[0])
    return TableState(
        caption=f"rounds {first + 1:,}–{last:,}, small loss {best.value:.4g}",
        columns=(
            Column(
                name="algorithm",
                title="Algorithm",
                kind="text",
                values=tuple(LABELS[names[i]] for i in order),
            ),
            Column(name="regret", title="R[r, s]", values=regrets[order], digits=3, best="low"),
            Column(name="loss", title="Loss", values=losses[order], digits=3),
            Column(name="per_round", title="Loss per round", values=losses[order] / (last - first), digits=5),
            Column(
                name="outcome",
                title="Outcome",
                kind="badge",
                values=tuple("winner" if i == winner else "" for i in order),
            ),
        ),
        ids=tuple(LABELS[names[i]] for i in order),
        colours=tuple(COLOURS[names[i]] for i in order),
    )


def results_table(session: Session) -> TableState:
    """What a paper would print: loss, static regret, SA at three lengths, markers, time."""
    names, played = session.names, session.played
    if not played:
        return TableState(caption="one row per algorithm")
    losses = np.array([session.learners[n].losses[:played].sum() for n in names])
    curves = session.curves[session.against]
    regret = np.array([curves[n][-1] if curves.get(n) else np.nan for n in names])
    tau = session.windows.lengths
    picked = [t for t in (tau[len(tau) // 3], tau[len(tau) // 2], tau[-min(3, len(tau))]) if t]
    columns = [
        Column(name="algorithm", title="Algorithm", kind="text", values=tuple(LABELS[n] for n in names)),
        Column(name="loss", title="Loss", values=losses, digits=2, best="low"),
        Column(name="regret", title="Regret", values=regret, digits=2, best="low"),
    ]
    found = {
        n: dict(zip(*session.windows.adaptive_regret(session.learners[n].losses), strict=True)) for n in names
    }
    for t in dict.fromkeys(picked):
        values = np.array([float(found[n].get(t, np.nan)) for n in names])
        columns.append(Column(name=f"sa_{t}", title=f"SA({t:,})", values=values, digits=2, best="low"))
    columns.append(
        Column(
            name="markers",
            title="Markers",
            kind="integer",
            values=np.array([len(session.learners[n].markers()) for n in names]),
        )
    )
    columns.append(
        Column(
            name="seconds",
            title="Time",
            unit="s",
            digits=2,
            values=np.array([session.seconds.get(n, np.nan) for n in names]),
        )
    )
    return TableState(
        caption=f"{played:,} rounds, regret against the best {_COMPARATOR[session.against]}",
        columns=tuple(columns),
        ids=tuple(LABELS[n] for n in names),
        colours=tuple(COLOURS[n] for n in names),
    )


def changes_table(session: Session) -> TableState:
    """Changes found by the experts of the chosen algorithm, beside the true ones where they are known."""
    name = session.life_choice
    if not name or not session.played:
        return TableState(caption="changes found by the experts")
    found = change_points(session.learners[name], session.parameters.evidence)
    found = [each for each in found if each.sign == "loss"] or found
    switches = np.array(session.problem.switches, float)
    onset = np.array([each.onset + 1 for each in found], float)
    columns = [
        Column(name="onset", title="Onset", kind="integer", unit="round", values=onset.astype(int)),
        Column(
            name="detected",
            title="Seen",
            kind="integer",
            unit="round",
            values=np.array([each.detected + 1 for each in found], int),
        ),
        Column(
            name="sign",
            title="Sign",
            kind="text",
            values=tuple(
                "newest expert's loss rose" if e.sign == "loss" else "younger expert leads" for e in found
            ),
        ),
        Column(
            name="evidence", title="Evidence", values=np.array([e.evidence for e in found], float), digits=1
        ),
    ]
    if len(switches):
        apart = [float(np.min(np.abs(switches + 1 - at))) for at in onset]
        columns.append(
            Column(
                name="apart",
                title="From a true change",
                kind="integer",
                unit="rounds",
                values=np.array(apart, int),
            )
        )
    return TableState(
        caption=f"{LABELS[name]}: {len(found)} found, {len(switches)} known",
        columns=tuple(columns),
        ids=tuple(range(len(found))),
    )


def small_loss_picture(session: Session) -> ScatterState:
    """Every window of three lengths: its regret against its small loss."""
    tau = [t for t in session.windows.lengths if t >= 32][:-1] or session.windows.lengths[-1:]
    picked = tau[:: max(1, len(tau) // 3)][:3]
    xs, ys, groups, words = [], [], [], []
    names = session.names[:8]
    for g, name in enumerate(names):
        losses = session.learners[name].losses
        for t in picked:
            regrets = session.windows.regrets(losses, t)
            known = len(regrets)
            step = max(1, known // (_MOST_POINTS // len(picked)))
            take = np.arange(0, known, step)
            small = session.windows.minima[t][take]
            keep = (regrets[take] > _LEAST) & (small > _LEAST)
            xs.append(small[keep])
            ys.append(regrets[take][keep])
            groups.append(np.full(int(keep.sum()), g))
            words += [
                f"{LABELS[name]}, rounds {r + 1:,}–{r + t:,}" for r in session.windows.starts[t][take][keep]
            ]
    if not xs:
        return ScatterState(x=np.empty(0), y=np.empty(0), caption="windows of the run")
    lengths = ", ".join(f"{t:,}" for t in picked)
    return ScatterState(
        x=np.concatenate(xs),
        y=np.concatenate(ys),
        group=np.concatenate(groups),
        groups=tuple(Group(name=LABELS[n], colour=COLOURS[n]) for n in names),
        names=tuple(words),
        caption=f"windows of {lengths} rounds with a regret and a small loss above {_LEAST}",
    )


def noise_picture(session: Session) -> LinesState:
    """Static regret of stationary streams against their noise."""
    series = []
    for name in session.names:
        found = session.sweep.get(name, {})
        sigma = np.array(sorted(found), float)
        mean = np.array([np.mean(found[s]) for s in sigma])
        half = np.array([_half_width(found[s]) for s in sigma])
        series.append(
            Series(
                name=LABELS[name],
                x=sigma,
                y=mean,
                low=mean - half,
                high=mean + half,
                colour=COLOURS[name],
                style=_style(name),
                marks=True,
                spread="95% of 3 streams",
            )
        )
    return LinesState(
        caption="stationary streams, mean of 3" if session.sweep else "with “Noise sweep” switched on",
        series=tuple(series) if session.sweep else (),
        x=Axis("noise σ"),
    )
