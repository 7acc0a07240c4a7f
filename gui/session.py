"""What comes back at the next start: geometry, theme, last tab, parameters, own presets, layouts, zoom."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from engine.core.places import settings_folder

FORMAT = 1


class Session:
    """A JSON file written whole, so that a crash leaves the last good one. Damaged, it is set aside."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or settings_folder() / "session.json"
        self.values: dict[str, Any] = self._read()

    def get(self, name: str, default: Any = None) -> Any:
        """A stored value; the default where there is none of the default's type."""
        value = self.values.get(name, default)
        if default is not None and type(value) is not type(default):
            return default
        return value

    def set(self, name: str, value: Any) -> None:
        """Keep a value until `save`."""
        self.values[name] = value

    def forget(self, *names: str) -> None:
        """Go back to the defaults of these."""
        for name in names:
            self.values.pop(name, None)

    def save(self) -> None:
        """Write everything; a disk that is full loses the session, never the program."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
            fresh.write_text(json.dumps({"format": FORMAT, **self.values}), encoding="utf-8")
            os.replace(fresh, self.path)
        except OSError:
            return

    def _read(self) -> dict[str, Any]:
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(stored, dict) or stored.get("format") != FORMAT:
            return {}
        return stored
