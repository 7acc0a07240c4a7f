"""What the list of runs shows of one run, taken from its description alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.core.encoding import number
from engine.core.errors import StorageError
from engine.core.records import description
from engine.core.records.disk import json_text
from engine.core.records.header import RunHeader
from engine.core.records.reader import derived_status


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """One line of the list. `id` is the name of the run's folder.

    `damaged` is None, or why the record cannot be opened; `method` and the rest are empty then.
    """

    id: str
    folder: Path
    method: str = ""
    title: str = ""
    preset: str = ""
    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    status: str = ""
    created: str = ""
    seconds: float | None = None
    peak_mb: float | None = None
    seed: int = 0
    data: str = ""
    parent: str = ""
    error: str = ""
    parameters_json: str = "{}"
    results_json: str = "{}"
    damaged: str | None = None

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The parameters, whole."""
        found: dict[str, Any] = json.loads(self.parameters_json)
        return found

    @cached_property
    def results(self) -> dict[str, float | int | str]:
        """The named results."""
        return {name: number(value) for name, value in json.loads(self.results_json).items()}

    @property
    def is_live(self) -> bool:
        """Whether a process worked on the run when the summary was made."""
        return self.status in description.LIVE


def summarise(folder: Path) -> tuple[RunSummary, str]:
    """The summary of a record, and the text it is found by. A damaged record gives a summary too."""
    try:
        described, _ = description.read(folder)
        header = RunHeader.from_json(described)
        return _summary(folder, described, header), _search_text(described, header)
    except StorageError as error:
        reason = str(error)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{folder / description.NAME} is damaged ({error})."
    return RunSummary(id=folder.name, folder=folder, damaged=reason), f"{folder.name} damaged".casefold()


def _summary(folder: Path, described: Mapping[str, Any], header: RunHeader) -> RunSummary:
    error = described.get("error") or {}
    return RunSummary(
        id=folder.name,
        folder=folder,
        method=header.method,
        title=str(header.title),
        preset=str(header.preset or ""),
        name=str(header.name),
        tags=header.tags,
        note=str(header.note),
        status=derived_status(described),
        created=str(header.created),
        seconds=_number(described.get("seconds")),
        peak_mb=_number(described.get("peak_mb")),
        seed=header.seed,
        data=str(header.data.get("name") or ""),
        parent=str(header.parent or ""),
        error=str(error.get("message") or ""),
        parameters_json=json_text(dict(header.parameters)).decode(),
        results_json=json_text(dict(described.get("results") or {})).decode(),
    )


def _search_text(described: Mapping[str, Any], header: RunHeader) -> str:
    words = [header.id, header.name, *header.tags, header.note, header.method, header.title, header.preset]
    words += [header.data.get(key) for key in ("name", "path", "kind", "summary")]
    words += [described.get("status"), (described.get("error") or {}).get("message"), f"seed={header.seed}"]
    for pairs in (header.parameters, described.get("results") or {}):
        words += [f"{name}={_shown(value)}" for name, value in pairs.items()]
    return "\n".join(str(word) for word in words if word).casefold()


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
