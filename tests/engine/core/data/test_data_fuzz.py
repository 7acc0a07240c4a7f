"""Whatever a file holds, reading ends in data or in a DataError with a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.data import DistanceKind, LinkageMatrixKind, TableKind, read
from engine.core.errors import DataError

KINDS = [TableKind(label_column=True, id_column=True), DistanceKind(), LinkageMatrixKind()]
NUMBERS = ["1", "2.5", "-3", "0", "1,5", "1.234", "nan", "inf", "1e400", "00", "9" * 20]
SIGNS = ['"', '"a', '","', ",", ";", "\t", " ", "|", "\n", "\r", "#", "%", "{", "}", "?"]
SCRAPS = st.sampled_from([*NUMBERS, *SIGNS, "NA", "x", "ü", "@data", "@attribute a real", "1:2", "0:1"])
TEXTS = st.lists(SCRAPS, max_size=40).map("".join)


def outcome(path, kinds):
    """The value read, or the refusal."""
    try:
        return read(path, kinds).value
    except DataError as error:
        return error


def read_or_refuse(path, kinds):
    result = outcome(path, kinds)
    if isinstance(result, DataError):
        assert result.code
        assert str(result).startswith(path.name)
    else:
        assert result.n >= 2
        assert len(result.fingerprint()) == 64


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("à 数 b")


@settings(max_examples=80, deadline=None)
@given(text=TEXTS, suffix=st.sampled_from([".csv", ".tsv", ".txt", ".arff", ".libsvm", ""]))
def test_scraps_of_text(place, text, suffix):
    path = place / f"t{suffix}"
    path.write_text(text, encoding="utf-8", newline="")
    read_or_refuse(path, KINDS)


@settings(max_examples=50, deadline=None)
@given(text=TEXTS, kind=st.sampled_from(KINDS[1:]))
def test_scraps_as_matrices(place, text, kind):
    path = place / "m.csv"
    path.write_text(text, encoding="utf-8", newline="")
    read_or_refuse(path, [kind])


@settings(max_examples=60, deadline=None)
@given(
    content=st.binary(max_size=60),
    head=st.sampled_from(
        [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x93NUMPY", b"PK\x03\x04", b"PAR1"]
    ),
    suffix=st.sampled_from([".csv", ".npy", ".npz", ".parquet", ".csv.gz", ".csv.bz2", ".csv.xz"]),
)
def test_noise(place, content, head, suffix):
    path = place / f"n{suffix}"
    path.write_bytes(head + content)
    read_or_refuse(path, KINDS)
