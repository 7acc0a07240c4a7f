"""The distances of a run: kept where they fit, filled again where an engine uses them up."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from engine.methods.linkage.measured import Measured
from engine.methods.linkage.memory import GREEDY_LIMIT, needed
from engine.methods.linkage.metrics import filling
from engine.methods.linkage.storage import Distances, Layout

COPY_ENTRIES = 4_000_000


@dataclass
class Store:
    """Distances of what is measured. `base` is kept for criteria and brackets, None where it does not fit."""

    measured: Measured
    cap: int
    threads: int
    dtype: type[np.floating] = np.float64
    base: Distances | None = None

    @property
    def layout(self) -> Layout:
        """Square up to 2,000 points, where the greedy engine reads it; condensed beyond."""
        return "square" if self.measured.n <= GREEDY_LIMIT else "condensed"

    def fits(self, copies: int) -> bool:
        """Whether so many arrays of distances fit the memory allowed."""
        word = "float32" if self.dtype is np.float32 else "float64"
        return needed(self.measured.n, self.layout, word, copies) <= self.cap

    def open(self) -> Generator[float, None, None]:
        """Fill or take over the distances that are kept; yields the fraction done."""
        self.base = yield from self._made(self.layout)

    def fresh(self) -> Generator[float, None, Distances]:
        """Distances that may be used up: a copy of those kept, or filled anew."""
        if self.base is not None and self.fits(2):
            return (yield from _copied(self.base))
        if self.base is not None:
            taken, self.base = self.base, None
            return taken
        return (yield from self._made(self.layout))

    def _made(self, layout: Layout) -> Generator[float, None, Distances]:
        held = self.measured
        if held.prepared is not None:
            return (yield from filling(held.prepared, held.metric, layout, self.dtype, max(1, self.threads)))
        assert held.given is not None
        yield 0.0
        given = Distances(held.given, held.n, "precomputed", held.is_metric)
        if layout == "square":
            square = np.array(held.given, np.float64) if given.square else given.as_square()
            return Distances(square, held.n, "precomputed", held.is_metric)
        return (yield from _condensed(given, self.dtype))


def _condensed(given: Distances, dtype: type[np.floating]) -> Generator[float, None, Distances]:
    """A condensed copy in `dtype`, row after row."""
    n = given.n
    values = np.empty(n * (n - 1) // 2, dtype)
    if not given.square:
        for start in range(0, len(values), COPY_ENTRIES):
            values[start : start + COPY_ENTRIES] = given.values[start : start + COPY_ENTRIES]
            yield start / len(values)
        return Distances(values, n, given.metric, given.is_metric)
    rows = max(1, COPY_ENTRIES // n)
    at = 0
    for i in range(n - 1):
        values[at : at + n - 1 - i] = given.values[i, i + 1 :]
        at += n - 1 - i
        if i % rows == 0:
            yield at / len(values)
    return Distances(values, n, given.metric, given.is_metric)


def _copied(base: Distances) -> Generator[float, None, Distances]:
    flat = base.flat
    copy = np.empty_like(flat)
    for start in range(0, len(flat), COPY_ENTRIES):
        copy[start : start + COPY_ENTRIES] = flat[start : start + COPY_ENTRIES]
        yield start / len(flat)
    return Distances(copy.reshape(base.values.shape), base.n, base.metric, base.is_metric)
