"""Views of the problem: predicted ranking, spectrum, rotation, plane, and the controls."""

from __future__ import annotations

import numpy as np

from engine.core.views import (
    BarSeries,
    BarsState,
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
from engine.methods.gaussian_sketch.parameters import LABELS, LARGEST_SIZE, REGULARISER_LABELS
from engine.methods.gaussian_sketch.plane import contours
from engine.methods.gaussian_sketch.progress_pictures import problem_switch
from engine.methods.gaussian_sketch.session import TURNS, Session, predicted, spread

SWEPT = ("gsgd_plain", "rcd_uniform", "rcd_importance")
SWEEP_GAP = 1e-4
_TRAILS = 3
_MARKS = 25


def ranking_picture(session: Session) -> BarsState:
    """Predicted derivatives to the target gap as bars, measured ones as marks."""
    study, p = session.study, session.parameters
    names = [n for n in p.methods if n not in study.reasons]
    values = np.array([predicted(n, study.constants, session.settings, p.target) for n in names])
    marks = np.full(len(names), np.nan)
    for i, name in enumerate(names):
        if name in study.measured:
            middle = spread(study.measured[name].trace.reached(p.target))[0]
            marks[i] = round(middle) if np.isfinite(middle) else np.nan
    k = study.constants
    best = names[int(np.argmin(np.where(np.isfinite(values), values, np.inf)))] if names else ""
    caption = (
        f"tr(M) = {k.trace:.4g}, L = {k.largest:.4g}, max Mᵢᵢ = {k.diagonal.max():.4g}, μ = {k.convexity:.3g}"
    )
    if best and np.isfinite(values).any():
        caption += f"; fewest predicted: {LABELS[best]}"
    return BarsState(
        caption=caption,
        series=(
            BarSeries(
                name="predicted", values=np.where(np.isfinite(values), np.round(values), np.nan),
                colour=session.colour("gsgd"),
                colours=np.array([session.colour(n) for n in names], np.int64),
            ),
        ),
        categories=tuple(LABELS[n] for n in names),
        ticks=marks,
        ticks_name="measured",
    )  # fmt: skip


def spectrum_picture(session: Session) -> LinesState | None:
    """Eigenvalues of M, falling, and its diagonal in the present coordinates, sorted."""
    k = session.study.constants
    place = np.arange(1.0, k.dimension + 1)
    falling = np.sort(k.diagonal)[::-1]
    series = [
        Series(name="Mᵢᵢ, sorted", x=place, y=_positive(falling), colour=4, marks=False, style="dashed")
    ]
    if k.eigenvalues is not None:
        series.insert(
            0, Series(name="eigenvalues", x=place, y=_positive(k.eigenvalues), colour=7, marks=False)
        )
    levels = [Level(name="tr(M)/d", value=k.trace / k.dimension)]
    if k.convexity > 0:
        levels.append(Level(name="μ", value=k.convexity, kind="bound"))
    ratio = k.trace / (k.dimension * k.largest) if k.largest > 0 else 1.0
    kind = "preconditioned" if ratio < 0.25 else "not preconditioned"
    return LinesState(
        caption=f"tr(M) is {ratio:.1%} of dL: {kind} landscape",
        series=tuple(series),
        levels=tuple(levels),
    )


def _positive(values: np.ndarray) -> np.ndarray:
    return np.where(values > 0, values, np.nan)


def rotation_picture(session: Session) -> LinesState:
    """Derivatives to a gap of 1e−4 against the rotation: predicted dashed, measured with marks, without φ."""
    study = session.study
    references, series = [], []
    for name in ("gsgd", "rcd_uniform", "rcd_importance"):
        values = np.array([predicted(name, k, session.settings, SWEEP_GAP) for k in study.turned])
        if values.size and np.isfinite(values).all():
            references.append(Reference(name=f"{LABELS[name]} bound", x=TURNS.copy(), y=values))
    for name in SWEPT:
        found = study.counts.get(name, [])
        if found:
            x, y = (np.array(column) for column in zip(*found, strict=True))
            shown = "gsgd" if name == "gsgd_plain" else name
            series.append(
                Series(
                    name=LABELS[shown],
                    x=x,
                    y=np.where(np.isfinite(y), y, np.nan),
                    colour=session.colour(shown),
                    marks=True,
                )
            )
    can = study.base.can_rotate
    level = Level(name="now", value=study.rotation, axis="x", kind="optimum", draggable=can)
    return LinesState(
        caption="without φ; drag the line to rotate" if can else "this problem cannot be rotated",
        series=tuple(series),
        references=tuple(references),
        levels=(level,),
    )


def plane_picture(session: Session) -> ScatterState | None:
    """Level lines of F in a plane through the optimum, and the first seeds' iterates projected to it."""
    study = session.study
    plane = study.plane
    if plane is None:
        return None
    finite = plane.values[np.isfinite(plane.values)]
    low, high = float(finite.min()), float(finite.max())
    levels = low + (high - low) * np.geomspace(2e-3, 0.8, 9)
    x, y = contours(plane, levels)
    segments = [Segments(name="level lines of F", x=x, y=y)]
    places, groups, group = [np.empty((0, 2))], [], []
    names = [n for n in study.methods if study.measured[n].trace.paths]
    order = [n for n in (session.method, "gsgd", "rcd_importance", *names) if n in names]
    for name in list(dict.fromkeys(order))[:_TRAILS]:
        points = _thinned(plane.at(np.array(study.measured[name].trace.paths)))
        groups.append(Group(name=LABELS[name], colour=session.colour(name)))
        places.append(points)
        group += [len(groups) - 1] * len(points)
        if len(points) > 1:
            ends = np.stack([points[:-1], points[1:]], axis=1)
            segments.append(Segments(name="", x=ends[..., 0], y=ends[..., 1], colour=session.colour(name)))
    marks = np.concatenate(places)
    what = (
        "the coordinate plane"
        if study.objective.dimension == 2
        else "projected to a plane of the optimum and the start"
    )
    return ScatterState(
        caption=f"{what}; the star is the optimum",
        x=marks[:, 0],
        y=marks[:, 1],
        group=np.array(group, np.int64),
        groups=tuple(groups),
        stars=np.zeros((1, 2)),
        segments=tuple(segments),
    )


def _thinned(points: np.ndarray) -> np.ndarray:
    """At most `_MARKS` iterates (t, 2), denser at the start, where they move."""
    if len(points) <= _MARKS:
        return points
    places = np.unique(np.geomspace(1, len(points), _MARKS).round().astype(int)) - 1
    return points[places]


def steering_panel(session: Session) -> PanelState:
    """The controls that act while a run goes on."""
    study = session.study
    d = study.objective.dimension
    penalty = study.objective.penalty
    sketch = (
        Slider(
            action="set_size", argument="value", label="Directions ℓ", low=1, high=min(d, LARGEST_SIZE),
            value=session.size, step=1, log=True, group="Sketch",
        ),
        Slider(
            action="set_c", argument="value", label="Step factor c", low=0.05, high=2.0, value=session.c,
            log=True, group="Sketch",
        ),
    )  # fmt: skip
    narrow = session.parameters.preconditioner != "none" or study.objective.free is not None
    allowed = ["none", "l1", "elastic", "box"] if narrow else list(REGULARISER_LABELS)
    if d % session.parameters.group_size and "nuclear" in allowed:
        allowed.remove("nuclear")
    options = tuple(REGULARISER_LABELS[name] for name in allowed)
    problem: list[Control] = [
        Switch(
            action="set_regulariser", argument="value", label="Regulariser φ", options=options,
            value=REGULARISER_LABELS[penalty.name],
        ),
        Slider(
            action="set_strength", argument="value", label="Strength of φ", low=1e-4, high=10.0,
            value=min(max(penalty.strength, 1e-4), 10.0), log=True, group="Problem",
        ),
    ]  # fmt: skip
    if study.base.can_rotate:
        problem.append(
            Slider(
                action="rotate", argument="value", label="Rotation", low=0.0, high=1.0, value=study.rotation,
                step=0.01, group="Problem",
            )
        )  # fmt: skip
    note = (
        "The run is over: a change shows its prediction, a new run measures it"
        if session.finished
        else "ℓ and c change from the next step on; φ and rotation begin the curves anew"
    )
    return PanelState(
        caption=study.base.title,
        controls=(*problem_switch(session), *sketch, *problem),
        notes=(("Problem", note),),
    )
