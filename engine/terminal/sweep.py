"""``sweep``: a method over a grid and seeds, one folder, exit status as its runs ended."""

from __future__ import annotations

import argparse
import sys
from typing import TextIO

from engine.core.data.loaded import Loaded
from engine.core.errors import FieldError, PapertabError
from engine.core.method import Method
from engine.core.registry import method as method_named
from engine.core.sweeps.estimate import PROCESS_BYTES, SweepEstimate, estimate_sweep
from engine.core.sweeps.folder import SweepFolder
from engine.core.sweeps.grid import parse_grid, setting_words
from engine.core.sweeps.plan import SweepPlan
from engine.core.sweeps.preparing import prepare_sweep
from engine.core.sweeps.runner import SweepRunner
from engine.core.sweeps.workers import Workers
from engine.terminal.live_line import WIDTH
from engine.terminal.run import Format, assignments, figure_formats

STOPPED = 130


def sweep(options: argparse.Namespace) -> int:
    """Carry out ``sweep``; the same command again goes on where it was stopped.

    Raises:
        PapertabError: the request is wrong; nothing was written.
    """
    method = method_named(options.method)
    plan, loaded = plan_of(method, options)
    formats = figure_formats(options.figures)
    folder = SweepFolder(options.out)
    refuse_other_contents(folder)
    workers = workers_for(method, plan, loaded, options)
    runner = SweepRunner(folder, plan, workers)
    line = SweepLine(sys.stderr, method, runner)
    status = follow(runner, line, options.retry_failed)
    line.end()
    if formats:
        draw_figures(method, runner, formats)
    if status == "stopped":
        return 1 if runner.reason else STOPPED
    return 1 if runner.progress().failed else 0


def plan_of(method: Method, options: argparse.Namespace) -> tuple[SweepPlan, Loaded]:
    """The sweep that was asked for, checked whole; what is only to be known goes to stderr."""
    fields, reading = assignments(options.assignments)
    grid = parse_grid(method, options.grid)
    for name in grid:
        if name in fields:
            raise FieldError("--set", found=name, allowed="this parameter is varied by --grid")
    plan, loaded, notes = prepare_sweep(
        method.slug,
        grid=grid,
        seeds=range(options.seed, options.seed + options.seeds),
        preset=options.preset,
        data=options.data,
        reading=reading,
        parameters=method.parameters.parse(fields),
        threads=options.threads,
        device=options.device,
    )
    for note in notes:
        print(note, file=sys.stderr)
    return plan, loaded


def refuse_other_contents(folder: SweepFolder) -> None:
    """A folder that holds something other than a sweep is left alone.

    Raises:
        FieldError: it does.
    """
    place = folder.folder
    if place.is_file():
        raise FieldError("--out", found=str(place), allowed="this is a file; name a folder")
    if place.is_dir() and not folder.exists and any(place.iterdir()):
        raise FieldError(
            "--out", found=str(place), allowed="this folder holds no sweep; name a new or empty one"
        )


def workers_for(method: Method, plan: SweepPlan, loaded: Loaded, options: argparse.Namespace) -> Workers:
    """A Dask cluster where its address was given, else as many processes as were asked for, or as fit."""
    if options.dask:
        from engine.core.sweeps.cluster import ClusterWorkers

        cluster = ClusterWorkers(options.dask, plan.id)
        for note in cluster.notes:
            print(note, file=sys.stderr)
        return cluster
    from engine.core.sweeps.local import LocalWorkers

    estimate = estimate_sweep(method, plan, loaded.value, options.workers)
    print(estimate_words(estimate), file=sys.stderr)
    return LocalWorkers(estimate.workers, plan.threads, estimate.bytes)


def estimate_words(estimate: SweepEstimate) -> str:
    """ "24 runs, 2 at once, about 3:20"."""
    parts = [
        f"{estimate.runs:,} run{'s' * (estimate.runs != 1)}",
        f"{estimate.workers:,} at once",
    ]
    if estimate.bytes > PROCESS_BYTES:
        parts.append(f"up to {estimate.bytes / 1e9:.1f} GB each")
    if estimate.wall_seconds is not None:
        parts.append(f"about {clock(estimate.wall_seconds)}")
    return ", ".join(parts)


def follow(runner: SweepRunner, line: SweepLine, retry_failed: bool) -> str:
    """Carry the sweep out; Ctrl-C ends the runs on their way and keeps what is done.

    Raises:
        StorageError, FieldError: as `SweepRunner.run`.
    """
    import signal

    before = signal.signal(signal.SIGINT, lambda *_: runner.stop())
    try:
        return runner.run(retry_failed, line.show)
    finally:
        signal.signal(signal.SIGINT, before)


def draw_figures(method: Method, runner: SweepRunner, formats: tuple[Format, ...]) -> None:
    """Every result against the parameters, in each format, under figures/."""
    from engine.core.sweeps.pictures import export_figures

    try:
        export_figures(method, runner.plan, runner.outcomes(), runner.folder.folder / "figures", formats)
    except (OSError, PapertabError) as error:
        print(f"papertab: figures: {error}", file=sys.stderr)


def clock(seconds: float) -> str:
    """0:42, 3:12, 1:04:30."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class SweepLine:
    """One line that follows the sweep on a terminal; on a pipe one line for each run that ended."""

    def __init__(self, stream: TextIO, method: Method, runner: SweepRunner) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._runner = runner
        self._titles = {spec.name: spec.title for spec in method.parameters.fields()}
        self._told: set[str] | None = None

    def show(self) -> None:
        """Where the sweep stands, and the runs that ended since."""
        progress = self._runner.progress()
        self._tell_ended()
        if self._live:
            left = f", about {clock(progress.left)} left" if progress.left is not None else ""
            failed = f", {progress.failed:,} failed" if progress.failed else ""
            text = f"{progress.finished:,} of {progress.total:,} runs{failed}, {progress.running:,} running"
            self._stream.write("\r" + f"{text}{left} · {clock(progress.seconds)}"[:WIDTH].ljust(WIDTH))
            self._stream.flush()

    def end(self) -> None:
        """How it ended."""
        self._tell_ended()
        progress = self._runner.progress()
        if progress.reason:
            self._print(f"papertab: {progress.reason}")
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        word = "Finished" if self._runner.status == "finished" else "Stopped"
        text = f"{word} in {progress.seconds:.1f} s: {progress.finished:,} of {progress.total:,} runs{failed}"
        self._print(f"{text}. Results in {self._runner.folder.folder / 'results.csv'}")

    def _tell_ended(self) -> None:
        outcomes = self._runner.outcomes()
        if self._told is None:
            # What was done before this command needs no line of its own.
            self._told = set(outcomes)
            if outcomes:
                self._print(f"{len(outcomes):,} of {len(self._runner.runs):,} runs were done before")
        for key, outcome in outcomes.items():
            if key in self._told:
                continue
            self._told.add(key)
            run = self._runner.runs[key]
            name = ", ".join(filter(None, [setting_words(run.values, self._titles), f"seed {run.seed}"]))
            if outcome.status == "failed":
                self._print(f"{name}: failed. {(outcome.error or {}).get('message', '')}")
            elif not self._live:
                self._print(f"{name}: {outcome.seconds or 0:.1f} s")

    def _print(self, text: str) -> None:
        lead = "\r" + " " * WIDTH + "\r" if self._live else ""
        self._stream.write(f"{lead}{text}\n")
        self._stream.flush()
