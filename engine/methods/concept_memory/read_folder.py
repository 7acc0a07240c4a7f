"""A folder: which of the three layouts it holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.source import Source
from engine.methods.concept_memory import read_cub, read_idx, read_table
from engine.methods.concept_memory.data_kind import ConceptImagesKind


def load(source: Source, options: ReadOptions, kind: ConceptImagesKind) -> Loaded:
    """Read ``concepts.csv``, ``images.txt`` or an IDX file of training images in the folder.

    Raises:
        DataError: the folder holds none of them, or what the readers raise.
    """
    for name, reader in (("concepts.csv", read_table.load), ("images.txt", read_cub.load)):
        if (source.path / name).is_file():
            return reader(replace(source, path=source.path / name), options, kind)
    found = idx_in(source.path)
    if found is not None:
        return read_idx.load(replace(source, path=found), options, kind)
    raise source.error(
        "no-layout",
        "the folder holds no concepts.csv, no images.txt and no IDX file of images",
        "one of them names the images and their concepts",
    )


def idx_in(folder: Path) -> Path | None:
    """The IDX file of training images, else any of images."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and read_idx.IMAGES in path.name)
    return next((path for path in files if "train" in path.name), files[0] if files else None)
