"""Distances, the checks of what a person brings, and the choice by memory."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from engine.core.errors import DataError, UnknownNameError
from engine.methods.linkage import (
    METRICS,
    check_triangles,
    distances,
    looks_like_distances,
    plan,
    read_dissimilarities,
)

GIB = 1 << 30


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev", "cosine"])
@pytest.mark.parametrize("n", [2, 65, 400])
def test_distances_equal_scipy(metric, n):
    x = np.random.default_rng(n).normal(size=(n, 7))
    expected = pdist(x, metric)
    for layout in ("square", "condensed"):
        full = distances(x, metric, layout)
        np.testing.assert_allclose(full.as_condensed(), expected, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(full.as_square(), squareform(expected), rtol=1e-12, atol=1e-15)
        single = distances(x, metric, layout, np.float32)
        np.testing.assert_allclose(single.as_condensed(), expected, rtol=1e-6)
        np.testing.assert_allclose(full.row(n - 1), squareform(expected)[n - 1], rtol=1e-12, atol=1e-15)
        part = full.subset(np.array([n - 1, 0]))
        np.testing.assert_allclose(part, [[0, full.row(0)[n - 1]], [full.row(0)[n - 1], 0]])


def test_the_number_of_threads_changes_nothing():
    x = np.random.default_rng(0).normal(size=(700, 5))
    for layout in ("square", "condensed"):
        one, two = (distances(x, layout=layout, threads=threads) for threads in (1, 2))
        np.testing.assert_array_equal(one.values, two.values)


def test_haversine_in_kilometres():
    # Quarter and half of a meridian; Paris to New York, 5,837 km on the sphere.
    places = np.array([[0, 0], [90, 0], [-90, 17], [0, 180], [48.8566, 2.3522], [40.7128, -74.0060]])
    d = distances(places, "haversine").as_square()
    half = np.pi * 6371.0088
    assert d[0, 1] == pytest.approx(half / 2, rel=1e-12)
    assert d[1, 2] == pytest.approx(half, rel=1e-12)
    assert d[0, 3] == pytest.approx(half, rel=1e-12)
    assert d[4, 5] == pytest.approx(5837.2, abs=1.0)
    metre = np.degrees(1e-3 / 6371.0088)
    near = distances(np.array([[10.0, 20.0], [10.0 + metre, 20.0]]), "haversine").as_square()
    assert near[0, 1] == pytest.approx(1e-3, rel=1e-6)


def test_close_points_far_from_the_origin_keep_their_distance():
    x = np.array([[1e9, 0.0], [1e9 + 1e-3, 0.0], [1e9 + 5.0, 0.0]])
    assert distances(x, dtype=np.float32).as_square()[0, 1] == pytest.approx(x[1, 0] - x[0, 0], rel=1e-6)


def test_which_metrics_are_metrics():
    assert {name for name, metric in METRICS.items() if not metric.is_metric} == {"cosine"}
    x = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    found = check_triangles(distances(x, "cosine"))
    assert not found.holds
    assert found.worst == (0, 2, 1)
    assert (found.direct, found.detour) == pytest.approx((1.0, 2 - np.sqrt(2)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_triangle_check_passes_metrics(dtype):
    x = np.random.default_rng(0).normal(size=(60, 3))
    x = np.vstack([x, x[:5], np.linspace(x[0], x[1], 7)])
    full = check_triangles(distances(x, dtype=dtype))
    assert full.holds
    assert full.full
    assert full.checked == 72 * 71 // 2 * 70


def test_triangle_check_finds_the_worst_triple_and_samples_large_inputs():
    d = np.ones((9, 9)) - np.eye(9)
    d[2, 7] = d[7, 2] = 5.0
    found = check_triangles(read_dissimilarities(squareform(d)))
    assert found.violations == 7
    assert found.worst[:2] == (2, 7)
    assert (found.direct, found.detour) == (5.0, 2.0)
    x = np.random.default_rng(0).normal(size=(500, 2))
    squared = read_dissimilarities(pdist(x) ** 2)
    sample = check_triangles(squared, samples=5000)
    assert (sample.checked, sample.full) == (5000, False)
    assert 100 < sample.violations < 5000
    assert sample == check_triangles(squared, samples=5000)


def test_unknown_metric():
    with pytest.raises(UnknownNameError, match="euclidean"):
        distances(np.eye(3), "euclidian")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_cell_that_is_not_finite_is_named(bad):
    x = np.zeros((5, 3))
    x[3, 1] = bad
    with pytest.raises(DataError) as error:
        distances(x)
    assert (error.value.code, error.value.row, error.value.column) == ("not-finite", 4, 2)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev"])
def test_overflow_is_told_before_it_happens(metric):
    x = np.array([[0.0, 1.0], [1.0, 1e308], [2.0, -1e308]])
    with pytest.raises(DataError) as error:
        distances(x, metric)
    assert (error.value.code, error.value.column) == ("overflow", 2)
    with pytest.raises(DataError, match="range of float32"):
        distances(np.array([[0.0], [1e30]]), metric, dtype=np.float32)
    assert distances(np.array([[0.0], [1e30]]), metric).as_square()[0, 1] == 1e30


def test_zero_vectors_have_no_cosine():
    x = np.array([[1.0, 2.0], [0.0, 0.0], [3.0, 1.0], [0.0, 0.0]])
    with pytest.raises(DataError, match="rows 2, 4"):
        distances(x, "cosine")
    assert np.isfinite(distances(x * 1e300 + 1e300, "cosine").values).all()


def test_one_point_is_too_few():
    with pytest.raises(DataError, match="at least 2 rows"):
        distances(np.array([[1.0, 2.0]]))
    with pytest.raises(DataError, match="At least 2 points"):
        read_dissimilarities(np.zeros((1, 1)))


def test_haversine_wants_coordinates():
    with pytest.raises(DataError, match="latitude and longitude"):
        distances(np.zeros((3, 3)), "haversine")
    with pytest.raises(DataError, match=r"91\.0 is not a latitude"):
        distances(np.array([[0.0, 0.0], [91.0, 0.0]]), "haversine")


def test_distance_matrices_are_recognised():
    d = squareform(pdist(np.random.default_rng(0).normal(size=(6, 2))))
    assert looks_like_distances(d)
    assert not looks_like_distances(d[:5])
    assert not looks_like_distances(d + np.eye(6))
    assert not looks_like_distances(np.triu(d))


def square(change):
    d = squareform(pdist(np.arange(5.0)[:, None]))
    change(d)
    return d


@pytest.mark.parametrize(
    ("values", "code", "row", "column"),
    [
        (np.zeros((3, 4)), "not-square", None, None),
        (np.ones(7), "length", None, None),
        (square(lambda d: d.__setitem__((1, 3), 9.0)), "asymmetric", 2, 4),
        (square(lambda d: d.__setitem__((2, 2), 0.5)), "diagonal", 3, 3),
        (square(lambda d: d.__setitem__((4, 1), np.nan)), "not-finite", 5, 2),
        (square(lambda d: d.__setitem__((0, 4), -1.0)), "negative", 1, 5),
        (np.array([1.0, 1.0, 1.0, 1.0, np.inf, 1.0]), "not-finite", 2, 4),
        (np.array([1.0, 1e300, 1.0]), "overflow", 1, 3),
    ],
)
def test_malformed_matrices_are_told_where(values, code, row, column):
    with pytest.raises(DataError) as error:
        read_dissimilarities(values)
    assert (error.value.code, error.value.row, error.value.column) == (code, row, column)


def test_rounding_is_not_asymmetry():
    d = square(lambda d: d.__setitem__((1, 3), d[1, 3] * (1 + 1e-10)))
    assert read_dissimilarities(d).n == 5


def test_chains_are_lean_and_refused_beyond_the_memory_allowed():
    n = 20_000
    lean = plan("complete", n, 10, cap=1 * GIB)
    assert (lean.engine, lean.layout, lean.dtype) == ("chain", "condensed", "float32")
    assert lean.refusal is None
    assert 2 * n * n <= lean.bytes <= 2.2 * n * n
    none = plan("average", n, 10, cap=GIB // 2)
    assert "0.75 GiB" in none.refusal
    assert any("farthest-first" in way for way in none.alternatives)


def test_engines_follow_linkage_and_size():
    assert plan("median", 500, 3, cap=GIB).engine == "greedy"
    assert (
        plan("complete", 2000, 3, cap=GIB, ties="adversarial").bytes
        > plan("complete", 2000, 3, cap=GIB).bytes
    )
    assert plan("single", 100_000, 3, cap=GIB).engine == "spanning-tree"
    assert plan("single", 100_000, 3, cap=GIB, metric="cityblock").engine == "prim-points"
    assert plan("ward", 100_000, 3, cap=GIB).engine == "ward-points"
    assert plan("ward", 3000, 3, cap=GIB, stored=True).engine == "chain"
    assert plan("minimax", 3000, 3, cap=GIB).dtype == "float64"
    assert "greedy engine" in plan("centroid", 3000, 3, cap=GIB).refusal
    assert "tie policy 'random'" in plan("complete", 3000, 3, cap=GIB, ties="random").refusal
