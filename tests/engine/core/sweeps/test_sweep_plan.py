"""Which runs a sweep is made of, and how they are known again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import FieldError
from engine.core.method import Method
from engine.core.records.disk import json_text
from engine.core.registry import method
from engine.core.sweeps.estimate import PROCESS_BYTES, estimate_sweep, memory_allows
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.preparing import prepare_sweep

Planned = Callable[..., SweepPlan]


def test_every_setting_with_every_seed_once(planned: Planned) -> None:
    plan = planned({"x": (1, 2, 3), "rows": (1, 2)}, seeds=4)
    runs = plan.runs()
    assert len(runs) == 3 * 2 * 4
    assert len({run.key for run in runs}) == 24
    assert {(run.values["x"], run.values["rows"], run.seed) for run in runs} == {
        (x, rows, seed) for x in (1.0, 2.0, 3.0) for rows in (1, 2) for seed in range(4)
    }
    assert runs[0].name == "x 1, rows 1, seed 0"


def test_a_sweep_over_seeds_alone(planned: Planned) -> None:
    assert [run.name for run in planned({}, seeds=2).runs()] == ["seed 0", "seed 1"]


def test_a_key_depends_on_what_decides_the_numbers_alone(planned: Planned) -> None:
    narrow = planned({"x": (2,)}, seeds=1)
    wide = planned({"x": (1, 2), "noise": (0.1, 0.2)}, seeds=3)
    assert narrow.id != wide.id
    assert {run.key for run in narrow.runs()} < {run.key for run in wide.runs()}
    assert not {r.key for r in planned({"x": (2,)}, threads=2).runs()} & {r.key for r in narrow.runs()}


def test_equal_values_written_differently_are_one_setting(planned: Planned) -> None:
    plan = planned({"x": (1, 1.0, 2)})
    assert [values["x"] for values, _ in plan.settings] == [1.0, 2.0]
    assert plan.grid == {"x": (1.0, 2.0)}


def test_the_plan_comes_back_from_its_file(planned: Planned) -> None:
    plan = planned({"x": (1, 2), "rows": (1, 50)}, seeds=2)
    again = SweepPlan.from_json(json.loads(json_text(plan.as_json())))
    assert again == plan
    assert again.runs() == plan.runs()


def test_a_value_that_is_never_allowed_is_refused(trial: Method) -> None:
    with pytest.raises(FieldError, match=r"X: 101 is not allowed. A number from -100 to 100"):
        prepare_sweep("trial", grid={"x": (1, 101)}, seeds=(0,))
    with pytest.raises(FieldError, match="At most 150 rows"):
        prepare_sweep("trial", grid={"rows": (3, 151), "x": (1, 2)}, seeds=(0,))


def test_a_combination_that_is_not_allowed_is_kept_apart() -> None:
    grid = {"budgets": ("4, 100", "100"), "means": ("0.5,0.4", "0.5,0.4,0.3,0.2,0.1,0.6,0.7,0.8")}
    plan, _, notes = prepare_sweep("best_arm", grid=grid, seeds=(0,), parameters={"algorithms": ["sr"]})
    assert [dict(values) for values, _ in plan.refused] == [{"budgets": "4, 100", "means": grid["means"][1]}]
    assert len(plan.settings) == 3
    assert any("needs at least" in note for note in notes)


def test_a_parameter_without_effect_is_told(trial: Method) -> None:
    _, _, notes = prepare_sweep("trial", grid={"cured": ("a", "b")}, seeds=(0,))
    assert notes == ["Cured has no effect: it counts only with kind = faulty or deadly."]
    _, _, notes = prepare_sweep("trial", grid={"cured": ("a", "b"), "kind": ("plain", "faulty")}, seeds=(0,))
    assert notes == []


def test_too_many_runs_are_refused(trial: Method) -> None:
    with pytest.raises(FieldError, match="At most 100,000 runs"):
        prepare_sweep("trial", grid={"x": tuple(range(100)), "rows": tuple(range(1, 102))}, seeds=range(10))


def test_the_persons_file_is_named_whole(trial: Method, tmp_path: Path) -> None:
    file = tmp_path / "Maße.csv"
    file.write_text("a,b\n" + "".join(f"{n},{n * n}\n" for n in range(30)), encoding="utf-8")
    plan, loaded, _ = prepare_sweep("trial", grid={}, seeds=(0,), data=str(file))
    assert plan.data["path"] == str(file)
    assert plan.data["fingerprint"] == loaded.value.fingerprint()
    assert prepare_sweep("trial", grid={}, seeds=(0,))[0].data["path"] is None


def test_how_long_and_how_many_at_once(trial: Method) -> None:
    plan, loaded, _ = prepare_sweep("trial", grid={"naps": (100, 300), "rows": (1, 100)}, seeds=range(5))
    told = estimate_sweep(trial, plan, loaded.value, free=100 << 30)
    assert told.runs == 20
    assert told.seconds == pytest.approx(2 * (1 + 3) * 5)
    assert told.bytes == PROCESS_BYTES + 100_000
    assert told.wall_seconds == pytest.approx(40 / told.workers)


def test_workers_stay_within_the_memory(trial: Method) -> None:
    plan, loaded, _ = prepare_sweep("trial", grid={"x": (1, 2, 3)}, seeds=(0,))
    need = PROCESS_BYTES + 3_000
    free = round(2.5 * need / 0.8)
    assert memory_allows(need, free) == 2
    assert estimate_sweep(trial, plan, loaded.value, free=free).workers <= 2
    with pytest.raises(FieldError, match=r"At most 2 at once, each needing 0.4 GB"):
        estimate_sweep(trial, plan, loaded.value, workers=3, free=free)
    with pytest.raises(FieldError, match=r"One run needs 0.4 GB; 0.4 GB are free"):
        estimate_sweep(trial, plan, loaded.value, free=need)


def test_a_method_that_gives_no_estimate() -> None:
    plan, loaded, _ = prepare_sweep("best_arm", grid={"goal": (0.05, 0.1)}, seeds=(0,))
    told = estimate_sweep(method("best_arm"), plan, loaded.value, workers=1, free=100 << 30)
    assert (told.seconds, told.wall_seconds, told.workers) == (None, None, 1)
