"""What a person may do: choose what is looked at, edit the stream, set markers, change C, open an expert."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.events import Event, Message
from engine.methods.adaptive_regret.arguments import Block, Burst, CellAt, Choose, Line, Number, Span
from engine.methods.adaptive_regret.covers import NEVER
from engine.methods.adaptive_regret.expert_pictures import KIND_TITLES, life_at
from engine.methods.adaptive_regret.learners import Design, Learner, expected_seconds
from engine.methods.adaptive_regret.metas import HEDGE
from engine.methods.adaptive_regret.parameters import LABELS
from engine.methods.adaptive_regret.pictures import shown
from engine.methods.adaptive_regret.problems import Problem
from engine.methods.adaptive_regret.regret_pictures import AGAINST
from engine.methods.adaptive_regret.session import Opened, Session, burst_of, make_learners
from engine.methods.adaptive_regret.streams import SwitchingStream

Answer = Iterator[Event]
Edit = Generator[Event, Any, dict[str, Any] | None]
_REPLAY_SECONDS = 0.035
_REPLAY_MARKS = 60


def choose_map(session: Session, arguments: Choose, context: Context) -> Answer:
    """Show the regret map of another algorithm."""
    name = _named(arguments.value)
    if name in session.learners:
        session.map_choice = name
        yield from shown(session, "map")


def choose_life(session: Session, arguments: Choose, context: Context) -> Answer:
    """Show the lifelines of another algorithm."""
    name = _named(arguments.value)
    if name in session.with_markers():
        session.life_choice = name
        yield from shown(session, "lifelines", "changes", "regret")


def choose_types(session: Session, arguments: Choose, context: Context) -> Answer:
    """Show the kinds of expert of another algorithm."""
    name = _named(arguments.value)
    if name in session.with_types():
        session.types_choice = name
        yield from shown(session, "types")


def choose_against(session: Session, arguments: Choose, context: Context) -> Answer:
    """Measure regret against another comparator."""
    session.against = "stages" if arguments.value == AGAINST["stages"] else "fixed"
    yield from shown(session, "regret", "results")


def select_interval(session: Session, arguments: Span, context: Context) -> Answer:
    """Compare the algorithms on a dragged stretch of rounds."""
    first = int(np.clip(round(min(arguments.low, arguments.high)) - 1, 0, session.problem.rounds - 1))
    last = int(np.clip(round(max(arguments.low, arguments.high)), first + 1, session.problem.rounds))
    session.span = (first, last)
    yield from shown(session, "regret", "interval")


def pick_cell(session: Session, arguments: CellAt, context: Context) -> Answer:
    """Compare the algorithms on the interval of a cell of the map."""
    grid = session.grid
    if grid is None or arguments.row >= len(grid.lengths) or arguments.column >= len(grid.starts):
        return
    # The longest intervals are drawn in the top row.
    row = len(grid.lengths) - 1 - arguments.row
    first = int(grid.first[row, arguments.column])
    if first >= 0:
        session.span = (first, first + int(grid.lengths[row]))
        yield from shown(session, "regret", "interval")


def pick_block(session: Session, arguments: Block, context: Context) -> Answer:
    """Of a block of cells take the interval that is worst for the algorithm shown."""
    grid = session.grid
    if grid is None:
        return
    values = grid.regrets(session.learners[session.map_choice].losses)[::-1]
    part = values[
        arguments.row_low : arguments.row_high + 1, arguments.column_low : arguments.column_high + 1
    ]
    if part.size == 0 or not np.isfinite(part).any():
        return
    i, j = np.unravel_index(int(np.nanargmax(part)), part.shape)
    row, column = int(i) + arguments.row_low, int(j) + arguments.column_low
    yield from pick_cell(session, CellAt(row=row, column=column), context)


def open_expert(session: Session, arguments: CellAt, context: Context) -> Answer:
    """Replay the experts of a bar of the lifelines alone, from birth to end."""
    name = session.life_choice
    learner = session.learners.get(name)
    if learner is None or not learner.rounds_played:
        return
    found = life_at(learner, arguments.row, arguments.column * learner.record.width)
    if found is None:
        return
    born, last = found
    kind, constant = learner.plan.bundle[learner.plan.auxiliary]
    alone = _part(session.problem, born, last + 1)
    single = Learner("expert", alone, session.settings, plan=Design(((kind, constant),), NEVER, HEDGE))
    single.play(alone.rounds)
    title = f"{KIND_TITLES[kind][0]}, lives {1 << arguments.row:,} markers"
    session.opened = Opened(
        name, title, born, last, single.losses.copy(), learner.record.loss[born : last + 1].copy()
    )
    yield from shown(session, "expert")


def _part(problem: Problem, first: int, last: int) -> Problem:
    """Rounds first … last − 1 with the constants of the whole."""
    return replace(
        problem,
        features=problem.features[first:last],
        targets=problem.targets[first:last],
        gradient_bound=problem.gradient_limit(),
        loss_bound=problem.loss_limit(),
    )


def move_switch(session: Session, arguments: Line, context: Context) -> Edit:
    """Move a change of the stream; of a run under way only the future can be changed."""
    synthetic = session.instance.synthetic
    index = _index_of(arguments.name)
    if synthetic is None or not 0 <= index < len(synthetic.switches):
        return None
    before = synthetic.switches[index]
    at = round(arguments.value)
    if session.playing:
        if before <= session.played:
            yield Message(f"Round {before:,} has been played: what is past stays.", "warning")
            yield from shown(session, "stream")
            return None
        at = max(at, session.played + 1)
    changed = synthetic.with_switch(index, at)
    yield from _edited(session, changed, min(before, changed.switches[index]))
    return {"name": arguments.name, "value": float(before)}


def edit_burst(session: Session, arguments: Burst, context: Context) -> Edit:
    """Put a burst of noise into the stream, or take it out."""
    synthetic = session.instance.synthetic
    if synthetic is None:
        return None
    size = arguments.size or session.burst_size
    burst = burst_of(arguments.low, arguments.high, size, synthetic.rounds)
    if session.playing and burst.first <= session.played:
        if burst.last <= session.played + 1:
            yield Message("Those rounds have been played: what is past stays.", "warning")
            return None
        burst = replace(burst, first=session.played + 1)
    bursts = [each for each in synthetic.bursts if each != burst]
    if not arguments.remove:
        bursts.append(burst)
    yield from _edited(session, synthetic.with_bursts(bursts), burst.first)
    return {"low": burst.first, "high": burst.last, "size": size, "remove": not arguments.remove}


def clear_bursts(session: Session, arguments: Any, context: Context) -> Answer:
    """Take out every burst that is not yet played."""
    synthetic = session.instance.synthetic
    if synthetic is None or not synthetic.bursts:
        return
    past = session.played if session.playing else 0
    kept = [each for each in synthetic.bursts if each.first < past]
    first = min((each.first for each in synthetic.bursts if each.first >= past), default=synthetic.rounds)
    yield from _edited(session, synthetic.with_bursts(kept), first)


def set_burst_size(session: Session, arguments: Number, context: Context) -> Answer:
    """Size of the next burst."""
    session.burst_size = float(np.clip(arguments.value, 0.01, 10.0))
    yield from shown(session, "stream")


def force_marker(session: Session, arguments: Any, context: Context) -> Answer:
    """Set a marker before the next round of every algorithm that sets them by loss or round."""
    for learner in session.learners.values():
        learner.force_marker()
    if session.playing:
        yield Message(f"A marker stands before round {session.played + 1:,}.")
    yield from shown(session, "regret")


def change_threshold(session: Session, arguments: Number, context: Context) -> Edit:
    """Another C from the next round on."""
    before = session.settings.threshold
    after = float(max(arguments.value, 1e-9))
    session.settings = replace(session.settings, threshold=after)
    for learner in session.learners.values():
        learner.change_threshold(after)
    if session.finished:
        yield from _replay(session)
    yield from shown(session, "regret")
    return {"value": before}


def change_cost(session: Session, arguments: Number, context: Context) -> Answer:
    """Show wealth after another trading cost, in basis points."""
    session.shown_cost = float(np.clip(arguments.value, 0.0, 1000.0)) / 1e4
    yield from shown(session, "wealth")


def _edited(session: Session, changed: SwitchingStream, first: int) -> Answer:
    """Take over an edited stream: the future of a run under way, or all of a finished one by a replay."""
    session.replace_stream(changed, first)
    yield from shown(session, "stream")
    if session.finished:
        yield from _replay(session)
        yield from shown(session, "regret", "lifelines", "types", "experts")
    elif not session.playing:
        yield from shown(session, "regret")


def _replay(session: Session) -> Answer:
    """Play the edited stream again with as many algorithms as answer at once, the paper's first.

    The others keep what the run found and leave the regret curves until the next run.
    """
    fresh = make_learners(session.names, session.problem, session.settings)
    cost = {name: expected_seconds(learner.plan, session.problem) for name, learner in fresh.items()}
    left, done = _REPLAY_SECONDS, []
    for name in sorted(fresh, key=lambda name: (name != "flhs", cost[name])):
        if cost[name] > left:
            continue
        left -= cost[name]
        learner = fresh[name]
        learner.play(session.problem.rounds)
        session.learners[name] = learner
        done.append(name)
    if not done:
        yield Message("This stream is too long to replay at once: set C in the form and run.", "warning")
        return
    step = max(1, len(session.checkpoints) // _REPLAY_MARKS)
    marks = np.array(session.checkpoints[::-1][::step][::-1])
    session.curve_x = marks.tolist()
    least = [session.least_losses(t) for t in session.curve_x]
    for name in done:
        total = np.cumsum(session.learners[name].losses)
        for against, curves in session.curves.items():
            curves[name] = [
                float(total[t - 1] - each[against]) for t, each in zip(session.curve_x, least, strict=True)
            ]
    session.replayed = tuple(done)
    if session.grid is not None:
        session.grid = replace(session.grid, minima=np.full_like(session.grid.minima, np.nan))
    session.span = None
    yield from shown(session, "map", "interval")


def _named(label: str) -> str:
    return next((name for name, text in LABELS.items() if text == label), "")


def _index_of(level: str) -> int:
    """ "change 2", or "2" alone, is switch 1."""
    number = level.removeprefix("change ").strip()
    return int(number) - 1 if number.isdecimal() else -1
