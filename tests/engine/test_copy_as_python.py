"""A copied script is executed in a process of its own and gives the run's numbers, to the last digit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.core.data.options import ReadOptions
from engine.core.events import Acted
from engine.core.method import Method
from engine.core.records.reader import RunRecord
from engine.core.registry import method as method_named
from engine.core.scripting import python_script, repeat

ROOT = Path(__file__).parents[2]
RUNNER = """
import json, runpy, sys
from pathlib import Path
from engine.core import registry, scripting
registry.add_folder(Path("tests/example_methods"), "tests.example_methods")
repeat, found = scripting.repeat, []
def kept(*names, **settings):
    found.append(repeat(*names, **settings))
    return found[-1]
scripting.repeat = kept
runpy.run_path(sys.argv[1], run_name="__main__")
Path(sys.argv[2]).write_text(json.dumps(found[0]), encoding="utf-8")
"""


def script_of(record: RunRecord, method: Method) -> str:
    header = record.header
    deeds = [(e.after, e.action, e.arguments) for _, _, e in record.steering() if isinstance(e, Acted)]
    stored = {key: value for key, value in header.data["options"].items() if key != "reader"}
    return python_script(
        method,
        method.parameters.build(header.parameters),
        source=str(header.data["path"] or header.data["source"]),
        options=ReadOptions().with_settings(stored),
        seed=header.seed,
        threads=header.threads,
        device=header.device,
        deeds=deeds,
    )


def numbers_of(script: str, place: Path) -> tuple[dict[str, Any], str]:
    """Results and what was printed."""
    (place / "script.py").write_text(script, encoding="utf-8")
    command = [sys.executable, "-c", RUNNER, str(place / "script.py"), str(place / "numbers.json")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads((place / "numbers.json").read_text(encoding="utf-8")), done.stdout


def repeated(slug: str, place: Path, **settings: Any) -> tuple[dict[str, Any], dict[str, Any], str, str]:
    """Results of the run and of its script; the script; what it printed."""
    results = repeat(slug, out=place / "run", **settings)
    with RunRecord(place / "run") as record:
        script = script_of(record, method_named(slug))
    again, printed = numbers_of(script, place)
    return results, again, script, printed


def test_the_walk_with_what_a_person_did(walk: Method, tmp_path: Path) -> None:
    deeds = [(5, "move_goal", {"name": "goal", "value": 3.5})]
    results, again, script, printed = repeated(
        "walk", tmp_path, preset="default", parameters={"scale": 0.3}, seed=11, threads=1, deeds=deeds
    )
    assert again == results
    assert f"final {results['final']}" in printed.splitlines()
    assert "'scale': 0.3" in script
    assert "move_goal" in script


def test_a_persons_file_with_its_reading(walk: Method, tmp_path: Path) -> None:
    file = tmp_path / "Maße;.csv"
    file.write_text("a;b\n" + "".join(f"{n},5;{n + 1},25\n" for n in range(12)), encoding="utf-8")
    reading = {"separator": "semicolon", "decimal": ","}
    results, again, script, _ = repeated("walk", tmp_path, data=str(file), reading=reading, seed=2, threads=1)
    assert again == results
    assert "Maße;.csv" in script
    assert "'decimal': ','" in script


def test_best_arm(tmp_path: Path) -> None:
    parameters = {"runs": 2_000, "map": False, "budgets": "50, 100", "algorithms": ("uniform", "sr", "sh")}
    results, again, _, _ = repeated("best_arm", tmp_path, parameters=parameters, seed=7, threads=1)
    assert again == results
    assert any(isinstance(value, float) for value in results.values())


@pytest.mark.parametrize("slug", ["best_arm", "benchmark_choice"])
def test_what_the_first_preset_sets_is_in_the_script_also_where_it_is_the_default(slug: str) -> None:
    method = method_named(slug)
    wanted = method.settings("default")
    script = python_script(method, wanted, source="x", options=ReadOptions(), seed=0, threads=1)
    seen: dict[str, Any] = {}

    def kept(_slug: str, **settings: Any) -> dict[str, Any]:
        seen.update(settings)
        return {}

    body = script.replace("from engine.core.scripting import repeat", "")
    exec(compile(body, "script", "exec"), {"__name__": "__main__", "repeat": kept})
    assert method.settings(None, seen["parameters"]) == wanted
