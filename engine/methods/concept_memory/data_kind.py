"""What can be opened: a CUB folder, a table of concepts beside its images, IDX files of digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.data.kinds import DataKind
from engine.core.data.source import FOLDER

_HERE = "engine.methods.concept_memory"


@dataclass(frozen=True, kw_only=True)
class ConceptImagesKind(DataKind):
    """A folder, or the file in it that names the images: ``concepts.csv``, ``images.txt``, an IDX file."""

    name: ClassVar[str] = "concept-images"

    title: str = "Images with concepts"
    accepts: tuple[str, ...] = (".csv", ".txt", ".idx3-ubyte", "", FOLDER)
    loaders: tuple[tuple[str, str], ...] = (
        (".csv", f"{_HERE}.read_table:load"),
        (".txt", f"{_HERE}.read_cub:load"),
        (".idx3-ubyte", f"{_HERE}.read_idx:load"),
        ("", f"{_HERE}.read_idx:load"),
        (FOLDER, f"{_HERE}.read_folder:load"),
    )
