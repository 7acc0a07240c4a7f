"""The engine: the states of a run, steering, asking, failures survived, the same numbers again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.data.datasets import resolve
from engine.core.data.options import ReadOptions
from engine.core.errors import DataError, FieldError, RunError, StorageError
from engine.core.events import Acted, Append, Message, Progress, Show, Value
from engine.core.method import Method
from engine.core.places import cache_folder, data_folder
from engine.core.records.library import Library
from engine.core.records.reader import RunRecord
from engine.core.running.engine import Engine
from engine.core.running.job import Job, RunRequest
from engine.core.running.status import Status
from engine.core.views import LinesState
from tests.example_methods.walk import run as walk_run


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine(Library(data_folder() / "runs"), cache_folder())
    yield engine
    assert engine.close(timeout=10)


@pytest.fixture
def request_for(walk: Method) -> Callable[..., RunRequest]:
    data = resolve("iris", walk.sets, walk.data, ReadOptions())

    def make(seed: int = 0, **values: Any) -> RunRequest:
        parameters = walk.settings("quick", values)
        return RunRequest(method=walk, parameters=parameters, data=data, seed=seed, preset="quick")

    return make


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Runs this generator instead of the walk's."""
    return lambda run: monkeypatch.setattr(walk_run, "run", run)


def wait_for(job: Job, *statuses: Status, seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while job.status not in statuses:
        assert time.monotonic() < until, f"{job.status}: {job.reason} {job.failure}"
        time.sleep(0.002)


def finished(engine: Engine, request: RunRequest) -> Job:
    job = engine.submit(request)
    assert job.ended.wait(20)
    assert job.status is Status.FINISHED, job.failure
    return job


def endless(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
    state = walk_run.Walk()
    context.keep(state)
    step = 0
    while True:
        time.sleep(0.002)
        yield Append("path", "walker", float(step), state.goal)
        step += 1


def test_a_run_is_the_library_functions_called_in_a_loop(engine: Engine, request_for: Any) -> None:
    job = finished(engine, request_for(seed=3, steps=30))
    rng, python, position = np.random.default_rng(3), random.Random(3), 0.0
    for _ in range(30):
        position += (rng.normal() + python.gauss(0, 1)) / 2
    assert job.board.results()["final"] == position
    assert job.board.tables["steps"]["step"] == [0, 10, 20]
    path = job.board.state("path")
    assert isinstance(path, LinesState)
    assert path.series[0].x.tolist() == list(range(30))
    assert path.series[0].colour == 7


def test_the_same_seed_gives_the_same_numbers_and_another_does_not(engine: Engine, request_for: Any) -> None:
    results = [finished(engine, request_for(seed=seed)).board.results() for seed in (5, 5, 6)]
    assert results[0] == results[1] != results[2]


def test_interleaved_runs_give_the_numbers_of_each_alone(engine: Engine, request_for: Any) -> None:
    alone = [finished(engine, request_for(seed=seed, steps=2000)).board.results() for seed in (1, 2)]
    first, second = (
        engine.submit(request_for(seed=1, steps=2000)),
        engine.submit(request_for(seed=2, steps=2000)),
    )
    for _ in range(20):
        for job in (first, second):
            engine.pause(job)
            time.sleep(0.001)
            engine.resume(job)
    for job in (first, second):
        while not job.ended.wait(0.01):
            engine.resume(job)
    assert [first.board.results(), second.board.results()] == alone


def test_a_paused_run_leaves_the_thread_to_the_next(engine: Engine, request_for: Any, replaced: Any) -> None:
    real = walk_run.run
    replaced(endless)
    long = engine.submit(request_for())
    wait_for(long, Status.RUNNING)
    start = time.monotonic()
    engine.pause(long)
    wait_for(long, Status.PAUSED)
    assert time.monotonic() - start < 1
    replaced(real)
    finished(engine, request_for())
    engine.resume(long)
    wait_for(long, Status.RUNNING)
    start = time.monotonic()
    engine.stop(long)
    assert long.ended.wait(1)
    assert time.monotonic() - start < 1
    assert long.status is Status.STOPPED


def test_a_paused_run_is_stopped_while_another_computes(
    engine: Engine, request_for: Any, replaced: Any
) -> None:
    replaced(endless)
    first = engine.submit(request_for())
    wait_for(first, Status.RUNNING)
    engine.pause(first)
    wait_for(first, Status.PAUSED)
    second = engine.submit(request_for())
    wait_for(second, Status.RUNNING)
    engine.stop(first)
    assert first.ended.wait(1)
    assert second.status is Status.RUNNING
    engine.stop(second)
    assert second.ended.wait(1)


def test_queued_runs_can_be_reordered_and_removed(engine: Engine, request_for: Any, replaced: Any) -> None:
    replaced(endless)
    jobs = [engine.submit(request_for()) for _ in range(4)]
    wait_for(jobs[0], Status.RUNNING)
    engine.queue.move(jobs[3], 0)
    assert engine.queue.waiting() == [jobs[3], jobs[1], jobs[2]]
    engine.stop(jobs[1])
    assert jobs[1].ended.wait(1)
    engine.stop(jobs[0])
    wait_for(jobs[3], Status.RUNNING)
    assert engine.queue.waiting() == [jobs[2]]


def test_a_failure_is_told_in_words_and_the_next_run_works(
    engine: Engine, request_for: Any, replaced: Any
) -> None:
    real = walk_run.run

    def failing(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
        yield Value("final", 1.0)
        raise DataError(
            code="not-a-number", file="ages.csv", row=41, column="age", found="“n/a” is not a number",
            allowed="a number is needed",
        )  # fmt: skip

    replaced(failing)
    job = engine.submit(request_for())
    assert job.ended.wait(5)
    assert job.status is Status.FAILED
    assert job.failure is not None
    assert job.failure.message == "ages.csv, row 41, column age: “n/a” is not a number. A number is needed."
    assert "Traceback" in job.failure.traceback
    assert job.board.results() == {"final": 1.0}
    record = RunRecord(job.writer.folder)
    assert (record.status, record.results) == ("failed", {"final": 1.0})
    replaced(real)
    finished(engine, request_for())


def test_what_is_not_declared_is_refused(engine: Engine, request_for: Any, replaced: Any) -> None:
    replaced(lambda parameters, data, context: (event for event in [Value("undeclared", 1.0)]))
    job = engine.submit(request_for())
    assert job.ended.wait(5)
    assert job.failure is not None
    assert "undeclared" in job.failure.message


def test_a_question_waits_for_the_person_and_the_thread_goes_on(engine: Engine, request_for: Any) -> None:
    job = engine.submit(request_for(ask=True))
    wait_for(job, Status.WAITING)
    assert job.question is not None
    assert job.question.question == "Go one step more?"
    finished(engine, request_for())
    with pytest.raises(RunError):
        engine.answer(finished(engine, request_for()), {})
    engine.answer(job, {"more": True})
    assert job.ended.wait(5)
    assert job.board.results()["final"] > 500


def test_without_a_person_the_default_answers(engine: Engine, request_for: Any) -> None:
    request = request_for(ask=True)
    job = finished(engine, RunRequest(**{**request.__dict__, "ask": "oracle"}))
    assert abs(job.board.results()["final"]) < 500  # type: ignore[arg-type]


def level(job: Any) -> float:
    state = job.board.state("path")
    assert isinstance(state, LinesState)
    return state.levels[0].value


def done(future: Future[None] | None) -> float:
    """Seconds until the action was carried out."""
    assert future is not None
    start = time.monotonic()
    future.result(5)
    return time.monotonic() - start


def test_actions_work_before_during_paused_and_after(engine: Engine, request_for: Any, walk: Method) -> None:
    request = request_for(steps=20_000)
    preview = engine.preview(walk, request.parameters, request.data)
    done(preview.future)
    done(engine.act(preview, "move_goal", {"value": 2.0}))
    assert level(preview) == 2.0
    assert [acted.after for acted in preview.steering] == [-1]
    job = engine.submit(RunRequest(**{**request.__dict__, "steering": tuple(preview.steering)}))
    wait_for(job, Status.RUNNING)
    done(engine.act(job, "move_goal", {"value": 3.0}))
    assert level(job) == 3.0
    engine.pause(job)
    wait_for(job, Status.PAUSED, Status.FINISHED)
    done(engine.act(job, "move_goal", {"value": 4.0}))
    engine.resume(job)
    assert job.ended.wait(20)
    done(engine.act(job, "move_goal", {"value": 5.0}))
    assert level(job) == 5.0
    done(engine.undo(job))
    assert level(job) == 4.0
    done(engine.undo(job))
    assert level(job) == 3.0
    done(engine.redo(job))
    assert level(job) == 4.0
    record = RunRecord(job.writer.folder)
    acted = [event for _, _, event in record.events() if isinstance(event, Acted)]
    assert [event.kind for event in acted] == ["do", "do", "do", "do", "undo", "undo", "redo"]
    assert acted[0].after == -1


def test_an_action_that_is_not_allowed_is_refused_at_once(engine: Engine, request_for: Any) -> None:
    job = finished(engine, request_for())
    with pytest.raises(FieldError):
        engine.act(job, "move_goal", {"value": "high"})


def test_an_action_on_a_finished_run_answers_while_another_computes(
    engine: Engine, request_for: Any, replaced: Any
) -> None:
    ended = finished(engine, request_for())

    def slow(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
        for step in range(100):
            time.sleep(0.19)
            yield Progress(step / 100, "Computing")

    replaced(slow)
    job = engine.submit(request_for())
    wait_for(job, Status.RUNNING)
    seconds = [done(engine.act(ended, "move_goal", {"value": float(value)})) for value in range(10)]
    assert sorted(seconds)[5] < 0.05
    engine.stop(job)
    assert job.ended.wait(1)


def test_a_replay_gives_the_same_numbers(engine: Engine, request_for: Any) -> None:
    request = request_for(ask=True, steps=3000)
    job = engine.submit(request)
    wait_for(job, Status.RUNNING)
    done(engine.act(job, "move_goal", {"value": 9.0}))
    wait_for(job, Status.WAITING)
    engine.answer(job, {"more": True})
    assert job.ended.wait(10)
    record = RunRecord(job.writer.folder)
    replay = tuple(event for _, _, event in record.steering())
    again = finished(engine, RunRequest(**{**request.__dict__, "replay": replay}))
    assert again.board.results() == job.board.results()
    assert level(again) == 9.0


def test_a_full_disk_pauses_the_run_and_loses_nothing(
    engine: Engine, request_for: Any, replaced: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steady(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
        for step in range(400):
            time.sleep(0.005)
            yield Append("path", "walker", float(step), 1.0)

    replaced(steady)
    job = engine.submit(request_for())
    wait_for(job, Status.RUNNING)
    flush = job.writer.flush

    def full() -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(job.writer, "flush", full)
    wait_for(job, Status.PAUSED)
    assert job.reason == "The disk is full."
    monkeypatch.setattr(job.writer, "flush", flush)
    engine.resume(job)
    assert job.ended.wait(10)
    assert job.status is Status.FINISHED
    path = RunRecord(job.writer.folder).board().state("path")
    assert isinstance(path, LinesState)
    assert path.series[0].x.tolist() == list(range(400))


def test_events_are_coalesced_for_the_window(engine: Engine, request_for: Any, replaced: Any) -> None:
    def burst(parameters: Any, data: Any, context: Any) -> Iterator[Any]:
        for step in range(20_000):
            yield Append("path", "walker", float(step), 1.0)
            yield Progress(step / 20_000, "Bursting")
        yield Message("done")

    replaced(burst)
    job = finished(engine, request_for())
    changes = job.feed.drain()
    assert changes is not None
    assert changes.views == {"path"}
    assert [message.text for message in changes.messages] == ["done"]
    assert job.feed.drain() is None


def test_closing_stops_what_runs(request_for: Any, replaced: Any, tmp_path: Path) -> None:
    replaced(endless)
    engine = Engine(Library(tmp_path / "runs"), tmp_path / "cache")
    jobs = [engine.submit(request_for()) for _ in range(3)]
    wait_for(jobs[0], Status.RUNNING)
    start = time.monotonic()
    assert engine.close()
    assert time.monotonic() - start < 2
    assert {RunRecord(job.writer.folder).status for job in jobs} == {"stopped"}


def test_a_show_of_an_unknown_view_fails(engine: Engine, request_for: Any, replaced: Any) -> None:
    replaced(lambda parameters, data, context: (event for event in [Show("pth", LinesState())]))
    job = engine.submit(request_for())
    assert job.ended.wait(5)
    assert job.failure is not None
    assert "Did you mean path" in job.failure.message


def test_a_record_that_cannot_be_closed_is_closed_once_there_is_room(
    engine: Engine, request_for: Any, replaced: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(endless)
    job = engine.submit(request_for())
    wait_for(job, Status.RUNNING)
    close = job.writer.close

    def full(*parts: Any) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(job.writer, "close", full)
    engine.stop(job)
    assert job.ended.wait(5)
    assert RunRecord(job.writer.folder).status != "stopped"
    monkeypatch.setattr(job.writer, "close", close)
    until = time.monotonic() + 5
    while RunRecord(job.writer.folder).status != "stopped":
        assert time.monotonic() < until
        time.sleep(0.05)


def test_letting_go_of_a_run_removes_its_scratch_folder(engine: Engine, request_for: Any) -> None:
    job = finished(engine, request_for())
    assert job.context.scratch.is_dir()
    engine.forget(job)
    assert not job.context.scratch.exists()
    assert job.writer.folder.is_dir()


def test_a_preview_drawn_again_keeps_the_edits_that_stand(
    engine: Engine, request_for: Any, walk: Method
) -> None:
    request = request_for()
    first = engine.preview(walk, request.parameters, request.data)
    for value in (2.0, 3.0, 4.0):
        done(engine.act(first, "move_goal", {"value": value}))
    done(engine.undo(first))
    second = engine.preview(walk, request.parameters, request.data, 0, first.steering)
    done(second.future)
    assert level(second) == 3.0
    assert [acted.arguments["value"] for acted in second.steering] == [2.0, 3.0]
    done(engine.undo(second))
    assert level(second) == 2.0
