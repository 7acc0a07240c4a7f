"""Named results, tables and files of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Artifact, Event, Rows, Value
from engine.methods.gaussian_sketch.parameters import LABELS
from engine.methods.gaussian_sketch.session import Session, Study, predicted, spread


def values_of(session: Session, study: Study, name: str) -> Iterator[Event]:
    """The results of one method on one problem."""
    measured, key = study.measured[name], study.base.key
    trace, repeats = measured.trace, measured.solver.seeds
    gaps = trace.gaps[-1]
    middle, low, high = spread(gaps)
    yield Value(f"gap.{key}.{name}", middle, (high - low) / 2, repeats)
    middle, low, high = spread(trace.reached(session.parameters.target))
    half = (high - low) / 2 if math.isfinite(high) else None
    yield Value(f"derivatives.{key}.{name}", middle, half, repeats)
    yield Value(f"seconds.{key}.{name}", measured.seconds, None, repeats)


def problem_values(session: Session, study: Study) -> Iterator[Event]:
    """Constants, optimum, predictions and results of a problem."""
    key, k = study.base.key, study.constants
    yield Value(f"trace.{key}", k.trace)
    yield Value(f"smoothness.{key}", k.largest)
    yield Value(f"convexity.{key}", k.convexity)
    if study.best is not None:
        yield Value(f"optimum.{key}", study.best.value)
        yield Value(f"nonzeros.{key}", int(np.count_nonzero(np.abs(study.best.x) > 1e-9)))
    for name in study.measured:
        yield from values_of(session, study, name)
        yield Value(
            f"predicted.{key}.{name}", predicted(name, k, session.settings, session.parameters.target)
        )


def comparisons(session: Session) -> Iterator[Event]:
    """Derivatives of GSGD over those of the coordinate methods, medians over seeds; and of the sweep."""
    for study in session.studies:
        key = study.base.key
        counts = {n: spread(m.trace.reached(session.parameters.target))[0] for n, m in study.measured.items()}
        ours = counts.get("gsgd", counts.get("gsgd_plain", math.inf))
        for other in ("rcd_uniform", "rcd_importance", "sega_importance"):
            if math.isfinite(ours) and 0 < counts.get(other, math.inf) < math.inf:
                yield Value(f"ratio.{key}.{other}", ours / counts[other])
        for name, found in study.counts.items():
            shown = "gsgd" if name == "gsgd_plain" else name
            values = np.array([count for _, count in found])
            if np.isfinite(values).all() and values.min() > 0:
                yield Value(f"rotation_change.{key}.{shown}", float(values.max() / values.min()))


def tables(session: Session) -> Iterator[Event]:
    """Curves, summary, rotation counts and coefficients."""
    for study in session.studies:
        for name, measured in study.measured.items():
            yield Rows("curves", _curve_rows(study, name))
            yield Rows("summary", _summary_row(session, study, name))
            del measured
        rotated: dict[str, list[Any]] = {n: [] for n in ("problem", "method", "rotation", "derivatives")}
        for name, found in study.counts.items():
            for amount, count in found:
                for column, value in zip(rotated, (study.base.key, name, amount, count), strict=True):
                    rotated[column].append(value)
        if rotated["method"]:
            yield Rows("rotation", rotated)
        yield Rows("coefficients", _coefficient_rows(study))


def _curve_rows(study: Study, name: str) -> dict[str, Any]:
    trace = study.measured[name].trace
    gaps = trace.gap_matrix()
    low, middle, high = np.percentile(gaps, (10, 50, 90), axis=1)
    learnt = np.median(np.array(trace.h_errors), axis=1) if trace.h_errors else np.full(len(gaps), np.nan)
    size = len(gaps)
    return {
        "problem": [study.base.key] * size,
        "method": [name] * size,
        "derivatives": trace.derivatives,
        "iterations": trace.iterations,
        "seconds": trace.seconds,
        "operations": trace.flops,
        "gap": middle,
        "low": low,
        "high": high,
        "h_distance": learnt,
    }


def _summary_row(session: Session, study: Study, name: str) -> dict[str, Any]:
    measured = study.measured[name]
    target = session.parameters.target
    return {
        "problem": [study.base.key],
        "method": [name],
        "title": [LABELS[name]],
        "gap": [float(np.median(measured.trace.gaps[-1]))],
        "derivatives": [spread(measured.trace.reached(target))[0]],
        "predicted": [predicted(name, study.constants, session.settings, target)],
        "seconds": [measured.seconds],
        "nonzeros": [float(np.median(np.count_nonzero(np.abs(measured.solver.x) > 1e-9, axis=1)))],
        "halvings": [measured.trace.halvings],
    }


def _coefficient_rows(study: Study) -> dict[str, Any]:
    """The optimum and every method's median, one row a coefficient and method, in data units."""
    features = list(study.base.features)
    columns: dict[str, list[Any]] = {"problem": [], "method": [], "feature": [], "coefficient": []}
    found = {n: np.median(m.solver.x, axis=0) for n, m in study.measured.items()}
    if study.best is not None:
        found = {"optimum": study.best.x, **found}
    for name, x in found.items():
        columns["problem"] += [study.base.key] * len(features)
        columns["method"] += [name] * len(features)
        columns["feature"] += features
        columns["coefficient"] += study.objective.in_data_units(x).tolist()
    return columns


def files(session: Session, context: Context) -> Iterator[Event]:
    """Coefficients of every seed as an NPZ file for each problem."""
    for study in session.studies:
        path = context.scratch / f"coefficients_{study.base.key}.npz"
        arrays: dict[str, Any] = {
            n: study.objective.in_data_units(m.solver.x) for n, m in study.measured.items()
        }
        if study.best is not None:
            arrays["optimum"] = study.objective.in_data_units(study.best.x)
        np.savez(path, features=np.array(study.base.features), **arrays)
        yield Artifact(path.name, path, f"Coefficients of {study.base.title}, seeds × features")
