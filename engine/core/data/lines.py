"""Lines, quoted fields and separators of a text, counted over the whole file with array operations."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.core.data.source import Source

_SLICE = 8 << 20
_BLANK_FIELD = re.compile(r'"((?:[^"]|"")*)"|(\S+)')


@dataclass(frozen=True)
class Lines:
    """Where each line of `data` begins and ends (before its "\\n"), quoted line ends aside.

    `masked` equals `data` except that quoted fields are overwritten, so that no sign inside them counts.
    `numbers` are the line numbers in the file, from 1.
    """

    data: bytes
    masked: bytes
    starts: np.ndarray
    ends: np.ndarray
    numbers: np.ndarray

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, i: int) -> str:
        """Line i as text, quotes included."""
        return self.data[self.starts[i] : self.ends[i]].decode("utf-8")

    def begins_with(self, sign: bytes) -> np.ndarray:
        """bool (lines,): whether the line's first bytes, blanks aside, are `sign`."""
        found = np.zeros(len(self), dtype=bool)
        for match in re.finditer(rb"(?m)^[ \t]*" + re.escape(sign), self.masked):
            i = int(np.searchsorted(self.starts, match.start()))
            found[i] = i < len(self) and self.starts[i] == match.start()
        return found

    def blank(self, source: Source) -> np.ndarray:
        """bool (lines,): whether the line holds nothing but blanks and tabs."""
        counts = np.zeros(len(self), dtype=np.int64)
        for first, block, ends in self._slices(source, "Finding the rows"):
            filled = np.flatnonzero((block != 32) & (block != 9) & (block != 10))
            counts[first : first + len(ends)] = _per_line(filled, ends)
        return counts == 0

    def separators(self, separator: str, source: Source) -> np.ndarray:
        """int64 (lines,): how many separators each line has; for " " runs of blanks between values."""
        counts = np.zeros(len(self), dtype=np.int64)
        for first, block, ends in self._slices(source, "Finding the columns"):
            if separator == " ":
                counts[first : first + len(ends)] = np.maximum(_per_line(_run_starts(block), ends) - 1, 0)
            else:
                places = np.flatnonzero(block == ord(separator))
                counts[first : first + len(ends)] = _per_line(places, ends)
        return counts

    def _slices(self, source: Source, phase: str) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Blocks of whole lines: number of the first line, its bytes, line ends within the block."""
        whole = np.frombuffer(self.masked, dtype=np.uint8)
        first = 0
        while first < len(self):
            limit = self.starts[first] + _SLICE
            last = max(int(np.searchsorted(self.ends, limit)), first + 1)
            begin, end = self.starts[first], self.ends[last - 1]
            yield first, whole[begin:end], self.ends[first:last] - begin
            source.tick(last / len(self), phase)
            first = last


def split_lines(data: bytes, separators: str, source: Source) -> Lines:
    """Find the lines of a text. `separators` are the signs before which a quote may open.

    Raises DataError "unclosed-quote" with the line where a quoted field begins that never ends.
    """
    masked = _mask_quoted(data, separators) if b'"' in data else data
    ends = _line_ends(masked, source)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    if masked is data:
        numbers = np.arange(1, len(ends) + 1)
    else:
        inner = np.array([m.start() for m in re.finditer(b"\x00", masked)], dtype=np.int64)
        numbers = np.arange(1, len(ends) + 1) + np.searchsorted(inner, starts)
        _check_quotes_close(masked, separators, starts, numbers, source)
    return Lines(data, masked, starts, ends, numbers)


def split_fields(line: str, separator: str) -> list[str]:
    """The values of one line, quotes removed, outer blanks kept only inside quotes."""
    if separator == " ":
        return [
            match.group(1).replace('""', '"') if match.group(1) is not None else match.group(2)
            for match in _BLANK_FIELD.finditer(line)
        ]
    try:
        row = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [""])
    except csv.Error:
        # A single value of more than 131,072 characters.
        row = line.split(separator)
    return [field.strip() for field in row]


def _mask_quoted(data: bytes, separators: str) -> bytes:
    """Quoted fields overwritten by "Q", line ends inside them by zero bytes."""
    return re.sub(
        _quote_opening(separators) + rb'"(?:[^"]|"")*"(?=[ ' + _class(separators) + rb"\n]|\Z)",
        lambda match: re.sub(rb"[^\n]", b"Q", match.group()).replace(b"\n", b"\x00"),
        data,
    )


def _quote_opening(separators: str) -> bytes:
    return rb"(?:(?<=[" + _class(separators) + rb"\n])|\A) *"


def _class(separators: str) -> bytes:
    return re.escape(separators.encode("utf-8"))


def _check_quotes_close(
    masked: bytes, separators: str, starts: np.ndarray, numbers: np.ndarray, source: Source
) -> None:
    match = re.search(_quote_opening(separators) + rb'"[^"]*\Z', masked)
    if match:
        place = masked.index(b'"', match.start())
        line = int(numbers[np.searchsorted(starts, place, side="right") - 1])
        raise source.error(
            "unclosed-quote", "a quoted value begins here and never ends", "Each quote is closed", row=line
        )


def _line_ends(masked: bytes, source: Source) -> np.ndarray:
    whole = np.frombuffer(masked, dtype=np.uint8)
    parts = []
    for start in range(0, len(whole), _SLICE):
        parts.append(np.flatnonzero(whole[start : start + _SLICE] == 10) + start)
        source.tick(start / len(whole), "Finding the lines")
    if len(whole) and whole[-1] != 10:
        parts.append(np.array([len(whole)]))
    return np.concatenate(parts) if parts else np.array([], dtype=np.int64)


def _per_line(places: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """How many of the sorted `places` lie in each line that ends at `ends`."""
    return np.diff(np.searchsorted(places, ends), prepend=0)


def _run_starts(block: np.ndarray) -> np.ndarray:
    """Places where a run of characters other than blank, tab and line end begins."""
    filled = (block != 32) & (block != 9) & (block != 10)
    before = np.concatenate([[False], filled[:-1]])
    return np.flatnonzero(filled & ~before)
