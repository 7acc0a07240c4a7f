"""One run as it is handed to a worker: plain data, whichever way it travels."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.data.datasets import resolve
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.errors import RunError
from engine.core.method import Method
from engine.core.registry import add_folder, added_folders
from engine.core.registry import method as method_named
from engine.core.running.job import RunRequest
from engine.core.sweeps.plan import PlannedRun, SweepPlan


@dataclass(frozen=True, kw_only=True)
class RunTask:
    """Everything a worker needs. JSON data throughout.

    `read_from` is where this worker finds the data; `source` is what the record names. `folders` are
    (folder, package) of methods found outside ``engine/methods``.
    """

    key: str
    sweep: str
    method: str
    parameters: Mapping[str, Any]
    seed: int
    threads: int
    device: str
    preset: str
    name: str
    source: str
    read_from: str
    options: Mapping[str, Any]
    fingerprint: str
    folder: str = ""
    folders: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunTask:
        return cls(**{**stored, "folders": tuple(tuple(pair) for pair in stored["folders"])})  # type: ignore[misc]


def task_of(plan: SweepPlan, run: PlannedRun, folder: Path) -> RunTask:
    """The task that makes the record of `run` in `folder`."""
    data = plan.data
    return RunTask(
        key=run.key,
        sweep=plan.id,
        method=plan.method,
        parameters=dict(run.parameters),
        seed=run.seed,
        threads=plan.threads,
        device=plan.device,
        preset=plan.preset,
        name=run.name,
        source=str(data["path"] or data["source"]),
        read_from=str(data["path"] or data["source"]),
        options=dict(data["options"]),
        fingerprint=str(data["fingerprint"]),
        folder=str(folder),
        folders=tuple((str(place), package) for place, package in added_folders()),
    )


class DataShelf:
    """The data read last, so that a worker reads it once for all its runs."""

    def __init__(self) -> None:
        self._key: object = None
        self._loaded: Loaded | None = None

    def load(self, method: Method, task: RunTask) -> Loaded:
        """The data of `task`.

        Raises:
            DataError, UnknownNameError, MissingExtraError: it cannot be read.
            RunError: it is not what it was when the sweep was planned.
        """
        key = (method.slug, task.read_from, repr(sorted(task.options.items())))
        if self._loaded is None or self._key != key:
            options = ReadOptions().with_settings(task.options)
            self._loaded = resolve(task.read_from, method.sets, method.data, options)
            self._key = key
        if self._loaded.value.fingerprint() != task.fingerprint:
            self._loaded, self._key = None, None
            raise RunError(f"The data in {task.source} has changed since the sweep was begun.")
        return self._loaded


def request_of(task: RunTask, shelf: DataShelf) -> RunRequest:
    """The run `task` asks for. Raises as `DataShelf.load`, and for a method or value not known here."""
    known = {package for _, package in added_folders()}
    for place, package in task.folders:
        if package not in known:
            add_folder(Path(place), package)
    method = method_named(task.method)
    return RunRequest(
        method=method,
        parameters=method.parameters.build(task.parameters),
        data=shelf.load(method, task),
        source=task.source,
        seed=task.seed,
        threads=task.threads,
        device=task.device,  # type: ignore[arg-type]
        preset=task.preset,
        name=task.name,
        tags=(f"sweep {task.sweep}",),
        ask="oracle",
    )
