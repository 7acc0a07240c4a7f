"""What depends on the data: how many clusters, which linkages apply, whether the memory is enough."""

from __future__ import annotations

from typing import Any

from engine.core.data import values
from engine.core.errors import DataError
from engine.core.method import Estimate, Problem
from engine.methods.linkage.data import Tables
from engine.methods.linkage.measured import Measured, measured
from engine.methods.linkage.memory import (
    GIB,
    GREEDY_LIMIT,
    LinkagePlan,
    memory_cap,
    needed,
    plan,
)
from engine.methods.linkage.parameters import EUCLIDEAN_ONLY, MINIMAX_LIMIT, Parameters
from engine.methods.linkage.session import label
from engine.methods.linkage.shares import stage_shares


def cap_of(parameters: Parameters) -> int:
    """Bytes the distances may take."""
    return memory_cap() if parameters.memory is None else int(parameters.memory * GIB)


def plans_of(parameters: Parameters, found: Measured) -> list[LinkagePlan]:
    """How each chosen linkage is computed."""
    return _plans(parameters, found.n, found.dimensions, found.metric, found.prepared is None)


def _plans(parameters: Parameters, n: int, d: int, metric: str, stored: bool) -> list[LinkagePlan]:
    cap = cap_of(parameters)
    return [
        plan(
            name, n, d, cap=cap, metric=metric, stored=stored, ties=parameters.ties,
            precision=parameters.precision,
        )
        for name in dict.fromkeys(parameters.linkages)
    ]  # fmt: skip


def check(parameters: Parameters, data: Any) -> list[Problem]:
    """Problems of these parameters with this data; errors forbid the run, warnings do not."""
    if isinstance(data, Tables):
        found = [problem for table in data.tables for problem in check(parameters, table)]
        return list({(problem.field, problem.message): problem for problem in found}.values())
    if isinstance(data, values.LinkageMatrix):
        return [
            Problem(
                "linkages", "the file holds a finished hierarchy: it is shown, nothing is merged", "warning"
            )
        ]
    n = data.n
    if n < 2:
        return [Problem("linkages", "one row cannot be clustered; at least 2 are needed")]
    problems = _clusters(parameters, n)
    if parameters.search and parameters.search_k >= parameters.search_points:
        text = f"below the {parameters.search_points} points of the instance"
        problems.append(Problem("search_k", text, suggestion=parameters.search_points - 1))
    stored = isinstance(data, values.Distances)
    problems += _metric(parameters, data, stored)
    problems += _linkages(parameters, n, stored)
    if any(problem.severity == "error" for problem in problems):
        return problems
    columns = 0 if stored else len(data.numeric_names)
    metric = "precomputed" if stored else parameters.metric
    d = 3 if metric == "haversine" else columns
    problems += _memory(_plans(parameters, n, d, metric, stored), parameters)
    if parameters.optimal_order and n > GREEDY_LIMIT:
        problems.append(
            Problem(
                "optimal_order", f"offered up to {GREEDY_LIMIT:,} rows; this set has {n:,}", "warning", False
            )
        )
    return problems


def _clusters(parameters: Parameters, n: int) -> list[Problem]:
    low, high = parameters.k
    least = 2 if n > 2 else 1
    if high > n:
        kept = (min(low, n), n)
        return [
            Problem("k", f"{high:,} is more than the {n:,} rows. Between {least} and {n:,}.", suggestion=kept)
        ]
    return []


def _metric(parameters: Parameters, data: Any, stored: bool) -> list[Problem]:
    if stored:
        return []
    try:
        measured(parameters, data)
    except DataError as error:
        return [Problem("metric", str(error))]
    if parameters.metric == "cosine":
        return [Problem("metric", "cosine distance is no metric: nothing is proven for it", "warning")]
    if data.geographic and parameters.metric != "haversine":
        text = "the columns are latitude and longitude: haversine measures them on the sphere, in km"
        return [Problem("metric", text, "warning", "haversine")]
    return []


def _linkages(parameters: Parameters, n: int, stored: bool) -> list[Problem]:
    chosen: tuple[str, ...] = parameters.linkages
    problems: list[Problem] = []
    planar = [label(name) for name in EUCLIDEAN_ONLY if name in chosen]
    rest = tuple(name for name in chosen if name not in EUCLIDEAN_ONLY)
    if planar and (stored or parameters.metric != "euclidean"):
        text = f"{' and '.join(planar)} linkage is defined for points under the Euclidean metric"
        problems.append(Problem("linkages", text, suggestion=rest or ("complete",)))
    if "minimax" in chosen and n > MINIMAX_LIMIT:
        text = f"minimax is offered up to {MINIMAX_LIMIT:,} rows; this set has {n:,}"
        kept = tuple(name for name in chosen if name != "minimax")
        problems.append(Problem("linkages", text, suggestion=kept or ("complete",)))
    slow = [name for name in ("centroid", "median") if name in chosen]
    if slow and n > GREEDY_LIMIT:
        text = f"{' and '.join(slow)} linkage is offered up to {GREEDY_LIMIT:,} rows; this set has {n:,}"
        kept = tuple(name for name in chosen if name not in slow)
        problems.append(Problem("linkages", text, suggestion=kept or ("ward",)))
    if parameters.ties != "index" and n > GREEDY_LIMIT:
        text = f"offered up to {GREEDY_LIMIT:,} rows; this set has {n:,}. By index is offered for any number"
        problems.append(Problem("ties", text, suggestion="index"))
    return problems


def _memory(plans: list[LinkagePlan], parameters: Parameters) -> list[Problem]:
    refused = [chosen for chosen in plans if chosen.refusal]
    if not refused:
        return []
    kept = tuple(chosen.linkage for chosen in plans if not chosen.refusal)
    ways = "; ".join(refused[0].alternatives)
    text = f"{refused[0].refusal}. Instead: {ways}; or a larger memory cap"
    return [Problem("linkages", text, suggestion=kept or ("single",))]


def estimate(parameters: Parameters, data: Any) -> Estimate:
    """Seconds from measured rates, bytes from the plan."""
    if isinstance(data, Tables):
        each = [estimate(parameters, table) for table in data.tables]
        seconds = sum(one.seconds or 0.0 for one in each)
        return Estimate(round(seconds, 1), max(one.bytes or 0 for one in each))
    if isinstance(data, values.LinkageMatrix):
        return Estimate(1.0, 200 * data.n, "the hierarchy is shown")
    stored = isinstance(data, values.Distances)
    n, d = data.n, 0 if stored else len(data.numeric_names)
    metric = "precomputed" if stored else parameters.metric
    plans = _plans(parameters, n, d, metric, stored)
    kept = any(chosen.layout != "none" for chosen in plans)
    ks = min(64, parameters.k[1] - parameters.k[0] + 1)
    shares = stage_shares(
        plans, n, d, ks, filled=kept and not stored, bracketed=parameters.effort != "off",
        separated=n <= 20_000,
        searched=parameters.search_steps if parameters.search else 0,
    )  # fmt: skip
    dtype = "float32" if n > 5000 else "float64"
    copies = 2 if kept and needed(n, "condensed", dtype, 2) <= cap_of(parameters) else 1
    used = needed(n, "square" if n <= GREEDY_LIMIT else "condensed", dtype, copies) if kept else 0
    most = max([used, *(chosen.bytes for chosen in plans)])
    return Estimate(round(sum(shares.weights.values()), 1), int(most))
