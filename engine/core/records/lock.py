"""One writer a record: a file ``lock`` names the process that writes."""

from __future__ import annotations

import json
import os
from pathlib import Path

from engine.core.errors import StorageError
from engine.core.records.disk import json_text
from engine.core.records.process import ProcessMark, lives, this_process

NAME = "lock"


def holder(folder: Path) -> ProcessMark | None:
    """The living process of this machine that writes the record, if any."""
    try:
        mark = ProcessMark.from_json(json.loads((folder / NAME).read_bytes()))
    except (OSError, ValueError):
        return None
    return mark if lives(mark, None) else None


def acquire(folder: Path) -> None:
    """From now on this process writes the record.

    Raises:
        StorageError: another living process does. OSError: the folder cannot be written.
    """
    mark = holder(folder)
    if mark is not None:
        raise StorageError(f"The record in {folder} is being written by process {mark.pid}.")
    path = folder / NAME
    path.unlink(missing_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        raise StorageError(f"The record in {folder} was just taken by another process.") from None
    with open(handle, "wb", buffering=0) as file:
        file.write(json_text(this_process().as_json()))


def release(folder: Path) -> None:
    """The record is free again."""
    (folder / NAME).unlink(missing_ok=True)
