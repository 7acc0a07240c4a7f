"""Views of the coefficients: their paths as a map, the model, its image, one path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.views import (
    Axis,
    BarSeries,
    BarsState,
    HeatMapState,
    Level,
    LinesState,
    Series,
    Switch,
)
from engine.methods.gaussian_sketch.parameters import LABELS
from engine.methods.gaussian_sketch.progress_pictures import COST_AXES, along
from engine.methods.gaussian_sketch.session import Session

SHOWN = 24
_FRAMES = 60


def ranked(session: Session) -> NDArray[np.int64]:
    """The coefficients shown, largest first: by the optimum, or by the method where it is not known."""
    study = session.study
    values = study.best.x if study.best is not None else np.zeros(study.objective.dimension)
    return np.argsort(-np.abs(values), kind="stable")[:SHOWN]


def _method_switch(session: Session) -> tuple[Switch, ...]:
    names = session.study.methods
    if len(names) < 2 or session.method not in names:
        return ()
    return (
        Switch(
            action="choose_method", argument="value", label="Method",
            options=tuple(LABELS[n] for n in names), value=LABELS[session.method],
        ),
    )  # fmt: skip


def _paths(session: Session) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Epochs (t,) and coefficients (t, d) of the first seed of the method looked at."""
    study = session.study
    measured = study.measured.get(session.method)
    if measured is None or not measured.trace.paths:
        return None
    epochs = np.array(measured.trace.derivatives) / study.objective.dimension
    return epochs, study.objective.in_data_units(np.array(measured.trace.paths))


def _names(session: Session, places: NDArray[np.int64]) -> tuple[str, ...]:
    names = session.study.base.features
    if session.study.measured_rotation > 0:
        return tuple(f"rotated {j + 1}" for j in places)
    return tuple(names[j] for j in places)


def coefficients_picture(session: Session) -> HeatMapState | None:
    """Coefficients by rows over epochs; the largest at the optimum first."""
    found = _paths(session)
    if found is None:
        return None
    epochs, paths = found
    frames = np.unique(np.linspace(0, len(epochs) - 1, min(len(epochs), _FRAMES)).round().astype(int))
    places = ranked(session)
    values = paths[np.ix_(frames, places)].T
    reach = float(np.abs(values).max()) or 1.0
    total = session.study.objective.dimension
    spaced = epochs[frames]
    return HeatMapState(
        caption=f"{LABELS[session.method]}, first seed, {len(places)} of {total:,} coefficients",
        controls=_method_switch(session),
        values=values,
        rows=_names(session, places),
        x=spaced if spaced.size > 1 else None,
        limits=(-reach, reach),
    )


def model_picture(session: Session) -> BarsState | None:
    """The coefficients now, with the optimum's as marks."""
    study = session.study
    measured = study.measured.get(session.method)
    if measured is None:
        return None
    places = ranked(session)
    x = study.objective.in_data_units(measured.solver.x)
    values = np.median(x, axis=0)[places]
    best = study.objective.in_data_units(study.best.x)[places] if study.best is not None else None
    count = int(np.count_nonzero(np.abs(np.median(x, axis=0)) > 1e-9))
    return BarsState(
        caption=f"{LABELS[session.method]}, {count:,} of {study.objective.dimension:,} not 0",
        controls=_method_switch(session),
        series=(BarSeries(name="now", values=values, colour=session.colour(session.method)),),
        categories=_names(session, places),
        ticks=best,
        ticks_name="optimum",
    )


def image_picture(session: Session) -> HeatMapState | None:
    """The coefficients as the image their features are pixels of, or as the matrix of the nuclear norm."""
    study = session.study
    d, penalty = study.objective.dimension, study.objective.penalty
    shape = study.base.image
    if shape is None and penalty.name == "nuclear":
        shape = (penalty.size, d // penalty.size)
    measured = study.measured.get(session.method)
    if shape is None or measured is None or shape[0] * shape[1] != d:
        return None
    values = study.objective.in_data_units(np.median(measured.solver.x, axis=0)).reshape(shape)
    turned = ", rotated coordinates" if study.measured_rotation > 0 else ""
    reach = float(np.abs(values).max()) or 1.0
    return HeatMapState(
        caption=f"{LABELS[session.method]}, median of seeds{turned}",
        controls=_method_switch(session),
        values=values,
        rows=tuple(str(i) for i in range(1, shape[0] + 1)),
        columns=tuple(str(j) for j in range(1, shape[1] + 1)),
        limits=(-reach, reach),
    )


def path_picture(session: Session) -> LinesState | None:
    """One coefficient in every method, with its value at the optimum."""
    study = session.study
    j = session.coefficient
    if not 0 <= j < study.objective.dimension:
        j = int(ranked(session)[0])
    series = []
    for name, measured in study.measured.items():
        if measured.trace.paths:
            values = study.objective.in_data_units(np.array(measured.trace.paths))[:, j]
            series.append(
                Series(
                    name=LABELS[name],
                    x=along(session, measured.trace),
                    y=values,
                    colour=session.colour(name),
                    marks=False,
                )
            )
    if not series:
        return None
    levels: tuple[Level, ...] = ()
    if study.best is not None:
        levels = (
            Level(
                name="optimum", value=float(study.objective.in_data_units(study.best.x)[j]), kind="optimum"
            ),
        )
    name = _names(session, np.array([j]))[0]
    return LinesState(
        caption=f"{name}, first seed",
        series=tuple(series),
        levels=levels,
        x=COST_AXES[session.axis],
        y=Axis(f"coefficient of {name}"),
    )
