"""What a sweep is about: a method, its data and the values the grid varies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.data import ReadOptions
from engine.core.data.datasets import resolve
from engine.core.data.loaded import Loaded
from engine.core.method import Method
from engine.core.parameters import FieldSpec, MethodParameters
from engine.core.sweeps.plan import SweepPlan


@dataclass(frozen=True)
class Subject:
    """Taken from a tab, or from a sweep on disk."""

    method: Method
    base: MethodParameters
    loaded: Loaded
    source: str
    preset: str = ""
    device: str = "auto"

    def spec(self, name: str) -> FieldSpec:
        """A parameter by name."""
        return next(spec for spec in self.method.parameters.fields() if spec.name == name)


def subject_of(method: Method, plan: SweepPlan) -> Subject:
    """The subject of a sweep on disk; reads its data.

    Raises:
        DataError, UnknownNameError, MissingExtraError: the data cannot be read.
        FieldError: a parameter this version does not allow.
    """
    source = str(plan.data.get("path") or plan.data.get("source"))
    options = ReadOptions().with_settings(dict(plan.data.get("options") or {}))
    loaded = resolve(source, method.sets, method.data, options)
    base: dict[str, Any] = dict(plan.base)
    return Subject(method, method.parameters.build(base), loaded, source, plan.preset, plan.device)
