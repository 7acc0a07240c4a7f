"""NPZ files put together in memory and read member by member, without pickle and within bounds.

Besides arrays an NPZ of a record holds one JSON text, so that it can be read with `numpy.load` and any
zip program.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.core.errors import StorageError
from engine.core.records.disk import json_text

#: No member of an NPZ is unpacked beyond this many bytes.
LARGEST = 4 << 30
_SMALL = 4096
_DAY = (1980, 1, 1, 0, 0, 0)


class NpzWriter:
    """An NPZ being put together in memory."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._zip = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_STORED, allowZip64=True)

    def text(self, name: str, tree: Any) -> None:
        """JSON data as member ``name.json``."""
        self.raw(f"{name}.json", json_text(tree))

    def array(self, name: str, array: np.ndarray) -> None:
        """An array as member ``name.npy``. Whole numbers and words are packed; floats hardly shrink."""
        content = io.BytesIO()
        np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
        self.raw(f"{name}.npy", content.getbuffer(), packed=array.dtype.kind != "f")

    def raw(self, member: str, content: bytes | memoryview, packed: bool = True) -> None:
        """A member as it is."""
        info = zipfile.ZipInfo(member, _DAY)
        if packed and len(content) > _SMALL:
            info.compress_type = zipfile.ZIP_DEFLATED
            info._compresslevel = 1  # type: ignore[attr-defined]
        self._zip.writestr(info, content)  # type: ignore[arg-type]

    def content(self) -> bytes:
        """The finished file."""
        self._zip.close()
        return self._buffer.getvalue()


def pack(arrays: Mapping[str, np.ndarray], texts: Mapping[str, Any]) -> bytes:
    """An NPZ of `arrays` and JSON `texts`."""
    file = NpzWriter()
    for name, tree in texts.items():
        file.text(name, tree)
    for name, array in arrays.items():
        file.array(name, array)
    return file.content()


def array_of(file: zipfile.ZipFile, name: str) -> np.ndarray:
    """The array ``name.npy``, read-only.

    Raises:
        KeyError: there is none. StorageError: it is not a plain array, or larger than it should be.
    """
    content = member(file, f"{name}.npy")
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, column_major, dtype = read(stream)
        count = math.prod(shape)
        if dtype.hasobject or count * dtype.itemsize != len(content) - stream.tell():
            raise ValueError("not a plain array")
        flat = np.frombuffer(content, dtype, count, stream.tell()) if count else np.empty(0, dtype)
        return flat.reshape(shape, order="F" if column_major else "C")
    except (ValueError, OverflowError) as error:
        raise StorageError(f"{file.filename}: the array {name} cannot be read ({error}).") from error


def member(file: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a member, within bounds.

    Raises:
        KeyError: there is none. StorageError: it is too large.
    """
    info = file.getinfo(name)
    if info.file_size > LARGEST:
        raise StorageError(f"{file.filename}: {name} is larger than any file of a record.")
    return file.read(info)
