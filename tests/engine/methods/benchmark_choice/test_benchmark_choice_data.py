"""The person's own leaderboard: what is understood, what is refused and with which words."""

from pathlib import Path

import numpy as np
import pytest

from engine.core.data.options import ReadOptions
from engine.core.data.registry import read
from engine.core.errors import DataError
from engine.methods.benchmark_choice.boards import LEADERBOARDS, catalogue, leaderboard
from engine.methods.benchmark_choice.data import LeaderboardKind, load_kept, load_reference
from engine.methods.benchmark_choice.declaration import METHOD


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "mine.csv") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def load(path, **options):
    return read(path, [LeaderboardKind()], ReadOptions().with_settings(options))


def test_directions_ignored_columns_and_missing_scores(file):
    loaded = load(file("model,a,b,note\n#direction,max,min,ignore\nA,1,5,x\nB,2,-,y\nC,3,3.5,z\n"))
    board = loaded.value
    assert board.models == ("A", "B", "C")
    assert board.tasks == ("a", "b")
    assert np.array_equal(board.scores, [[1, -5], [2, np.nan], [3, -3.5]], equal_nan=True)
    assert board.flipped == (False, True)
    assert board.kind == "ordinal"
    assert any("lower is better in b" in line for line in loaded.report.lines())
    assert any("1 cell “-”" in line for line in loaded.report.lines())


def test_tab_separated_without_directions(file):
    board = load(file("name\ta\tb\nA\t1\t5\nB\t2\t4\nC\t3\t3\n", "mine.tsv")).value
    assert board.kind == "cardinal"
    assert board.name == "mine"
    assert board.summary() == "3 models × 2 tasks, ranked by mean score"


def test_the_recipe_found_reads_the_same_board_again(file):
    path = file("model;a;b;c\n#direction;max;↓;ignore\nA;1,5;5;x\nB;2,5;NA;y\nC;3,25;3;z\n")
    first = load(path)
    again = read(path, [LeaderboardKind()], first.options)
    assert again.value.fingerprint() == first.value.fingerprint()
    assert first.value.scores[2].tolist() == [3.25, -3.0]


@pytest.mark.parametrize(
    ("text", "code", "row", "column"),
    [
        ("model,a,b\nA,1,5\nB,oops,4\nC,3,3\n", "not-a-number", 3, "a"),
        ("model,a,b\nA,1,5\nB,inf,4\nC,3,3\n", "not-finite", 3, "a"),
        ("model,a,b\nA,1,5\nA,2,4\nC,3,3\n", "duplicate-model", 3, "model"),
        ("model,a\nA,1\nB,2\nC,3\n", "too-few-columns", None, None),
        ("model,a,b\nA,1,5\nB,2,4\n", "too-few-rows", None, None),
        ("model,a,b\n#direction,max,up\nA,1,5\nB,2,4\nC,3,1\n", "direction-word", 2, "b"),
        ("model,a,b\n#direction,max\nA,1,5\nB,2,4\nC,3,1\n", "direction-length", 2, None),
    ],
)
def test_malformed_tables_are_refused_with_their_place(file, text, code, row, column):
    with pytest.raises(DataError) as caught:
        load(file(text))
    assert (caught.value.code, caught.value.row, caught.value.column) == (code, row, column)


def test_a_text_among_numbers_can_be_treated_as_missing(file):
    board = load(file("model,a,b\nA,1,5\nB,oops,4\nC,3,3\n"), not_a_number="missing").value
    assert np.isnan(board.scores[1, 0])


def test_warnings(file):
    loaded = load(file("model,a,b,c\nA,0.1,50,2\nB,0.2,40,2\nC,0.3,90,2\nD,,,\n"))
    words = " ".join(loaded.report.warnings)
    assert "percentages" in words
    assert "score all models alike do not count: c" in words
    assert "without any score win against nobody: D" in words


@pytest.mark.parametrize("name", catalogue())
def test_kept_tables_read_as_a_persons_file_give_the_same_board(name):
    from_file = load(LEADERBOARDS / f"{name}.csv").value
    kept = leaderboard(name)
    assert from_file.models == kept.models
    assert from_file.tasks == kept.tasks
    assert np.array_equal(from_file.scores, kept.scores, equal_nan=True)


def test_every_declared_set_loads():
    assert len({data.name for data in METHOD.sets}) == len(METHOD.sets) == 32
    for data in METHOD.sets:
        loaded = data.load()
        assert loaded.value.n >= 16
        assert loaded.as_record()["summary"].startswith(f"{loaded.value.n:,} models")


def test_reference_sets_take_a_seed():
    first, second = (load_reference("random", lambda f, p: None, seed=seed).value for seed in (0, 1))
    assert not np.array_equal(first.scores, second.scores)
    assert sum(load_kept("helm_accuracy", lambda f, p: None).report.missing.values()) == 196
