"""The two-fold memory: encodings known to be mistaken, and the correction attached to each.

One list of records serves as both: every entry is in the mistake memory; those with a correction are in
the intervention memory. Refusals are negative examples (beyond the paper): a sample whose nearest record is
a refusal of an entry is not corrected by that entry.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import RunError
from engine.methods.concept_memory.interventions import Correction

Author = Literal["person", "simulated"]
FORMAT = 1
WORDS, ARRAYS = "memory.json", "memory.npz"
LARGEST = 2 << 30
SAME = 1e-6
"""Entries nearer than this are taken for the same place."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Entry:
    """One record: `encoding` float32 (d,), the sample it came from, what was corrected and by whom.

    `number` names it for good; `source` is the sample's place in the data set (−1: another run);
    `made` is the time it was remembered, ISO 8601.
    """

    number: int
    encoding: NDArray[np.float32]
    source: int
    correction: Correction | None
    author: Author = "simulated"
    made: str = ""
    name: str = ""


@dataclass(frozen=True, eq=False)
class Refusal:
    """A person said that entry `number` does not fit the sample with this `encoding`."""

    number: int
    encoding: NDArray[np.float32]
    source: int


@dataclass(frozen=True, eq=False)
class Memory:
    """Entries in the order they were remembered; a value, changed by making another.

    `dimension` is d; `checksum` names the encoder the encodings come from.
    """

    dimension: int
    checksum: str = ""
    entries: tuple[Entry, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def encodings(self) -> NDArray[np.float32]:
        """(m, d)."""
        if not self.entries:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([entry.encoding for entry in self.entries])

    @property
    def next_number(self) -> int:
        """A number no entry had."""
        return max((entry.number for entry in self.entries), default=0) + 1

    def with_entry(self, entry: Entry) -> Memory:
        """One entry more.

        Raises:
            RunError: its encoding has another dimension.
        """
        if entry.encoding.shape != (self.dimension,):
            raise RunError(mismatch(len(entry.encoding), self.dimension))
        return replace(self, entries=(*self.entries, entry))

    def without(self, number: int) -> Memory:
        """Without the entry of this number and the refusals of it."""
        return replace(
            self,
            entries=tuple(entry for entry in self.entries if entry.number != number),
            refusals=tuple(refusal for refusal in self.refusals if refusal.number != number),
        )

    def first(self, count: int) -> Memory:
        """Only the first `count` entries: the memory budget."""
        return replace(self, entries=self.entries[:count])

    def with_refusal(self, refusal: Refusal) -> Memory:
        """One refusal more."""
        return replace(self, refusals=(*self.refusals, refusal))

    def without_refusal(self, number: int, source: int) -> Memory:
        """Without the refusal of this entry for this sample."""
        kept = tuple(r for r in self.refusals if (r.number, r.source) != (number, source))
        return replace(self, refusals=kept)

    def twins_of(self, encoding: NDArray[np.float32]) -> tuple[Entry, ...]:
        """Entries nearer than `SAME`: corrections of the same place, which may contradict each other."""
        if not self.entries:
            return ()
        apart = np.linalg.norm(self.encodings.astype(np.float64) - encoding, axis=1)
        return tuple(self.entries[place] for place in np.flatnonzero(apart < SAME).tolist())

    def save(self, path: Path, concept_names: Sequence[str]) -> Path:
        """Write an archive of ``memory.json`` (entries in words) and ``memory.npz`` (encodings)."""
        told = {
            "format": FORMAT,
            "dimension": self.dimension,
            "checksum": self.checksum,
            "concepts": list(concept_names),
            "entries": [_entry_record(entry) for entry in self.entries],
            "refusals": [{"number": r.number, "source": r.source} for r in self.refusals],
        }
        refused = [refusal.encoding for refusal in self.refusals]
        arrays = io.BytesIO()
        np.savez(
            arrays,
            encodings=self.encodings,
            refusals=np.stack(refused) if refused else np.empty((0, self.dimension), np.float32),
        )
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(WORDS, json.dumps(told, indent=1))
            archive.writestr(ARRAYS, arrays.getvalue())
        return path


@dataclass
class LoadedMemory:
    """A memory read from files, and what has to be said about it."""

    memory: Memory
    warnings: list[str] = field(default_factory=list)


def load_memory(path: Path, dimension: int, checksum: str, concept_names: Sequence[str]) -> LoadedMemory:
    """Read a saved archive, or ``memory.json`` with ``memory.npz`` beside it, for an encoder of `dimension`.

    Raises:
        RunError: the files cannot be read, or come from an encoder of another dimension or other concepts.
    """
    told, encodings, refused = _read(path)
    if told["dimension"] != dimension:
        raise RunError(mismatch(told["dimension"], dimension))
    if list(told["concepts"]) != list(concept_names):
        raise RunError(f"{path.name}: the memory was made for other concepts than those of this data.")
    entries = tuple(
        Entry(
            number=int(one["number"]),
            encoding=encoding,
            source=-1,
            correction=None
            if one["concepts"] is None
            else Correction(tuple(map(int, one["concepts"])), tuple(map(float, one["values"]))),
            author=one["author"],
            made=one["made"],
            name=one["name"],
        )
        for one, encoding in zip(told["entries"], encodings, strict=True)
    )
    refusals = tuple(
        Refusal(int(one["number"]), encoding, -1)
        for one, encoding in zip(told["refusals"], refused, strict=True)
    )
    warnings = []
    if told["checksum"] != checksum:
        warnings.append(
            "The memory was made with another encoder of the same size: its distances may mean nothing here."
        )
    return LoadedMemory(Memory(dimension, checksum, entries, refusals), warnings)


def mismatch(found: int, wanted: int) -> str:
    """The sentence for a memory of another encoder."""
    return (
        f"The memory holds encodings of {found:,} numbers, this encoder gives {wanted:,}. "
        "It was made with another encoder and cannot be used here."
    )


def _entry_record(entry: Entry) -> dict[str, Any]:
    correction = entry.correction
    return {
        "number": entry.number,
        "source": entry.source,
        "name": entry.name,
        "author": entry.author,
        "made": entry.made,
        "concepts": list(correction.concepts) if correction else None,
        "values": list(correction.values) if correction else None,
    }


def _read(path: Path) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    try:
        words, content = _parts(path)
        told = json.loads(words)
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            encodings, refused = arrays["encodings"], arrays["refusals"]
        if told["format"] != FORMAT or len(encodings) != len(told["entries"]):
            raise ValueError("its parts do not belong together")
        return told, encodings.astype(np.float32), refused.astype(np.float32)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise RunError(f"{path.name}: this is no saved memory ({error}).") from error


def _parts(path: Path) -> tuple[bytes, bytes]:
    """The words and the arrays; only these two members of an archive are looked at, and their size first."""
    if path.suffix != ".zip":
        return path.read_bytes(), path.with_suffix(".npz").read_bytes()
    with zipfile.ZipFile(path) as archive:
        if sum(archive.getinfo(name).file_size for name in (WORDS, ARRAYS)) > LARGEST:
            raise ValueError("it unpacks to more than 2 GB")
        return archive.read(WORDS), archive.read(ARRAYS)
