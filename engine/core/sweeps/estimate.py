"""How many runs, how long they take, and how many of them fit into this machine at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.core.errors import FieldError
from engine.core.method import Method, load
from engine.core.sweeps.plan import SweepPlan

PROCESS_BYTES = 400 << 20
"""What a worker takes before its run needs anything: the interpreter and the numeric libraries."""

SHARE_OF_MEMORY = 0.8
"""Of the memory that is free, so much may be filled by workers."""


@dataclass(frozen=True)
class SweepEstimate:
    """`seconds` for one run after another (None: not known), `bytes` the largest need of one worker."""

    runs: int
    seconds: float | None
    bytes: int
    workers: int

    @property
    def wall_seconds(self) -> float | None:
        """About how long the sweep takes with `workers` at once."""
        return None if self.seconds is None else self.seconds / self.workers


def estimate_sweep(
    method: Method, plan: SweepPlan, data: Any, workers: int | None = None, free: int | None = None
) -> SweepEstimate:
    """What the sweep will take; `workers` None chooses as many as fit, `free` stands for the free memory.

    Raises:
        FieldError: one run alone does not fit, or so many `workers` do not.
    """
    seconds, need = _needs(method, plan, data)
    runs = len(plan.settings) * len(plan.seeds)
    fitting = workers_that_fit(need, plan.threads, free)
    if fitting == 0:
        allowed = f"one run needs {_gb(need)}; {_gb(_free(free))} are free on this machine"
        raise FieldError("--workers", found=workers or 1, allowed=allowed)
    if workers is not None and workers > memory_allows(need, free):
        allowed = f"at most {memory_allows(need, free):,} at once, each needing {_gb(need)}"
        raise FieldError("--workers", found=workers, allowed=allowed)
    chosen = workers if workers is not None else max(1, min(fitting, runs))
    total = None if seconds is None else seconds * len(plan.seeds)
    return SweepEstimate(runs, total, need, chosen)


def workers_that_fit(need: int, threads: int, free: int | None = None) -> int:
    """Workers of `need` bytes and `threads` threads that fit into the free memory and the processors."""
    processors = max(1, (os.cpu_count() or 1) // max(1, threads))
    return min(processors, memory_allows(need, free))


def memory_allows(need: int, free: int | None = None) -> int:
    """Workers of `need` bytes that fit into the free memory."""
    return int(SHARE_OF_MEMORY * _free(free) // max(1, need))


def free_bytes() -> int:
    """Memory that is free on this machine."""
    import psutil

    return int(psutil.virtual_memory().available)


def _free(free: int | None) -> int:
    return free_bytes() if free is None else free


def _needs(method: Method, plan: SweepPlan, data: Any) -> tuple[float | None, int]:
    """Seconds of one run of every setting together (None: not known), bytes of the largest."""
    if method.estimate is None:
        return None, PROCESS_BYTES
    estimate = load(method.estimate)
    told = [estimate(method.parameters.build(parameters), data) for _, parameters in plan.settings]
    need = PROCESS_BYTES + max((each.bytes or 0 for each in told), default=0)
    return _sum(each.seconds for each in told), need


def _sum(seconds: Iterable[float | None]) -> float | None:
    known = list(seconds)
    return None if None in known else float(sum(s for s in known if s is not None))


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
