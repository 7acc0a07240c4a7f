"""Several tables in one run, and the averages over them: the experiment of Laber & Batista, Table 1."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event, Message, Progress, Rows, Value
from engine.methods.linkage.data import Tables
from engine.methods.linkage.parameters import Parameters
from engine.methods.linkage.pictures import shown
from engine.methods.linkage.ratio_tables import GROUPED, group_shares
from engine.methods.linkage.session import Session

GROUPS = ("small", "medium", "large")
Shares = dict[tuple[str, str, str], float]


def run_tables(
    parameters: Parameters, data: Tables, context: Context, one: Any
) -> Generator[Event, Any, Session]:
    """Run `one` on every table; results are the means over tables. Returns the last table's session."""
    found: list[Shares] = []
    session: Session | None = None
    for place, (name, table) in enumerate(zip(data.names, data.tables, strict=True)):
        yield Message(f"Table {place + 1} of {len(data.names)}: {name}, {table.summary()}")
        work = one(parameters, table, context)
        while True:
            try:
                event = next(work)
            except StopIteration as end:
                session = end.value
                break
            if isinstance(event, Progress):
                yield _within(event, place, len(data.names), name)
            elif not isinstance(event, (Value, Rows)):
                # Numbers of one table would take the place of another's: the means are the results.
                yield event
        assert session is not None
        found.append(shares_of(session))
        yield Rows("companion", _rows(name, found[-1]))
        session.companion = means(found)
        yield from shown(session, "groups")
    assert session is not None
    for (group, criterion, linkage), (mean, spread) in spreads(found).items():
        yield Value(f"group_{criterion}.{group}.{linkage}", mean, spread, len(found))
    yield Value("rows", data.n)
    yield from _verdict(session)
    return session


def _within(event: Progress, place: int, tables: int, name: str) -> Progress:
    fraction = 0.0 if event.fraction is None else event.fraction
    return replace(event, fraction=(place + fraction) / tables, phase=f"{name}: {event.phase}")


def shares_of(session: Session) -> Shares:
    """(group, criterion, linkage) → mean of best/own over the group's k."""
    return {
        (group, criterion, name): share
        for group in GROUPS
        for criterion in GROUPED
        for name, share in group_shares(session, group, criterion).items()
        if np.isfinite(share)
    }


def spreads(found: list[Shares]) -> dict[tuple[str, str, str], tuple[float, float]]:
    """Mean over tables and half the range between them."""
    keys = [key for key in found[0] if all(key in shares for shares in found)]
    every = {key: [shares[key] for shares in found] for key in keys}
    return {key: (float(np.mean(v)), float(np.ptp(v)) / 2) for key, v in every.items()}


def means(found: list[Shares]) -> Shares:
    """Means over the tables so far."""
    return {key: mean for key, (mean, _) in spreads(found).items()}


def _rows(name: str, shares: Shares) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        "data": [name] * len(shares), "group": [], "criterion": [], "linkage": [], "share": [],
    }  # fmt: skip
    for (group, criterion, linkage), share in shares.items():
        for column, value in zip(
            ("group", "criterion", "linkage", "share"), (group, criterion, linkage, share), strict=True
        ):
            columns[column].append(value)
    return columns


def _verdict(session: Session) -> Generator[Event, None, None]:
    """Who has the smallest largest diameter in each group of k."""
    assert session.companion is not None
    words = []
    for group in GROUPS:
        shares = {n: s for (g, c, n), s in session.companion.items() if (g, c) == (group, "max_diam")}
        if shares:
            words.append(f"{group} k: {max(shares, key=lambda name: shares[name])}")
    yield Message(f"Smallest largest diameter, mean over tables: {'; '.join(words)}")
