"""The sweeps of a person: a folder each, under the data directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import StorageError
from engine.core.places import data_folder
from engine.core.sweeps.folder import SweepFolder


@dataclass(frozen=True)
class StoredSweep:
    """One line of the list; `damaged` says why a sweep cannot be opened, or is empty."""

    folder: Path
    method: str = ""
    title: str = ""
    name: str = ""
    status: str = ""
    created: str = ""
    finished: int = 0
    total: int = 0
    damaged: str = ""


def sweeps_folder() -> Path:
    """Where the window keeps sweeps."""
    return data_folder() / "sweeps"


def stored_sweeps(root: Path | None = None) -> list[StoredSweep]:
    """All sweeps, the latest first; each is read on its own, so that a damaged one hides no other."""
    root = root or sweeps_folder()
    folders = [place for place in root.iterdir() if SweepFolder(place).exists] if root.is_dir() else []
    return sorted(map(_stored, folders), key=lambda sweep: (sweep.created, sweep.folder.name), reverse=True)


def _stored(folder: Path) -> StoredSweep:
    place = SweepFolder(folder)
    try:
        described, status = place.described(), place.status()
        counts = described.get("counts") or {}
        return StoredSweep(
            folder=folder,
            method=str(described.get("method", "")),
            title=str(described.get("title", "")),
            name=str(described.get("name", "")),
            status=status,
            created=str(described.get("created", "")),
            finished=int(counts.get("finished", 0)),
            total=int(counts.get("total", 0)),
        )
    except (StorageError, TypeError, ValueError, AttributeError) as error:
        return StoredSweep(folder=folder, damaged=str(error))
