"""What a sweep found: every result as mean and confidence per setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.intervals import Mean, mean_of
from engine.core.sweeps.folder import Outcome
from engine.core.sweeps.plan import SweepPlan


@dataclass(frozen=True)
class SettingResult:
    """One setting: its grid values, how many runs finished and failed, and its results."""

    number: int
    values: Mapping[str, Any]
    finished: int
    failed: int
    means: Mapping[str, Mean]
    words: Mapping[str, str]
    seconds: Mean | None


def setting_results(plan: SweepPlan, outcomes: Mapping[str, Outcome]) -> list[SettingResult]:
    """The results of every setting, in the order of the grid. `outcomes` by key of run."""
    found = []
    for number, (values, parameters) in enumerate(plan.settings):
        ended = [outcomes.get(plan.key(parameters, seed)) for seed in plan.seeds]
        finished = [o for o in ended if o is not None and o.status == "finished"]
        failed = sum(1 for o in ended if o is not None and o.status == "failed")
        means, words = _summaries(finished)
        seconds = [o.seconds for o in finished if o.seconds is not None]
        found.append(
            SettingResult(
                number, values, len(finished), failed, means, words, mean_of(seconds) if seconds else None
            )
        )
    return found


def result_names(results: Sequence[SettingResult]) -> list[str]:
    """The numeric results, in the order they first came."""
    return list(dict.fromkeys(name for result in results for name in result.means))


def word_names(results: Sequence[SettingResult]) -> list[str]:
    """The results that are words."""
    return list(dict.fromkeys(name for result in results for name in result.words))


def _summaries(outcomes: Sequence[Outcome]) -> tuple[dict[str, Mean], dict[str, str]]:
    names = dict.fromkeys(name for outcome in outcomes for name in outcome.results or {})
    means: dict[str, Mean] = {}
    words: dict[str, str] = {}
    for name in names:
        values = [o.results[name] for o in outcomes if o.results and name in o.results]
        numbers = [float(v) for v in values if isinstance(v, (int, float))]
        if numbers and len(numbers) == len(values):
            means[name] = mean_of(numbers)
        else:
            words[name] = _most_common([str(v) for v in values])
    return means, words


def _most_common(words: Sequence[str]) -> str:
    """The words that came, the most frequent first: "two_stage (3), uniform (2)"."""
    counts = {word: words.count(word) for word in words}
    if len(counts) == 1:
        return words[0]
    ranked = sorted(counts, key=lambda word: -counts[word])
    return ", ".join(f"{word} ({counts[word]})" for word in ranked)
