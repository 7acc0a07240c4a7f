"""Writing that never leaves half a file behind, in steps that can be repeated.

Each step names the content and the place it belongs to, so that carrying it out again after a failure
(disk full, folder gone for a while) gives the same files: nothing is lost and nothing is there twice.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import shutil
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from engine.core.encoding import plain_number
from engine.core.errors import StorageError

TEMPORARY = ".part"
_FORBIDDEN = set('<>:"/\\|?*%')


class Step(Protocol):
    """One change on disk; repeating it does no harm."""

    def carry_out(self) -> None:
        """Raises OSError when the disk does not allow it."""


@dataclass(frozen=True)
class Put:
    """A whole file of a record: written beside, then renamed. `durable`: also forced to the disk."""

    folder: Path
    place: str
    content: bytes
    durable: bool = False

    def carry_out(self) -> None:
        path = self.folder / self.place
        make_folders(self.folder, path.parent)
        write_whole(path, self.content, durable=self.durable)


@dataclass(frozen=True)
class AppendAt:
    """More content of a growing file, at `offset` from its beginning; what lay behind it is cut off."""

    folder: Path
    place: str
    offset: int
    content: bytes

    def carry_out(self) -> None:
        path = self.folder / self.place
        make_folders(self.folder, path.parent)
        with open(path, "r+b" if path.exists() else "w+b", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if size < self.offset:
                raise OSError(errno.EIO, "the file was cut short by another program", str(path))
            try:
                file.seek(self.offset)
                write_all(file, self.content)
                file.truncate()
            except OSError:
                with contextlib.suppress(OSError):
                    file.truncate(self.offset)
                raise


@dataclass(frozen=True)
class Remove:
    """A file that is no longer wanted."""

    path: Path

    def carry_out(self) -> None:
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Take:
    """A file made elsewhere is moved into the record; done already if only the target is there."""

    folder: Path
    source: Path
    place: str

    def carry_out(self) -> None:
        target = self.folder / self.place
        if not self.source.exists() and target.exists():
            return
        make_folders(self.folder, target.parent)
        part = target.with_name(target.name + TEMPORARY)
        try:
            shutil.copyfile(self.source, part)
            os.replace(part, target)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
        with contextlib.suppress(OSError):
            self.source.unlink()


def write_all(file: Any, content: bytes) -> None:
    """All of `content` into an unbuffered file; a short write is followed by another."""
    view = memoryview(content)
    while view:
        view = view[file.write(view) :]


def write_whole(path: Path, content: bytes, *, durable: bool = False) -> None:
    """The file `path` with `content`: the former one stays until the new one is complete.

    Raises:
        OSError: the disk does not allow it; no temporary file is left.
    """
    part = path.with_name(path.name + TEMPORARY)
    try:
        with open(part, "wb", buffering=0) as file:
            write_all(file, content)
            if durable:
                os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def make_folders(root: Path, folder: Path) -> None:
    """`folder` below `root`; a `root` that is gone is an error and is not made anew."""
    if folder.is_dir():
        return
    steps = folder.relative_to(root).parts
    for count in range(1, len(steps) + 1):
        root.joinpath(*steps[:count]).mkdir(exist_ok=True)


def json_text(tree: Any, *, indent: int | None = None) -> bytes:
    """JSON in UTF-8; numbers that are not finite are the words "nan", "inf", "-inf"."""
    separators = (",", ":") if indent is None else None
    finite = _finite(tree)
    text = json.dumps(finite, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair, as in file names that are not UTF-8, has no form but the escaped one.
        return json.dumps(finite, allow_nan=False, indent=indent, separators=separators).encode()


def _finite(tree: Any) -> Any:
    if isinstance(tree, float):
        return tree if math.isfinite(tree) else plain_number(tree)
    if isinstance(tree, Mapping):
        return {str(key): _finite(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_finite(value) for value in tree]
    return tree


def file_name(name: str) -> str:
    """A file name for any text: what some file system forbids is written as %XX; `plain_name` undoes it."""
    if name in (".", "..") or not name:
        return "".join(f"%{ord(sign):02X}" for sign in name) or "%"
    text = "".join(f"%{ord(s):02X}" if s in _FORBIDDEN or ord(s) < 32 else s for s in name)
    return f"%2E{text[1:]}" if text.startswith(".") else text


def plain_name(file: str) -> str:
    """The text that `file_name` made a file name of."""
    return "" if file == "%" else urllib.parse.unquote(file)


def storage_error(error: OSError, folder: Path) -> StorageError:
    """The sentence for a failure to write the record in `folder`."""
    reasons = {
        errno.ENOSPC: f"The disk is full: the record in {folder} cannot grow. It goes on once there is room",
        errno.EDQUOT: f"Your share of the disk is used up: the record in {folder} cannot grow",
        errno.EFBIG: f"A file of the record in {folder} may not grow any further on this disk",
        errno.ENOENT: f"The folder of the record is gone: {folder}",
        errno.EACCES: f"The record in {folder} may not be written: no permission",
        errno.EPERM: f"The record in {folder} may not be written: no permission",
        errno.EROFS: f"The record in {folder} may not be written: the disk is read-only",
    }
    reason = reasons.get(error.errno or 0)
    return StorageError(
        f"{reason or f'The record in {folder} cannot be written: {error.strerror or error}'}."
    )
