"""What the export dialog is set to; kept for the next export."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from engine.core.errors import FieldError
from engine.core.figures import PRESETS, FigureStyle
from engine.core.figures.export import FORMATS

OWN_SIZE = "own size"
STYLE_FIELDS = (
    "width",
    "height",
    "dpi",
    "font_size",
    "line_width",
    "marker_size",
    "theme",
    "title",
    "legend",
    "grid",
)


@dataclass(frozen=True, kw_only=True)
class ExportSettings:
    """Style without the selection, which belongs to the view; `unit` is that of the size fields."""

    preset: str = "single column"
    unit: str = "in"
    style: FigureStyle = dataclasses.field(default_factory=FigureStyle)
    formats: tuple[str, ...] = ("pdf", "svg", "csv")
    folder: str = ""

    def as_record(self) -> dict[str, Any]:
        """JSON data for the session."""
        return {
            "preset": self.preset,
            "unit": self.unit,
            "style": {name: getattr(self.style, name) for name in STYLE_FIELDS},
            "formats": list(self.formats),
            "folder": self.folder,
        }

    @classmethod
    def of_record(cls, stored: Mapping[str, Any]) -> Self:
        """Stored settings; the defaults where they do not hold."""
        fresh = cls(folder=str(default_folder()))
        try:
            style = FigureStyle(**{n: v for n, v in dict(stored["style"]).items() if n in STYLE_FIELDS})
            preset = stored["preset"] if stored["preset"] in PRESETS else OWN_SIZE
            formats = tuple(each for each in stored["formats"] if each in FORMATS)
            folder = str(stored["folder"])
            unit = "mm" if stored["unit"] == "mm" else "in"
        except (KeyError, TypeError, ValueError, FieldError):
            return fresh
        usable = folder if Path(folder).is_dir() else fresh.folder
        return cls(preset=preset, unit=unit, style=style, formats=formats or fresh.formats, folder=usable)


def default_folder() -> Path:
    """The person's documents, or home where there are none."""
    documents = Path.home() / "Documents"
    return documents if documents.is_dir() else Path.home()
