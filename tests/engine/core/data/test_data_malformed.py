"""Tables that cannot be used as they are: the sentence names the place, what is there and what may be."""

from __future__ import annotations

import gzip

import pytest

from engine.core.data import Limits, ReadOptions, TableKind, read
from engine.core.errors import DataError, FieldError, UnknownNameError

TABLE = [TableKind()]

CASES = {
    "not-a-number": (
        "age,b\n1,2\nn/a,3\n4,5\n",
        "t.csv, row 3, column age: “n/a” is not a number. This column holds numbers. "
        "Drop the row, treat “n/a” as missing or treat column “age” as category.",
    ),
    "not-finite": (
        "a,b\n1,2\n3,-inf\n5,6\n",
        "t.csv, row 3, column b: “-inf” is not finite. Only finite numbers are used. "
        "Drop the row or treat “-inf” as missing.",
    ),
    "missing-value": (
        "a,b\n1,2\n3,\n5,6\n7,NA\n",
        "t.csv, row 3, column b: the value is missing. The computation needs every number. "
        "1 further case. Drop the 2 rows with gaps, fill with the column's mean or fill with its median.",
    ),
    "unequal-rows": (
        "a,b,c\n1,2,3\n1,2\n4,5,6\n1,2,3,4\n7,8,9\n1\n8,8,8\n2\n9,9,9\n",
        "t.csv, row 3: 2 values instead of 3 (first in lines 3, 5, 7; 4 such rows). "
        "Every row has 3 values (separator comma). Leave these rows out.",
    ),
    "short-header": (
        "a,b\nr1,2,3\nr2,4,5\n",
        "t.csv, row 1: the header has 2 names and the rows have 3 values. One name for each column. "
        "Take the first column as row names or begin the table in line 2.",
    ),
    "header-length": (
        "a,b,c,d\n1,2,3\n4,5,6\n",
        "t.csv, row 1: the header has 4 names and the rows have 3 values. One name for each column. "
        "Begin the table in line 2.",
    ),
    "too-few-rows": ("a,b\n1,2\n", "t.csv: 1 row. At least 2 rows are needed."),
    "no-table": ("\n\n", "t.csv: the file has no row with values. At least one row is needed."),
    "no-numbers": (
        "a\tb\nx\ty\nz\tw\n",
        "t.csv: no column holds numbers. At least 1 needed (a is text: not numbers, b is text: not numbers).",
    ),
    "unclosed-quote": (
        'a,b\n"x,1\ny,2\n',
        "t.csv, row 2: a quoted value begins here and does not end. "
        "A quote closes before the next separator.",
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_sentence(refusal, code):
    content, sentence = CASES[code]
    error = refusal(content, kinds=TABLE)
    assert error.code == code
    assert str(error) == sentence
    assert error.as_record() == {"kind": "data", "message": sentence, "field": None}


def test_header_without_rows(refusal):
    assert refusal("a,b\n", header=1).code == "no-table"


def test_the_first_bad_cell_in_reading_order_is_named_and_the_others_counted(refusal):
    error = refusal("a,b\n1,2\n3,y\nx,4\n5,6\n7,8\n", kinds=TABLE)
    assert (error.row, error.column, error.further) == (3, "b", 1)
    assert error.choices[0].label == "Drop the 2 rows"
    assert error.choices[0].consequence == "2 of 5 rows are left out"


@pytest.mark.parametrize(
    "code", ["not-a-number", "not-finite", "missing-value", "unequal-rows", "short-header"]
)
def test_every_choice_leads_on(load, refusal, code):
    content = CASES[code][0]
    for choice in refusal(content, kinds=TABLE).choices:
        assert _outcome(load, content, choice) != code
    drop = {"not_a_number": "drop-row", "missing_cells": "drop-row", "unequal_rows": "drop-row"}
    assert load(content, kinds=TABLE, short_header="row-names", **drop).value.n >= 2


def _outcome(load, content, choice):
    """The code of the next refusal, or "read"."""
    try:
        load(content, kinds=TABLE, **{choice.key: choice.value})
    except DataError as error:
        return error.code
    return "read"


def test_treated_as_missing_the_code_is_counted(load):
    loaded = load("a,b\n1,2\nn/a,3\n4,5\n", kinds=[TableKind(missing_allowed=True)], not_a_number="missing")
    assert loaded.report.missing == {"n/a": 1}


def test_short_rows_can_be_filled(load):
    kinds = [TableKind(missing_allowed=True)]
    loaded = load("a,b,c\n1,2,3\n4,5\n7,8,9\n", kinds=kinds, unequal_rows="fill")
    assert loaded.value.n == 3
    assert loaded.report.missing == {"": 1}


def test_short_header_as_row_names(load):
    loaded = load("a,b\nr1,2,3\nr2,4,5\n", short_header="row-names")
    assert loaded.value.names == ("a", "b")
    assert loaded.value.row_names() == ["r1", "r2"]


def test_missing_and_odd_paths(folder):
    with pytest.raises(DataError, match=r"gone\.csv: there is no such file\. Looked for it in "):
        read(folder / "gone.csv", TABLE)
    with pytest.raises(DataError, match=r"this is a folder\. A file is needed"):
        read(folder, TABLE)
    (folder / "empty.csv").touch()
    with pytest.raises(DataError, match=r"empty\.csv: the file is empty"):
        read(folder / "empty.csv", TABLE)
    (folder / "a.docx").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"files of type “\.docx” are not read here\. \.csv, .* files are"):
        read(folder / "a.docx", TABLE)


def test_size_is_bounded_before_reading(folder, monkeypatch):
    path = folder / "a.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 1000)
    opened = []
    monkeypatch.setattr("engine.core.data.source.open", lambda *args: opened.append(args), raising=False)
    with pytest.raises(DataError) as caught:
        read(path, TABLE, limits=Limits(file_bytes=2000))
    assert str(caught.value) == "a.csv: the file has 4.0 kB. At most 2.0 kB are read."
    assert not opened


def test_memory_is_bounded_before_it_is_taken(folder):
    path = folder / "a.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 1000)
    with pytest.raises(DataError, match=r"1,000 rows × 2 columns need 16\.0 kB of memory\. At most 10\.0 kB"):
        read(path, TABLE, limits=Limits(table_bytes=10_000))


def test_packed_files_are_read_and_bounded(folder):
    path = folder / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 5000))
    assert read(path, TABLE).value.n == 5000
    with pytest.raises(DataError) as caught:
        read(path, TABLE, limits=Limits(unpacked_bytes=10_000))
    assert caught.value.code == "unpacks-too-large"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n" * 500)[:-20])
    with pytest.raises(DataError, match="unpacking failed"):
        read(path, TABLE)
    path.write_bytes(b"no archive")
    with pytest.raises(DataError, match="unpacking failed"):
        read(path, TABLE)


def test_unknown_columns_and_options(refusal):
    error = refusal("a,b\n1,2\n3,4\n", label_column="colour")
    assert str(error) == "t.csv: there is no column “colour” (option label_column). The columns are a, b."
    assert refusal("a,b\n1,2\n3,4\n", types__c="text").code == "unknown-column"
    with pytest.raises(UnknownNameError, match=r"There is no loading option named “seperator”. Did you mean"):
        ReadOptions().with_setting("seperator", ";")
    with pytest.raises(FieldError) as caught:
        ReadOptions().with_setting("decimal", "x")
    assert caught.value.field == "data.decimal"
    assert str(caught.value) == "data.decimal: “x” is not allowed. Allowed: 'auto', '.' or ','."
    with pytest.raises(FieldError, match="One character"):
        ReadOptions().with_setting("separator", "ab")
    with pytest.raises(FieldError) as caught:
        ReadOptions().with_setting("types.age", "colour")
    assert caught.value.field == "data.types.age"


def test_a_label_is_needed(refusal, load):
    kinds = [TableKind(label_required=True)]
    assert refusal("a,b\n1,2\n3,4\n", kinds=kinds).code == "no-label"
    assert load("a,b\n1,2\n3,4\n", kinds=kinds, label_column="b").value.label.name == "b"
    error = refusal("a,class\n1,x\n3,\n4,x\n", kinds=kinds)
    assert (error.code, error.row, error.column) == ("missing-value", 3, "class")
    assert load("a,class\n1,x\n3,\n4,x\n", kinds=kinds, missing_cells="drop-row").value.n == 2


def test_a_recipe_of_older_rules_is_told(folder):
    (folder / "a.csv").write_text("a,b\n1,2\n3,4\n")
    loaded = read(folder / "a.csv", TABLE, ReadOptions(reader=0))
    assert loaded.report.warnings == ["the recipe was made by reading rules 0, these are 1; compare the data"]


def test_a_file_of_nothing_but_separators(refusal):
    assert str(refusal(",,\n,,\n")) == ("t.csv: no row is left with values. At least one row is needed.")
    assert refusal(b"\xef\xbb\xbf").code == "no-table"
