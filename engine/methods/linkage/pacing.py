"""Work cut into pieces: how large a piece is, and how a piecewise computation is run to its end.

Every long computation of this package is a generator. It yields something to look at after each piece
of about 25 ms and *returns* its result (`StopIteration.value`), so that a run may pause or stop between
two pieces, while a notebook calls `result_of(...)`. The size of a piece follows the clock; it never
decides a result.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

PIECE_SECONDS = 0.025


def result_of(work: Generator[Any, None, T]) -> T:
    """Run a piecewise computation to its end and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


class Pace:
    """Units of work per piece, adapted so that a piece takes about `seconds`.

    `units` is the present budget (int ≥ 1). Wrap each piece in `with pace.piece():`.
    """

    def __init__(self, first: int, seconds: float = PIECE_SECONDS) -> None:
        self.units = max(1, int(first))
        self.seconds = seconds

    @contextmanager
    def piece(self) -> Iterator[None]:
        """Time one piece and set the next budget; at most doubles, at least quarters."""
        start = time.perf_counter()
        yield
        ratio = self.seconds / max(time.perf_counter() - start, 1e-6)
        self.units = max(1, int(self.units * min(2.0, max(0.25, ratio))))
