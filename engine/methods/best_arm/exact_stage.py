"""The exact part of a run: error probabilities by formula or by the forward pass, cut into short steps."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

import numpy as np

from engine.core.errors import RunError
from engine.methods.best_arm.exact_elimination import largest_tensor
from engine.methods.best_arm.map_pictures import equal_mean_shares, log_ratio_map, map_budgets
from engine.methods.best_arm.planner import (
    EXACT_TWO_ARM_BUDGET,
    elimination_schedule,
    log_error_exact,
    uniform_cost,
)
from engine.methods.best_arm.session import PolicyMap, Session, algorithm_of, uses_horizon
from engine.methods.best_arm.two_arm_exact import ForwardPass, Policy, TwoArmLaw, two_arm_law
from engine.methods.best_arm.two_arm_policies import static_policy

_CURVE_POINTS = 32
_CURVE_CELLS = 50_000
_CURVE_COST = 2e6
_BY_FORMULA = ("uniform", "static", "sr", "sh", "sh_fresh", "two_stage")


def pass_over(policy: Policy, budget: int) -> Generator[None, None, TwoArmLaw]:
    """The forward pass, a pause after every layer; returns the law."""
    forward = ForwardPass(policy, budget)
    try:
        for _ in forward.steps():
            yield
    except ValueError as error:
        raise RunError(f"The own policy cannot be used: {error}.") from error
    return forward.law()


def exact_points(session: Session) -> Iterator[tuple[int, str]]:
    """Fill `log_exact` of every point that has an exact value; yields (points done, what is done)."""
    done = 0
    for budget in session.parameters.budget_list:
        for name in session.parameters.algorithms:
            for _ in _exact_of(session, name, budget):
                yield done, f"Exact: {name}, T = {budget:,}"
            done += sum(name == a for _, a in session.pairs())
            yield done, f"Exact: {name}, T = {budget:,}"


def _exact_of(session: Session, name: str, budget: int) -> Iterator[None]:
    where = [i for i, a in session.pairs() if a == name]
    by_pass = [i for i in where if session.instances[i].count == 2 and name not in _BY_FORMULA]
    for i in where:
        if name in _BY_FORMULA:
            means = session.instances[i].means
            log_value = log_error_exact(algorithm_of(name, session.parameters, means.size), means, budget)
            session.point(i, name, budget).log_exact = log_value
            yield
    if not by_pass or budget > EXACT_TWO_ARM_BUDGET:
        return
    oracle = name == "ucbe" and session.parameters.ucbe == "oracle"
    for group in [[i] for i in by_pass] if oracle else [by_pass]:
        means = session.instances[group[0]].means
        law = yield from pass_over(session.policy(name, means), budget)
        for i in group:
            first, second = session.instances[i].means
            session.point(i, name, budget).log_exact = _log(float(law.error(first, second)[0, 0]))
            session.splits[i, name, budget] = law.split(float(first), float(second))
            yield


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def exact_curves(session: Session) -> Iterator[None]:
    """Exact curves on a fine grid of budgets where every value is quick; pauses between values."""
    budgets = session.parameters.budget_list
    for i, name in session.pairs():
        if name not in _BY_FORMULA[:-1]:
            continue
        arms = session.instances[i]
        algorithm = algorithm_of(name, session.parameters, arms.count)
        grid = curve_budgets(arms.count, budgets[0], budgets[-1])
        schedule = elimination_schedule(algorithm, arms.count, int(grid[-1]))
        tensor = largest_tensor(schedule) if schedule and arms.count > 2 else 0
        costly = uniform_cost(arms.count, int(grid[-1])) > _CURVE_COST
        if len(grid) < 2 or tensor > _CURVE_CELLS or costly:
            continue
        logs = []
        for budget in grid:
            value = log_error_exact(algorithm, arms.means, int(budget))
            logs.append(math.nan if value is None else value)
            yield
        if all(math.isfinite(v) for v in logs):
            session.curves[i, name] = grid, np.array(logs)


def curve_budgets(arms: int, low: int, high: int) -> np.ndarray:
    """Multiples of K between two budgets, evenly spread on a logarithmic scale."""
    steps = np.geomspace(max(low / arms, 2), max(high / arms, 2), _CURVE_POINTS).astype(int)
    return np.unique(steps) * arms


def policy_maps(session: Session) -> Iterator[tuple[int, int, str]]:
    """Universality maps and stability curves of all two-arm policies; yields (done, total, name)."""
    names, budgets = session.two_arm_policies(), map_budgets(session.parameters.map_budget)
    uniform = {budget: two_arm_law(static_policy(0.5), budget) for budget in budgets}
    for done, name in enumerate(names):
        if name == "ucbe" and session.parameters.ucbe == "oracle":
            continue
        values = np.full((len(budgets), session.grid.size, session.grid.size), np.nan)
        law: TwoArmLaw | None = None
        for step, law in _laws(session, name, budgets):
            if law is not None:
                values[step] = log_ratio_map(law, uniform[budgets[step]], session.grid)
            yield done, len(names), name
        final = law if law is not None else two_arm_law(session.policy(name), budgets[-1])
        session.stability[name] = equal_mean_shares(final)
        session.maps[name] = PolicyMap(budgets, values)
        yield done + 1, len(names), name


def _laws(session: Session, name: str, budgets: tuple[int, ...]) -> Iterator[tuple[int, TwoArmLaw | None]]:
    """(place, law) for every budget, with (place, None) pauses between layers."""
    if not uses_horizon(name):
        forward = ForwardPass(session.policy(name), budgets[-1])
        for t in forward.steps():
            yield (budgets.index(t), forward.law()) if t in budgets else (0, None)
        return
    for step, budget in enumerate(budgets):
        steps = pass_over(session.policy(name), budget)
        while True:
            try:
                next(steps)
                yield step, None
            except StopIteration as end:
                yield step, end.value
                break
