"""What a person brings: samples with a target, dense or sparse; and the sets that come with Papertab."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine.core.data.kinds import LIBSVM_SUFFIXES, TABLE_SUFFIXES, TEXT_SUFFIXES, DataKind, TableKind
from engine.core.data.limits import Tick
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report
from engine.core.data.source import Source
from engine.core.data.values import Table
from engine.core.errors import Repair
from engine.core.places import RESOURCES

if TYPE_CHECKING:
    from scipy import sparse

_HERE = "engine.methods.gaussian_sketch"
_TARGET_NAMES = ("y", "target", "label", "response", "outcome", "class")


@dataclass(frozen=True, eq=False, kw_only=True)
class Samples:
    """`matrix` (n, d) float64 dense or CSR; `target` (n,) float64 numbers, or `classes` (n,) text labels.

    `quadratic` names a spectrum of a synthetic quadratic in place of data: then the matrix is empty with
    d columns. `image` is (rows, columns) where the features are pixels.
    """

    name: str
    matrix: np.ndarray | sparse.csr_matrix
    target: np.ndarray | None = None
    classes: np.ndarray | None = None
    features: tuple[str, ...] = ()
    image: tuple[int, int] | None = None
    quadratic: str = ""
    target_name: str = "target"

    @property
    def samples(self) -> int:
        """n."""
        return self.matrix.shape[0]

    @property
    def dimension(self) -> int:
        """d."""
        return self.matrix.shape[1]

    @property
    def is_sparse(self) -> bool:
        """Whether the matrix is CSR."""
        return not isinstance(self.matrix, np.ndarray)

    def labels(self) -> list[str]:
        """The distinct labels as text, in order: those of a class, or of a target with few values."""
        if self.classes is not None:
            return sorted(set(self.classes.tolist()))
        if self.target is None:
            return []
        values = np.unique(self.target)
        return [f"{v:g}" for v in values] if values.size <= 100 else []

    def is_label(self, text: str) -> np.ndarray:
        """bool (n,): which rows have that label."""
        if self.classes is not None:
            return self.classes == text
        assert self.target is not None
        return np.isclose(self.target, float(text))

    def summary(self) -> str:
        """Size and target in words."""
        if self.quadratic:
            return f"quadratic, spectrum “{self.quadratic}”, d = {self.dimension:,}"
        text = f"{self.samples:,} samples × {self.dimension:,} features, {self.target_name}"
        if not isinstance(self.matrix, np.ndarray):
            share = self.matrix.nnz / max(self.samples * self.dimension, 1)
            text += f", sparse ({share:.2%} filled)"
        return text

    def fingerprint(self) -> str:
        """SHA-256 over values and target."""
        digest = hashlib.sha256(f"{self.quadratic} {self.matrix.shape}".encode())
        parts = (
            [self.matrix]
            if isinstance(self.matrix, np.ndarray)
            else [self.matrix.data, self.matrix.indices.astype(np.int64), self.matrix.indptr.astype(np.int64)]
        )
        for part in [*parts, *([] if self.target is None else [self.target])]:
            digest.update(np.ascontiguousarray(part).tobytes())
        if self.classes is not None:
            digest.update("\n".join(self.classes.tolist()).encode())
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class SamplesKind(DataKind):
    """Samples with a target: LIBSVM text (read sparse), or a table with a target column."""

    name: ClassVar[str] = "samples"

    title: str = "Samples with a target"
    accepts: tuple[str, ...] = (*TABLE_SUFFIXES, "")
    loaders: tuple[tuple[str, str], ...] = (
        *((suffix, f"{_HERE}.libsvm_rows:load") for suffix in LIBSVM_SUFFIXES),
        *((suffix, f"{_HERE}.data:load_text") for suffix in (*TEXT_SUFFIXES, "")),
        *((suffix, f"{_HERE}.data:load_table") for suffix in (".npy", ".npz", ".parquet", ".arff")),
    )


def load_text(source: Source, options: ReadOptions, kind: SamplesKind) -> Loaded:
    """A text file: LIBSVM where its first line looks like it, else a table."""
    from engine.methods.gaussian_sketch.libsvm_rows import is_libsvm
    from engine.methods.gaussian_sketch.libsvm_rows import load as load_libsvm

    if options.separator == "auto" and is_libsvm(source):
        return load_libsvm(source, options, kind)
    return load_table(source, options, kind)


def load_table(source: Source, options: ReadOptions, kind: SamplesKind) -> Loaded:
    """A table whose target column is named in the options, or is called y, target, label, class ….

    Raises DataError "no-target" with the choices when no column is recognised.
    """
    from engine.core.data.registry import LOADERS, loader_function

    loader = loader_function(LOADERS["table", source.suffix])
    table_kind = TableKind(label_column=True, id_column=True)
    loaded = loader(source, options, table_kind)
    table: Table = loaded.value
    if table.label is None:
        target = next((name for name in table.names if name.strip().lower() in _TARGET_NAMES), None)
        if target is None:
            names = (table.names[-1], table.names[0]) if table.names else ()
            raise source.error(
                "no-target",
                "no column is recognised as the target",
                "one column is what the others predict",
                choices=tuple(
                    Repair("label_column", name, f"Take “{name}” as the target")
                    for name in dict.fromkeys(names)
                ),
            )
        loaded = loader(source, options.with_setting("label_column", target), table_kind)
    return replace(loaded, value=samples_of_table(source.path.stem, loaded.value))


def samples_of_table(name: str, table: Table) -> Samples:
    """The numbers of a table as features, its label as the target."""
    label = table.label
    assert label is not None
    matrix = np.array(table.numeric())
    found: dict[str, Any] = {}
    if label.type == "number":
        found["target"] = np.array(label.values, np.float64)
    else:
        found["classes"] = np.array([str(v) for v in label.values], dtype=object)
    return Samples(
        name=name, matrix=matrix, features=tuple(table.numeric_names), target_name=label.name, **found
    )


def _loaded(samples: Samples, title: str) -> Loaded:
    report = Report(file=samples.name, format=title, reading="samples with a target")
    report.rows = report.rows_in_file = samples.samples
    return Loaded(samples, report, ReadOptions(), samples.name)


def load_scikit(name: str, tick: Tick) -> Loaded:
    """breast_cancer (label malignant/benign), digits (odd/even) or diabetes (progression)."""
    from sklearn import datasets

    tick(0.0, "Loading the set")
    bunch = getattr(datasets, f"load_{name}")(**({"scaled": False} if name == "diabetes" else {}))
    matrix = np.array(bunch.data, np.float64)
    features = tuple(str(each) for each in bunch.feature_names)
    found: dict[str, Any] = {"target_name": "class"}
    if name == "diabetes":
        found = {"target": np.array(bunch.target, np.float64), "target_name": "progression after one year"}
    elif name == "digits":
        found["classes"] = _texts(["even", "odd"], bunch.target % 2)
        found["image"] = (8, 8)
    else:
        found["classes"] = _texts([str(t) for t in bunch.target_names], bunch.target)
    return _loaded(Samples(name=name, matrix=matrix, features=features, **found), "scikit-learn")


def _texts(words: list[str], index: np.ndarray) -> np.ndarray:
    return np.array([words[int(i)] for i in index], dtype=object)


def load_mnist(tick: Tick) -> Loaded:
    """5,000 digits, odd or even, pixels from 0 to 1."""
    tick(0.0, "Loading the set")
    with np.load(RESOURCES / "sketch_data" / "mnist_5k.npz", allow_pickle=False) as stored:
        pixels, labels = stored["pixels"] / 255.0, stored["labels"]
    features = tuple(f"pixel {i}, {j}" for i in range(28) for j in range(28))
    samples = Samples(
        name="mnist_5k", matrix=pixels, classes=_texts(["even", "odd"], labels % 2), features=features,
        image=(28, 28), target_name="class",
    )  # fmt: skip
    return _loaded(samples, "NPZ")


def load_shuttle(tick: Tick) -> Loaded:
    """49,097 readings, anomaly or normal."""
    tick(0.0, "Loading the set")
    with np.load(RESOURCES / "sketch_data" / "shuttle.npz", allow_pickle=False) as stored:
        matrix = stored["readings"].astype(np.float64)
        classes = _texts(["normal", "anomaly"], stored["anomaly"])
        names = tuple(str(name) for name in stored["names"])
    return _loaded(
        Samples(name="shuttle", matrix=matrix, classes=classes, features=names, target_name="class"), "NPZ"
    )


def load_phishing(tick: Tick) -> Loaded:
    """1,250 websites, phishing or not."""
    tick(0.0, "Loading the set")
    path = RESOURCES / "sketch_data" / "phishing.csv"
    return load_table(Source(path), ReadOptions(label_column="is_phishing"), SamplesKind())


def load_quadratic(kind: str, d: int, tick: Tick) -> Loaded:
    """A synthetic quadratic: only its spectrum and size; optimum and rotation come from the run's seed."""
    tick(0.0, "Making the set")
    features = tuple(f"x{j}" for j in range(1, d + 1))
    samples = Samples(
        name=f"quadratic_{kind}", matrix=np.empty((0, d)), quadratic=kind, features=features, target_name=""
    )
    return _loaded(samples, "generated")
