"""CUB folders, tables of concepts and IDX files: what is understood, and every malformed kind."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.core.data.datasets import resolve
from engine.core.errors import DataError
from engine.methods.concept_memory.check import check, estimate
from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.data_kind import ConceptImagesKind
from engine.methods.concept_memory.parameters import Parameters
from engine.methods.concept_memory.scenarios import prepare
from engine.methods.concept_memory.sets import SETS

KINDS = (ConceptImagesKind(),)
ATTRIBUTES, LABELLED = "attributes", "attributes/image_attribute_labels.txt"
RNG = np.random.default_rng(0)


def read(path: Path) -> ConceptImages:
    return resolve(path, SETS, KINDS).value


def refused(path: Path) -> DataError:
    with pytest.raises(DataError) as caught:
        read(path)
    return caught.value


# ------------------------------------------------------------------ tables


TABLE = """image,split,label,red,round,red__certainty
a.png,train,apple,1,1,4
b.png,train,brick,0,0,1
c.png,val,apple,1,1,3
d.png,test,brick,1,0,4
"""
GROUPS = "concept,group\nred,colour\nround,shape\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    for number, name in enumerate("abcd"):
        Image.fromarray(np.full((6, 9, 3), 40 * number, np.uint8)).save(tmp_path / f"{name}.png")
    (tmp_path / "concepts.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "groups.csv").write_text(GROUPS, encoding="utf-8")
    return tmp_path / "concepts.csv"


def test_a_table_is_understood(table: Path) -> None:
    data = read(table)
    assert data.images.shape == (4, 6, 9, 3)
    assert [int(image[0, 0, 0]) for image in data.images] == [0, 40, 80, 120]
    assert not data.smooth
    assert data.concepts.tolist() == [[1, 1], [0, 0], [1, 1], [1, 0]]
    assert data.concept_names == ("red", "round")
    assert data.group_names == ("colour", "shape")
    assert data.class_names == ("apple", "brick")
    assert data.labels.tolist() == [0, 1, 0, 1]
    assert data.split.tolist() == [0, 0, 1, 2]
    assert data.certainty is not None
    assert data.certainty.tolist() == [[4, 4], [1, 4], [3, 4], [4, 4]]
    assert read(table.parent).fingerprint() == data.fingerprint()
    assert "4 images 9×6 · 2 concepts in 2 groups · 2 classes" in data.summary()


def test_without_groups_each_concept_is_its_own(table: Path) -> None:
    (table.parent / "groups.csv").unlink()
    assert read(table).group_names == ("red", "round")


def test_larger_images_become_squares_of_64(table: Path) -> None:
    Image.fromarray(np.zeros((90, 200, 3), np.uint8)).save(table.parent / "b.png")
    data = read(table)
    assert data.images.shape == (4, 64, 64, 3)
    assert data.smooth


@pytest.mark.parametrize(
    ("old", "new", "code", "row", "said"),
    [
        ("b.png,train,brick,0,0,1", "b.png,train,brick,2,0,1", "not-a-bit", 3, "“2” is neither 0 nor 1"),
        ("b.png,train,brick,0,0,1", "b.png,train,brick,0,0", "ragged-row", 3, "5 cells"),
        ("c.png,val", "zz.png,val", "missing-image", 4, "no file zz.png"),
        ("c.png,val", "../c.png,val", "outside", 4, "leads out of the folder"),
        ("c.png,val", "c.png,later", "split", 4, "“later” is no split"),
        ("d.png,test,brick,1,0,4", "d.png,test,brick,1,0,9", "certainty", 5, "“9” is no certainty"),
        ("image,split,label", "file,split,label", "columns", 1, "column image is missing"),
        ("red,round,red__certainty", "red,red,red__certainty", "repeated-column", 1, "red is there twice"),
        ("b.png,train,brick,0,0,1", "b.png,train,brick,1,0,1", "constant", None, "“red” is 1 in every"),
        ("b.png,train,brick", "b.png,train,apple", "constant", None, "class “brick” has no training image"),
    ],
)  # fmt: skip
def test_a_malformed_table_is_refused(
    table: Path, old: str, new: str, code: str, row: int | None, said: str
) -> None:
    assert old in TABLE
    table.write_text(TABLE.replace(old, new, 1), encoding="utf-8")
    error = refused(table)
    assert (error.code, error.row) == (code, row)
    assert said in str(error)
    assert error.file == "concepts.csv"


def test_groups_must_name_known_concepts_and_all(table: Path) -> None:
    groups = table.parent / "groups.csv"
    groups.write_text(GROUPS + "blue,colour\n", encoding="utf-8")
    error = refused(table)
    assert (error.code, error.file, error.row) == ("unknown-concept", "groups.csv", 4)
    groups.write_text("concept,group\nred,colour\n", encoding="utf-8")
    assert refused(table).code == "no-group"
    groups.write_text("concept,kind\nred,colour\n", encoding="utf-8")
    assert refused(table).code == "columns"


def test_an_image_that_is_none_is_named_with_its_line(table: Path) -> None:
    (table.parent / "c.png").write_bytes(b"no picture")
    error = refused(table)
    assert (error.code, error.row) == ("unreadable-image", 4)
    table.write_bytes("image,split,label,é\n".encode("latin-1"))
    assert refused(table).code == "encoding"
    table.write_text("image,split,label,red\n", encoding="utf-8")
    assert refused(table).code == "empty-table"


# ------------------------------------------------------------------ CUB


def cub(folder: Path) -> None:
    """Three classes of four images, four attributes in two groups; the last is rare."""
    (folder / ATTRIBUTES).mkdir()
    names, labels, split, attributes = [], [], [], []
    for number in range(12):
        kind = number // 4
        name = f"{kind + 1:03}.Bird_{kind}/img_{number}.jpg"
        path = folder / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(RNG.integers(0, 255, (80, 70, 3), np.uint8)).save(path)
        names.append(f"{number + 1} {name}")
        labels.append(f"{number + 1} {kind + 1}")
        split.append(f"{number + 1} {int(number % 4 < 2)}")
        bits = (kind == 0, kind == 1, kind != 2, number == 11)
        for at, bit in enumerate(bits, 1):
            extra = " 0 7.5" if number == 3 else ""
            attributes.append(f"{number + 1} {at} {int(bit)} {1 + number % 4} 1.708{extra}")
    (folder / "images.txt").write_text("\n".join(names) + "\n")
    (folder / "image_class_labels.txt").write_text("\n".join(labels) + "\n")
    (folder / "train_test_split.txt").write_text("\n".join(split) + "\n")
    (folder / "classes.txt").write_text("".join(f"{k + 1} {k + 1:03}.Bird_{k}\n" for k in range(3)))
    texts = ("has_wing_color::red", "has_wing_color::blue", "has_shape::long", "has_shape::rare")
    (folder / "attributes" / "attributes.txt").write_text(
        "".join(f"{i} {t}\n" for i, t in enumerate(texts, 1))
    )
    (folder / "attributes" / "image_attribute_labels.txt").write_text("\n".join(attributes) + "\n")


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    cub(tmp_path)
    return tmp_path


def test_a_cub_folder_is_understood(birds: Path) -> None:
    data = read(birds / "images.txt")
    assert data.concept_names == ("wing color: red", "wing color: blue", "shape: long")
    assert data.groups.tolist() == [0, 0, 1]
    assert data.group_names == ("wing color", "shape")
    assert data.class_names == ("Bird 0", "Bird 1", "Bird 2")
    assert data.concepts[0].tolist() == [1, 0, 1]
    assert data.concepts[9].tolist() == [0, 0, 0]
    assert data.split.tolist() == [0, 0, 2, 2] * 3
    assert data.certainty is not None
    assert data.certainty[:, 0].tolist() == [1, 2, 3, 4] * 3
    assert data.images.shape == (12, 64, 64, 3)
    assert read(birds).fingerprint() == data.fingerprint()
    experiment = prepare(data, "plain", 0)
    assert sorted(experiment.test.tolist()) == [2, 3, 6, 7, 10, 11]


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "row"),
    [
        ("image_class_labels.txt", "3 1\n", "99 1\n", "unknown-image", 3),
        ("image_class_labels.txt", "3 1\n", "3 9\n", "unknown-value", 3),
        ("image_class_labels.txt", "3 1\n", "\n", "image-left-out", None),
        ("train_test_split.txt", "3 0\n", "3 2\n", "unknown-value", 3),
        ("train_test_split.txt", "3 0\n", "three 0\n", "not-a-number", 3),
        ("classes.txt", "2 002.Bird_1\n", "2\n", "ragged-row", 2),
        (LABELLED, "1 2 0 1 1.708\n", "1 2 5 1 1.708\n", "not-a-bit", 2),
        (LABELLED, "1 2 0 1 1.708\n", "1 7 0 1 1.708\n", "unknown-attribute", 2),
        (LABELLED, "1 2 0 1 1.708\n", "77 2 0 1 1.708\n", "unknown-image", 2),
        (LABELLED, "1 2 0 1 1.708\n", "1 2 0 x 1.708\n", "certainty", 2),
    ],
)  # fmt: skip
def test_a_malformed_cub_folder_is_refused(
    birds: Path, file: str, old: str, new: str, code: str, row: int | None
) -> None:
    path = birds / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    error = refused(birds)
    assert (error.code, error.row, error.file) == (code, row, path.name)


@pytest.mark.parametrize("file", ["classes.txt", "train_test_split.txt", LABELLED])
def test_a_missing_file_is_named(birds: Path, file: str) -> None:
    (birds / file).unlink()
    error = refused(birds)
    assert error.code == "missing-file"
    assert error.file == Path(file).name


# ------------------------------------------------------------------ IDX


def idx(path: Path, values: np.ndarray, magic: int) -> None:
    content = struct.pack(f">{1 + values.ndim}I", magic, *values.shape) + values.astype(np.uint8).tobytes()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


@pytest.fixture
def mnist(tmp_path: Path) -> Path:
    images, labels = RNG.integers(0, 256, (40, 28, 28)), np.arange(40) % 10
    idx(tmp_path / "train-images-idx3-ubyte.gz", images, 2051)
    idx(tmp_path / "train-labels-idx1-ubyte.gz", labels, 2049)
    idx(tmp_path / "t10k-images-idx3-ubyte", images[:10], 2051)
    idx(tmp_path / "t10k-labels-idx1-ubyte", labels[:10], 2049)
    return tmp_path


def test_idx_files_are_understood(mnist: Path) -> None:
    data = read(mnist / "train-images-idx3-ubyte.gz")
    assert data.images.shape == (50, 28, 28)
    assert data.split.tolist() == [0] * 40 + [2] * 10
    assert data.digits is not None
    assert data.digits[:12].tolist() == [*range(10), 0, 1]
    assert data.labels[:4].tolist() == [0, 1, 0, 1]
    assert read(mnist).fingerprint() == data.fingerprint()
    experiment = prepare(data, "confounded", 0)
    assert experiment.images.shape == (50, 28, 28, 3)
    assert experiment.test.tolist() == list(range(40, 50))
    assert len(experiment.validation) == 10


def test_idx_without_a_test_is_split_in_the_run(mnist: Path) -> None:
    (mnist / "t10k-images-idx3-ubyte").unlink()
    data = read(mnist)
    assert (data.split == -1).all()
    assert len(prepare(data, "plain", 0).test) == 10


def test_malformed_idx_files_are_refused(mnist: Path) -> None:
    images = mnist / "train-images-idx3-ubyte.gz"
    labels = mnist / "train-labels-idx1-ubyte.gz"
    assert refused(labels).code == "not-idx-images"
    idx(labels, np.full(40, 12), 2049)
    assert refused(images).code == "not-a-digit"
    idx(labels, np.arange(39) % 10, 2049)
    assert refused(images).code == "other-count"
    labels.unlink()
    assert refused(images).code == "missing-labels"
    idx(images, np.zeros((3, 4, 4)), 2050)
    assert refused(images).code == "magic"
    images.write_bytes(gzip.compress(struct.pack(">4I", 2051, 1000, 28, 28) + b"123"))
    assert refused(images).code == "sizes"
    images.write_bytes(gzip.compress(b"12"))
    assert refused(images).code == "too-short"


def test_a_folder_of_nothing_known_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    assert refused(tmp_path).code == "no-layout"
    assert refused(tmp_path / "notes.txt").code == "not-cub"


# ------------------------------------------------------------------ sets and checks


def test_the_sets_load_and_say_what_they_are() -> None:
    found = {data.name: data.load() for data in SETS if data.name != "shapes_shift"}
    assert found["digits"].value.summary() == "1,797 images 8×8 · 10 concepts in 1 group · 2 classes"
    assert found["shapes"].value.n == 2400
    assert found["shapes_occlusion"].value.certainty is not None
    from sklearn.datasets import load_digits

    theirs = load_digits()
    ours = found["digits"].value
    assert np.array_equal(ours.digits, theirs.target)
    assert np.array_equal(ours.images, np.round(theirs.images * 255 / 16).astype(np.uint8))


def test_what_depends_on_the_data_is_checked(table: Path) -> None:
    data = read(table)
    problems = {p.field: p for p in check(Parameters(groups=3), data)}
    assert problems["groups"].message == "the data has 2 concept groups"
    assert problems["groups"].suggestion == 2
    assert problems["scenario"].severity == "warning"
    digits = SETS[0].load().value
    assert check(Parameters(), digits) == []
    found = {p.field for p in check(Parameters(scenario="both", nines=0, conflict="vote"), digits)}
    assert found == {"nines", "conflict"}
    slow = estimate(Parameters(seeds=5, scenario="both"), digits).seconds
    assert slow == pytest.approx(10 * estimate(Parameters(), digits).seconds)
