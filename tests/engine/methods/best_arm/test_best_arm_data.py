"""A person's files and typed values: what is understood, and what each mistake is told."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.data import resolve
from engine.core.errors import DataError, FieldError
from engine.methods.best_arm.check import check
from engine.methods.best_arm.data import ArmsKind
from engine.methods.best_arm.declaration import METHOD
from engine.methods.best_arm.parameters import Parameters, parse_budgets, parse_means
from engine.methods.best_arm.sets import SETS


def read(folder, text, name="arms.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return resolve(path, SETS, [ArmsKind()])


@pytest.mark.parametrize(
    ("text", "names", "means"),
    [
        ("name,mean\nB,0.4\nA,0.5\n", ("A", "B"), (0.5, 0.4)),
        ("mean\n0.1\n0.3\n", ("arm 2", "arm 1"), (0.3, 0.1)),
        ("name,successes,trials\nA,5,10\nB,1,4\n", ("A", "B"), (0.5, 0.25)),
        ("item_id,impressions,clicks\n7,200,3\n9,100,1\n", ("7", "9"), (0.015, 0.01)),
        ("variant;clicks;failures\nnew;30;70\nold;20;80\n", ("new", "old"), (0.3, 0.2)),
        ("arm,reward\nb,0\na,1\nb,1\na,1\n", ("a", "b"), (1.0, 0.5)),
    ],
)
def test_files_are_understood(tmp_path, text, names, means):
    (arms,) = read(tmp_path, text).value.items
    assert arms.names == names
    assert arms.means == pytest.approx(means)


def test_a_log_keeps_its_order_and_follows_the_sorting(tmp_path):
    (arms,) = read(tmp_path, "arm,reward\nb,0\na,1\nb,1\na,0\na,1\n").value.items
    assert arms.names == ("a", "b")
    assert arms.log_arms.tolist() == [1, 0, 1, 0, 0]
    assert arms.log_rewards.tolist() == [0, 1, 1, 0, 1]
    (timed,) = read(tmp_path, "arm,reward,time\nb,0,3\na,1,1\nb,1,2\na,0,4\n").value.items
    assert timed.log_rewards.tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "row", "column", "word"),
    [
        ("name,mean\nA,0.5\nB,40\n", 3, "mean", "between 0 and 1"),
        ("name,mean\nA,-0.5\nB,0.4\n", 2, "mean", "between 0 and 1"),
        ("name,successes,trials\nA,5,10\nB,14,10\n", 3, "successes", "cannot exceed"),
        ("name,successes,trials\nA,5,10\nB,0,0\n", 3, "trials", "without trials"),
        ("name,successes,trials\nA,5.5,10\nB,0,1\n", 2, "successes", "whole numbers"),
        ("arm,reward\nA,0\nB,2\n", 3, "reward", "0 or 1"),
        ("name,mean\nA,0.5\nA,0.4\n", 3, "name", "twice"),
        ("name,mean\nA,0.5\nB,n/a\nC,0.2\n", 3, "mean", "not a number"),
    ],
)
def test_mistakes_name_row_and_column(tmp_path, text, row, column, word):
    with pytest.raises(DataError, match=word) as caught:
        read(tmp_path, text)
    assert (caught.value.row, caught.value.column) == (row, column)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("name,mean\nA,0.5\n", "one arm"),
        ("arm,reward\nA,0\nA,1\n", "one arm"),
        ("x,y\nA,0.5\nB,0.4\n", "the columns are x, y"),
        ("mean\n" + "0.5\n" * 201, "201 arms"),
    ],
)
def test_files_that_are_no_instance(tmp_path, text, word):
    with pytest.raises(DataError, match=word):
        read(tmp_path, text)


def test_a_shared_best_mean_is_a_warning(tmp_path):
    loaded = read(tmp_path, "name,mean\nA,0.5\nB,0.5\nC,0.1\n")
    assert any("share the largest mean" in text for text in loaded.report.warnings)


def test_embedded_sets_are_there():
    found = {each.name: each.load().value for each in SETS}
    for campaign, items, clicks in [("men", 34, 46), ("women", 46, 46), ("all", 80, 38)]:
        (arms,) = found[f"open_bandit_{campaign}"].items
        assert arms.count == items
        assert arms.trials.sum() == arms.log_arms.size == 10_000
        assert arms.successes.sum() == clicks
    assert [arms.count for arms in found["families"].items] == [10] * 5 + [20] * 5 + [40] * 5
    (models,) = found["imagenet"].items
    assert models.means[0] == pytest.approx(0.88548)
    for value in found.values():
        for arms in value.items:
            assert (np.diff(arms.means) <= 0).all()
        assert value.fingerprint() == value.fingerprint()
    assert len({value.fingerprint() for value in found.values()}) == len(found)


def test_typed_means_and_budgets():
    assert parse_means("0.5, 0.4; 0.5,0.45,0.3;") == ((0.5, 0.4), (0.5, 0.45, 0.3))
    assert parse_budgets("400, 100, 200") == (100, 200, 400)


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("means", "0.5, 1.4", "between 0 and 1"),
        ("means", "0.5", "2 to 200"),
        ("means", "0.5, x", "not a number"),
        ("budgets", "100, 2.5", "separated by commas"),
        ("budgets", "1", "from 2 to"),
        ("budgets", "", "separated by commas"),
        ("table", "0.5, 2", "probabilities"),
        ("algorithms", (), "Algorithms"),
        ("level", 1.5, "Confidence level"),
    ],
)
def test_fields_refuse_in_words(field, value, word):
    with pytest.raises(FieldError, match=word) as caught:
        Parameters.build({field: value})
    assert caught.value.field == field


def problems(data="pair", **values):
    loaded = next(each for each in SETS if each.name == data).load()
    return [(p.field, p.severity) for p in check(Parameters.build(values), loaded.value)]


def test_what_depends_on_the_data():
    assert problems() == []
    assert problems("ten_arms", budgets="9") == [("budgets", "error")]
    assert problems("ten_arms", algorithms=("sh",), budgets="39") == [("budgets", "error")]
    assert problems("ten_arms", algorithms=("sh",), budgets="40") == []
    assert problems("ten_arms", algorithms=("tracking",)) == [("algorithms", "error")]
    assert problems("ten_arms", algorithms=("uniform", "tracking")) == [("algorithms", "warning")]
    assert problems("ten_arms", theta=0.9) == [("theta", "error")]
    assert problems(algorithms=("own",), own="rule", rule="n1 <") == [("rule", "error")]
    assert problems(algorithms=("own",), own="rule", rule="t") == [("rule", "error")]
    assert problems(algorithms=("ucbe",), ucbe="oracle") == [("ucbe", "warning")]
    assert problems(means="0.5, 0.5") == [("means", "warning")]
    assert problems(means="0.5, 0.5, 0.1") == [("means", "warning")]


def test_a_budget_that_is_too_small_comes_with_one_that_does():
    loaded = next(each for each in SETS if each.name == "ten_arms").load()
    found = check(Parameters.build({"algorithms": ("sr",), "budgets": "5, 100"}), loaded.value)
    assert found[0].suggestion == "11, 100"


def test_presets_are_allowed():
    for preset in METHOD.presets:
        data = next(each for each in SETS if each.name == preset.data).load()
        errors = [p for p in check(METHOD.settings(preset.name), data.value) if p.severity == "error"]
        assert errors == [], preset.name
