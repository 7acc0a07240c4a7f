"""Two windows, a headless run and a sweep write at once while the index goes: nothing is harmed."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.core.places import data_folder
from engine.core.records.header import new_id
from engine.core.records.reader import RunRecord
from engine.core.scripting import repeat
from gui.window.main_window import MainWindow

ROOT = Path(__file__).parents[3]
TERMINAL = (
    "import sys\nfrom pathlib import Path\nfrom engine.core import registry\n"
    "registry.add_folder(Path('tests/example_methods'), 'tests.example_methods')\n"
    "from engine.terminal import serve\nsys.exit(serve(sys.argv[1:]))\n"
)
STEPS = 3_000


def headless(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", TERMINAL, *arguments]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ}, stderr=subprocess.DEVNULL)


def test_two_windows_and_the_terminal(
    make: Callable[..., MainWindow], until: Callable[..., None], tmp_path: Path
) -> None:
    runs = data_folder() / "runs"
    windows = [make(), make()]
    assert windows[0].engine is not windows[1].engine
    tabs: list[Any] = [window.open_tab("walk") for window in windows]
    for tab in tabs:
        until(lambda tab=tab: not tab.experiment.blocked())
        tab.experiment.set_value("steps", STEPS)
    single = headless("run", "walk", "--set", f"steps={STEPS}", "--seed", "40", "--out", str(runs / new_id()))
    place = tmp_path / "sweep"
    grid = f"steps={STEPS},{STEPS + 1}"
    swept = headless("sweep", "walk", "--grid", grid, "--seeds", "2", "--out", str(place))
    jobs = [tab.experiment.run_seeds(4) for tab in tabs]
    for window in windows:
        window.open_page("runs")
    # The index goes while all of them write.
    for name in ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm"):
        for found in runs.glob(f"*{name}"):
            found.unlink(missing_ok=True)
    until(lambda: all(job.status.ended for group in jobs for job in group), 60_000)
    assert single.wait(60) == 0
    assert swept.wait(60) == 0
    for window in windows:
        window.runs.refresh()
        until(lambda window=window: [run.status for run in window.runs.runs] == ["finished"] * 9)
    listed = [sorted((run.seed, run.status) for run in window.runs.runs) for window in windows]
    assert listed[0] == listed[1]
    assert {status for _, status in listed[0]} == {"finished"}

    numbers: dict[int, set[Any]] = {}
    for run in windows[0].runs.runs:
        with RunRecord(run.folder) as record:
            assert record.notices == []
            (series,) = record.board().state("path").series  # type: ignore[union-attr]
            assert len(series.x) == STEPS
            numbers.setdefault(run.seed, set()).add((record.results["final"], float(series.y[-1])))
    assert sorted(numbers) == [0, 1, 2, 3, 40]
    # Both windows walked the same way with the same seed, and as the terminal does.
    assert all(len(found) == 1 for found in numbers.values())
    for seed in (0, 40):
        alone = repeat("walk", parameters={"steps": STEPS}, seed=seed)
        assert numbers[seed] == {(alone["final"], alone["final"])}
    with (place / "runs.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    assert {float(row["final"]) for row in rows if row["steps"] == str(STEPS) and row["seed"] == "0"} == {
        next(iter(numbers[0]))[0]
    }


def test_one_window_deletes_what_the_other_shows(
    make: Callable[..., MainWindow], until: Callable[..., None]
) -> None:
    folder = data_folder() / "runs" / new_id()
    repeat("walk", out=folder, parameters={"steps": 30})
    first, second = make(), make()
    for window in (first, second):
        window.open_page("runs")
        until(lambda window=window: len(window.runs.runs) == 1)
    second.open_run(folder.name)
    until(lambda: second.current_tab() is not None and second.current_tab().experiment.record is not None)  # type: ignore[union-attr]
    first.runs.table.selectAll()
    first.runs.delete()
    until(lambda: not first.runs.runs)
    second.open_page("runs")
    second.runs.refresh()
    until(lambda: not second.runs.runs)
    restored = first.engine.library.restore([run.id for run in first.engine.library.bin()])
    assert restored == [folder.name]
    second.runs.refresh()
    until(lambda: len(second.runs.runs) == 1)
    assert json.loads((folder / "run.json").read_bytes())["status"] == "finished"
