"""Stages of a run: baselines and the bracket on the optimum."""

from __future__ import annotations

import bisect
import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.context import Context
from engine.core.events import Event, Message, Value
from engine.methods.linkage.baselines import gonzalez_labels, random_hierarchy
from engine.methods.linkage.child import in_child
from engine.methods.linkage.clock import Clock
from engine.methods.linkage.criteria import Cohesion, cohesion_steps
from engine.methods.linkage.exact import diameters_steps, subset_optimum
from engine.methods.linkage.optimum import COLOUR_LIMIT, Brackets, Effort, bracket_steps
from engine.methods.linkage.parameters import BASELINES
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.session import Flat, Session, label
from engine.methods.linkage.shares import Shares
from engine.methods.linkage.storage import Distances
from engine.methods.linkage.store import Store
from engine.methods.linkage.traversal import farthest_first, rows_of_points
from engine.methods.linkage.tree import cut_at_k

Stage = Generator[Event, None, Any]
KMEDOIDS_UP_TO = 5000
LOOKS = 10


def optimum_stage(session: Session, store: Store, shares: Shares) -> Stage:
    """Tighten the brackets for every k compared, showing them as they close."""
    clock = Clock(session.n)
    work = _work(session, store)
    coloured = session.parameters.effort == "exact" and session.n <= COLOUR_LIMIT
    while True:
        try:
            phase, found = next(work)
        except StopIteration as end:
            session.brackets = end.value
            break
        session.brackets = found
        closed = sum(b.exact for held in (found.dm, found.av) for b in held.values())
        total = 2 * len(found.ks)
        share = _fraction(phase, found.ks, coloured)
        words = f"Bracketing the optimum: {phase}"
        yield shares.told("optimum", share, words, closed, total, "optimum known")
        if clock.due():
            yield from shown(session, "cohesion", "ratios")
    yield from shown(session, "cohesion", "ratios")


_PHASES = (
    "linkage", "exact optimum over", "farthest-first", "Gonzalez", "exact optimum of", "two clusters",
    "outliers",
)  # fmt: skip
_SEARCHED, _MOVED = 0.3, 0.6
"""Where the local searches begin, and where they end if graph colouring follows."""


def _fraction(phase: str, ks: Sequence[int], coloured: bool) -> float:
    """How far the stage is: by the step it is at, and in the two searches by the k each is at."""
    if phase == "colouring":
        return 1.0
    found = re.search(r"k = (\d+)", phase)
    if found is None:
        at = next((i for i, word in enumerate(_PHASES) if word in phase), len(_PHASES))
        return _SEARCHED * at / len(_PHASES)
    begin, end = _SEARCHED, _MOVED if coloured else 1.0
    if phase.startswith("colouring"):
        begin, end = _MOVED, 1.0
    done = bisect.bisect_right(ks, int(found[1])) / max(1, len(ks))
    return begin + (end - begin) * done


def looks(n: int) -> int:
    """Clusters the local search looks at for each k: ten times k up to 2,000 points, then fewer, as n²."""
    return max(2, int(LOOKS * min(1.0, (2000 / n) ** 2)))


def _work(session: Session, store: Store) -> Generator[tuple[str, Brackets], None, Brackets]:
    parameters = session.parameters
    grown = {
        label(name): (tree.tree, tree.cohesion)
        for name, tree in session.trees.items()
        if tree.cohesion is not None
    }
    if store.base is None:
        return (yield from _from_points(session, grown))
    effort: Effort = "exact" if parameters.effort == "exact" else "fast"
    return (
        yield from bracket_steps(
            store.base,
            session.ks,
            grown,
            effort,
            parameters.exact_limit,
            parameters.colour_nodes,
            looks(session.n),
        )
    )


def _from_points(
    session: Session, grown: Mapping[str, tuple[NDArray[np.float64], Cohesion]]
) -> Generator[tuple[str, Brackets], None, Brackets]:
    """Brackets without stored distances: linkages above; farthest-first and an exact subset below."""
    held, found = session.measured, Brackets.open([k for k in session.ks if k <= session.n])
    for name, (tree, tight) in grown.items():
        for k in found.ks:
            labels = cut_at_k(tree, k)
            found.offer("OPT_DM", k, float(tight.max_diam[k]), labels, f"{name} linkage")
            found.offer("OPT_AV", k, float(tight.avg_diam[k]), labels, f"{name} linkage")
            yield f"{name} linkage", found
    assert held.prepared is not None
    row = rows_of_points(held.prepared, held.metric)
    limit = session.parameters.exact_limit
    order = farthest_first(row, held.n, min(held.n, max((*found.ks, limit)) + 1))
    for k in found.ks:
        radius = float(order.radius[k]) if k < len(order.radius) else 0.0
        found.raise_lower("OPT_DM", k, radius, "farthest-first")
        found.raise_lower("OPT_AV", k, radius / k, "farthest-first")
    found.relate()
    yield "farthest-first traversal", found
    first = order.order[:limit]
    square = np.stack([row(int(i))[first] for i in first])
    small = [k for k in found.ks if k < len(first)]
    if small:
        work = subset_optimum(square, max(small))
        while True:
            try:
                next(work)
            except StopIteration as end:
                exact = end.value
                break
            yield "exact optimum of a subset", found
        for k in small:
            found.raise_lower("OPT_DM", k, float(exact.dm[k]), f"exact on {len(first)} points")
            found.raise_lower("OPT_AV", k, float(exact.av[k]), f"exact on {len(first)} points")
        found.relate()
    yield "exact optimum of a subset", found
    return found


def bracket_values(session: Session) -> Generator[Event, None, None]:
    """Named results: both ends of both optima, and each linkage's ratio."""
    from engine.methods.linkage.ratio_tables import geometric_mean, ratio

    found = session.brackets
    if found is None:
        return
    for k in session.reported:
        for word, held in (("dm", found.dm), ("av", found.av)):
            if np.isfinite(held[k].upper):
                yield Value(f"optimum_{word}_low.k{k}", held[k].lower)
                yield Value(f"optimum_{word}_high.k{k}", held[k].upper)
        for name in session.names_of_trees():
            for word, optimum in (("", "OPT_DM"), ("_av", "OPT_AV")):
                low, high = ratio(session, name, k, "max_diam", optimum)  # type: ignore[arg-type]
                if np.isfinite(low):
                    yield Value(f"ratio{word}_low.{name}.k{k}", low)
                    yield Value(f"ratio{word}_high.{name}.k{k}", high)
    for name in session.names_of_trees():
        low, high = geometric_mean(session, name, "max_diam", "OPT_DM")
        if np.isfinite(high):
            yield Value(f"geometric_mean_ratio.{name}", high)
            yield Value(f"geometric_mean_ratio_low.{name}", low)
    exact = sum(b.exact for b in found.dm.values())
    yield Value("optima_exact", exact)
    yield Message(
        f"Optimum of the largest diameter: exact for {exact} of {len(found.ks)} k; of the average diameter: "
        f"for {sum(b.exact for b in found.av.values())}"
    )


def baselines_stage(session: Session, store: Store, context: Context, shares: Shares) -> Stage:
    """Criteria of the baselines asked for, at every k compared."""
    for name in session.parameters.baselines:
        phase = f"Baseline, {BASELINES[name]}"
        reason = _refused(session, store, name)
        if reason:
            yield Message(f"{BASELINES[name]} is left out: {reason}", "warning")
            continue
        ks = tuple(k for k in session.ks if k < session.n)
        base = store.base
        assert base is not None
        if name in ("random", "genie"):
            tree = yield from _tree_of(session, name, context, shares, phase)
            tight = yield from _told(cohesion_steps(tree, base), shares, phase)
            values = {c: getattr(tight, c)[list(ks)] for c in ("max_diam", "avg_diam", "max_avg")}
        else:
            labels = yield from _labels_of(session, base, name, ks, context, shares, phase)
            values = yield from _flat_criteria(base, ks, labels, shares, phase)
        session.baselines[name] = Flat(name, ks, values)
        for i, k in enumerate(ks):
            if k in session.reported:
                yield Value(f"largest_diameter.{name}.k{k}", float(values["max_diam"][i]))
        yield from shown(session, "cohesion")


def _refused(session: Session, store: Store, name: str) -> str:
    if store.base is None:
        return "the distances do not fit the memory allowed"
    if name in ("kmeans", "genie", "sklearn") and not session.measured.euclidean_points:
        return "it needs points and the Euclidean metric"
    if name == "kmedoids" and session.n > KMEDOIDS_UP_TO:
        return f"it is offered up to {KMEDOIDS_UP_TO:,} rows"
    return ""


def _tree_of(session: Session, name: str, context: Context, shares: Shares, phase: str) -> Stage:
    if name == "random":
        return random_hierarchy(session.n, context.seed)
    held = session.measured
    assert held.points is not None
    answer = yield from _told(in_child("genie", {"points": held.points}, {}, context.scratch), shares, phase)
    return answer["tree"]


def _labels_of(
    session: Session, base: Distances, name: str, ks: tuple[int, ...], context: Context, shares: Shares,
    phase: str,
) -> Stage:  # fmt: skip
    if name == "gonzalez":
        rows = []
        for k in ks:
            rows.append(gonzalez_labels(base, k))
            yield shares.told("optimum", 0.0, phase)
        return np.stack(rows)
    arrays = (
        {"distances": base.as_condensed()}
        if name == "kmedoids"
        else {"points": np.asarray(session.measured.points)}
    )
    settings = {"baseline": name, "ks": list(ks), "seed": context.seed, "n": session.n}
    answer = yield from _told(in_child("labels", arrays, settings, context.scratch), shares, phase)
    return answer["labels"]


def _flat_criteria(
    base: Distances, ks: tuple[int, ...], labels: NDArray[np.int32], shares: Shares, phase: str
) -> Stage:
    """Largest and average diameter of flat clusterings (len(ks), n)."""
    largest, average = np.empty(len(ks)), np.empty(len(ks))
    for i, k in enumerate(ks):
        diam = yield from _told(diameters_steps(base, labels[i], k), shares, phase)
        largest[i], average[i] = diam.max(), diam.mean()
    return {"max_diam": largest, "avg_diam": average}


def _told(work: Generator[Any, None, Any], shares: Shares, phase: str) -> Stage:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
        yield shares.told("optimum", 0.0, phase)


def criteria_rows(session: Session) -> dict[str, list[Any]]:
    """The table of all criteria at every k compared, with brackets and ratios."""
    from engine.methods.linkage.ratio_tables import ratio

    columns: dict[str, list[Any]] = {name: [] for name in CRITERIA_COLUMNS}
    for name in session.names_of_trees():
        grown = session.trees[name]
        for k in session.ks:
            row: dict[str, Any] = {"linkage": name, "k": k}
            for criterion in ("max_diam", "avg_diam", "max_avg", "sep_min", "sep_av", "cs_av", "cs_dm"):
                values = grown.by_k(criterion)
                row[criterion] = float("nan") if values is None else float(values[k])
            row["ratio_low"], row["ratio_high"] = ratio(session, name, k, "max_diam", "OPT_DM")
            row["ratio_av_low"], row["ratio_av_high"] = ratio(session, name, k, "max_diam", "OPT_AV")
            for column, values_so_far in columns.items():
                values_so_far.append(row[column])
    return columns


def optimum_rows(session: Session) -> dict[str, list[Any]]:
    """The brackets, with where each end comes from."""
    columns: dict[str, list[Any]] = {name: [] for name in OPTIMUM_COLUMNS}
    found = session.brackets
    if found is not None:
        for optimum in ("OPT_DM", "OPT_AV"):
            for k, b in found.of(optimum).items():  # type: ignore[arg-type]
                row = (optimum, k, b.lower, b.upper, b.lower_from, b.upper_from, b.exact)
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
    return columns


CRITERIA_COLUMNS = (
    "linkage", "k", "max_diam", "avg_diam", "max_avg", "sep_min", "sep_av", "cs_av", "cs_dm", "ratio_low",
    "ratio_high", "ratio_av_low", "ratio_av_high",
)  # fmt: skip
OPTIMUM_COLUMNS = ("optimum", "k", "low", "high", "low_from", "high_from", "exact")
