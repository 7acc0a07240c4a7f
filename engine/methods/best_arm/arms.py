"""What the tab computes with: named arms with their means, from counts, logs, or typed numbers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.methods.best_arm.instances import jeffreys_mean

MAX_ARMS = 200


@dataclass(frozen=True, eq=False, kw_only=True)
class Arms:
    """One instance: `names` and `means` (K,) in [0, 1].

    `successes` and `trials` (K,) where the means come from counts; `log_arms` (n,) positions and
    `log_rewards` (n,) of 0 and 1, in order, where there is a log to replay.
    """

    name: str
    names: tuple[str, ...]
    means: NDArray[np.float64]
    successes: NDArray[np.int64] | None = None
    trials: NDArray[np.int64] | None = None
    log_arms: NDArray[np.int64] | None = None
    log_rewards: NDArray[np.int64] | None = None

    @property
    def count(self) -> int:
        """K."""
        return self.means.size

    def with_jeffreys(self) -> Arms:
        """Means (s+½)/(n+1) where there are counts; unchanged otherwise."""
        if self.successes is None or self.trials is None:
            return self
        return replace(self, means=jeffreys_mean(self.successes, self.trials))

    def with_means(self, means: NDArray[np.float64]) -> Arms:
        """The same arms with other means (a person moved them): counts and log no longer belong."""
        return Arms(name=self.name, names=self.names, means=np.asarray(means, dtype=float).copy())

    def best_first(self) -> Arms:
        """The arms in falling order of their means; ties keep their order."""
        order = np.argsort(-self.means, kind="stable")
        position = np.empty(order.size, np.int64)
        position[order] = np.arange(order.size)
        return replace(
            self,
            names=tuple(self.names[k] for k in order),
            means=self.means[order],
            successes=None if self.successes is None else self.successes[order],
            trials=None if self.trials is None else self.trials[order],
            log_arms=None if self.log_arms is None else position[self.log_arms],
        )


@dataclass(frozen=True, eq=False)
class Instances:
    """One or several instances, each in falling order of its means."""

    items: tuple[Arms, ...]

    @property
    def n(self) -> int:
        """Arms in all instances together."""
        return sum(arms.count for arms in self.items)

    def summary(self) -> str:
        """What was read, in a few words."""
        if len(self.items) == 1:
            arms = self.items[0]
            text = f"{arms.count:,} arms, means {arms.means.min():.4g} to {arms.means.max():.4g}"
            return text if arms.log_arms is None else f"{text}, {arms.log_arms.size:,} logged rewards"
        return f"{len(self.items)} instances of {', '.join(str(arms.count) for arms in self.items)} arms"

    def fingerprint(self) -> str:
        """SHA-256 over names, means, counts and logs."""
        digest = hashlib.sha256(b"arms 1")
        for arms in self.items:
            for text in (arms.name, *arms.names):
                digest.update(f"{len(text)}:{text}".encode())
            for part in (arms.means, arms.successes, arms.trials, arms.log_arms, arms.log_rewards):
                digest.update(b"-" if part is None else np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()


def arms_of(name: str, means: ArrayLike) -> Arms:
    """Arms named "arm 1" … in falling order of `means`."""
    values = np.sort(np.asarray(means, dtype=float))[::-1]
    return Arms(name=name, names=tuple(f"arm {k}" for k in range(1, values.size + 1)), means=values)


def means_in_words(means: NDArray[np.float64]) -> str:
    """ "(0.5, 0.45, 0.3)", or the first and last of many."""
    shown = [f"{m:.4g}" for m in means]
    if len(shown) > 5:
        same = len(set(shown[1:])) == 1
        shown = [shown[0], f"{shown[1]} × {len(shown) - 1}"] if same else [*shown[:3], "…", shown[-1]]
    return f"({', '.join(shown)})"
