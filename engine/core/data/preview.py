"""What a person sees while choosing options: the first rows, the rows that do not fit, what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.core.data.encoding import read_text
from engine.core.data.kinds import TEXT_SUFFIXES, DataKind
from engine.core.data.limits import DEFAULT_LIMITS, Limits, Tick, no_tick
from engine.core.data.lines import split_fields
from engine.core.data.loaded import Loaded
from engine.core.data.options import ReadOptions
from engine.core.data.registry import read
from engine.core.data.source import Source
from engine.core.errors import DataError

_WIDEST = 50
_NOTHING_TO_SHOW = ("missing-file", "not-a-file", "empty-file", "too-large", "unreadable", "not-text")


@dataclass(frozen=True)
class PreviewRow:
    """One line of a text file: its number from 1, and its values (at most 50) as they would be split."""

    line: int
    fields: tuple[str, ...]
    fits: bool = True


@dataclass(frozen=True, eq=False)
class Preview:
    """A trial reading: `loaded` when it went well, otherwise `problem` with its choices.

    `rows` are the first lines of a text file, and around them those the problem names (`fits` False);
    empty for files that are no text.
    """

    rows: tuple[PreviewRow, ...]
    loaded: Loaded | None = None
    problem: DataError | None = None


def preview(
    path: str | Path,
    kinds: Sequence[DataKind],
    options: ReadOptions | None = None,
    *,
    first: int = 12,
    tick: Tick | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Preview:
    """Read the file with these options and show its beginning; a DataError is part of the answer."""
    options = options or ReadOptions()
    loaded, problem = None, None
    try:
        loaded = read(path, kinds, options, tick=tick, limits=limits)
    except DataError as error:
        problem = error
    used = loaded.options if loaded else options
    return Preview(_rows(Source(Path(path), limits, tick or no_tick), used, problem, first), loaded, problem)


def _rows(
    source: Source, options: ReadOptions, problem: DataError | None, first: int
) -> tuple[PreviewRow, ...]:
    if source.suffix not in (*TEXT_SUFFIXES, "") or (problem and problem.code in _NOTHING_TO_SHOW):
        return ()
    try:
        data = read_text(source, options).data
    except DataError:
        return ()
    separator = _shown_separator(data, options)
    bad = problem.row if problem else None
    wanted = set(range(1, first + 1)) | (set(range(bad - 1, bad + 2)) if bad else set())
    rows, start = [], 0
    for line in range(1, max(wanted) + 1):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if line in wanted and (end > start or end < len(data)):
            fields = split_fields(data[start:end].decode("utf-8"), separator)[:_WIDEST]
            rows.append(PreviewRow(line, tuple(fields), line != bad))
        start = end + 1
        if start > len(data):
            break
    return tuple(rows)


def _shown_separator(data: bytes, options: ReadOptions) -> str:
    """The separator found or chosen; while it is open, the strongest sign in the first lines."""
    if options.separator == "none":
        return "\x1f"
    if options.separator != "auto":
        return options.separator
    head = data[:4096]
    return next((sign for sign in "\t;,|" if sign.encode() in head), " ")
