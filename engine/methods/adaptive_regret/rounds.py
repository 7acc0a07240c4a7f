"""The rounds of one algorithm: markers, experts, meta-algorithm. One compiled loop, resumable anywhere.

Each round: set a marker if one is due, weigh the awake experts, play w_t = Σ p_i w_i, see f_t, let the
meta-algorithm and the experts learn, count the newest expert's loss towards the next marker.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.methods.adaptive_regret import covers, experts, metas
from engine.methods.adaptive_regret.covers import BY_LOSS, EACH_ROUND, FOREVER, NEVER, level_of
from engine.methods.adaptive_regret.experts import Bank, start_expert, step_expert
from engine.methods.adaptive_regret.losses import loss_slope, loss_value

Floats = NDArray[np.float64]

ROUND, MARKER, DUE, MARKED_AT, NEWEST, LEADER = range(6)
"""Places in `counts`: rounds played, markers set, a marker is due, round of the last, its slot, leader."""
COUNTED, LARGEST, WORST_IDENTITY = range(3)
"""Places in `sums`: loss counted since the last marker, running max of |⟨g, w_t − w_i⟩|, max |Σ p r|."""
GROW, DONE = 1, 0


class Setup(NamedTuple):
    """What does not change from round to round (C may, between two calls).

    `loss`, `domain`, `rule`, `cover` codes; `radius`; `diameter` D; `gradient_bound` G; `loss_bound` the
    loss counted as 1; `alpha` Hedge's rate; `threshold` C; `shortest` least rounds between markers;
    `compact` cover; `members` of a bundle; `auxiliary` the member whose loss is counted; `one_gradient`
    and `running_max` switches; `cost` per unit of turnover; `lam` is not needed here (it is a constant of
    the expert).
    """

    loss: int
    domain: int
    rule: int
    cover: int
    radius: float
    diameter: float
    gradient_bound: float
    loss_bound: float
    alpha: float
    threshold: float
    shortest: int
    compact: bool
    members: int
    auxiliary: int
    one_gradient: bool
    running_max: bool
    cost: float


class Record(NamedTuple):
    """What is written down: per round `loss` (T,), `awake` (T,), `mark` (T,), `taken` (T,) birth + 1 of an
    expert that took the lead from one still awake; `level_weight` (32, columns) and `member_weight`
    (B, columns) sums of p over columns of `width` rounds; `points` (T or 0, d) what was played;
    `newest` (T,) loss of the expert whose loss is counted towards the next marker."""

    loss: np.ndarray
    awake: np.ndarray
    mark: np.ndarray
    taken: np.ndarray
    level_weight: np.ndarray
    member_weight: np.ndarray
    width: int
    points: np.ndarray
    newest: np.ndarray


@njit(nogil=True, cache=True)
def advance(
    stop: int,
    features: Floats,
    targets: Floats,
    start: Floats,
    bank: Bank,
    setup: Setup,
    counts: NDArray[np.int64],
    sums: Floats,
    held: Floats,
    record: Record,
) -> int:
    """Play rounds up to `stop` on `features` (T, d), `targets` (T,).

    Returns DONE, or GROW where the next marker needs a level the bank has no room for.
    """
    d = features.shape[1]
    point, gradient = np.zeros(d), np.empty(d)
    while counts[ROUND] < stop:
        t = counts[ROUND]
        if counts[DUE]:
            needed = level_of(counts[MARKER] + 1) + 1
            if needed * setup.members > bank.alive.size:
                return GROW
            _set_marker(t, start, bank, setup, counts, sums)
            record.mark[t] = 1
        metas.weigh(setup.rule, bank)
        _play(t, features[t], targets[t], point, gradient, bank, setup, counts, sums, held, record)
        _count(t, bank, setup, counts, sums)
        counts[ROUND] += 1
    return DONE


@njit(nogil=True, cache=True)
def _set_marker(
    t: int, start: Floats, bank: Bank, setup: Setup, counts: NDArray[np.int64], sums: Floats
) -> None:
    """Put to sleep the experts that end here, and wake a bundle on every interval that starts here."""
    m = counts[MARKER] + 1
    counts[MARKER], counts[DUE], counts[MARKED_AT] = m, 0, t
    sums[COUNTED] = 0.0
    for s in range(bank.alive.size):
        if bank.alive[s] and bank.end[s] <= m:
            bank.alive[s] = 0
    survivors = metas.make_room(m, bank) if setup.rule == metas.HEDGE else True
    top = level_of(m)
    for level in range(top if setup.compact else 0, top + 1):
        length = 1 << level
        end = FOREVER if setup.cover == NEVER else m + length
        for member in range(setup.members):
            s = level * setup.members + member
            start_expert(s, t, end, setup.domain, setup.radius, setup.diameter, start, bank)
            metas.start_weight(s, setup.rule, m if survivors else 1, t, length, setup.members, bank)
    counts[NEWEST] = top * setup.members + setup.auxiliary


@njit(nogil=True, cache=True)
def _play(
    t: int,
    phi: Floats,
    y: float,
    point: Floats,
    gradient: Floats,
    bank: Bank,
    setup: Setup,
    counts: NDArray[np.int64],
    sums: Floats,
    held: Floats,
    record: Record,
) -> None:
    """Play the mixture, suffer the loss, let everybody learn."""
    loss, slots, d = setup.loss, bank.alive.size, phi.size
    needs_point = setup.cost > 0 or record.points.shape[0] > 0 or setup.rule == metas.TILT
    needs_point = needs_point or setup.one_gradient
    if needs_point:
        point[:] = 0.0
    played, awake, lead, best = 0.0, 0, 0, -1.0
    for s in range(slots):
        if not bank.alive[s]:
            continue
        awake += 1
        w, value = bank.w[s], 0.0
        for i in range(d):
            value += w[i] * phi[i]
        bank.z[s] = value
        bank.f[s] = loss_value(loss, value, y)
        p = bank.p[s]
        played += p * value
        if p > best:
            lead, best = s, p
        if needs_point:
            for i in range(d):
                point[i] += p * w[i]
    suffered = loss_value(loss, played, y)
    if setup.cost > 0:
        suffered += setup.cost * _turnover(point, held)
        for s in range(slots):
            if bank.alive[s]:
                bank.f[s] += setup.cost * _turnover(bank.w[s], held)
    record.loss[t], record.awake[t] = suffered, awake
    record.newest[t] = bank.f[counts[NEWEST]]
    if record.points.shape[0] > 0:
        record.points[t] = point
    _note_lead(t, lead, bank, setup, counts, record)
    slope = loss_slope(loss, played, y)
    _meta_learns(slope, played, suffered, phi, point, bank, setup, sums)
    for s in range(slots):
        if bank.alive[s]:
            _gradient_of(s, slope, played, phi, y, point, gradient, bank, setup, held)
            step_expert(s, gradient, setup.domain, setup.radius, setup.diameter, setup.gradient_bound, bank)
    if setup.cost > 0:
        _drift(point, phi, held)


@njit(nogil=True, cache=True)
def _note_lead(
    t: int, lead: int, bank: Bank, setup: Setup, counts: NDArray[np.int64], record: Record
) -> None:
    """Weights by level and member, and take-overs: a younger expert leads though the old leader lives."""
    column = t // record.width
    for s in range(bank.alive.size):
        if bank.alive[s]:
            record.level_weight[s // setup.members, column] += bank.p[s]
            record.member_weight[s % setup.members, column] += bank.p[s]
    before = counts[LEADER]
    # A slot is re-used when its interval ends: the old leader lives if it has lived at least one round.
    lives = bank.alive[before] and bank.age[before] > 0
    if lives and bank.born[lead] > bank.born[before]:
        record.taken[t] = bank.born[lead] + 1
    counts[LEADER] = lead


@njit(nogil=True, cache=True)
def _meta_learns(
    slope: float,
    played: float,
    suffered: float,
    phi: Floats,
    point: Floats,
    bank: Bank,
    setup: Setup,
    sums: Floats,
) -> None:
    if setup.rule == metas.ML_PROD:
        scale = 2.0 * setup.gradient_bound * setup.diameter
        if setup.running_max:
            sums[LARGEST] = max(sums[LARGEST], metas.largest_gap(slope, played, bank))
            scale = sums[LARGEST]
        identity = metas.learn_linear(slope, played, scale, bank)
        sums[WORST_IDENTITY] = max(sums[WORST_IDENTITY], abs(identity))
    elif setup.rule == metas.TILT:
        for s in range(bank.alive.size):
            if bank.alive[s]:
                bank.meta[s, 0] += _uma_loss(s, slope, played, point, bank, setup)
    else:
        metas.learn_losses(setup.rule, setup.alpha, setup.loss_bound, suffered, bank)


@njit(nogil=True, cache=True)
def _uma_loss(s: int, slope: float, played: float, point: Floats, bank: Bank, setup: Setup) -> float:
    """η⟨g, w − w_t⟩ + η²⟨g, w − w_t⟩², or with G²‖w − w_t‖² in the second term."""
    eta = bank.constant[s]
    linear = eta * slope * (bank.z[s] - played)
    if bank.kind[s] == experts.UMA_EXP:
        return linear + linear * linear
    apart = 0.0
    for i in range(point.size):
        apart += (bank.w[s, i] - point[i]) ** 2
    return linear + eta * eta * setup.gradient_bound * setup.gradient_bound * apart


@njit(nogil=True, cache=True)
def _gradient_of(
    s: int,
    slope: float,
    played: float,
    phi: Floats,
    y: float,
    point: Floats,
    gradient: Floats,
    bank: Bank,
    setup: Setup,
    held: Floats,
) -> None:
    """The gradient expert `s` learns from: of f_t at its own point, or of its surrogate at w_t."""
    kind, constant, pull = bank.kind[s], bank.constant[s], 0.0
    if kind == experts.UMA_EXP:
        factor = constant * slope * (1.0 + 2.0 * constant * slope * (bank.z[s] - played))
    elif kind == experts.UMA_SC:
        factor = constant * slope
        pull = 2.0 * constant * constant * setup.gradient_bound * setup.gradient_bound
    elif not setup.one_gradient:
        factor = loss_slope(setup.loss, bank.z[s], y)
    elif kind == experts.ONS or kind == experts.ONS_DIAG:
        factor = slope * (1.0 + constant * slope * (bank.z[s] - played))
    else:
        factor = slope
        if kind == experts.SC_OGD or kind == experts.S2OGD:
            size = 0.0
            for i in range(phi.size):
                size += (slope * phi[i]) ** 2
            pull = constant * size / (setup.gradient_bound * setup.gradient_bound)
    for i in range(phi.size):
        gradient[i] = factor * phi[i]
        if pull > 0:
            gradient[i] += pull * (bank.w[s, i] - point[i])
        if setup.cost > 0:
            gradient[i] += setup.cost * np.sign(bank.w[s, i] - held[i])


@njit(nogil=True, cache=True)
def _turnover(w: Floats, held: Floats) -> float:
    """‖w − ŵ‖₁ against what is held before trading."""
    total = 0.0
    for i in range(held.size):
        total += abs(w[i] - held[i])
    return total


@njit(nogil=True, cache=True)
def _drift(point: Floats, relatives: Floats, held: Floats) -> None:
    """Holdings after the prices moved: ŵ_i ∝ w_i x_i."""
    total = 0.0
    for i in range(held.size):
        held[i] = point[i] * relatives[i]
        total += held[i]
    for i in range(held.size):
        held[i] /= total


@njit(nogil=True, cache=True)
def _count(t: int, bank: Bank, setup: Setup, counts: NDArray[np.int64], sums: Floats) -> None:
    """Decide whether a marker stands before the next round."""
    if setup.cover == NEVER:
        return
    sums[COUNTED] += bank.f[counts[NEWEST]] / setup.loss_bound
    if t + 1 - counts[MARKED_AT] < setup.shortest:
        return
    if setup.cover == EACH_ROUND or (setup.cover == BY_LOSS and sums[COUNTED] > setup.threshold):
        counts[DUE] = 1


@njit(nogil=True, cache=True)
def marker_rounds(
    features: Floats,
    targets: Floats,
    start: Floats,
    domain: int,
    loss: int,
    radius: float,
    diameter: float,
    threshold: float,
    bound: float,
    shortest: int,
) -> NDArray[np.int64]:
    """Rounds before which the loss-counting expert alone would set a marker: SOGD restarted at each.

    The same rule as the auxiliary expert's in `advance`; used to choose C. Returns int64 (M,).
    """
    rounds, d = features.shape
    found = np.empty(rounds, np.int64)
    count, total, counted, since = 0, 0.0, 0.0, 0
    w = start.copy()
    fresh = True
    for t in range(rounds):
        if fresh:
            found[count] = t
            count += 1
            w[:] = start
            total, counted, since, fresh = 0.0, 0.0, t, False
        z = np.dot(w, features[t])
        slope = loss_slope(loss, z, targets[t])
        counted += loss_value(loss, z, targets[t]) / bound
        size = np.dot(features[t], features[t]) * slope * slope
        total += size
        rate = diameter / math.sqrt(2.0) / math.sqrt(experts.DELTA + total)
        for i in range(d):
            w[i] -= rate * slope * features[t, i]
        experts.project(domain, radius, w)
        fresh = counted > threshold and t + 1 - since >= shortest
    return found[:count]


__all__ = ["DONE", "GROW", "Record", "Setup", "advance", "covers", "marker_rounds"]
