"""Reading samples: LIBSVM rows, tables, the embedded sets, and every malformed kind with its place."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from engine.core.data.options import ReadOptions
from engine.core.data.registry import read
from engine.core.errors import DataError
from engine.methods.gaussian_sketch.data import Samples, SamplesKind
from engine.methods.gaussian_sketch.sets import SETS

KIND = [SamplesKind()]


def samples(path: Path, options: ReadOptions | None = None) -> Samples:
    value = read(path, KIND, options).value
    assert isinstance(value, Samples)
    return value


def written(folder: Path, text: str, name: str = "rows.libsvm") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["a.libsvm", "a9a", "a.txt", "a.svm.gz", "a.bz2"])
def test_libsvm_equals_scikit_learn(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(0)
    matrix = sparse.random(30, 40, 0.1, random_state=rng, format="csr")
    matrix[0, 39] = 1.5
    labels = np.where(rng.random(30) < 0.5, -1, 1)
    plain = tmp_path / "plain"
    dump_svmlight_file(matrix, labels, str(plain), zero_based=False)
    path = tmp_path / name
    pack = {".gz": gzip.compress, ".bz2": bz2.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(plain.read_bytes()))
    found = samples(path)
    expected, target = load_svmlight_file(str(plain), n_features=40, zero_based=False)
    assert found.is_sparse
    assert np.allclose(found.matrix.toarray(), expected.toarray())
    assert np.array_equal(found.target, target)
    assert found.labels() == ["-1", "1"]


def test_rows_with_remarks_blank_lines_and_no_features(tmp_path: Path) -> None:
    found = samples(written(tmp_path, "# head\n+1 1:0.5 3:2 # note\n\n-1\n+1 2:1e-3\n"))
    matrix = found.matrix if not found.is_sparse else found.matrix.toarray()
    assert np.array_equal(matrix, [[0.5, 0, 2], [0, 0, 0], [0, 1e-3, 0]])
    assert np.array_equal(found.target, [1, -1, 1])


def test_counting_from_zero_is_a_choice_not_a_guess(tmp_path: Path) -> None:
    path = written(tmp_path, "1 1:1\n-1 0:5 2:1\n")
    with pytest.raises(DataError) as caught:
        samples(path)
    error = caught.value
    assert (error.code, error.row) == ("index-zero", 2)
    repaired = samples(path, ReadOptions().repaired(error.choices[0]))
    assert repaired.dimension == 3
    assert repaired.features[0] == "feature 0"


@pytest.mark.parametrize(
    ("text", "code", "row"),
    [
        ("1 1:1\n-1 3:1 2:1\n", "not-ascending", 2),
        ("1 1:1\n-1 2:1 2:3\n", "not-ascending", 2),
        ("1 1:1\n1 2:nan\n", "not-finite", 2),
        ("1 1:1\n1 2:inf\n", "not-finite", 2),
        ("1 1:1\n1 2:x\n", "not-a-number", 2),
        ("1 1:1\n1 2\n", "not-a-pair", 2),
        ("1 1:1\ninf 2:1\n", "not-finite", 2),
        ("1\n2\n", "no-table", None),
    ],
)
def test_malformed_rows_name_their_line(tmp_path: Path, text: str, code: str, row: int | None) -> None:
    with pytest.raises(DataError) as caught:
        samples(written(tmp_path, text))
    assert (caught.value.code, caught.value.row) == (code, row)
    assert caught.value.allowed


def test_a_table_takes_its_target_by_name_or_choice(tmp_path: Path) -> None:
    text = "x1,x2,y\n1,2,0.5\n3,4,0.25\n5,7,0.75\n"
    found = samples(written(tmp_path, text, "t.csv"))
    assert np.array_equal(found.target, [0.5, 0.25, 0.75])
    assert found.features == ("x1", "x2")
    other = written(tmp_path, text.replace("y", "z"), "u.csv")
    with pytest.raises(DataError) as caught:
        samples(other)
    assert caught.value.code == "no-target"
    chosen = samples(other, ReadOptions().repaired(caught.value.choices[0]))
    assert chosen.target_name == "z"


def test_missing_and_infinite_cells_name_their_row(tmp_path: Path) -> None:
    for cell in ("", "inf", "abc"):
        with pytest.raises(DataError) as caught:
            samples(written(tmp_path, f"a,b,target\n1,2,1\n3,{cell},0\n5,6,1\n7,8,0\n", "m.csv"))
        assert caught.value.row == 3


@pytest.mark.parametrize(
    ("name", "n", "d"),
    [
        ("breast_cancer", 569, 30),
        ("digits", 1797, 64),
        ("diabetes", 442, 10),
        ("mnist_5k", 5000, 784),
        ("phishing", 1250, 9),
        ("shuttle", 49_097, 9),
        ("quadratic_decay", 0, 200),
        ("plane", 0, 2),
    ],
)
def test_embedded_sets(name: str, n: int, d: int) -> None:
    value = next(each for each in SETS if each.name == name).load().value
    assert (value.samples, value.dimension) == (n, d)
    assert len(value.features) == d
    assert value.fingerprint() == next(each for each in SETS if each.name == name).load().value.fingerprint()
    if n:
        assert len(value.labels()) == 2 or name == "diabetes"
    if name == "shuttle":
        assert int((value.classes == "anomaly").sum()) == 3511
