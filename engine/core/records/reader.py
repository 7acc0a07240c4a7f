"""Reads a run's folder: what it was, what it showed at any moment, what a person did."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from engine.core.board import Board
from engine.core.encoding import number
from engine.core.errors import StorageError
from engine.core.events import Acted, Answered, Append, EngineEvent, Message, Progress, Rows, Show, Value
from engine.core.records import description, process
from engine.core.records.curves import Block, Points, read_curves
from engine.core.records.disk import json_text, storage_error, write_whole
from engine.core.records.frames import FrameHistory
from engine.core.records.header import RunHeader
from engine.core.records.lines import EventLines, Line

WINDOW = "window.json"
#: Points that come within a tenth of a second are read back as one event.
TOGETHER = 0.1

Timed = tuple[int, float, EngineEvent]


class RunRecord:
    """A run as it lies on the disk. Parts are read when asked for; `refresh` looks at a growing one anew.

    `notices` are sentences about what could not be read; `read_only` holds for a run of a newer version.
    """

    def __init__(self, folder: Path) -> None:
        """Reads the description alone.

        Raises:
            StorageError: it is missing or damaged; says what else can be read.
        """
        self.folder = Path(folder)
        self._described, notice = description.read(self.folder)
        self.read_only = bool(notice)
        self._notices = [notice] if notice else []
        try:
            self.header = RunHeader.from_json(self._described)
        except (KeyError, TypeError, ValueError) as error:
            raise StorageError(f"{self.folder / description.NAME} is damaged ({error}).") from error

    @property
    def status(self) -> str:
        """The state written last; "interrupted" where the process that worked on the run is gone."""
        return derived_status(self._described)

    @property
    def is_live(self) -> bool:
        """Whether a process still works on the run."""
        return self.status in description.LIVE

    @property
    def results(self) -> dict[str, float | int | str]:
        """The named results. Those of a run that did not end properly come from its events."""
        stored = {name: number(value) for name, value in self._described.get("results", {}).items()}
        if self._described.get("status") in description.LIVE:
            stored.update({event.name: event.value for _, event in self._values_and_rows[0]})
        return stored

    @property
    def spreads(self) -> dict[str, dict[str, Any]]:
        """Result name → half-width `spread` over `repeats`, where there were any."""
        return dict(self._described.get("spreads", {}))

    @property
    def error(self) -> dict[str, Any] | None:
        """What failed: kind, message, field."""
        error = self._described.get("error")
        return dict(error) if error else None

    @property
    def seconds(self) -> float | None:
        """Time of computing."""
        return self._described.get("seconds")

    @property
    def peak_mb(self) -> float | None:
        return self._described.get("peak_mb")

    @property
    def counts(self) -> dict[str, int]:
        """Events, points and frames that were written."""
        return dict(self._described.get("counts", {}))

    @property
    def notices(self) -> list[str]:
        """What a person should know: a newer format, damaged parts, events that were left out."""
        damage = [*self._lines.damage, *self._frames.damage, *self._curves[1]]
        return [*self._notices, *(f"{text[:1].upper()}{text[1:]}." for text in damage)]

    @property
    def duration(self) -> float:
        """Seconds from the beginning to the last thing that happened."""
        lines, times, curves = self._lines.lines, self.key_times, self._curves[0].curves.values()
        ends = [points.seconds[-1] for points in curves if len(points)]
        return float(max([0.0, *(line.seconds for line in lines[-1:]), *times[-1:], *ends]))

    @cached_property
    def key_times(self) -> np.ndarray:
        """Seconds at which a view was shown anew and kept, ascending."""
        return self._frames.times()

    def events(self, until: float | None = None) -> Iterator[Timed]:
        """What happened, in order: sequence number, seconds, event.

        Points of a curve come a tenth of a second at a time. A view's thinned out states are missing, and
        so are the points that belonged to them: a board of these events only shows what was shown.
        """
        end = np.inf if until is None else until
        lines = [line for line in self._lines.lines if line.seconds <= end]
        told = ((line.sequence, line.seconds, event) for line, event in self._lines.events(lines))
        streams = [told, self._shows(end), *self._appends(end)]
        return heapq.merge(*streams, key=lambda timed: timed[0])

    def board(self, at: float | None = None) -> Board:
        """What the views, results and tables were `at` seconds, or at the end. For looking at only."""
        end = np.inf if at is None else at
        board = Board()
        values, rows = self._values_and_rows
        for events in (values, rows):
            for seconds, event in events:
                if seconds > end:
                    break
                board.apply(event)
        begins = self._show_latest(board, end)
        found = []
        for (view, series), points in self._curves[0].curves.items():
            stretch = self._stretch(view, points, begins.get(view), end)
            if len(stretch):
                found.append((int(stretch.sequence[0]), view, series, stretch))
        for _, view, series, stretch in sorted(found, key=lambda curve: curve[0]):
            spread = (stretch.low, stretch.high) if stretch.spread else (None, None)
            board.lay(view, series, stretch.x, stretch.y, *spread)
        return board

    def log(self) -> list[tuple[float, Message]]:
        """The lines of the log: seconds and message."""
        return [(line.seconds, event) for line, event in self._of("message") if isinstance(event, Message)]

    def progress(self) -> list[tuple[float, Progress]]:
        """How far the run was: seconds and progress, a few times a second."""
        return [(line.seconds, event) for line, event in self._of("progress") if isinstance(event, Progress)]

    def steering(self) -> list[tuple[int, float, Acted | Answered]]:
        """What a person did and answered, in order, for replay: sequence number, seconds, event."""
        return [
            (line.sequence, line.seconds, event)
            for line, event in self._of("acted", "answered")
            if isinstance(event, (Acted, Answered))
        ]

    def tables(self) -> dict[str, dict[str, list[Any]]]:
        """Result tables at the end: table → column → values."""
        return Board.of(event for _, event in self._values_and_rows[1]).tables

    @property
    def selection(self) -> Any:
        """What the person had selected in the views, as it was saved; None if nothing was."""
        return self._window().get("selection")

    def save_selection(self, selection: Any) -> None:
        """Stores a selection (JSON data: entity → ids, names) with the record.

        Raises:
            StorageError: the disk does not allow it, or the record is of a newer version.
        """
        if self.read_only:
            raise StorageError(self._notices[0])
        try:
            write_whole(self.folder / WINDOW, json_text({**self._window(), "selection": selection}, indent=2))
        except OSError as error:
            raise storage_error(error, self.folder) from error

    def refresh(self) -> None:
        """Reads anew what grew since."""
        fresh = RunRecord(self.folder)
        self.close()
        self._described, self._notices, self.header = fresh._described, fresh._notices, fresh.header

    def close(self) -> None:
        """Gives files and memory back; what is asked for afterwards is read again."""
        if "_frames" in self.__dict__:
            self._frames.close()
        for name in ("_lines", "_frames", "_curves", "_values_and_rows", "key_times"):
            self.__dict__.pop(name, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @cached_property
    def _lines(self) -> EventLines:
        return EventLines(self.folder)

    @cached_property
    def _frames(self) -> FrameHistory:
        return FrameHistory(self.folder)

    @cached_property
    def _curves(self) -> tuple[Block, list[str]]:
        for _ in range(3):
            try:
                return read_curves(self.folder)
            except FileNotFoundError:
                continue  # blocks were merged while they were read
        return read_curves(self.folder)

    @cached_property
    def _values_and_rows(self) -> tuple[list[tuple[float, Value]], list[tuple[float, Rows]]]:
        values = [(line.seconds, event) for line, event in self._of("value") if isinstance(event, Value)]
        rows = [(line.seconds, event) for line, event in self._of("rows") if isinstance(event, Rows)]
        return values, rows

    def _of(self, *words: str) -> Iterator[tuple[Line, EngineEvent]]:
        return self._lines.events([line for line in self._lines.lines if line.word in words])

    def _show_latest(self, board: Board, end: float) -> dict[str, int]:
        """Shows each view's last frame; returns view → its sequence number."""
        shown = {}
        for view in list(self._frames.places):
            latest = self._state_before(view, end)
            if latest is not None:
                shown[view] = latest[0]
                board.apply(Show(view, latest[1]))
        return shown

    def _state_before(self, view: str, end: float) -> tuple[int, Any] | None:
        while True:
            sequence = self._frames.latest(view, end) if view in self._frames.places else None
            if sequence is None:
                return None
            state = self._frames.state(view, sequence)
            if state is not None:
                return sequence, state

    def _stretch(self, view: str, points: Points, begin: int | None, end: float) -> Points:
        """The points that belong to the frame with number `begin` (None: before any) and came by `end`.

        They end where the view was shown anew, even if that state was thinned out.
        """
        shown = self._curves[0].shown.get(view, np.empty(0, np.int64))
        start = 0 if begin is None else int(np.searchsorted(points.sequence, begin))
        place = 0 if begin is None else int(np.searchsorted(shown, begin, side="right"))
        stop = int(np.searchsorted(points.seconds, end, side="right"))
        if place < len(shown):
            stop = min(stop, int(np.searchsorted(points.sequence, shown[place])))
        return points.between(start, max(start, stop))

    def _shows(self, end: float) -> Iterator[Timed]:
        frames = [
            (sequence, seconds, view)
            for view, places in self._frames.places.items()
            for sequence, (seconds, _) in places.items()
            if seconds <= end
        ]
        for sequence, seconds, view in sorted(frames):
            state = self._frames.state(view, sequence)
            if state is not None:
                yield sequence, seconds, Show(view, state)

    def _appends(self, end: float) -> list[Iterator[Timed]]:
        streams = []
        for (view, series), points in self._curves[0].curves.items():
            for begin in (None, *self._frames.places.get(view, ())):
                stretch = self._stretch(view, points, begin, end)
                if len(stretch):
                    streams.append(_appends(view, series, stretch))
        return streams

    def _window(self) -> Mapping[str, Any]:
        try:
            stored = json.loads((self.folder / WINDOW).read_bytes())
            return stored if isinstance(stored, dict) else {}
        except (OSError, ValueError):
            return {}


def derived_status(described: Mapping[str, Any]) -> str:
    """The state in a description, corrected by whether its process still runs."""
    status = str(described.get("status", "interrupted"))
    if status not in description.LIVE:
        return status
    heartbeat = described.get("heartbeat")
    return status if process.lives(process.ProcessMark.from_json(described), heartbeat) else "interrupted"


def _appends(view: str, series: str, points: Points) -> Iterator[Timed]:
    window = np.floor(points.seconds / TOGETHER)
    cuts = np.flatnonzero(np.diff(window)) + 1
    for start, stop in zip([0, *cuts], [*cuts, len(points)], strict=True):
        stretch = points.between(int(start), int(stop))
        yield int(stretch.sequence[0]), float(stretch.seconds[-1]), _appended(view, series, stretch)


def _appended(view: str, series: str, points: Points) -> Append:
    spread = (points.low, points.high) if points.spread else (None, None)
    return Append(view, series, points.x, points.y, *spread)
