"""Criteria against the number of clusters, with the bracket on the optimum and what is proven."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.views import Axis, Bracket, Level, LinesState, Reference, Series, Switch
from engine.methods.linkage.bounds import BOUNDS, CLASS_M, NO_GUARANTEE, Bound
from engine.methods.linkage.optimum import Brackets, Optimum
from engine.methods.linkage.parameters import BASELINES, COLOURS, CRITERIA, EUCLIDEAN_ONLY
from engine.methods.linkage.session import Session, label

#: Which optimum a criterion is held against.
OPTIMUM_OF: dict[str, Optimum] = {"max_diam": "OPT_DM", "avg_diam": "OPT_AV"}
_MEASURED = {"max_diam": "max_diam", "max_avg": "max_avg", "cs_av": "cs_ratio_av", "cs_dm": "cs_ratio_dm"}
_WITHOUT_UNIT = ("cs_av", "cs_dm")


def cohesion_picture(session: Session) -> LinesState:
    """One curve a linkage, the optimum's bracket, and the proven bounds of the linkage looked at."""
    criterion = session.criterion
    series = [_curve(session, name) for name in session.names_of_trees()]
    series += [_baseline(session, name) for name in session.baselines]
    unit = "" if criterion in _WITHOUT_UNIT else session.measured.unit
    references, said = _references(session)
    brackets, known = _brackets(session)
    log = _spans_decades([*(s.y for s in series if s is not None), *(r.y for r in references)])
    words = [word for word in (f"log scale{'s' if log else ''}", said, known) if word]
    levels: tuple[Level, ...] = ()
    if session.ks[0] <= session.k <= session.ks[-1] and series:
        levels = (Level(name=f"k = {session.k:,}", value=float(session.k), axis="x"),)
    return LinesState(
        series=tuple(s for s in series if s is not None),
        brackets=brackets,
        references=references,
        levels=levels,
        x=Axis("number of clusters k", log=True),
        y=Axis(CRITERIA[criterion], unit, log=log),
        caption=" · ".join(words),
        controls=(
            Switch(
                action="choose_criterion", argument="value", label="Criterion",
                options=tuple(CRITERIA.values()), value=CRITERIA[criterion],
            ),
        ),
    )  # fmt: skip


def _curve(session: Session, name: str) -> Series | None:
    values = session.trees[name].by_k(session.criterion)
    if values is None:
        return None
    ks = np.array(session.ks)
    y = values[ks]
    kept = np.isfinite(y)
    return Series(name=label(name), x=ks[kept].astype(float), y=y[kept], colour=COLOURS[name])


def _baseline(session: Session, name: str) -> Series | None:
    flat = session.baselines[name]
    values = flat.values.get(session.criterion)
    if values is None:
        return None
    return Series(
        name=BASELINES[name], x=np.array(flat.ks, float), y=values, style="dashed", muted=True, marks=False
    )


def _spans_decades(values: list[NDArray[np.float64]]) -> bool:
    """A log axis where positive values span more than a factor of three and none is zero."""
    every = np.concatenate([*values, np.empty(0)])
    if not len(every):
        return False
    return bool(every.min() > 0 and every.max() > 3 * every.min())


def _brackets(session: Session) -> tuple[tuple[Bracket, ...], str]:
    found, optimum = session.brackets, OPTIMUM_OF.get(session.criterion)
    if found is None or optimum is None:
        return (), ""
    ends = [found.of(optimum)[k] for k in found.ks]
    known = [b for b in ends if np.isfinite(b.upper)]
    if not known:
        return (), ""
    exact = sum(b.exact for b in known)
    word = "exact" if exact == len(known) else f"exact for {exact} of {len(known)} k"
    return (
        Bracket(
            name="optimum",
            x=np.array([b.k for b in known], float),
            low=np.array([b.lower for b in known]),
            high=np.array([b.upper for b in known]),
        ),
    ), f"optimum {word}"


def bounds_shown(session: Session, linkage: str) -> tuple[Bound, ...]:
    """Bounds on the criterion of the chart that hold for a linkage on this data."""
    from engine.methods.linkage.bounds import bounds_for

    measured = _MEASURED.get(session.criterion)
    return tuple(b for b in bounds_for(linkage, session.measured.is_metric) if b.measured == measured)


def _references(session: Session) -> tuple[tuple[Reference, ...], str]:
    """The bounds of the linkage looked at, and a word where none is drawn."""
    if not session.parameters.bounds or session.shown not in session.trees or session.shown == "given":
        return (), ""
    if session.shown in EUCLIDEAN_ONLY:
        return (), f"{label(session.shown)}: {NO_GUARANTEE}"
    bounds = bounds_shown(session, session.shown)
    if not bounds:
        return (), _why_no_bound(session)
    curve = _bound_curve(session, bounds)
    if curve is None:
        return (), ""
    return (curve,), f"bound of {label(session.shown)}"


def _why_no_bound(session: Session) -> str:
    measured = _MEASURED.get(session.criterion)
    proven = any(b.linkage == session.shown and b.measured == measured for b in BOUNDS)
    if not proven and session.shown in CLASS_M:
        return "no bound on this criterion"
    return "bounds need a metric" if session.measured.is_metric is False else "bounds: metric not checked"


def _bound_curve(session: Session, bounds: tuple[Bound, ...]) -> Reference | None:
    """The smallest bound at each k: a factor times the upper end of the optimum's bracket."""
    ks = np.array(session.ks)
    least = np.full(len(ks), np.inf)
    found: Brackets | None = session.brackets
    for bound in bounds:
        factor = np.array([bound.factor(int(k), session.n) for k in ks])
        if bound.optimum == "1":
            least = np.minimum(least, factor)
        elif found is not None:
            upper = np.array([found.of(bound.optimum)[int(k)].upper for k in ks])
            least = np.minimum(least, factor * upper)
    kept = np.isfinite(least)
    if not kept.any():
        return None
    return Reference(name="proven bound", x=ks[kept].astype(float), y=least[kept])
