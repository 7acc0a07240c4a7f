"""Which settings differ, key by key; parameters, data and environment apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.core.comparison.sides import RunFacts, Side
from engine.core.encoding import number
from engine.core.method import Method
from engine.core.sweeps.grid import shown
from engine.core.views import Column, Table, TableState

Group = Literal["parameters", "data", "environment"]
GROUPS: tuple[Group, ...] = ("parameters", "data", "environment")
ALWAYS_DIFFERENT = frozenset({"seconds", "peak_mb", "created"})
"""Parts of the environment that differ between any two runs: measured, not set."""


@dataclass(frozen=True)
class SettingLine:
    """One key: its value on every side, in words; `differs` if they are not all the same."""

    group: Group
    key: str
    title: str
    values: tuple[str, ...]
    differs: bool


def setting_lines(
    sides: Sequence[Side], method: Method | None = None, ignored: Collection[str] = ()
) -> list[SettingLine]:
    """Every key of every side, in the order of the form; `ignored` keys are left out.

    Nested settings appear key by key ("options.separator"). Where runs of one side have several values
    (seeds, versions), all are named.
    """
    titles = {spec.name: spec.title for spec in method.parameters.fields()} if method else {}
    labels = _labels(method)
    lines = []
    for group in GROUPS:
        flat = [[_flat(_settings(run, group)) for run in side.runs] for side in sides]
        for key in dict.fromkeys(key for side in flat for run in side for key in run):
            if key in ignored:
                continue
            held = [_distinct(run.get(key) for run in side) for side in flat]
            differs = len({repr(values) for values in held}) > 1
            words = tuple(", ".join(_words(key, value, labels) for value in values) for values in held)
            title = titles.get(key, key) if group == "parameters" else _title(key)
            lines.append(SettingLine(group, key, title, words, differs))
    return lines


def only_differences(lines: Iterable[SettingLine]) -> list[SettingLine]:
    """The lines that differ, without what differs always."""
    return [line for line in lines if line.differs and line.key not in ALWAYS_DIFFERENT]


def settings_table(lines: Sequence[SettingLine], sides: Sequence[Side]) -> tuple[Table, TableState]:
    """Settings as a table: one row a key, one column a side."""
    columns = [
        Column(name="setting", title="Setting", values=tuple(line.title for line in lines), kind="text"),
        *(
            Column(
                name=side.letter,
                title=side.letter,
                values=tuple(line.values[place] for line in lines),
                kind="text",
            )
            for place, side in enumerate(sides)
        ),
        Column(name="group", title="Group", values=tuple(line.group for line in lines), kind="text"),
    ]
    view = Table("settings", title="Differences", empty="Settings that differ appear here")
    return view, TableState(columns=tuple(columns), ids=tuple(line.key for line in lines))


def _settings(run: RunFacts, group: Group) -> Mapping[str, Any]:
    if group == "parameters":
        return {**run.parameters, "seed": run.seed}
    return run.data if group == "data" else run.environment


def _flat(settings: Mapping[str, Any], head: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{head}{key}."))
        else:
            flat[f"{head}{key}"] = value
    return flat


def _distinct(values: Iterable[Any]) -> list[Any]:
    """Each value once, equal ones known by their form in a record: 1 and 1.0 are the same number."""
    found: list[Any] = []
    for value in values:
        if not any(value == known and isinstance(value, bool) == isinstance(known, bool) for known in found):
            found.append(value)
    return found


def _labels(method: Method | None) -> dict[str, Mapping[str, str]]:
    return {spec.name: spec.labels for spec in method.parameters.fields()} if method else {}


def _words(key: str, value: Any, labels: Mapping[str, Mapping[str, str]]) -> str:
    value = number(value)
    known = labels.get(key, {})
    if isinstance(value, (list, tuple)):
        return ", ".join(known.get(str(item), shown(item)) for item in value) or "none"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return known.get(str(value), shown(value)) if value != "" else "empty"


def _title(key: str) -> str:
    return key.replace("_", " ").replace("options.", "").removeprefix("versions.")
