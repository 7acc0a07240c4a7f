"""What is written is what is read: every digit, every text, whatever the separator."""

from __future__ import annotations

import csv
import io
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.data import ReadOptions, TableKind, read

FINITE = st.floats(allow_nan=False, allow_infinity=False)
FORMATS = {",": (",", "."), ";": (";", ","), "tab": ("\t", "."), "bar": ("|", ","), "blank": (" ", ".")}
KINDS = [TableKind(id_column=True, missing_allowed=True)]
WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs"), include_characters=' ,;|"\n'),
    max_size=12,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("a ü 数")


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(FINITE, FINITE, FINITE), min_size=2, max_size=12),
    form=st.sampled_from(sorted(FORMATS)),
)
def test_numbers_come_back_to_the_last_bit(place, rows, form):
    separator, decimal = FORMATS[form]
    body = "\n".join(separator.join(repr(v).replace(".", decimal) for v in row) for row in rows)
    path = place / "numbers.csv"
    path.write_text(f"x{separator}z{separator}w\n{body}\n", encoding="utf-8")
    value = read(path, KINDS, ReadOptions(orientation="points", decimal=decimal, separator=separator)).value
    np.testing.assert_array_equal(value.numeric(), np.array(rows, dtype=float))


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(FINITE, WORDS), min_size=2, max_size=10),
    separator=st.sampled_from(",;\t|"),
)
def test_texts_come_back_whole(place, rows, separator):
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["value", "text"])
    writer.writerows([repr(number), text] for number, text in rows)
    path = place / "texts.csv"
    path.write_text(stream.getvalue(), encoding="utf-8")
    options = ReadOptions(separator=separator, decimal=".", types={"text": "text"}, thousands="none")
    table = read(path, [TableKind(missing_allowed=True)], options).value
    assert list(table.column("text").values) == [text.strip() for _, text in rows]
    np.testing.assert_array_equal(table.numeric()[:, 0], [number for number, _ in rows])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-(2**53), 2**53), min_size=2, max_size=30))
def test_whole_numbers_up_to_2_53_are_exact(place, numbers):
    path = place / "whole.csv"
    path.write_text("k,one\n" + "".join(f"{n},{i % 2}\n" for i, n in enumerate(numbers)))
    table = read(path, [TableKind()], ReadOptions(orientation="points", separator=",")).value
    assert [int(v) for v in table.numeric()[:, 0]] == numbers


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(2**53 + 1, 2**90).map(str) | st.from_regex(r"\A0\d{1,6}\Z"), min_size=2, max_size=20)
)
def test_other_digits_are_kept_as_text(place, words):
    words = [word.translate({ord(c): "7" for c in word if not c.isascii()}) for word in words]
    path = place / "digits.csv"
    path.write_text("k,one\n" + "".join(f"{word},{i % 2}\n" for i, word in enumerate(words)))
    table = read(path, [TableKind()], ReadOptions(orientation="points")).value
    assert list(table.column("k").values) == words


def test_fast_and_careful_reading_agree(place):
    """The same numbers with and without a cell that forces the whole column to be read as text."""
    rng = random.Random(1)
    values = [rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300) for _ in range(4000)]
    texts = [rng.choice([repr, "{:.6g}".format, "{:.25e}".format])(v) for v in values]
    for extra in ("1", ""):
        path = place / "paths.csv"
        path.write_text("a,b\n" + "".join(f"{text},1\n" for text in texts) + f"{extra},1\n")
        numbers = read(path, KINDS).value.numeric()[:, 0]
        np.testing.assert_array_equal(numbers[:-1], [float(text) for text in texts])
        assert math.isnan(numbers[-1]) == (extra == "")
