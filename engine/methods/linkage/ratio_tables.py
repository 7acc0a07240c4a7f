"""How far each linkage is from the best possible k-clustering, and the companion's group averages."""

from __future__ import annotations

import math

import numpy as np

from engine.core.views import Column, Switch, TableState
from engine.methods.linkage.bounds import NO_GUARANTEE, bounds_for
from engine.methods.linkage.k_groups import k_groups, relative_to_best
from engine.methods.linkage.optimum import Bracket, Optimum
from engine.methods.linkage.parameters import COLOURS, EUCLIDEAN_ONLY
from engine.methods.linkage.session import Session, label

#: Words of the switch → (criterion, optimum).
AGAINST: dict[str, tuple[str, Optimum]] = {
    "DM": ("max_diam", "OPT_DM"),
    "AV": ("max_diam", "OPT_AV"),
    "avg": ("avg_diam", "OPT_AV"),
}
_CAPTIONS = {
    "DM": "largest diameter / OPT_DM",
    "AV": "largest diameter / OPT_AV",
    "avg": "average diameter / OPT_AV",
}
GROUPED: dict[str, str] = {
    "sep_min": "sep_min ↑",
    "sep_av": "sep_av ↑",
    "max_diam": "max-diam ↓",
    "max_avg": "max-avg ↓",
    "cs_dm": "cs-ratio_DM ↓",
    "cs_av": "cs-ratio_AV ↓",
}
_AS_GROUPED = {"cs_dm": "cs_ratio_dm", "cs_av": "cs_ratio_av"}


def against(session: Session) -> tuple[str, Optimum]:
    """Criterion and optimum of the ratio table."""
    return AGAINST[session.optimum if session.optimum in AGAINST else next(iter(AGAINST))]


def ratio(session: Session, name: str, k: int, criterion: str, optimum: Optimum) -> tuple[float, float]:
    """Interval that holds criterion/optimum at k; NaN where either is not known."""
    values = session.trees[name].by_k(criterion)
    if values is None or session.brackets is None:
        return math.nan, math.nan
    bracket = session.brackets.of(optimum)[k]
    if not math.isfinite(bracket.upper):
        return math.nan, math.nan
    low, high = bracket.ratio(float(values[k]))
    return max(1.0, low) if low > 1 - 1e-9 else low, high


def geometric_mean(session: Session, name: str, criterion: str, optimum: Optimum) -> tuple[float, float]:
    """Interval of the geometric mean of the ratio over all k compared."""
    ends = np.array([ratio(session, name, k, criterion, optimum) for k in session.ks if k < session.n])
    if not len(ends) or np.isnan(ends).any() or (ends <= 0).any():
        return math.nan, math.nan
    low, high = np.exp(np.log(ends).mean(axis=0)) if np.isfinite(ends).all() else (math.nan, math.nan)
    return float(low), float(high)


def ratios_table(session: Session) -> TableState:
    """One row a linkage, one column a k, intervals where the optimum is only bracketed."""
    criterion, optimum = against(session)
    names = session.names_of_trees()
    if not names or session.brackets is None:
        return TableState(caption="after the first linkage")
    brackets = session.brackets.of(optimum)
    columns = [
        Column(name="linkage", title="Linkage", kind="text", values=(*map(label, names), "Optimum known"))
    ]
    for k in session.columns:
        columns.append(_ratio_column(session, names, k, criterion, optimum, brackets[k]))
    ends = [geometric_mean(session, name, criterion, optimum) for name in names]
    columns.append(_interval("mean", "geometric mean", ends, ""))
    proven = [_proven(session, name, criterion, optimum) for name in names]
    columns.append(
        Column(name="proven", title=f"proven ≤ (k = {session.k:,})", kind="text", values=(*proven, ""))
    )
    chosen = next(words for words, pair in AGAINST.items() if pair == (criterion, optimum))
    return TableState(
        columns=tuple(columns),
        ids=(*map(label, names), "optimum"),
        colours=(*(COLOURS[name] for name in names), None),
        caption=f"{_CAPTIONS[chosen]} · 1.00 is the best possible · bold: best linkage",
        controls=(
            Switch(
                action="choose_optimum", argument="value", label="Ratio", options=tuple(AGAINST), value=chosen
            ),
        ),
    )


def _ratio_column(
    session: Session, names: tuple[str, ...], k: int, criterion: str, optimum: Optimum, bracket: Bracket
) -> Column:
    ends = [ratio(session, name, k, criterion, optimum) for name in names]
    known = "exact" if bracket.exact else "bracket" if math.isfinite(bracket.upper) else ""
    return _interval(f"k{k}", f"k = {k:,}", ends, known)


def _interval(name: str, title: str, ends: list[tuple[float, float]], known: str) -> Column:
    low = np.array([*(a for a, _ in ends), math.nan])
    high = np.array([*(b for _, b in ends), math.nan])
    texts = (*("" for _ in ends), known or " ")
    return Column(
        name=name, title=title, kind="interval", values=low, low=low, high=high, best="low", texts=texts
    )


def _proven(session: Session, name: str, criterion: str, optimum: Optimum) -> str:
    """The bound at the present k, as a factor of the optimum it is proven against."""
    if name == "given":
        return ""
    if name in EUCLIDEAN_ONLY:
        return NO_GUARANTEE
    found = bounds_for(name, session.measured.is_metric)
    fitting = [b for b in found if b.measured == criterion and b.optimum != "1"]
    if not fitting:
        if criterion == "max_diam" and not session.measured.is_metric:
            return "needs a metric"
        return "none for this criterion" if name != "weighted" else "heights only"
    same = [b for b in fitting if b.optimum == optimum] or fitting
    factors = [(b.factor(session.k, session.n), b.optimum) for b in same]
    factor, of = min(factors)
    word = "optimum" if of == optimum else {"OPT_AV": "avg-diam optimum", "OPT_DM": "max-diam optimum"}[of]
    return f"{factor:.3g} · {word}"


def group_shares(session: Session, group: str, criterion: str) -> dict[str, float]:
    """Mean of best/own over a group of k, linkage → share; empty where it is not known."""
    ks = k_groups(session.n).get(group, ())
    values = {}
    for name in session.names_of_trees():
        by_k = session.trees[name].by_k(criterion)
        if by_k is not None:
            values[name] = by_k
    if not ks or not values:
        return {}
    return relative_to_best(values, ks, _AS_GROUPED.get(criterion, criterion))


def groups_table(session: Session) -> TableState:
    """Small, medium and large k: mean of best/own for each criterion, 1 for a linkage always best."""
    names = session.names_of_trees()
    rows = [(group, name) for group in ("small", "medium", "large") for name in names]
    columns = [
        Column(name="group", title="k", kind="text", values=tuple(group for group, _ in rows)),
        Column(name="linkage", title="Linkage", kind="text", values=tuple(label(name) for _, name in rows)),
    ]
    for criterion, title in GROUPED.items():
        shares = {group: _shares(session, group, criterion) for group in ("small", "medium", "large")}
        values = np.array([shares[group].get(name, math.nan) for group, name in rows])
        columns.append(Column(name=criterion, title=title, values=values, digits=3))
    if session.companion is not None:
        words = "mean of best/own over the tables so far, 1 is best"
    else:
        words = f"mean of best/own, 1 is best · {_sizes(session)}"
    return TableState(
        columns=tuple(columns),
        ids=tuple(f"{group} {label(name)}" for group, name in rows),
        colours=tuple(COLOURS[name] for _, name in rows),
        caption=words,
    )


def _shares(session: Session, group: str, criterion: str) -> dict[str, float]:
    """Those of the table, or the means over several tables."""
    if session.companion is None:
        return group_shares(session, group, criterion)
    return {n: share for (g, c, n), share in session.companion.items() if (g, c) == (group, criterion)}


def _sizes(session: Session) -> str:
    sizes = k_groups(session.n)
    return "; ".join(f"{group} {ks[0]}–{ks[-1]}" for group, ks in sizes.items() if ks)
