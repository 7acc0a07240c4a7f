"""The list of a person's sweeps."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.sweeps.folder import SweepFolder
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.shelf import stored_sweeps, sweeps_folder


def test_sweeps_are_listed_and_a_damaged_one_hides_no_other(planned: Callable[..., SweepPlan]) -> None:
    assert stored_sweeps() == []
    plan = planned({"x": (1, 2)})
    SweepFolder(sweeps_folder() / plan.id).describe(plan, "stopped", {"total": 2, "finished": 1})
    bad = sweeps_folder() / "bad"
    bad.mkdir()
    (bad / "sweep.json").write_text("{", encoding="utf-8")
    newer = sweeps_folder() / "newer"
    newer.mkdir()
    (newer / "sweep.json").write_text('{"format": 99, "status": "finished", "title": "T"}', encoding="utf-8")
    good, other, damaged = stored_sweeps()
    assert (good.title, good.name, good.status, good.finished, good.total) == (
        "Trial",
        "squares, X",
        "stopped",
        1,
        2,
    )
    assert other.title == "T"
    assert "is damaged" in damaged.damaged


def test_a_sweep_whose_process_is_gone_is_interrupted(planned: Callable[..., SweepPlan]) -> None:
    plan = planned({"x": (1,)})
    folder = SweepFolder(sweeps_folder() / plan.id)
    folder.describe(plan, "running", {})
    assert folder.status() == "running"
    path = folder.folder / "sweep.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"pid": ', '"pid": 99999'), encoding="utf-8")
    assert folder.status() == "interrupted"
