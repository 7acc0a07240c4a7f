"""The run and what a person does with it: steering, undo, asking, replay, honest words."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.core.errors import RunError
from engine.core.events import Acted, Answered, Ask, Message
from engine.core.records.library import Library
from engine.core.records.reader import RunRecord
from engine.core.registry import methods
from engine.core.running.engine import Engine
from engine.core.running.job import Job, RunRequest
from engine.core.running.status import Status
from engine.core.scripting import prepare, repeat
from engine.methods.concept_memory.image_pictures import why
from engine.methods.concept_memory.session import Session
from engine.methods.concept_memory.table_pictures import (
    DetectorRow,
    concepts,
    detector_verdict,
    detectors,
    harm,
)

METHOD = methods()["concept_memory"]
FEW = {"epochs": 8}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("engine")
    running = Engine(Library(folder / "runs"), folder / "cache")
    yield running
    running.close(timeout=10)


def request(ask: str = "oracle", replay: tuple[Any, ...] = (), **parameters: Any) -> RunRequest:
    made, _ = prepare("concept_memory", parameters={**FEW, **parameters}, seed=0, threads=1)
    return RunRequest(**{**vars(made), "ask": ask, "replay": replay})


def finished(engine: Engine, made: RunRequest) -> Job:
    job = engine.submit(made)
    assert job.ended.wait(60)
    assert job.status is Status.FINISHED, job.failure
    return job


@pytest.fixture(scope="module")
def job(engine: Engine) -> Job:
    return finished(engine, request())


@pytest.fixture
def session(engine: Engine, job: Job) -> Iterator[Session]:
    """The session of a finished run; whatever a test edits is taken back."""
    held = job.context.state
    yield held
    while job.can_undo:
        engine.undo(job).result(5)  # type: ignore[union-attr]


def wrong_image(session: Session) -> int:
    """A test image whose class and concepts are still wrong."""
    now, test = session.now, session.known.test
    off = ((test.probabilities > 0.5) != (session.data.concepts[test.places] > 0)).any(axis=1)
    return int(test.places[np.flatnonzero((now.state == 1) & off)[0]])


def do(engine: Engine, job: Job, name: str, **arguments: Any) -> None:
    engine.act(job, name, arguments).result(5)


def teach(engine: Engine, job: Job, session: Session, place: int) -> None:
    """Click the image, tick its digit, remember."""
    do(engine, job, "select_image", id=place)
    do(engine, job, "set_concept", id=int(session.data.concepts[place].argmax()), value=True)
    do(engine, job, "keep_entry", number=0, kept=True)


# ------------------------------------------------------------------ correct, remember, propagate, undo


def test_a_correction_is_remembered_propagated_and_undone(engine: Engine, job: Job, session: Session) -> None:
    place = wrong_image(session)
    row, held = session.row(place), len(session.known.memory)
    before, distances = session.now, session.known.distances.copy()
    teach(engine, job, session, place)
    after = session.now
    assert len(session.known.memory) == held + 1
    assert session.known.distances.shape == (450, held + 1)
    assert session.known.distances[row, held] == 0
    assert after.applied.entry[row] == held
    assert after.predicted_after[row] == session.labels[row]
    assert after.state[row] == 4
    assert after.gain.samples == 449
    followers = np.flatnonzero(after.applied.entry == held)
    assert (session.known.distances[followers, held] < session.t_a).all()
    nearer = np.flatnonzero(session.known.distances[:, held] < np.minimum(distances.min(axis=1), session.t_a))
    assert np.array_equal(followers, nearer)
    engine.undo(job).result(5)  # type: ignore[union-attr]
    assert len(session.known.memory) == held
    assert np.array_equal(session.known.distances, distances)
    assert np.array_equal(session.now.state, before.state)
    assert session.draft(place)
    engine.redo(job).result(5)  # type: ignore[union-attr]
    assert np.array_equal(session.now.state, after.state)
    assert session.known.memory.entries[-1].source == place


def test_the_one_hot_group_follows_and_the_class_with_it(engine: Engine, job: Job, session: Session) -> None:
    place = wrong_image(session)
    digit = int(session.data.concepts[place].argmax())
    do(engine, job, "select_image", id=place)
    do(engine, job, "set_concept", id=digit, value=True)
    assert session.draft(place) == {**{c: 0.0 for c in range(10) if c != digit}, digit: 1.0}
    state = concepts(session)
    wanted = next(column.values for column in state.columns if column.name == "wanted")
    assert wanted == tuple(c == digit for c in range(10))
    assert "now right" in state.note
    engine.undo(job).result(5)  # type: ignore[union-attr]
    assert session.draft(place) == {}
    do(engine, job, "set_concept", id=digit, value=True)
    do(engine, job, "set_concept", id=(digit + 1) % 10, value=True)
    session.drafts[place] = {digit: 1.0, (digit + 1) % 10: 1.0}
    assert "More than one concept of digit identity" in concepts(session).note


def test_the_loop_answers_within_fifty_milliseconds(engine: Engine, job: Job, session: Session) -> None:
    """Work of the steering thread alone, so that a busy machine does not decide."""
    place = wrong_image(session)
    spent: list[float] = []
    deeds = (
        ("select_image", {"id": place}),
        ("set_concept", {"id": int(session.data.concepts[place].argmax()), "value": True}),
        ("keep_entry", {"number": 0, "kept": True}),
        ("move_t_a", {"value": session.t_a * 1.1}),
        ("move_t_d", {"value": session.t_d * 1.1}),
    )
    for name, arguments in deeds:
        call = job.call(name, arguments)
        start = time.thread_time()
        with job.lock:
            job.carry_out(call)
        spent.append(time.thread_time() - start)
    start = time.thread_time()
    with job.lock:
        job.carry_out(job.undo_call())  # type: ignore[arg-type]
    spent.append(time.thread_time() - start)
    assert max(spent) < 0.1
    assert float(np.median(spent)) < 0.05


def test_forgetting_any_entry_can_be_taken_back(engine: Engine, job: Job, session: Session) -> None:
    numbers = [entry.number for entry in session.known.memory.entries]
    before = session.known.distances.copy()
    do(engine, job, "keep_entry", number=numbers[3], kept=False)
    assert [entry.number for entry in session.known.memory.entries] == numbers[:3] + numbers[4:]
    engine.undo(job).result(5)  # type: ignore[union-attr]
    assert [entry.number for entry in session.known.memory.entries] == numbers
    assert np.array_equal(session.known.distances, before)
    with pytest.raises(RunError, match="no entry 9999"):
        do(engine, job, "keep_entry", number=9999, kept=False)


def test_a_rejected_correction_no_longer_applies(engine: Engine, job: Job, session: Session) -> None:
    row = int(np.flatnonzero(session.now.applied.changed)[0])
    place = int(session.known.test.places[row])
    used = session.known.memory.entries[int(session.now.applied.entry[row])].number
    do(engine, job, "select_image", id=place)
    assert [button.label for button in why(session).controls] == ["Accept", "Reject", f"Forget {used}"]
    assert f"Corrected by entry {used} (simulated)" in why(session).note
    do(engine, job, "judge", id=place, number=used, verdict="reject")
    now = session.now.applied.entry[row]
    assert now < 0 or session.known.memory.entries[int(now)].number != used
    assert session.verdict(place, used) == "reject"
    engine.undo(job).result(5)  # type: ignore[union-attr]
    assert session.known.memory.entries[int(session.now.applied.entry[row])].number == used
    do(engine, job, "judge", id=place, number=used, verdict="accept")
    assert "accepted" in why(session).note


def test_contradictions_keep_the_newest_and_warn(engine: Engine, job: Job, session: Session) -> None:
    place = wrong_image(session)
    digit = int(session.data.concepts[place].argmax())
    teach(engine, job, session, place)
    first = session.known.memory.entries[-1].number
    held = len(session.known.memory)
    do(engine, job, "set_concept", id=(digit + 1) % 10, value=True)
    do(engine, job, "keep_entry", number=0, kept=True)
    assert len(session.known.memory) == held
    assert session.known.memory.entries[-1].number != first
    told = [e for e in job.feed.drain().messages if isinstance(e, Message)]
    assert any("corrects the same place otherwise" in message.text for message in told)
    engine.undo(job).result(5)  # type: ignore[union-attr]
    assert session.known.memory.entries[-1].number == first


def test_thresholds_move_and_return(engine: Engine, job: Job, session: Session) -> None:
    chosen = (session.t_a, session.t_d)
    do(engine, job, "move_t_a", value=0.0)
    assert session.mode == "manual"
    assert session.now.gain.identified == 0
    assert session.now.gain.class_after == session.now.gain.class_before
    do(engine, job, "move_t_a", value=1e9)
    assert session.now.gain.identified == 450
    do(engine, job, "move_t_d", value=1e9)
    assert session.now.flags.all()
    do(engine, job, "set_mode", value="auto")
    assert (session.t_a, session.t_d) == chosen
    do(engine, job, "move_k", value=3)
    assert session.k == 3
    do(engine, job, "move_groups", value=9)
    assert session.groups_applied == 1


def test_the_harm_report_lists_what_the_memory_made_wrong(session: Session) -> None:
    state = harm(session)
    harmed = session.known.test.places[session.now.state == 3]
    assert sorted(state.ids) == sorted(harmed.tolist())
    costs = next(column.values for column in state.columns if column.name == "harmed")
    assert list(costs) == sorted(costs, reverse=True)


def test_the_review_queue_is_ordered_by_distance(session: Session) -> None:
    queue = session.queue()
    assert session.now.flags[queue].all()
    assert (np.diff(session.now.d_k[queue]) >= 0).all()
    assert not np.isin(session.now.state[queue], (2, 4)).any()


def test_saving_makes_a_file_that_a_run_takes(engine: Engine, job: Job, tmp_path: Path) -> None:
    made = job.writer.folder / "artifacts" / "memory.zip"
    again = finished(engine, request(memory=str(made)))
    held, before = len(again.context.state.known.memory), len(job.context.state.known.memory)
    assert held == 2 * before
    assert not [m for m in again.feed.drain().messages if "another encoder" in m.text]
    other = engine.submit(request(memory=str(made), hidden=32))
    assert other.ended.wait(60)
    assert other.failure is not None
    assert "encodings of 120 numbers, this encoder gives 32" in other.failure.message


# ------------------------------------------------------------------ asking


def test_a_run_that_asks_waits_and_takes_what_was_ticked(engine: Engine) -> None:
    job = engine.submit(request("person", reviewer="you", review_budget=3))
    wait_for(job, Status.WAITING)
    session = job.context.state
    first = session.selected
    assert isinstance(job.question, Ask)
    assert session.data.name_of(first) in job.question.question.lower()
    assert session.row(first) == session.queue()[0]
    do(engine, job, "set_concept", id=int(session.data.concepts[first].argmax()), value=True)
    held = len(session.known.memory)
    engine.answer(job, {"verdict": "remember", "concepts": ""})
    wait_for(job, Status.WAITING, other_than=first)
    assert len(session.known.memory) == held + 1
    assert session.known.memory.entries[-1].source == first
    assert session.known.memory.entries[-1].author == "person"
    engine.answer(job, {"verdict": "right"})
    wait_for(job, Status.WAITING, other_than=session.selected)
    engine.answer(job, {"verdict": "finish"})
    assert job.ended.wait(30)
    results = job.board.results()
    assert (results["review.images"], results["review.corrections"]) == (2, 1)
    assert job.board.tables["review"]["verdict"] == ["remembered", "right"]
    assert_replays(engine, job)


def wait_for(job: Job, status: Status, other_than: int = -1) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        state = job.context.state
        if job.status is status and isinstance(state, Session) and state.selected != other_than:
            return
        assert not job.status.ended, job.failure
        time.sleep(0.005)
    pytest.fail(f"the run never became {status}")


def assert_replays(engine: Engine, job: Job) -> None:
    """The recorded answers and actions give the same memory and numbers again."""
    with RunRecord(job.writer.folder) as record:
        steering = tuple(event for _, _, event in record.steering())
    assert any(isinstance(event, Acted) for event in steering)
    assert any(isinstance(event, Answered) for event in steering)
    again = finished(engine, request("person", steering, reviewer="you", review_budget=3))
    assert again.board.results() == job.board.results()
    one, two = job.context.state.known.memory, again.context.state.known.memory
    assert [e.correction for e in one.entries] == [e.correction for e in two.entries]


def test_without_a_screen_the_oracle_reviews(engine: Engine) -> None:
    asked = finished(engine, request(reviewer="you", review_budget=4))
    simulated = finished(engine, request(reviewer="simulated", review_budget=4))
    assert asked.board.results() == simulated.board.results()
    assert asked.board.results()["review.images"] == 4
    for place in asked.context.state.reviewed:
        entry = asked.context.state.entry_from(place)
        if entry is not None and entry.correction is not None:
            truth = asked.context.state.data.concepts[place]
            assert all(
                truth[c] == v for c, v in zip(entry.correction.concepts, entry.correction.values, strict=True)
            )


# ------------------------------------------------------------------ words and edges


def test_where_softmax_is_better_the_tab_says_so(engine: Engine) -> None:
    job = finished(engine, request(scenario="unbalanced", epochs=60))
    results = job.board.results()
    assert results["unbalanced.auroc.softmax"] > results["unbalanced.auroc.memory"]
    state = detectors(job.context.state)
    assert state.note.startswith("Softmax confidence detects mistakes better than the memory here")
    assert any("Softmax confidence detects" in m.text for m in job.feed.drain().messages)


def test_seeds_give_means_with_spread(engine: Engine) -> None:
    job = finished(engine, request(seeds=3, scenario="both", epochs=3))
    value = job.board.values["confounded.class_after"]
    rows = job.board.tables["gains"]
    own = [a for s, a in zip(rows["scenario"], rows["class_after"], strict=True) if s == "confounded"]
    assert (value.repeats, len(own)) == (3, 3)
    assert value.value == pytest.approx(np.mean(own))
    assert value.spread == pytest.approx(4.302653 * np.std(own, ddof=1) / np.sqrt(3), rel=1e-5)
    assert rows["scenario"] == ["confounded"] * 3 + ["unbalanced"] * 3


def test_a_pool_without_mistakes_leaves_detection_and_says_so(engine: Engine) -> None:
    job = finished(engine, request(concept_limit=0.0))
    session = job.context.state
    assert len(session.known.memory) == 0
    assert session.now.gain.class_after == session.now.gain.class_before
    assert any("the memory is empty" in m.text for m in job.feed.drain().messages)
    assert why(session).note == "Not corrected: the memory is empty."
    teach(engine, job, session, wrong_image(session))
    assert len(session.known.memory) == 1


def test_k_beyond_the_memory_is_told(engine: Engine) -> None:
    job = finished(engine, request(budget=3, k_detect=5))
    assert len(job.context.state.known.memory) == 3
    texts = [m.text for m in job.feed.drain().messages]
    assert any("k = 5 but the memory has 3 entries" in text for text in texts)


def test_undefined_scores_are_words() -> None:
    rows = [
        DetectorRow("memory", "memory", None, None, None),
        DetectorRow("softmax", "softmax", None, None, None),
    ]
    assert detector_verdict(rows).startswith("Detection is undefined")


def test_the_preview_shows_the_data_and_can_be_looked_at(engine: Engine) -> None:
    made = request()
    preview = engine.preview(METHOD, made.parameters, made.data)
    preview.future.result(10)  # type: ignore[union-attr]
    assert preview.board.views() == {"images", "concepts"}
    place = int(preview.board.state("images").ids[5])  # type: ignore[union-attr]
    engine.act(preview, "select_image", {"id": place}).result(5)
    assert f"image {place}" in preview.board.state("concepts").note  # type: ignore[union-attr]
    with pytest.raises(RunError, match="before the first network"):
        engine.act(preview, "move_t_a", {"value": 1.0}).result(5)


def test_shapes_have_several_groups_and_the_first_are_applied(engine: Engine) -> None:
    made, _ = prepare(
        "concept_memory",
        data="shapes_confounded",
        parameters={"epochs": 4, "scenario": "plain", "groups": 2},
        threads=1,
    )
    job = finished(engine, made)
    session = job.context.state
    held = session.now.corrections.held
    groups = session.data.groups
    assert {len(np.unique(groups[row])) for row in held} <= {1, 2}
    results = job.board.results()
    assert "plain.class_after" in results
    assert results["plain.concept_before"] > 0.7


def test_same_images_shifted_is_an_easier_question(engine: Engine) -> None:
    job = finished(engine, request(evaluation="shifted", scenario="plain", epochs=20))
    study = job.context.state.known
    assert np.array_equal(study.pool.places, study.test.places)
    assert not np.array_equal(study.pool.encodings, study.test.encodings)


def test_repeat_from_python_gives_the_same_numbers(tmp_path: Path) -> None:
    one = repeat("concept_memory", parameters=FEW, seed=3, threads=1)
    two = repeat("concept_memory", parameters=FEW, seed=3, threads=1)
    assert one == two


def test_every_view_is_filled(job: Job) -> None:
    assert job.board.views() == {view.name for view in METHOD.views}
