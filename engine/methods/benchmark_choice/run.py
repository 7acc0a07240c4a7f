"""The run: the main board first, then the boards beside it, then what stands beside the result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.context import Context
from engine.core.errors import RunError
from engine.core.events import Append, Event, Message, Progress, Rows, Show, Value

from . import board_views, rule_views, study, study_views
from .analysis import Analysis, search_problem, settle, solve_by_search, solve_published, take_proof
from .analysis import analyse as analyse_board
from .boards import Board
from .exact import is_small
from .parameters import COMPANIONS, Parameters
from .proof import prove
from .session import Session, with_edits

SHOW_EVERY = 4
"""Task-set curves are shown after so many pieces of work."""


@dataclass
class Stages:
    """Counted pieces of the run: the bar is the share of pieces done."""

    total: int
    done: int = 0

    def at(self, phase: str, done: int | None = None, total: int | None = None, unit: str = "") -> Progress:
        """Where the run stands, within a piece where that is counted."""
        part = done / total if done is not None and total else 0.0
        return Progress(min(1.0, (self.done + part) / self.total), phase, done, total, unit)

    def finish(self) -> None:
        """One more piece is done."""
        self.done += 1


def run(parameters: Parameters, data: Board, context: Context) -> Generator[Event, Any, Session]:
    """Analyse the board, then its companions. Results are yielded as soon as they are known.

    Raises RunError when the board cannot be analysed.
    """
    edits = context.prepared.edits if context.prepared is not None else {}
    try:
        analysis = analyse_board(settle(with_edits(data, edits), parameters), parameters)
    except ValueError as error:
        raise RunError(f"{data.title}: {error}.") from error
    session = Session(parameters, {data.name: analysis}, data.name, edits=dict(edits))
    context.keep(session)
    companions = [name for name in COMPANIONS[parameters.companions] if name != data.name]
    stages = Stages(2 + len(companions) + 4)
    yield stages.at("Certifying pairs")
    yield from board_pictures(session)
    yield from known_at_once(analysis)
    if parameters.solver in ("both", "published"):
        yield from _published(session, stages)
    stages.finish()
    if parameters.solver in ("both", "vertex"):
        yield from _search(session, stages, context.stream(f"search {data.name} 0"))
    stages.finish()
    if parameters.prove and is_small(analysis.certificate):
        yield from _proof(session, stages, context)
    yield from found_numbers(session, analysis)
    yield Show("tradeoff", study_views.tradeoff(session))
    for name in companions:
        yield from _companion(session, name, stages, context)
    yield from _tradeoff_numbers(session)
    yield from _beside(session, stages, context)
    yield from _tables(session)
    yield Progress(1.0, "Done")
    return session


def board_pictures(session: Session) -> Iterator[Show]:
    """All views of the board that is looked at."""
    analysis = session.current
    yield Show("overtake", board_views.overtake(analysis, session.picked))
    yield Show("weights", board_views.weights(analysis))
    yield Show("slope", board_views.slope(analysis))
    yield Show("ranks", board_views.ranks(analysis))
    heat, tree = board_views.agreement(analysis)
    yield Show("agreement", heat)
    if tree is not None:
        yield Show("tree", tree)
    yield Show("scores", board_views.scores(analysis))
    yield Show("flips", rule_views.flips(session))
    votes = rule_views.votes(session)
    if votes is not None:
        yield Show("votes", votes)
    yield Show("rules", rule_views.rules(analysis))


def known_at_once(analysis: Analysis) -> Iterator[Event]:
    """Diversity and certificates of the main board."""
    name = analysis.board.name
    diverse, certificate = analysis.diversity, analysis.certificate
    yield Value(f"one_minus_w.{name}", diverse.one_minus_w)
    yield Value(f"one_minus_w_corrected.{name}", analysis.one_minus_w_corrected)
    yield Value(f"mean_mrc.{name}", diverse.mean_mrc)
    yield Value(f"max_mrc.{name}", diverse.max_mrc)
    yield Value(f"flippable_pairs.{name}", certificate.flippable_pairs)
    yield Value(f"ordered_pairs.{name}", certificate.ordered_pairs)
    yield Value(f"tau_bound.{name}", certificate.tau_bound)
    yield Value(f"mrc_bound.{name}", certificate.mrc_bound)
    if diverse.one_minus_w != analysis.one_minus_w_corrected and analysis.parameters.w_mode == "published":
        yield Message(
            f"{analysis.board.title}: 1 − W is {diverse.one_minus_w:.7f} as published (half ranks cut) and "
            f"{analysis.one_minus_w_corrected:.7f} corrected for ties"
        )
    if len(analysis.tasks) < len(analysis.board.tasks):
        left = sorted(set(analysis.board.tasks) - set(analysis.tasks))
        yield Message(f"Left out, for they score all models alike: {', '.join(left)}", "warning")


def _published(session: Session, stages: Stages) -> Iterator[Event]:
    analysis = session.main
    yield Show("loss", study_views.loss_start(analysis))
    before: dict[str, int] = {}
    for variant, step, values in solve_published(analysis):
        start = before.get(variant, 0)
        yield Append("loss", variant, np.arange(start, step, dtype=np.float64), np.maximum(values, 1e-9))
        before[variant] = step
        yield stages.at(f"Published solver, {variant}", step, session.parameters.steps, "step")
    published = analysis.published
    assert published is not None
    yield Value(f"published_tau.{analysis.board.name}", published.tau)
    yield Value(f"published_mrc.{analysis.board.name}", published.mrc)
    if analysis is session.current:
        yield Show("weights", board_views.weights(analysis))


def _search(session: Session, stages: Stages, rng: np.random.Generator) -> Iterator[Event]:
    analysis = session.main
    yield Show("search", study_views.search_start(analysis))
    last: tuple[float, ...] = ()
    for state in solve_by_search(analysis, rng):
        now = (float(state.restart), state.by_tau.tau, state.by_mrc.mrc)
        if now != last:
            yield Append("search", "τ-distance", now[0], now[1])
            yield Append("search", "MRC", now[0], now[2])
            last = now
        yield stages.at("Corner and line search", state.restart, state.restarts, "restart")


def _proof(session: Session, stages: Stages, context: Context) -> Generator[Event, Any, None]:
    """The optimum by integer programming, in a process of its own."""
    analysis = session.main
    ranking, _, _ = search_problem(analysis)
    context.scratch.mkdir(parents=True, exist_ok=True)
    proof = prove(ranking, analysis.certificate, nodes=session.parameters.nodes, folder=context.scratch)
    try:
        while True:
            try:
                seconds = next(proof)
            except StopIteration as ended:
                take_proof(analysis, ranking, ended.value)
                break
            yield stages.at(f"Proving the optimum, {seconds:.0f} s")
    finally:
        proof.close()
    exact = analysis.exact
    assert exact is not None
    word = "is the largest there is" if exact.optimal else f"is at least {exact.found.tau:.4f}"
    yield Message(f"{analysis.board.title}: the τ-distance {exact.found.tau:.6f} {word}")


def found_numbers(session: Session, analysis: Analysis) -> Iterator[Event]:
    """What the solvers found on a board, and the pictures that show it."""
    name = analysis.board.name
    tau, mrc = analysis.best
    if tau is None or mrc is None:
        return
    yield Value(f"found_tau.{name}", tau.tau)
    yield Value(f"found_mrc.{name}", mrc.mrc)
    yield Value(f"tau_optimal.{name}", "yes" if analysis.tau_is_optimal else "not proved")
    yield Value(f"mrc_optimal.{name}", "yes" if analysis.mrc_is_optimal else "not proved")
    if np.array_equal(analysis.change(), analysis.original()):
        analysis.stand_at(tau.change)
    if analysis is session.current:
        yield Show("weights", board_views.weights(analysis))
        yield Show("slope", board_views.slope(analysis))
        yield Show("ranks", board_views.ranks(analysis))


def _companion(session: Session, name: str, stages: Stages, context: Context) -> Iterator[Event]:
    for words in study.companion(session, name, context.stream):
        yield stages.at(f"Board beside: {words}")
    stages.finish()
    analysis = session.analyses[name]
    numbers, spreads = study.summary(analysis), session.spreads.get(name)
    for key in RESULT_KEYS:
        if key not in numbers:
            continue
        if spreads is None:
            yield Value(f"{key}.{name}", numbers[key])
        else:
            yield Value(f"{key}.{name}", spreads.values[key], spreads.spread[key], spreads.seeds)
    yield Show("tradeoff", study_views.tradeoff(session))


RESULT_KEYS = (
    "one_minus_w",
    "mean_mrc",
    "published_tau",
    "published_mrc",
    "found_tau",
    "found_mrc",
    "tau_bound",
    "mrc_bound",
)


def _tradeoff_numbers(session: Session) -> Iterator[Event]:
    """Correlation and slope over the boards, for both distances."""
    chosen = session.metric
    for metric, key in (("τ-distance", "tau"), ("MRC", "mrc")):
        session.metric = metric
        line = study_views.fit(session)
        if line is not None and len(session.analyses) >= 3 and np.isfinite(line.correlation):
            yield Value(f"correlation_{key}", line.correlation)
            yield Value(f"slope_{key}", line.slope)
    session.metric = chosen


def _beside(session: Session, stages: Stages, context: Context) -> Iterator[Event]:
    """Sweep, null, intervals and task sets of the main board."""
    main, draws = session.main, session.parameters.draws
    if session.parameters.sweep:
        seen = 0
        for done in study.sweep(session, context.stream):
            if done != seen:
                yield Show("sweep", study_views.sweep(session))
                seen = done
            yield stages.at("Sweeping", done, len(study.EPSILONS), "point")
    stages.finish()
    for done in study.null(session, context.stream("null")):
        yield stages.at("Random changes", done, draws, "draw")
    yield Show("null", study_views.null(session))
    stages.finish()
    for done in study.intervals(session, context.stream("bootstrap")):
        yield stages.at("Bootstrap over tasks", done, draws, "draw")
    if main is session.current:
        yield Show("ranks", board_views.ranks(main))
    stages.finish()
    if not main.board.missing and len(main.board.tasks) > 2 and main.is_cardinal:
        yield from _subsets(session, stages, context.stream("subsets"))
    stages.finish()


def _subsets(session: Session, stages: Stages, rng: np.random.Generator) -> Iterator[Event]:
    main = session.main
    for count, curves in enumerate(study.subset_curves(session, rng)):
        if count % SHOW_EVERY == 0:
            yield Show("subsets", study_views.subsets(curves, main))
        done = len(curves.greedy)
        yield stages.at("Task sets", done, curves.sizes.size, "size")
    yield Show("subsets", study_views.subsets(curves, main))
    sets = [(s, "greedy") for s in curves.greedy] + [(s, "exact") for s in curves.exact if s is not None]
    yield Rows(
        "subsets",
        {
            "size": [len(s.tasks) for s, _ in sets],
            "method": [word for _, word in sets],
            "tau": [s.tau for s, _ in sets],
            "mrc": [s.mrc for s, _ in sets],
            "tasks": ["; ".join(main.board.tasks[t] for t in s.tasks) for s, _ in sets],
        },
    )


def _tables(session: Session) -> Iterator[Event]:
    """Boards, ranks and rules as a paper prints them."""
    rows = [(a, study.summary(a)) for a in session.analyses.values()]
    nan = float("nan")
    columns: dict[str, list[Any]] = {
        "board": [a.board.title for a, _ in rows],
        "kind": [a.board.kind for a, _ in rows],
        "models": [a.board.n for a, _ in rows],
        "tasks": [len(a.board.tasks) for a, _ in rows],
    }
    columns |= {key: [numbers.get(key, nan) for _, numbers in rows] for key in RESULT_KEYS}
    columns["tau_optimal"] = ["yes" if a.tau_is_optimal else "not proved" for a, _ in rows]
    columns["mrc_optimal"] = ["yes" if a.mrc_is_optimal else "not proved" for a, _ in rows]
    yield Rows("boards", columns)
    yield from rank_rows(session.main)
    rules = rule_views.rule_distances(session.main)
    yield Rows(
        "rules",
        {
            "rule": list(rules),
            "tau": [row[0] for row in rules.values()],
            "mrc": [row[1] for row in rules.values()],
            "first": [row[2] for row in rules.values()],
        },
    )


def rank_rows(analysis: Analysis) -> Iterator[Event]:
    """Before and after the worst change by τ-distance."""
    tau, _ = analysis.best
    if tau is None:
        return
    stood: Callable[[], Any] = analysis.change
    before = stood()
    analysis.stand_at(tau.change)
    after = analysis.ranks_now()
    analysis.stand_at(before)
    fall, rise = analysis.certificate.rank_change_bounds()
    old = analysis.problem.ranks
    yield Rows(
        "ranks",
        {
            "model": list(analysis.ranked),
            "rank": old.tolist(),
            "worst": after.tolist(),
            "best_possible": (old - rise).tolist(),
            "worst_possible": (old + fall).tolist(),
        },
    )
    if analysis.is_cardinal:
        yield Rows("weights", {"task": list(analysis.tasks), "alpha": tau.change.tolist()})
    else:
        yield Rows("members", {"model": [analysis.board.models[i] for i in tau.change]})
