"""A script that repeats, without the window, the run on show, or the one the form would begin."""

from __future__ import annotations

from engine.core.events import Acted
from engine.core.records.reader import RunRecord
from engine.core.scripting import Deed, python_script
from gui.tab.experiment import Experiment


def script_of(experiment: Experiment) -> str | None:
    """The script; None while a field is wrong. What the person did during the run on show is in it."""
    job = experiment.job if experiment.record is None else None
    parameters = job.request.parameters if job is not None else experiment.parameters()
    if parameters is None:
        return None
    request = job.request if job is not None else None
    options = request.data.options if request is not None else experiment.data.options
    return python_script(
        experiment.method,
        parameters,
        source=request.source if request is not None else experiment.data.source,
        options=options,
        seed=request.seed if request is not None else experiment.seed,
        threads=request.threads if request is not None else experiment.threads,
        device=request.device if request is not None else experiment.device,
        deeds=_deeds(experiment),
    )


def _deeds(experiment: Experiment) -> list[Deed]:
    if experiment.record is not None:
        return _acted(experiment.record)
    if experiment.job is None:
        return []
    with RunRecord(experiment.job.writer.folder) as record:
        return _acted(record)


def _acted(record: RunRecord) -> list[Deed]:
    events = [event for _, _, event in record.steering()]
    return [(each.after, each.action, each.arguments) for each in events if isinstance(each, Acted)]
