"""A run: play all algorithms side by side, solve exact minima, draw regret on intervals, write files."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Append, Event, Message, Progress, Rows, Value
from engine.methods.adaptive_regret.change_points import change_points
from engine.methods.adaptive_regret.data import Stream
from engine.methods.adaptive_regret.files import write_files
from engine.methods.adaptive_regret.parameters import LABELS, Parameters
from engine.methods.adaptive_regret.pictures import LIVE, shown
from engine.methods.adaptive_regret.playing import (
    Ticker,
    note_repeat,
    play_repeat,
    play_session,
    play_sweep,
    solve_map,
    solve_windows,
)
from engine.methods.adaptive_regret.portfolios import best_stock, buy_and_hold, log_peaks, wealth
from engine.methods.adaptive_regret.session import Session, open_session

_PICTURE_SECONDS = 0.3
_MANY_MARKERS = 20
"""More than one marker in so many rounds: C is small for the noise."""


def run(parameters: Parameters, data: Stream, context: Context) -> Generator[Event, Any, Session]:
    """Compare the algorithms on the stream; returns the session that actions go on working on."""
    session = _session(parameters, data, context)
    context.keep(session)
    for note in session.instance.notes:
        yield Message(note)
    yield from _constants(session)
    session.playing = True
    yield from shown(session, "stream", "regret", "interval", "wealth")
    parts = _Parts(session)
    yield from _play(session, parts)
    session.playing = False
    yield from shown(session, "regret")
    yield from _windows(session, parts)
    yield from _map(session, parts)
    yield from _repeats(session, context, parts)
    yield from _sweep(session, context, parts)
    session.finished = True
    yield from _portfolio_values(session)
    yield from _results(session)
    yield from shown(
        session, "stream", "regret", "adaptivity", "map", "small_loss", "lifelines", "types", "experts",
        "changes", "results", "interval", "wealth", "noise",
    )  # fmt: skip
    for artifact in write_files(session, context):
        yield artifact if artifact is not None else Progress(0.99, "Writing the files")
    yield Progress(1.0, "Finished")
    return session


class _Parts:
    """Where each stage begins and ends in the whole run."""

    def __init__(self, session: Session) -> None:
        p = session.parameters
        further = p.repeats - 1 if session.instance.synthetic is not None else 0
        weights = {"play": 5.0, "windows": 2.0, "map": 2.0, "repeats": 7.0 * further, "sweep": 6.0 * p.sweep}
        total = sum(weights.values())
        self._from: dict[str, tuple[float, float]] = {}
        begun = 0.0
        for name, weight in weights.items():
            self._from[name] = (begun / total, weight / total)
            begun += weight

    def at(self, stage: str, share: float) -> float:
        """The fraction of the whole run when `share` of the stage is done."""
        start, length = self._from[stage]
        return 0.99 * (start + length * min(share, 1.0))


def _session(parameters: Parameters, data: Stream, context: Context) -> Session:
    """A new session; switches and bursts the person edited before the run are taken over."""
    before = context.prepared
    synthetic = before.instance.synthetic if isinstance(before, Session) else None
    session = open_session(parameters, data, context, synthetic)
    if isinstance(before, Session):
        session.span, session.burst_size = before.span, before.burst_size
        session.settings = replace(session.settings, threshold=before.settings.threshold)
        for learner in session.learners.values():
            learner.change_threshold(before.settings.threshold)
        if session.span is not None and session.span[1] > session.problem.rounds:
            session.span = None
    return session


def _constants(session: Session) -> Iterator[Event]:
    """Say which constants hold, and label the run by how they were chosen."""
    p, problem = session.parameters, session.problem
    how = "theory: β = ½ min(1/(4GD), α)" if p.constants == "theory" else "tight: β = α"
    yield Message(
        f"Constants ({how}): D = {problem.diameter:.4g}, G = {problem.gradient_limit():.4g}, "
        f"α = {session.settings.alpha or problem.alpha():.4g}, "
        f"loss counted as one = {problem.loss_limit():.4g}, C = {session.settings.threshold:.4g}."
    )
    left = [LABELS[n] for n in p.algorithms if n not in session.learners]
    if left:
        yield Message(f"Left out, defined on the simplex alone: {', '.join(left)}.", "warning")
    yield Value("constant.D", problem.diameter)
    yield Value("constant.G", problem.gradient_limit())
    yield Value("constant.alpha", session.settings.alpha or problem.alpha())
    yield Value("constant.C", session.settings.threshold)


def _play(session: Session, parts: _Parts) -> Iterator[Event]:
    rounds, pictures = session.problem.rounds, Ticker(_PICTURE_SECONDS)
    warned: set[str] = set()
    for played, name in play_session(session):
        title = LABELS.get(name, "")
        yield Progress(parts.at("play", played / rounds), f"Playing {title}".strip(), played, rounds, "round")
        if name:
            continue
        for each in session.names:
            yield Append("regret", LABELS[each], float(played), session.curves[session.against][each][-1])
        yield from _marker_warning(session, warned)
        if pictures.due():
            for _ in solve_windows(session.windows, played):
                yield Progress(parts.at("play", played / rounds), "Solving windows", played, rounds, "round")
            yield from shown(session, *LIVE, "wealth")


def _marker_warning(session: Session, warned: set[str]) -> Iterator[Event]:
    """Markers so dense that the newest expert never gets anywhere: say so once, with a larger C."""
    for name in ("flhs", "usia", "psacs"):
        learner = session.learners.get(name)
        if learner is None or name in warned or learner.rounds_played < 200:
            continue
        count = len(learner.markers())
        if count > learner.rounds_played / _MANY_MARKERS:
            warned.add(name)
            better = session.settings.threshold * 4
            yield Message(
                f"{LABELS[name]} set {count:,} markers in {learner.rounds_played:,} rounds: C = "
                f"{session.settings.threshold:.3g} is small for this noise. Try C = {better:.3g}.",
                "warning",
            )


def _windows(session: Session, parts: _Parts) -> Iterator[Event]:
    windows, pictures = session.windows, Ticker(_PICTURE_SECONDS)
    for solved in solve_windows(windows, session.problem.rounds):
        yield Progress(
            parts.at("windows", solved / windows.count), "Solving windows", solved, windows.count, "window"
        )
        if pictures.due():
            yield from shown(session, "adaptivity")
    session.best_whole = session.comparator.best(0, session.problem.rounds)
    note_repeat(session, session.learners, windows, session.best_whole.value)
    yield from shown(session, "adaptivity", "small_loss", "results")


def _map(session: Session, parts: _Parts) -> Iterator[Event]:
    pictures = Ticker(_PICTURE_SECONDS)
    for share in solve_map(session):
        yield Progress(parts.at("map", share), "Solving the intervals of the map")
        if pictures.due():
            yield from shown(session, "map")
    if session.grid is not None and session.span is None:
        yield from _worst_interval(session)
    yield from shown(session, "map", "interval", "regret")


def _worst_interval(session: Session) -> Iterator[Event]:
    """Begin with the interval that is worst for the chosen algorithm."""
    assert session.grid is not None
    values = session.grid.regrets(session.learners[session.map_choice].losses)
    if np.isfinite(values).any():
        i, j = np.unravel_index(int(np.nanargmax(values)), values.shape)
        first = int(session.grid.first[i, j])
        session.span = (first, first + int(session.grid.lengths[i]))
    yield Progress(None, "Choosing an interval")


def _repeats(session: Session, context: Context, parts: _Parts) -> Iterator[Event]:
    count = session.parameters.repeats
    if session.instance.synthetic is None:
        if count > 1:
            yield Message("A real stream is played once: repeats are for streams that are drawn.")
        return
    for k in range(1, count):
        for share in play_repeat(session, context.stream(f"stream {k + 1}")):
            done = (k - 1 + share) / (count - 1)
            yield Progress(parts.at("repeats", done), f"Stream {k + 1} of {count}", k + 1, count, "stream")
        yield from shown(session, "adaptivity")


def _sweep(session: Session, context: Context, parts: _Parts) -> Iterator[Event]:
    if not session.parameters.sweep:
        return
    if session.problem.simplex:
        yield Message("The noise sweep is for the ball: left out.")
        return
    pictures = Ticker(_PICTURE_SECONDS)
    for share in play_sweep(session, context.stream("sweep")):
        yield Progress(parts.at("sweep", share), "Noise sweep on stationary streams")
        if pictures.due():
            yield from shown(session, "noise")
    for name, found in session.sweep.items():
        easy, hard = np.mean(found[min(found)]), np.mean(found[max(found)])
        yield Value(f"small_loss_ratio.{name}", float(hard / easy) if easy > 0 else float("inf"))


def _portfolio_values(session: Session) -> Iterator[Event]:
    relatives = session.instance.relatives
    if relatives is None or session.best_whole is None:
        return
    for name in session.names:
        yield Value(f"wealth.{name}", float(wealth(session.learners[name].losses, relatives)[-1]))
    yield Value("wealth.buy_and_hold", float(buy_and_hold(relatives)[-1]))
    yield Value("wealth.best_stock", float(best_stock(relatives)[1][-1]))
    yield Value(
        "wealth.best_rebalanced", float(np.exp(log_peaks(relatives).sum() - session.best_whole.value))
    )


def _results(session: Session) -> Iterator[Event]:
    """Named results and tables, with the spread over streams where there are several."""
    assert session.best_whole is not None
    yield Value("small_loss", session.best_whole.value)
    for name in session.names:
        totals = session.totals[name]
        several = len(totals) > 1
        for key, place in (("loss", 0), ("static_regret", 1)):
            values = [total[place] for total in totals]
            yield Value(f"{key}.{name}", float(np.mean(values)), *_spread(values, several))
        for tau, values in session.repeats[name].items():
            yield Value(f"sa.{name}.{tau}", float(np.mean(values)), *_spread(values, several))
        if session.problem.switches:
            yield Value(f"stage_regret.{name}", session.curves["stages"][name][-1])
        learner = session.learners[name]
        yield Value(f"markers.{name}", len(learner.markers()))
        yield Value(f"seconds.{name}", session.seconds.get(name, 0.0))
        yield Progress(0.985, "Collecting the results")
    yield from _tables(session)


def _spread(values: list[float], several: bool) -> tuple[float | None, int | None]:
    from engine.methods.adaptive_regret.regret_pictures import _half_width

    return (_half_width(values), len(values)) if several else (None, None)


def _tables(session: Session) -> Iterator[Event]:
    rows = [
        (name, tau, float(np.mean(v)), float(np.std(v, ddof=1)) if len(v) > 1 else float("nan"), len(v))
        for name in session.names
        for tau, v in session.repeats[name].items()
    ]
    names = ("algorithm", "tau", "sa", "deviation", "streams")
    yield Rows("adaptivity", dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    totals = session.totals
    yield Rows(
        "summary",
        {
            "algorithm": session.names,
            "loss": [float(np.mean([t[0] for t in totals[n]])) for n in session.names],
            "static_regret": [float(np.mean([t[1] for t in totals[n]])) for n in session.names],
            "markers": [len(session.learners[n].markers()) for n in session.names],
            "streams": [len(totals[n]) for n in session.names],
        },
    )
    found = [
        (n, e.onset + 1, e.detected + 1, e.sign, e.evidence)
        for n in session.with_markers()
        for e in change_points(session.learners[n], session.parameters.evidence)
        if e.sign == "loss"
    ]
    keys = ("algorithm", "onset", "detected", "sign", "evidence")
    columns = list(map(list, zip(*found, strict=True))) if found else [[] for _ in keys]
    yield Rows("changes", dict(zip(keys, columns, strict=True)))
    if session.life_choice:
        mine = [f for f in found if f[0] == session.life_choice]
        yield Value("changes_found", len(mine))
