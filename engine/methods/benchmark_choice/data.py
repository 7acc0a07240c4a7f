"""The person's own leaderboard, and the boards kept with the program, as data a run takes.

The file is a table of separated values: model names in the first column, one numeric column a task, and, if
wanted, a `#direction` row (`max`, `min` or `ignore` under each task).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from engine.core.data.delimited import find_table
from engine.core.data.delimited import load as load_table
from engine.core.data.encoding import read_text
from engine.core.data.kinds import TEXT_SUFFIXES, DataKind, TableKind
from engine.core.data.limits import Tick
from engine.core.data.lines import split_fields
from engine.core.data.loaded import Loaded
from engine.core.data.options import MISSING_CODES, ReadOptions
from engine.core.data.report import ColumnReport, Report, counted, some_of
from engine.core.data.source import Source
from engine.core.data.values import Table

from .boards import (
    Board,
    Kind,
    catalogue,
    constant_board,
    imagenet_groups,
    interpolated_board,
    leaderboard,
    random_board,
)

MARK = "#direction"
"""How the row that says which way is better begins."""

WORDS = {
    "max": "max",
    "higher": "max",
    "↑": "max",
    "min": "min",
    "lower": "min",
    "↓": "min",
    "ignore": "ignore",
}
WIDE_RANGE = 50.0
"""Tasks whose largest scores differ by more than this factor are probably percentages beside fractions."""

_TABLE = TableKind(id_column=True, missing_allowed=True, min_rows=3, min_columns=2)


@dataclass(frozen=True, kw_only=True)
class LeaderboardKind(DataKind):
    """Models × tasks, names in the first column; "-", NA and blank are missing scores."""

    name: ClassVar[str] = "leaderboard"

    title: str = "Leaderboard"
    accepts: tuple[str, ...] = TEXT_SUFFIXES
    loaders: tuple[tuple[str, str], ...] = tuple(
        (suffix, "engine.methods.benchmark_choice.data:load_file") for suffix in (*TEXT_SUFFIXES, "")
    )


def load_file(source: Source, options: ReadOptions, kind: DataKind) -> Loaded:
    """Read a leaderboard from separated values.

    Raises DataError for whatever the table reader refuses (a text among numbers, with line and column;
    fewer than three models or two tasks), a model name that stands twice, and a word in the `#direction` row
    that is not known.
    """
    text = read_text(source, options).data.decode("utf-8")
    line, fields = _direction_row(text)
    if fields and options.comment == "auto" and not text.lstrip().startswith("#"):
        options = options.with_setting("comment", MARK)
    if options.missing == "auto":
        options = options.with_setting("missing", (*MISSING_CODES, "-", "–"))
    layout, _ = find_table(read_text(source, options), options, source)
    if options.id_column == "auto":
        options = options.with_setting("id_column", layout.names[0])
    directions = _directions(fields, layout.names, layout.separator or "\x1f", line, source)
    for name, direction in directions.items():
        if direction == "ignore" and name not in options.types:
            options = options.with_setting(f"types.{name}", "skip")
    loaded = load_table(source, options, _TABLE)
    table = loaded.value
    assert isinstance(table, Table)
    _check_models(table, source)
    board = _board(table, directions, source.name.partition(".")[0] or "table")
    _remark(board, loaded.report)
    return replace(loaded, value=board)


def _direction_row(text: str) -> tuple[int, str]:
    """(line number from 1, the row) that begins with the mark, or (0, "")."""
    for number, row in enumerate(text.split("\n"), start=1):
        if row.lstrip().lower().startswith(MARK):
            return number, row
    return 0, ""


def _directions(
    row: str, names: tuple[str, ...], separator: str, line: int, source: Source
) -> dict[str, str]:
    """Column name → "max", "min" or "ignore"."""
    if not row:
        return {}
    words = split_fields(row, separator)[1:]
    if len(words) != len(names) - 1:
        raise source.error(
            "direction-length",
            f"the {MARK} row has {counted(len(words), 'word')}",
            f"one for each of the {len(names) - 1:,} columns after the first",
            row=line,
        )
    found = {}
    for name, word in zip(names[1:], words, strict=True):
        if word and word.lower() not in WORDS:
            raise source.error(
                "direction-word", f"“{word}” is no direction", "max, min or ignore", row=line, column=name
            )
        found[name] = WORDS.get(word.lower(), "max")
    return found


def _check_models(table: Table, source: Source) -> None:
    """Raises DataError when a model is named twice."""
    names = table.row_names()
    lines = table.lines.tolist() if table.lines is not None else list(range(1, len(names) + 1))
    column = table.id.name if table.id is not None else None
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        places = [line for name, line in zip(names, lines, strict=True) if name == twice[0]]
        raise source.error(
            "duplicate-model",
            f"model “{twice[0]}” stands in lines {some_of(places)}",
            "every model has a name of its own",
            row=places[1],
            column=column,
            further=len(twice) - 1,
        )


def _board(table: Table, directions: dict[str, str], name: str) -> Board:
    tasks = table.numeric_names
    flipped = tuple(directions.get(task) == "min" for task in tasks)
    scores = table.numeric().copy()
    scores[:, np.flatnonzero(flipped)] *= -1.0
    kind: Kind = "ordinal" if np.isnan(scores).any() else "cardinal"
    return Board(name, name, kind, tuple(table.row_names()), tasks, scores, flipped)


def _remark(board: Board, report: Report) -> None:
    """What a person should know before trusting the ranking."""
    report.reading = "a leaderboard"
    empty = np.flatnonzero(np.isnan(board.scores).all(axis=1))
    silent = [board.models[i] for i in empty]
    if silent:
        report.warnings.append(f"models without any score win against nobody: {some_of(silent)}")
    spread = np.nanmax(board.scores, axis=0) - np.nanmin(board.scores, axis=0)
    flat = [task for task, width in zip(board.tasks, spread, strict=True) if width <= 1e-8]
    if flat:
        report.warnings.append(f"tasks that score all models alike do not count: {some_of(flat)}")
    flipped = [task for task, flip in zip(board.tasks, board.flipped, strict=True) if flip]
    if flipped:
        report.conversions.append(f"lower is better in {some_of(flipped)}: their scores are negated")
    largest = np.nanmax(np.abs(board.scores), axis=0)
    largest = largest[largest > 0]
    if largest.size and largest.max() > WIDE_RANGE * largest.min():
        report.warnings.append(
            f"the largest scores of the tasks range from {largest.min():g} to {largest.max():g}: percentages "
            "may stand beside fractions, and large units then decide the mean"
        )


def load_kept(name: str, tick: Tick) -> Loaded:
    """A board of the catalogue."""
    board = leaderboard(name)
    return _described(board, f"{catalogue()[name].title}, kept with the program")


def load_reference(form: str, tick: Tick, seed: int = 0, mix: float = 0.5, groups: int = 20) -> Loaded:
    """A reference board: "random", "constant", "interpolated" (`mix`) or "imagenet" (`groups`)."""
    makers = {
        "random": lambda: random_board(seed),
        "constant": lambda: constant_board(seed),
        "interpolated": lambda: interpolated_board(mix, seed),
        "imagenet": lambda: imagenet_groups(seed, groups),
    }
    return _described(makers[form](), "made by rule")


def _described(board: Board, form: str) -> Loaded:
    report = Report(file=board.title, format=form, reading="a leaderboard")
    report.rows = report.rows_in_file = board.n
    gaps = np.isnan(board.scores).sum(axis=0).tolist()
    report.columns = [
        ColumnReport(task, "number", form, missing={"": count} if count else {})
        for task, count in zip(board.tasks, gaps, strict=True)
    ]
    _remark(board, report)
    return Loaded(board, report, ReadOptions(), board.name)
