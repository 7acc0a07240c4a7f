"""What the command palette offers, and the order in which matches are shown; no Qt here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gui.widgets.fuzzy import Match, fuzzy_match


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """Something to jump to or to do.

    Attributes:
        key: what is sent back when it is chosen.
        group: heading it stands under.
        title: what is matched against the typed letters.
        note: said beside the title, not matched.
        effect: what choosing it does, at right.
        shortcut: its keys, at right in place of the effect.
        icon: Phosphor icon.
    """

    key: object
    group: str
    title: str
    note: str = ""
    effect: str = ""
    shortcut: str = ""
    icon: str = "arrow-right"


@dataclass(frozen=True, slots=True)
class Found:
    """An item that matches, with the places of the matched letters in its title."""

    item: PaletteItem
    match: Match


def find_items(
    items: Iterable[PaletteItem], pattern: str, *, per_group: int = 8
) -> list[tuple[str, Sequence[Found]]]:
    """Items that match, in groups ordered by their best match; at most ``per_group`` in each.

    With nothing typed groups keep the order in which they are first named.
    """
    groups: dict[str, list[Found]] = {}
    for item in items:
        match = fuzzy_match(pattern, item.title)
        if match is not None:
            groups.setdefault(item.group, []).append(Found(item, match))
    for found in groups.values():
        found.sort(key=lambda one: -one.match.score)
    ordered = list(groups.items())
    if pattern.strip():
        ordered.sort(key=lambda group: -group[1][0].match.score)
    return [(name, found[:per_group]) for name, found in ordered]
