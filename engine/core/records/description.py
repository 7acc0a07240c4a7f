"""``run.json``: the description of a run, in the form of today; older forms are brought up to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.core.errors import StorageError
from engine.core.records.header import FORMAT

NAME = "run.json"
#: What the person calls the run since it began: name, tags, note. Where it is, it counts.
LABEL = "label.json"
#: States in which a process works on the run.
LIVE = ("queued", "running", "paused", "waiting")

#: Step n makes format n + 1 of format n.
STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def read(folder: Path) -> tuple[dict[str, Any], str]:
    """The description in today's form, the person's label laid over it, and a notice or "".

    Raises:
        StorageError: it is missing or damaged; says what else of the record can be read.
    """
    path = folder / NAME
    try:
        described = json.loads(path.read_bytes())
        if not isinstance(described, dict):
            raise ValueError("it is not a description of a run")
        found = int(described["format"])
    except FileNotFoundError:
        raise StorageError(f"{path} is missing. {_what_is_left(folder)}") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError) as error:
        reason = "no format number" if isinstance(error, KeyError) else str(error)
        raise StorageError(f"{path} is damaged ({reason}). {_what_is_left(folder)}") from error
    notice = ""
    if found > FORMAT:
        notice = (
            f"This run was written by a newer version of Papertab (format {found}, this one writes "
            f"{FORMAT}): it is shown as far as it is understood, and cannot be changed."
        )
    while found < FORMAT:
        if found not in STEPS:
            raise StorageError(f"{path} has format {found}, which no version of Papertab has written.")
        described, found = STEPS[found](described), found + 1
    return {**described, **label(folder)}, notice


def label(folder: Path) -> dict[str, Any]:
    """The person's own name, tags and note, as far as they were ever changed."""
    try:
        stored = json.loads((folder / LABEL).read_bytes())
        parts = {key: str(stored[key]) for key in ("name", "note") if key in stored}
        if "tags" in stored:
            parts["tags"] = [str(tag) for tag in stored["tags"]]  # type: ignore[assignment]
        return parts
    except (OSError, ValueError, TypeError):
        return {}


def _what_is_left(folder: Path) -> str:
    names = {
        "events.jsonl": "the events",
        "curves.npz": "the curves",
        "curves": "the curves",
        "frames.npz": "the views",
        "frames": "the views",
        "tables": "the tables",
        "artifacts": "the files",
        "figures": "the figures",
    }
    left = dict.fromkeys(text for name, text in names.items() if (folder / name).exists())
    return f"Still there: {', '.join(left)}." if left else "Nothing else is there."
