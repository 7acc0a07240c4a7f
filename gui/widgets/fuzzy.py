"""Match typed letters against names, in order but not necessarily together; no Qt here."""

from __future__ import annotations

from dataclasses import dataclass

_TOGETHER = 4.0
_WORD_START = 3.0
_FIRST = 2.0
_SKIPPED = 0.1
_NOWHERE = float("-inf")


@dataclass(frozen=True, slots=True)
class Match:
    """How well letters fit a name.

    Attributes:
        score: higher is better; only comparable for the same pattern.
        positions: indices of the matched letters in the name, ascending.
    """

    score: float
    positions: tuple[int, ...]


def fuzzy_match(pattern: str, name: str) -> Match | None:
    """Best way to find the letters of ``pattern`` in this order in ``name``; None if there is none.

    Case and blanks in the pattern do not matter. Letters that follow each other or begin a word count
    more, skipped letters between them a little less. Dynamic programme over (letter, place), as in
    local alignment, O(len(pattern) · len(name)²) at worst on names of a few dozen letters.
    """
    wanted = "".join(pattern.casefold().split())
    text = name.casefold()
    if not wanted:
        return Match(0.0, ())
    if len(text) != len(name) or not _in_order(wanted, text):
        return None
    bonus = [_start_bonus(name, place) for place in range(len(text))]
    best: list[list[float]] = []
    came: list[list[int]] = []
    for row, letter in enumerate(wanted):
        scores, origins = [_NOWHERE] * len(text), [-1] * len(text)
        for place, other in enumerate(text):
            if other != letter:
                continue
            if row == 0:
                scores[place] = 1.0 + bonus[place] - _SKIPPED * min(place, 10)
                continue
            for before in range(row - 1, place):
                gap = place - before - 1
                gain = _TOGETHER if gap == 0 else -_SKIPPED * gap
                total = best[row - 1][before] + 1.0 + bonus[place] + gain
                if total > scores[place]:
                    scores[place], origins[place] = total, before
        best.append(scores)
        came.append(origins)
    place = max(range(len(text)), key=best[-1].__getitem__)
    score = best[-1][place]
    if score == _NOWHERE:
        return None
    positions = [place]
    for row in range(len(wanted) - 1, 0, -1):
        place = came[row][place]
        positions.append(place)
    return Match(score - _SKIPPED * len(text) / 10, tuple(reversed(positions)))


def _in_order(wanted: str, text: str) -> bool:
    letters = iter(text)
    return all(letter in letters for letter in wanted)


def _start_bonus(name: str, place: int) -> float:
    if place == 0:
        return _WORD_START + _FIRST
    before, here = name[place - 1], name[place]
    inner_capital = here.isupper() and before.islower()
    return _WORD_START if not before.isalnum() or inner_capital else 0.0
