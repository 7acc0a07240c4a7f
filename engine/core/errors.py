"""What can go wrong, each kind with its parts; the sentence is composed here and nowhere else.

The same error is shown beside a field, in the log, on stderr and in ``run.json``, so that it carries
its parts as attributes and `str(error)` is the one sentence (or two) a person reads.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar


class PapertabError(Exception):
    """Base of all errors a person is told about in words. `kind` is the stable word in records."""

    kind: ClassVar[str] = "error"

    @property
    def field(self) -> str | None:
        """The parameter the error belongs to, if it belongs to one."""
        return None

    def as_record(self) -> dict[str, str | None]:
        """The form stored in ``run.json``: kind, message, field."""
        return {"kind": self.kind, "message": str(self), "field": self.field}


class FieldError(PapertabError):
    """A parameter whose value is not allowed. `found` is quoted; `allowed` completes "…: allowed"."""

    kind = "field"

    def __init__(self, field: str, *, found: object, allowed: str, label: str | None = None) -> None:
        self._field = field
        self.label = label or field
        self.found = found
        self.allowed = allowed
        super().__init__(f"{self.label}: {quoted(found)} is not allowed. {sentence(allowed)}")

    @property
    def field(self) -> str | None:
        return self._field


class UnknownNameError(PapertabError):
    """A name (method, field, preset, data set, view) that does not exist, with the nearest that do."""

    kind = "unknown"

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        near = difflib.get_close_matches(name, self.known, n=3, cutoff=0.5)
        hint = (
            f"Did you mean {listing(near, 'or')}?" if near else f"Known: {', '.join(self.known) or 'none'}."
        )
        super().__init__(f"There is no {what} named {quoted(name)}. {hint}")


@dataclass(frozen=True)
class Repair:
    """One way out of a data error, offered to the person.

    `key` and `value` are the loading option that carries it out (``--set data.key=value`` headless);
    `consequence` says what happens to the data then.
    """

    key: str
    value: str
    label: str
    consequence: str = ""


@dataclass(eq=False, kw_only=True)
class DataError(PapertabError):
    """A file or table that cannot be used as it is: where, what was found, what is allowed, what to do.

    Rows and columns count from 1 as a person sees them in the file; `row` is the line of the file.
    """

    kind: ClassVar[str] = "data"

    code: str
    file: str
    found: str
    allowed: str
    row: int | None = None
    column: str | int | None = None
    further: int = 0
    choices: tuple[Repair, ...] = field(default=())

    def __post_init__(self) -> None:
        super().__init__(str(self))

    def __str__(self) -> str:
        place = [self.file]
        if self.row is not None:
            place.append(f"row {self.row:,}")
        if self.column is not None:
            place.append(f"column {self.column}")
        more = f" {self.further:,} further case{'s' * (self.further != 1)}." if self.further else ""
        ways = [choice.label for choice in self.choices]
        repair = f" {listing(ways, 'or')}." if ways else ""
        text = f"{', '.join(place)}: {self.found}. {sentence(self.allowed)}{more}{repair}"
        return text.replace("..", ".")


class MissingExtraError(PapertabError):
    """An optional package that a data set or tab needs is absent; says which command brings it."""

    kind = "missing-extra"

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(
            f"{sentence_start(what)} needs the extra '{extra}'. Install it with: pip install -e '.[{extra}]'"
        )


class RunError(PapertabError):
    """A run that cannot go on for a reason known in advance (memory, overflow, a child that died)."""

    kind = "run"


class StorageError(PapertabError):
    """A record that cannot be written or read: disk full, folder gone, damaged file."""

    kind = "storage"


def quoted(value: object) -> str:
    """A value as it is shown in a message."""
    if isinstance(value, (list, tuple)):
        return f"“{', '.join(str(item) for item in value)}”"
    return f"“{value}”" if isinstance(value, str) else f"{value}"


def listing(words: Iterable[str], last: str) -> str:
    """Words joined for a sentence: "a, b or c"."""
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def sentence(text: str) -> str:
    """Text that ends with a full stop and begins with a capital."""
    text = sentence_start(text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def sentence_start(text: str) -> str:
    return text[:1].upper() + text[1:]


def problems_as_text(problems: Mapping[str, str]) -> str:
    """Several field messages in one line, for the terminal."""
    return " · ".join(f"{name}: {message}" for name, message in problems.items())
