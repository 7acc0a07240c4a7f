"""LIBSVM, ARFF and Parquet: right values, and errors that name the line."""

from __future__ import annotations

import io

import numpy as np
import pandas
import pyarrow
import pytest
from pyarrow import parquet
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from engine.core.data import Limits, TableKind, read
from engine.core.errors import DataError

TABLE = [TableKind(label_column=True, id_column=True)]


def test_libsvm_agrees_with_scikit_learn(folder):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 9)) * (rng.random((40, 9)) < 0.3)
    x[:, 8] = 1.5
    y = rng.choice([-1, 1], size=40)
    dump_svmlight_file(x, y, str(folder / "a.libsvm"), zero_based=False, comment="made\nhere")
    expected, labels = load_svmlight_file(str(folder / "a.libsvm"), n_features=9, zero_based=False)
    for name in ("a.libsvm", "b.txt", "c"):
        if name != "a.libsvm":
            (folder / name).write_bytes((folder / "a.libsvm").read_bytes())
        table = read(folder / name, TABLE).value
        np.testing.assert_array_equal(table.numeric(), expected.toarray())
        np.testing.assert_array_equal(table.label.values, labels)
        assert table.numeric_names[0] == "feature 1"


def test_libsvm_from_zero_words_as_labels_and_empty_rows(load):
    loaded = load("a 0:1.5 2:2 # x\nb\n\na 1:1e-3\n", "a.svm", TABLE, first_index="0")
    np.testing.assert_array_equal(loaded.value.numeric(), [[1.5, 0, 2], [0, 0, 0], [0, 1e-3, 0]])
    assert list(loaded.value.label.values) == ["a", "b", "a"]
    assert loaded.value.lines.tolist() == [1, 2, 4]


LIBSVM = {
    "not-a-pair": ("1 1:2\n1 2;3\n", "row 2: “2;3” is not index:value"),
    "not-a-number": ("1 1:2\n1 2:x\n", "row 2, column feature 2: “x” is not a number"),
    "not-finite": ("1 1:2\n1 2:nan\n", "row 2, column feature 2: “nan” is not finite"),
    "index-zero": ("1 1:2\n1 0:3\n", "row 2: there is a feature with index 0. Features are counted from 1."),
    "not-ascending": ("1 1:2\n1 3:1 2:3\n", "row 2: index 2 follows index 3. Indices ascend"),
    "no-table": ("# nothing\n", "the file has no row with values"),
    "too-large": ("1 1:2\n1 99999999999999:3\n", "1 rows × 99,999,999,999,999 columns need 800.0 TB"),
}


@pytest.mark.parametrize("code", LIBSVM)
def test_libsvm_that_is_refused(refusal, code):
    content, words = LIBSVM[code]
    error = refusal(content, "a.libsvm", TABLE)
    assert error.code == code
    assert words in str(error)


ARFF = """% remark
@RELATION flowers
@attribute 'sepal length' REAL
@attribute width numeric
@attribute "no'te" string
@attribute class {setosa, 'iris two', "x,y"}
@data
5.1,3.5,'it\\'s, so',setosa
% in between
4.9, ? , plain ,'iris two'

1e-3,2,"a b","x,y"
"""


def test_arff(load):
    loaded = load(ARFF, "a.arff", [TableKind(label_column=True, missing_allowed=True)])
    table = loaded.value
    assert table.numeric_names == ("sepal length", "width")
    np.testing.assert_array_equal(table.numeric(), [[5.1, 3.5], [4.9, np.nan], [1e-3, 2]])
    assert list(table.column("no'te").values) == ["it's, so", "plain", "a b"]
    assert list(table.label.values) == ["setosa", "iris two", "x,y"]
    assert table.label.type == "category"
    assert table.lines.tolist() == [8, 10, 12]
    assert loaded.report.missing == {"": 1}


def test_sparse_arff(load):
    head = "@relation r\n@attribute a real\n@attribute b real\n@attribute c {n, y}\n@data\n"
    content = head + "{0 1.5, 2 y}\n{}\n{1 2}\n"
    table = load(content, "a.arff", TABLE).value
    np.testing.assert_array_equal(table.numeric(), [[1.5, 0], [0, 0], [0, 2]])
    assert list(table.label.values) == ["y", "n", "n"]


HEAD = "@relation r\n@attribute a real\n@attribute c {n, y}\n@data\n"
BAD_ARFF = {
    "not-arff": ("a,b\n1,2\n", "row 1: “a,b” is no ARFF declaration"),
    "bad-attribute": (
        "@relation r\n@attribute a complex\n@data\n1\n",
        "row 2, column a: there is no type “complex”",
    ),
    "unequal-rows": (HEAD + "1,n\n2\n", "row 6: 1 value instead of 2. There are 2 attributes."),
    "not-in-list": (HEAD + "1,n\n2,z\n", "row 6, column c: “z” is not declared. The attribute takes n, y."),
    "not-a-number": (HEAD + "1,n\nx,y\n", "row 6, column a: “x” is not a number"),
    "missing-value": (HEAD + "1,n\n?,y\n", "row 6, column a: the value is missing"),
    "unclosed-quote": (HEAD + "1,n\n2,'y\n", "row 6: a quote does not close"),
    "not-a-pair": (HEAD + "{0 1}\n{5 1}\n", "row 6: “5 1”. Index value, with an index from 0 to 1."),
    "no-table": (HEAD, "there is no row after @data"),
}


@pytest.mark.parametrize("code", BAD_ARFF)
def test_arff_that_is_refused(refusal, code):
    content, words = BAD_ARFF[code]
    error = refusal(content, "a.arff", TABLE)
    assert error.code == code
    assert words in str(error)


def as_parquet(table, **options):
    stream = io.BytesIO()
    parquet.write_table(table, stream, **options)
    return stream.getvalue()


def test_parquet_types(load):
    table = pyarrow.table(
        {
            "half": pyarrow.array([0.1, 0.2, 0.3], pyarrow.float32()),
            "whole": pyarrow.array([1, 2, 3], pyarrow.int64()),
            "flag": [True, False, True],
            "kind": pyarrow.array(["a", "b", "a"]).dictionary_encode(),
            "key": pyarrow.array([2**60 + 1, 5, 7], pyarrow.int64()),
            "day": pandas.to_datetime(["2024-01-02", "2024-01-03", "2024-01-03"]).date,
        }
    )
    loaded = load(as_parquet(table, row_group_size=2), "a.parquet", [TableKind(label_column=True)])
    value = loaded.value
    assert value.numeric_names == ("half", "whole", "flag")
    np.testing.assert_array_equal(value.numeric()[:, 0], np.array([0.1, 0.2, 0.3], np.float32).astype(float))
    np.testing.assert_array_equal(value.numeric()[:, 2], [1, 0, 1])
    assert list(value.column("key").values) == [str(2**60 + 1), "5", "7"]
    assert list(value.column("day").values) == ["2024-01-02", "2024-01-03", "2024-01-03"]
    assert loaded.report.conversions == ["column “flag”: false and true became 0 and 1"]
    assert len(loaded.report.warnings) == 3


def test_parquet_gaps_are_named_and_counted(refusal, load):
    content = as_parquet(pyarrow.table({"a": [1.0, None, float("nan")], "b": [1, 2, None]}))
    error = refusal(content, "a.parquet", TABLE)
    assert (error.code, error.row, error.column, error.further) == ("missing-value", 2, "a", 2)
    loaded = load(content, "a.parquet", [TableKind(missing_allowed=True)])
    assert loaded.report.missing == {"": 2, "nan": 1}


def test_parquet_columns_are_retyped(load):
    content = as_parquet(pyarrow.table({"a": ["1.5", "2.5"], "b": [1, 2], "c": [1.0, 2.0]}))
    table = load(content, "a.parquet", [TableKind()], types__a="number", types__b="category").value
    np.testing.assert_array_equal(table.numeric(), [[1.5, 1.0], [2.5, 2.0]])
    assert list(table.column("b").values) == ["1", "2"]


def test_parquet_that_is_refused(folder, refusal):
    nested = as_parquet(pyarrow.table({"a": [[1, 2], [3]]}))
    error = refusal(nested, "a.parquet", TABLE)
    assert (error.code, error.column) == ("nested-column", "a")
    assert refusal(b"PAR1 nothing PAR1", "b.parquet", TABLE).code == "not-parquet"
    path = folder / "c.parquet"
    path.write_bytes(as_parquet(pyarrow.table({"a": np.zeros(100_000)})))
    with pytest.raises(DataError) as caught:
        read(path, TABLE, limits=Limits(table_bytes=100_000))
    assert caught.value.code == "too-large"


def test_one_table_in_every_format_has_one_fingerprint(load):
    x = np.random.default_rng(5).normal(size=(7, 3))
    frame = pandas.DataFrame(x, columns=["column 1", "column 2", "column 3"])
    stream = io.BytesIO()
    np.save(stream, x)
    contents = {
        "a.csv": frame.to_csv(index=False).encode(),
        "a.tsv": frame.to_csv(index=False, sep="\t").encode("utf-16"),
        "a.npy": stream.getvalue(),
        "a.parquet": as_parquet(pyarrow.Table.from_pandas(frame)),
    }
    prints = {load(content, name, [TableKind()]).value.fingerprint() for name, content in contents.items()}
    assert len(prints) == 1
