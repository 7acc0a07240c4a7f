"""What a run yields. Frozen data: arrays handed over are never changed afterwards.

Streamed by a method: `Progress`, `Append`, `Show`, `Rows`, `Value`, `Message`, `Artifact`, and `Ask`,
which hands a question to a person. Added by the engine: `Answered`, `Acted`, `StatusChanged`, so that a
record holds all that happened.

===================== =========================================================================
what a card streams   event
===================== =========================================================================
progress, phase       `Progress`
points of a curve     `Append` (curves are kept whole)
a new picture         `Show` (key frames; the latest counts)
rows of a table       `Rows` (a declared result table)
a number of the paper `Value` (a declared result), as soon as it is known
a line of the log     `Message`
a file                `Artifact`
a question            `Ask`; the answer is what ``yield`` returns
===================== =========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from engine.core.encoding import word
from engine.core.views import ViewState

Numbers = np.ndarray | float


@word("progress")
@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, in words, and how much of it: counted work only, never a guess.

    `fraction` of the whole run from 0 to 1, None where the whole is unknown; `done` of `total` things
    named by `counted` ("merge") is the line under the bar.
    """

    fraction: float | None
    phase: str
    done: int | None = None
    total: int | None = None
    counted: str = ""


@word("append")
@dataclass(frozen=True, slots=True, eq=False)
class Append:
    """Points added to curve `series` of lines view `view`: numbers or float arrays of equal length."""

    view: str
    series: str
    x: Numbers
    y: Numbers
    low: Numbers | None = None
    high: Numbers | None = None


@word("show")
@dataclass(frozen=True, slots=True, eq=False)
class Show:
    """The view shows `state` from now on, in place of everything before."""

    view: str
    state: ViewState


@word("rows")
@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows for result table `table`: column name → values, equal lengths. `replace` starts it anew."""

    table: str
    columns: Mapping[str, Any]
    replace: bool = False


@word("value")
@dataclass(frozen=True, slots=True)
class Value:
    """A named result. `spread` is the half-width over `repeats`, where there are any."""

    name: str
    value: float | int | str
    spread: float | None = None
    repeats: int | None = None


@word("message")
@dataclass(frozen=True, slots=True)
class Message:
    """A line of the log."""

    text: str
    level: Literal["info", "warning", "error"] = "info"


@word("artifact")
@dataclass(frozen=True, slots=True)
class Artifact:
    """A file for the person: `path` (in the scratch folder) is moved into the record under `name`."""

    name: str
    path: Path | str
    title: str = ""


@word("ask")
@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the person. The ``yield`` returns the answer: values for `fields`.

    `fields` name → allowed values (a tuple) or a default of the type wanted; `default` is the answer
    where nobody can be asked and no oracle answers. `view` is where the question belongs.
    """

    question: str
    fields: Mapping[str, Any]
    default: Mapping[str, Any]
    view: str = ""
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@word("answered")
@dataclass(frozen=True, slots=True)
class Answered:
    """The reply to the last `Ask`; `by` says who gave it."""

    answer: Mapping[str, Any]
    by: Literal["person", "oracle", "default", "replay"] = "person"


@word("acted")
@dataclass(frozen=True, slots=True)
class Acted:
    """An action was carried out. `after` yields of the run it came (−1: before the first), for replay.

    `undo` names the action and arguments that take it back; None where nothing is edited.
    """

    action: str
    arguments: Mapping[str, Any]
    after: int
    undo: tuple[str, Mapping[str, Any]] | None = None
    kind: Literal["do", "undo", "redo"] = "do"


@word("status")
@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The run's state changed: queued, running, paused, waiting, finished, stopped, failed, interrupted."""

    status: str
    reason: str = ""


Event = Progress | Append | Show | Rows | Value | Message | Artifact | Ask
EngineEvent = Event | Answered | Acted | StatusChanged
