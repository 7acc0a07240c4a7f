"""What a loader hands back: the value, the report, and the recipe that reads it so again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.core.data.options import READER_VERSION, ReadOptions
from engine.core.data.report import Report
from engine.core.data.values import Distances, LinkageMatrix, Table


@dataclass(frozen=True, eq=False)
class Loaded:
    """`value` is what a method computes with (the core's kinds give Table, Distances, LinkageMatrix).

    `options` are the options found, for the record of the run; `name` is the file's or the set's.
    """

    value: Table | Distances | LinkageMatrix | Any
    report: Report
    options: ReadOptions
    name: str = ""

    def as_record(self) -> dict[str, Any]:
        """JSON-ready: name, summary, fingerprint, recipe and report."""
        return {
            "name": self.name,
            "summary": self.value.summary(),
            "fingerprint": self.value.fingerprint(),
            "options": self.options.changed() | {"reader": READER_VERSION},
            "report": self.report.as_record(),
        }

    def named(self, name: str) -> Loaded:
        return replace(self, name=name)
