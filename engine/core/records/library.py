"""The folder of all runs: listed, found, named, deleted and brought back."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.core.errors import StorageError, UnknownNameError
from engine.core.places import cache_folder, data_folder
from engine.core.records import description, lines, lock
from engine.core.records.disk import json_text, storage_error, write_whole
from engine.core.records.header import RunHeader, is_id
from engine.core.records.index import RunIndex, Stamp
from engine.core.records.reader import RunRecord
from engine.core.records.summary import RunSummary, summarise
from engine.core.records.writer import RunWriter

BIN = ".bin"


class Library:
    """Runs under `root`, one folder each. The folders are the truth; the index is a copy of what they say.

    With `folder_only` no index is written (one run, one folder, as the terminal does it). Nothing is made
    on disk before it is needed. May be used from any thread, and by several processes at once.
    """

    def __init__(self, root: Path | None = None, *, folder_only: bool = False) -> None:
        self.root = Path(root if root is not None else data_folder() / "runs").absolute()
        self._index = RunIndex(self.root, None if folder_only else cache_folder())
        self._known = False

    @property
    def notice(self) -> str:
        """A sentence where the index could not be kept as usual, or ""."""
        return self._index.notice

    def create(self, header: RunHeader) -> RunWriter:
        """Begins the record of a run.

        Raises:
            StorageError: it cannot be written.
        """
        writer = RunWriter(self.root / header.id, header)
        self._take_in([writer.folder])
        return writer

    def open(self, id: str) -> RunRecord:
        """The record of a run.

        Raises:
            UnknownNameError: there is none. StorageError: it is damaged.
        """
        return RunRecord(self._folder(id))

    def runs(
        self,
        query: str = "",
        *,
        method: str | None = None,
        sort: str = "created",
        descending: bool = True,
        limit: int | None = None,
    ) -> list[RunSummary]:
        """Runs whose name, tags, note, method, data, parameters or results hold every word of `query`.

        A parameter or result is found as ``name=value`` too. `sort` is an attribute of `RunSummary`, or
        ``parameters.<name>`` or ``results.<name>``; runs without it come last.
        """
        if not self._known:
            self.sync()
        found = self._index.find(query.casefold().split(), method)
        found = [self._present(run) if run.is_live else run for run in found]
        return sorted_runs(found, sort, descending)[:limit]

    def rename(self, id: str, name: str) -> None:
        """Gives a run a name. Raises as `open`, and StorageError where it cannot be written."""
        self._label(id, name=name)

    def tag(self, id: str, tags: Iterable[str]) -> None:
        """Gives a run these tags in place of those it has."""
        self._label(id, tags=list(dict.fromkeys(tag.strip() for tag in tags if tag.strip())))

    def note(self, id: str, text: str) -> None:
        """Gives a run a note."""
        self._label(id, note=text)

    def delete(self, ids: Iterable[str]) -> list[str]:
        """Moves runs to the bin; the names returned bring them back with `restore`.

        Raises:
            StorageError: one is being written, or cannot be moved; those before it are in the bin.
            UnknownNameError: one does not exist.
        """
        ids = list(ids)
        for id in ids:
            holder = lock.holder(self._folder(id))
            if holder is not None:
                raise StorageError(f"Run {id} is still on its way: stop it before it is deleted.")
        return [self._move(self.root / id, self.root / BIN) for id in ids]

    def bin(self) -> list[RunSummary]:
        """The deleted runs, the latest first."""
        folders = _folders(self.root / BIN)
        return sorted_runs([summarise(folder)[0] for folder in folders], "created", True)

    def restore(self, names: Iterable[str]) -> list[str]:
        """Brings deleted runs back; returns their ids.

        Raises:
            UnknownNameError: one is not in the bin. StorageError: one cannot be moved.
        """
        return [self._move(self._folder(name, BIN), self.root) for name in names]

    def empty_bin(self) -> None:
        """Deletes for good what is in the bin.

        Raises:
            StorageError: the disk does not allow it.
        """
        try:
            if (self.root / BIN).exists():
                shutil.rmtree(self.root / BIN)
        except OSError as error:
            raise storage_error(error, self.root / BIN) from error

    def sync(self) -> set[str]:
        """Takes in what other processes made, changed or removed; returns the runs that are different."""
        folders = {folder.name: folder for folder in _folders(self.root)}
        known = self._index.stamps()
        changed = [folder for name, folder in folders.items() if known.get(name) != _stamp(folder)]
        gone = set(known) - set(folders)
        if changed:
            self._take_in(changed)
        if gone:
            self._index.remove(gone)
        self._known = True
        return gone | {folder.name for folder in changed}

    def rebuild(self) -> None:
        """Makes the index anew from the folders."""
        self._index.clear()
        self.sync()

    def close(self) -> None:
        """Gives the index file back; it is opened again when needed."""
        self._index.close()

    def _take_in(self, folders: Iterable[Path]) -> None:
        entries = []
        for folder in folders:
            stamp = _stamp(folder)
            summary, search = summarise(folder)
            entries.append((summary, search, stamp))
        self._index.put(entries)

    def _present(self, run: RunSummary) -> RunSummary:
        """A run that was on its way when it was taken in, as it is now."""
        return summarise(run.folder)[0] if run.folder.is_dir() else run

    def _label(self, id: str, **changes: Any) -> None:
        record = self.open(id)
        if record.read_only:
            raise StorageError(record.notices[0])
        try:
            label = {**description.label(record.folder), **changes}
            write_whole(record.folder / description.LABEL, json_text(label, indent=2), durable=True)
        except OSError as error:
            raise storage_error(error, record.folder) from error
        self._take_in([record.folder])

    def _folder(self, id: str, below: str = "") -> Path:
        folder = self.root / below / id
        if not id or id in (".", "..") or Path(id).name != id or not folder.is_dir():
            known = [item.name for item in _folders(self.root / below)]
            raise UnknownNameError("run", id, known[-20:])
        return folder

    def _move(self, source: Path, into: Path) -> str:
        name, count = source.name, 1
        try:
            into.mkdir(parents=True, exist_ok=True)
            while (into / name).exists():
                count += 1
                name = f"{re.sub(r'~[0-9]+$', '', source.name)}~{count}"
            os.rename(source, into / name)
        except OSError as error:
            raise storage_error(error, source) from error
        if into == self.root:
            self._take_in([into / name])
        else:
            self._index.remove([source.name])
        return name


def sorted_runs(runs: list[RunSummary], sort: str, descending: bool) -> list[RunSummary]:
    """`runs` by an attribute, a parameter or a result; numbers before words, runs without it last."""
    group, _, name = sort.partition(".")

    def value(run: RunSummary) -> Any:
        if group in ("parameters", "results"):
            return getattr(run, group).get(name)
        return getattr(run, sort)

    present: list[tuple[tuple, RunSummary]] = []
    absent: list[RunSummary] = []
    for run in runs:
        key = _sort_key(value(run))
        present.append((key, run)) if key is not None else absent.append(run)
    present.sort(key=lambda pair: (pair[0], pair[1].id), reverse=descending)
    return [run for _, run in present] + absent


def _sort_key(value: Any) -> tuple | None:
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, (int, float)):
        return (0, value, "")
    return (1, 0, str(value).casefold())


def _folders(root: Path) -> list[Path]:
    """The folders of runs in order of their names, damaged ones too; hidden ones are the library's own."""
    found = []
    with contextlib.suppress(FileNotFoundError), os.scandir(root) as entries:
        found = [root / e.name for e in entries if not e.name.startswith(".") and e.is_dir()]
    return sorted(folder for folder in found if is_id(folder.name) or _holds_a_run(folder))


def _holds_a_run(folder: Path) -> bool:
    return any((folder / name).exists() for name in (description.NAME, lines.NAME, lock.NAME))


def _stamp(folder: Path) -> Stamp:
    times = []
    for name in (description.NAME, description.LABEL):
        try:
            times.append(os.stat(folder / name).st_mtime_ns)
        except OSError:
            times.append(0)
    return times[0], times[1]
