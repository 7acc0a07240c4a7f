"""The SQLite index of a library: a copy of what the folders say, for a fast list. It may be lost any time."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from engine.core.errors import StorageError
from engine.core.records.summary import RunSummary

T = TypeVar("T")
Stamp = tuple[int, int]

#: Another number makes the index anew from the folders.
SCHEMA = 1
#: Seconds to wait for another process before the index counts as locked for good.
PATIENCE = 3.0
#: File systems on which the memory that write-ahead logging shares between processes does not work.
NETWORK = {
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "afpfs",
    "9p",
    "fuse.sshfs",
    "lustre",
    "beegfs",
    "afs",
    "webdav",
}

_STORED = [field.name for field in dataclasses.fields(RunSummary) if field.name != "folder"]
_COLUMNS = [*_STORED, "search", "stamp", "label_stamp"]
_SELECT = f"SELECT {', '.join(_STORED)} FROM runs"


class RunIndex:
    """Summaries by id. Where the index cannot lie beside the runs it lies in `spare`; `notice` says so."""

    def __init__(self, root: Path, cache: Path | None) -> None:
        """`cache` is the machine's own folder for such cases; None keeps the index in memory alone."""
        self._root = root
        self._place = root / "index.sqlite" if cache else None
        name = hashlib.blake2b(os.fsencode(root), digest_size=8).hexdigest()
        self._spare = cache / f"runs-{name}.sqlite" if cache else None
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self.notice = ""

    def put(self, entries: Iterable[tuple[RunSummary, str, Stamp]]) -> None:
        """Adds or replaces runs: summary, text it is found by, times at which its files were changed."""
        marks = ", ".join("?" * len(_COLUMNS))
        rows = [_row(*entry) for entry in entries]
        statement = f"INSERT OR REPLACE INTO runs ({', '.join(_COLUMNS)}) VALUES ({marks})"
        self._do(lambda connection: connection.executemany(statement, rows))

    def remove(self, ids: Iterable[str]) -> None:
        """Forgets runs."""
        rows = [(id,) for id in ids]
        self._do(lambda connection: connection.executemany("DELETE FROM runs WHERE id = ?", rows))

    def clear(self) -> None:
        """Forgets all."""
        self._do(lambda connection: connection.execute("DELETE FROM runs"))

    def stamps(self) -> dict[str, Stamp]:
        """Run → the times its files had when it was taken in."""
        rows = self._do(lambda c: c.execute("SELECT id, stamp, label_stamp FROM runs").fetchall())
        return {id: (stamp, label) for id, stamp, label in rows}

    def find(self, words: Iterable[str], method: str | None) -> list[RunSummary]:
        """The runs of `method` (None: any) whose text holds each of `words` (casefolded)."""
        parts = [*(("method = ?", method) for _ in [0] if method is not None)]
        parts += [("instr(search, ?) > 0", word) for word in words]
        where = f" WHERE {' AND '.join(part for part, _ in parts)}" if parts else ""
        values = [value for _, value in parts]
        rows = self._do(lambda connection: connection.execute(_SELECT + where, values).fetchall())
        return [self._summary(row) for row in rows]

    def close(self) -> None:
        """Gives the file back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _summary(self, row: tuple) -> RunSummary:
        parts = dict(zip(_STORED, row, strict=True))
        tags = tuple(json.loads(parts["tags"])) if parts["tags"] != "[]" else ()
        return RunSummary(**{**parts, "folder": self._root / parts["id"], "tags": tags})

    def _do(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Carries out `operation`; an index that fails is replaced by a new, empty one, once or twice."""
        with self._lock:
            for attempt in range(3):
                try:
                    if self._connection is None:
                        self._connection = self._opened()
                    with self._connection:
                        return operation(self._connection)
                except sqlite3.Error as error:
                    self._give_up(error, attempt)
            raise StorageError(f"The list of runs in {self._root} cannot be kept.")

    def _opened(self) -> sqlite3.Connection:
        if self._place is None:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
        else:
            with contextlib.suppress(OSError):
                self._place.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._place, timeout=PATIENCE, check_same_thread=False)
        try:
            self._choose_journal(connection)
            if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
                _make_tables(connection)
            connection.execute("SELECT count(*) FROM runs").fetchone()
            return connection
        except sqlite3.Error:
            connection.close()
            raise

    def _choose_journal(self, connection: sqlite3.Connection) -> None:
        if self._place is None:
            return
        journal = ""
        if not is_on_network(self._place):
            with contextlib.suppress(sqlite3.OperationalError):
                journal = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if journal != "wal":
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            self.notice = self.notice or (
                "The list of runs is kept with a rollback journal, as write-ahead logging does not work "
                f"in {self._root}."
            )
        connection.execute("PRAGMA synchronous=NORMAL")

    def _give_up(self, error: sqlite3.Error, attempt: int) -> None:
        """A damaged index is thrown away; one that is locked or cannot be written moves to the cache."""
        self.close()
        if self._place is None:
            raise StorageError(f"The list of runs cannot be kept: {error}.") from error
        if attempt == 0 and not isinstance(error, sqlite3.OperationalError):
            for end in ("", "-wal", "-shm", "-journal"):
                with contextlib.suppress(OSError):
                    self._place.with_name(self._place.name + end).unlink()
            return
        if self._place == self._spare:
            self._place = None
            self.notice = f"The list of runs is kept in memory only ({error})."
            return
        assert self._spare is not None
        self._place = self._spare
        with contextlib.suppress(OSError):
            self._spare.parent.mkdir(parents=True, exist_ok=True)
        self.notice = (
            f"The list of runs cannot be kept in {self._root} ({error}); it lies in {self._spare.parent}."
        )


def is_on_network(path: Path) -> bool:
    """Whether the file system that holds `path` is shared over a network."""
    import psutil

    best, kind = "", ""
    with contextlib.suppress(Exception):  # what cannot be told counts as local; SQLite is asked next
        for partition in psutil.disk_partitions(all=True):
            mount = partition.mountpoint
            if path.is_relative_to(mount) and len(mount) >= len(best):
                best, kind = mount, partition.fstype.lower()
    return kind in NETWORK


def _make_tables(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA:
            return  # another process was faster
        connection.execute("DROP TABLE IF EXISTS runs")
        columns = ", ".join(name for name in _COLUMNS if name != "id")
        connection.execute(f"CREATE TABLE runs (id TEXT PRIMARY KEY, {columns})")
        connection.execute("CREATE INDEX runs_by_method ON runs (method)")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _row(summary: RunSummary, search: str, stamp: Stamp) -> tuple:
    values = [getattr(summary, name) for name in _STORED]
    values[_STORED.index("tags")] = json.dumps(summary.tags)
    clean = [_storable(value) for value in values]
    return (*clean, _storable(search), *stamp)


def _storable(value: object) -> object:
    """Half surrogate pairs have no UTF-8 form; the index may show them as question marks."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
