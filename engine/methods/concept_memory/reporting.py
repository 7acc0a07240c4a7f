"""The numbers of one scenario and seed, their means over seeds, and the tables they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.events import Event, Message, Rows, Value
from engine.methods.concept_memory.scoring import Gain
from engine.methods.concept_memory.session import Session
from engine.methods.concept_memory.table_pictures import (
    UNDEFINED,
    DetectorRow,
    detector_rows,
    detector_verdict,
    tuned_accuracy,
)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one scenario and seed came to."""

    scenario: str
    seed: int
    gain: Gain
    detectors: tuple[DetectorRow, ...]
    entries: int
    t_a: float
    t_d: float
    k: int
    tuned: float


def outcome_of(session: Session, scenario: str, seed: int) -> Outcome:
    """The outcome of a finished study."""
    study = session.known
    return Outcome(
        scenario,
        seed,
        session.now.gain,
        tuple(detector_rows(session)),
        len(study.memory),
        session.t_a,
        session.t_d,
        session.k,
        tuned_accuracy(session) if study.tuned is not None else float("nan"),
    )


def values_of(outcomes: Sequence[Outcome]) -> Iterator[Event]:
    """Means over the seeds so far of the last scenario, with their spread."""
    scenario = outcomes[-1].scenario
    own = [one for one in outcomes if one.scenario == scenario]
    gains = [one.gain for one in own]
    series = {
        "class_before": [g.class_before for g in gains],
        "class_after": [g.class_after for g in gains],
        "class_gain": [g.class_after - g.class_before for g in gains],
        "concept_before": [g.concept_before for g in gains],
        "concept_after": [g.concept_after for g in gains],
        "identified": [float(g.identified) for g in gains],
        "identified_before": [g.identified_before for g in gains],
        "identified_after": [g.identified_after for g in gains],
        "repaired": [float(g.repaired) for g in gains],
        "made_wrong": [float(g.harmed) for g in gains],
        "entries": [float(one.entries) for one in own],
        "fine_tuned": [one.tuned for one in own],
        "t_a": [one.t_a for one in own],
        "t_d": [one.t_d for one in own],
    }
    for name, values in series.items():
        yield mean_value(f"{scenario}.{name}", values)
    for place, row in enumerate(own[-1].detectors):
        for kind in ("auroc", "precision"):
            found = [getattr(one.detectors[place], kind) for one in own if place < len(one.detectors)]
            known = [value for value in found if value is not None]
            name = f"{scenario}.{kind}.{row.name}"
            yield mean_value(name, known) if known else Value(name, UNDEFINED)
    if len(own) == 1:
        yield Message(f"{scenario}: {detector_verdict(list(own[0].detectors))}")


def mean_value(name: str, values: Sequence[float]) -> Value:
    """The mean with the half-width of its 95% interval over repeats."""
    finite = np.array([value for value in values if np.isfinite(value)])
    if not finite.size:
        return Value(name, UNDEFINED)
    if len(finite) == 1:
        return Value(name, float(finite[0]))
    from scipy.stats import t

    half = float(t.ppf(0.975, len(finite) - 1) * finite.std(ddof=1) / np.sqrt(len(finite)))
    return Value(name, float(finite.mean()), half, len(finite))


def rows_of(outcome: Outcome) -> Iterator[Event]:
    """One row of the gains, one per detector."""
    g = outcome.gain
    yield Rows(
        "gains",
        {
            "scenario": [outcome.scenario],
            "seed": [outcome.seed],
            "class_before": [g.class_before],
            "class_after": [g.class_after],
            "concept_before": [g.concept_before],
            "concept_after": [g.concept_after],
            "identified": [g.identified],
            "identified_before": [g.identified_before],
            "identified_after": [g.identified_after],
            "repaired": [g.repaired],
            "made_wrong": [g.harmed],
            "fine_tuned": [outcome.tuned],
            "entries": [outcome.entries],
            "t_a": [outcome.t_a],
            "t_d": [outcome.t_d],
            "k": [outcome.k],
        },
    )
    found = outcome.detectors
    yield Rows(
        "detectors",
        {
            "scenario": [outcome.scenario] * len(found),
            "seed": [outcome.seed] * len(found),
            "detector": [row.title for row in found],
            "auroc": [_told(row.auroc) for row in found],
            "average_precision": [_told(row.precision) for row in found],
            "f1": [_told(row.f1) for row in found],
        },
    )


def _told(value: float | None) -> float | str:
    return UNDEFINED if value is None else value
