"""Generated sets and instances as data of the tab."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.data.limits import Tick
from engine.core.data.values import Distances, Table, number_table, read_only, text_column


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnDistances(Distances):
    """Distances of a construction, with places (n, 2) for the eye that are not what is measured.

    `k` is the number of clusters to look at; `description` says what the construction shows.
    """

    drawn: np.ndarray
    k: int
    description: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tables:
    """Several tables, run one after the other."""

    names: tuple[str, ...]
    tables: tuple[Table, ...]

    @property
    def n(self) -> int:
        """Rows of the smallest table: what every k must fit."""
        return min(table.n for table in self.tables)

    @property
    def geographic(self) -> bool:
        """Whether the tables hold places; they do not."""
        return False

    def row_names(self) -> list[str]:
        """Names of the tables."""
        return list(self.names)

    def summary(self) -> str:
        """How many tables, and which."""
        return f"{len(self.tables)} tables: {', '.join(self.names)}"

    def fingerprint(self) -> str:
        """SHA-256 over those of the tables."""
        parts = [table.fingerprint() for table in self.tables]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def load_tables(names: tuple[str, ...], tick: Tick) -> Tables:
    """Embedded sets by name, together."""
    from engine.core.data.embedded import EMBEDDED

    chosen = [next(each for each in EMBEDDED if each.name == name) for name in names]
    loaded: list[Any] = [each.load(tick=tick).value for each in chosen]
    return Tables(names=names, tables=tuple(loaded))


def load_instance(name: str, tick: Tick, **settings: Any) -> Table | DrawnDistances:
    """A construction or synthetic set by name: a table of points, or distances with places to draw.

    `settings` go to the generator. Raises FieldError for those it does not allow.
    """
    from engine.methods.linkage.instances import INSTANCES, Instance

    tick(0.0, "Making the set")
    generator: Any = INSTANCES[name]
    made: Instance = generator(**settings)
    rows = [f"point {i}" for i in range(1, made.n + 1)]
    if made.matrix is not None or made.metric != "euclidean":
        return DrawnDistances(
            values=read_only(made.distances().as_square()),
            n=made.n,
            names=tuple(_named(made.groups, rows)),
            drawn=_plane(made.points, made.n),
            k=made.k,
            description=made.description,
        )
    assert made.points is not None
    label = None if made.groups is None else text_column("group", _groups(made.groups), "category")
    columns = [f"x{j}" for j in range(1, made.points.shape[1] + 1)]
    return number_table(made.points, columns, label=label, id=text_column("row", rows))


def _groups(groups: np.ndarray) -> list[str]:
    return ["noise" if group < 0 else f"group {group + 1}" for group in groups]


def _named(groups: np.ndarray | None, rows: list[str]) -> list[str]:
    """Points of a construction by part and number: A1, A2, B1 …"""
    if groups is None or groups.max() > 25:
        return rows
    counts: dict[int, int] = {}
    names = []
    for group in groups.tolist():
        counts[group] = counts.get(group, 0) + 1
        names.append(f"{chr(65 + group)}{counts[group]}")
    return names


def _plane(points: np.ndarray | None, n: int) -> np.ndarray:
    """Places in the plane: given ones, a line lifted to it, or a circle where nothing is given."""
    if points is None:
        angle = 2 * np.pi * np.arange(n) / n
        return np.column_stack([np.cos(angle), np.sin(angle)])
    if points.shape[1] == 1:
        return np.column_stack([points[:, 0], np.zeros(n)])
    return points[:, :2].copy()
