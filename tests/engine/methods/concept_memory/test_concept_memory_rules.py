"""The rules of the memory against values worked out by hand, invariants and independent libraries."""

from __future__ import annotations

import itertools
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score
from sklearn.neighbors import NearestNeighbors

from engine.core.errors import RunError
from engine.methods.concept_memory.criteria import ectp, lcp, random_scores, ucp
from engine.methods.concept_memory.detection import auroc, average_precision, combined, found_curve
from engine.methods.concept_memory.generalisation import corrections_of, flagged, generalise, refusal_mask
from engine.methods.concept_memory.interventions import (
    Correction,
    class_logits,
    crowded_groups,
    exclusive_groups,
    exclusive_projection,
    group_order,
    simulated_correction,
    softmax,
)
from engine.methods.concept_memory.memory import Entry, Memory, Refusal, load_memory
from engine.methods.concept_memory.neighbours import distances, kth, nearest
from engine.methods.concept_memory.scoring import budget_curve, gain, outcome
from engine.methods.concept_memory.thresholds import (
    application_curve,
    candidates,
    choose_application,
    choose_detection,
    choose_softmax,
    f1,
)

RNG = np.random.default_rng(0)
N, M, D, C, K = 60, 8, 5, 6, 3
GROUPS = np.array([0, 0, 1, 1, 1, 2])
WEIGHT, BIAS = RNG.normal(size=(K, C)), RNG.normal(size=K)
QUERIES = RNG.normal(size=(N, D)).astype(np.float32)
PROBABILITIES = RNG.random((N, C))
TRUTH = RNG.integers(0, 2, (N, C))
LABELS = class_logits(TRUTH, WEIGHT, BIAS).argmax(axis=1)


def entry(number: int, encoding: np.ndarray, correction: Correction | None = None, source: int = -1) -> Entry:
    return Entry(
        number=number, encoding=np.asarray(encoding, np.float32), source=source, correction=correction
    )


def whole(truth: np.ndarray) -> Correction:
    return Correction(tuple(range(len(truth))), tuple(map(float, truth)))


def memory_of(places: list[int]) -> Memory:
    """Entries at some of the queries, each with all true concepts."""
    made = tuple(entry(i + 1, QUERIES[p], whole(TRUTH[p]), p) for i, p in enumerate(places))
    return Memory(D, "", made)


MEMORY = memory_of(list(range(M)))
ALL = distances(QUERIES, MEMORY.encodings)


# ------------------------------------------------------------------ distances and detection


def test_distances_of_the_hand_case() -> None:
    memory = np.array([[0, 0], [3, 4]], np.float32)
    query = np.array([[0, 1]], np.float32)
    d, _ = nearest(query, memory, 2)
    assert d[0, 0] == 1.0
    assert d[0, 1] == pytest.approx(4.242641, abs=1e-6)
    table = distances(query, memory)
    assert flagged(table, 1.0, 1).tolist() == [True]
    assert flagged(table, np.nextafter(1.0, 0.0), 1).tolist() == [False]
    assert flagged(table, 1.0, 2).tolist() == [False]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("k", [1, 3, M])
def test_neighbours_agree_with_scikit_learn(k: int, metric: str) -> None:
    theirs = NearestNeighbors(n_neighbors=k, algorithm="brute", metric=metric).fit(
        MEMORY.encodings.astype(float)
    )
    their_distance, their_entry = theirs.kneighbors(QUERIES.astype(float))
    distance, found = nearest(QUERIES, MEMORY.encodings, k, metric)
    assert np.array_equal(found, their_entry)
    expected = np.sqrt(2 * their_distance) if metric == "cosine" else their_distance
    assert np.allclose(distance, expected, atol=2e-3 if metric == "cosine" else 1e-5)
    assert np.allclose(kth(distances(QUERIES, MEMORY.encodings, metric), k), distance[:, -1], atol=1e-6)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_d, whole_i = nearest(QUERIES, MEMORY.encodings, 3)
    monkeypatch.setattr("engine.methods.concept_memory.neighbours.BLOCK_BYTES", 4 * M * 7)
    parts_d, parts_i = nearest(QUERIES, MEMORY.encodings, 3)
    assert np.array_equal(whole_i, parts_i)
    assert np.allclose(whole_d, parts_d, atol=1e-6)


def test_a_duplicate_is_at_distance_zero() -> None:
    far = (QUERIES * 1000 + 12345).astype(np.float32)
    d, found = nearest(far, far[:M], 1)
    assert (d[:M] == 0).all()
    assert found[:M, 0].tolist() == list(range(M))
    assert (distances(far, far[:M]).diagonal() == 0).all()


def test_k_beyond_the_memory_is_told() -> None:
    with pytest.raises(RunError, match=r"^k = 5 but the memory has 3 entries\.$"):
        nearest(QUERIES, MEMORY.encodings[:3], 5)
    with pytest.raises(RunError, match="the memory has 1 entry"):
        kth(ALL[:, :1], 2)


def test_an_empty_memory_flags_and_changes_nothing() -> None:
    empty = Memory(D)
    table = distances(QUERIES, empty.encodings)
    assert table.shape == (N, 0)
    assert not flagged(table, 1e9, 1).any()
    applied = generalise(PROBABILITIES, table, corrections_of(empty, GROUPS, 3), np.inf)
    assert applied.probabilities.tobytes() == PROBABILITIES.tobytes()
    before = class_logits(PROBABILITIES, WEIGHT, BIAS)
    assert class_logits(applied.probabilities, WEIGHT, BIAS).tobytes() == before.tobytes()


@given(st.lists(st.floats(0, 6), min_size=2, max_size=6))
@settings(max_examples=40, deadline=None)
def test_flags_grow_with_the_threshold_and_shrink_with_k(thresholds: list[float]) -> None:
    rising = [set(np.flatnonzero(flagged(ALL, t, 2))) for t in sorted(thresholds)]
    assert all(a <= b for a, b in itertools.pairwise(rising))
    for t in thresholds:
        by_k = [set(np.flatnonzero(flagged(ALL, t, k))) for k in range(1, M + 1)]
        assert all(a >= b for a, b in itertools.pairwise(by_k))


# ------------------------------------------------------------------ generalisation


def test_a_tiny_threshold_reaches_duplicates_only_and_infinity_all() -> None:
    corrections = corrections_of(MEMORY, GROUPS, 3)
    applied = generalise(PROBABILITIES, ALL, corrections, 1e-12)
    assert np.flatnonzero(applied.changed).tolist() == list(range(M))
    assert generalise(PROBABILITIES, ALL, corrections, 0.0).changed.sum() == 0
    assert generalise(PROBABILITIES, ALL, corrections, np.inf).changed.all()


def test_application_is_strict_where_detection_is_not() -> None:
    memory = Memory(1, "", (entry(1, np.zeros(1), whole(np.ones(C))),))
    table = distances(np.array([[2.0]], np.float32), memory.encodings)
    assert flagged(table, 2.0).all()
    assert not generalise(PROBABILITIES[:1], table, corrections_of(memory, GROUPS, 3), 2.0).changed.any()


def test_an_entry_on_its_own_sample_gives_f_of_the_true_concepts() -> None:
    applied = generalise(PROBABILITIES, ALL, corrections_of(MEMORY, GROUPS, 3), 1e-9)
    logits = class_logits(applied.probabilities[:M], WEIGHT, BIAS)
    assert np.array_equal(logits, class_logits(TRUTH[:M].astype(float), WEIGHT, BIAS))


def test_the_closest_of_k_is_taken_and_k_must_be_near() -> None:
    table = np.array([[0.5, 0.2, 3.0], [0.5, 2.0, 3.0]])
    memory = Memory(D, "", tuple(entry(i + 1, QUERIES[i], Correction((i,), (1.0,))) for i in range(3)))
    corrections = corrections_of(memory, GROUPS, 3)
    applied = generalise(np.zeros((2, C)), table, corrections, 1.0, 2)
    assert applied.entry.tolist() == [1, -1]
    assert applied.probabilities[0].tolist() == [0, 1, 0, 0, 0, 0]


def test_votes_abstain_on_disagreement() -> None:
    values = ((1.0, 1.0), (1.0, 0.0), (1.0, 0.0))
    memory = Memory(
        D, "", tuple(entry(i + 1, QUERIES[i], Correction((0, 1), v)) for i, v in enumerate(values))
    )
    corrections = corrections_of(memory, GROUPS, 3)
    table = np.array([[1.0, 2.0, 2.0]])
    start = np.full((1, C), 0.3)
    voted = generalise(start, table, corrections, 5.0, 3, conflict="vote").probabilities[0]
    assert voted[0] == 1.0
    assert voted[1] == 0.3
    table = np.array([[1.0, 0.2, 0.2]])
    assert generalise(start, table, corrections, 5.0, 3, conflict="vote").probabilities[0, 1] == 0.0


def test_entries_without_a_correction_only_detect() -> None:
    memory = Memory(D, "", (entry(1, QUERIES[0]),))
    table = distances(QUERIES, memory.encodings)
    assert flagged(table, 0.0)[0]
    assert not generalise(PROBABILITIES, table, corrections_of(memory, GROUPS, 3), np.inf).changed.any()


def test_a_refusal_stands_before_its_entry() -> None:
    memory = MEMORY.first(1).with_refusal(Refusal(1, QUERIES[5], 5))
    table = distances(QUERIES, memory.encodings)
    refused = refusal_mask(table, memory, distances(QUERIES, QUERIES[5:6]))
    applied = generalise(PROBABILITIES, table, corrections_of(memory, GROUPS, 3), np.inf, refused=refused)
    nearer_to_refusal = distances(QUERIES, QUERIES[5:6])[:, 0] <= table[:, 0]
    assert np.array_equal(applied.changed, ~nearer_to_refusal)
    assert applied.entry[5] == -1
    assert applied.entry[0] == 0
    assert not memory.without_refusal(1, 5).refusals
    assert not memory.without(1).refusals


def test_leave_one_out_never_takes_the_own_entry() -> None:
    own = np.eye(N, M, dtype=bool)
    applied = generalise(PROBABILITIES, ALL, corrections_of(MEMORY, GROUPS, 3), np.inf, refused=own)
    assert all(applied.entry[i] != i for i in range(M))


# ------------------------------------------------------------------ corrections and criteria


def test_only_the_first_groups_are_kept() -> None:
    correction = Correction((5, 2, 3, 4, 0, 1), (1, 0, 0, 1, 1, 0))
    assert correction.truncated(GROUPS, 1) == Correction((5,), (1,))
    assert correction.truncated(GROUPS, 2) == Correction((5, 2, 3, 4), (1, 0, 0, 1))
    assert correction.truncated(GROUPS, 9) == correction
    with pytest.raises(ValueError, match="once"):
        Correction((1, 1), (0, 1))


def test_the_simulated_human_asks_by_group_and_leaves_out_the_unseen() -> None:
    scores = np.array([1.0, 2.0, 9.0, 0.0, 0.0, 2.9])
    assert group_order(scores, GROUPS).tolist() == [1, 2, 0]
    truth = np.array([1, 0, 0, 1, 0, 1])
    assert simulated_correction(scores, truth, GROUPS) == Correction((2, 3, 4, 5, 0, 1), (0, 1, 0, 1, 1, 0))
    certainty = np.array([4, 4, 1, 4, 4, 1])
    assert simulated_correction(scores, truth, GROUPS, certainty).concepts == (3, 4, 0, 1)


def test_one_hot_groups_follow_their_one() -> None:
    exclusive = exclusive_groups(np.array([[1, 0, 0, 0, 1, 1], [0, 1, 1, 0, 0, 0]]), GROUPS)
    assert exclusive == (True, True, False)
    projected = exclusive_projection(Correction((3,), (1.0,)), GROUPS, exclusive)
    assert dict(zip(projected.concepts, projected.values, strict=True)) == {3: 1.0, 2: 0.0, 4: 0.0}
    assert exclusive_projection(Correction((3,), (0.0,)), GROUPS, exclusive).concepts == (3,)
    assert crowded_groups(Correction((2, 3, 0), (1.0, 1.0, 1.0)), GROUPS, exclusive) == (1,)


def test_ectp_by_hand() -> None:
    score = ectp(np.array([[0.5, 0.5]]), np.eye(2), np.zeros(2))
    after = softmax(np.array([0.0, 0.5]))
    assert after == pytest.approx([0.377541, 0.622459], abs=1e-6)
    assert score[0] == pytest.approx([0.030300, 0.030300], abs=1e-6)


def test_ectp_agrees_with_a_loop() -> None:
    fast = ectp(PROBABILITIES[:4], WEIGHT, BIAS)
    for n in range(4):
        p = PROBABILITIES[n]
        q = softmax(WEIGHT @ p + BIAS)
        for j in range(C):
            total = 0.0
            for b, chance in ((0.0, 1 - p[j]), (1.0, p[j])):
                changed = p.copy()
                changed[j] = b
                after = softmax(WEIGHT @ changed + BIAS)
                total += chance * float(np.sum(after * np.log(after / q)))
            assert fast[n, j] == pytest.approx(total, abs=1e-12)


def test_the_other_criteria() -> None:
    assert ucp(np.array([0.5, 0.6, 0.0])) == pytest.approx([1e8, 100.0, 4.0])
    assert lcp(np.array([0.2, 0.9]), np.array([0, 1])) == pytest.approx([0.04, 0.01])
    a, b = random_scores(3, 4, np.random.default_rng(1)), random_scores(3, 4, np.random.default_rng(1))
    assert np.array_equal(a, b)


# ------------------------------------------------------------------ scores and thresholds


def test_detector_scores_agree_with_scikit_learn() -> None:
    right = RNG.random(400) < 0.7
    d_k = RNG.random(400) + 0.3 * right
    assert auroc(d_k, right) == roc_auc_score(right, d_k)
    assert average_precision(d_k, right) == average_precision_score(~right, -d_k)
    chance = np.random.default_rng(2).random(4000)
    assert auroc(chance, np.arange(4000) % 3 > 0) == pytest.approx(0.5, abs=0.05)
    assert auroc(d_k, np.ones(400, bool)) is None
    assert average_precision(d_k, np.ones(400, bool)) is None
    assert auroc(np.full(400, np.inf), right) == 0.5


def test_combined_and_found() -> None:
    assert combined(np.array([1.0, 3.0, 2.0, np.inf]), np.array([0.9, 0.1, 0.2, 0.0])).tolist() == [
        0.9,
        1,
        0.5,
        1,
    ]
    right = np.array([True, False, True, False])
    assert found_curve(np.array([0.3, 0.1, 0.9, 0.5]), right).tolist() == [0, 0.5, 0.5, 1, 1]


def test_detection_threshold_is_the_best_of_its_grid() -> None:
    wrong = RNG.random(N) < 0.4
    choice = choose_detection(ALL, wrong, (1, 2, 3))
    reached = {
        (k, float(t)): f1_score(wrong, kth(ALL, k) <= t) for k in (1, 2, 3) for t in candidates(kth(ALL, k))
    }
    assert choice.f1 == pytest.approx(max(reached.values()))
    assert reached[choice.k, choice.threshold] == pytest.approx(choice.f1)
    assert f1(np.zeros(3, bool), np.zeros(3, bool)) == 0.0
    confidence = RNG.random(N)
    chosen = choose_softmax(confidence, wrong)
    assert chosen.f1 == pytest.approx(
        max(f1_score(wrong, confidence <= t) for t in np.arange(0.05, 0.96, 0.05))
    )


def test_application_threshold_is_the_best_under_leave_one_out() -> None:
    own = ALL.copy()
    own[np.arange(M), np.arange(M)] = np.inf
    corrections = corrections_of(MEMORY, GROUPS, 3)
    grid = candidates(own.min(axis=1))
    points = list(application_curve(PROBABILITIES, own, corrections, LABELS, WEIGHT, BIAS, grid))
    for point in points:
        applied = generalise(PROBABILITIES, own, corrections, point.threshold)
        after = class_logits(applied.probabilities, WEIGHT, BIAS).argmax(axis=1) == LABELS
        assert point.accuracy == after.mean()
        assert point.reached == applied.changed.sum()
    best = choose_application(points)
    assert max(p.accuracy for p in points) == next(p.accuracy for p in points if p.threshold == best)
    assert choose_application([]) == 0.0
    rising = [p.threshold for p in points if p.reached_after > p.reached_before]
    assert choose_application(points, published=True) == max(rising, default=0.0)


def test_gain_counts_each_sample_once() -> None:
    applied = generalise(PROBABILITIES, ALL, corrections_of(MEMORY, GROUPS, 3), 1.5)
    counted = np.arange(N) >= M
    found = gain(PROBABILITIES, applied, TRUTH, LABELS, WEIGHT, BIAS, counted)
    before = (class_logits(PROBABILITIES, WEIGHT, BIAS).argmax(1) == LABELS)[counted]
    after = (class_logits(applied.probabilities, WEIGHT, BIAS).argmax(1) == LABELS)[counted]
    assert found.class_before == before.mean()
    assert found.class_after == after.mean()
    kinds = outcome(before, after)
    assert (found.repaired, found.harmed) == ((kinds == 2).sum(), (kinds == 3).sum())
    assert found.repaired - found.harmed == after.sum() - before.sum()
    nothing = gain(
        PROBABILITIES,
        generalise(PROBABILITIES, ALL, corrections_of(MEMORY, GROUPS, 3), 0.0),
        TRUTH,
        LABELS,
        WEIGHT,
        BIAS,
    )
    assert nothing.identified == 0
    assert np.isnan(nothing.identified_after)


def test_the_budget_curve_is_that_of_growing_memories() -> None:
    curve = list(
        budget_curve(PROBABILITIES, ALL, corrections_of(MEMORY, GROUPS, 3), LABELS, WEIGHT, BIAS, 2.0)
    )
    assert len(curve) == M + 1
    for size in range(M + 1):
        part = MEMORY.first(size)
        applied = generalise(PROBABILITIES, ALL[:, :size], corrections_of(part, GROUPS, 3), 2.0)
        after = class_logits(applied.probabilities, WEIGHT, BIAS).argmax(axis=1) == LABELS
        assert curve[size] == pytest.approx(after.mean())


# ------------------------------------------------------------------ the memory as a thing


def test_entries_come_and_go() -> None:
    memory = MEMORY.without(3)
    assert [one.number for one in memory.entries] == [1, 2, 4, 5, 6, 7, 8]
    assert memory.next_number == 9
    assert len(MEMORY) == M
    with pytest.raises(RunError, match="holds encodings of 7 numbers, this encoder gives 5"):
        MEMORY.with_entry(entry(9, np.zeros(7)))


def test_contradictions_at_one_place_are_found() -> None:
    assert MEMORY.twins_of(QUERIES[2])[0].number == 3
    assert MEMORY.twins_of(QUERIES[2] + 1e-5) == ()
    assert Memory(D).twins_of(QUERIES[0]) == ()


def test_saved_and_read_again(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(C)]
    memory = Memory(D, "abc", MEMORY.entries, (Refusal(2, QUERIES[9], 9),))
    text = memory.save(tmp_path / "memory.zip", names)
    with zipfile.ZipFile(text) as archive:
        assert archive.namelist() == ["memory.json", "memory.npz"]
        archive.extractall(tmp_path / "open")
    beside = load_memory(tmp_path / "open" / "memory.json", D, "abc", names)
    assert np.array_equal(beside.memory.encodings, memory.encodings)
    back = load_memory(text, D, "abc", names)
    assert back.warnings == []
    assert [one.correction for one in back.memory.entries] == [one.correction for one in memory.entries]
    assert np.array_equal(back.memory.encodings, memory.encodings)
    assert np.array_equal(back.memory.refusals[0].encoding, QUERIES[9])
    assert "another encoder of the same size" in load_memory(text, D, "xyz", names).warnings[0]
    with pytest.raises(RunError, match="holds encodings of 5 numbers, this encoder gives 120"):
        load_memory(text, 120, "abc", names)
    with pytest.raises(RunError, match="other concepts"):
        load_memory(text, D, "abc", ["other"])
    text.write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match="no saved memory"):
        load_memory(text, D, "abc", names)
