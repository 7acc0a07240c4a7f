"""Made the sample record beside it, with the first version that wrote records. Not to be run again."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import numpy as np

from engine.core.events import Acted, Append, Message, Rows, Show, StatusChanged, Value
from engine.core.records.header import RunHeader
from engine.core.records.writer import RunWriter
from engine.core.views import LinesState, ScatterState, Series


def main(folder: Path) -> None:
    """Writes the record to `folder`."""
    header = RunHeader(
        id="20240721T101530123-9f86d081",
        method="walk",
        title="Random walk",
        preset="quick",
        parameters={"steps": 50, "kind": "lazy", "rate": 0.1},
        seed=7,
        data={"name": "Müller.csv", "path": "Daten/Müller.csv", "kind": "table", "fingerprint": "00ff"},
        name="Erster Lauf",
        tags=("first", "ß"),
        note="Kept to be opened by later versions.",
        created="2024-07-21T10:15:30+00:00",
        versions={"papertab": "0.1.0", "python": "3.11"},
    )
    writer = RunWriter(folder, header)
    writer.write(StatusChanged("running"))
    writer.write(Message("Walking began"))
    empty = Series(name="walker", x=np.empty(0), y=np.empty(0), colour=0)
    writer.write(Show("path", LinesState(series=(empty,))))
    names = tuple(f"point {number}" for number in range(4_100))
    for step in range(50):
        writer.write(Append("path", "walker", step, step**0.5))
        if step % 25 == 0:
            shown = step // 25
            x = np.full(4_100, float(shown))
            writer.write(Show("points", ScatterState(x=x, y=x, names=names, caption=f"state {shown}")))
            time.sleep(0.01)
    writer.write(Acted("move_goal", {"value": 2.0}, 40, ("move_goal", {"value": 1.0})))
    writer.write(Rows("steps", {"step": np.array([1, 2]), "text": ["ß", "数"]}))
    writer.write(Value("final", 12.25, spread=0.5, repeats=3))
    writer.write(Value("worst", math.nan))
    writer.write(Value("best", "lazy"))
    writer.close("finished", None, 1.5, 80.0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
