"""The trial itself."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.core.context import Context
from engine.core.events import Append, Event, Progress, Value
from engine.core.method import Estimate, Problem


def check(parameters: Any, data: Any) -> list[Problem]:
    """No more rows than there are."""
    if parameters.rows > data.n:
        return [Problem("rows", f"at most {data.n} rows")]
    return []


def estimate(parameters: Any, data: Any) -> Estimate:
    """A hundredth of a second a nap, a kilobyte a row."""
    return Estimate(seconds=parameters.naps / 100, bytes=parameters.rows * 1000)


def run(parameters: Any, data: Any, context: Context) -> Iterator[Event]:
    """Sleep, perhaps go wrong, then tell the height."""
    for nap in range(parameters.naps):
        time.sleep(0.01)
        yield Append("level", "level", nap, parameters.x)
        yield Progress((nap + 1) / parameters.naps, "Napping", nap + 1, parameters.naps, "nap")
    if parameters.kind != "plain" and not (parameters.cured and Path(parameters.cured).exists()):
        if parameters.kind == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        raise ValueError("the trial went wrong")
    yield Value("side", "right" if parameters.x > 0 else "left")
    yield Value("height", parameters.x**2 + parameters.noise * context.rng.normal())
