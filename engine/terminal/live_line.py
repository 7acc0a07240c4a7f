"""One line on stderr that follows a run."""

from __future__ import annotations

from typing import TextIO

from engine.core.events import Progress
from engine.core.running.job import Job

WIDTH = 100


class LiveLine:
    """Rewrites itself on a terminal; on a pipe it writes one line per phase."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._phase = ""
        self._progress: Progress | None = None

    def show(self, job: Job) -> None:
        """The run's latest progress and the log lines since."""
        changes = job.feed.drain()
        if changes is None:
            return
        for message in changes.messages:
            self._print(message.text)
        if changes.progress is not None:
            self._progress = changes.progress
            self._write(self._progress, job.clock.elapsed)

    def end(self, job: Job) -> None:
        """What remains to be said, and how it ended."""
        self.show(job)
        self._print(f"{job.status.value.capitalize()} in {job.clock.elapsed:.1f} s")

    def _write(self, progress: Progress, seconds: float) -> None:
        if not self._live:
            if progress.phase != self._phase:
                self._phase = progress.phase
                self._stream.write(f"{progress.phase}\n")
                self._stream.flush()
            return
        share = f"{progress.fraction:4.0%} " if progress.fraction is not None else ""
        counted = f" {progress.counted} {progress.done:,}" if progress.done is not None else ""
        of = f" of {progress.total:,}" if progress.done is not None and progress.total else ""
        text = f"{share}{progress.phase}{counted}{of} · {seconds:.0f} s"
        self._stream.write("\r" + text[:WIDTH].ljust(WIDTH))
        self._stream.flush()

    def _print(self, text: str) -> None:
        lead = "\r" + " " * WIDTH + "\r" if self._live else ""
        self._stream.write(f"{lead}{text}\n")
        self._stream.flush()
