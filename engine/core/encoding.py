"""Described values to JSON and arrays, and back: how events, view states and answers are stored.

A class is known in files by a stable word, never by its import path. Arrays are taken out of the JSON
and named, so that they can lie in an NPZ beside it. A number that is not finite becomes the string
"nan", "inf" or "-inf". No pickle is involved in either direction.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
_BY_WORD: dict[str, type] = {}
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def word(name: str) -> Any:
    """Class decorator: in files this dataclass is called `name`."""

    def register(cls: type[T]) -> type[T]:
        if name in _BY_WORD and _BY_WORD[name].__qualname__ != cls.__qualname__:
            raise ValueError(f"the word {name!r} already stands for {_BY_WORD[name].__qualname__}")
        _BY_WORD[name] = cls
        cls.word = name  # type: ignore[attr-defined]
        return cls

    return register


def encode(value: Any) -> tuple[Any, dict[str, np.ndarray]]:
    """JSON data and the arrays it refers to.

    Raises:
        TypeError: a value that has no stored form (object arrays, classes without a word).
    """
    arrays: dict[str, np.ndarray] = {}
    return _encode(value, arrays), arrays


def decode(tree: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    """The value `encode` was given. Fields this version does not know are dropped, missing ones default.

    Raises:
        KeyError: a word no class of this version answers to, or an array that is not there.
    """
    if isinstance(tree, dict):
        if "$array" in tree:
            return arrays[tree["$array"]]
        if "$number" in tree:
            return _NOT_FINITE[tree["$number"]]
        if "$tuple" in tree:
            return tuple(decode(item, arrays) for item in tree["$tuple"])
        if "$word" in tree:
            cls = _BY_WORD[tree["$word"]]
            names = {f.name for f in dataclasses.fields(cls)}
            parts = {k: decode(v, arrays) for k, v in tree.items() if k in names}
            return cls(**parts)
        return {key: decode(item, arrays) for key, item in tree.items()}
    if isinstance(tree, list):
        return [decode(item, arrays) for item in tree]
    return tree


def plain_number(value: float) -> float | str:
    """A float as JSON can hold it."""
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")


def number(stored: Any) -> Any:
    """The inverse of `plain_number`; anything else is returned as it is."""
    return _NOT_FINITE.get(stored, stored) if isinstance(stored, str) else stored


def _encode(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    if value is None or (isinstance(value, (str, bool, int)) and not isinstance(value, enum.Enum)):
        return value
    if isinstance(value, enum.Enum):
        return _encode(value.value, arrays)
    if isinstance(value, np.generic):
        return _encode(value.item(), arrays)
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$number": plain_number(value)}
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays)
    if dataclasses.is_dataclass(value):
        return _encode_described(value, arrays)
    if isinstance(value, tuple):
        return {"$tuple": [_encode(item, arrays) for item in value]}
    if isinstance(value, list):
        return [_encode(item, arrays) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _encode(item, arrays) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} has no stored form")


def _encode_array(value: np.ndarray, arrays: dict[str, np.ndarray]) -> Any:
    if value.dtype.hasobject:
        raise TypeError("an array of objects has no stored form; use a tuple of strings or numbers")
    name = f"a{len(arrays)}"
    arrays[name] = value
    return {"$array": name}


def _encode_described(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    cls: Any = type(value)
    name = getattr(cls, "word", None)
    if name is None or _BY_WORD.get(name) is not cls:
        raise TypeError(f"{cls.__name__} has no word: decorate it with @word(…)")
    parts = {f.name: _encode(getattr(value, f.name), arrays) for f in dataclasses.fields(value)}
    return {"$word": name, **parts}
