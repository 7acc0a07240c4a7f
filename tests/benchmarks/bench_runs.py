"""Long histories, many runs, sweeps: times printed, never asserted. Run by name:

``QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_runs.py``

Wanted: a record of a million points and 300 key frames opens in under 2 s and is scrubbed at 30 frames a
second; ten thousand runs are listed in under half a second.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.core.events import Append, Progress, Show, Value
from engine.core.method import Method
from engine.core.records import writer as writing
from engine.core.records.disk import json_text
from engine.core.records.header import RunHeader, new_id
from engine.core.records.library import Library
from engine.core.records.reader import RunRecord
from engine.core.records.state import RunState
from engine.core.records.writer import RunWriter
from engine.core.views import ScatterState

ROOT = Path(__file__).resolve().parents[2]
POINTS, FRAMES, CURVES, MARKS = 1_000_000, 300, 4, 2_000
MOVES = 150
RUNS = 10_000
RNG = np.random.default_rng(0)


def long_record(folder: Path, seed: int) -> Path:
    """A million points in four curves and 300 states of a scatter, over 300 s of a clock of its own."""
    clock = types.SimpleNamespace(now=0.0)
    clock.monotonic, clock.time = lambda: clock.now, lambda: 1.7e9 + clock.now
    real, writing.time = writing.time, clock  # type: ignore[assignment]
    rng = np.random.default_rng(seed)
    try:
        writer = RunWriter(folder, RunHeader(method="walk", title="Random walk", parameters={"steps": seed}))
        heights = np.cumsum(rng.normal(size=(CURVES, POINTS // CURVES)), axis=1)
        for frame, part in enumerate(np.array_split(np.arange(POINTS // CURVES), FRAMES)):
            clock.now = float(frame + 1)
            for curve in range(CURVES):
                writer.write(Append("path", f"walker {curve}", part.astype(float), heights[curve, part]))
            x, y = rng.normal(size=(2, MARKS))
            writer.write(Show("data", ScatterState(x=x, y=y, caption=f"state {frame}")))
            writer.write(Progress((frame + 1) / FRAMES, "Walking", frame + 1, FRAMES, "step"))
            writer.flush()
        writer.write(Value("final", float(heights[0, -1])))
        writer.close("finished", None, float(FRAMES), 100.0)
    finally:
        writing.time = real  # type: ignore[assignment]
    return folder


def told(what: str, milliseconds: Sequence[float]) -> None:
    """Mean, 99th percentile and longest, and the frames a second of the mean."""
    mean, late, longest = np.mean(milliseconds), np.percentile(milliseconds, 99), np.max(milliseconds)
    print(f"{what}: mean {mean:.1f} ms ({1000 / mean:.0f} a second), 99% {late:.1f}, longest {longest:.1f}")


def timed(deed: Callable[[float], object], places: Sequence[float]) -> list[float]:
    """Milliseconds of each."""
    found = []
    for place in places:
        began = time.perf_counter()
        deed(float(place))
        found.append(1000 * (time.perf_counter() - began))
    return found


def records(one: Path) -> None:
    """The record alone."""
    began = time.perf_counter()
    record = RunRecord(one)
    board = record.board()
    board.state("path")
    print(f"open {POINTS:,} points, {FRAMES} states: {time.perf_counter() - began:.2f} s (wanted: under 2)")
    print(f"  key frames kept: {len(record.key_times)}")

    def look(seconds: float) -> None:
        board = record.board(seconds)
        board.state("path"), board.state("data")

    told("  board, forward", timed(look, np.linspace(0, FRAMES, MOVES)))
    told("  board, at random", timed(look, RNG.uniform(0, FRAMES, MOVES)))
    record.close()


def window(one: Path, other: Path, method: Method) -> None:
    """Drawn: one run, and two overlaid. Repaints included, without a screen."""
    from PySide6.QtWidgets import QApplication

    from engine.core.comparison.comparison import Comparison
    from engine.core.comparison.future import Future
    from gui.theme.theme import theme
    from gui.views import make_drawing

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme().attach(app)
    record = RunRecord(one)
    drawings = {view.name: make_drawing(view) for view in method.views}
    for drawing in drawings.values():
        drawing.resize(700, 420)
        drawing.show()

    def show(seconds: float) -> None:
        board = record.board(seconds)
        for name, drawing in drawings.items():
            drawing.show_state(board.state(name))
        paint()

    def paint() -> None:
        for drawing in drawings.values():
            drawing.repaint()
            drawing.canvas.viewport().repaint()  # type: ignore[attr-defined]

    show(float(FRAMES))
    told("scrub one run, drawn, forward", timed(show, np.linspace(1, FRAMES, MOVES)))
    told("scrub one run, drawn, at random", timed(show, RNG.uniform(1, FRAMES, MOVES)))
    record.close()

    began = time.perf_counter()
    comparison = Comparison([RunRecord(one), RunRecord(other)], method)
    comparison.seek()
    future = Future(comparison.pictures())
    print(f"open two runs to compare: {time.perf_counter() - began:.2f} s")

    def compare(share: float) -> None:
        comparison.seek(share)
        states = {view.name: state for view, state in future.behind(comparison.pictures())}
        drawings["path"].show_state(states["path"])
        drawings["path"].canvas.viewport().repaint()  # type: ignore[attr-defined]

    told("scrub two overlaid runs with their future, forward", timed(compare, np.linspace(0.01, 0.99, MOVES)))
    told("scrub two overlaid runs, at random", timed(compare, RNG.uniform(0.01, 0.99, MOVES)))
    comparison.close()


def listing(root: Path) -> None:
    """Ten thousand runs."""
    for number in range(RUNS):
        header = RunHeader(id=f"{new_id()[:-8]}{number:08x}", method="walk", title="Random walk",
                           name=f"run {number}", parameters={"steps": number}, seed=number)  # fmt: skip
        state = RunState(header)
        state.value(Value("final", number / 7))
        state.end("finished", None, 1.0, 10.0)
        (root / header.id).mkdir(parents=True)
        (root / header.id / "run.json").write_bytes(json_text(state.as_json(1.0)))
    library = Library(root)
    began = time.perf_counter()
    library.sync()
    print(f"index of {RUNS:,} runs made anew: {time.perf_counter() - began:.2f} s")
    library.close()
    library = Library(root)
    for what, query in (("list", ""), ("search a name", "run 99"), ("search a result", "final=1.0")):
        began = time.perf_counter()
        library.sync()
        found = library.runs(query)
        print(f"  {what}: {len(found):,} in {time.perf_counter() - began:.2f} s (wanted: under 0.5)")
    library.close()


def sweep(place: Path) -> None:
    """What a sweep costs beside its runs: a hundred runs that compute next to nothing."""
    from engine.core.sweeps.folder import SweepFolder
    from engine.core.sweeps.local import LocalWorkers
    from engine.core.sweeps.preparing import prepare_sweep
    from engine.core.sweeps.runner import SweepRunner

    for workers in (1, 2):
        plan, _, _ = prepare_sweep("trial", grid={"x": tuple(range(10))}, seeds=range(10))
        runner = SweepRunner(SweepFolder(place / str(workers)), plan, LocalWorkers(workers))
        began = time.perf_counter()
        runner.run()
        seconds = time.perf_counter() - began
        print(f"sweep of 100 empty runs, {workers} at once: {seconds:.1f} s, {10 * seconds:.0f} ms a run")


def main() -> int:
    """All of it."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from engine.core import registry

    for name in ("example_methods", "sweep_methods"):
        registry.add_folder(ROOT / "tests" / name, f"tests.{name}")
    with tempfile.TemporaryDirectory() as place:
        os.environ["PAPERTAB_HOME"] = str(Path(place) / "home")
        one, other = (long_record(Path(place) / f"run{seed}", seed) for seed in (0, 1))
        records(one)
        window(one, other, registry.method("walk"))
        listing(Path(place) / "runs")
        sweep(Path(place) / "sweep")
    return 0


if __name__ == "__main__":
    sys.exit(main())
