"""Views of two-arm policies over all pairs of means: the universality map, the own table, stability."""

from __future__ import annotations

import itertools

import numpy as np

from engine.core.views import HeatMapState, Level, LinesState, Series, Slider, Switch
from engine.methods.best_arm.session import EDITED, MAP_LABELS, PolicyMap, Session
from engine.methods.best_arm.two_arm_exact import TwoArmLaw

STABILITY_MEANS = np.linspace(0.02, 0.98, 25)
_MAP_STEPS = 8


def map_budgets(largest: int) -> tuple[int, ...]:
    """Even budgets of the map's slider, up to `largest`."""
    steps = {max(10, 2 * round(largest * i / _MAP_STEPS / 2)) for i in range(1, _MAP_STEPS + 1)}
    return tuple(sorted(steps))


def log_ratio_map(law: TwoArmLaw, uniform: TwoArmLaw, grid: np.ndarray) -> np.ndarray:
    """ln(P(error) / P(error) of uniform), rows μ_2, columns μ_1; NaN where the means are equal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(law.error(grid, grid) / uniform.error(grid, grid)).T
    ratio[np.abs(ratio) < 1e-10] = 0.0
    np.fill_diagonal(ratio, np.nan)
    return ratio


def equal_mean_shares(law: TwoArmLaw) -> np.ndarray:
    """E[ω_2] at μ = (a, a) for the means of the stability view, to four decimals."""
    return np.round(law.expected_shares(STABILITY_MEANS, STABILITY_MEANS), 4)


def map_picture(session: Session) -> HeatMapState:
    """The map of the chosen policy at the chosen budget; blue is better than uniform, red worse."""
    grid, found = session.grid, session.maps.get(session.map_choice)
    if found is None:
        return HeatMapState(values=np.full((grid.size, grid.size), np.nan), x=grid, y=grid)
    step = session.map_step % len(found.budgets)
    values = found.values[step]
    size = float(np.nanmax(np.abs(values)))
    better, worse = np.nanmean(values < -1e-9), np.nanmean(values > 1e-9)
    limit = min(max(size, 1e-6), 3.0)
    return HeatMapState(
        caption=(
            f"{MAP_LABELS[session.map_choice]}, T = {found.budgets[step]}: better on {better:.0%}, "
            f"worse on {worse:.0%} of pairs, largest factor {np.exp(min(size, 700)):.3g}"
        ),
        controls=_map_controls(session, found, step),
        values=values,
        x=grid,
        y=grid,
        limits=(-limit, limit),
        contours=(0.0,),
    )


def _map_controls(session: Session, found: PolicyMap, step: int) -> tuple[Switch | Slider, ...]:
    names = tuple(MAP_LABELS[name] for name in session.maps)
    switch = Switch(
        action="choose_map", argument="value", label="Policy", options=names,
        value=MAP_LABELS[session.map_choice],
    )  # fmt: skip
    budgets = found.budgets
    apart = (budgets[-1] - budgets[0]) // max(len(budgets) - 1, 1)
    slider = Slider(
        action="move_map_budget", argument="value", label="T", low=budgets[0], high=budgets[-1],
        value=budgets[step], step=max(2, apart), unit="draws",
    )  # fmt: skip
    return (switch, slider)


def table_picture(session: Session) -> HeatMapState:
    """The own policy as an editable table of P(draw arm 1)."""
    rows, columns = session.table.shape
    edges = np.linspace(-1, 1, columns + 1)
    return HeatMapState(
        caption="P(draw arm 1) by budget used and lead of arm 1",
        values=session.table.copy(),
        rows=tuple(f"{i / rows:.0%}–{(i + 1) / rows:.0%}" for i in range(rows)),
        columns=tuple(_signed((a + b) / 2) for a, b in itertools.pairwise(edges)),
        limits=(0.0, 1.0),
        centre=0.5,
    )


def _signed(value: float) -> str:
    return "0" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−")


def stability_picture(session: Session) -> LinesState:
    """E[ω_2] when both means are a, for every two-arm policy; a stable one tends to ½."""
    series = [
        Series(
            name=MAP_LABELS[name],
            x=STABILITY_MEANS.copy(),
            y=y.copy(),
            colour=6 if name == EDITED else session.colour(name),
            marks=False,
        )
        for name, y in session.stability.items()
    ]
    return LinesState(
        caption=f"T = {session.parameters.map_budget}, exact",
        series=tuple(series),
        levels=(Level(name="equal shares", value=0.5),),
    )
