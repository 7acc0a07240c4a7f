"""The data sets that come with the tab."""

from __future__ import annotations

from typing import Any

from engine.core.data.datasets import DataSet
from engine.core.data.embedded import (
    AIRPORTS,
    BREAST_CANCER,
    CITIES1000,
    CITIES5000,
    CITIES15000,
    DIGITS,
    IRIS,
    WINE,
)
from engine.core.data.kinds import DataKind, DistanceKind, TableKind

TABLE = TableKind(label_column=True, id_column=True)
DISTANCES = DistanceKind()
_HERE = "engine.methods.linkage.data"


def _generated(
    name: str, title: str, description: str, generator: str, kind: DataKind, **settings: Any
) -> DataSet:
    return DataSet(
        name=name, title=title, description=description, kind=kind, loader=f"{_HERE}:load_instance",
        source="generated", licence="none needed", origin="generated",
        arguments={"name": generator, **settings},
    )  # fmt: skip


GENERATED = (
    _generated(
        "sl-chain", "Single-link chain", "12 points: a clique and a line that single linkage chains (k = 7)",
        "sl_chain", DISTANCES, k=7, epsilon=1e-3, far=21.0,
    ),
    _generated(
        "al-stairs", "Average-link stairs", "125 points on which average linkage climbs stairs (k = 6)",
        "al_stairs", DISTANCES, t=5, epsilon=1e-3,
    ),
    _generated(
        "line-shrinking", "Shrinking line", "30 points whose gaps shrink: single linkage peels singletons",
        "line_shrinking", TABLE, n=30,
    ),
    _generated(
        "cl-sqrt", "Complete-link square root",
        "48 points on which complete linkage joins a loose crowd (k = 3), rebuilt",
        "cl_sqrt", DISTANCES, m=2,
    ),
    _generated("blobs", "Gaussian blobs", "Seeded blobs in the plane", "gaussian_blobs", TABLE),
    _generated("moons", "Two moons", "Two bent clusters that touch nowhere", "two_moons", TABLE),
    _generated("ring", "Ring and noise", "A ring, a disc, and noise", "ring_with_noise", TABLE),
    _generated("cube", "Uniform square", "No clusters at all", "uniform_cube", TABLE),
)  # fmt: skip

COMPANION = DataSet(
    name="companion",
    title="Four tables of the companion",
    description="Iris, wine, breast cancer and digits, one after the other, and the means over them",
    kind=TABLE,
    loader=f"{_HERE}:load_tables",
    source="UCI, through scikit-learn",
    licence="BSD-3-Clause (scikit-learn)",
    arguments={"names": ("iris", "wine", "breast_cancer", "digits")},
)

SETS = (
    IRIS,
    DIGITS,
    WINE,
    BREAST_CANCER,
    AIRPORTS,
    CITIES15000,
    CITIES5000,
    CITIES1000,
    COMPANION,
    *GENERATED,
)
