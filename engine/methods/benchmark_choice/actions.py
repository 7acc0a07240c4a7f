"""What a person does: turn weights, add models, ask for a witness, edit scores, open another board."""

from __future__ import annotations

import csv
import json
from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.errors import FieldError, RunError
from engine.core.events import Artifact, Event, Message, Show
from engine.core.parameters import MethodParameters

from . import board_views, cardinal, ordinal, rule_views, study_views
from .analysis import Analysis
from .arguments import EditScore, Flip, Metric, Open, Pair
from .run import board_pictures
from .session import Session, change_as_text, change_from_text, edit, search_again, slider_groups

Deed = Generator[Event, Any, Mapping[str, Any] | None]


def move(session: Session, arguments: MethodParameters, context: Context) -> Deed:
    """A slider, a switch or a button: stand at another change. Undone by the change before."""
    analysis = session.current
    before = change_as_text(analysis.change())
    values = arguments.model_dump()
    if values["change"]:
        analysis.stand_at(_change(values["change"], analysis))
    elif values["to"]:
        analysis.stand_at(_destination(values["to"], analysis))
    else:
        _turn(analysis, values)
    session.picked = None
    yield from _standing(session)
    return {"change": before}


def _destination(to: str, analysis: Analysis) -> np.ndarray:
    if to == "original":
        return analysis.original()
    outcome = analysis.best[0 if to == "worst τ-distance" else 1]
    if outcome is None:
        raise RunError(f"{analysis.board.title}: no solver has run on this board yet.")
    return outcome.change


def _turn(analysis: Analysis, values: Mapping[str, Any]) -> None:
    """Set single sliders or switches."""
    if analysis.is_cardinal:
        groups, alpha = slider_groups(analysis), analysis.alpha.copy()
        for k, group in enumerate(groups):
            value = values.get(f"task_{k}")
            if value is not None:
                alpha[group] = value
        if not alpha.max() > 0:
            raise FieldError("task_0", found=0, allowed="at least one task keeps some of its spread")
        analysis.alpha = alpha
        return
    present = analysis.present.copy()
    for k in range(present.size):
        value = values.get(f"model_{k}")
        if value is not None:
            present[k] = value
    analysis.present = present


def _change(text: str, analysis: Analysis) -> np.ndarray:
    try:
        return change_from_text(text, analysis)
    except ValueError as error:
        raise FieldError("change", found=text[:40], allowed=str(error)) from error


def _standing(session: Session) -> Generator[Event, Any, None]:
    analysis = session.current
    yield Show("weights", board_views.weights(analysis))
    yield Show("slope", board_views.slope(analysis))
    yield Show("ranks", board_views.ranks(analysis))


def show_witness(session: Session, arguments: Pair, context: Context) -> Deed:
    """The change under which the row's model lies above the column's, if there is one."""
    analysis = session.current
    before = change_as_text(analysis.change())
    if arguments.change:
        analysis.stand_at(_change(arguments.change, analysis))
        session.picked = None
    else:
        names = analysis.ranked
        for field, place in (("row", arguments.row), ("column", arguments.column)):
            if not 0 <= place < len(names):
                raise FieldError(field, found=place, allowed=f"a number from 0 to {len(names) - 1}")
        above, below = names[arguments.row], names[arguments.column]
        change = analysis.witness(arguments.row, arguments.column)
        if change is None:
            if arguments.row != arguments.column:
                yield Message(f"No irrelevant change lets {above} lie above {below}: certified")
            return None
        analysis.stand_at(change)
        session.picked = (arguments.row, arguments.column)
        yield Message(_witness_words(analysis, above, below, change))
    yield Show("overtake", board_views.overtake(analysis, session.picked))
    yield from _standing(session)
    return {"change": before}


def _witness_words(analysis: Analysis, above: str, below: str, change: np.ndarray) -> str:
    if analysis.is_cardinal:
        kept = int((change > 0.5 * change.max()).sum())
        return f"{above} lies above {below} with {kept} of {change.size} tasks at more than half spread"
    if change.size == 0:
        return f"{above} lies above {below} with the relevant models alone"
    names = ", ".join(analysis.board.models[i] for i in change[:5])
    more = f" and {change.size - 5} more" if change.size > 5 else ""
    return f"{above} lies above {below} once {change.size} join, the fewest that do it: {names}{more}"


def open_board(session: Session, arguments: Open, context: Context) -> Deed:
    """Look at another board of the trade-off."""
    names = list(session.analyses)
    if arguments.id >= len(names):
        raise FieldError("id", found=arguments.id, allowed=f"a number from 0 to {len(names) - 1}")
    session.focus = names[arguments.id]
    session.picked = session.flip = None
    yield from board_pictures(session)
    yield Show("tradeoff", study_views.tradeoff(session))
    return None


def choose_metric(session: Session, arguments: Metric, context: Context) -> Deed:
    """Show the other rank distance in the trade-off, the sweep and the null."""
    session.metric = arguments.metric
    yield Show("tradeoff", study_views.tradeoff(session))
    if session.sweeps:
        yield Show("sweep", study_views.sweep(session))
    if session.null is not None:
        yield Show("null", study_views.null(session))
    return None


def edit_score(session: Session, arguments: EditScore, context: Context) -> Deed:
    """Put another score into the table; diversity, certificate and ranks follow. Undone by the old one."""
    board = session.current.board
    if arguments.column not in board.tasks or arguments.id >= board.n:
        raise FieldError("column", found=arguments.column, allowed="a task and a model of the board")
    if arguments.value is None and session.current.is_cardinal:
        raise RunError(
            f"{board.title} is ranked by mean score, which needs a full table: the score stays. "
            "Ranked by mean win rate, it may be left out."
        )
    value = float("nan") if arguments.value is None else arguments.value
    try:
        before = edit(session, arguments.id, board.tasks.index(arguments.column), value)
    except ValueError as error:
        raise FieldError("value", found=arguments.value, allowed=str(error)) from error
    # what is certain at once, then the short search, then what takes longer to draw
    pictures = board_pictures(session)
    for picture in pictures:
        yield picture
        if picture.view == "scores":
            break
    if search_again(session):
        yield Show("weights", board_views.weights(session.current))
    yield Show("tradeoff", study_views.tradeoff(session))
    yield from pictures
    return {
        "id": arguments.id,
        "column": arguments.column,
        "value": None if np.isnan(before) else before,
    }


def show_flip(session: Session, arguments: Flip, context: Context) -> Deed:
    """Show the tasks as voters on the three models of a flip."""
    session.flip = arguments.id
    picture = rule_views.votes(session)
    if picture is not None:
        yield Show("votes", picture)
    return None


def export_change(session: Session, arguments: MethodParameters, context: Context) -> Deed:
    """Weights or model set as JSON, and the re-weighted table or the table of the models present as CSV."""
    analysis = session.current
    folder = context.scratch
    folder.mkdir(parents=True, exist_ok=True)
    tau, mrc = analysis.change_now()
    facts: dict[str, Any] = {"board": analysis.board.title, "tau_distance": tau, "mrc": mrc}
    problem, board = analysis.problem, analysis.board
    if isinstance(problem, cardinal.CardinalProblem):
        facts["alpha"] = dict(zip(analysis.tasks, analysis.alpha.tolist(), strict=True))
        header, rows = list(analysis.tasks), cardinal.shrunken_table(problem.scores, analysis.alpha)
        models = list(board.models)
    else:
        assert isinstance(problem, ordinal.OrdinalProblem)
        added = problem.irrelevant[analysis.present]
        facts["relevant"] = [board.models[i] for i in problem.relevant]
        facts["added"] = [board.models[i] for i in added]
        here = np.concatenate([problem.relevant, added])
        header, rows = list(board.tasks), board.scores[here]
        models = [board.models[i] for i in here]
    change = folder / "change.json"
    change.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    yield Artifact("change.json", change, "The change the ranks stand at")
    table = folder / "changed_table.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["model", *header])
        for name, row in zip(models, rows.tolist(), strict=True):
            writer.writerow([name, *("" if cell != cell else repr(cell) for cell in row)])
    yield Artifact("changed_table.csv", table, "The score table under that change")
    return None
