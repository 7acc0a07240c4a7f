"""What came out, side by side: numbers with their differences, over seeds mean and confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.comparison.sides import Side
from engine.core.intervals import NOTHING, Mean, mean_of
from engine.core.method import Method
from engine.core.views import Column, Table, TableState


@dataclass(frozen=True)
class ResultLine:
    """One named result. `means` per side: over the seeds of the side (n > 1), or the run's own number with
    the spread it gave itself (n = its repeats). `words` where it is no number. `own` marks own spreads."""

    name: str
    meaning: str
    unit: str
    digits: int
    means: tuple[Mean, ...]
    words: tuple[str, ...]

    @property
    def is_number(self) -> bool:
        return not any(self.words)

    @property
    def differences(self) -> tuple[float, ...]:
        """Of each side to the first."""
        return tuple(mean.mean - self.means[0].mean for mean in self.means)

    @property
    def differs(self) -> bool:
        """Whether the sides do not all show the same."""
        if not self.is_number:
            return len(set(self.words)) > 1
        shown = {f"{mean.mean:.{self.digits}f}" for mean in self.means}
        return len(shown) > 1


def result_lines(sides: Sequence[Side], method: Method | None = None) -> list[ResultLine]:
    """Every result any run reached, in the order they came."""
    names = dict.fromkeys(name for side in sides for run in side.runs for name in run.results)
    lines = []
    for name in names:
        scalar = method.scalar(name) if method else None
        held = [[run.results.get(name) for run in side.runs] for side in sides]
        words = any(isinstance(value, str) for values in held for value in values)
        lines.append(
            ResultLine(
                name=name,
                meaning=scalar.meaning if scalar else "",
                unit=scalar.unit if scalar else "",
                digits=scalar.digits if scalar else 3,
                means=tuple(NOTHING if words else _mean(side, name) for side in sides),
                words=tuple(_said(values) for values in held) if words else ("",) * len(sides),
            )
        )
    return lines


def results_table(lines: Sequence[ResultLine], sides: Sequence[Side]) -> tuple[Table, TableState]:
    """The results as a table: one row each, one column a side, then the differences to the first."""
    numbers = [line for line in lines if line.is_number]
    digits = max((line.digits for line in numbers), default=3)
    columns = [
        Column(name="result", title="Result", values=tuple(_titled(line) for line in numbers), kind="text")
    ]
    for place, side in enumerate(sides):
        means = [line.means[place] for line in numbers]
        columns.append(
            Column(
                name=side.letter,
                title=head(side),
                values=np.array([mean.mean for mean in means]),
                high=np.array([mean.half for mean in means]),
                kind="spread" if any(math.isfinite(mean.half) for mean in means) else "number",
                digits=digits,
            )
        )
    for place, side in enumerate(sides[1:], start=1):
        columns.append(
            Column(
                name=f"{side.letter}-{sides[0].letter}",
                title=f"{side.letter} − {sides[0].letter}",
                values=np.array([line.differences[place] for line in numbers]),
                digits=digits,
            )
        )
    view = Table("results", title="Results", entity="result", empty="Results appear here")
    state = TableState(
        columns=tuple(columns), ids=tuple(line.name for line in numbers), caption=caption(sides)
    )
    return view, state


def head(side: Side) -> str:
    """ "A", or "A, mean of 5 seeds"."""
    return f"{side.letter}, mean of {len(side.runs)} seeds" if len(side.runs) > 1 else side.letter


def caption(sides: Sequence[Side]) -> str:
    """What ± stands for."""
    seeds = sorted({len(side.runs) for side in sides if len(side.runs) > 1})
    if not seeds:
        return "one run a side"
    return f"± 95% of {'–'.join(str(n) for n in dict.fromkeys((seeds[0], seeds[-1])))} seeds"


def _mean(side: Side, name: str) -> Mean:
    values = [float(run.results[name]) for run in side.runs if name in run.results]
    if len(side.runs) > 1:
        return mean_of(values)
    if not values:
        return NOTHING
    spread = side.runs[0].spreads.get(name, {})
    return Mean(values[0], float(spread.get("spread", math.nan)), int(spread.get("repeats") or 1))


def _said(values: Sequence[object]) -> str:
    known = [str(value) for value in values if value is not None]
    return ", ".join(dict.fromkeys(known)) or "not reached"


def _titled(line: ResultLine) -> str:
    return f"{line.name} ({line.unit})" if line.unit else line.name
