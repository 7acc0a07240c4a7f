"""Tables of several sides in one: rows that belong together, numbers with their differences."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.core.comparison.sides import Side
from engine.core.intervals import Mean, mean_of
from engine.core.method import ResultTable
from engine.core.views import Column, Table, TableState, ViewState

Keys = list[tuple[Any, ...]]
NUMERIC = ("number", "integer", "spread", "interval", "bar")


def joined_states(shown: Sequence[tuple[Side, Sequence[ViewState]]]) -> TableState | None:
    """One table of all sides. Rows belong together by their text columns, where those tell them apart, else
    by their ids, else by their number; None where the columns are not the same."""
    tables = [(side, [s for s in states if isinstance(s, TableState)]) for side, states in shown]
    first = tables[0][1][0]
    names = [(column.name, column.kind) for column in first.columns]
    if any([(c.name, c.kind) for c in s.columns] != names for _, states in tables for s in states):
        return None
    keyed = [column for column in first.columns if column.kind not in NUMERIC]
    by_text = [[_keys(state, [c.name for c in keyed]) for state in states] for _, states in tables]
    keys = by_text if all(_unique(each) for group in by_text for each in group) else _ids(tables)
    order = list(dict.fromkeys(key for group in keys for each in group for key in each))
    columns = [_key_column(column, order, keys, tables) for column in keyed]
    for column in first.columns:
        if column.kind in NUMERIC:
            columns += _side_by_side(column, order, keys, tables)
    return TableState(columns=tuple(columns), ids=tuple(range(len(order))), note=first.note)


def joined_results(
    declared: ResultTable, tables: Sequence[tuple[Side, Sequence[Mapping[str, list[Any]]]]]
) -> tuple[Table, TableState]:
    """A declared result table of several sides, as `joined_states`; whole numbers and texts that are the same
    everywhere tell rows apart."""
    shown = [(side, [_state_of(columns) for columns in each if columns]) for side, each in tables]
    kept = [(side, states) for side, states in shown if states]
    title = declared.name[:1].upper() + declared.name[1:].replace("_", " ")
    view = Table(f"table.{declared.name}", title=title, help=declared.meaning, empty="Rows appear here")
    if not kept:
        return view, TableState(caption="no side has rows")
    state = joined_states(kept)
    if state is None:
        state = dataclasses.replace(
            kept[0][1][0], note="The sides have different columns: the first is shown."
        )
    return view, dataclasses.replace(state, caption=", ".join(side.letter for side, _ in kept))


def _state_of(columns: Mapping[str, list[Any]]) -> TableState:
    made = []
    for place, (name, values) in enumerate(columns.items()):
        numbers = bool(values) and all(
            isinstance(v, (int, float)) and not isinstance(v, bool) for v in values
        )
        whole = numbers and all(isinstance(v, int) for v in values)
        # A first column of whole numbers counts the rows: it is a key, not a quantity.
        if numbers and not (whole and place == 0):
            array = np.array(values, float)
            made.append(Column(name=name, title=name, values=array, digits=_digits(array)))
        else:
            made.append(Column(name=name, title=name, values=tuple(str(v) for v in values), kind="text"))
    return TableState(columns=tuple(made))


def _digits(values: np.ndarray) -> int:
    """Decimals that show four significant digits of the typical value."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    if not sizes.size:
        return 0
    return int(np.clip(3 - math.floor(math.log10(float(np.median(sizes)))), 0, 8))


def _keys(state: TableState, names: Sequence[str]) -> Keys:
    chosen = [column.values for column in state.columns if column.name in names]
    return [tuple(str(v) for v in row) for row in zip(*chosen, strict=True)] if chosen else []


def _unique(keys: Keys) -> bool:
    return bool(keys) and len(set(keys)) == len(keys)


def _ids(tables: Sequence[tuple[Side, Sequence[TableState]]]) -> list[list[Keys]]:
    found = []
    for _, states in tables:
        group: list[Keys] = []
        for state in states:
            count = len(state.columns[0].values) if state.columns else 0
            usable = len(state.ids) == count and len(set(map(repr, state.ids))) == count
            group.append([(item,) for item in (state.ids if usable else range(count))])
        found.append(group)
    return found


def _key_column(
    column: Column,
    order: Keys,
    keys: Sequence[Sequence[Keys]],
    tables: Sequence[tuple[Side, Sequence[TableState]]],
) -> Column:
    """A text column once: each row's text from the first side that has the row."""
    texts: dict[tuple[Any, ...], str] = {}
    for (_, states), group in zip(tables, keys, strict=True):
        for state, own in zip(states, group, strict=True):
            values = _column(state, column.name).values
            for key, value in zip(own, values, strict=True):
                texts.setdefault(key, str(value))
    return dataclasses.replace(column, values=tuple(texts[key] for key in order), kind="text", editable=False)


def _side_by_side(
    column: Column,
    order: Keys,
    keys: Sequence[Sequence[Keys]],
    tables: Sequence[tuple[Side, Sequence[TableState]]],
) -> list[Column]:
    made: list[Column] = []
    means: list[list[Mean]] = []
    for (side, states), group in zip(tables, keys, strict=True):
        held: dict[tuple[Any, ...], list[float]] = {}
        own: dict[tuple[Any, ...], float] = {}
        for state, names in zip(states, group, strict=True):
            there = _column(state, column.name)
            for row, key in enumerate(names):
                held.setdefault(key, []).append(float(there.values[row]))
                if there.kind == "spread" and there.high is not None:
                    own[key] = float(there.high[row])
        several = len(states) > 1
        found = [
            mean_of(held.get(key, ()))
            if several
            else Mean(held[key][0] if key in held else math.nan, own.get(key, math.nan), 1)
            for key in order
        ]
        means.append(found)
        spread = any(math.isfinite(mean.half) for mean in found)
        made.append(
            Column(
                name=f"{column.name} {side.letter}",
                title=f"{column.title} {side.letter}",
                values=np.array([mean.mean for mean in found]),
                high=np.array([mean.half for mean in found]) if spread else None,
                kind="spread" if spread else "number",
                unit=column.unit,
                digits=column.digits if column.kind != "integer" or several else 0,
                help=column.help,
            )
        )
    first = tables[0][0].letter
    for (side, _), found in zip(tables[1:], means[1:], strict=True):
        made.append(
            Column(
                name=f"{column.name} {side.letter}-{first}",
                title=f"{column.title} {side.letter} − {first}",
                values=np.array([b.mean - a.mean for a, b in zip(means[0], found, strict=True)]),
                unit=column.unit,
                digits=made[0].digits,
            )
        )
    return made


def _column(state: TableState, name: str) -> Column:
    return next(column for column in state.columns if column.name == name)
