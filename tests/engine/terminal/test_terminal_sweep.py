"""``sweep`` on the terminal: tables, exit statuses, Ctrl-C, and the same command again."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core import registry
from engine.core.method import Method
from engine.terminal import serve

ROOT = Path(__file__).parents[3]
METHODS = ROOT / "tests" / "sweep_methods"


@pytest.fixture
def trial() -> Iterator[Method]:
    registry.add_folder(METHODS, "tests.sweep_methods")
    yield registry.method("trial")
    registry.remove_folder(METHODS)


@pytest.fixture
def out(home: Path) -> Path:
    return home / "meine Reihe"


def table(out: Path, name: str) -> list[dict[str, str]]:
    with (out / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_sweep_ends_with_tables_and_figures(
    trial: Method, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["sweep", "trial", "--grid", "x=1:3:3", "--seeds", "2", "--set", "noise=0.5", "--workers", "1"]
    assert serve([*command, "--out", str(out), "--figures", "svg"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "6 runs, 1 at once, up to 0.4 GB each, about 0:00"
    assert sum("seed 1" in line for line in told) == 3
    assert "Finished in" in told[-1]
    assert "6 of 6 runs" in told[-1]
    assert [row["x"] for row in table(out, "results.csv")] == ["1.0", "2.0", "3.0"]
    assert {row["seed"] for row in table(out, "runs.csv")} == {"0", "1"}
    described = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
    assert (described["method"], described["status"]) == ("trial", "finished")
    assert described["base"]["noise"] == 0.5
    assert described["grid"] == {"x": [1.0, 2.0, 3.0]}
    assert (out / "figures" / "trial-height-x.svg").exists()

    assert serve([*command, "--out", str(out)]) == 0
    assert "6 of 6 runs were done before" in capsys.readouterr().err


@pytest.mark.slow
def test_failed_runs_are_status_1_and_tried_again_when_asked(
    trial: Method, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cure = tmp_path / "cure"
    command = ["sweep", "trial", "--grid", "kind=plain,faulty", "--set", f"cured={cure}", "--out", str(out)]
    assert serve(command) == 1
    assert "Kind faulty, seed 0: failed. ValueError: the trial went wrong" in capsys.readouterr().err
    cure.touch()
    assert serve(command) == 1
    assert serve([*command, "--retry-failed"]) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--grid", "y=1"], "There is no parameter named “y”."),
        (["--grid", "x=1,200"], "X: 200 is not allowed. A number from -100 to 100."),
        (["--grid", "rows=1,2000"], "rows: 2000 is not allowed. At most 150 rows."),
        (["--grid", "x"], "--grid: “x” is not allowed."),
        (["--grid", "x=1,2", "--set", "x=3"], "This parameter is varied by --grid."),
        (["--grid", "x=1", "--data", "no such file.csv"], "no such file.csv"),
        (["--grid", "x=1", "--dask", "tcp://127.0.0.1"], "The address of a Dask scheduler that answers"),
        (["--grid", "x=1", "--workers", "100000"], "at once, each needing 0.4 GB"),
        (["--grid", "x=1", "--figures", "gif"], "One or more of pdf, svg or png."),
    ],
)
def test_a_wrong_request_is_one_line_and_status_2(
    trial: Method, out: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    if "--dask" in arguments:
        pytest.importorskip("distributed")
    assert serve(["sweep", "trial", *arguments, "--out", str(out)]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert sentence in line
    assert not out.exists()


def test_a_folder_with_something_else_is_left_alone(
    trial: Method, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out.mkdir(parents=True)
    (out / "letter.txt").write_text("Dear", encoding="utf-8")
    assert serve(["sweep", "trial", "--grid", "x=1", "--out", str(out)]) == 2
    assert "holds no sweep" in capsys.readouterr().err
    assert [path.name for path in out.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("arguments", [["--seeds", "0"], ["--workers", "2", "--dask", "tcp://h:1"]])
def test_wrong_words_are_one_line_and_status_2(
    trial: Method, out: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        serve(["sweep", "trial", *arguments, "--out", str(out)])
    assert stop.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(out: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom engine.core import registry\n"
        "registry.add_folder(Path('tests/sweep_methods'), 'tests.sweep_methods')\n"
        "from engine.terminal import serve\nsys.exit(serve(sys.argv[1:]))\n"
    )
    request = ["sweep", "trial", "--grid", "x=1,2", "--grid", "naps=60", "--seeds", "2", "--out", str(out)]
    command = [sys.executable, "-c", code, *request, "--workers", "1"]
    child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, env={**os.environ}, text=True)
    until = time.monotonic() + 30
    while not list(out.glob("runs/*")) and time.monotonic() < until:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=30)
    assert child.returncode == 130, errors
    assert "Traceback" not in errors
    assert json.loads((out / "sweep.json").read_text(encoding="utf-8"))["status"] == "stopped"
    assert 1 <= len(table(out, "runs.csv")) < 4

    again = subprocess.run(command, cwd=ROOT, capture_output=True, env={**os.environ}, text=True, timeout=60)
    assert again.returncode == 0, again.stderr
    assert len(table(out, "runs.csv")) == len(list(out.glob("runs/*"))) == 4
