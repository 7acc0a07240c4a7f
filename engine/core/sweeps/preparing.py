"""From what is asked for to a checked plan: every setting is validated before the first run begins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.core.context import Device
from engine.core.data.datasets import resolve
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.errors import FieldError, PapertabError
from engine.core.method import Method
from engine.core.parameters import FieldSpec, MethodParameters
from engine.core.registry import method as method_named
from engine.core.scripting import refuse_errors
from engine.core.sweeps.grid import Grid, combinations, setting_words, shown
from engine.core.sweeps.plan import SweepPlan

MOST_RUNS = 100_000
"""Runs of one sweep."""


def prepare_sweep(
    slug: str,
    *,
    grid: Grid,
    seeds: Sequence[int],
    preset: str | None = None,
    data: str | None = None,
    reading: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    threads: int = 1,
    device: Device = "auto",
    name: str = "",
) -> tuple[SweepPlan, Loaded, list[str]]:
    """The plan, the data and sentences worth knowing.

    Raises:
        UnknownNameError, FieldError: a name or value that is not allowed, in whatever combination.
        DataError, MissingExtraError: the data cannot be read.
    """
    method = method_named(slug)
    chosen = method.preset(preset) if preset else method.presets[0]
    source = data or chosen.data or method.sets[0].name
    base = {**chosen.values, **(parameters or {})}
    for field in grid:
        base.pop(field, None)
    settled = method.parameters.build(base)
    loaded = resolve(source, method.sets, method.data, ReadOptions().with_settings(reading or {}))
    plan, notes = plan_sweep(
        method,
        settled,
        loaded,
        source=source,
        grid=grid,
        seeds=seeds,
        threads=threads,
        device=device,
        preset=chosen.name,
        name=name,
    )
    return plan, loaded, notes


def plan_sweep(
    method: Method,
    base: MethodParameters,
    loaded: Loaded,
    *,
    source: str,
    grid: Grid,
    seeds: Sequence[int],
    threads: int = 1,
    device: Device = "auto",
    preset: str = "",
    name: str = "",
) -> tuple[SweepPlan, list[str]]:
    """The plan over data that is loaded already, and sentences worth knowing.

    A value no combination allows makes the request wrong; a combination that is not allowed for this data
    is kept apart, with its reason.

    Raises:
        FieldError: a value that is never allowed, no seed, or too many runs.
    """
    if not seeds:
        raise FieldError("--seeds", found=0, allowed="at least one seed")
    count = len(seeds) * math.prod(len(values) for values in grid.values())
    if count > MOST_RUNS:
        raise FieldError("--grid", found=f"{count:,} runs", allowed=f"at most {MOST_RUNS:,} runs in a sweep")
    settings: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []
    refused: list[tuple[Mapping[str, Any], PapertabError]] = []
    warnings: dict[str, int] = {}
    seen: set[str] = set()
    for wanted in combinations(grid):
        try:
            built = method.parameters.build({**base.model_dump(), **wanted})
            for problem in refuse_errors(method, built, loaded):
                warnings[problem.message] = warnings.get(problem.message, 0) + 1
        except PapertabError as error:
            refused.append((wanted, error))
            continue
        record = built.as_record()
        setting = {field: record[field] for field in grid}
        if repr(setting) not in seen:
            seen.add(repr(setting))
            settings.append((setting, record))
    _refuse_what_never_works(grid, settings, refused)
    plan = SweepPlan(
        method=method.slug,
        title=method.title,
        preset=preset,
        base=base.as_record(),
        grid={field: _as_recorded(field, values, settings) for field, values in grid.items()},
        seeds=tuple(dict.fromkeys(seeds)),
        settings=tuple(settings),
        refused=tuple((_plain(values), str(error)) for values, error in refused),
        data=data_record(method, loaded, source),
        threads=threads,
        device=device,
        name=name or _name(method, loaded, grid, len(seeds)),
    )
    return plan, _notes(method, base, plan, warnings)


def data_record(method: Method, loaded: Loaded, source: str) -> dict[str, Any]:
    """What a worker needs to read the same data, and what tells whether it did."""
    path = Path(source).expanduser()
    is_file = source not in {each.name for each in method.sets} and path.exists()
    return {
        "source": source,
        "path": str(path.resolve()) if is_file else None,
        "name": loaded.name,
        "options": loaded.options.changed(),
        "fingerprint": loaded.value.fingerprint(),
    }


def _refuse_what_never_works(
    grid: Grid,
    settings: list[tuple[Mapping[str, Any], Mapping[str, Any]]],
    refused: list[tuple[Mapping[str, Any], PapertabError]],
) -> None:
    """Raises the error of the first value that no combination allows."""
    if not settings and refused:
        raise refused[0][1]
    combined = math.prod(len(values) for values in grid.values())
    for field, values in grid.items():
        for value in values:
            errors = [error for wanted, error in refused if _same(wanted[field], value)]
            if errors and len(errors) == combined // len(values) and errors[0].field == field:
                raise errors[0]


def _same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


def _as_recorded(
    field: str, values: Sequence[Any], settings: list[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> tuple[Any, ...]:
    """The grid's values in the form settings hold them; those of refused settings as they were asked for."""
    known = {repr(setting[field]): setting[field] for setting, _ in settings}
    held = dict(known)
    for value in values:
        plain = _plain({field: value})[field]
        if not any(plain == present for present in known.values()):
            held.setdefault(repr(plain), plain)
    return tuple(held.values())


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _name(method: Method, loaded: Loaded, grid: Grid, seeds: int) -> str:
    specs = {spec.name: spec for spec in method.parameters.fields()}
    varied = " × ".join(specs[field].title for field in grid) or "seeds"
    return f"{loaded.name}, {varied}" + (f", {seeds} seeds" if seeds > 1 and grid else "")


def _notes(method: Method, base: MethodParameters, plan: SweepPlan, warnings: Mapping[str, int]) -> list[str]:
    count = len(plan.settings)
    notes = [
        f"{text} ({times:,} of {count:,} settings)" if times < count else text
        for text, times in warnings.items()
    ]
    for spec in method.parameters.fields():
        if spec.name in plan.grid and (reason := _without_effect(spec, base, plan)):
            notes.append(reason)
    titles = {spec.name: spec.title for spec in method.parameters.fields()}
    for values, why in plan.refused:
        notes.append(f"{setting_words(values, titles)}: {why}")
    return notes


def _without_effect(spec: FieldSpec, base: MethodParameters, plan: SweepPlan) -> str:
    """Why varying a parameter changes nothing, where that is so in every setting."""
    when = spec.when
    if when is None or any(when.holds(parameters) for _, parameters in plan.settings):
        return ""
    wanted = " or ".join(shown(value) for value in when.values)
    return f"{spec.title} has no effect: it counts only with {when.field} = {wanted}."
