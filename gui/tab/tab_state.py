"""What the session keeps of a tab, and how it is put back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.data import ReadOptions
from engine.core.errors import PapertabError
from gui.tab.arrangement import Arrangement

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab

REREAD_AT_START = 50_000_000
"""Bytes: a larger file of the last session is read again only when the person asks."""


def tab_state(tab: MethodTab) -> dict[str, Any]:
    """Preset, values, data, layout: JSON data."""
    experiment = tab.experiment
    parameters = experiment.parameters()
    return {
        "preset": experiment.values.preset,
        "own": experiment.values.own,
        "values": parameters.as_record() if parameters else {},
        "seed": experiment.seed,
        "threads": experiment.threads,
        "device": experiment.device,
        "source": experiment.data.source,
        "file": experiment.data.file,
        "options": experiment.data.options.changed(),
        "arrangement": tab.views.arrangement.as_record(),
        "sections": {title: section.is_open() for title, section in tab.form.sections.items()},
    }


def restore_tab(tab: MethodTab, state: dict[str, Any]) -> None:
    """Put back what the session kept; what no longer fits is left at its default."""
    experiment = tab.experiment
    experiment.values.take_own(_mapping(state.get("own")))
    tab.form.offer_presets()
    if state.get("preset") in experiment.values.presets():
        experiment.values.choose(state["preset"])
    _restore_data(tab, state)
    experiment.take_values(_mapping(state.get("values")))
    experiment.set_settings(
        seed=_whole(state.get("seed"), 0),
        threads=_whole(state.get("threads"), experiment.threads),
        device=str(state.get("device", "auto")),
    )
    names = [view.name for view in tab.method.views]
    arrangement = Arrangement.of_record(_mapping(state.get("arrangement")), names)
    if arrangement is not None:
        tab.views.set_arrangement(arrangement)
    for title, opened in _mapping(state.get("sections")).items():
        if title in tab.form.sections:
            tab.form.sections[title].set_open(bool(opened))


def _restore_data(tab: MethodTab, state: dict[str, Any]) -> None:
    data = tab.experiment.data
    source = str(state.get("source", data.source))
    file = str(state.get("file", ""))
    data.file = file if _small_file(file) else ""
    if source in {each.name for each in tab.method.sets}:
        data.source = source
    elif _small_file(source):
        data.source = data.file = source
        try:
            data.options = ReadOptions().with_settings(_mapping(state.get("options")))
        except PapertabError:
            data.options = ReadOptions()


def _small_file(source: str) -> bool:
    path = Path(source)
    return bool(source) and path.is_file() and path.stat().st_size <= REREAD_AT_START


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _whole(value: Any, default: int) -> int:
    return value if isinstance(value, int) and value >= 0 else default
