"""The data sets that come with the tab: scikit-learn's digits, and shapes with exact concepts."""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from engine.core.data.datasets import DataSet
from engine.core.data.limits import Tick
from engine.methods.concept_memory.concept_images import ConceptImages
from engine.methods.concept_memory.data_kind import ConceptImagesKind

_KIND = ConceptImagesKind()
_HERE = "engine.methods.concept_memory.sets"
SHAPES_COUNT = 2_400


def load_digits(tick: Tick) -> ConceptImages:
    """1,797 handwritten digits, 8 × 8 pixels of 0 to 16, as uint8 of 0 to 255."""
    from engine.methods.concept_memory.scenarios import digit_images

    tick(0.0, "Loading the set")
    # Read from the package's file: importing the package takes a second, reading the file a tenth.
    found = find_spec("sklearn")
    assert found is not None
    assert found.origin is not None
    path = Path(found.origin).parent / "datasets" / "data" / "digits.csv.gz"
    with gzip.open(path, "rt", encoding="ascii") as stream:
        table = np.loadtxt(stream, delimiter=",")
    images = np.round(table[:, :64].reshape(-1, 8, 8) * 255 / 16).astype(np.uint8)
    return digit_images("digits", images, table[:, 64].astype(np.int64))


def load_shapes(change: str, tick: Tick) -> ConceptImages:
    """Shapes as drawn by `shapes.make_shapes`, always the same."""
    from engine.methods.concept_memory.shapes import make_shapes

    tick(0.0, "Drawing the shapes")
    return make_shapes(SHAPES_COUNT, change, 0)  # type: ignore[arg-type]


def _shapes(name: str, change: str, title: str, description: str) -> DataSet:
    return DataSet(
        name=name,
        title=title,
        description=description,
        kind=_KIND,
        loader=f"{_HERE}:load_shapes",
        origin="generated",
        arguments={"change": change},
    )


SETS = (
    DataSet(
        name="digits",
        title="Digits",
        description="1,797 handwritten digits 8×8 · ten identities · parity",
        kind=_KIND,
        loader=f"{_HERE}:load_digits",
        source="UCI, through scikit-learn",
        licence="BSD-3-Clause (scikit-learn)",
    ),
    _shapes("shapes", "none", "Shapes", "2,400 drawings 32×32 · 18 concepts in five groups · 8 classes"),
    _shapes(
        "shapes_confounded",
        "confounded",
        "Shapes, confounded stripe",
        "In training a stripe goes with warm colours",
    ),
    _shapes(
        "shapes_occlusion",
        "occlusion",
        "Shapes, occluded",
        "A box hides part of each image; what it hides is not asked",
    ),
    _shapes(
        "shapes_shift",
        "shift",
        "Shapes, shifted",
        "Validation and test are blurred, noisy, recoloured, erased",
    ),
)
