"""What depends on the data: labels, sizes, regularisers that coordinate methods cannot use, rates."""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.core.method import Estimate, Problem
from engine.methods.gaussian_sketch.data import Samples
from engine.methods.gaussian_sketch.parameters import LABELS, Parameters, parse_diagonal

_SEPARABLE = ("none", "l1", "elastic", "box")
_COORDINATE = ("rcd_uniform", "rcd_importance", "rcd_own", "minibatch")
_LARGEST_ROTATION = 2000


def check(parameters: Parameters, data: Samples) -> list[Problem]:
    """Problems of these parameters with this data."""
    d = data.dimension + (parameters.intercept and not data.quadratic)
    return [
        *_target(parameters, data),
        *_methods(parameters),
        *_sizes(parameters, d),
        *_metric(parameters, data, d),
        *_rate(parameters, data),
    ]


def _target(parameters: Parameters, data: Samples) -> list[Problem]:
    from engine.methods.gaussian_sketch.preparing import loss_of, numbers_of, signs_of

    if data.quadratic:
        return []
    try:
        if loss_of(parameters, data) == "logistic":
            signs = signs_of(parameters, data)
            if len(set(signs.tolist())) < 2:
                return [
                    Problem("positive", "all samples have the same label: nothing to tell apart", "warning")
                ]
        else:
            numbers_of(data)
    except ValueError as error:
        named = "positive" if "positive class" in str(error) or "no class" in str(error) else "objective"
        return [
            Problem(
                named, str(error), suggestion=next(iter(data.labels()), None) if named == "positive" else None
            )
        ]
    return []


def _methods(parameters: Parameters) -> list[Problem]:
    left_out: dict[str, list[str]] = {}
    for name in parameters.methods:
        if name in _COORDINATE and parameters.regulariser not in _SEPARABLE:
            left_out.setdefault("a coordinate step needs a regulariser that is a sum", []).append(
                LABELS[name]
            )
        elif name in ("gsgd_plain", "acd") and parameters.regulariser != "none":
            left_out.setdefault("only without a regulariser", []).append(LABELS[name])
    problems = []
    count = sum(len(names) for names in left_out.values())
    for reason, names in left_out.items():
        severity: Literal["error", "warning"] = "error" if count == len(parameters.methods) else "warning"
        problems.append(Problem("methods", f"left out: {', '.join(names)} ({reason})", severity))
    return problems


def _sizes(parameters: Parameters, d: int) -> list[Problem]:
    problems = []
    if parameters.sketch in ("orthogonal", "srht") and parameters.size > d:
        problems.append(Problem("size", f"an orthogonal block has at most d = {d} directions", suggestion=d))
    elif parameters.size > 4 * d:
        text = f"ℓ is far above d = {d}: a full gradient costs {d} derivatives"
        problems.append(Problem("size", text, "warning", suggestion=d))
    if parameters.regulariser == "nuclear" and d % parameters.group_size:
        rows = max(r for r in range(1, int(np.sqrt(d)) + 1) if d % r == 0)
        problems.append(Problem("group_size", f"the rows of the matrix must divide d = {d}", suggestion=rows))
    if parameters.regulariser == "box" and parameters.low > parameters.high:
        problems.append(Problem("low", "the box is empty: its lower end is above its upper one"))
    if parameters.regulariser in ("simplex", "ball") and parameters.strength == 0:
        problems.append(Problem("strength", "a radius of 0 leaves only the point 0", suggestion=1.0))
    return problems


def _metric(parameters: Parameters, data: Samples, d: int) -> list[Problem]:
    problems = []
    separable = parameters.regulariser in _SEPARABLE
    if parameters.preconditioner != "none" and not separable:
        problems.append(
            Problem(
                "preconditioner", "only for a regulariser that is a sum over coordinates", suggestion="none"
            )
        )
    if parameters.preconditioner == "typed" and len(parse_diagonal(parameters.diagonal)) != d:
        problems.append(
            Problem(
                "diagonal", f"{d} numbers are needed, {len(parse_diagonal(parameters.diagonal))} are given"
            )
        )
    if parameters.intercept and not separable:
        problems.append(
            Problem(
                "intercept", "an unregularised feature needs a regulariser that is a sum", suggestion=False
            )
        )
    if parameters.rotation > 0 and parameters.intercept:
        problems.append(Problem("rotation", "an intercept cannot be mixed with features", suggestion=0.0))
    if parameters.rotation > 0 and d > _LARGEST_ROTATION:
        problems.append(
            Problem(
                "rotation",
                f"a rotation needs a d × d matrix: at most {_LARGEST_ROTATION:,} features",
                suggestion=0.0,
            )
        )
    elif d > _LARGEST_ROTATION:
        problems.append(
            Problem("methods", f"above {_LARGEST_ROTATION:,} features the spectrum is not shown", "warning")
        )
    return problems


def _rate(parameters: Parameters, data: Samples) -> list[Problem]:
    if data.quadratic:
        return []
    matrix = data.matrix.data if data.is_sparse else data.matrix
    if not np.any(matrix):
        if parameters.mu == 0:
            return [
                Problem(
                    "mu", "all values are 0: without a ridge there is nothing to minimise", suggestion=0.01
                )
            ]
        return [Problem("mu", "all values are 0: the optimum is 0", "warning")]
    if parameters.mu == 0 and parameters.rule == "provable":
        return [Problem("mu", "without a ridge the provable step has no linear rate", "warning")]
    if parameters.mu == 0:
        return [
            Problem(
                "mu", "without a ridge the rate is not linear, and predictions may be infinite", "warning"
            )
        ]
    return []


def estimate(parameters: Parameters, data: Samples) -> Estimate:
    """Seconds and bytes, from the sizes alone: products with the data at 4 GFlop/s."""
    d, n = data.dimension, data.samples or data.dimension
    stored = n * d if isinstance(data.matrix, np.ndarray) else data.matrix.nnz
    steps, seeds = parameters.epochs * d / parameters.size, parameters.seeds
    seconds = 0.0
    for name in parameters.methods:
        products = parameters.size * (1 if parameters.regulariser == "none" else 2)
        full = 0.25e-9 * 2 * stored * products + 8e-9 * n + 2e-6 / seeds + 25e-9 * d
        if name in ("gsgd", "gsgd_plain", "sega_gaussian"):
            seconds += steps * seeds * full
        elif name.startswith("sega"):
            seconds += (
                parameters.epochs * d * seeds * (full if parameters.regulariser != "none" else 20e-9 * n)
            )
        elif name in ("gd", "fista"):
            seconds += parameters.epochs * (2e-9 * stored + 8e-9 * n)
        else:
            seconds += parameters.epochs * d * seeds * (12e-9 * n + 1e-6)
    size = (
        24 * stored
        + 8 * seeds * (3 * n + 4 * d) * len(parameters.methods)
        + 24 * min(d, _LARGEST_ROTATION) ** 2
    )
    return Estimate(seconds + 1.0, int(size), "at most: a method ends early at the tolerance")
