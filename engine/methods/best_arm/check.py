"""What depends on the data: budgets that are too small, algorithms that do not apply, unclear winners."""

from __future__ import annotations

from engine.core.method import Problem
from engine.methods.best_arm.arms import Instances
from engine.methods.best_arm.expression import compile_rule
from engine.methods.best_arm.parameters import LABELS, Parameters
from engine.methods.best_arm.rates import log_bar
from engine.methods.best_arm.schedules import smallest_budget_for
from engine.methods.best_arm.session import chosen_instances, two_arms_only


def check(parameters: Parameters, data: Instances) -> list[Problem]:
    """Problems of these parameters with these instances."""
    instances = chosen_instances(parameters, data)
    problems = _budgets(parameters, [arms.count for arms in instances])
    problems += _algorithms(parameters, [arms.count for arms in instances])
    if "own" in parameters.algorithms and parameters.own == "rule":
        problems += _rule(parameters.rule)
    for arms in instances:
        best = int((arms.means == arms.means.max()).sum())
        if best == arms.count:
            text = f"all means of {arms.name} are equal: errors are counted against the first arm"
            problems.append(Problem("means", text, "warning"))
        elif best > 1:
            text = f"{best} arms of {arms.name} share the largest mean: another arm must win to be an error"
            problems.append(Problem("means", text, "warning"))
    return problems


def _budgets(parameters: Parameters, counts: list[int]) -> list[Problem]:
    smallest = parameters.budget_list[0]
    for name in parameters.algorithms:
        if name == "own":
            continue
        kind = "sh" if name == "sh_fresh" else name
        needed = max(
            (smallest_budget_for(k, kind) for k in counts if k == 2 or not two_arms_only(name)), default=0
        )
        if smallest < needed:
            kept = [needed, *(t for t in parameters.budget_list if t > needed)]
            text = f"{LABELS[name]} on {max(counts)} arms needs at least {needed:,} draws"
            return [Problem("budgets", text, suggestion=", ".join(map(str, kept)))]
    return []


def _algorithms(parameters: Parameters, counts: list[int]) -> list[Problem]:
    problems = []
    pairs_only = [name for name in parameters.algorithms if two_arms_only(name)]
    if 2 not in counts and len(pairs_only) == len(parameters.algorithms):
        problems.append(Problem("algorithms", "these are defined for two arms; no instance has two"))
    elif any(k != 2 for k in counts) and pairs_only:
        names = ", ".join(LABELS[name] for name in pairs_only)
        problems.append(Problem("algorithms", f"{names}: shown for two arms only", "warning"))
    largest = 1 / log_bar(max(counts))
    if {"cr_c", "cr_a"} & set(parameters.algorithms) and parameters.theta >= largest:
        problems.append(Problem("theta", f"below 1/logbar({max(counts)}) = {largest:.4g}"))
    if "ucbe" in parameters.algorithms and parameters.ucbe == "oracle":
        problems.append(Problem("ucbe", "a test does not know the true means", "warning"))
    return problems


def _rule(text: str) -> list[Problem]:
    from engine.methods.best_arm.two_arm_exact import two_arm_law
    from engine.methods.best_arm.two_arm_policies import function_policy

    try:
        two_arm_law(function_policy(compile_rule(text)), 12)
    except ValueError as error:
        return [Problem("rule", str(error))]
    return []
