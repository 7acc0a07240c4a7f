"""Large-deviation rates: what lim −(1/T) ln P(error) is for each allocation.

Notation of Wang, Ariu and Proutiere (ICML 2024): K Bernoulli arms with means μ_1 > μ_2 ≥ … ≥ μ_K, a
budget of T draws, d(x, y) the Kullback–Leibler divergence between Bernoulli(x) and Bernoulli(y). A
rate r means P(error) ≈ exp(−r T); rates are in nats per draw and may be +inf (means 0 or 1).

The uniform rate and the two-arm theorem are the paper's. The closed forms for Γ_j and for the exact
rate of Successive Rejects follow from Cramér's theorem and were checked against exact finite-T
probabilities; they are derivations, not quotations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def bernoulli_kl(x: ArrayLike, y: ArrayLike) -> Floats:
    """d(x, y) = x ln(x/y) + (1−x) ln((1−x)/(1−y)) in nats, with 0 ln 0 = 0; broadcasts.

    +inf where y is 0 or 1 and x differs from it.
    """
    x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    with np.errstate(divide="ignore", invalid="ignore"):
        head = np.where(x > 0, x * (np.log(x) - np.log(y)), 0.0)
        tail = np.where(x < 1, (1 - x) * (np.log1p(-x) - np.log1p(-y)), 0.0)
    return np.asarray(head + tail)


def logit(p: ArrayLike) -> Floats:
    """ln(p / (1−p)); ∓inf at 0 and 1."""
    p = np.asarray(p, dtype=float)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - np.log1p(-p))


def two_arm_rate(share: ArrayLike, mean_1: ArrayLike, mean_2: ArrayLike) -> Floats:
    """g(x, μ) = −ln( μ_1^{1−x} μ_2^x + (1−μ_1)^{1−x} (1−μ_2)^x ), x the share of draws of arm 2.

    The rate of the static allocation (1−x, x); symmetric in which arm is the better one. Broadcasts.
    """
    x = np.asarray(share, dtype=float)
    a, b = np.asarray(mean_1, dtype=float), np.asarray(mean_2, dtype=float)
    with np.errstate(divide="ignore"):
        affinity = a ** (1 - x) * b**x + (1 - a) ** (1 - x) * (1 - b) ** x
        # Hölder bounds the affinity by 1; rounding may not.
        return np.asarray(-np.log(np.minimum(affinity, 1.0)) + 0.0)


def best_share(mean_1: ArrayLike, mean_2: ArrayLike) -> Floats:
    """x*(μ) = argmax_x g(x, μ), the best static share of arm 2; ½ where the means are equal.

    λ* with d(λ*, μ_1) = d(λ*, μ_2) is b/(a+b), a = ln(μ_1/μ_2), b = ln((1−μ_2)/(1−μ_1)), and
    x* = (logit λ* − logit μ_1) / (logit μ_2 − logit μ_1). Means strictly inside (0, 1); broadcasts.
    """
    m1, m2 = np.broadcast_arrays(np.asarray(mean_1, dtype=float), np.asarray(mean_2, dtype=float))
    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.log(m1) - np.log(m2)
        b = np.log1p(-m2) - np.log1p(-m1)
        share = (np.log(b / a) - logit(m1)) / (logit(m2) - logit(m1))
    return np.where(m1 == m2, 0.5, share)


def log_bar(arms: int) -> float:
    """logbar(K) = ½ + Σ_{k=2..K} 1/k (Audibert, Bubeck and Munos, 2010); 1 for two arms."""
    return 0.5 + float(np.sum(1.0 / np.arange(2, arms + 1)))


def complexity(means: ArrayLike) -> float:
    """H1 = Σ_{i≥2} 1/(μ_1−μ_i)² + 1/(μ_1−μ_2)²; +inf when the best mean is shared."""
    ordered = np.sort(np.asarray(means, dtype=float))[::-1]
    gaps = ordered[0] - ordered[1:]
    if gaps[0] == 0:
        return float("inf")
    return float(np.sum(gaps**-2.0) + gaps[0] ** -2.0)


@dataclass(frozen=True)
class Downfall:
    """The cheapest way in which the best arm falls below the j best arms.

    `value` is Γ_j, `level` the common empirical mean y* reached, `arms` the (sorted) positions of the
    arms other than the best whose empirical means are pulled up to y*.
    """

    value: float
    level: float
    arms: tuple[int, ...]


def downfall(means: ArrayLike, j: int) -> Downfall:
    """Γ_j(μ) = min_y [ d(y, μ_1) + Σ_{k=2..j, μ_k<y} d(y, μ_k) ], solved in closed form.

    On the piece where the set A of pulled arms is fixed the minimiser has logit y = mean of the logits
    of A ∪ {1}, and the sum of a divergences there is −a ln( Πμ^{1/a} + Π(1−μ)^{1/a} ). Arms join A from
    the lowest mean up until y no longer exceeds the next one.

    `means` in any order, shape (K,); 2 ≤ j ≤ K.
    """
    ordered = np.sort(np.asarray(means, dtype=float))[::-1]
    if not 2 <= j <= ordered.size:
        raise ValueError(f"j must be between 2 and {ordered.size}, not {j}")
    lower = ordered[1:j][::-1]
    chosen = 1
    while chosen < lower.size and _common_level(ordered[0], lower[:chosen]) > lower[chosen]:
        chosen += 1
    level = _common_level(ordered[0], lower[:chosen])
    group = np.concatenate(([ordered[0]], lower[:chosen]))
    size = group.size
    with np.errstate(divide="ignore"):
        affinity = np.exp(np.log(group).sum() / size) + np.exp(np.log1p(-group).sum() / size)
        value = -size * np.log(min(affinity, 1.0)) + 0.0
    pulled = tuple(range(j - 1, j - 1 - chosen, -1))
    return Downfall(max(float(value), 0.0), level, pulled)


def _common_level(best: float, lower: Floats) -> float:
    logits = logit(np.concatenate(([best], lower)))
    if np.isposinf(logits).any() and np.isneginf(logits).any():
        return 0.5  # certain arms 1 and 0 never meet: the value is +inf at every level
    return float(1.0 / (1.0 + np.exp(-np.mean(logits))))


def uniform_rate(means: ArrayLike) -> float:
    """Rate of uniform sampling, Γ_2 / K; g(½, μ) for two arms."""
    return downfall(means, 2).value / np.size(means)


def sr_rate_terms(means: ArrayLike) -> Floats:
    """Γ_j / (j logbar(K)) for j = 2..K, shape (K−1,): the ways Successive Rejects can fail."""
    arms = int(np.size(means))
    return np.array([downfall(means, j).value / (j * log_bar(arms)) for j in range(2, arms + 1)])


def sr_rate(means: ArrayLike) -> float:
    """Exact rate of Successive Rejects: min over j = 2..K of Γ_j / (j logbar(K))."""
    return float(sr_rate_terms(means).min())


def static_rate(means: ArrayLike, weights: ArrayLike) -> float:
    """Rate of the fixed allocation w: min_k −(w_1+w_k) ln( μ_1^u μ_k^{1−u} + (1−μ_1)^u (1−μ_k)^{1−u} ).

    u = w_1/(w_1+w_k). `means` and `weights` (K,), weights sum to 1, `weights[i]` belongs to `means[i]`.
    """
    m, w = np.asarray(means, dtype=float), np.asarray(weights, dtype=float)
    best = int(np.argmax(m))
    others = np.delete(np.arange(m.size), best)
    return float(_pair_rates(m[best], w[best], m[others], w[others]).min())


def _pair_rates(mean_best: float, weight_best: float, means: Floats, weights: Floats) -> Floats:
    total = weight_best + weights
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = total * two_arm_rate(weights / total, mean_best, means)
    return np.where(total > 0, rates, 0.0)


def three_arm_log_ratio(mean_1: float, means_2: ArrayLike, means_3: ArrayLike) -> Floats:
    """ln(uniform rate / SR rate) for (μ_1, μ_2, μ_3), vectorised; positive where uniform is better.

    The other two means in any order, both below `mean_1`, broadcast; NaN elsewhere. As `downfall`, on
    arrays.
    """
    one, other = np.broadcast_arrays(np.asarray(means_2, dtype=float), np.asarray(means_3, dtype=float))
    m2, m3 = np.maximum(one, other), np.minimum(one, other)
    nearest = 2 * two_arm_rate(0.5, mean_1, m2)
    farthest = 2 * two_arm_rate(0.5, mean_1, m3)
    common = 0.5 * (logit(mean_1) + logit(m3))
    with np.errstate(divide="ignore", invalid="ignore"):
        product = np.cbrt(mean_1 * m2 * m3) + np.cbrt((1 - mean_1) * (1 - m2) * (1 - m3))
        both = -3 * np.log(product)
        third = np.where(common <= logit(m2), farthest, both)
        sr = np.minimum(nearest / 2, third / 3) / log_bar(3)
        ratio = np.log(nearest / 3) - np.log(sr)
    return np.where(m2 < mean_1, ratio, np.nan)
