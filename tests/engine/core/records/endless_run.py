"""Writes runs without end, to be killed: for each folder named on stdin a child process begins one.

The child's number goes to stdout. After each flush it appends the last step that is on the disk to
``<folder>.flushed``, one line a flush.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np

from engine.core.events import Append, Message, Rows, Show, StatusChanged, Value
from engine.core.records.header import RunHeader
from engine.core.records.process import this_process
from engine.core.records.writer import RunWriter
from engine.core.views import ScatterState


def run(folder: Path) -> None:
    """Steps 0, 1, 2, …: each a message, a point, a state, a row and a value; flushed now and then."""
    writer = RunWriter(folder, RunHeader(method="endless", versions={}))
    writer.write(StatusChanged("running"))
    rng = np.random.default_rng(os.getpid())
    pause = 0
    with open(f"{folder}.flushed", "ab", buffering=0) as flushed:
        step = 0
        while True:
            x = np.full(4_200 if step % 5 == 0 else 50, float(step))
            writer.write(Append("path", "walker", step, step**2))
            writer.write(Show("points", ScatterState(x=x, y=x)))
            writer.write(Message(f"step {step}"))
            writer.write(Rows("steps", {"step": [step], "text": ["ä" * 50]}))
            writer.write(Value("step", step))
            if pause == 0:
                writer.flush()
                flushed.write(b"%d\n" % step)
                pause = int(rng.integers(1, 12))
            pause -= 1
            step += 1


def main() -> None:
    """Begins a run for each line on stdin."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    this_process()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(Path(line.rstrip("\n")))
        print(child, flush=True)


if __name__ == "__main__":
    main()
