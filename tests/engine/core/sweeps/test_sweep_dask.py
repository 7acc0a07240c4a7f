"""Sweeps on a real Dask scheduler with two workers, each a process of its own on the loopback."""

from __future__ import annotations

import csv
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import FieldError, MissingExtraError
from engine.core.scripting import repeat
from engine.core.sweeps.cluster import ClusterWorkers
from engine.core.sweeps.folder import SweepFolder
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.runner import SweepRunner

distributed = pytest.importorskip("distributed")
ROOT = Path(__file__).parents[4]
Planned = Callable[..., SweepPlan]


@dataclass
class Cluster:
    """A scheduler and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def begin(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:], "--no-dashboard"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    address = f"tcp://127.0.0.1:{free_port()}"
    scheduler = begin("dask_scheduler", "--host", address)
    workers = [
        begin(
            "dask_worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path / name)
        )
        for name in ("one", "two")
    ]
    try:
        with distributed.Client(address, timeout=40, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=40)
        yield Cluster(address, workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def table(place: Path, name: str) -> list[dict[str, str]]:
    with (place / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_one_worker_killed_in_the_middle_no_setting_lost_or_counted_twice(
    planned: Planned, cluster: Cluster, place: Path, tmp_path: Path
) -> None:
    file = tmp_path / "Maße.csv"
    file.write_text("a,b\n" + "".join(f"{n},{n * n}\n" for n in range(30)), encoding="utf-8")
    plan = planned({"x": (1, 2, 3), "naps": (50,)}, seeds=2, data=str(file))
    sweep = SweepRunner(SweepFolder(place), plan, ClusterWorkers(cluster.address, plan.id))
    killed: list[int] = []

    def kill_one() -> None:
        if sweep.progress().finished >= 1 and not killed:
            killed.append(cluster.workers[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    assert sweep.run(tick=kill_one) == "finished"
    assert killed
    assert cluster.workers[0].wait(10) == -signal.SIGKILL
    assert sorted(p.name for p in (place / "runs").iterdir()) == sorted(run.key for run in plan.runs())
    assert not (place / "failed").exists()
    assert not (place / "attempts").exists()
    assert [row["height n"] for row in table(place, "results.csv")] == ["2", "2", "2"]
    for row in table(place, "runs.csv"):
        settings: dict[str, Any] = {"x": float(row["x"])}
        alone = repeat("trial", parameters=settings, seed=int(row["seed"]), threads=1, data=str(file))
        assert float(row["height"]) == alone["height"]


@pytest.mark.slow
def test_stop_failure_and_resume(planned: Planned, cluster: Cluster, place: Path) -> None:
    plan = planned({"kind": ("plain", "faulty"), "naps": (150,)}, seeds=3)
    sweep = SweepRunner(SweepFolder(place), plan, ClusterWorkers(cluster.address, plan.id))
    begin_stop: list[float] = []

    def stop() -> None:
        if sweep.progress().finished + sweep.progress().failed >= 2 and not begin_stop:
            begin_stop.append(time.monotonic())
            sweep.stop()

    assert sweep.run(tick=stop) == "stopped"
    assert time.monotonic() - begin_stop[0] < 10
    done = sweep.progress().finished + sweep.progress().failed
    assert 2 <= done < 6
    again = SweepRunner(SweepFolder(place), plan, ClusterWorkers(cluster.address, plan.id))
    assert again.run() == "finished"
    assert (again.progress().finished, again.progress().failed) == (3, 3)
    assert {row["message"] for row in table(place, "failures.csv")} == {"ValueError: the trial went wrong"}
    # What a failed run left came back too.
    assert all((place / "failed" / row["key"] / "run.json").exists() for row in table(place, "failures.csv"))


def test_an_address_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.core.sweeps import cluster as clustering

    monkeypatch.setattr(clustering, "CONNECT_SECONDS", 0.5)
    with pytest.raises(FieldError, match="The address of a Dask scheduler that answers"):
        ClusterWorkers(f"tcp://127.0.0.1:{free_port()}", "sweep")


def test_without_the_extra_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"needs the extra 'dask'. Install it with: pip install"):
        ClusterWorkers("tcp://127.0.0.1:8786", "sweep")
