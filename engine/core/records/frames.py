"""Key frames: the states views showed, at most three hundred a view, thinned evenly as more come.

While a run goes on a frame is ``frames/<view>/<sequence>-<microseconds>.npz`` with ``state.json`` and the
state's small arrays; larger arrays are named by hash and lie in ``arrays/``. At the end all become one
``frames.npz`` with the same files in a folder per frame and an ``index.json``.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.encoding import decode, encode
from engine.core.records.arrays import (
    SHARED,
    ArrayStore,
    StoredArrays,
    put_lists_back,
    take_out_lists,
)
from engine.core.records.disk import Put, Remove, Step, file_name, json_text, plain_name
from engine.core.records.npz import NpzWriter, array_of, member
from engine.core.views import ViewState

FOLDER = "frames"
WHOLE = "frames.npz"
MOST_FRAMES = 300
#: A view whose frames take more bytes than this keeps fewer of them, but never fewer than FEWEST.
MOST_BYTES = 128 << 20
FEWEST = 32
#: Frames of more bytes than this stay files of their own, since merging takes the memory twice.
MOST_MERGED = 256 << 20

Shown = tuple[int, float, ViewState]


@dataclass
class Frame:
    """One kept state: the number of the Show among those of its view, and where it lies."""

    view: str
    number: int
    sequence: int
    seconds: float
    bytes: int
    shared: list[str]
    merged: bool = False

    @property
    def place(self) -> str:
        name = f"{self.sequence:012d}-{round(self.seconds * 1e6):015d}.npz"
        return f"{FOLDER}/{file_name(self.view)}/{name}"


@dataclass
class _View:
    stride: int = 1
    count: int = 0
    frames: list[Frame] = field(default_factory=list)


class FrameKeeper:
    """Decides which states are kept: every stride-th of a view, the first and the latest always."""

    def __init__(self, folder: Path, arrays: ArrayStore) -> None:
        self._folder = folder
        self._arrays = arrays
        self._views: dict[str, _View] = {}
        self._stale: list[Frame] = []

    @property
    def count(self) -> int:
        """Frames of all views."""
        return sum(len(view.frames) for view in self._views.values())

    def keep(self, name: str, shown: list[Shown]) -> tuple[list[Step], list[str]]:
        """The steps that store the states `shown` since the last call, and complaints about them."""
        view = self._views.setdefault(name, _View())
        numbered = list(enumerate(shown, start=view.count))
        view.count += len(shown)
        while self._kept(view, numbered) > MOST_FRAMES - 1:
            view.stride *= 2
        steps: list[Step] = []
        complaints = []
        for number, (sequence, seconds, state) in numbered:
            if number % view.stride == 0 or number == view.count - 1:
                try:
                    frame, stored = self._store(name, number, sequence, seconds, state)
                except Exception as error:  # one state without a stored form must not cost the others
                    complaints.append(f"A state of view {name} could not be stored: {error}")
                    continue
                view.frames.append(frame)
                steps += stored
        return steps + self._thin(view), complaints

    def merge_all(self) -> None:
        """All frames become one ``frames.npz``.

        Raises:
            OSError: no room; all that was there still is.
        """
        loose = [frame for view in self._views.values() for frame in view.frames if not frame.merged]
        if not loose:
            return
        if sum(frame.bytes for view in self._views.values() for frame in view.frames) > MOST_MERGED:
            return
        wanted = {frame.sequence for view in self._views.values() for frame in view.frames}
        history = FrameHistory(self._folder)
        try:
            content = _merged(history, wanted)
        finally:
            history.close()
        Put(self._folder, WHOLE, content, durable=True).carry_out()
        for frame in loose:
            frame.merged = True
        shutil.rmtree(self._folder / FOLDER, ignore_errors=True)
        for frame in self._stale:
            for step in self._arrays.release(frame.shared):
                step.carry_out()
        self._stale = []

    def _kept(self, view: _View, numbered: list[tuple[int, Shown]]) -> int:
        held = sum(frame.number % view.stride == 0 for frame in view.frames)
        return held + sum(number % view.stride == 0 for number, _ in numbered)

    def _store(
        self, view: str, number: int, sequence: int, seconds: float, state: ViewState
    ) -> tuple[Frame, list[Step]]:
        tree, arrays = encode(state)
        tree = take_out_lists(tree, arrays)
        file = NpzWriter()
        stored: dict[str, str] = {}
        steps: list[Step] = []
        for name, array in arrays.items():
            if array.nbytes > SHARED:
                stored[name], more = self._arrays.keep(array)
                steps += more
            else:
                file.array(name, array)
        file.text("state", {"state": tree, "arrays": sorted(set(arrays) - set(stored)), "shared": stored})
        content = file.content()
        frame = Frame(view, number, sequence, seconds, len(content), list(stored.values()))
        return frame, [*steps, Put(self._folder, frame.place, content)]

    def _thin(self, view: _View) -> list[Step]:
        steps = self._drop(view)
        while len(view.frames) > FEWEST and self._bytes(view) > MOST_BYTES:
            view.stride *= 2
            steps += self._drop(view)
        return steps

    def _drop(self, view: _View) -> list[Step]:
        steps: list[Step] = []
        kept = []
        for frame in view.frames:
            if frame.number % view.stride == 0 or frame is view.frames[-1]:
                kept.append(frame)
            elif frame.merged:
                self._stale.append(frame)
            else:
                steps += [Remove(self._folder / frame.place), *self._arrays.release(frame.shared)]
        view.frames = kept
        return steps

    def _bytes(self, view: _View) -> int:
        shared = {key for frame in view.frames for key in frame.shared}
        return sum(frame.bytes for frame in view.frames) + sum(self._arrays.size(key) for key in shared)


class FrameHistory:
    """The frames of a record on disk, read one by one when asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stored = StoredArrays(folder)
        self._whole: zipfile.ZipFile | None = None
        self._last: dict[str, tuple[int, ViewState]] = {}
        self._sequences: dict[str, np.ndarray] = {}
        self._seconds: dict[str, np.ndarray] = {}
        self._whole_damage: list[str] = []
        self._bad: dict[tuple[str, int], str] = {}
        self.places: dict[str, dict[int, tuple[float, Path | None]]] = {}
        self.relist()

    def relist(self) -> None:
        """Looks anew at what is there: view → sequence → seconds and file (None: in ``frames.npz``)."""
        self.close()
        self.places, self._whole_damage = {}, []
        for path in (self._folder / FOLDER).glob("*/*.npz"):
            sequence, _, micros = path.stem.partition("-")
            if sequence.isdigit() and micros.isdigit():
                frames = self.places.setdefault(plain_name(path.parent.name), {})
                frames[int(sequence)] = int(micros) / 1e6, path
        # After the loose ones: when these are being merged, one of both lists holds them.
        self._list_whole()
        self.places = {view: dict(sorted(frames.items())) for view, frames in self.places.items()}
        for view, bad in self._bad:
            self.places.get(view, {}).pop(bad, None)
        for view in self.places:
            self._order(view)

    def times(self) -> np.ndarray:
        """Seconds at which any view has a frame, ascending, each once."""
        return np.unique(np.concatenate([np.empty(0), *(self._seconds[view] for view in self.places)]))

    def latest(self, view: str, seconds: float) -> int | None:
        """The sequence number of the last frame of `view` at or before `seconds`."""
        count = int(np.searchsorted(self._seconds[view], seconds, side="right"))
        return int(self._sequences[view][count - 1]) if count else None

    def state(self, view: str, sequence: int) -> ViewState | None:
        """The state of a frame; None if it was thinned out meanwhile or is damaged, and no longer listed."""
        for last_try in (False, True):
            try:
                return self._state(view, sequence)
            except Exception as error:  # damaged bytes may fail in any way
                if last_try:
                    self._bad[view, sequence] = f"frame {sequence} of view {view} cannot be read ({error})"
                self.relist()
                if sequence not in self.places.get(view, ()):
                    return None
        return None

    @property
    def damage(self) -> list[str]:
        """Sentences, without their end, for what cannot be read."""
        return [*self._whole_damage, *self._bad.values()]

    def files(self, sequence: int, path: Path | None) -> dict[str, bytes]:
        """The files of a frame as they are."""
        if path is not None:
            with zipfile.ZipFile(path) as file:
                return {name: member(file, name) for name in file.namelist()}
        assert self._whole is not None
        head = f"{sequence}/"
        names = [f"{head}state.json"]
        described = json.loads(member(self._whole, names[0]))
        names += [f"{head}{name}.npy" for name in described["arrays"]]
        return {name.removeprefix(head): member(self._whole, name) for name in names}

    def close(self) -> None:
        """Gives file and memory back."""
        if self._whole is not None:
            self._whole.close()
            self._whole = None
        self._last = {}
        self._stored.clear()

    def _state(self, view: str, sequence: int) -> ViewState:
        if view in self._last and self._last[view][0] == sequence:
            return self._last[view][1]
        tree, arrays, shared = self._parts(sequence, self.places[view][sequence][1])
        mapping = {**arrays, **{name: self._stored[key] for name, key in shared.items()}}
        state: ViewState = decode(put_lists_back(tree, mapping), mapping)
        self._last[view] = sequence, state
        return state

    def _order(self, view: str) -> None:
        frames = self.places[view]
        self._sequences[view] = np.array(list(frames), np.int64)
        self._seconds[view] = np.array([seconds for seconds, _ in frames.values()], np.float64)

    def _list_whole(self) -> None:
        path = self._folder / WHOLE
        if not path.exists():
            return
        try:
            self._whole = zipfile.ZipFile(path)
            for frame in json.loads(member(self._whole, "index.json")):
                frames = self.places.setdefault(frame["view"], {})
                frames[frame["sequence"]] = frame["seconds"], None
        except Exception as error:  # a damaged file may fail in any way; loose frames still count
            self._whole_damage.append(f"{WHOLE} cannot be read ({error}): its frames are missing")

    def _parts(
        self, sequence: int, path: Path | None
    ) -> tuple[Any, dict[str, np.ndarray], Mapping[str, str]]:
        if path is None:
            assert self._whole is not None
            return _read_frame(self._whole, f"{sequence}/")
        with zipfile.ZipFile(path) as file:
            return _read_frame(file, "")


def _read_frame(file: zipfile.ZipFile, head: str) -> tuple[Any, dict[str, np.ndarray], Mapping[str, str]]:
    described = json.loads(member(file, f"{head}state.json"))
    arrays = {name: array_of(file, head + name) for name in described["arrays"]}
    return described["state"], arrays, described["shared"]


def _merged(history: FrameHistory, wanted: set[int]) -> bytes:
    file = NpzWriter()
    index = []
    for view, frames in history.places.items():
        for sequence, (seconds, path) in frames.items():
            if sequence not in wanted:
                continue
            with contextlib.suppress(FileNotFoundError):
                for name, content in history.files(sequence, path).items():
                    file.raw(f"{sequence}/{name}", content)
                index.append({"view": view, "sequence": sequence, "seconds": seconds})
    file.raw("index.json", json_text(index))
    return file.content()
