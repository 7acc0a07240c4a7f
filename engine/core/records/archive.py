"""Runs as a zip for a colleague, readable without Papertab, and back; folders of the terminal likewise."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import IO

from engine.core.data.limits import DEFAULT_LIMITS, Limits, size_in_words
from engine.core.errors import StorageError
from engine.core.records import description, lock
from engine.core.records.disk import TEMPORARY, json_text, make_folders, write_whole
from engine.core.records.header import FORMAT, new_id, now
from engine.core.records.library import Library
from engine.core.records.reader import RunRecord

#: More files than any set of runs has.
MOST_FILES = 200_000
#: Never leaves or enters a record with an archive: who writes it, and what a run works with meanwhile.
LEFT_OUT = (lock.NAME, "scratch")
#: Packed already.
_PACKED = (".npz", ".png", ".zip", ".parquet", ".jpg", ".pdf")
_PIECE = 1 << 20


def export_runs(records: Iterable[RunRecord], zip_path: Path) -> list[str]:
    """Writes the runs to a zip with a README and a list of what it holds; returns that list.

    Raises:
        StorageError: the zip cannot be written, or a record cannot be read; no half zip is left.
    """
    zip_path = Path(zip_path)
    records = list(records)
    part = zip_path.with_name(zip_path.name + TEMPORARY)
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
            names = [name for record in records for name in _add(file, record)]
            lines = [_line(record) for record in records]
            file.writestr("README.md", README.format(runs="\n".join(lines)).encode())
            file.writestr("contents.json", json_text({"format": FORMAT, "files": names}, indent=1))
        os.replace(part, zip_path)
        return names
    except OSError as error:
        raise StorageError(f"{zip_path} cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)


def import_runs(zip_path: Path, library: Library, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """Takes the runs of a zip into the library; returns their ids there.

    Nothing that is there is overwritten: a run whose id is taken gets a new one. All runs come, or none.

    Raises:
        StorageError: no zip, no run in it, a path that leads out of it, or more than the limits allow.
    """
    zip_path = Path(zip_path)
    try:
        if zip_path.stat().st_size > limits.file_bytes:
            raise StorageError(f"{zip_path.name} is larger than {size_in_words(limits.file_bytes)}.")
        with zipfile.ZipFile(zip_path) as file:
            runs = _checked(file, zip_path, limits)
            return _take_in(library, lambda incoming: _unpack(file, runs, incoming))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise StorageError(f"{zip_path.name} is no zip file, or it is damaged ({error}).") from error
    except OSError as error:
        raise StorageError(f"{zip_path.name} cannot be imported: {error.strerror or error}.") from error


def import_folder(path: Path, library: Library) -> str:
    """Takes a copy of a run's folder (``run --out``) into the library; returns its id there.

    Raises:
        StorageError: it is no readable run, still on its way, or cannot be copied.
    """
    path = Path(path)
    if RunRecord(path).is_live:
        raise StorageError(f"The run in {path} is still on its way: import it when it has ended.")
    try:
        return _take_in(library, lambda incoming: [_copied(path, incoming / "run")])[0]
    except (OSError, shutil.Error) as error:
        raise StorageError(f"The run in {path} cannot be copied: {error}.") from error


def _add(file: zipfile.ZipFile, record: RunRecord) -> list[str]:
    names = []
    for path in sorted(record.folder.rglob("*")):
        place = path.relative_to(record.folder)
        if place.parts[0] in LEFT_OUT or path.suffix == TEMPORARY or path.is_symlink() or not path.is_file():
            continue
        name = f"{record.folder.name}/{place.as_posix()}"
        packed = zipfile.ZIP_STORED if path.suffix in _PACKED else zipfile.ZIP_DEFLATED
        try:
            # A record that still grows: what is whole on the disk now is what goes into the zip.
            info = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
            info.compress_type = packed
            with open(path, "rb") as source, file.open(info, "w") as target:
                shutil.copyfileobj(source, target, _PIECE)
            names.append(name)
        except FileNotFoundError:
            continue
    if f"{record.folder.name}/{description.NAME}" not in names:
        raise StorageError(f"The record in {record.folder} is gone.")
    return names


def _line(record: RunRecord) -> str:
    header = record.header
    name = f" “{header.name}”" if header.name else ""
    data = header.data.get("name") or "no data"
    return (
        f"- `{record.folder.name}`{name}: {header.method}, {data}, seed {header.seed}, {record.status}, "
        f"begun {header.created}, format {header.format}"
    )


def _checked(file: zipfile.ZipFile, path: Path, limits: Limits) -> dict[str, list[zipfile.ZipInfo]]:
    """Run folder in the zip → its files, after looking at every path and size."""
    infos = [info for info in file.infolist() if not info.is_dir()]
    if len(infos) > MOST_FILES:
        raise StorageError(f"{path.name} holds {len(infos):,} files: more than any set of runs.")
    size = sum(info.file_size for info in infos)
    if size > limits.unpacked_bytes:
        raise StorageError(f"{path.name} unpacks to {size_in_words(size)}: more than is allowed.")
    if size > limits.unpack_ratio * max(path.stat().st_size, 1):
        raise StorageError(f"{path.name} unpacks to far more than it is; it is not taken for runs.")
    names = set()
    for info in infos:
        if not _is_safe(info):
            raise StorageError(
                f"{path.name} holds “{info.filename}”, which leads out of it. Nothing is taken."
            )
        if info.filename.casefold() in names:
            raise StorageError(f"{path.name} holds “{info.filename}” twice. Nothing is taken.")
        names.add(info.filename.casefold())
    heads = {str(PurePosixPath(i.filename).parent) for i in infos if _name(i) == description.NAME}
    if not heads:
        raise StorageError(f"{path.name} holds no run: there is no {description.NAME} in it.")
    return {
        head: [i for i in infos if head == "." or i.filename.startswith(f"{head}/")] for head in sorted(heads)
    }


def _is_safe(info: zipfile.ZipInfo) -> bool:
    name = info.filename
    parts = PurePosixPath(name).parts
    is_link = stat.S_ISLNK(info.external_attr >> 16)
    plain = not any(sign in name for sign in "\\:\0")
    return plain and not is_link and not name.startswith("/") and bool(parts) and ".." not in parts


def _name(info: zipfile.ZipInfo) -> str:
    return PurePosixPath(info.filename).name


def _unpack(file: zipfile.ZipFile, runs: dict[str, list[zipfile.ZipInfo]], incoming: Path) -> list[Path]:
    """The runs of the zip as folders below `incoming`."""
    folders = []
    for number, (head, infos) in enumerate(runs.items()):
        target = incoming / str(number)
        target.mkdir()
        for info in infos:
            place = PurePosixPath(info.filename)
            place = place if head == "." else place.relative_to(head)
            if place.parts[0] in LEFT_OUT:
                continue
            path = target.joinpath(*place.parts)
            make_folders(target, path.parent)
            with file.open(info) as source, open(path, "xb") as out:
                _copy(source, out, info.file_size)
        folders.append(target)
    return folders


def _copied(path: Path, target: Path) -> Path:
    shutil.copytree(path, target, ignore=shutil.ignore_patterns(*LEFT_OUT, f"*{TEMPORARY}", ".*"))
    return target


def _copy(source: IO[bytes], out: IO[bytes], size: int) -> None:
    """Copies at most what the zip's list announced: it may lie."""
    left = size
    while piece := source.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise zipfile.BadZipFile("a file is longer than the list says")
        out.write(piece)


def _take_in(library: Library, fill: Callable[[Path], list[Path]]) -> list[str]:
    """Moves the runs that `fill` lays below a folder into the library, when all of them can be read."""
    incoming = library.root / f".incoming-{secrets.token_hex(4)}"
    incoming.mkdir(parents=True)
    try:
        whole = [(folder, RunRecord(folder)) for folder in fill(incoming)]
        ids = [_settle(library, folder, record) for folder, record in whole]
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
    library.sync()
    return ids


def _settle(library: Library, folder: Path, record: RunRecord) -> str:
    id = record.header.id
    taken = (library.root / id).exists() or not id or "/" in id or id.startswith(".") or Path(id).name != id
    chosen = new_id() if taken else id
    if not record.read_only:
        described = json.loads((folder / description.NAME).read_bytes())
        described["imported"] = {"id": id, "at": now()}
        described["id"] = chosen
        described["status"] = record.status if record.status not in description.LIVE else "interrupted"
        write_whole(folder / description.NAME, json_text(described, indent=2), durable=True)
    os.rename(folder, library.root / chosen)
    return chosen


README = """# Runs of Papertab

{runs}

Each folder is one run. Nothing here needs Papertab to be read: JSON, CSV, NPZ (arrays of NumPy, opened
with `numpy.load`; an NPZ is a zip) and images. No file holds pickled objects.

- `run.json`: method, parameters, seed, threads, device, data, versions, times, results, error. A number
  that is not finite is the text "nan", "inf" or "-inf". `data` names the file or set and its fingerprint
  (SHA-256 of names, types and values); the data itself is not in the run unless it is among `artifacts/`.
- `label.json`: name, tags and note, if they were changed after the run began.
- `events.jsonl`: one line an event: sequence number, seconds since the beginning, event.
- `curves.npz`: every point of every curve. `index.json` in it lists the curves; curve i has the arrays
  `c<i>.x`, `c<i>.y`, if given `c<i>.low` and `c<i>.high`, and for each point `c<i>.sequence` and
  `c<i>.seconds`. A run that was cut off has `curves/*.npz` of the same form instead.
- `frames.npz`: the states the views showed, at most 300 a view. `index.json` lists view, sequence number
  and seconds; folder `<sequence>/` has `state.json` and arrays. A run that was cut off has `frames/`.
- `arrays/<hash>.npz`: large arrays, stored once however often they were shown.
- `tables/*.csv`, `figures/`, `artifacts/`: the run's tables, figures and files.
- `window.json`: what was selected.

    import json, numpy
    run = json.load(open("RUN/run.json"))
    curves = numpy.load("RUN/curves.npz")
    index = json.loads(curves["index.json"])
"""
