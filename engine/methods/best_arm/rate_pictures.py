"""Views of what follows from the means alone: the instance, its rates, the K = 3 region, the plan."""

from __future__ import annotations

import math

import numpy as np

from engine.core.views import (
    BarSeries,
    BarsState,
    Column,
    HeatMapState,
    Level,
    LinesState,
    Series,
    Slider,
    Switch,
    TableState,
)
from engine.methods.best_arm.arms import means_in_words
from engine.methods.best_arm.exact_counts import log_error_uniform
from engine.methods.best_arm.planner import Plan, normal_approximation, smallest_budget
from engine.methods.best_arm.rates import (
    log_bar,
    sr_rate,
    sr_rate_terms,
    three_arm_log_ratio,
    uniform_rate,
)
from engine.methods.best_arm.session import Session

SMALLEST = 1e-300
_PLAN_POINTS = 24


def shown_probability(log_value: float) -> float:
    """exp, bounded below so that a logarithmic axis can show it."""
    return math.exp(log_value) if log_value > math.log(SMALLEST) else SMALLEST


def in_words(log_value: float) -> str:
    """A probability printed from its logarithm: "0.0220", "3.31e−06", "10^−2207"."""
    if math.isnan(log_value):
        return "unknown"
    if log_value == -math.inf:
        return "0"
    if log_value < math.log(SMALLEST):
        return f"10^−{-log_value / math.log(10):.0f}"
    value = math.exp(log_value)
    return f"{value:.4f}" if value >= 0.001 else f"{value:.3g}".replace("-", "−")


def _rate(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.6g}".replace("-", "−")


def instance_switch(session: Session) -> tuple[Switch, ...]:
    """The switch between instances, where there are several."""
    labels = session.labels()
    if len(labels) < 2:
        return ()
    return (
        Switch(
            action="choose_instance", argument="value", label="Instance", options=labels,
            value=labels[session.instance],
        ),
    )  # fmt: skip


def means_picture(session: Session) -> BarsState:
    """The means as bars that can be dragged."""
    arms = session.arms
    return BarsState(
        caption=f"{arms.count} arms, best {arms.means.max():.4g}",
        controls=instance_switch(session),
        series=(
            BarSeries(
                name="mean",
                values=arms.means.copy(),
                colours=np.arange(arms.count) % 7 if arms.count <= 7 else None,
                colour=0,
            ),
        ),
        categories=arms.names,
    )


def rates_picture(session: Session) -> BarsState:
    """Γ_j / (j logbar K) for every j with the smallest marked, beside the uniform rate."""
    means = session.arms.means
    terms = sr_rate_terms(means)
    uniform = uniform_rate(means)
    shown = np.concatenate([terms, [uniform]])
    finite = np.where(np.isfinite(shown), shown, np.nan)
    active = int(np.argmin(terms))
    colours = np.full(shown.size, 4, np.int64)
    colours[active], colours[-1] = 3, 7
    names = (*[f"j = {j}" for j in range(2, means.size + 1)], "Uniform")
    better = "uniform" if uniform > terms[active] else "Successive Rejects"
    if math.isclose(uniform, terms[active], rel_tol=1e-12):
        better = "neither"
    marks = np.full(shown.size, np.nan)
    marks[active] = finite[active]
    return BarsState(
        caption=f"smallest term j = {active + 2}, larger rate: {better}",
        series=(BarSeries(name="rate", values=finite, colours=colours, colour=4),),
        categories=names,
        ticks=marks,
        ticks_name="Successive Rejects",
    )


def region_picture(session: Session) -> HeatMapState:
    """ln(uniform rate / SR rate) over (μ_2, μ_3) for a fixed best mean, with the zero contour."""
    grid = np.linspace(0.005, 0.995, 100)
    best = session.region_mean
    values = three_arm_log_ratio(best, grid[None, :], grid[:, None])
    inside = np.isfinite(values)
    share = float((values[inside] > 0).mean()) if inside.any() else 0.0
    return HeatMapState(
        caption=f"μ₁ = {best:.2f}, uniform has the larger rate on {share:.0%} of the square",
        controls=(
            Slider(
                action="move_region", argument="value", label="Best mean μ₁", low=0.05, high=0.99, value=best,
                step=0.01,
            ),
        ),
        values=values,
        x=grid,
        y=grid,
        contours=(0.0,),
        limits=(-0.3, 0.3),
    )  # fmt: skip


def plan_of(session: Session) -> tuple[Plan, float]:
    """The budget for the goal, and ln of the error at the planned budget, both exact for uniform."""
    means = session.arms.means
    plan = smallest_budget(means, session.goal, max_budget=4_000_000)
    planned = max(session.planned - session.planned % means.size, means.size)
    return plan, log_error_uniform(means, planned)


def plan_picture(session: Session) -> LinesState:
    """Exact error of uniform sampling against the budget, with the goal and the planned budget."""
    means = session.arms.means
    plan, _ = plan_of(session)
    top = max(2 * (plan.budget or plan.tried), 2 * session.planned, 4 * means.size)
    steps = np.unique(np.geomspace(1, max(top // means.size, 2), _PLAN_POINTS).astype(int))
    budgets = steps * means.size
    errors = np.array([shown_probability(log_error_uniform(means, int(t))) for t in budgets])
    vertical = [Level(name="your budget", value=session.planned, axis="x", draggable=True)]
    if plan.budget is not None:
        vertical.append(Level(name=f"{plan.budget:,} draws", value=plan.budget, axis="x", kind="optimum"))
    return LinesState(
        caption=f"equal sampling of {means.size} arms, exact",
        controls=instance_switch(session),
        series=(Series(name="Uniform", x=budgets.astype(float), y=errors, colour=7, marks=False),),
        levels=(Level(name="allowed error", value=session.goal, draggable=True), *vertical),
    )


def plan_table(session: Session) -> TableState:
    """The planner's answers in words."""
    plan, log_error = plan_of(session)
    means, asked = session.arms.means, []
    reached = f"{plan.budget:,} draws" if plan.budget else f"not within {plan.tried:,} draws"
    asked.append((f"Budget for an error of {session.goal:.3g}", reached))
    asked.append((f"Error with {session.planned:,} draws", in_words(log_error)))
    if plan.budget:
        asked.append(("Draws per arm", f"{plan.budget // means.size:,}"))
    if means.size == 2 and means[0] > means[1]:
        guess = normal_approximation(means[0], means[1], session.goal)
        asked.append(("Normal approximation", f"{guess:,.0f} draws"))
    asked.append(("Uniform rate", f"{_rate(uniform_rate(means))} per draw"))
    asked.append(("Successive Rejects rate", f"{_rate(sr_rate(means))} per draw"))
    asked.append(("logbar(K)", f"{log_bar(means.size):.6g}"))
    return TableState(
        caption=f"{session.arms.name} {means_in_words(means)}",
        columns=(
            Column(name="question", title="Question", values=tuple(q for q, _ in asked), kind="text"),
            Column(name="answer", title="Answer", values=tuple(a for _, a in asked), kind="text"),
        ),
        ids=tuple(range(len(asked))),
    )
