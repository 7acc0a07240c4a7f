"""Names and end colours of the maps for numbers, by what the numbers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gui.theme.tokens import TOKENS, ThemeName

if TYPE_CHECKING:
    from pyqtgraph import ColorMap

Meaning = Literal["sequential", "from_zero", "signed", "angle"]

_NAMES: dict[Meaning, dict[ThemeName, str]] = {
    "sequential": {"light": "viridis", "dark": "viridis"},
    "signed": {"light": "RdBu_r", "dark": "berlin"},
    "angle": {"light": "twilight_shifted", "dark": "twilight_shifted"},
}


def map_name(meaning: Meaning, name: ThemeName) -> str:
    """Matplotlib's name of the map; ``from_zero`` has none, see ``TOKENS.zero_based``.

    Raises:
        KeyError: the meaning has no named map.
    """
    return _NAMES[meaning][name]


def colour_map(meaning: Meaning, name: ThemeName) -> ColorMap:
    """Map of the window's plots for values of this meaning.

    Matplotlib's maps are read through pyqtgraph, which imports ``matplotlib`` at the first call of
    ``signed`` and ``angle``; ``sequential`` and ``from_zero`` import nothing more.
    """
    import pyqtgraph as pg

    if meaning == "from_zero":
        low, high = TOKENS.zero_based[name]
        return pg.ColorMap([0.0, 1.0], [pg.mkColor(low), pg.mkColor(high)])
    if meaning == "sequential":
        return pg.colormap.get(map_name(meaning, name))
    return pg.colormap.get(map_name(meaning, name), source="matplotlib")
