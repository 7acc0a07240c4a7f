"""Workers of a Dask cluster: its scheduler brings runs to its machines, and again where one was lost.

Needs no shared disk: the person's file travels to the workers, and the record of a finished run comes back
as a zip, which is unpacked with the checks of any import. Optional: the extra ``dask``.
"""

from __future__ import annotations

import contextlib
import queue
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.errors import FieldError, MissingExtraError, PapertabError, RunError, StorageError
from engine.core.records.archive import import_runs
from engine.core.records.header import versions
from engine.core.records.library import Library
from engine.core.sweeps import remote
from engine.core.sweeps.task import RunTask
from engine.core.sweeps.workers import News

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 15.0
AHEAD = 2
"""Runs given to the scheduler for each thread of the cluster."""
CLOSE_SECONDS = 5.0
COUNT_EVERY = 5.0
"""Seconds between two looks at how large the cluster is."""


class ClusterWorkers:
    """The cluster behind the scheduler at `address`.

    Raises:
        MissingExtraError: `distributed` is not installed.
        FieldError: no scheduler answers there, or its workers cannot carry out runs of this Papertab.
    """

    def __init__(self, address: str, sweep: str) -> None:
        try:
            from distributed import Client, Event
        except ImportError:
            raise MissingExtraError("a sweep on a Dask cluster", "dask") from None
        self._address, self._sweep = address, sweep
        self._client: Client = _connected(Client, address)
        self.notes = _checked(self._client, address)
        self._topic = f"papertab-{sweep}-{time.time_ns():x}"
        self._halt = Event(f"{self._topic}-stop", client=self._client)
        self._news: queue.Queue[News | tuple[RunTask, Future]] = queue.Queue()
        self._stopping = False
        self._futures: dict[str, Future] = {}
        self._files: dict[str, Future] = {}
        self._given = 0
        self._size, self._counted = 1, 0.0
        self._client.subscribe_topic(self._topic, self._on_progress)

    @property
    def slots(self) -> int:
        now = time.monotonic()
        if now - self._counted > COUNT_EVERY:
            self._counted = now
            # A scheduler that does not answer is noticed by `news`; until then the last count holds.
            with contextlib.suppress(OSError, RuntimeError):
                self._size = max(1, sum(self._client.nthreads().values()))
        return self._size

    def has_room(self, running: int) -> bool:
        return running < AHEAD * self.slots

    def give(self, task: RunTask) -> None:
        self._look_at_the_scheduler()
        self._given += 1
        future = self._client.submit(
            remote.carry_out,
            task.as_json(),
            self._file(task),
            self._topic,
            key=f"papertab-{self._sweep}-{task.key}-{self._given}",
            pure=False,
        )
        self._futures[task.key] = future
        future.add_done_callback(lambda done: self._news.put((task, done)))

    def news(self, seconds: float) -> list[News]:
        found: list[News] = []
        self._look_at_the_scheduler()
        try:
            item = self._news.get(timeout=seconds)
        except queue.Empty:
            return found
        while True:
            found.append(item if isinstance(item, News) else self._ended(*item))
            try:
                item = self._news.get_nowait()
            except queue.Empty:
                return found

    def stop(self) -> None:
        self._stopping = True
        self._halt.set()
        begun = {key for keys in self._client.processing().values() for key in keys}
        for future in list(self._futures.values()):
            if future.key not in begun:
                future.cancel()

    def close(self) -> None:
        if self._client.status == "running":
            with contextlib.suppress(OSError, RuntimeError):
                self._halt.set()
                self._client.cancel(list(self._futures.values()))
                self._client.unsubscribe_topic(self._topic)
        self._client.close(timeout=CLOSE_SECONDS)

    def _file(self, task: RunTask) -> Future | None:
        """The person's file, sent once; None for a set that comes with Papertab, or a folder."""
        path = Path(task.read_from)
        if not path.is_file():
            return None
        if task.read_from not in self._files:
            content = (path.name, path.read_bytes())
            # In as many copies as there are workers: losing one loses no data.
            self._files[task.read_from] = self._client.scatter(content, broadcast=True)
        return self._files[task.read_from]

    def _on_progress(self, event: tuple[float, Mapping[str, Any]]) -> None:
        told = event[1]
        self._news.put(News(told["key"], "progress", told["fraction"], told["phase"]))

    def _ended(self, task: RunTask, future: Future) -> News:
        self._futures.pop(task.key, None)
        if future.status == "cancelled":
            self._files.clear()
            return News(task.key, "stopped" if self._stopping else "lost")
        if future.status == "error":
            return _lost_or_failed(task.key, future.exception())
        outcome, packed = future.result()
        future.release()
        return self._unpacked(task, outcome, packed)

    def _unpacked(self, task: RunTask, outcome: Mapping[str, Any], packed: bytes | None) -> News:
        if packed is not None:
            try:
                _unpack(packed, Path(task.folder))
            except (StorageError, OSError) as error:
                return News(task.key, "stopped", reason=str(error))
        return News(
            task.key,
            outcome["ended"],
            seconds=float(outcome.get("seconds", 0.0)),
            error=outcome.get("error"),
            reason=outcome.get("reason", ""),
        )

    def _look_at_the_scheduler(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise RunError(f"The Dask scheduler at {self._address} no longer answers. What ended is kept.")


def _connected(client: type[Client], address: str) -> Client:
    try:
        return client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="papertab")
    except (OSError, ValueError, TypeError) as error:
        reason = "the address of a Dask scheduler that answers, such as tcp://host:8786"
        raise FieldError("--dask", found=address, allowed=reason) from error


def _checked(client: Client, address: str) -> list[str]:
    """Sentences on how the workers differ from here.

    Raises:
        FieldError: they cannot import Papertab.
    """
    try:
        told: Mapping[str, Mapping[str, str]] = client.run(remote.versions_there)
    except Exception as error:  # whatever the other side raises comes back as it is
        client.close()
        allowed = f"its workers cannot run Papertab ({error}); install the same version there"
        raise FieldError("--dask", found=address, allowed=allowed) from error
    here = versions()
    different: dict[str, set[str]] = {}
    for there in told.values():
        for name in here:
            if name != "platform" and there.get(name) != here[name]:
                different.setdefault(name, set()).add(there.get(name, "none"))
    if not different:
        return []
    each = (f"{name} {' or '.join(sorted(v))} ({here[name]} here)" for name, v in different.items())
    listed = ", ".join(each)
    return [f"The workers have other versions, so numbers may differ: {listed}."]


def _lost_or_failed(key: str, error: BaseException) -> News:
    name = type(error).__name__
    if name == "KilledWorker":
        reason = "Several workers of the cluster ended while they carried out this run."
        return News(key, "failed", error={"kind": "worker", "message": reason, "field": None})
    return News(key, "lost", reason=str(error) if isinstance(error, PapertabError) else f"{name}: {error}")


def _unpack(packed: bytes, folder: Path) -> None:
    """The record in a zip becomes `folder`; checked like any zip from elsewhere."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    incoming = folder.with_name(f"{folder.name}-incoming")
    try:
        incoming.mkdir()
        zipped = incoming / "run.zip"
        zipped.write_bytes(packed)
        (name,) = import_runs(zipped, Library(incoming / "runs", folder_only=True))
        shutil.move(incoming / "runs" / name, folder)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
