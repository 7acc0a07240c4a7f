"""NPZ archives: one of their arrays as a table. Sizes are checked before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import BinaryIO, cast

import numpy as np

from engine.core.data.assemble import assemble
from engine.core.data.cells import RawColumn, number_column, plain_text_column
from engine.core.data.kinds import TableKind
from engine.core.data.limits import size_in_words
from engine.core.data.loaded import Loaded
from engine.core.data.npy import array_from, numbers, shape_in_words
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report, some_of
from engine.core.data.source import Source
from engine.core.data.values import text_array
from engine.core.errors import Repair

#: Usual names, in the order they are looked for.
_VALUES = ("x", "features", "data", "values")
_LABELS = ("y", "labels", "label", "target", "targets")
_NAMES = ("feature_names", "columns", "column_names")
_IDS = ("ids", "names", "row_names")


def load(source: Source, options: ReadOptions, kind: TableKind) -> Loaded:
    """A table from an array (n, d) of numbers, with labels, names and ids if arrays are called so.

    Raises DataError: "damaged-archive", "unpacks-too-large", "which-array", "no-array", and those of the
    NPY loader.
    """
    source.check()
    report = Report(file=source.name, format="NumPy archive")
    try:
        with zipfile.ZipFile(source.path) as archive:
            _check_sizes(archive, source)
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            key = _value_key(archive, members, options, source)
            matrix = numbers(_array(archive, members[key], source), source, report, key)
            companions = _companions(archive, members, key, matrix.shape, source)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise source.error(
            "damaged-archive", f"the archive cannot be opened ({error})", "a whole .npz"
        ) from None
    report.rows_in_file = len(matrix)
    columns = _columns(matrix, companions)
    options = options.with_setting("array", key)
    for option, role in (("label_column", "label"), ("id_column", "id")):
        if getattr(options, option) == "auto" and role in companions:
            options = options.with_setting(option, role)
    return assemble(columns, np.arange(1, len(matrix) + 1), report, options, kind, source)


def _check_sizes(archive: zipfile.ZipFile, source: Source) -> None:
    packed = sum(info.compress_size for info in archive.infolist())
    unpacked = sum(info.file_size for info in archive.infolist())
    limits = source.limits
    if unpacked > limits.unpacked_bytes or (unpacked > 100 << 20 and unpacked > limits.unpack_ratio * packed):
        raise source.error(
            "unpacks-too-large",
            f"{size_in_words(packed)} unpack to {size_in_words(unpacked)}",
            f"at most {size_in_words(limits.unpacked_bytes)} are unpacked, "
            f"and {limits.unpack_ratio:,} times the packed size",
        )


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: Source) -> np.ndarray:
    with archive.open(info) as stream:
        return array_from(cast(BinaryIO, stream), info.file_size, source, info.filename.removesuffix(".npy"))


def _shape(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: Source
) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and dtype from the head of a member."""
    with archive.open(info) as stream:
        head = io.BytesIO(stream.read(1 << 14))
    try:
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
        }.get(np.lib.format.read_magic(head), np.lib.format.read_array_header_2_0)
        shape, _, dtype = read(head)
    except (ValueError, EOFError, SyntaxError, TypeError):
        raise source.error(
            "not-npy", f"{info.filename} is not a NumPy array", "an archive made by numpy.savez"
        ) from None
    return shape, dtype


def _value_key(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], options: ReadOptions, source: Source
) -> str:
    shapes = {key: _shape(archive, info, source) for key, info in members.items()}
    if options.array != "auto":
        if options.array in shapes:
            return options.array
        raise source.error(
            "no-array", f"there is no array “{options.array}”", f"the archive has {some_of(list(shapes))}"
        )
    tables = [key for key, (shape, dtype) in shapes.items() if len(shape) == 2 and dtype.kind in "fiub"]
    named = [key for name in _VALUES for key in tables if key.lower() == name]
    if named or len(tables) == 1:
        return (named or tables)[0]
    described = [f"{key} ({shape_in_words(shape)}, {dtype})" for key, (shape, dtype) in shapes.items()]
    if not tables:
        raise source.error(
            "no-array",
            f"no array has two dimensions of numbers; there are {some_of(described)}",
            "one array (n, d) is needed",
        )
    raise source.error(
        "which-array",
        f"{len(tables)} arrays could be the table: {some_of(described)}",
        "say which",
        choices=tuple(
            Repair("array", key, f"{'Take' if i == 0 else 'take'} “{key}”", shape_in_words(shapes[key][0]))
            for i, key in enumerate(tables[:5])
        ),
    )


def _companions(
    archive: zipfile.ZipFile,
    members: dict[str, zipfile.ZipInfo],
    key: str,
    shape: tuple[int, ...],
    source: Source,
) -> dict[str, np.ndarray]:
    """Arrays that belong to the table: "label" (n,), "id" (n,), "names" (d,)."""
    found = {}
    wanted = (("label", _LABELS, shape[0]), ("id", _IDS, shape[0]), ("names", _NAMES, shape[1]))
    for role, names, length in wanted:
        for other, info in members.items():
            if other == key or other.lower() not in names:
                continue
            size, dtype = _shape(archive, info, source)
            if size == (length,) and dtype.kind in "fiubU":
                found[role] = _array(archive, info, source)
                break
            if role == "label":
                raise source.error(
                    "labels-differ",
                    f"array {other} has the shape {shape_in_words(size)} and {key} has {length:,} rows",
                    "one label for each row",
                )
    return found


def _columns(matrix: np.ndarray, companions: dict[str, np.ndarray]) -> list[RawColumn]:
    names = companions.get("names", np.array([f"column {j + 1}" for j in range(matrix.shape[1])]))
    columns = [
        number_column(str(name), matrix[:, j], "an array of numbers") for j, name in enumerate(names.tolist())
    ]
    for role in ("label", "id"):
        if role in companions:
            values = companions[role]
            if values.dtype.kind == "U":
                columns.append(plain_text_column(role, text_array(values.tolist()), "an array of text"))
            else:
                columns.append(number_column(role, values, "an array of numbers"))
    return columns
