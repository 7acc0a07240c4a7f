"""What depends on the data: targets, gaps, prices, memory, length; and what a run will take."""

from __future__ import annotations

import numpy as np

from engine.core.method import Estimate, Problem
from engine.methods.adaptive_regret.covers import NEVER
from engine.methods.adaptive_regret.data import Stream
from engine.methods.adaptive_regret.experts import is_newton
from engine.methods.adaptive_regret.instances import (
    Instance,
    UnsuitableError,
    make_instance,
    make_settings,
)
from engine.methods.adaptive_regret.learners import design, expected_seconds
from engine.methods.adaptive_regret.parameters import LABELS, Parameters
from engine.methods.adaptive_regret.session import suitable
from engine.methods.adaptive_regret.thresholds import markers_at

_NEWTON = ("ons", "flh", "flhs", "usia", "uma")
_LARGE = 500
_MANY_MARKERS = 20
_SUGGESTED = {"gaps": "forward"}


def check(parameters: Parameters, data: Stream) -> list[Problem]:
    """Problems of these parameters with this stream."""
    try:
        instance = make_instance(parameters, data, np.random.default_rng(0))
    except UnsuitableError as error:
        name = error.field or ""
        return [Problem(name, error.allowed, suggestion=_SUGGESTED.get(name))]
    problems = _sizes(parameters, data, instance)
    problems += _suits(parameters, instance)
    if not any(each.severity == "error" for each in problems):
        problems += _density(parameters, instance)
    return problems


def _sizes(parameters: Parameters, data: Stream, instance: Instance) -> list[Problem]:
    problems = []
    if data.n and parameters.rounds > data.n and parameters.beyond == "stop":
        text = f"{data.name} has {data.n:,} rows: the run ends there, or begins again with “End of the data”"
        problems.append(Problem("rounds", text, "warning", suggestion=data.n))
    d = instance.problem.dimension
    newton = [LABELS[n] for n in parameters.algorithms if n in _NEWTON]
    if d > _LARGE and newton and not parameters.diagonal:
        need = estimate(parameters, data).bytes or 0
        text = (
            f"{', '.join(newton)} keep matrices of {d:,} × {d:,}: about {need / 2**30:.1f} GB, "
            "and every round costs d² for each expert; “Diagonal Newton” keeps d numbers instead"
        )
        problems.append(Problem("diagonal", text, suggestion=True))
    if data.kind == "synthetic" and parameters.stages > parameters.rounds // 2:
        problems.append(
            Problem(
                "stages",
                f"at most {parameters.rounds // 2:,} with so few rounds",
                suggestion=max(parameters.rounds // 2, 1),
            )
        )
    return problems


def _suits(parameters: Parameters, instance: Instance) -> list[Problem]:
    problems = []
    if not suitable(parameters, instance):
        problems.append(Problem("algorithms", "EG and UCRP are for portfolios: choose another as well"))
    loss = instance.problem.loss
    if loss in ("hinge", "absolute"):
        used = [LABELS[n] for n in parameters.algorithms if n in _NEWTON]
        if used:
            text = f"the {loss} loss is not exp-concave: no bound holds for {', '.join(used)}"
            problems.append(Problem("loss", text, "warning"))
    return problems


def _density(parameters: Parameters, instance: Instance) -> list[Problem]:
    """Markers so dense that experts hardly learn: say so before the run, from its beginning."""
    if parameters.marker_rate > 0:
        return []
    by_loss = [n for n in ("flhs", "usia", "psacs") if n in parameters.algorithms]
    if not by_loss:
        return []
    begin = instance.problem.upto(min(instance.problem.rounds, 2000))
    settings = make_settings(parameters, instance)
    count = markers_at(begin, settings.threshold, parameters.shortest)
    if count <= max(begin.rounds / _MANY_MARKERS, 1):
        return []
    text = f"about {count:,} markers in the first {begin.rounds:,} rounds: experts hardly learn in between"
    return [Problem("threshold", text, "warning", suggestion=float(f"{4 * settings.threshold:.3g}"))]


def estimate(parameters: Parameters, data: Stream) -> Estimate:
    """Memory of the experts and minima, and a rough time from operations counted."""
    try:
        instance = make_instance(parameters, data, np.random.default_rng(0))
    except UnsuitableError:
        return Estimate()
    problem, settings = instance.problem, make_settings(parameters, instance)
    d, rounds = problem.dimension, problem.rounds
    seconds, size = 0.0, 3.0 * problem.features.nbytes
    for name in suitable(parameters, instance):
        plan = design(name, problem, settings)
        levels = 1 if plan.cover == NEVER else int(np.log2(rounds)) + 1
        matrices = sum(is_newton(kind) for kind, _ in plan.bundle)
        size += 8.0 * levels * (2 * d * d * matrices + d * len(plan.bundle))
        seconds += expected_seconds(plan, problem)
    looked_at = 8.0 * rounds * max(int(np.log2(rounds)) - 2, 1)
    seconds += 0.5 + (looked_at / 8 * 50e-6 / 8 if problem.loss == "square" else looked_at * d * d * 6e-9)
    repeats = parameters.repeats if instance.synthetic is not None else 1
    return Estimate(seconds=seconds * repeats, bytes=int(size))
