"""Arrays of events and states: small ones stay where they are, large ones are stored once by content."""

from __future__ import annotations

import hashlib
import json
import weakref
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.encoding import number, plain_number
from engine.core.errors import StorageError
from engine.core.records.disk import Put, Remove, Step
from engine.core.records.npz import array_of, pack

#: Arrays of more bytes than this lie in ``arrays/`` and are stored once, however often they are shown.
SHARED = 32_000
#: Lists of texts or numbers longer than this are taken out of a state's JSON like an array.
LONG_LIST = 256
_INLINE_KINDS = "biufU"


class ArrayStore:
    """The arrays of one record under ``arrays/``, by the hash of type, shape and bytes; counts users."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sizes: dict[str, int] = {}
        self._users: Counter[str] = Counter()
        self._seen: dict[int, tuple[weakref.ref[np.ndarray], str]] = {}

    def keep(self, array: np.ndarray) -> tuple[str, list[Step]]:
        """The hash of `array` and the steps that store it; one more user is counted."""
        key = self._key(array)
        self._users[key] += 1
        if key in self._sizes:
            return key, []
        content = pack({"array": array}, {})
        self._sizes[key] = len(content)
        return key, [Put(self._folder, place(key), content)]

    def release(self, keys: list[str]) -> list[Step]:
        """One user fewer of each; what nobody uses is removed."""
        steps: list[Step] = []
        for key in keys:
            self._users[key] -= 1
            if self._users[key] == 0:
                del self._users[key], self._sizes[key]
                steps.append(Remove(self._folder / place(key)))
        return steps

    def size(self, key: str) -> int:
        """Bytes on disk."""
        return self._sizes[key]

    def _key(self, array: np.ndarray) -> str:
        seen = self._seen.get(id(array))
        if seen is not None and seen[0]() is array:
            return seen[1]
        digest = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=16)
        digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        key = digest.hexdigest()
        if len(self._seen) > 512:
            self._seen = {i: pair for i, pair in self._seen.items() if pair[0]() is not None}
        self._seen[id(array)] = (weakref.ref(array), key)
        return key


class StoredArrays(Mapping[str, np.ndarray]):
    """The arrays under ``arrays/`` of a record, read when asked for; the last ones stay in memory."""

    CACHED = 64 << 20

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cache: OrderedDict[str, np.ndarray] = OrderedDict()

    def __getitem__(self, key: str) -> np.ndarray:
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        path = self._folder / place(key)
        try:
            with zipfile.ZipFile(path) as file:
                array = array_of(file, "array")
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise StorageError(f"{path} cannot be read: {error}.") from error
        self._cache[key] = array
        while len(self._cache) > 1 and sum(a.nbytes for a in self._cache.values()) > self.CACHED:
            self._cache.popitem(last=False)
        return array

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in (self._folder / "arrays").glob("*.npz"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def clear(self) -> None:
        """Gives the memory back."""
        self._cache.clear()


def place(key: str) -> str:
    """Where the array of that hash lies in its record."""
    return f"arrays/{key}.npz"


def is_inline(array: np.ndarray) -> bool:
    """Whether an array is small and plain enough to stand in a JSON line."""
    return array.nbytes <= SHARED and array.dtype.kind in _INLINE_KINDS and array.dtype.itemsize != 16


def as_values(array: np.ndarray) -> dict[str, Any]:
    """A small array as JSON data; floats keep every digit, "nan" and "inf" stand for themselves."""
    values = array.ravel().tolist()
    if array.dtype.kind == "f":
        values = [plain_number(value) for value in values]
    return {"dtype": array.dtype.str, "shape": list(array.shape), "values": values}


def from_values(stored: Mapping[str, Any]) -> np.ndarray:
    """The array `as_values` was given."""
    dtype = np.dtype(stored["dtype"])
    if dtype.hasobject:
        raise ValueError("arrays of objects are not read")
    values = stored["values"]
    if dtype.kind == "f":
        values = [number(value) for value in values]
    return np.array(values, dtype=dtype).reshape(stored["shape"])


def take_out_lists(tree: Any, arrays: dict[str, np.ndarray]) -> Any:
    """`tree` with its long plain lists moved to `arrays` (as UTF-8 JSON), so that they are stored once."""
    if isinstance(tree, dict):
        return {key: take_out_lists(value, arrays) for key, value in tree.items()}
    if not isinstance(tree, list):
        return tree
    if len(tree) > LONG_LIST and not any(isinstance(item, (dict, list)) for item in tree):
        name = f"l{len(arrays)}"
        arrays[name] = np.frombuffer(json.dumps(tree, allow_nan=False).encode(), np.uint8)
        return {"$list": name}
    return [take_out_lists(item, arrays) for item in tree]


def put_lists_back(tree: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    """The inverse of `take_out_lists`."""
    if isinstance(tree, dict):
        if "$list" in tree:
            return json.loads(arrays[tree["$list"]].tobytes())
        return {key: put_lists_back(value, arrays) for key, value in tree.items()}
    if isinstance(tree, list):
        return [put_lists_back(item, arrays) for item in tree]
    return tree
