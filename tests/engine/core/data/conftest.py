"""A folder whose path holds a blank, an accent and a letter that is not Latin, and a writer into it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.data import DistanceKind, LinkageMatrixKind, Loaded, ReadOptions, TableKind, read
from engine.core.errors import DataError

KINDS = (TableKind(label_column=True, id_column=True), DistanceKind(), LinkageMatrixKind())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "Übung 数据 a"
    place.mkdir()
    return place


@pytest.fixture
def load(folder: Path) -> Callable[..., Loaded]:
    """load(content, name="t.csv", kinds=…, **options): write the content to a file and read it."""

    def loader(content: str | bytes, name: str = "t.csv", kinds: Any = KINDS, **settings: Any) -> Loaded:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        keys = {key.replace("__", "."): value for key, value in settings.items()}
        return read(path, kinds, ReadOptions().with_settings(keys))

    return loader


@pytest.fixture
def refusal(load: Callable[..., Loaded]) -> Callable[..., DataError]:
    """Like `load`, for content that must be refused: gives the DataError."""

    def refused(*args: Any, **settings: Any) -> DataError:
        with pytest.raises(DataError) as caught:
            load(*args, **settings)
        return caught.value

    return refused
