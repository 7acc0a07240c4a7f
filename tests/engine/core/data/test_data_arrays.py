"""NPY and NPZ: exact values, no pickle, sizes checked before memory is taken."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from engine.core.data import Limits, TableKind, read
from engine.core.errors import DataError

TABLE = [TableKind(label_column=True, id_column=True)]


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def npz(compress=True, **arrays):
    stream = io.BytesIO()
    (np.savez_compressed if compress else np.savez)(stream, **arrays)
    return stream.getvalue()


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", "<f2", "<i8", "<u8", "<i4", "u1", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_real_dtype_and_order(load, dtype, order):
    array = np.array([[0, 1], [1, 0], [1, 1]], dtype=dtype, order=order)
    loaded = load(npy(array), "a.npy", TABLE)
    np.testing.assert_array_equal(loaded.value.numeric(), array.astype(float))
    assert loaded.value.numeric().dtype == np.float64
    assert bool(loaded.report.conversions) == (dtype == "?")


def test_float32_is_not_rounded_again(load):
    array = np.array([[0.1], [0.2]], dtype=np.float32)
    assert load(npy(array), "a.npy", TABLE).value.numeric()[0, 0] == float(np.float32(0.1))


REFUSED = {
    "not-2d": (npy(np.zeros((2, 3, 4))), "the array has 3 dimensions (shape 2 × 3 × 4)"),
    "not-numbers": (npy(np.zeros((2, 2), dtype=complex)), "the values have the type complex128"),
    "not-exact": (
        npy(np.array([[1, 2], [3, 2**53 + 1]])),
        "row 2, column 2: 9007199254740993 has more digits",
    ),
    "pickle": (
        npy(np.array([[{}], [None]], dtype=object), allow_pickle=True),
        "the array holds Python objects",
    ),
    "not-npy": (b"1,2\n3,4\n5,6\n", "this is not a NumPy array"),
    "truncated": (npy(np.zeros((10, 3)))[:-8], "the header announces 240 bytes of values and 232 are there"),
    "not-finite": (npy(np.array([[1.0, 2], [3, np.inf]])), "row 2, column column 2: “inf” is not finite"),
    "missing-value": (npy(np.array([[1.0, np.nan], [3, 4]])), "row 1, column column 2: the value is missing"),
    "too-few-rows": (npy(np.zeros((1, 3))), "a.npy: 1 row. At least 2 rows are needed"),
}


@pytest.mark.parametrize("code", REFUSED)
def test_arrays_that_are_refused(refusal, code):
    content, words = REFUSED[code]
    error = refusal(content, "a.npy", TABLE)
    assert error.code == code
    assert words in str(error)


def test_a_header_that_promises_too_much_takes_no_memory(folder):
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**3)}
    )
    path = folder / "huge.npy"
    path.write_bytes(head.getvalue() + b"\0" * 64)
    with pytest.raises(DataError, match="the header announces 8,000,000,000,000 bytes"):
        read(path, TABLE)


def test_one_table_in_an_archive_with_its_companions(load):
    x = np.arange(12.0).reshape(4, 3)
    content = npz(X=x, y=np.array([0, 1, 0, 1]), feature_names=np.array(["a", "b", "c"]))
    loaded = load(content, "a.npz", TABLE)
    np.testing.assert_array_equal(loaded.value.numeric(), x)
    assert loaded.value.numeric_names == ("a", "b", "c")
    assert loaded.value.label.values.tolist() == [0, 1, 0, 1]
    assert loaded.options.array == "X"
    words = load(npz(features=x, labels=np.array(list("uvuv"))), "b.npz", TABLE)
    assert list(words.value.label.values) == ["u", "v", "u", "v"]


def test_which_array_is_asked_and_can_be_chosen(refusal, load):
    content = npz(first=np.zeros((3, 2)), second=np.ones((3, 4)))
    error = refusal(content, "a.npz", TABLE)
    assert "2 arrays could be the table: first (3 × 2, float64), second (3 × 4, float64)" in str(error)
    assert [choice.value for choice in error.choices] == ["first", "second"]
    assert load(content, "a.npz", TABLE, array="second").value.numeric().shape == (3, 4)
    assert refusal(content, "a.npz", TABLE, array="third").code == "no-array"


def test_labels_of_another_length(refusal):
    error = refusal(npz(X=np.ones((3, 2)), y=np.zeros(4)), "a.npz", TABLE)
    assert "array y has the shape 4 and X has 3 rows" in str(error)


def test_pickles_in_archives_are_refused(refusal):
    objects = np.array([[1, "a"], [None, 2]], dtype=object)
    stream = io.BytesIO()
    np.savez(stream, X=objects)
    assert refusal(stream.getvalue(), "a.npz", TABLE, array="X").code == "pickle"


def test_zip_bombs_are_told_before_unpacking(folder):
    path = folder / "bomb.npz"
    path.write_bytes(npz(X=np.zeros((400, 400))))
    assert path.stat().st_size < 5000
    with pytest.raises(DataError) as caught:
        read(path, TABLE, limits=Limits(unpacked_bytes=1_000_000))
    assert caught.value.code == "unpacks-too-large"
    assert "unpack to 1.3 MB. At most 1.0 MB are unpacked" in str(caught.value)


def test_a_member_that_lies_about_its_size(folder):
    """The size in the archive's directory is what bounds the reading, whatever the header says."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10)})
    path = folder / "lie.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X.npy", head.getvalue() + b"\0" * 80)
    with pytest.raises(DataError, match=r"announces 80,000,000 bytes of values \(array X\) and 80 are there"):
        read(path, TABLE)


def test_damaged_archives(refusal):
    content = npz(X=np.random.default_rng(0).random((50, 5)))
    assert refusal(content[:-30], "a.npz", TABLE).code == "damaged-archive"
    spoilt = bytearray(content)
    spoilt[300:340] = bytes(40)
    assert refusal(bytes(spoilt), "a.npz", TABLE).code == "damaged-archive"
    assert refusal(b"text", "a.npz", TABLE).code == "damaged-archive"
