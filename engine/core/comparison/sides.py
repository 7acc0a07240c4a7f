"""Who is compared."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import RunError
from engine.core.records.disk import json_text
from engine.core.records.reader import RunRecord
from engine.core.views.lines import LineStyle

STYLES: tuple[LineStyle, ...] = ("solid", "dashed", "dotted", "dash-dot")
"""How the curves of side A, B, C, D are drawn; marks of all but A are hollow."""
COLOURS = (7, 3, 4, 5, 0, 1, 2, 6)
"""Colours of sides, where colour has to tell them apart."""


@dataclass(frozen=True, kw_only=True)
class RunFacts:
    """What is known of one run without its events."""

    id: str
    name: str
    method: str
    status: str
    seed: int
    parameters: Mapping[str, Any]
    data: Mapping[str, Any]
    environment: Mapping[str, Any]
    results: Mapping[str, float | int | str]
    spreads: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Side:
    """Runs with the same settings, one for each seed; `place` counts from 0, `letter` from A."""

    place: int
    runs: tuple[RunFacts, ...]

    @property
    def letter(self) -> str:
        letters = string.ascii_uppercase
        first, last = divmod(self.place, len(letters))
        return (letters[first - 1] if first else "") + letters[last]

    @property
    def style(self) -> LineStyle:
        return STYLES[self.place % len(STYLES)]

    @property
    def name(self) -> str:
        """ "A iris, raw" or "A iris, raw, 5 seeds"."""
        first = self.runs[0].name or self.runs[0].id
        seeds = f", {len(self.runs)} seeds" if len(self.runs) > 1 else ""
        return f"{self.letter} {first}{seeds}"


def facts_of(record: RunRecord) -> RunFacts:
    """The facts in a record."""
    header = record.header
    data = {key: header.data.get(key) for key in ("name", "summary", "fingerprint", "options")}
    environment = {
        "threads": header.threads,
        "device": header.device,
        "seconds": record.seconds,
        "peak_mb": record.peak_mb,
        "created": header.created,
        "versions": dict(header.versions),
    }
    return RunFacts(
        id=header.id,
        name=header.name,
        method=header.method,
        status=record.status,
        seed=header.seed,
        parameters=dict(header.parameters),
        data=data,
        environment=environment,
        results=record.results,
        spreads=record.spreads,
    )


def sides_of(runs: Iterable[RunFacts], over_seeds: bool = True) -> tuple[Side, ...]:
    """The runs in their order; those with the same parameters and data become one side, if `over_seeds`.

    Raises:
        RunError: runs of several methods, or fewer than two.
    """
    runs = list(runs)
    if len(runs) < 2:
        raise RunError("Two runs or more can be compared.")
    if len({run.method for run in runs}) > 1:
        raise RunError("Only runs of the same method can be compared.")
    groups: dict[object, list[RunFacts]] = {}
    for place, run in enumerate(runs):
        subject = json_text({"parameters": run.parameters, "data": run.data})
        groups.setdefault(subject if over_seeds else place, []).append(run)
    if len(groups) == 1 and over_seeds:
        # Only the seed differs: then the seeds are what is compared.
        return sides_of(runs, over_seeds=False)
    return tuple(Side(place, tuple(group)) for place, group in enumerate(groups.values()))
