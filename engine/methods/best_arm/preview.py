"""What is seen before a run: the instance, its rates, the plan, the exact error of equal sampling."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from engine.core.context import Context
from engine.core.events import Event
from engine.methods.best_arm.arms import Instances
from engine.methods.best_arm.exact_counts import log_error_uniform
from engine.methods.best_arm.exact_stage import curve_budgets
from engine.methods.best_arm.parameters import Parameters
from engine.methods.best_arm.pictures import shown
from engine.methods.best_arm.session import Session, open_session


def preview(parameters: Parameters, data: Instances, context: Context) -> Generator[Event, None, Session]:
    """The views that follow from the means alone; returns the session."""
    session = open_session(parameters, data)
    if "uniform" in parameters.algorithms:
        add_uniform_curve(session)
    yield from shown(session, "means", "rates", "plan", "answers", "error", "rate", "region", "table")
    return session


def add_uniform_curve(session: Session) -> None:
    """The exact curve of equal sampling on the instance looked at."""
    means, budgets = session.arms.means, session.parameters.budget_list
    grid = curve_budgets(means.size, budgets[0], budgets[-1])
    logs = np.array([log_error_uniform(means, int(t)) for t in grid])
    session.curves[session.instance, "uniform"] = grid, logs
