"""Sweeps on real worker processes: numbers, failures, stops, deaths, and going on."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import FieldError, StorageError
from engine.core.records.reader import RunRecord
from engine.core.scripting import repeat
from engine.core.sweeps.folder import SweepFolder
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.runner import SweepRunner
from engine.core.sweeps.workers import News

ROOT = Path(__file__).parents[4]
Planned = Callable[..., SweepPlan]
Runner = Callable[..., SweepRunner]


def table(place: Path, name: str) -> list[dict[str, str]]:
    with (place / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def keys(place: Path, room: str = "runs") -> list[str]:
    folder = place / room
    return sorted(item.name for item in folder.iterdir()) if folder.is_dir() else []


def waits_until(true: Callable[[], Any], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


def test_every_run_has_the_numbers_it_has_alone(planned: Planned, runner: Runner, place: Path) -> None:
    plan = planned({"x": (-2, 3)}, seeds=2)
    assert runner(plan).run() == "finished"
    rows = table(place, "runs.csv")
    assert len(rows) == 4
    for row in rows:
        alone = repeat("trial", parameters={"x": float(row["x"])}, seed=int(row["seed"]), threads=1)
        assert float(row["height"]) == alone["height"]
        assert row["side"] == alone["side"]
    with RunRecord(place / "runs" / rows[0]["key"]) as record:
        assert record.status == "finished"
        assert record.header.name == "x -2, seed 0"
        assert record.header.tags == (f"sweep {plan.id}",)
    assert json.loads((place / "sweep.json").read_text(encoding="utf-8"))["status"] == "finished"
    assert not (place / "attempts").exists()
    assert not (place / "lock").exists()


def test_failures_are_kept_apart_and_retried_on_request(
    planned: Planned, runner: Runner, place: Path, tmp_path: Path
) -> None:
    cure = tmp_path / "cure"
    plan = planned({"kind": ("plain", "faulty"), "cured": (str(cure),)}, seeds=2)
    first = runner(plan)
    assert first.run() == "finished"
    assert (first.progress().finished, first.progress().failed) == (2, 2)
    assert len(keys(place)) == len(keys(place, "failed")) == 2
    failures = table(place, "failures.csv")
    assert {row["message"] for row in failures} == {"ValueError: the trial went wrong"}
    assert [row["finished"] for row in table(place, "results.csv")] == ["2", "0"]

    cure.touch()
    again = runner(plan)
    assert again.run() == "finished"
    assert again.progress().failed == 2
    retried = runner(plan)
    assert retried.run(retry_failed=True) == "finished"
    assert (retried.progress().finished, retried.progress().failed) == (4, 0)
    assert keys(place, "failed") == []
    assert table(place, "failures.csv") == []


def test_a_worker_that_dies_is_replaced_and_its_run_begun_again(
    planned: Planned, runner: Runner, place: Path, tmp_path: Path
) -> None:
    plan = planned({"x": (1, 2, 3, 4), "naps": (60,)})
    sweep = runner(plan)
    workers: Any = sweep.workers
    killed: list[int] = []

    def kill_one() -> None:
        busy = [state for state in sweep.states().values() if state.fraction and state.fraction > 0.1]
        if busy and not killed:
            killed.append(workers.pids[0])
            os.kill(killed[0], signal.SIGKILL)

    assert sweep.run(tick=kill_one) == "finished"
    assert killed
    assert keys(place) == sorted(run.key for run in plan.runs())
    assert [float(row["finished"]) for row in table(place, "results.csv")] == [1, 1, 1, 1]


@pytest.mark.slow
def test_a_run_that_kills_every_worker_fails_at_last(planned: Planned, runner: Runner, place: Path) -> None:
    plan = planned({"kind": ("deadly", "plain")})
    sweep = runner(plan, 1)
    assert sweep.run() == "finished"
    assert (sweep.progress().finished, sweep.progress().failed) == (1, 1)
    (failure,) = table(place, "failures.csv")
    assert failure["kind"] == "worker"
    assert "The worker process ended (signal 9)" in failure["message"]


@pytest.mark.slow
def test_stopped_and_gone_on_with(planned: Planned, runner: Runner, place: Path) -> None:
    plan = planned({"x": (1, 2, 3), "naps": (80,)}, seeds=2)
    sweep = runner(plan)

    def stop() -> None:
        if sweep.progress().finished >= 2:
            sweep.stop()

    assert sweep.run(tick=stop) == "stopped"
    done = keys(place)
    assert 2 <= len(done) < 6
    assert not (place / "attempts").exists()
    before = {key: (place / "runs" / key / "run.json").stat().st_mtime_ns for key in done}
    assert SweepFolder(place).status() == "stopped"

    assert runner(plan).run() == "finished"
    assert keys(place) == sorted(run.key for run in plan.runs())
    after = {key: (place / "runs" / key / "run.json").stat().st_mtime_ns for key in done}
    assert after == before


def test_more_seeds_and_values_use_what_is_done(planned: Planned, runner: Runner, place: Path) -> None:
    runner(planned({"x": (1, 2)})).run()
    done = set(keys(place))
    wider = runner(planned({"x": (1, 2, 3)}, seeds=2))
    wider.run()
    assert done < set(keys(place))
    assert [row["finished"] for row in table(place, "results.csv")] == ["2", "2", "2"]
    narrower = runner(planned({"x": (3,)}))
    narrower.run()
    assert len(keys(place)) == 6
    assert [row["height n"] for row in table(place, "results.csv")] == ["1"]


@pytest.mark.slow
def test_a_folder_of_another_sweep_is_left_alone(planned: Planned, runner: Runner, place: Path) -> None:
    runner(planned({"x": (1,)})).run()
    before = (place / "sweep.json").read_bytes()
    with pytest.raises(FieldError, match="sweep of another method, data, device or number of threads"):
        runner(planned({"x": (1,)}, threads=2)).run()
    assert (place / "sweep.json").read_bytes() == before


def test_one_process_at_a_time_works_on_a_sweep(planned: Planned, runner: Runner, place: Path) -> None:
    SweepFolder(place).take()
    with pytest.raises(StorageError, match="is being written by process"):
        runner(planned({"x": (1,)})).run()
    SweepFolder(place).leave()


def test_a_killed_sweep_loses_nothing_and_counts_nothing_twice(
    planned: Planned, runner: Runner, place: Path
) -> None:
    plan = planned({"x": (1, 2, 3), "naps": (40,)}, seeds=2)
    code = (
        "import sys\nfrom pathlib import Path\nfrom engine.core import registry\n"
        "registry.add_folder(Path('tests/sweep_methods'), 'tests.sweep_methods')\n"
        "from engine.terminal import serve\nsys.exit(serve(sys.argv[1:]))\n"
    )
    request = [
        "sweep",
        "trial",
        "--grid",
        "x=1,2,3",
        "--grid",
        "naps=40",
        "--seeds",
        "2",
        "--out",
        str(place),
    ]
    process = subprocess.Popen([sys.executable, "-c", code, *request], cwd=ROOT, stderr=subprocess.DEVNULL)
    waits_until(lambda: len(keys(place)) >= 2)
    process.kill()
    process.wait()
    done = keys(place)
    assert SweepFolder(place).status() == "interrupted"
    assert len(done) < 6

    sweep = runner(plan)
    assert sweep.run() == "finished"
    assert set(done) <= set(keys(place))
    assert keys(place) == sorted(run.key for run in plan.runs())
    assert [row["height n"] for row in table(place, "results.csv")] == ["2", "2", "2"]
    assert not (place / "attempts").exists()


def test_a_whole_attempt_of_a_killed_sweep_counts(planned: Planned, runner: Runner, place: Path) -> None:
    plan = planned({"x": (1, 2)})
    runner(plan).run()
    key = keys(place)[0]
    (place / "attempts").mkdir()
    os.rename(place / "runs" / key, place / "attempts" / f"{key}-0000")
    whole = (place / "attempts" / f"{key}-0000" / "run.json").read_bytes()
    half = place / "attempts" / "ffff-0000"
    half.mkdir()
    (half / "run.json").write_text("{", encoding="utf-8")
    runner(plan).run()
    assert (place / "runs" / key / "run.json").read_bytes() == whole
    assert not half.exists()


def test_a_run_that_comes_back_twice_counts_once(planned: Planned, runner: Runner, place: Path) -> None:
    plan = planned({"x": (1,)})
    runner(plan).run()
    (key,) = keys(place)
    folder = SweepFolder(place)
    before = (place / "runs" / key / "run.json").read_bytes()
    attempt = folder.attempt(key)
    attempt.mkdir(parents=True)
    (attempt / "run.json").write_bytes(before)
    assert folder.finish(key, attempt) is False
    assert folder.fail(key, None, {"message": "late"}) is False
    assert not attempt.exists()
    assert keys(place, "failed") == []


def test_changed_data_fails_the_runs_that_are_left(
    trial: Any, runner: Runner, place: Path, tmp_path: Path, planned: Planned
) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a,b\n" + "".join(f"{n},{n * n}\n" for n in range(30)), encoding="utf-8")
    plan = planned({"x": (1,)}, data=str(file))
    file.write_text("a,b\n" + "".join(f"{n},{n * n + 1}\n" for n in range(30)), encoding="utf-8")
    runner(plan).run()
    (failure,) = table(place, "failures.csv")
    assert "has changed since the sweep was begun" in failure["message"]


class DiskFull:
    """Workers whose disk is full."""

    slots = 1

    def has_room(self, running: int) -> bool:
        return running < 1

    def give(self, task: Any) -> None:
        self.key = task.key

    def news(self, seconds: float) -> list[News]:
        return [News(self.key, "stopped", reason="The disk is full.")]

    def stop(self) -> None:
        return

    def close(self) -> None:
        return


def test_a_full_disk_stops_the_sweep_and_says_so(planned: Planned, place: Path) -> None:
    sweep = SweepRunner(SweepFolder(place), planned({"x": (1, 2)}), DiskFull())
    assert sweep.run() == "stopped"
    assert sweep.reason == "The disk is full."
    assert [state.status for state in sweep.states().values()] == ["waiting", "waiting"]


@pytest.mark.slow
def test_states_can_be_read_while_it_runs(planned: Planned, runner: Runner) -> None:
    sweep = runner(planned({"x": (1, 2), "naps": (50,)}))
    thread = threading.Thread(target=sweep.run)
    thread.start()
    waits_until(lambda: any((s.fraction or 0) > 0 for s in sweep.states().values() if s.status == "running"))
    assert sweep.progress().running == 2
    assert any(state.phase == "Napping" for state in sweep.states().values())
    thread.join()
    assert sweep.progress().finished == 2
