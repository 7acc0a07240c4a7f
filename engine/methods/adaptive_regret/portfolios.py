"""Price relatives as an online problem, and what a portfolio earns, with and without trading costs.

x_t (d,) holds price today over price yesterday. The loss −ln⟨w, x_t⟩ may be negative; dividing x_t by its
largest entry makes it ≥ 0 and changes neither gradients nor regrets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.methods.adaptive_regret.problems import Problem

Floats = NDArray[np.float64]


def portfolio_problem(relatives: Floats) -> Problem:
    """The log-loss over the simplex for relatives (T, d), each day divided by its best asset's."""
    peak = relatives.max(axis=1)
    return Problem(
        np.ascontiguousarray(relatives / peak[:, None]), np.zeros(len(relatives)), loss="log", simplex=True
    )


def log_peaks(relatives: Floats) -> Floats:
    """ln of each day's largest relative, (T,): what `portfolio_problem` added to the losses."""
    return np.log(relatives.max(axis=1))


def wealth(losses: Floats, relatives: Floats) -> Floats:
    """Wealth after each day from 1, (t,), of the losses of `portfolio_problem`."""
    return np.exp(np.cumsum(log_peaks(relatives[: len(losses)]) - losses))


def buy_and_hold(relatives: Floats) -> Floats:
    """Wealth after each day of an even split that is never traded again, (T,)."""
    return np.cumprod(relatives, axis=0).mean(axis=1)


def best_stock(relatives: Floats) -> tuple[int, Floats]:
    """The asset that grew most, and its wealth after each day, (T,)."""
    grown = np.cumprod(relatives, axis=0)
    best = int(grown[-1].argmax())
    return best, np.asarray(grown[:, best], np.float64)


def net_wealth(points: Floats, relatives: Floats, cost: float) -> Floats:
    """Wealth (T,) of portfolios (T, d) when each unit of turnover ‖w − ŵ‖₁ costs `cost`.

    ŵ is what the last portfolio has become by the day's price moves. The first purchase is free.
    """
    grown = points * relatives
    held = np.vstack([points[:1], grown[:-1] / grown[:-1].sum(axis=1, keepdims=True)])
    turnover = np.abs(points - held).sum(axis=1)
    return np.cumprod(grown.sum(axis=1) * np.maximum(1.0 - cost * turnover, 1e-12))
