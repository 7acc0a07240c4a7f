"""A file on disk: found, bounded and unpacked before anything looks at its meaning."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from engine.core.data.limits import DEFAULT_LIMITS, Limits, Tick, no_tick, size_in_words
from engine.core.errors import DataError

_PACKED: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda stream: gzip.GzipFile(fileobj=stream),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
_CHUNK = 1 << 20
FOLDER = "/"
"""The suffix of a folder, for kinds that are read from several files."""


@dataclass(frozen=True)
class Estimate:
    """What reading would take: bytes on disk, and bytes of memory while it is read."""

    file_bytes: int
    memory_bytes: int

    def in_words(self) -> str:
        return f"{size_in_words(self.file_bytes)} on disk, about {size_in_words(self.memory_bytes)} in memory"


@dataclass(frozen=True)
class Source:
    """One file, its limits, and who watches the reading. Nothing is opened before it is asked for."""

    path: Path
    limits: Limits = DEFAULT_LIMITS
    tick: Tick = no_tick

    @property
    def name(self) -> str:
        """The name a message shows."""
        return self.path.name

    @property
    def suffix(self) -> str:
        """Lower-case suffix that tells the format; that of the content when packed; "/" for a folder."""
        if self.path.is_dir():
            return FOLDER
        suffixes = [suffix.lower() for suffix in self.path.suffixes]
        if suffixes and suffixes[-1] in _PACKED:
            return suffixes[-2] if len(suffixes) > 1 else ""
        return suffixes[-1] if suffixes else ""

    @property
    def is_packed(self) -> bool:
        return self.path.suffix.lower() in _PACKED

    def check(self) -> int:
        """The size in bytes. Raises DataError if the file is absent, a folder, empty, or above the limit."""
        if not self.path.exists():
            raise self.error("missing-file", "there is no such file", f"Looked for it in {self.path.parent}")
        if not self.path.is_file():
            raise self.error("not-a-file", "this is a folder", "A file is needed")
        size = self.path.stat().st_size
        if size == 0:
            raise self.error("empty-file", "the file is empty", "At least one row is needed")
        if size > self.limits.file_bytes:
            raise self.error(
                "too-large",
                f"the file has {size_in_words(size)}",
                f"at most {size_in_words(self.limits.file_bytes)} are read",
            )
        return size

    def estimate(self) -> Estimate:
        """Size and memory need, from the size alone: text is held once as bytes and once as numbers."""
        size = self.check()
        return Estimate(size, size * (12 if self.is_packed else 3))

    def read_bytes(self) -> bytes:
        """The whole content, unpacked, in pieces between which `tick` may stop the reading.

        Raises DataError for what `check` finds, an archive that is damaged or grows beyond its limit,
        and a file the system refuses to open.
        """
        size = self.check()
        pieces: list[bytes] = []
        done = 0
        try:
            with open(self.path, "rb") as raw:
                stream = _PACKED[self.path.suffix.lower()](raw) if self.is_packed else raw
                while piece := stream.read(_CHUNK):
                    pieces.append(piece)
                    done += len(piece)
                    if self.is_packed:
                        self._check_growth(done, size)
                    self.tick(min(raw.tell() / size, 1.0), "Reading the file")
        except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError) as error:
            raise self.error("damaged-archive", f"unpacking failed ({error})", "A whole archive") from None
        except OSError as error:
            if self.is_packed and error.errno is None:
                raise self.error(
                    "damaged-archive", f"unpacking failed ({error})", "A whole archive"
                ) from None
            raise self.error("unreadable", f"{os.strerror(error.errno or 0)}", "A readable file") from None
        if not done:
            raise self.error("empty-file", "the file is empty", "At least one row is needed")
        return b"".join(pieces)

    def open(self) -> BinaryIO:
        """A seekable binary stream of the content (unpacked in memory when packed)."""
        if self.is_packed:
            return io.BytesIO(self.read_bytes())
        self.check()
        return open(self.path, "rb")

    def check_table(self, rows: int, columns: int) -> None:
        """Raises DataError when float64 (rows, columns) would go beyond the limit of memory."""
        need = 8 * rows * columns
        if need > self.limits.table_bytes:
            raise self.error(
                "too-large",
                f"{rows:,} rows × {columns:,} columns need {size_in_words(need)} of memory",
                f"at most {size_in_words(self.limits.table_bytes)} are taken",
            )

    def error(self, code: str, found: str, allowed: str, **parts: Any) -> DataError:
        """A DataError about this file."""
        return DataError(code=code, file=self.name, found=found, allowed=allowed, **parts)

    def _check_growth(self, done: int, size: int) -> None:
        ratio = done / size
        if done > self.limits.unpacked_bytes or (done > 100 << 20 and ratio > self.limits.unpack_ratio):
            raise self.error(
                "unpacks-too-large",
                f"{size_in_words(size)} unpack to more than {size_in_words(done)}",
                f"at most {size_in_words(self.limits.unpacked_bytes)} are unpacked, "
                f"and {self.limits.unpack_ratio:,} times the packed size",
            )
