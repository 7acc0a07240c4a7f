"""Lines, quoted fields and separators of a text, counted over the whole file with array operations."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.core.data.source import Source

_SLICE = 8 << 20
_BLANK_FIELD = re.compile(r'"((?:[^"]|"")*)"(?=[ \t]|$)|([^ \t]+)')


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
        first = self._first_bytes()
        for i in np.flatnonzero((first == sign[0]) | (first == 32) | (first == 9)):
            line = self.masked[self.starts[i] : self.ends[i]]
            found[i] = line.lstrip(b" \t").startswith(sign)
        return found

    def blank(self, source: Source) -> np.ndarray:
        """bool (lines,): whether the line holds nothing but blanks and tabs."""
        found = self.ends == self.starts
        first = self._first_bytes()
        for i in np.flatnonzero(((first == 32) | (first == 9)) & ~found):
            found[i] = not self.masked[self.starts[i] : self.ends[i]].strip(b" \t")
        source.tick(1.0, "Finding the rows")
        return found

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

    def _first_bytes(self) -> np.ndarray:
        return np.frombuffer(self.masked, dtype=np.uint8)[np.minimum(self.starts, len(self.masked) - 1)]

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
    masked, unclosed = _mask_quoted(data, separators, source) if b'"' in data else (data, None)
    ends = _line_ends(masked, source)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    numbers = np.arange(1, len(ends) + 1)
    if masked is not data:
        inner = np.flatnonzero(np.frombuffer(masked, dtype=np.uint8) == 0)
        numbers += np.searchsorted(inner, starts)
    if unclosed is not None:
        line = int(numbers[np.searchsorted(starts, unclosed, side="right") - 1])
        raise source.error(
            "unclosed-quote",
            "a quoted value begins here and does not end",
            "a quote closes before the next separator",
            row=line,
        )
    return Lines(data, masked, starts, ends, numbers)


def usual_count(counts: np.ndarray) -> int:
    """The commonest count in the later half, where remarks no longer are; the whole decides a tie."""
    late = np.bincount(counts[len(counts) // 2 :], minlength=int(counts.max()) + 1)
    votes = late * (len(counts) + 1) + np.bincount(counts)
    return int(len(votes) - 1 - np.argmax(votes[::-1]))


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


def _mask_quoted(data: bytes, separators: str, source: Source) -> tuple[bytes, int | None]:
    """Quoted fields overwritten by "Q", line ends inside them by zero bytes.

    Gives the masked text, and the place of the first quote that opens a field and never closes. A quote
    inside a value ("5\" pipe") opens nothing.
    """
    masked = bytearray(data)
    edges = (separators + ("\t\n" if " " in separators else "\n")).encode()
    inner = re.compile(rb'(?:[^"]|"")*"(?=[ ' + re.escape(edges) + rb"]|\Z)")
    table = bytes(0 if code == 10 else ord("Q") for code in range(256))
    place, ticked = data.find(b'"'), 0
    while place >= 0:
        before = place
        while before and data[before - 1] == 32 and data[before - 1] not in edges:
            before -= 1
        if before and data[before - 1] not in edges:
            place = data.find(b'"', place + 1)
            continue
        match = inner.match(data, place + 1)
        if match is None:
            return bytes(masked), place
        masked[place : match.end()] = data[place : match.end()].translate(table)
        if place - ticked > _SLICE:
            source.tick(place / len(data), "Finding the quotes")
            ticked = place
        place = data.find(b'"', match.end())
    return bytes(masked), None


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
