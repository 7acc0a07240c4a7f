"""Reading a person's arms and logs, with errors that name the row, and the sets that come with Papertab."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn, cast

import numpy as np

from engine.core.data.kinds import TEXT_SUFFIXES, DataKind, TableKind
from engine.core.data.limits import Tick
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.source import Source
from engine.core.data.values import Column, Table
from engine.core.places import RESOURCES
from engine.methods.best_arm.arms import MAX_ARMS, Arms, Instances, arms_of

NAME_WORDS = ("name", "arm", "item_id", "item", "variant", "ad", "model", "group")
MEAN_WORDS = ("mean", "rate", "ctr", "accuracy", "acc", "probability")
SUCCESS_WORDS = ("successes", "success", "clicks", "conversions", "correct", "wins")
TRIAL_WORDS = ("trials", "impressions", "visitors", "views", "n", "total", "draws")
FAILURE_WORDS = ("failures", "failure", "misses", "losses", "not_clicked")
_LOADER = "engine.methods.best_arm.data:load"


@dataclass(frozen=True, kw_only=True)
class ArmsKind(DataKind):
    """Arms (name, mean | name, successes, trials | name, successes, failures) or a log (arm, reward)."""

    name: ClassVar[str] = "arms"

    title: str = "Arms or log"
    accepts: tuple[str, ...] = TEXT_SUFFIXES
    loaders: tuple[tuple[str, str], ...] = tuple((suffix, _LOADER) for suffix in TEXT_SUFFIXES)


def load(source: Source, options: ReadOptions, kind: ArmsKind) -> Loaded:
    """Read a table of arms, or a log of rewards, by its column names.

    Raises DataError naming the row and column: means outside [0, 1], more successes than trials, no
    trials, rewards other than 0 and 1, repeated names, fewer than two arms, unknown columns.
    """
    from engine.core.data.delimited import load as load_table

    table_kind = TableKind(numeric=False, min_rows=1, min_columns=1)
    loaded = load_table(source, replace_roles(options), table_kind)
    reader = _Reader(source, cast(Table, loaded.value))
    arms = reader.arms().best_first()
    tied = [n for n, m in zip(arms.names, arms.means, strict=True) if m == arms.means[0]]
    if len(tied) > 1:
        shown = ", ".join(tied[:3]) + (" …" if len(tied) > 3 else "")
        loaded.report.warnings.append(
            f"{len(tied)} arms share the largest mean ({shown}): "
            "an error is counted only if another arm is recommended"
        )
    return replace(loaded, value=Instances((arms,)))


def replace_roles(options: ReadOptions) -> ReadOptions:
    """No column is set apart as label or id: arms are named by the columns this reader knows."""
    return options.model_copy(update={"label_column": "none", "id_column": "none"})


class _Reader:
    """The columns of one file, found by name; complaints name the line of the file."""

    def __init__(self, source: Source, table: Table) -> None:
        self.source, self.table = source, table
        self.columns = {column.name.strip().lower(): column for column in table.columns}

    def arms(self) -> Arms:
        name = self._find(NAME_WORDS)
        reward = self._find(("reward",))
        if name is not None and reward is not None:
            return self._log(name, reward)
        mean, successes = self._find(MEAN_WORDS), self._find(SUCCESS_WORDS)
        trials, failures = self._find(TRIAL_WORDS), self._find(FAILURE_WORDS)
        if successes is not None and (trials is not None or failures is not None):
            return self._counts(self._names(name), successes, trials, failures)
        if mean is not None:
            return self._means(self._names(name), mean)
        raise self.source.error(
            "unknown-columns",
            f"the columns are {', '.join(self.table.names)}",
            "name and mean, name, successes and trials (or failures), or arm and reward are needed",
        )

    def _find(self, words: Sequence[str]) -> Column | None:
        return next((self.columns[word] for word in words if word in self.columns), None)

    def _refuse(self, code: str, row: int, column: str, found: str, allowed: str) -> NoReturn:
        lines = self.table.lines
        line = int(lines[row]) if lines is not None else row + 1
        raise self.source.error(code, found, allowed, row=line, column=column)

    def _numbers(self, column: Column) -> np.ndarray:
        if column.type == "number":
            return column.values
        for row, text in enumerate(column.values):
            try:
                float(text)
            except ValueError:
                found = f"“{text}” is not a number" if text else "the cell is empty"
                self._refuse("not-a-number", row, column.name, found, "A number is needed")
        return np.array([float(text) for text in column.values])

    def _labels(self, column: Column) -> tuple[str, ...]:
        labels = tuple(column.texts())
        for row, label in enumerate(labels):
            if not label.strip():
                self._refuse("no-name", row, column.name, "the cell is empty", "An arm needs a name")
        return labels

    def _names(self, column: Column | None) -> tuple[str, ...]:
        if column is None:
            names = tuple(f"arm {k}" for k in range(1, self.table.n + 1))
        else:
            names = self._labels(column)
        seen: dict[str, int] = {}
        for row, name in enumerate(names):
            if name in seen and column is not None:
                self._refuse(
                    "repeated-name", row, column.name, f"“{name}” is there twice", "Names must differ"
                )
            seen[name] = row
        if len(names) < 2:
            raise self.source.error("one-arm", "there is one arm", "at least two arms are needed")
        if len(names) > MAX_ARMS:
            raise self.source.error(
                "too-many-arms", f"there are {len(names):,} arms", f"at most {MAX_ARMS} are allowed"
            )
        return names

    def _check(self, column: Column, values: np.ndarray, wrong: np.ndarray, code: str, allowed: str) -> None:
        if wrong.any():
            row = int(np.argmax(wrong))
            self._refuse(code, row, column.name, f"{values[row]:g} is not allowed", allowed)

    def _means(self, names: tuple[str, ...], column: Column) -> Arms:
        means = self._numbers(column)
        inside = (means >= 0) & (means <= 1)
        self._check(column, means, ~inside, "mean-outside", "a mean lies between 0 and 1 (5% is 0.05)")
        return Arms(name=self.source.path.stem, names=names, means=means.copy())

    def _counts(
        self, names: tuple[str, ...], successes: Column, trials: Column | None, failures: Column | None
    ) -> Arms:
        s = self._whole(successes)
        if trials is not None:
            n = self._whole(trials)
            self._check(trials, n, n == 0, "no-trials", "an arm without trials has no mean")
            self._check(successes, s, s > n, "more-successes", "successes cannot exceed the trials")
        else:
            assert failures is not None
            n = s + self._whole(failures)
            self._check(failures, n, n == 0, "no-trials", "an arm without trials has no mean")
        return Arms(
            name=self.source.path.stem, names=names, means=s / n,
            successes=s.astype(np.int64), trials=n.astype(np.int64),
        )  # fmt: skip

    def _whole(self, column: Column) -> np.ndarray:
        values = self._numbers(column)
        wrong = ~((values >= 0) & (values == np.floor(values)))
        self._check(column, values, wrong, "not-a-count", "counts are whole numbers, not negative")
        return values

    def _log(self, name: Column, reward: Column) -> Arms:
        rewards = self._numbers(reward)
        wrong = (rewards != 0) & (rewards != 1)
        self._check(reward, rewards, wrong, "not-a-reward", "a reward is 0 or 1")
        labels = self._labels(name)
        if "time" in self.columns:
            order = np.argsort(self.columns["time"].values, kind="stable")
        else:
            order = np.arange(len(labels))
        return arms_of_log(
            self.source.path.stem,
            [labels[i] for i in order],
            rewards[order].astype(np.int64),
            self.source.error,
        )


def arms_of_log(
    name: str, labels: Sequence[str], rewards: np.ndarray, error: Callable[..., Exception]
) -> Arms:
    """Arms and their log from (label, reward) in order; names in order of first appearance."""
    names = tuple(dict.fromkeys(labels))
    if len(names) < 2:
        raise error("one-arm", "the log holds one arm", "at least two arms are needed")
    if len(names) > MAX_ARMS:
        raise error("too-many-arms", f"the log holds {len(names):,} arms", f"at most {MAX_ARMS} are allowed")
    place = {label: k for k, label in enumerate(names)}
    arms = np.array([place[label] for label in labels], np.int64)
    trials = np.bincount(arms, minlength=len(names))
    successes = np.bincount(arms, weights=rewards, minlength=len(names)).astype(np.int64)
    return Arms(
        name=name, names=names, means=successes / trials, successes=successes, trials=trials,
        log_arms=arms, log_rewards=np.asarray(rewards, np.int64),
    )  # fmt: skip


def load_means(name: str, instances: Sequence[Sequence[float]], tick: Tick) -> Instances:
    """Given instances, each a sequence of means."""
    tick(0.0, "Loading the set")
    single = len(instances) == 1
    return Instances(tuple(arms_of(name if single else f"{name}-{i}", m) for i, m in enumerate(instances, 1)))


def load_families(arms: Sequence[int], tick: Tick) -> Instances:
    """Instances of K arms of the families, as used for fixed-budget comparisons."""
    from engine.methods.best_arm.instances import FAMILIES

    tick(0.0, "Making the families")
    chosen = ("one group", "two groups", "arithmetic", "concave", "near-zero losers")
    return Instances(
        tuple(arms_of(f"{name.replace(' ', '-')}-{k}", FAMILIES[name](k)) for k in arms for name in chosen)
    )


def load_open_bandit(campaign: str, tick: Tick) -> Loaded:
    """Items of the Open Bandit sample as arms, with the log of impressions."""
    tick(0.0, "Loading the set")
    path = RESOURCES / "open_bandit" / f"log_{campaign}.csv"
    loaded = load(Source(path), ReadOptions(), ArmsKind())
    (arms,) = cast(Instances, loaded.value).items
    return replace(loaded, value=Instances((replace(arms, name=f"open_bandit_{campaign}"),)))


def load_models(board: str, column: str, scale: float, first: int, tick: Tick) -> Instances:
    """The first `first` models of a leaderboard: an arm is a model, a reward a correct answer."""
    tick(0.0, "Loading the set")
    with open(RESOURCES / "leaderboards" / f"{board}.csv", encoding="utf-8", newline="") as stream:
        rows: list[dict[str, Any]] = [r for r in csv.DictReader(stream) if not r["model"].startswith("#")]
    rows = sorted(rows, key=lambda row: -float(row[column]))[:first]
    means = np.array([float(row[column]) * scale for row in rows])
    return Instances((Arms(name=board, names=tuple(row["model"] for row in rows), means=means),))
