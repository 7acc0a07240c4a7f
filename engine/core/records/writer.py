"""Writes a run's folder as the run happens."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from threading import RLock
from typing import Any

from engine.core.errors import StorageError
from engine.core.events import (
    Append,
    Artifact,
    EngineEvent,
    Message,
    Progress,
    Rows,
    Show,
    StatusChanged,
    Value,
)
from engine.core.records import curves, description, lines, lock, tables
from engine.core.records.arrays import ArrayStore
from engine.core.records.disk import (
    TEMPORARY,
    AppendAt,
    Put,
    Step,
    Take,
    file_name,
    json_text,
    storage_error,
    write_whole,
)
from engine.core.records.frames import FrameKeeper
from engine.core.records.header import RunHeader
from engine.core.records.state import HEARTBEAT, RunState
from engine.core.views import LinesState

#: Progress and changing values are kept at most so often a second.
RATE = 5.0

Timed = tuple[float, EngineEvent]


class RunWriter:
    """The record of one run, being written by this process.

    `write` only takes the event in. `flush` puts all of it on the disk; when that fails everything stays
    in memory in order, and the next `flush` goes on where the last one was. Events that come after
    `close` (actions on a finished run) are written by `flush` too.
    """

    def __init__(self, folder: Path, header: RunHeader) -> None:
        """Makes the folder, if need be, and takes it.

        Raises:
            StorageError: it cannot be written, or holds a run already.
        """
        self.folder = Path(folder).absolute()
        self.header = header
        self._begin = time.monotonic()
        self._taken_in: list[Timed] = []
        self._lock = RLock()
        self._steps: deque[Step] = deque()
        self._arrays = ArrayStore(self.folder)
        self._frames = FrameKeeper(self.folder, self._arrays)
        self._points = curves.Collector()
        self._merger = curves.Merger(self.folder)
        self._sequence = -1
        self._sizes: dict[str, int] = {}
        self._columns: dict[str, list[str]] = {}
        self._window: dict[str, int] = {}
        self._held: Timed | None = None
        self._told: StatusChanged | None = None
        self._locked = self._ending = False
        self._state = RunState(header)
        self._described_at = -HEARTBEAT
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if (self.folder / description.NAME).exists():
                raise StorageError(f"{self.folder} holds a run already.")
            self._take_folder()
            self._describe()
        except OSError as error:
            with contextlib.suppress(OSError):
                lock.release(self.folder)
            raise storage_error(error, self.folder) from error

    @property
    def seconds(self) -> float:
        """Seconds since the record was begun: the time scale of its events."""
        return time.monotonic() - self._begin

    def write(self, event: EngineEvent) -> None:
        """Takes an event in, from any thread. Never fails, and does nothing slow."""
        self._taken_in.append((time.monotonic(), event))

    def flush(self) -> None:
        """Everything taken in until now is on the disk afterwards.

        Raises:
            StorageError: the disk does not allow it; nothing is lost, `flush` may be called again.
        """
        with self._lock:
            try:
                if self._state.closed:
                    if not (self._taken_in or self._steps):
                        return
                    self._take_folder()
                self._flush()
                if self._state.closed:
                    self._leave_folder()
            except OSError as error:
                raise storage_error(error, self.folder) from error

    def close(
        self, status: str, error: Mapping[str, Any] | None, seconds: float, peak_mb: float | None
    ) -> None:
        """The run is over: writes what is left and the final description, and makes the files few.

        `status` is finished, stopped, failed or interrupted; `error` has kind, message, field;
        `seconds` is the time of computing.

        Raises:
            StorageError: as `flush`; `close` may be called again.
        """
        with self._lock:
            try:
                self._take_folder()
                self._take_last(status, error)
                self._flush()
                self._state.end(status, error, seconds, peak_mb)
                self._describe()
                self._state.closed = True
                self._make_few()
                self._leave_folder()
            except OSError as failure:
                raise storage_error(failure, self.folder) from failure

    def artifact_path(self, name: str) -> Path:
        """Where the file `name` of the run belongs; its folder is made.

        Raises:
            StorageError: the folder cannot be made.
        """
        path = self.folder / "artifacts" / file_name(name)
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise storage_error(error, self.folder) from error
        return path

    def _take_folder(self) -> None:
        if not self._locked:
            lock.acquire(self.folder)
            self._locked = True

    def _leave_folder(self) -> None:
        lock.release(self.folder)
        self._locked = False

    def _flush(self) -> None:
        count = len(self._taken_in)
        batch = self._taken_in[:count]
        del self._taken_in[:count]
        if batch:
            self._sort_in(batch)
        while self._steps:
            self._steps[0].carry_out()
            self._steps.popleft()
        # Merging is tidiness: where it fails the blocks stay, and the next flush tries again.
        with contextlib.suppress(Exception):
            self._merger.merge()
        if self._state.due(self.seconds - self._described_at):
            self._describe()

    def _sort_in(self, batch: list[Timed]) -> None:
        first = self._sequence + 1
        sequence, latest, points = self._sequence, self._state.latest, self._points
        shown: dict[str, list[tuple[int, float, Any]]] = {}
        unlined: list[tuple[int, float, EngineEvent]] = []
        begin = self._begin
        for at, event in batch:
            sequence += 1
            # Threads may hand over events a moment out of order; time in a record never runs back.
            latest = max(latest, at - begin)
            if type(event) is Append:
                points.add(sequence, latest, event)
            elif type(event) is Show:
                shown.setdefault(event.view, []).append((sequence, round(latest, 6), event.state))
                if isinstance(event.state, LinesState):
                    points.show(sequence, event.view)
            else:
                unlined.append((sequence, round(latest, 6), event))
        self._sequence, self._state.latest = sequence, latest
        block, complaints = points.block(first, sequence)
        if block is not None:
            self._state.points += block.size
            self._steps.append(Put(self.folder, block.place, block.content()))
            self._merger.added(block.place)
        for view, states in shown.items():
            steps, more = self._frames.keep(view, states)
            self._steps.extend(steps)
            complaints += more
        self._line_up(unlined, complaints)
        self._state.counts(self._sequence + 1, self._frames.count)

    def _line_up(self, events: list[tuple[int, float, EngineEvent]], complaints: list[str]) -> None:
        content: list[bytes] = []
        for sequence, seconds, event in self._thinned(events):
            try:
                event = self._prepared(event)
                line, steps = lines.as_line(sequence, seconds, event, self._arrays)
            except Exception as error:  # one event without a stored form must not cost the others
                complaints.append(f"{type(event).__name__} could not be stored: {error}")
                continue
            self._steps.extend(steps)
            content.append(line)
        for text in complaints:
            self._sequence += 1
            message = Message(text, "error")
            line, _ = lines.as_line(self._sequence, round(self._state.latest, 6), message, self._arrays)
            content.append(line)
        if content:
            self._append(lines.NAME, b"".join(content))

    def _thinned(self, events: list[tuple[int, float, EngineEvent]]) -> list[tuple[int, float, EngineEvent]]:
        """Without what another event replaces in the same fifth of a second, and states told twice."""
        latest: dict[tuple[str, int], int] = {}
        replaced: dict[str, int] = {}
        for sequence, seconds, event in events:
            if isinstance(event, (Progress, Value)):
                latest[_key(event), int(seconds * RATE)] = sequence
            elif isinstance(event, Rows) and event.replace:
                replaced[event.table] = sequence
        kept = []
        for sequence, seconds, event in events:
            if isinstance(event, StatusChanged):
                if event == self._told:
                    continue
                self._told = event
            elif isinstance(event, Rows):
                if sequence < replaced.get(event.table, -1):
                    continue
            elif isinstance(event, (Progress, Value)):
                key, window = _key(event), int(seconds * RATE)
                if latest[key, window] != sequence:
                    continue
                if isinstance(event, Progress):
                    self._held = None
                    if self._window.get(key) == window:
                        self._held = (seconds + self._begin, event)
                        continue
                    self._window[key] = window
            kept.append((sequence, seconds, event))
        return kept

    def _take_last(self, status: str, error: Mapping[str, Any] | None) -> None:
        """The last progress, even if another came shortly before, and the state the run ends in."""
        if self._held is not None:
            self._window.clear()
            self._taken_in.append(self._held)
            self._held = None
        if not self._ending:
            self._ending = True
            self.write(StatusChanged(status, str(error["message"]) if error else ""))

    def _prepared(self, event: EngineEvent) -> EngineEvent:
        if isinstance(event, Value):
            self._state.value(event)
        elif isinstance(event, StatusChanged):
            self._state.change(event.status)
        elif isinstance(event, Rows):
            return self._rows(event)
        elif isinstance(event, Artifact):
            return self._artifact(event)
        return event

    def _rows(self, event: Rows) -> Rows:
        columns = tables.as_lists(event.columns)
        place = tables.place(event.table)
        names = list(columns)
        if event.table not in self._columns or event.replace:
            self._columns[event.table] = names
            content = tables.head(names) + tables.rows(columns)
            self._steps.append(Put(self.folder, place, content))
            self._sizes[place] = len(content)
        else:
            known = self._columns[event.table]
            if set(known) != set(names):
                raise ValueError(f"rows of table {event.table} have columns {names}, the table has {known}")
            self._append(place, tables.rows({name: columns[name] for name in known}))
        return event

    def _artifact(self, event: Artifact) -> Artifact:
        place = f"artifacts/{file_name(event.name)}"
        source = Path(event.path)
        if not source.is_absolute() and (self.folder / source).exists():
            source = self.folder / source
        if source != self.folder / place:
            if not source.is_file():
                raise ValueError(f"the file {source} is not there")
            self._steps.append(Take(self.folder, source, place))
        return Artifact(event.name, place, event.title)

    def _append(self, place: str, content: bytes) -> None:
        offset = self._sizes.get(place, 0)
        self._steps.append(AppendAt(self.folder, place, offset, content))
        self._sizes[place] = offset + len(content)

    def _describe(self) -> None:
        described = self._state.as_json(self.seconds)
        write_whole(self.folder / description.NAME, json_text(described, indent=2), durable=True)
        self._described_at = self.seconds
        self._state.described()

    def _make_few(self) -> None:
        """Merging needs room for a while; where there is none the record is as good without it."""
        with contextlib.suppress(Exception):
            curves.merge_all(self.folder)
            self._merger.forget()
        with contextlib.suppress(Exception):
            self._frames.merge_all()
        for part in self.folder.rglob(f"*{TEMPORARY}"):
            part.unlink(missing_ok=True)


def _key(event: Progress | Value) -> str:
    return f"value {event.name}" if isinstance(event, Value) else "progress"
