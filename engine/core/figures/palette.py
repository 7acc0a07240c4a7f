"""Colours, line styles and shapes of one theme, read from ``resources/tokens.json``.

Categories are Okabe and Ito's eight colours; index i beyond eight takes colour i mod 8 with style ⌊i/8⌋.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.figures.style import Theme

RESOURCES = Path(__file__).resolve().parents[3] / "resources"
DASHES: tuple[tuple[float, ...], ...] = ((), (5.0, 2.5), (1.2, 2.0), (6.0, 2.0, 1.2, 2.0))
SHAPES: tuple[str, ...] = ("o", "s", "^", "D")
POSITION_SHAPES: tuple[str, ...] = ("o", "s", "D", "^")
NAMED_COLOURS = 32
LINE_DASHES: dict[str, tuple[float, ...]] = {
    "solid": (),
    "dashed": DASHES[1],
    "dotted": DASHES[2],
    "dash-dot": DASHES[3],
}


@dataclass(frozen=True)
class Palette:
    """The colours of one theme as hexadecimal text. `fills` and `edges` hold the eight categories."""

    theme: Theme
    ground: str
    text: str
    secondary: str
    tertiary: str
    axis: str
    grid: str
    border: str
    reference: str
    selection: str
    on_selection: str
    muted: str
    sunken: str
    accent: str
    success: str
    warning: str
    danger: str
    fills: tuple[str, ...]
    edges: tuple[str, ...]
    zero_based: tuple[str, str]
    diverging: str

    def fill(self, index: int | None) -> str:
        """Fill of category `index`; None, −1 and indices from 32 on are context (muted)."""
        return self.fills[index % 8] if self.named(index) else self.muted  # type: ignore[operator]

    def edge(self, index: int | None) -> str:
        """Outline, thin lines and text of category `index`: at least 4.5 to 1 on a light ground."""
        return self.edges[index % 8] if self.named(index) else self.tertiary  # type: ignore[operator]

    def line(self, index: int | None, marked: bool) -> str:
        """Colour of a thin line: pale categories take their edge shade unless marks of a shape carry them."""
        return self.edge(index) if self.pale(index) and not (marked and index % 8 != 6) else self.fill(index)  # type: ignore[operator]

    def pale(self, index: int | None) -> bool:
        """Whether the fill is below 3 to 1 on its ground: sky, orange and yellow on light ones."""
        return self.theme != "dark" and index is not None and self.named(index) and index % 8 in (4, 5, 6)

    @staticmethod
    def named(index: int | None) -> bool:
        """Whether `index` has a colour of its own."""
        return index is not None and 0 <= index < NAMED_COLOURS

    @staticmethod
    def dashes(index: int | None) -> tuple[float, ...]:
        """Dash lengths in line widths of category `index`; empty is solid."""
        return DASHES[index // 8] if index is not None and 0 <= index < NAMED_COLOURS else ()

    @staticmethod
    def shape(index: int | None) -> str:
        """Marker of category `index` by the group of eight it lies in."""
        return SHAPES[index // 8] if index is not None and 0 <= index < NAMED_COLOURS else "o"


@cache
def palette(theme: Theme) -> Palette:
    """The palette of `theme`; print is the light one with black ink and text."""
    tokens = _tokens()
    ui = tokens["dark" if theme == "dark" else "light"]
    categories = tokens["categorical"]
    shades = categories["dark" if theme == "dark" else "light"]
    fills, edges = tuple(categories[theme]["fill"]), tuple(shades["edge"])
    printed = theme == "print"
    black = fills[7]
    return Palette(
        theme=theme,
        ground=ui["plot_bg"],
        text=black if printed else ui["text"],
        secondary=black if printed else ui["text_secondary"],
        tertiary=ui["text_tertiary"],
        axis=black if printed else ui["axis"],
        grid=ui["grid"],
        border=ui["border_strong"],
        reference=ui["text_secondary"] if printed else ui["reference"],
        selection=ui["selection"],
        on_selection=ui["plot_bg"] if theme == "dark" else ui["on_accent"],
        muted=ui["muted_mark"],
        sunken=ui["sunken"],
        accent=ui["accent"],
        success=ui["success"],
        warning=ui["warning"],
        danger=ui["danger"],
        fills=fills,
        edges=(*edges[:7], black) if printed else edges,
        zero_based=tuple(tokens["maps"]["sequential_zero_based"]["dark" if theme == "dark" else "light"]),
        diverging=tokens["maps"]["diverging"][theme],
    )


def colour_map(name: str, colours: Palette) -> Any:
    """The matplotlib map for "sequential", "zero", "diverging" or "cyclic"; undefined is transparent."""
    from matplotlib import colormaps
    from matplotlib.colors import Colormap, LinearSegmentedColormap

    made: Colormap
    if name == "zero":
        made = LinearSegmentedColormap.from_list("from zero", colours.zero_based)
    else:
        known = _tokens()["maps"]
        made = colormaps[colours.diverging if name == "diverging" else known.get(name, known["sequential"])]
    return made.with_extremes(bad="none")


def contrasting(red: float, green: float, blue: float) -> str:
    """Black or white, whichever reads better on the colour (components 0…1, WCAG 2 luminance)."""
    return "#000000" if luminance(red, green, blue) > 0.179 else "#FFFFFF"


def luminance(red: float, green: float, blue: float) -> float:
    """Relative luminance of an sRGB colour (WCAG 2), 0…1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def lightness(colour: str) -> float:
    """CIE L* of a colour given as "#RRGGBB", 0…100: what is left of it in a grey print."""
    y = luminance(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@cache
def _tokens() -> dict[str, Any]:
    return json.loads((RESOURCES / "tokens.json").read_text("utf-8"))
