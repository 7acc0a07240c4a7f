"""Which runs a sweep is made of."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.errors import StorageError
from engine.core.records.disk import json_text
from engine.core.records.header import new_id, now, versions
from engine.core.sweeps.grid import setting_words

FORMAT = 1
"""The number of the form in which ``sweep.json`` is written today."""


@dataclass(frozen=True)
class PlannedRun:
    """One run: `setting` is its number among the settings, `values` what the grid gives it.

    `key` is the hash of what decides its numbers: method, whole parameters, data, seed, threads, device.
    """

    key: str
    setting: int
    seed: int
    values: Mapping[str, Any]
    parameters: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What the run is called in its record."""
        words = setting_words(self.values)
        return f"{words}, seed {self.seed}" if words else f"seed {self.seed}"


@dataclass(frozen=True, kw_only=True)
class SweepPlan:
    """A method, its base parameters (JSON form, whole), the grid over them, and the seeds.

    `grid` holds JSON values. `settings` are the combinations that can be run, each with its whole
    parameters; `refused` those that cannot, with the reason (for this data, or with the other parameters).
    `data` holds source, path, name, reading options and fingerprint.
    """

    id: str = field(default_factory=new_id)
    method: str
    title: str
    preset: str = ""
    base: Mapping[str, Any]
    grid: Mapping[str, tuple[Any, ...]]
    seeds: tuple[int, ...]
    settings: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...]
    refused: tuple[tuple[Mapping[str, Any], str], ...] = ()
    data: Mapping[str, Any]
    threads: int = 1
    device: str = "auto"
    name: str = ""
    created: str = field(default_factory=now)
    versions: Mapping[str, str] = field(default_factory=versions)

    def runs(self) -> list[PlannedRun]:
        """Every run, seeds outermost: the first results soon cover the whole grid."""
        return [
            PlannedRun(self.key(parameters, seed), number, seed, values, parameters)
            for seed in self.seeds
            for number, (values, parameters) in enumerate(self.settings)
        ]

    def key(self, parameters: Mapping[str, Any], seed: int) -> str:
        """The key of one run, 16 hexadecimal digits."""
        decisive = {**self._identity(), "parameters": _sorted(parameters), "seed": seed}
        return hashlib.sha256(json_text(decisive)).hexdigest()[:16]

    def same_subject(self, other: SweepPlan) -> bool:
        """Whether runs of `other` count for this plan too: the grid, seeds and base may differ."""
        return self._identity() == other._identity()

    def as_json(self) -> dict[str, Any]:
        """The form in ``sweep.json``; settings follow from base, grid and refused."""
        stored = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        stored["settings"] = [dict(values) for values, _ in self.settings]
        stored["refused"] = [{"setting": dict(values), "reason": why} for values, why in self.refused]
        return {"format": FORMAT, **stored}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> SweepPlan:
        """The plan in `stored`.

        Raises:
            StorageError: it is damaged, or of a newer version.
        """
        try:
            if int(stored["format"]) > FORMAT:
                raise StorageError("This sweep was written by a newer version of Papertab.")
            known = {f.name for f in dataclasses.fields(cls)}
            parts = {key: value for key, value in stored.items() if key in known}
            parts["grid"] = {name: tuple(values) for name, values in stored["grid"].items()}
            parts["seeds"] = tuple(int(seed) for seed in stored["seeds"])
            base = stored["base"]
            parts["settings"] = tuple((dict(values), {**base, **values}) for values in stored["settings"])
            parts["refused"] = tuple((dict(r["setting"]), str(r["reason"])) for r in stored["refused"])
            return cls(**parts)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StorageError(f"The description of the sweep is damaged ({error}).") from error

    def _identity(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "data": str(self.data.get("fingerprint", "")),
            "threads": self.threads,
            "device": self.device,
        }


def _sorted(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in sorted(values)}
