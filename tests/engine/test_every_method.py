"""What holds for every method, whatever it computes. One test name per method and check."""

from __future__ import annotations

import json
import os
import random
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.board import Board
from engine.core.context import Context
from engine.core.data.datasets import resolve
from engine.core.errors import FieldError
from engine.core.events import Append, Artifact, Ask, Rows, Show, Value
from engine.core.figures.export import export
from engine.core.figures.style import FigureStyle
from engine.core.method import Method, load
from engine.core.parameters import FieldSpec
from engine.core.records.library import Library
from engine.core.records.reader import RunRecord
from engine.core.registry import methods
from engine.core.running.engine import Engine
from engine.core.running.job import RunRequest
from engine.core.running.status import Status
from engine.core.scripting import prepare
from engine.terminal.describe import description

ALL = list(methods().values())
each_method = pytest.mark.parametrize("method", ALL, ids=[method.slug for method in ALL])
QUICK_SECONDS = 120


@each_method
def test_builds_from_its_defaults_and_every_preset_is_valid(method: Method) -> None:
    method.parameters()
    for preset in method.presets:
        parameters = method.settings(preset.name)
        assert method.parameters.build(parameters.as_record()) == parameters
        assert preset.data is None or preset.data in {data.name for data in method.sets}
    assert method.presets[0].name == "quick"
    assert {"quick", "default"} <= {preset.name for preset in method.presets}


@each_method
def test_each_field_refuses_a_bad_value_and_names_itself(method: Method) -> None:
    for spec in method.parameters.fields():
        for bad in bad_values(spec):
            (problem,) = method.parameters.problems({spec.name: bad})
            assert isinstance(problem, FieldError)
            assert problem.field == spec.name
            assert str(problem).startswith(f"{spec.title}: ")
        assert spec.help
        assert len(spec.help) < 200


def bad_values(spec: FieldSpec) -> list[Any]:
    """Values just outside what `spec` allows."""
    if spec.kind == "choice":
        return ["no such choice"]
    if spec.kind == "several":
        return [["no such choice"]]
    if spec.kind == "toggle":
        return ["perhaps"]
    if spec.kind == "text":
        return ["x" * (spec.max_length + 1)] if spec.max_length else [17]
    if spec.kind == "path":
        return [17]
    if spec.kind == "range":
        return [(spec.high, spec.low)] if spec.low != spec.high else []
    outside: list[Any] = ["many", float("nan")]
    if spec.low is not None:
        outside.append(spec.low if spec.low_open else spec.low - 1)
    if spec.high is not None:
        outside.append(spec.high if spec.high_open else spec.high + 1)
    return outside


@each_method
def test_its_description_is_json_and_complete(method: Method) -> None:
    told = json.loads(json.dumps(description(method)))
    assert told["parameters"]["properties"].keys() == method.parameters.model_fields.keys()
    assert all(result["meaning"] for result in told["results"].values())
    assert told["results"]
    assert told["data"]["embedded"]
    assert len(method.sentence) <= 64
    assert method.paper.bibtex.lstrip().startswith("@")


@each_method
def test_its_quick_preset_yields_only_what_is_declared(method: Method, quick: dict[str, Any]) -> None:
    events = quick[method.slug]["events"]
    for event in events:
        if isinstance(event, Show):
            assert method.view(event.view).kind == event.state.kind
        elif isinstance(event, Append):
            assert method.view(event.view).kind == "lines"
        elif isinstance(event, Value):
            assert method.scalar(event.name) is not None, event.name
        elif isinstance(event, Rows):
            assert set(event.columns) == set(method.table(event.table).columns), event.table
    board = Board.of(event for event in events if not isinstance(event, Artifact))
    for scalar in method.scalars:
        if "{" not in scalar.name:
            known = any(scalar.matches(name) for name in board.values)
            assert known or scalar.name in optional_results(method), f"{scalar.name} never comes"


def optional_results(method: Method) -> set[str]:
    """Results the quick preset does not reach: a method names them in its declaration module."""
    module = load(method.run).__module__.rsplit(".", 1)[0]
    declared = __import__(f"{module}.declaration", fromlist=["METHOD"])
    return set(getattr(declared, "NOT_IN_QUICK", ()))


@each_method
def test_it_leaves_the_state_of_thread_and_process_alone(method: Method, quick: dict[str, Any]) -> None:
    assert quick[method.slug]["leaks"] == []


@each_method
def test_it_yields_often(method: Method, quick: dict[str, Any]) -> None:
    """Seconds of work between yields: median and 95th percentile of this thread's processor time."""
    slices = np.sort(quick[method.slug]["slices"])
    assert slices[int(0.95 * (len(slices) - 1))] < 0.4
    assert float(np.median(slices)) < 0.2


@each_method
def test_the_same_seed_gives_the_same_numbers(method: Method, quick: dict[str, Any], tmp_path: Path) -> None:
    first = Board.of(e for e in quick[method.slug]["events"] if isinstance(e, (Value, Rows)))
    again = Board.of(e for e in collect(method, tmp_path)["events"] if isinstance(e, (Value, Rows)))
    assert same(first.results(), again.results(), timing_results(method, first.results()))
    assert first.tables.keys() == again.tables.keys()


def timing_results(method: Method, names: Iterable[str]) -> set[str]:
    """Results measured by a clock: a method declares their unit as seconds or bytes a second."""
    clocked = ("s", "ms", "s/run", "runs/s", "MB", "×")
    return {name for name in names if (scalar := method.scalar(name)) and scalar.unit in clocked}


def same(a: dict[str, Any], b: dict[str, Any], clocked: set[str]) -> bool:
    assert a.keys() == b.keys()
    return all(a[name] == b[name] or a[name] != a[name] or name in clocked for name in a)


@each_method
def test_stopped_early_it_leaves_a_readable_record(method: Method, tmp_path: Path) -> None:
    engine = Engine(Library(tmp_path / "runs"), tmp_path / "cache")
    try:
        job = engine.submit(request_for(method))
        until = time.monotonic() + 60
        while job.yields < 3 and not job.status.ended and time.monotonic() < until:
            time.sleep(0.001)
        engine.stop(job)
        assert job.ended.wait(5)
        assert job.status in (Status.STOPPED, Status.FINISHED), job.failure
        record = RunRecord(job.writer.folder)
        assert record.status == job.status.value
        assert record.board().views() == job.board.views()
    finally:
        engine.close(timeout=10)


@each_method
def test_every_view_it_shows_exports(method: Method, quick: dict[str, Any], tmp_path: Path) -> None:
    board = Board.of(e for e in quick[method.slug]["events"] if isinstance(e, (Show, Append)))
    assert board.views() | unseen_views(method) == {view.name for view in method.views}
    for view in method.views:
        state = board.state(view.name)
        if state is None:
            continue
        for ending in ("svg", "png"):
            target = tmp_path / f"{view.name}.{ending}"
            export(view, state, target, FigureStyle(), ending)
            assert target.stat().st_size > 500


def unseen_views(method: Method) -> set[str]:
    """Views that only an action or another preset fills: named in the declaration module."""
    module = load(method.run).__module__.rsplit(".", 1)[0]
    declared = __import__(f"{module}.declaration", fromlist=["METHOD"])
    return set(getattr(declared, "VIEWS_NOT_IN_QUICK", ()))


@each_method
def test_it_has_help(method: Method) -> None:
    page = Path(__file__).parents[2] / "resources" / "help" / f"{method.slug}.md"
    text = page.read_text(encoding="utf-8")
    assert len(text) > 1500
    for view in method.views:
        assert view.title.lower() in text.lower(), f"the help page does not say how to read {view.title}"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One quick run of each method, with what happened between its yields. Made when first asked for."""

    class Runs(dict[str, Any]):
        def __missing__(self, slug: str) -> Any:
            folder = tmp_path_factory.mktemp(slug)
            self[slug] = collect(methods()[slug], folder)
            return self[slug]

    return Runs()


def request_for(method: Method) -> RunRequest:
    request, _ = prepare(method.slug, preset=method.presets[0].name, seed=1, threads=1)
    return request


def collect(method: Method, folder: Path) -> dict[str, Any]:
    """The events of a quick run, the time between yields, and what was left changed at a yield."""
    request = request_for(method)
    data = resolve(request.source, method.sets, method.data)
    context = Context(1, folder / "scratch", folder / "cache", threads=1)
    context.scratch.mkdir(parents=True)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    context.claim_threads()
    before = process_state()
    generator = load(method.run)(request.parameters, data.value, context)
    events, slices, leaks = [], [], []
    reply: Any = None
    until = time.monotonic() + QUICK_SECONDS
    while time.monotonic() < until:
        start = time.thread_time()
        try:
            event = generator.send(reply)
        except StopIteration:
            return {"events": events, "slices": slices, "leaks": leaks}
        slices.append(time.thread_time() - start)
        events.append(event)
        reply = event.default if isinstance(event, Ask) else None
        now = process_state()
        leaks += [name for name in before if now[name] != before[name]]
        before = {**now}
    pytest.fail(f"{method.slug}: the quick preset takes more than {QUICK_SECONDS} s")


def process_state() -> dict[str, Any]:
    """What a run must not change for the next one on its thread."""
    import sys

    state: dict[str, Any] = {
        "numpy.errstate": np.geterr(),
        "warnings.filters": id(warnings.filters),
        "folder": os.getcwd(),
    }
    torch = sys.modules.get("torch")
    if torch is not None:
        state["torch.grad"] = torch.is_grad_enabled()
        state["torch.dtype"] = torch.get_default_dtype()
        state["torch.threads"] = torch.get_num_threads()
    return state
