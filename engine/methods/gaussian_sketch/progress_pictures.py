"""Views of the measured curves: the relative gap, the distance of h, the results."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.core.views import (
    Axis,
    Column,
    Level,
    LinesState,
    Reference,
    Series,
    Switch,
    TableState,
)
from engine.methods.gaussian_sketch.parameters import LABELS
from engine.methods.gaussian_sketch.session import (
    AXES,
    Session,
    effective_step,
    minibatch_size,
    predicted,
    spread,
)
from engine.methods.gaussian_sketch.step_sizes import cost
from engine.methods.gaussian_sketch.traces import Trace

COST_AXES = {
    "Derivatives": Axis("directional derivatives"),
    "Seconds": Axis("time of one seed", "s"),
    "Iterations": Axis("iterations"),
    "Operations": Axis("floating point operations on the data"),
}
_THEORY = ("gsgd", "gsgd_plain", "rcd_uniform", "rcd_importance")


def problem_switch(session: Session) -> tuple[Switch, ...]:
    """The switch between problems, where there are several."""
    titles = session.titles()
    if len(titles) < 2:
        return ()
    return (
        Switch(
            action="choose_problem", argument="value", label="Problem", options=titles,
            value=titles[session.chosen],
        ),
    )  # fmt: skip


def _axis_switch(session: Session) -> Switch:
    return Switch(action="choose_axis", argument="value", label="Cost", options=AXES, value=session.axis)


def along(session: Session, trace: Trace) -> NDArray[np.float64]:
    """The cost of each checkpoint on the axis looked at."""
    return np.array(
        {
            "Derivatives": trace.derivatives,
            "Seconds": trace.seconds,
            "Iterations": trace.iterations,
            "Operations": trace.flops,
        }[session.axis]
    )


def _curve(session: Session, name: str, x: NDArray[np.float64], values: NDArray[np.float64]) -> Series:
    """Median with the band from the 10 to the 90 % point over seeds; zeros have no logarithm."""
    values = np.where(values > 0, values, np.nan)
    several = values.shape[1] > 1
    low, middle, high = np.percentile(values, (10, 50, 90), axis=1) if several else (values[:, 0],) * 3
    return Series(
        name=LABELS[name], x=x, y=middle, low=low if several else None, high=high if several else None,
        colour=session.colour(name), marks=False, style="dash-dot" if name.startswith("sega") else "solid",
        spread=f"10–90% of {values.shape[1]} seeds" if several else "",
    )  # fmt: skip


def gap_picture(session: Session) -> LinesState:
    """(F − F*)/(F(0) − F*) against the cost, with the predicted (1 − ημ)ᵗ dashed."""
    study = session.study
    series = tuple(
        _curve(session, name, along(session, m.trace), m.trace.gap_matrix())
        for name, m in study.measured.items()
    )
    caption = f"{study.base.title}, d = {study.objective.dimension:,}"
    if study.measured and study.measured_rotation > 0:
        caption += f", rotated {study.measured_rotation:.2f}"
    if session.axis == "Derivatives":
        caption += "; a Gaussian derivative reads all data, a coordinate's one column"
    return LinesState(
        caption=caption,
        controls=(_axis_switch(session),),
        series=series,
        references=_theory(session),
        levels=(Level(name="target", value=session.parameters.target),),
        x=COST_AXES[session.axis],
    )


def _theory(session: Session) -> tuple[Reference, ...]:
    """Predicted lines over the budget where an iteration has a fixed cost; nearly equal ones once."""
    if session.axis not in ("Derivatives", "Iterations"):
        return ()
    study, settings = session.study, session.settings
    found: list[Reference] = []
    rates: list[float] = []
    budget = session.parameters.epochs * study.objective.dimension
    for name in _THEORY:
        if name not in session.parameters.methods or name in study.reasons:
            continue
        rate = effective_step(name, study.constants, settings) * study.constants.convexity
        if not 0 < rate < 1 or any(math.isclose(rate, other, rel_tol=0.1) for other in rates):
            continue
        rates.append(rate)
        iterations = np.linspace(0, budget / cost(name, settings.size, study.objective.dimension), 30)
        values = np.exp(iterations * math.log1p(-rate))
        kept = values > 1e-12
        x = iterations if session.axis == "Iterations" else np.linspace(0, budget, 30)
        if kept.sum() > 1:
            found.append(Reference(name=f"{LABELS[name]} rate", x=x[kept], y=values[kept]))
    return tuple(found)


def variance_picture(session: Session) -> LinesState:
    """‖h − ∇f(x)‖ of the methods that learn h."""
    study = session.study
    series = tuple(
        _curve(session, name, along(session, m.trace), np.array(m.trace.h_errors))
        for name, m in study.measured.items()
        if m.trace.h_errors
    )
    return LinesState(
        caption="falls to 0 where the variance is reduced",
        controls=(_axis_switch(session),),
        series=series,
        x=COST_AXES[session.axis],
    )


def results_table(session: Session) -> TableState:
    """One row a method: gap reached, derivatives to three gaps, time, non-zeros, prediction."""
    study, p = session.study, session.parameters
    names = study.methods
    rows = [study.measured[name] for name in names]
    reached = {gap: [spread(m.trace.reached(gap)) for m in rows] for gap in (1e-2, 1e-4, p.target)}
    columns = [
        Column(name="method", title="Method", values=tuple(LABELS[n] for n in names), kind="text"),
        Column(
            name="gap", title="Gap reached",
            values=tuple(_small(float(np.median(m.trace.gaps[-1]))) for m in rows), kind="text",
        ),
    ]  # fmt: skip
    for gap, found in reached.items():
        columns.append(
            Column(
                name=f"to_{gap:g}", title=f"To {_power(gap)}", values=tuple(_count(v[0]) for v in found),
                kind="text", help="Median directional derivatives over seeds",
            )
        )  # fmt: skip
    settings = session.settings
    guesses = [predicted(n, study.constants, settings, p.target) for n in names]
    columns += [
        Column(name="predicted", title="Predicted", values=tuple(_count(v) for v in guesses), kind="text"),
        Column(
            name="seconds", title="Time", unit="s", digits=3,
            values=np.array([m.seconds for m in rows], dtype=float),
        ),
        Column(
            name="nonzeros", title="Non-zeros", kind="integer", digits=0,
            values=np.array([np.median(np.count_nonzero(np.abs(m.solver.x) > 1e-9, axis=1)) for m in rows]),
        ),
        Column(
            name="cost", title="Derivatives a step", kind="integer", digits=0,
            values=np.array([_step_cost(session, n) for n in names], dtype=float),
        ),
    ]  # fmt: skip
    left_out = "; ".join(f"{LABELS[n]}: {why}" for n, why in study.reasons.items())
    return TableState(
        caption=f"{study.base.title}, medians of {p.seeds} seeds; – is not reached",
        columns=tuple(columns),
        ids=tuple(LABELS[n] for n in names),
        colours=tuple(session.colour(n) for n in names),
        note=f"Left out: {left_out}" if left_out else "",
    )


def _step_cost(session: Session, name: str) -> int:
    settings, d = session.settings, session.study.objective.dimension
    return cost(name, minibatch_size(settings, d) if name == "minibatch" else settings.size, d)


def _power(value: float) -> str:
    """A gap as a power of ten: "10⁻⁶", "3×10⁻⁵"."""
    exponent = math.floor(math.log10(value) + 1e-9)
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    factor = value / 10.0**exponent
    return f"10{raised}" if abs(factor - 1) < 1e-9 else f"{factor:.2g}×10{raised}"


def _small(value: float) -> str:
    return f"{value:.1e}".replace("e-0", "e−").replace("e-", "e−").replace("e+00", "") if value > 0 else "0"


def _count(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) else "–"
