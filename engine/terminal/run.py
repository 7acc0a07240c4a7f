"""``run``: one method, one record, exit status as the run ended."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from engine.core.errors import FieldError, PapertabError
from engine.core.places import cache_folder
from engine.core.records.library import Library
from engine.core.registry import method as method_named
from engine.core.running.engine import Engine
from engine.core.running.job import Job, RunRequest
from engine.core.running.status import Status
from engine.core.scripting import prepare
from engine.terminal.live_line import LiveLine

EXIT = {Status.FINISHED: 0, Status.FAILED: 1, Status.STOPPED: 130}
Format = Literal["pdf", "svg", "png"]
FORMATS: tuple[Format, ...] = ("pdf", "svg", "png")


def run(options: argparse.Namespace) -> int:
    """Carry out ``run``.

    Raises:
        PapertabError: the request is wrong; nothing was written.
    """
    request = request_of(options)
    formats = figure_formats(options.figures)
    folder = out_folder(options.out)
    engine = Engine(Library(folder.parent), cache_folder())
    try:
        job = engine.submit(request, folder)
        follow(engine, job)
    finally:
        engine.close(timeout=30)
    report(job, options.traceback)
    if formats and job.board.views():
        draw_figures(job, folder, formats)
    return EXIT[job.status]


def request_of(options: argparse.Namespace) -> RunRequest:
    """The run that was asked for, checked whole; what is only to be known goes to stderr."""
    method = method_named(options.method)
    fields, reading = assignments(options.assignments)
    request, warnings = prepare(
        method.slug,
        preset=options.preset,
        data=options.data,
        reading=reading,
        parameters=method.parameters.parse(fields),
        seed=options.seed,
        threads=options.threads,
        device=options.device,
    )
    for warning in warnings:
        print(f"{warning.field}: {warning.message}", file=sys.stderr)
    return request


def assignments(pairs: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """``--set`` pairs: those of the method, and those of the data (without their ``data.``).

    Raises:
        FieldError: a pair without an equals sign.
    """
    fields: dict[str, str] = {}
    reading: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise FieldError("--set", found=pair, allowed="write field=value")
        if name.startswith("data."):
            reading[name.removeprefix("data.")] = value
        else:
            fields[name] = value
    return fields, reading


def figure_formats(text: str) -> tuple[Format, ...]:
    """The formats named in ``--figures``.

    Raises:
        FieldError: one that is not offered.
    """
    named = [part.strip().lower() for part in text.split(",") if part.strip()]
    for name in named:
        if name not in FORMATS:
            raise FieldError("--figures", found=name, allowed="one or more of pdf, svg or png")
    return tuple(known for known in FORMATS if known in named)


def out_folder(folder: Path) -> Path:
    """The folder of the record; one that already holds a run is refused.

    Raises:
        FieldError: it holds a run, is a file, or cannot be made.
    """
    if (folder / "run.json").exists():
        raise FieldError(
            "--out", found=str(folder), allowed="this folder already holds a run; name a new or empty one"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FieldError(
            "--out", found=str(folder), allowed=f"the folder cannot be made ({error})"
        ) from error
    return folder


def follow(engine: Engine, job: Job) -> None:
    """Wait for the run, with one live line on stderr; Ctrl-C stops it and keeps what was done."""
    line = LiveLine(sys.stderr)
    while not job.ended.wait(0.1):
        try:
            line.show(job)
            if job.status is Status.PAUSED and job.reason:
                print(f"\npapertab: {job.reason}", file=sys.stderr)
                engine.stop(job)
        except KeyboardInterrupt:
            engine.stop(job)
    line.end(job)


def report(job: Job, traceback: bool) -> None:
    """Say on stderr why a run failed."""
    if job.failure:
        print(f"papertab: {job.failure.message}", file=sys.stderr)
        if traceback:
            print(job.failure.traceback, file=sys.stderr)


def draw_figures(job: Job, folder: Path, formats: tuple[Format, ...]) -> None:
    """Every view that shows something, in each format, under figures/."""
    from engine.core.figures.export import export_all
    from engine.core.figures.style import FigureStyle

    try:
        export_all(job.method, job.board, folder / "figures", formats, FigureStyle())
    except (OSError, PapertabError) as error:
        print(f"papertab: figures: {error}", file=sys.stderr)
