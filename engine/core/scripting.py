"""Runs from Python, without window or terminal: what "copy as Python" writes, and what ``run`` stands on."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.core.context import Device
from engine.core.data.datasets import resolve
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.errors import FieldError, RunError
from engine.core.events import Acted, EngineEvent
from engine.core.method import Method, Problem, load
from engine.core.parameters import MethodParameters
from engine.core.places import cache_folder
from engine.core.records.library import Library
from engine.core.registry import method as method_named
from engine.core.running.engine import Engine
from engine.core.running.job import Job, RunRequest
from engine.core.running.priority import default_threads
from engine.core.running.status import Status

Deed = tuple[int, str, Mapping[str, Any]]
"""(yields before it, action, arguments): something a person did during a run."""


def prepare(
    slug: str,
    *,
    preset: str | None = None,
    data: str | None = None,
    reading: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    threads: int | None = None,
    device: Device = "auto",
    deeds: Sequence[Deed] = (),
) -> tuple[RunRequest, list[Problem]]:
    """A checked request, and the warnings of the method's check.

    Raises:
        UnknownNameError, FieldError: a name or value that is not allowed, also for this data.
        DataError, MissingExtraError: the data cannot be read.
    """
    method = method_named(slug)
    chosen = method.preset(preset) if preset else method.presets[0]
    settled = method.settings(chosen.name, parameters)
    source = data or chosen.data or method.sets[0].name
    loaded = resolve(source, method.sets, method.data, ReadOptions().with_settings(reading or {}))
    warnings = refuse_errors(method, settled, loaded)
    done: list[EngineEvent] = [Acted(name, arguments, after) for after, name, arguments in deeds]
    request = RunRequest(
        method=method,
        parameters=settled,
        data=loaded,
        source=source,
        seed=seed,
        threads=threads or default_threads(),
        device=device,
        preset=chosen.name,
        name=f"{loaded.name}, {chosen.name}",
        steering=tuple(acted for acted in done if isinstance(acted, Acted) and acted.after < 0),
        replay=tuple(done),
        ask="oracle",
    )
    return request, warnings


def refuse_errors(method: Method, parameters: MethodParameters, loaded: Loaded) -> list[Problem]:
    """The warnings of the method's check.

    Raises:
        FieldError: its first error.
    """
    if method.check is None:
        return []
    warnings = []
    for problem in load(method.check)(parameters, loaded.value):
        if problem.severity == "error":
            found = getattr(parameters, problem.field, "")
            raise FieldError(problem.field, found=found, allowed=problem.message)
        warnings.append(problem)
    return warnings


def repeat(slug: str, *, out: str | Path | None = None, **settings: Any) -> dict[str, float | int | str]:
    """Run a method to its end; returns its named results. `out` keeps the record in that folder.

    Raises:
        What `prepare` raises; RunError: the run failed, with the reason.
    """
    request, _ = prepare(slug, **settings)
    with tempfile.TemporaryDirectory() as nowhere:
        job = _run_to_end(request, Path(out) if out is not None else Path(nowhere) / "run")
    if job.status is not Status.FINISHED:
        raise RunError(job.failure.message if job.failure else f"The run was {job.status.value}.")
    return job.board.results()


def _run_to_end(request: RunRequest, folder: Path) -> Job:
    engine = Engine(Library(folder.parent), cache_folder())
    try:
        job = engine.submit(request, folder)
        job.ended.wait()
    finally:
        engine.close(timeout=30)
    return job


def _told(method: Method, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a deed that differ from the action's defaults."""
    usual = method.action(action).arguments.model_fields
    return {
        name: value
        for name, value in arguments.items()
        if name not in usual or usual[name].is_required() or usual[name].default != value
    }


def python_script(
    method: Method,
    parameters: MethodParameters,
    *,
    source: str,
    options: ReadOptions,
    seed: int,
    threads: int,
    device: str = "auto",
    deeds: Sequence[Deed] = (),
) -> str:
    """A short script that repeats a run; of the parameters it holds what differs from the defaults, and all
    that the first preset sets, over which `repeat` lays them."""
    defaults, preset = method.parameters(), method.presets[0].values
    changed = {
        name: value
        for name, value in parameters.model_dump().items()
        if value != getattr(defaults, name) or name in preset
    }
    settings: dict[str, Any] = {"data": source, "parameters": changed, "seed": seed, "threads": threads}
    if device != "auto":
        settings["device"] = device
    if options.changed():
        settings["reading"] = options.changed()
    if deeds:
        settings["deeds"] = [
            (after, name, _told(method, name, arguments)) for after, name, arguments in deeds
        ]
    lines = [f"    {name}={value!r}," for name, value in settings.items()]
    return "\n".join(
        [
            f'"""{method.title} ({method.paper.short}): repeats a run without the window."""',
            "",
            "from engine.core.scripting import repeat",
            "",
            'if __name__ == "__main__":',
            "    results = repeat(",
            f"        {method.slug!r},",
            *(f"    {line}" for line in lines),
            "    )",
            "    for name, value in results.items():",
            "        print(name, value)",
            "",
        ]
    )
