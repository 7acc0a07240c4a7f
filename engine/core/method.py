"""The contract of a method: a declaration, a generator, and a few declared actions.

Callables are named as text ("engine.methods.linkage.run:run") and imported when first needed, so that
listing and describing methods imports nothing heavy. Their signatures:

* ``run(parameters, data, context)`` yields events and may return its state;
* ``preview(parameters, data, context)`` yields `Show` events for what can be drawn before a run and may
  return a state for actions that work before the first run; it takes well under a second;
* ``check(parameters, data)`` returns a list of `Problem` (what depends on the data: k ≤ n, memory);
* ``estimate(parameters, data)`` returns an `Estimate`;
* an action's ``apply(state, arguments, context)`` yields events and may return the arguments that undo it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from engine.core.errors import UnknownNameError
from engine.core.parameters import MethodParameters
from engine.core.views import View

if TYPE_CHECKING:
    from engine.core.data.datasets import DataSet
    from engine.core.data.kinds import DataKind


class NoArguments(MethodParameters):
    """Parameters of an action that takes none."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """What a person cites."""

    title: str
    authors: str
    short: str
    venue: str
    year: int
    url: str
    bibtex: str


@dataclass(frozen=True)
class Scalar:
    """A named number a paper would print. A name may hold parts in braces: ``ratio.{linkage}.k{k}``."""

    name: str
    meaning: str
    unit: str = ""
    digits: int = 3

    def matches(self, name: str) -> bool:
        """Whether `name` is this result, parts in braces standing for any text without a dot."""
        pattern = re.sub(r"\\\{[a-z_]+\\\}", r"[^.]+", re.escape(self.name))
        return re.fullmatch(pattern, name) is not None


@dataclass(frozen=True)
class ResultTable:
    """A table a paper would print: column name → meaning (unit in parentheses). Stored as CSV."""

    name: str
    meaning: str
    columns: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Action:
    """What a person may do unasked, before, during or after a run.

    `edits`: the action changes something and can be undone. `button` puts it in the tab's header under
    that word; `replaces`: of several waiting calls only the last matters (dragging); `exports`: it makes
    files, so its artifacts are offered for saving.
    """

    name: str
    title: str
    help: str
    apply: str
    arguments: type[MethodParameters] = NoArguments
    edits: bool = False
    button: str = ""
    replaces: bool = True
    exports: bool = False


@dataclass(frozen=True)
class Problem:
    """What is wrong with a parameter for this data, and a value that would do."""

    field: str
    message: str
    severity: Literal["error", "warning"] = "error"
    suggestion: Any = None


@dataclass(frozen=True)
class Estimate:
    """What a run will take: seconds (None: not known) and bytes of memory."""

    seconds: float | None = None
    bytes: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Cell:
    """A place in the layout: views that share it (the first is on top), and its weight in the row."""

    views: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Row:
    """A row of cells and its weight in height."""

    cells: tuple[Cell, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Preset:
    """A named partial assignment; `data` may choose a data set."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    data: str | None = None
    help: str = ""
    title: str = ""


@dataclass(frozen=True)
class Method:
    """One tab. `area` groups it; `sentence` (at most 56 characters) and the
    view `gallery` (the first if empty) are its card in the gallery."""

    slug: str
    _: KW_ONLY
    title: str
    area: str
    sentence: str
    paper: Paper
    parameters: type[MethodParameters]
    presets: tuple[Preset, ...]
    data: tuple[DataKind, ...]
    sets: tuple[DataSet, ...]
    views: tuple[View, ...]
    layout: tuple[Row, ...]
    scalars: tuple[Scalar, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    run: str
    preview: str | None = None
    check: str | None = None
    estimate: str | None = None
    oracle: str | None = None
    actions: tuple[Action, ...] = ()
    extra: str = ""
    warm: tuple[str, ...] = ()
    gallery: str = ""

    def __post_init__(self) -> None:
        names = [view.name for view in self.views]
        placed = [name for row in self.layout for cell in row.cells for name in cell.views]
        if sorted(names) != sorted(placed) or len(set(names)) != len(names):
            raise ValueError(f"{self.slug}: the layout must place every view once")
        known = {action.name for action in self.actions}
        unknown = {name for view in self.views for name in view.gestures.values()} - known
        if unknown:
            raise ValueError(f"{self.slug}: no action named {sorted(unknown)}")

    def view(self, name: str) -> View:
        return _named("view", self._views, name)

    def action(self, name: str) -> Action:
        return _named("action", {action.name: action for action in self.actions}, name)

    def preset(self, name: str) -> Preset:
        return _named("preset", {preset.name: preset for preset in self.presets}, name)

    def scalar(self, name: str) -> Scalar | None:
        """The declared result that `name` is one of, or None."""
        return next((scalar for scalar in self.scalars if scalar.matches(name)), None)

    def table(self, name: str) -> ResultTable:
        return _named("table", {table.name: table for table in self.tables}, name)

    def settings(
        self, preset: str | None = None, values: Mapping[str, Any] | None = None
    ) -> MethodParameters:
        """The parameters of `preset` (the first if None) with `values` over them.

        Raises:
            UnknownNameError, FieldError: a name or value that is not allowed.
        """
        chosen = self.preset(preset) if preset else self.presets[0]
        return self.parameters.build({**chosen.values, **(values or {})})

    @cached_property
    def _views(self) -> dict[str, View]:
        return {view.name: view for view in self.views}


def load(target: str) -> Callable[..., Any]:
    """The function named "package.module:function"; importing it may be slow."""
    module, _, name = target.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def _named(what: str, known: Mapping[str, Any], name: str) -> Any:
    if name not in known:
        raise UnknownNameError(what, name, known)
    return known[name]
