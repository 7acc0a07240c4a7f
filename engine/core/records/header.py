"""What is known of a run when it begins: written first, never changed by the run itself."""

from __future__ import annotations

import dataclasses
import platform
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

#: The number of the form in which records are written today.
FORMAT = 1

#: Libraries whose version can change a number.
LIBRARIES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "numba",
    "torch",
    "pandas",
    "pyarrow",
    "pydantic",
    "fastcluster",
    "genieclust",
    "kmedoids",
    "transformers",
    "matplotlib",
)

_ID = re.compile(r"\d{8}T\d{9}-[0-9a-f]{8}")


def new_id() -> str:
    """A name no other run has, sortable by time: ``20240501T101530123-9f86d081`` (UTC, milliseconds)."""
    now = datetime.now(UTC)
    return f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}-{secrets.token_hex(4)}"


def is_id(text: str) -> bool:
    """Whether `text` has the form of a run's id."""
    return _ID.fullmatch(text) is not None


def now() -> str:
    """The present time in ISO form, UTC, seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """Program, Python, platform and library versions, read from package metadata: nothing is imported."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in ("papertab", *LIBRARIES):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True, kw_only=True)
class RunHeader:
    """A run's identity and everything needed to repeat it.

    `parameters` is the JSON form of the method's parameters, whole; `data` holds name, path (last known),
    relative (to the record), kind, options, fingerprint and summary of the data; `parent` is the id of
    the run it branches from; `threads` and `device` are what a repetition bit for bit needs besides the
    seed.
    """

    id: str = field(default_factory=new_id)
    method: str
    title: str = ""
    preset: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    threads: int = 1
    device: str = "cpu"
    data: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    parent: str | None = None
    created: str = field(default_factory=now)
    versions: Mapping[str, str] = field(default_factory=versions)
    format: int = FORMAT

    def as_json(self) -> dict[str, Any]:
        """JSON data, the fields in their order."""
        return {
            **{f.name: getattr(self, f.name) for f in dataclasses.fields(self)},
            "tags": list(self.tags),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunHeader:
        """The header in `stored`; keys of others are passed over, missing ones take their default.

        Raises:
            KeyError: no id or no method. TypeError, ValueError: a field that is not what it should be.
        """
        known = {f.name for f in dataclasses.fields(cls)}
        parts = {key: value for key, value in stored.items() if key in known}
        parts["tags"] = tuple(str(tag) for tag in stored.get("tags") or ())
        parts.setdefault("versions", {})
        parts.setdefault("created", "")
        for key, kind in (("parameters", Mapping), ("data", Mapping), ("versions", Mapping), ("seed", int)):
            if key in parts and not isinstance(parts[key], kind):
                raise TypeError(f"{key} is not what it should be")
        return cls(**{**parts, "id": str(stored["id"]), "method": str(stored["method"])})
