"""Points of curves in a record: kept whole, in blocks that say when and in which order they came.

A block is ``curves/<first>-<last>.npz``, named after the sequence numbers it covers. Its ``index.json``
lists the curves; curve i has the arrays ``c<i>.x``, ``.y``, ``.low`` and ``.high`` (if given),
``.sequence`` (int64) and ``.seconds`` (float64), all of one length. ``shown<i>`` are the sequence numbers
at which a lines view was shown anew, which ends the curves appended before. Blocks are merged as they
become many, and into one ``curves.npz`` at the end; a block covered by a larger one does not count.
"""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.core.events import Append, Numbers
from engine.core.records.disk import Put
from engine.core.records.npz import array_of, member, pack

FOLDER = "curves"
WHOLE = "curves.npz"
#: So many blocks of about one size become one.
MERGED = 32
#: Blocks of more bytes than this together stay as they are, since merging takes the memory twice.
MOST_MERGED = 256 << 20
COLUMNS = ("x", "y", "low", "high", "sequence", "seconds")

Point = tuple[int, float, Numbers, Numbers, Numbers | None, Numbers | None]


@dataclass
class Points:
    """Points of one curve in the order they came: x, y, low, high, sequence, seconds, each (n,).

    `spread` is False where low and high were never given; they are NaN then.
    """

    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    sequence: np.ndarray
    seconds: np.ndarray
    spread: bool

    @classmethod
    def of(cls, columns: Sequence[np.ndarray], spread: bool) -> Points:
        """The points with these columns, in the order of `COLUMNS`."""
        x, y, low, high, sequence, seconds = columns
        return cls(x, y, low, high, sequence, seconds, spread)

    @classmethod
    def joined(cls, parts: list[Points]) -> Points:
        """Several stretches one after the other."""
        if len(parts) == 1:
            return parts[0]
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS]
        return cls.of(columns, any(part.spread for part in parts))

    def __len__(self) -> int:
        return len(self.x)

    def between(self, start: int, stop: int) -> Points:
        """The points with numbers start…stop−1, as views."""
        return Points.of([getattr(self, name)[start:stop] for name in COLUMNS], self.spread)


@dataclass
class Block:
    """The points of all curves that came between the sequence numbers `first` and `last`."""

    first: int
    last: int
    curves: dict[tuple[str, str], Points] = field(default_factory=dict)
    shown: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return f"{FOLDER}/{self.first:012d}-{self.last:012d}.npz"

    @property
    def size(self) -> int:
        """Points in all curves."""
        return sum(len(points) for points in self.curves.values())

    def content(self) -> bytes:
        """The block as an NPZ file."""
        arrays: dict[str, np.ndarray] = {}
        index = []
        for number, ((view, series), points) in enumerate(self.curves.items()):
            names = COLUMNS if points.spread else tuple(c for c in COLUMNS if c not in ("low", "high"))
            arrays.update({f"c{number}.{name}": getattr(points, name) for name in names})
            index.append({"view": view, "series": series, "points": len(points), "spread": points.spread})
        arrays.update({f"shown{number}": sequence for number, sequence in enumerate(self.shown.values())})
        head = {"first": self.first, "last": self.last, "curves": index, "shown": list(self.shown)}
        return pack(arrays, {"index": head})

    @classmethod
    def read(cls, path: Path) -> Block:
        """Raises OSError, KeyError, ValueError, BadZipFile or StorageError where it is damaged."""
        with zipfile.ZipFile(path) as file:
            index = json.loads(member(file, "index.json"))
            block = cls(index["first"], index["last"])
            for number, curve in enumerate(index["curves"]):
                arrays = [
                    array_of(file, f"c{number}.{name}")
                    if curve["spread"] or name not in ("low", "high")
                    else np.full(curve["points"], np.nan)
                    for name in COLUMNS
                ]
                points = Points.of(arrays, curve["spread"])
                block.curves[curve["view"], curve["series"]] = points
            for number, view in enumerate(index["shown"]):
                block.shown[view] = array_of(file, f"shown{number}")
        return block

    @classmethod
    def joined(cls, blocks: list[Block]) -> Block:
        """One block of several that follow each other."""
        whole = cls(blocks[0].first, blocks[-1].last)
        for key in dict.fromkeys(key for block in blocks for key in block.curves):
            whole.curves[key] = Points.joined([b.curves[key] for b in blocks if key in b.curves])
        for view in dict.fromkeys(view for block in blocks for view in block.shown):
            whole.shown[view] = np.concatenate([b.shown[view] for b in blocks if view in b.shown])
        return whole


class Collector:
    """Gathers appended points between two flushes; `add` is all that happens for a single point."""

    def __init__(self) -> None:
        self._points: dict[tuple[str, str], list[Point]] = {}
        self._shown: dict[str, list[int]] = {}

    def add(self, sequence: int, seconds: float, event: Append) -> None:
        """Points of one event."""
        point = (sequence, seconds, event.x, event.y, event.low, event.high)
        try:
            self._points[event.view, event.series].append(point)
        except KeyError:
            self._points[event.view, event.series] = [point]

    def show(self, sequence: int, view: str) -> None:
        """The lines view was shown anew."""
        self._shown.setdefault(view, []).append(sequence)

    def block(self, first: int, last: int) -> tuple[Block | None, list[str]]:
        """What was gathered, and sentences for what could not be used; begins anew."""
        block = Block(first, last)
        complaints = []
        for key, points in self._points.items():
            try:
                block.curves[key] = _columns(points)
            except (TypeError, ValueError) as error:
                complaints.append(f"Points of “{key[1]}” in {key[0]} could not be stored: {error}")
        block.shown = {view: np.array(numbers, np.int64) for view, numbers in self._shown.items()}
        self._points, self._shown = {}, {}
        return (block if block.curves or block.shown else None), complaints


def _columns(points: list[Point]) -> Points:
    parts: list[Points] = []
    begin = 0
    for place, point in enumerate(points):
        if isinstance(point[2], np.ndarray) and point[2].ndim:
            if begin < place:
                parts.append(_single(points[begin:place]))
            parts.append(_several(point))
            begin = place + 1
    if begin < len(points):
        parts.append(_single(points[begin:]))
    return Points.joined(parts)


def _single(points: list[Point]) -> Points:
    sequence, seconds, x, y, low, high = zip(*points, strict=True)
    spread = low.count(None) < len(low)
    if spread:
        low, high = (tuple(np.nan if v is None else v for v in column) for column in (low, high))
    count = len(points)
    bounds = [np.array(c, np.float64) if spread else np.full(count, np.nan) for c in (low, high)]
    columns = [np.array(x, np.float64), np.array(y, np.float64), *bounds]
    return _checked(columns, np.array(sequence, np.int64), np.array(seconds), spread)


def _several(point: Point) -> Points:
    sequence, seconds, *values = point
    count = len(values[0])  # type: ignore[arg-type]
    columns = [np.full(count, np.nan) if v is None else np.array(v, np.float64) for v in values]
    times = np.full(count, sequence, np.int64), np.full(count, seconds)
    return _checked(columns, *times, values[2] is not None)


def _checked(columns: list[np.ndarray], sequence: np.ndarray, seconds: np.ndarray, spread: bool) -> Points:
    shapes = {column.shape for column in columns}
    if shapes != {sequence.shape}:
        raise ValueError(f"columns of unequal shape {sorted(shapes)}")
    # Whole microseconds, as in the lines and frames they are compared with.
    return Points.of([*columns, sequence, np.round(seconds, 6)], spread)


def blocks_of(folder: Path) -> list[tuple[int, int, Path]]:
    """The blocks under ``curves/`` that count, in order: first, last, path."""
    found = []
    for path in (folder / FOLDER).glob("*.npz"):
        first, _, last = path.stem.partition("-")
        if first.isdigit() and last.isdigit():
            found.append((int(first), int(last), path))
    found.sort(key=lambda block: (block[0], -block[1]))
    counted: list[tuple[int, int, Path]] = []
    for block in found:
        if not counted or block[0] > counted[-1][1]:
            counted.append(block)
    return counted


def read_curves(folder: Path) -> tuple[Block, list[str]]:
    """All points of a record, and sentences for blocks that cannot be read."""
    blocks: list[Block] = []
    damage: list[str] = []
    # Blocks are listed first: when they are being merged, either they or the whole is there.
    paths = [path for _, _, path in blocks_of(folder)]
    if (folder / WHOLE).exists():
        paths.insert(0, folder / WHOLE)
    for path in paths:
        try:
            block = Block.read(path)
        except FileNotFoundError:
            raise
        except Exception as error:  # a damaged block may fail in any way; the others count
            damage.append(f"{path.name} cannot be read ({error}): its points are missing")
            continue
        if not blocks or block.first > blocks[-1].last:
            blocks.append(block)
    return (Block.joined(blocks) if blocks else Block(0, -1)), damage


def merge_all(folder: Path) -> None:
    """All blocks become one ``curves.npz``; where a block is damaged all stay as they are.

    Raises:
        OSError: no room; all that was there still is.
    """
    paths = [path for _, _, path in blocks_of(folder)]
    if not paths or sum(path.stat().st_size for path in paths) > MOST_MERGED:
        return
    block, damage = read_curves(folder)
    if damage:
        return
    Put(folder, WHOLE, block.content(), durable=True).carry_out()
    _remove((folder / FOLDER).glob("*.npz"))
    with contextlib.suppress(OSError):
        (folder / FOLDER).rmdir()


class Merger:
    """Keeps blocks few while a run goes on: 32 of one level become one of the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._levels: list[list[str]] = [[]]

    def added(self, place: str) -> None:
        """A new block lies at `place`."""
        self._levels[0].append(place)

    def merge(self) -> None:
        """Merges where a level is full.

        Raises:
            OSError and what `Block.read` raises; all that was there still is.
        """
        for level, places in enumerate(self._levels):
            if len(places) >= MERGED and self._size(places) <= MOST_MERGED:
                joined = Block.joined([Block.read(self._folder / place) for place in places])
                Put(self._folder, joined.place, joined.content()).carry_out()
                _remove(self._folder / place for place in places)
                self._levels[level] = []
                if level + 1 == len(self._levels):
                    self._levels.append([])
                self._levels[level + 1].append(joined.place)
                return

    def _size(self, places: list[str]) -> int:
        return sum((self._folder / place).stat().st_size for place in places)

    def forget(self) -> None:
        """All blocks were merged into one."""
        self._levels = [[]]


def _remove(paths: Iterable[Path]) -> None:
    for path in list(paths):
        path.unlink(missing_ok=True)
