"""One run: what was asked for, and where it stands."""

from __future__ import annotations

import shutil
import threading
import time
from collections import deque
from collections.abc import Generator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.core.context import Context, Device
from engine.core.errors import PapertabError
from engine.core.events import Acted, Artifact, Ask, EngineEvent, StatusChanged
from engine.core.method import Method
from engine.core.parameters import MethodParameters
from engine.core.records.writer import RunWriter
from engine.core.running.generators import GlobalGenerators
from engine.core.running.replay import Replay
from engine.core.running.status import Status
from engine.core.running.steerable import Call, Steerable

Wish = Literal["", "pause", "stop"]


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """Everything that decides a run's numbers, and what it is called.

    `data` is the loaded value (``Loaded``), `source` the set's name or the file's path it came from;
    `steering` are actions carried out on the preview before the
    run, done again first when the run is repeated.
    """

    method: Method
    parameters: MethodParameters
    data: Any
    source: str = ""
    seed: int = 0
    threads: int = 1
    device: Device = "auto"
    preset: str = ""
    name: str = ""
    parent: str | None = None
    tags: tuple[str, ...] = ()
    steering: tuple[Acted, ...] = ()
    replay: tuple[EngineEvent, ...] = ()
    ask: Literal["person", "oracle"] = "person"


@dataclass(frozen=True)
class Failure:
    """Why a run failed: the sentence, its kind and field, and the traceback for those who ask."""

    kind: str
    message: str
    field: str | None = None
    traceback: str = ""

    @classmethod
    def of(cls, error: BaseException, traceback: str) -> Failure:
        if isinstance(error, PapertabError):
            return cls(error.kind, str(error), error.field, traceback)
        if isinstance(error, MemoryError):
            return cls("memory", "There is not enough memory for this run.", None, traceback)
        return cls("program", f"{type(error).__name__}: {error}", None, traceback)

    def as_record(self) -> dict[str, str | None]:
        return {"kind": self.kind, "message": self.message, "field": self.field, "traceback": self.traceback}


@dataclass
class Clock:
    """Seconds spent running, pauses and waits left out."""

    seconds: float = 0.0
    _since: float | None = field(default=None, repr=False)

    def start(self) -> None:
        self._since = time.monotonic()

    def stop(self) -> None:
        if self._since is not None:
            self.seconds += time.monotonic() - self._since
            self._since = None

    @property
    def elapsed(self) -> float:
        since = self._since
        return self.seconds + (time.monotonic() - since if since is not None else 0.0)


class Job(Steerable):
    """A run on its way. Its attributes are read by anyone; only the engine writes them."""

    def __init__(self, request: RunRequest, context: Context, writer: RunWriter) -> None:
        super().__init__(request.method, context)
        self.request = request
        self.writer = writer
        self.id = writer.header.id
        self.status = Status.QUEUED
        self.reason = ""
        self.failure: Failure | None = None
        self.question: Ask | None = None
        self.clock = Clock()
        self.peak_bytes = 0
        self.wish: Wish = ""
        self.ended = threading.Event()
        self.closing: tuple[str, dict[str, str | None] | None] | None = None
        self.generator: Generator[Any, Any, Any] | None = None
        self.generators: GlobalGenerators | None = None
        self.reply: Mapping[str, Any] | None = None
        self.replay = Replay(request.replay)
        self.calls: deque[tuple[Call, Future[None]]] = deque()

    def publish(self, event: EngineEvent) -> None:
        if isinstance(event, Artifact):
            event = self._adopted(event)
        super().publish(event)
        self.writer.write(event)

    def _adopted(self, artifact: Artifact) -> Artifact:
        """The artifact, its file moved from the scratch folder into the record."""
        place = self.writer.artifact_path(artifact.name)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(artifact.path, place)
        return Artifact(artifact.name, place, artifact.title)

    def enter(self, status: Status, reason: str = "") -> None:
        """Change the status, tell the window and the record."""
        self.status, self.reason = status, reason
        if status is Status.RUNNING:
            self.clock.start()
        else:
            self.clock.stop()
        event = StatusChanged(status.value, reason)
        self.writer.write(event)
        self.feed.put(event)
        if status.ended:
            self.ended.set()
