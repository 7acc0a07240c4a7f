"""Distance and linkage matrices in every form, and the question whether a table is one."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

from engine.core.data import DistanceKind, LinkageMatrixKind, ReadOptions, TableKind, read

DISTANCES = [DistanceKind()]
POINTS = np.random.default_rng(3).normal(size=(6, 2))
CONDENSED = pdist(POINTS)
SQUARE = squareform(CONDENSED)
NAMES = ("a", "b c", "ü", "数", "e", "f")


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def text(matrix, separator=","):
    return "\n".join(separator.join(repr(v) for v in row) for row in np.asarray(matrix).tolist()) + "\n"


def quoted(row):
    return ",".join(f'"{cell}"' if isinstance(cell, str) else repr(cell) for cell in row)


def check(loaded, names=None):
    value = loaded.value
    assert (value.n, value.names) == (6, names)
    np.testing.assert_array_equal(value.condensed(), CONDENSED)
    np.testing.assert_array_equal(value.square(), SQUARE)
    assert value.summary() == "distances of 6 points"
    assert loaded.report.reading == "distances"
    assert loaded.options.orientation == "distances"


def test_square_files(load):
    check(load(text(SQUARE), kinds=DISTANCES))
    check(load(text(SQUARE, "\t"), kinds=DISTANCES))
    check(load(npy(SQUARE), "a.npy", DISTANCES))
    framed = [("", *NAMES), *((name, *row) for name, row in zip(NAMES, SQUARE.tolist(), strict=True))]
    check(load("\n".join(map(quoted, framed)), kinds=DISTANCES), NAMES)
    check(load("\n".join(map(quoted, [NAMES, *SQUARE.tolist()])), kinds=DISTANCES), NAMES)
    numbered = [("", *range(1, 7)), *((i, *row) for i, row in enumerate(SQUARE.tolist(), 1))]
    lines = [",".join(str(cell) for cell in row) for row in numbered]
    check(load("\n".join(lines), kinds=DISTANCES), ("1", "2", "3", "4", "5", "6"))


def test_condensed_files(load):
    check(load(npy(CONDENSED), "a.npy", DISTANCES))


def triangle(with_names, with_diagonal, with_header, separator=" "):
    """The lower triangle as R prints it."""
    first = 0 if with_diagonal else 1
    rows = []
    if with_header:
        rows.append((["", *NAMES] if separator != " " else list(NAMES))[: None if with_diagonal else -1])
    for i in range(first, 6):
        cells = [repr(v) for v in SQUARE[i, : i + 1 if with_diagonal else i].tolist()]
        rows.append([NAMES[i], *cells] if with_names else cells)
    return "\n".join(separator.join(f'"{c}"' if " " in c else c for c in row) for row in rows) + "\n"


@pytest.mark.parametrize("separator", [" ", ",", "\t"])
@pytest.mark.parametrize("with_diagonal", [True, False])
def test_lower_triangles(load, separator, with_diagonal):
    check(load(triangle(True, with_diagonal, True, separator), kinds=DISTANCES), NAMES)
    check(load(triangle(False, with_diagonal, False, separator), kinds=DISTANCES))


def test_padded_lower_triangle(load):
    rows = [("", *NAMES[:-1])]
    rows += [(NAMES[i], *SQUARE[i, :i].tolist(), *[""] * (5 - i)) for i in range(1, 6)]
    content = "\n".join(quoted(row).replace('""', "") for row in rows)
    loaded = load(content, kinds=DISTANCES)
    check(loaded, NAMES)
    assert loaded.report.conversions == ["the lower triangle was read; the upper one is empty"]
    full = np.where(np.triu(np.ones((6, 6)), 1) > 0, np.nan, SQUARE)
    check(load(npy(full), "a.npy", DISTANCES))


def spoilt(i, j, value, both=True):
    matrix = SQUARE.copy()
    matrix[i, j] = value
    if both:
        matrix[j, i] = value
    return matrix


REFUSED = {
    "not-square": (SQUARE[:, :5], "the matrix has 6 rows and 5 columns of numbers"),
    "not-finite": (spoilt(2, 4, np.inf), "row 3, column 5: the distance is inf. Distances are finite."),
    "missing-value": (spoilt(2, 4, np.nan), "row 3, column 5: the distance is missing"),
    "negative": (spoilt(2, 4, -1.5), "row 3, column 5: the distance is -1.5. Distances are not negative."),
    "nonzero-diagonal": (spoilt(3, 3, 1.0), "row 4, column 4: the distance to itself is 1. The diagonal of"),
}


@pytest.mark.parametrize("code", REFUSED)
def test_square_matrices_that_are_refused(refusal, code):
    matrix, words = REFUSED[code]
    error = refusal(npy(matrix), "d.npy", DISTANCES)
    assert error.code == code
    assert f"d.npy{', ' if words.startswith('row') else ': '}{words}" in str(error)


def test_asymmetry_names_the_largest_and_its_place(refusal, load):
    matrix = spoilt(1, 3, SQUARE[1, 3] * (1 + 1e-6), both=False)
    matrix[4, 2] *= 1.5
    error = refusal(npy(matrix), "d.npy", DISTANCES)
    assert (error.code, error.row, error.column, error.further) == ("asymmetric", 3, 5, 1)
    assert (
        f"the distance is {SQUARE[2, 4]:.10g} here and {1.5 * SQUARE[2, 4]:.10g} in row 5, column 3"
        in str(error)
    )
    assert "the largest asymmetry, 0.333 relative" in str(error)
    mean = load(npy(matrix), "d.npy", DISTANCES, asymmetry="mean").value.square()
    np.testing.assert_allclose(mean, (matrix + matrix.T) / 2, rtol=1e-15)


def test_names_before_a_row_are_counted_as_a_column(refusal):
    error = refusal(",a,b,c\na,0,1,2\nb,1,0,3\nc,2,4,0\n", kinds=DISTANCES)
    assert (error.row, error.column) == (3, 4)
    assert "here and 4 in row 4, column 3" in str(error)
    error = refusal(",a,b\na,0,-1\nb,1,0\n", kinds=DISTANCES)
    assert (error.row, error.column) == (2, 3)


def test_asymmetry_of_rounding_is_averaged_and_told(load):
    matrix = spoilt(1, 3, SQUARE[1, 3] * (1 + 5e-9), both=False)
    loaded = load(npy(matrix), "d.npy", DISTANCES)
    square = loaded.value.square()
    assert (square == square.T).all()
    assert square[1, 3] == pytest.approx((matrix[1, 3] + matrix[3, 1]) / 2, rel=1e-15)
    assert "is the mean of both directions" in loaded.report.conversions[0]


@pytest.mark.parametrize("block", [1, 2, 3, 256])
def test_checks_by_blocks_agree(load, refusal, monkeypatch, block):
    monkeypatch.setattr("engine.core.data.distances._ROWS", block)
    check(load(npy(SQUARE), "d.npy", DISTANCES))
    assert refusal(npy(spoilt(4, 2, 9.0, both=False)), "d.npy", DISTANCES).row in (3, 5)
    noisy = SQUARE * (1 + 1e-9 * np.triu(np.ones((6, 6)), 1))
    square = load(npy(noisy), "d.npy", DISTANCES).value.square()
    assert (square == square.T).all()
    np.testing.assert_allclose(square, (noisy + noisy.T) / 2, rtol=1e-15)


def test_condensed_vectors_that_are_refused(refusal):
    error = refusal(npy(CONDENSED[:-1]), "d.npy", DISTANCES)
    assert (error.code, "the vector has 14 values" in str(error)) == ("not-triangular", True)
    assert "10 for n = 5, 15 for n = 6" in str(error)
    assert refusal(npy(np.array([])), "d.npy", DISTANCES).code == "not-triangular"
    assert refusal(npy(np.zeros((2, 2, 2))), "d.npy", DISTANCES).code == "not-2d"


def test_every_condensed_entry_is_named_by_its_pair(refusal):
    rows, columns = np.triu_indices(6, 1)
    for k, (i, j) in enumerate(zip(rows, columns, strict=True)):
        values = CONDENSED.copy()
        values[k] = -1
        error = refusal(npy(values), "d.npy", DISTANCES)
        assert f"entry {k + 1}, the distance of {i + 1} and {j + 1}" in str(error)


def test_text_in_a_matrix(refusal):
    error = refusal("0,1,2\n1,0,x\n2,3,0\n", kinds=DISTANCES)
    assert (error.code, error.row, error.column) == ("not-a-number", 2, "column 3")
    error = refusal("1\n2 x\n3 4 5\n", kinds=DISTANCES)
    assert (error.code, error.row, error.column) == ("not-a-number", 2, 2)


def test_too_few(refusal):
    assert refusal("0\n", kinds=DISTANCES).code == "too-few-rows"


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_square_and_condensed_forms_agree(tmp_path_factory, n, seed):
    folder = tmp_path_factory.mktemp("d é 数")
    condensed = np.random.default_rng(seed).random(n * (n - 1) // 2)
    (folder / "c.npy").write_bytes(npy(condensed))
    (folder / "s.csv").write_text(text(squareform(condensed)))
    first, second = read(folder / "c.npy", DISTANCES).value, read(folder / "s.csv", DISTANCES).value
    np.testing.assert_array_equal(first.square(), squareform(condensed))
    np.testing.assert_array_equal(second.condensed(), condensed)
    assert first.fingerprint() == second.fingerprint()


def test_a_table_that_could_be_distances_is_asked_about(refusal, load):
    error = refusal(text(SQUARE))
    assert str(error) == (
        "t.csv: the table is square (6 × 6) and symmetric with a zero diagonal. Say what the numbers are. "
        "Read it as distances or read its rows as points."
    )
    distances, points = error.choices
    check(load(text(SQUARE), **{distances.key: distances.value}))
    as_points = load(text(SQUARE), **{points.key: points.value})
    np.testing.assert_array_equal(as_points.value.numeric(), SQUARE)
    assert as_points.report.reading == "points"
    assert refusal(npy(SQUARE), "a.npy").code == "could-be-distances"
    counted = "0,1,2\n1,0,3\n2,3,0\n"
    assert refusal(counted).code == "could-be-distances"
    named = "id,0,1,2\n0,0,1,2\n1,1,0,3\n2,2,3,0\n"
    assert refusal(named, header=1).code == "could-be-distances"
    assert load(named, header=1, orientation="distances").value.names == ("0", "1", "2")


def test_where_distances_are_not_accepted_it_is_told(load):
    loaded = load(text(SQUARE), kinds=[TableKind()])
    assert "square and symmetric with a zero diagonal" in loaded.report.warnings[0]


def test_linkage_matrices(load, refusal):
    merges = linkage(POINTS, "average")
    for content, name in ((text(merges), "z.csv"), (npy(merges), "z.npy")):
        loaded = load(content, name, [LinkageMatrixKind()])
        np.testing.assert_array_equal(loaded.value.merges, merges)
        assert loaded.value.n == 6
        error = refusal(content, name)
        assert (error.code, error.choices[0].value) == ("could-be-linkage", "linkage")
        assert load(content, name, orientation="linkage").value.summary() == "hierarchy of 6 leaves"
        assert load(content, name, orientation="points").value.numeric().shape == (5, 4)


@pytest.mark.parametrize(
    ("row", "column", "value", "words"),
    [
        (0, 0, 6, "row 1, column 1: there is no cluster 6. Whole numbers from 0 to 5."),
        (1, 0, 0.5, "row 2, column 1: there is no cluster 0.5."),
        (2, 2, -1, "row 3, column 3: the height is -1. Heights are finite and not negative."),
        (4, 3, 5, "row 5, column 4: the size is 5. The parts have 6 points together."),
    ],
)
def test_linkage_matrices_that_are_refused(refusal, row, column, value, words):
    merges = linkage(POINTS, "average")
    merges[row, column] = value
    assert words in str(refusal(npy(merges), "z.npy", [LinkageMatrixKind()]))


def test_a_cluster_merged_twice(refusal):
    merges = linkage(POINTS, "average")
    merges[1, 0] = merges[0, 0]
    error = refusal(npy(merges), "z.npy", [LinkageMatrixKind()])
    assert (error.row, "was merged before" in str(error)) == (2, True)
    assert "the matrix is 5 × 3" in str(refusal(npy(merges[:, :3]), "z.npy", [LinkageMatrixKind()]))


def test_heights_that_fall_are_told(load):
    merges = np.array([[0, 1, 2.0, 2], [2, 3, 1.0, 3]])
    assert load(npy(merges), "z.npy", [LinkageMatrixKind()]).report.warnings


def test_names_do_not_survive_in_an_option(load):
    recipe = load(text(SQUARE), kinds=DISTANCES).options
    assert ReadOptions().with_settings(recipe.changed()) == recipe
