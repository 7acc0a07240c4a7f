"""Pictures of the one board that is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.core.views import (
    Axis,
    Button,
    Column,
    Control,
    DendrogramState,
    HeatMapState,
    LinesState,
    PanelState,
    Series,
    Slider,
    TableState,
    Toggle,
)

from . import ordinal
from .agreement import average_linkage, pairwise_task_distances, task_ranks
from .analysis import Analysis
from .arguments import MOST_SLIDERS, MOST_TOGGLES
from .imputation import impute_nearest
from .ranking import rank_distance
from .session import slider_groups

LABELLED = 13
"""So many of the best models have a line of their own in the slope chart, as in the paper."""

MOVERS = 5
"""So many further models that move the most have one too."""

RISES, FALLS, STAYS = 2, 1, 0
MOST_TASKS_IN_A_TREE = 200
MOST_MODELS_WITH_NOTES = 70


def short(name: str, most: int = 26) -> str:
    """A model's name without its owner, cut to `most` characters."""
    name = name.rpartition("/")[2] or name
    return name if len(name) <= most else f"{name[: most - 1]}…"


def shortened(names: Sequence[str], most: int = 26) -> tuple[str, ...]:
    """Short names that still differ: where two would be alike, both show their ends, then their number."""
    cut = [short(name, most) for name in names]
    counts = Counter(cut)
    half = most // 2 - 1
    cut = [c if counts[c] == 1 else f"{n[:half]}…{n[-half:]}" for c, n in zip(cut, names, strict=True)]
    counts = Counter(cut)
    return tuple(c if counts[c] == 1 else f"{c} #{i + 1}" for i, c in enumerate(cut))


def slope(analysis: Analysis) -> LinesState:
    """Each ranked model's place before and after the change the person stands at, the first on top."""
    old, new = analysis.problem.ranks, analysis.ranks_now()
    m = old.size
    by_place = np.argsort(old, kind="stable")
    own = set(by_place[:LABELLED].tolist())
    moved = np.abs(new - old)
    own |= {int(i) for i in np.argsort(-moved, kind="stable")[:MOVERS] if moved[i] > 0}
    others = [i for i in by_place if i not in own]
    series = []
    if others:
        # one path to and fro, so that a hundred models are one curve; its turns lie on the plot's edges
        x = np.tile([0.0, 1.0, 1.0, 0.0], (len(others) + 1) // 2)[: 2 * len(others)]
        stretches = np.column_stack([old[others], new[others]])
        stretches[1::2] = stretches[1::2, ::-1]
        if len(others) % 2 == 0:
            # back along the last line, so that the name stands at the right
            x, stretches = np.append(x, [0.0, 1.0]), np.vstack([stretches, stretches[-1:, ::-1]])
        name = f"{len(others)} others"
        series.append(Series(name=name, x=x, y=stretches.ravel(), muted=True, marks=False))
    names = shortened(analysis.ranked)
    for i in (i for i in by_place if i in own):
        colour = RISES if new[i] < old[i] else FALLS if new[i] > old[i] else STAYS
        ends = np.array([old[i], new[i]])
        series.append(Series(name=names[i], x=np.array([0.0, 1.0]), y=ends, colour=colour))
    tau, mrc = rank_distance(new, old)
    what = "re-weighted" if analysis.is_cardinal else "with the chosen models"
    return LinesState(
        series=tuple(series),
        caption=f"{m:,} models, τ-distance {tau:.4f}, MRC {mrc:.4f}",
        x=Axis(names=("original", what)),
        y=Axis("rank", reversed=True),
    )


def weights(analysis: Analysis) -> PanelState:
    """A slider per task, or a switch per irrelevant model, and buttons to the worst change and back."""
    buttons: list[Control] = [
        Button(
            action="move",
            label=label,
            arguments={"to": to},
            enabled=to == "original" or any(analysis.best),
            reason="" if to == "original" or any(analysis.best) else "No solver has run on this board yet",
            group="Go to",
        )
        for label, to in (
            ("Worst τ", "worst τ-distance"),
            ("Worst MRC", "worst MRC"),
            ("Reset", "original"),
        )
    ]
    return _sliders(analysis, buttons) if analysis.is_cardinal else _switches(analysis, buttons)


def _sliders(analysis: Analysis, buttons: list[Control]) -> PanelState:
    groups = slider_groups(analysis)
    title = "Spread kept, α"
    sliders = [
        Slider(
            action="move",
            argument=f"task_{k}",
            label=_group_name(analysis, group),
            low=0.0,
            high=1.0,
            value=float(analysis.alpha[group[0]]),
            step=0.001,
            group=title,
        )
        for k, group in enumerate(groups[:MOST_SLIDERS])
    ]
    note = "1 keeps a task's full spread; equal tasks share a slider"
    if len(groups) > MOST_SLIDERS:
        note += f"; the first {MOST_SLIDERS} of {len(groups):,} are shown"
    return PanelState(controls=(*buttons, *sliders), notes=((title, note),), caption=analysis.board.title)


def _group_name(analysis: Analysis, group: NDArray[np.intp]) -> str:
    name = analysis.tasks[group[0]]
    return name if group.size == 1 else f"{name.rpartition('-')[0] or name} × {group.size}"


def _switches(analysis: Analysis, buttons: list[Control]) -> PanelState:
    problem = analysis.problem
    assert isinstance(problem, ordinal.OrdinalProblem)
    title = "Irrelevant models on the board"
    toggles = [
        Toggle(
            action="move",
            argument=f"model_{k}",
            label=analysis.board.models[row],
            value=bool(analysis.present[k]),
            group=title,
        )
        for k, row in enumerate(problem.irrelevant[:MOST_TOGGLES])
    ]
    note = f"{int(analysis.present.sum())} of {problem.irrelevant.size:,} are on the board"
    if problem.irrelevant.size > MOST_TOGGLES:
        note += f"; the first {MOST_TOGGLES} have a switch"
    return PanelState(controls=(*buttons, *toggles), notes=((title, note),), caption=analysis.board.title)


def ranks(analysis: Analysis) -> TableState:
    """Ranked models: place before and now, the range it can take, bootstrap interval."""
    old, new = analysis.problem.ranks, analysis.ranks_now()
    fall, rise = analysis.certificate.rank_change_bounds()
    halves = np.concatenate([old, new, old - rise, old + fall]) % 1
    digits = 1 if halves.any() else 0
    columns = [
        Column(name="model", title="Model", values=shortened(analysis.ranked, 20), kind="text"),
        Column(name="rank", title="Rank", values=old, digits=digits),
        Column(name="now", title="Now", values=new, digits=digits),
        Column(name="change", title="Gain", values=old - new, digits=digits, help="Places gained"),
        Column(
            name="possible",
            title="Possible",
            values=old,
            kind="interval",
            low=old - rise,
            high=old + fall,
            digits=digits,
            help="No irrelevant change takes the model out of this range: certified pair by pair",
        ),
        Column(
            name="passes",
            title="Passes",
            values=analysis.certificate.passes,
            kind="integer",
            help="Models above it that it can overtake",
        ),
        Column(
            name="passed_by",
            title="Passed by",
            values=analysis.certificate.passed_by,
            kind="integer",
            help="Models below it that can overtake it",
        ),
    ]
    if analysis.intervals is not None:
        low, high = analysis.intervals
        at = _rows(analysis)
        columns.append(
            Column(
                name="bootstrap",
                title="95% over tasks",
                values=(low[at] + high[at]) / 2,
                kind="interval",
                low=low[at],
                high=high[at],
                digits=0,
                help=f"Rank among all models by {analysis.parameters.rule}, tasks drawn with replacement",
            )
        )
    tau, mrc = rank_distance(new, old)
    return TableState(
        columns=tuple(columns),
        ids=tuple(int(i) for i in _rows(analysis)),
        caption=f"{analysis.board.title}, {old.size:,} models, τ-distance {tau:.4f}, MRC {mrc:.4f}",
    )


def _rows(analysis: Analysis) -> NDArray[np.intp]:
    """Rows of the board of the ranked models."""
    if isinstance(analysis.problem, ordinal.OrdinalProblem):
        return analysis.problem.relevant
    return np.arange(analysis.board.n)


def overtake(analysis: Analysis, picked: tuple[int, int] | None) -> HeatMapState:
    """For every two models: the row's lies always (1), possibly (0) or never (−1) above the column's."""
    certificate = analysis.certificate
    m = certificate.ranks.size
    values = np.where(certificate.can_lead, np.where(certificate.can_tie.T, 0.0, 1.0), -1.0)
    np.fill_diagonal(values, np.nan)
    outlined = np.zeros((m, m), dtype=bool)
    if picked is not None:
        outlined[picked] = True
    places = [f"{place:g}" for place in certificate.ranks]
    names = [short(name, 14) for name in analysis.ranked]
    return HeatMapState(
        values=values,
        rows=tuple(f"{place} {name}" for place, name in zip(places, names, strict=True)),
        columns=tuple(places),
        limits=(-1.0, 1.0),
        outlined=outlined,
        notes=_leads(analysis, names),
        caption=(
            f"{certificate.flippable_pairs:,} of {certificate.ordered_pairs:,} pairs can be turned over, "
            f"τ-distance ≤ {analysis.tau_bound:.4f}, MRC ≤ {certificate.mrc_bound:.4f}"
        ),
    )


def _leads(analysis: Analysis, names: list[str]) -> tuple[tuple[str, ...], ...]:
    """What hover says: over whom, and the row's largest lead under the change that is best for it."""
    if len(names) > MOST_MODELS_WITH_NOTES:
        return (tuple(f"over {name}" for name in names),) * len(names)
    unit = "σ" if analysis.is_cardinal and analysis.parameters.normalise else ""
    unit = unit or ("points" if analysis.is_cardinal else "win rates, summed")
    return tuple(
        tuple(f"over {name} by {lead:.3g} {unit} at most" for name, lead in zip(names, row, strict=True))
        for row in analysis.certificate.reach.tolist()
    )


def agreement(analysis: Analysis) -> tuple[HeatMapState, DendrogramState | None]:
    """Kendall's τ between the rankings of every two tasks, ordered by the tree of tasks; and the tree."""
    table = impute_nearest(analysis.board.scores, analysis.parameters.neighbours)
    distance, _ = pairwise_task_distances(task_ranks(table))
    n = len(distance)
    names = analysis.board.tasks
    order, tree = np.arange(n), None
    if 2 < n <= MOST_TASKS_IN_A_TREE:
        merges = average_linkage(distance)
        order = _leaf_order(merges, n)
        tree = DendrogramState(
            merges=merges, leaves=n, order=order, names=names, caption=f"{n:,} tasks, average linkage"
        )
    values = 1.0 - 2.0 * distance[np.ix_(order, order)]
    ordered = tuple(names[t] for t in order)
    mean = values[np.triu_indices(n, 1)].mean()
    heat = HeatMapState(
        values=values,
        rows=ordered,
        columns=ordered,
        limits=(-1.0, 1.0),
        caption=(
            f"{n:,} tasks, mean τ {mean:.3f}, 1 − W {analysis.diversity.one_minus_w:.4f}, "
            f"mean MRC {analysis.diversity.mean_mrc:.4f}"
        ),
    )
    return heat, tree


def _leaf_order(merges: NDArray[np.float64], leaves: int) -> NDArray[np.int64]:
    """Leaves from left to right: each merge puts its second child's leaves after its first's."""
    members = [[leaf] for leaf in range(leaves)]
    for left, right in merges[:, :2].astype(int):
        members.append(members[left] + members[right])
    return np.array(members[-1], dtype=np.int64)


def scores(analysis: Analysis) -> TableState:
    """The score table, best model first; each cell can be edited, an empty one is a missing score."""
    board = analysis.board
    columns = [Column(name="model", title="Model", values=shortened(board.models), kind="text")]
    finite = board.scores[np.isfinite(board.scores)]
    digits = 3 if finite.size and np.abs(finite).max() <= 2 else 2
    for task, name in enumerate(board.tasks):
        flipped = bool(board.flipped[task])
        columns.append(
            Column(
                name=name,
                title=f"{name}, negated" if flipped else name,
                values=board.scores[:, task],
                digits=digits,
                best="high",
                editable=True,
                help="Lower is better in the source: scores are negated" if flipped else "Higher is better",
            )
        )
    gaps = f", {board.missing:,} missing" if board.missing else ""
    return TableState(
        columns=tuple(columns),
        ids=tuple(range(board.n)),
        caption=f"{board.title}, {board.n:,} models × {len(board.tasks):,} tasks{gaps}",
    )
