"""The terminal: list, describe, run, exactly as promised, with the throw-away method in a folder."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine.core.method import Method
from engine.terminal import serve

ROOT = Path(__file__).parents[3]
RUN_JSON = [
    "method",
    "status",
    "parameters",
    "seed",
    "data",
    "versions",
    "seconds",
    "peak_mb",
    "results",
    "error",
]


@pytest.fixture
def out(home: Path) -> Path:
    return home / "mein Lauf"


def test_list_prints_slug_and_title(walk: Method, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(["list"]) == 0
    assert "walk\tRandom walk" in capsys.readouterr().out.splitlines()


def test_describe_is_one_json_object(walk: Method, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(["describe", "walk"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["title"] == "Random walk"
    assert told["parameters"]["properties"]["steps"]["maximum"] == 100_000
    assert told["presets"]["paper"]["values"] == {"steps": 5000}
    assert told["views"]["path"] == {
        "kind": "lines",
        "title": "Path",
        "entity": "walker",
        "axes": {"x": "step", "y": "position (cm)"},
        "help": "",
    }
    assert told["results"]["final"] == {"meaning": "position after the last step", "unit": "cm"}
    assert ".csv" in told["data"]["formats"]["Table"]


def test_run_writes_the_record(walk: Method, out: Path) -> None:
    status = serve(
        ["run", "walk", "--preset", "default", "--set", "steps=30", "--seed", "4", "--out", str(out),
         "--figures", "svg,png"]
    )  # fmt: skip
    assert status == 0
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert set(RUN_JSON) <= set(record)
    assert (record["method"], record["status"], record["seed"]) == ("walk", "finished", 4)
    assert record["parameters"]["steps"] == 30
    assert record["error"] is None
    assert isinstance(record["results"]["final"], float)
    with (out / "tables" / "steps.csv").open(encoding="utf-8") as file:
        assert [row["step"] for row in csv.DictReader(file)] == ["0", "10", "20"]
    figures = {path.name for path in (out / "figures").iterdir()}
    assert {"walk-path.svg", "walk-path.png"} <= figures


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "wlak"], "There is no method named “wlak”. Did you mean walk?"),
        (["run", "walk", "--set", "step=3"], "There is no parameter named “step”. Did you mean steps?"),
        (["run", "walk", "--set", "steps=0"], "Steps: 0 is not allowed. An integer from 1 to 100,000."),
        (["run", "walk", "--set", "steps"], "--set: “steps” is not allowed. Write field=value."),
        (["run", "walk", "--preset", "fast"], "There is no preset named “fast”."),
        (["run", "walk", "--data", "irsi"], "irsi"),
        (["run", "walk", "--data", "no such file.csv"], "no such file.csv"),
        (["run", "walk", "--set", "data.separatr=,"], "There is no loading option named “separatr”."),
        (
            ["run", "walk", "--figures", "gif"],
            "--figures: “gif” is not allowed. One or more of pdf, svg or png.",
        ),
        (["describe", "wlak"], "There is no method named “wlak”. Did you mean walk?"),
    ],
)
def test_a_wrong_request_is_one_line_and_status_2(
    walk: Method, out: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert serve([*arguments, *(["--out", str(out)] if arguments[0] == "run" else [])]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert sentence in line
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments", [["run", "walk"], ["runn"], [], ["run", "walk", "--seed", "-1", "--out", "x"]]
)
def test_wrong_words_are_one_line_and_status_2(
    walk: Method, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        serve(arguments)
    assert stop.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_folder_that_holds_a_run_is_not_written_over(
    walk: Method, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert serve(["run", "walk", "--out", str(out)]) == 0
    before = (out / "run.json").read_bytes()
    assert serve(["run", "walk", "--out", str(out)]) == 2
    assert "already holds a run" in capsys.readouterr().err
    assert (out / "run.json").read_bytes() == before


def test_a_bad_file_names_row_and_column(walk: Method, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = out.parent / "Größen.csv"
    file.parent.mkdir(parents=True)
    rows = "\n".join(f"{n},{n + 1}" for n in range(60))
    file.write_text(f"a,b\n{rows}\n7,n/a\n", encoding="utf-8")
    assert serve(["run", "walk", "--data", str(file), "--out", str(out)]) == 2
    line = capsys.readouterr().err
    assert "Größen.csv, row 62, column b" in line
    assert "n/a" in line
    assert "Traceback" not in line


def test_a_failed_run_is_status_1_and_says_why(
    walk: Method, out: Path, monkeypatch: Any, capsys: Any
) -> None:
    from tests.example_methods.walk import run as walk_run

    def failing(parameters: Any, data: Any, context: Any) -> Any:
        raise ValueError("the walker fell")
        yield

    monkeypatch.setattr(walk_run, "run", failing)
    assert serve(["run", "walk", "--out", str(out)]) == 1
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert record["status"] == "failed"
    assert record["error"]["message"] == "ValueError: the walker fell"
    assert "the walker fell" in capsys.readouterr().err


def test_ctrl_c_stops_and_keeps_what_was_done(out: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom engine.core import registry\n"
        "registry.add_folder(Path('tests/example_methods'), 'tests.example_methods')\n"
        "from engine.terminal import serve\nsys.exit(serve(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", script, "run", "walk", "--set", "steps=100000", "--out", str(out)]
    child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, env={**os.environ}, text=True)
    until = time.monotonic() + 30
    while not (out / "events.jsonl").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.6)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=30)
    assert child.returncode == 130, errors
    assert "Traceback" not in errors
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert record["status"] == "stopped"
    assert record["error"] is None
