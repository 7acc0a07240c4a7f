"""``events.jsonl``: one line an event, as it happened, except points of curves and states of views."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.core.encoding import decode, encode
from engine.core.events import EngineEvent
from engine.core.records.arrays import ArrayStore, StoredArrays, as_values, from_values, is_inline
from engine.core.records.disk import Step, json_text

NAME = "events.jsonl"


def as_line(sequence: int, seconds: float, event: EngineEvent, store: ArrayStore) -> tuple[bytes, list[Step]]:
    """The line for an event, and the steps that store its large arrays.

    Raises:
        TypeError: the event holds something that has no stored form.
    """
    tree, arrays = encode(event)
    entry = {"sequence": sequence, "seconds": seconds, "event": tree}
    steps: list[Step] = []
    for name, array in arrays.items():
        if is_inline(array):
            entry.setdefault("arrays", {})[name] = as_values(array)
        else:
            key, more = store.keep(array)
            steps += more
            entry.setdefault("arrays", {})[name] = {"shared": key}
    return json_text(entry) + b"\n", steps


@dataclass(frozen=True, slots=True)
class Line:
    """Where an event lies in the file, when it came, and its word."""

    sequence: int
    seconds: float
    word: str
    begin: int
    end: int


class EventLines:
    """The lines of a record: listed once, decoded when asked for."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._stored = StoredArrays(folder)
        self.damage: list[str] = []
        self.lines: list[Line] = list(self._list())

    def events(self, lines: list[Line]) -> Iterator[tuple[Line, EngineEvent]]:
        """The events of `lines`. One that this version cannot decode is left out and noted in `damage`."""
        if not lines:
            return
        with open(self._path, "rb") as file:
            for line in lines:
                file.seek(line.begin)
                try:
                    yield line, self._decoded(file.read(line.end - line.begin))
                except Exception as error:  # what another version or damage left may fail in any way
                    self._note(f"{NAME}: event {line.sequence} ({line.word}) cannot be read: {error}")

    def _decoded(self, text: bytes) -> EngineEvent:
        entry = json.loads(text)
        arrays = {
            name: self._stored[stored["shared"]] if "shared" in stored else from_values(stored)
            for name, stored in entry.get("arrays", {}).items()
        }
        event: EngineEvent = decode(entry["event"], arrays)
        return event

    def _list(self) -> Iterator[Line]:
        if not self._path.exists():
            return
        begin = 0
        with open(self._path, "rb") as file:
            for number, text in enumerate(file, start=1):
                end = begin + len(text)
                # The last line without its end was being written when the process died.
                if text.endswith(b"\n"):
                    try:
                        entry = json.loads(text)
                        word = entry["event"]["$word"]
                        yield Line(int(entry["sequence"]), float(entry["seconds"]), word, begin, end)
                    except (ValueError, KeyError, TypeError):
                        self._note(f"{NAME}: line {number} is damaged and left out")
                begin = end

    def _note(self, text: str) -> None:
        if text not in self.damage:
            self.damage.append(text)
