"""What the run bar says: the phase of a run, what it counted, how it ended, what a run will take."""

from __future__ import annotations

from engine.core.events import Progress
from engine.core.running.job import Job
from engine.core.running.status import Status
from gui.tab.computing import threads_in_words
from gui.tab.experiment import Experiment
from gui.tab.times import bytes_in_words, clock

BADGED = ("finished", "stopped", "failed", "interrupted")


def phase(job: Job, progress: Progress | None, waiting: list[Job], slow_stop: bool) -> str:
    """What the run is doing, in words."""
    if job.wish == "stop":
        return "Stopping after this step" if slow_stop else "Stopping"
    if job.status is Status.QUEUED:
        place = waiting.index(job) + 1 if job in waiting else 1
        return f"Queued, place {place}"
    if job.status is Status.PAUSED:
        return f"Paused. {job.reason}" if job.reason else "Paused"
    if job.wish == "pause":
        return "Pausing after this step"
    return progress.phase if progress else "Starting"


def counted(progress: Progress | None) -> str:
    """ "merge 3,037 of 3,375"."""
    if progress is None or progress.done is None:
        return ""
    of = f" of {progress.total:,}" if progress.total else ""
    return f"{progress.counted} {progress.done:,}{of}".strip()


def ended_badge(experiment: Experiment) -> tuple[str, str]:
    """Word and state of the badge of a run that ended; empty where there is none."""
    record, job = experiment.record, experiment.job
    status = record.status if record is not None else job.status.value if job is not None else ""
    return (status.capitalize(), status) if status in BADGED else ("", "neutral")


def idle_line(experiment: Experiment) -> str:
    """What stands over the Run button while nothing is computed."""
    if experiment.record is not None:
        return _record_line(experiment)
    blocked = experiment.blocked()
    if blocked:
        return blocked
    if experiment.job is not None:
        return _job_line(experiment.job)
    return estimate_line(experiment)


def idle_sign(experiment: Experiment) -> tuple[str, str]:
    """The icon before the line, and its colour."""
    return ("warning-circle-fill", "danger") if experiment.errors() else ("timer", "text_secondary")


def estimate_line(experiment: Experiment) -> str:
    """ "about 0:02 · 80 MB of memory · CPU, 2 threads · seed 0"."""
    estimate, parts = experiment.estimate, []
    if estimate is not None and estimate.seconds is not None:
        parts.append(f"about {_rough(estimate.seconds)}")
    if estimate is not None and estimate.bytes is not None:
        parts.append(bytes_in_words(estimate.bytes))
    device = {"auto": "", "cpu": "CPU, "}.get(experiment.device, f"{experiment.device.upper()}, ")
    parts.append(f"{device}{threads_in_words(experiment.threads)}")
    parts.append(f"seed {experiment.seed}")
    return " · ".join(parts)


def _rough(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 60 else clock(seconds)


def _job_line(job: Job) -> str:
    if job.failure is not None:
        return job.failure.message
    peak = f" · peak {bytes_in_words(job.peak_bytes)}" if job.peak_bytes else ""
    return f"in {clock(job.clock.elapsed, tenths=True)} · seed {job.request.seed}{peak}"


def _record_line(experiment: Experiment) -> str:
    record = experiment.record
    assert record is not None
    if record.error:
        return str(record.error.get("message", ""))
    spent = f"in {clock(record.seconds, tenths=True)} · " if record.seconds else ""
    peak = f" · peak {record.peak_mb:,.0f} MB" if record.peak_mb else ""
    return f"{spent}seed {record.header.seed}{peak}"
