"""Pictures of curves and points: the memory map, detector curves, the budget, the thresholds' panel."""

from __future__ import annotations

import numpy as np

from engine.core.views import (
    Control,
    Group,
    Level,
    LinesState,
    PanelState,
    Reference,
    ScatterState,
    Segments,
    Series,
    Slider,
    Switch,
)
from engine.core.views.lines import LineStyle
from engine.methods.concept_memory.detection import DetectorScores, found_curve, precision_recall, roc
from engine.methods.concept_memory.image_pictures import percent
from engine.methods.concept_memory.scoring import budget_curve
from engine.methods.concept_memory.session import BY_HAND, HARMED, REPAIRED, WRONG, Session
from engine.methods.concept_memory.table_pictures import DETECTOR_COLOURS, detector_rows, detector_verdict

MEMORY_GROUP = 4
STYLES: dict[str, LineStyle] = {
    "softmax": "dashed",
    "combined": "dash-dot",
    "ucp": "dotted",
}
"""Lines of the detectors that are not solid, so that a grey print tells them apart."""
GROUPS = (
    Group(name="repaired", colour=2),
    Group(name="still wrong", colour=1),
    Group(name="made wrong", colour=3),
    Group(name="corrected by hand", colour=0),
    Group(name="memory", colour=7),
)
MOST_LINKS = 400


def memory_map(session: Session) -> ScatterState:
    """Test images and memory entries on the plane of the first two principal components."""
    study, now = session.known, session.now
    assert session.plane is not None
    assert session.plane_of_pool is not None
    count = len(session.plane)
    group = np.select(
        [now.state == REPAIRED, now.state == WRONG, now.state == HARMED, now.state == BY_HAND],
        [0, 1, 2, 3],
        -1,
    )
    at_pool = {place: row for row, place in enumerate(study.pool.places.tolist())}
    pool = [
        entry for entry in study.memory.entries if entry.source in at_pool and session.row(entry.source) < 0
    ]
    rows = [at_pool[entry.source] for entry in pool]
    points = np.concatenate([session.plane, session.plane_of_pool[rows].reshape(-1, 2)])
    taught = [session.row(entry.source) for entry in study.memory.entries if session.row(entry.source) >= 0]
    stars = np.array([*range(count, count + len(rows)), *taught], np.int64)
    names = [session.data.name_of(place) for place in study.test.places.tolist()]
    names += [f"entry {entry.number}, {entry.name}" for entry in pool]
    covered, links = _links(session, points[:count])
    caption = f"{count:,} test images, {len(study.memory):,} entries"
    if covered >= 0:
        caption = f"the entry covers {covered} test images"
    return ScatterState(
        x=points[:, 0].copy(),
        y=points[:, 1].copy(),
        ids=np.concatenate([study.test.places, np.array([entry.source for entry in pool], np.int64)]),
        group=np.concatenate([group, np.full(len(rows), MEMORY_GROUP)]),
        groups=GROUPS,
        names=tuple(names),
        stars=stars,
        segments=links,
        caption=caption,
    )


def _links(session: Session, plane: np.ndarray) -> tuple[int, tuple[Segments, ...]]:
    """From the selected entry to the test images it corrects; a circle would lie about the full space."""
    study, entry = session.known, session.entry_from(session.selected)
    if entry is None:
        return -1, ()
    at = [one.number for one in study.memory.entries].index(entry.number)
    rows = np.flatnonzero(session.now.applied.entry == at)
    row = session.row(entry.source)
    if row >= 0:
        start = plane[row]
    else:
        found = np.flatnonzero(study.pool.places == entry.source)
        if not len(found) or session.plane_of_pool is None:
            return len(rows), ()
        start = session.plane_of_pool[found[0]]
    ends = plane[rows[:MOST_LINKS]]
    x = np.column_stack([np.full(len(ends), start[0]), ends[:, 0]])
    y = np.column_stack([np.full(len(ends), start[1]), ends[:, 1]])
    return len(rows), (Segments(name="corrects", x=x, y=y, colour=7),) if len(ends) else ()


def roc_curves(session: Session) -> LinesState:
    """Mistakes found against right answers flagged, for every detector, with the point of t_d."""
    study = session.known
    right = ~study.wrong(study.test)
    if right.all() or not right.any():
        return LinesState(caption="undefined: no mistake, or no right answer, in the test set")
    rows = {row.name: row for row in detector_rows(session)}
    series = []
    for one, colour in zip(study.detectors(), DETECTOR_COLOURS, strict=False):
        x, y = roc(one.scores, right)
        series.append(_detector_line(one, x, y, colour))
    flags = session.now.flags
    point = (float(flags[right].mean()), float(flags[~right].mean()))
    series.append(Series(name="t_d", x=np.array([point[0]]), y=np.array([point[1]]), colour=7, marks=True))
    diagonal = np.array([0.0, 1.0])
    areas = (rows["memory"].auroc, rows["softmax"].auroc)
    return LinesState(
        series=tuple(series),
        references=(Reference(name="chance", x=diagonal, y=diagonal, kind="chance"),),
        caption=f"memory {areas[0]:.3f}, softmax {areas[1]:.3f}" if None not in areas else "undefined",
    )


def _detector_line(one: DetectorScores, x: np.ndarray, y: np.ndarray, colour: int) -> Series:
    style = STYLES.get(one.name, "solid")
    return Series(
        name=one.title, x=x, y=y, colour=colour, style=style, marks=False, muted=one.name == "random"
    )


def precision_curves(session: Session) -> LinesState:
    """Precision against recall of finding mistakes."""
    study = session.known
    right = ~study.wrong(study.test)
    if right.all():
        return LinesState(caption="undefined: no mistake in the test set")
    series = []
    for one, colour in zip(study.detectors(), DETECTOR_COLOURS, strict=False):
        x, y = precision_recall(one.scores, right)
        series.append(_detector_line(one, x, y, colour))
    share = float((~right).mean())
    return LinesState(
        series=tuple(series),
        levels=(Level(name="share of mistakes", value=share, kind="chance"),),
        caption=f"{int((~right).sum())} mistakes",
    )


def review_curves(session: Session) -> LinesState:
    """Share of all mistakes found by reviewing the first images of each queue."""
    study = session.known
    right = ~study.wrong(study.test)
    if right.all():
        return LinesState(caption="no mistake to find in the test set")
    reviewed = np.arange(len(right) + 1.0)
    series = tuple(
        _detector_line(one, reviewed, found_curve(one.scores, right), colour)
        for one, colour in zip(study.detectors(), DETECTOR_COLOURS, strict=False)
    )
    mistakes = int((~right).sum())
    best = Reference(
        name="best possible",
        x=np.array([0.0, mistakes, len(right)]),
        y=np.array([0.0, 1.0, 1.0]),
        kind="optimum",
    )
    return LinesState(series=series, references=(best,), caption=detector_verdict(detector_rows(session)))


def budget(session: Session) -> LinesState:
    """Class accuracy against the number of remembered corrections, in the order they came."""
    study, now = session.known, session.now
    curve = np.array(
        list(
            budget_curve(
                study.test.probabilities,
                study.distances,
                now.corrections,
                session.labels,
                study.model.weight,
                study.model.bias,
                session.t_a,
                ~session.taught,
                study.refused(),
            )
        )
    )
    by_person = [at + 1.0 for at, entry in enumerate(study.memory.entries) if entry.author == "person"]
    series = [
        Series(name="with memory", x=np.arange(len(curve), dtype=float), y=curve, colour=7, marks=False)
    ]
    if by_person:
        places = np.array(by_person)
        series.append(
            Series(name="your corrections", x=places, y=curve[places.astype(int)], colour=0, marks=True)
        )
    return LinesState(
        series=tuple(series),
        levels=(Level(name="without memory", value=float(curve[0])),),
        caption=percent(float(curve[0]), float(curve[-1])),
    )


def thresholds(session: Session) -> PanelState:
    """Sliders of t_a, t_d, k and the groups applied, with what each reaches."""
    study, now = session.known, session.now
    finite = study.distances[np.isfinite(study.distances)]
    top = float(np.ceil(np.quantile(finite, 0.5) * 10) / 10) if finite.size else 1.0
    top = max(top, session.t_a, session.t_d, 0.1)
    step = top / 400
    held, groups = len(study.memory), len(session.data.group_names)
    controls: list[Control] = [
        Switch(
            action="set_mode",
            argument="value",
            label="Chosen",
            options=("auto", "manual"),
            value=session.mode,
        ),
        Slider(
            action="move_t_a",
            argument="value",
            label="Applies within t_a",
            low=0.0,
            high=top,
            step=step,
            value=session.t_a,
            group="Application",
        ),
        Slider(
            action="move_t_d",
            argument="value",
            label="Flags within t_d",
            low=0.0,
            high=top,
            step=step,
            value=session.t_d,
            group="Detection",
        ),
    ]
    if held > 1:
        controls.append(
            Slider(
                action="move_k",
                argument="value",
                label="Neighbours k",
                low=1,
                high=float(min(20, held)),
                step=1,
                value=float(session.k),
                group="Detection",
            )
        )
    if groups > 1:
        controls.insert(
            2,
            Slider(
                action="move_groups",
                argument="value",
                label="Groups applied",
                low=1,
                high=float(groups),
                step=1,
                value=float(session.groups_applied),
                group="Application",
            ),
        )
    g = now.gain
    found = int((now.flags & study.wrong(study.test)).sum())
    wrong = int(study.wrong(study.test).sum())
    outcome = f"{g.repaired} repaired, {g.harmed} made wrong, accuracy {g.class_after:.3f}"
    notes = (
        ("Application", f"{g.identified:,} images corrected: {outcome}."),
        ("Detection", f"{int(now.flags.sum()):,} images flagged, with {found:,} of {wrong:,} mistakes."),
    )
    if not held:
        notes = (
            ("Application", "The memory is empty: nothing is applied. Detection needs an entry too."),
            ("Detection", ""),
        )
    return PanelState(controls=tuple(controls), notes=notes, caption=f"{held} entries")


def training_axes(caption: str) -> LinesState:
    """Empty curves of the training, to be appended to."""
    empty = np.empty(0)
    return LinesState(
        series=(
            Series(name="class accuracy", x=empty, y=empty, colour=7),
            Series(name="concept accuracy", x=empty, y=empty, colour=3),
            Series(name="concept loss", x=empty, y=empty, colour=4, style="dashed", right=True),
        ),
        caption=caption,
    )
