"""The leaderboards kept with the program, the reference boards, and the table format they share.

A table is a CSV: column names, an optional `#direction` row (`max`, `min`, `ignore`), one row a model.
"""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["cardinal", "ordinal"]

PAPER_CARDINAL = ("glue", "superglue", "openllm", "mmlu", "bbh", "mteb", "vtab")
"""The seven cardinal leaderboards of the paper's figure (ImageNet and the reference boards come beside)."""

ALL_CARDINAL = (*PAPER_CARDINAL, "helm_capability")
"""All cardinal leaderboards with tasks of their own: the paper's seven and HELM-capability."""

PAPER_ORDINAL = (
    "bigcode",
    "helm_accuracy",
    "helm_fairness",
    "helm_robustness",
    "heim_alignment_auto",
    "heim_quality_auto",
    "heim_aesthetics_auto",
    "heim_alignment_human",
    "heim_nudity",
    "heim_quality_human",
    "heim_aesthetics_human",
)
"""The eleven ordinal leaderboards the paper keeps: few missing scores, order close to the recomputed one."""

LEADERBOARDS = Path(__file__).parents[3] / "resources" / "leaderboards"


@dataclass(frozen=True)
class Board:
    """A benchmark: `scores` (m models, n tasks), float64, higher is better, NaN = missing.

    `published` holds the score the board itself is sorted by (m,), where it was kept; `flipped` marks the
    tasks whose values were negated because lower is better.
    """

    name: str
    title: str
    kind: Kind
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    scores: NDArray[np.float64]
    flipped: tuple[bool, ...] = ()
    published: NDArray[np.float64] | None = field(default=None)

    @property
    def n(self) -> int:
        """Number of models."""
        return len(self.models)

    @property
    def missing(self) -> int:
        """Number of missing scores."""
        return int(np.isnan(self.scores).sum())

    def summary(self) -> str:
        """ "16 models × 19 tasks, ranked by mean score"."""
        m, n = self.scores.shape
        rule = "mean score" if self.kind == "cardinal" else "mean win rate"
        scores = "score" if self.missing == 1 else "scores"
        gaps = f", {self.missing:,} {scores} missing" if self.missing else ""
        return f"{m:,} models × {n:,} tasks, ranked by {rule}{gaps}"

    def fingerprint(self) -> str:
        """SHA-256 of names, kind and scores; the same for equal boards wherever they were read."""
        digest = hashlib.sha256()
        for text in (self.kind, *self.models, "\x1e", *self.tasks):
            digest.update(text.encode() + b"\x1f")
        # adding 0.0 makes -0.0 equal to 0.0
        digest.update(np.ascontiguousarray(self.scores + 0.0, dtype="<f8").tobytes())
        return digest.hexdigest()

    def rows(self, order: NDArray[np.intp]) -> Board:
        """The same board with its models in another order (or fewer of them)."""
        return Board(
            self.name,
            self.title,
            self.kind,
            tuple(self.models[i] for i in order),
            self.tasks,
            self.scores[order],
            self.flipped,
            None if self.published is None else self.published[order],
        )


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue of kept leaderboards."""

    name: str
    title: str
    kind: Kind
    models: int
    tasks: int


@cache
def catalogue() -> dict[str, Entry]:
    """The kept leaderboards by name."""
    text = (LEADERBOARDS / "catalogue.json").read_text(encoding="utf-8")
    return {entry["name"]: Entry(**entry) for entry in json.loads(text)}


@cache
def _kept_table(name: str) -> Board:
    entry = catalogue()[name]
    with (LEADERBOARDS / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        header, directions, *rows = csv.reader(stream)
    is_task = np.array([d != "ignore" for d in directions[1:]])
    values = np.array([[float(c) if c else np.nan for c in row[1:]] for row in rows])
    flipped = np.array([d == "min" for d in directions[1:]])
    values[:, flipped] *= -1.0
    return Board(
        name,
        entry.title,
        entry.kind,
        tuple(row[0] for row in rows),
        tuple(c for c, task in zip(header[1:], is_task, strict=True) if task),
        np.ascontiguousarray(values[:, is_task]),
        tuple(bool(f) for f in flipped[is_task]),
        None if is_task.all() else values[:, ~is_task][:, 0],
    )


def leaderboard(name: str) -> Board:
    """A kept leaderboard by its name in the catalogue, models in the order of its source.

    Raises KeyError for a name that is not in the catalogue. ImageNet comes with its 1,000 classes as tasks;
    `imagenet_groups` makes the paper's board of it.
    """
    board = _kept_table(name)
    return board.rows(np.arange(len(board.models)))


def best_first(board: Board) -> Board:
    """Models in the order the published solvers see them: by mean score, or by winning rate over all.

    Equal scores keep their order. A cardinal board must be complete.
    """
    from .win_rate import order_by_win_rate

    if board.kind == "cardinal":
        return board.rows(np.argsort(-board.scores.mean(axis=1), kind="stable"))
    return board.rows(order_by_win_rate(board.scores))


def _numbered(name: str, title: str, kind: Kind, scores: NDArray[np.float64]) -> Board:
    m, n = scores.shape
    models = tuple(f"model {i + 1}" for i in range(m))
    return Board(name, title, kind, models, tuple(f"task {j + 1}" for j in range(n)), scores, (False,) * n)


def random_board(seed: int = 0, models: int = 100, tasks: int = 100, kind: Kind = "cardinal") -> Board:
    """Independent scores, uniform on [0, 100): the most diverse benchmark. Same numbers as published."""
    # the legacy generator is the one the published boards were drawn with
    scores = np.random.RandomState(seed).random_sample((models, tasks)) * 100
    return _numbered("random", "Random", kind, scores)


def constant_board(seed: int = 0, models: int = 100, tasks: int = 100, kind: Kind = "cardinal") -> Board:
    """One random task repeated: all tasks agree. Same numbers as published."""
    column = np.random.RandomState(seed).random_sample((models, 1)) * 100
    return _numbered("constant", "Constant", kind, np.repeat(column, tasks, axis=1))


def interpolated_board(
    mix: float, seed: int = 0, models: int = 100, tasks: int = 100, kind: Kind = "cardinal"
) -> Board:
    """A share `mix` of the tasks from `random_board`, the rest from `constant_board`."""
    independent, repeated = int(mix * tasks + 0.5), int((1 - mix) * tasks + 0.5)
    parts = []
    if independent:
        parts.append(random_board(seed, models, independent).scores)
    if repeated:
        parts.append(constant_board(seed, models, repeated).scores)
    return _numbered("interpolated", f"Interpolated {mix:g}", kind, np.concatenate(parts, axis=1))


def imagenet_groups(seed: int = 0, groups: int = 20) -> Board:
    """ImageNet with its 1,000 classes shuffled into equal groups, each group one task (mean accuracy).

    Raises ValueError unless `groups` divides 1,000.
    """
    if not 1 <= groups <= 1000 or 1000 % groups:
        raise ValueError("the number of groups must divide 1,000")
    board = leaderboard("imagenet")
    classes = np.random.RandomState(seed).permutation(1000).reshape(groups, -1)
    scores = np.stack([board.scores[:, group].mean(axis=1) for group in classes], axis=1)
    tasks = tuple(f"group {g + 1}" for g in range(groups))
    return Board("imagenet", "ImageNet", "cardinal", board.models, tasks, scores, (False,) * groups)
