"""What is refused, warned of or suggested before a run, and files that cannot be used, from the terminal."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.data.datasets import resolve
from engine.core.data.values import Distances, LinkageMatrix, number_table
from engine.core.errors import DataError, FieldError
from engine.core.scripting import prepare
from engine.methods.linkage.check import check, estimate
from engine.methods.linkage.data import DrawnDistances
from engine.methods.linkage.declaration import METHOD
from engine.methods.linkage.parameters import Parameters
from engine.methods.linkage.session import chosen_ks, ks_of
from engine.methods.linkage.sets import GENERATED
from engine.terminal import serve


def table(n, d=2, **settings):
    columns = [f"x{i}" for i in range(d)]
    return number_table(np.random.default_rng(0).random((n, d)), columns, **settings)


def problems(data, preset="quick", **parameters):
    return {p.field: p for p in check(METHOD.settings(preset, parameters), data)}


def test_more_clusters_than_rows_is_said_with_the_range():
    found = problems(table(212), k=(2, 300))["k"]
    assert found.message == "300 is more than the 212 rows. Between 2 and 212."
    assert found.suggestion == (2, 212)
    assert problems(table(212), k=(2, 212)) == {}
    with pytest.raises(FieldError):
        METHOD.settings("quick", {"k": (0, 5)})


def test_minimax_is_offered_while_it_fits():
    found = problems(table(3376))["linkages"]
    assert found.message == "minimax is offered up to 3,000 rows; this set has 3,376"
    assert found.suggestion == ("complete", "average", "single")
    assert problems(table(3000)) == {}


def test_ward_centroid_and_median_need_euclidean_points():
    square = np.array([[0.0, 1], [1, 0]])
    found = problems(Distances(values=square, n=2), linkages=("ward", "single"), k=(2, 2))["linkages"]
    assert "Ward linkage is defined for points" in found.message
    assert found.suggestion == ("single",)
    assert "linkages" in problems(table(9), linkages=("centroid",), metric="cityblock", k=(2, 3))
    assert "linkages" in problems(table(2001), linkages=("median",))
    assert problems(table(2001), linkages=("ward", "single")) == {}


def test_tie_policies_need_the_greedy_engine():
    assert "2,000 rows" in problems(table(2001), linkages=("complete",), ties="random")["ties"].message
    assert problems(table(2000), linkages=("complete",), ties="random") == {}


def test_memory_is_refused_with_figure_and_ways_out():
    found = problems(table(40_000), linkages=("complete", "single"), memory=1.0)["linkages"]
    assert found.severity == "error"
    assert "2.99 GiB" in found.message
    assert "1.00 GiB are allowed" in found.message
    assert "farthest-first representatives" in found.message
    assert found.suggestion == ("single",)
    assert problems(table(40_000), linkages=("single", "ward"), memory=0.01) == {}


def test_metrics_are_held_against_the_data():
    assert problems(table(20), metric="cosine")["metric"].severity == "warning"
    places = number_table(
        np.array([[10.0, 20], [30, 40], [50, 60]]), ["latitude", "longitude"], geographic=True
    )
    found = problems(places, k=(2, 3))["metric"]
    assert (found.severity, found.suggestion) == ("warning", "haversine")
    assert problems(places, metric="haversine", k=(2, 3)) == {}
    zero = number_table(np.array([[0.0, 0], [1, 1], [2, 1]]), ["a", "b"])
    assert "row 1" in problems(zero, metric="cosine", k=(2, 3))["metric"].message
    assert "latitude" in problems(table(9, 3), metric="haversine")["metric"].message
    assert "distance matrix" in problems(table(9), metric="precomputed")["metric"].message
    huge = number_table(np.array([[1e308], [-1e308], [0.0]]), ["a"])
    assert "range of float64" in problems(huge, k=(2, 3))["metric"].message


def test_one_row_and_hierarchies():
    assert problems(table(1))["linkages"].severity == "error"
    given = LinkageMatrix(merges=np.array([[0, 1, 1.0, 2]]))
    assert problems(given)["linkages"].severity == "warning"
    assert "k" not in problems(table(2), k=(2, 2))
    assert problems(table(9), search=True, search_k=8, search_points=8)["search_k"].suggestion == 7


def test_the_estimate_gives_seconds_and_bytes():
    small, large = (estimate(METHOD.settings("quick"), table(n)) for n in (150, 2000))
    assert 0 < small.seconds < large.seconds
    lean = estimate(METHOD.settings("quick", {"linkages": ("complete",), "memory": 16.0}), table(34_006))
    # Kept and used-up copies in single precision: twice 2 n² bytes.
    assert lean.bytes == pytest.approx(2 * 2 * 34_006**2, rel=0.02)


def test_many_k_are_thinned_and_columns_are_round():
    assert ks_of(Parameters(), 150) == tuple(range(2, 11))
    many = ks_of(Parameters(k=(2, 20_000)), 20_000)
    assert len(many) <= 80
    assert set(range(2, 21)) <= set(many)
    assert {1000, 20_000} <= set(many)
    assert chosen_ks(tuple(range(2, 11)), 6) == (2, 3, 4, 5, 8, 10)
    assert chosen_ks(tuple(range(2, 61)), 6) == (2, 3, 5, 10, 20, 60)
    assert ks_of(Parameters(k=(2, 10)), 4) == (2, 3, 4)


@pytest.mark.parametrize("name", [each.name for each in GENERATED])
def test_generated_sets_load_and_can_be_run(name):
    loaded = resolve(name, METHOD.sets, METHOD.data)
    assert loaded.value.n >= 12
    assert not [p for p in check(METHOD.settings("quick"), loaded.value) if p.severity == "error"]
    if name == "sl-chain":
        assert isinstance(loaded.value, DrawnDistances)
        assert loaded.value.row_names()[:2] == ["A1", "A2"]


MALFORMED = {
    "not_square.csv": ("0,1,2\n1,0,3\n", {"orientation": "distances"}, "square"),
    "asymmetric.csv": ("0,1,2\n1,0,3\n2,4,0\n", {"orientation": "distances"}, "4"),
    "negative.csv": ("0,1,-2\n1,0,3\n-2,3,0\n", {"orientation": "distances"}, "negative"),
    "diagonal.csv": ("0,1,2\n1,5,3\n2,3,0\n", {"orientation": "distances"}, "diagonal"),
    "infinite.csv": ("0,1,2\n1,0,inf\n2,inf,0\n", {"orientation": "distances"}, "finite"),
    "ask.csv": ("0,1,2\n1,0,3\n2,3,0\n", {}, "distances"),
    "text.csv": ("a,b\n1,2\n3,n/a x\n4,5\n", {}, "number"),
    "gap.csv": ("a,b\n1,2\n3,\n4,5\n", {}, "row 3"),
    "one_row.csv": ("a,b\n1,2\n", {}, "2"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files_end_with_one_line_and_status_two(name, tmp_path, capsys):
    text, settings, word = MALFORMED[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    sets = [f"--set=data.{key}={value}" for key, value in settings.items()]
    status = serve(["run", "linkage", "--data", str(path), "--out", str(tmp_path / "out"), *sets])
    told = capsys.readouterr().err
    assert status == 2
    assert word in told
    assert name in told
    assert "Traceback" not in told
    assert not (tmp_path / "out" / "run.json").exists()


def test_malformed_arrays(tmp_path):
    np.save(tmp_path / "condensed.npy", np.arange(1.0, 6.0))
    with pytest.raises(DataError) as error:
        prepare("linkage", data=str(tmp_path / "condensed.npy"))
    assert error.value.code == "not-triangular"
    np.save(tmp_path / "holes.npy", np.array([[1.0, np.nan], [2, 3], [4, 5]]))
    with pytest.raises(DataError, match="row 1"):
        prepare("linkage", data=str(tmp_path / "holes.npy"))


def test_too_many_clusters_on_the_terminal(tmp_path, capsys):
    status = serve(["run", "linkage", "--data", "sl-chain", "--set", "k=2,300", "--out", str(tmp_path / "o")])
    assert status == 2
    assert "300 is more than the 12 rows" in capsys.readouterr().err


def test_every_format_of_the_persons_own(tmp_path):
    square = np.array([[0.0, 1, 4, 3], [1, 0, 2, 5], [4, 2, 0, 6], [3, 5, 6, 0]])
    np.save(tmp_path / "square.npy", square)
    np.save(tmp_path / "condensed.npy", square[np.triu_indices(4, 1)])
    (tmp_path / "lower.csv").write_text(',"a","b","c"\n"b",1,,\n"c",4,2,\n"d",3,5,6\n', encoding="utf-8")
    np.save(tmp_path / "tree.npy", np.array([[0, 1, 1.0, 2], [2, 4, 2.0, 3], [3, 5, 3.0, 4]]))
    (tmp_path / "points.tsv").write_text("id\tx\ty\tkind\n" + "".join(
        f"p{i}\t{i}\t{i * i}\t{'odd' if i % 2 else 'even'}\n" for i in range(8)
    ), encoding="utf-8")  # fmt: skip
    small = {"k": (2, 4), "linkages": ("complete", "single")}
    for name, reading in (
        ("square.npy", {"orientation": "distances"}),
        ("condensed.npy", {}),
        ("lower.csv", {"orientation": "distances"}),
    ):
        request, _ = prepare("linkage", data=str(tmp_path / name), reading=reading, parameters=small)
        held = request.data.value
        assert isinstance(held, Distances), name
        assert np.array_equal(held.square(), square), name
    request, _ = prepare(
        "linkage", data=str(tmp_path / "tree.npy"), reading={"orientation": "linkage"}, parameters=small
    )
    assert isinstance(request.data.value, LinkageMatrix)
    request, _ = prepare(
        "linkage",
        data=str(tmp_path / "points.tsv"),
        reading={"label_column": "kind", "id_column": "id"},
        parameters=small,
    )
    assert request.data.value.numeric_names == ("x", "y")
    assert request.data.value.row_names()[3] == "p3"
