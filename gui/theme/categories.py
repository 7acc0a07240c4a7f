"""Colour, line and marker of the entities of a tab, the same on screen wherever an entity appears."""

from __future__ import annotations

from dataclasses import dataclass

from gui.theme.tokens import TOKENS, ThemeName

GROUPS = (0, 1, 2, 3, 4, 5, 6, 7)
"""Order in which groups (clusters, classes, arms) take categories."""
COMPARED = (7, 3, 4, 5, 0, 1, 2, 6)
"""Order in which compared things (linkages, algorithms, models) take categories."""
SHAPES = ("circle", "square", "diamond", "triangle")
"""Shapes by position for up to four series in one view, so that the figure survives a grey print."""
_PER_CYCLE = 8


@dataclass(frozen=True, slots=True)
class EntityStyle:
    """How one entity is drawn.

    Attributes:
        fill: colour of filled marks and thick lines, ``#RRGGBB``.
        edge: shade for text about the entity, thin lines and outlines.
        dash: on and off lengths in logical px, empty = solid; see ``gui.theme.plot.cosmetic_pen``.
        marker: circle, square, triangle or diamond.
    """

    fill: str
    edge: str
    dash: tuple[float, ...]
    marker: str


def entity_style(index: int, name: ThemeName) -> EntityStyle:
    """Style of the entity with this index: colour ``index mod 8``, line and marker ``index // 8``.

    From 32 on all are drawn as context and named on hover and in the table only.

    Raises:
        ValueError: the index is negative.
    """
    if index < 0:
        raise ValueError(f"an entity's index is 0 or more, not {index}")
    level, place = divmod(index, _PER_CYCLE)
    if level >= len(TOKENS.cycle):
        muted = TOKENS.colours(name).muted_mark
        return EntityStyle(muted, muted, (), TOKENS.cycle[0].marker)
    categories, cycle = TOKENS.categories[name], TOKENS.cycle[level]
    return EntityStyle(categories.fill[place], categories.edge[place], cycle.dash, cycle.marker)
