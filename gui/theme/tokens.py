"""The design tokens, read once from ``resources/tokens.json`` into typed, frozen values.

Code refers to tokens by name only; the file is the single place where a colour or a size is written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
"""Folder of fonts, icons and ``tokens.json``."""

ThemeName = Literal["light", "dark"]
TypeName = Literal["display", "title", "dialog", "section", "body", "control", "small", "caption", "code"]


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of one theme as ``#RRGGBB``; ``shadow`` and ``scrim`` carry an opacity as ``#AARRGGBB``."""

    window: str
    sidebar: str
    surface: str
    sunken: str
    raised: str
    hover: str
    pressed: str
    border: str
    border_strong: str
    control_border: str
    text: str
    text_secondary: str
    text_tertiary: str
    text_disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    on_accent: str
    accent_text: str
    accent_soft: str
    focus: str
    success: str
    success_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    info: str
    info_soft: str
    plot_bg: str
    axis: str
    grid: str
    tick_label: str
    reference: str
    selection: str
    muted_mark: str
    tooltip: str
    tooltip_text: str
    shadow: str
    scrim: str


@dataclass(frozen=True, slots=True)
class Categories:
    """Eight categorical fills with their edge shades (text, thin lines, outlines), index 0 to 7."""

    fill: tuple[str, ...]
    edge: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CycleStyle:
    """Line and marker of entities ``8·level`` to ``8·level + 7``; ``dash`` in logical px, empty = solid."""

    dash: tuple[float, ...]
    name: str
    marker: str


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """Size and line height in logical px, weight on the 100 to 900 scale."""

    size: int
    line: int
    weight: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths of controls in logical px."""

    control: int
    control_large: int
    chip: int
    badge: int
    icon: int
    icon_small: int
    icon_large: int
    checkbox: int
    list_item: int
    list_header: int
    table_row: int
    menu_item: int
    palette_item: int
    sidebar: int
    form: int
    form_narrow: int
    form_label: int
    header: int
    sidebar_top: int
    card_title: int
    drawer_bar: int
    progress: int
    progress_top: int
    slider_groove: int
    slider_handle: int
    toast: int
    gap_cards: int
    gallery_card: tuple[int, int]
    gallery_figure: int
    window_min: tuple[int, int]
    view_min: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Radii:
    """Corner radii in logical px."""

    badge: int
    control: int
    card: int
    button_large: int
    popover: int
    chip: int
    menu: int


@dataclass(frozen=True, slots=True)
class Lines:
    """Line widths in logical px."""

    border: float
    focus: float
    focus_offset: float
    curve: float
    curve_dense: float
    reference: float
    selection: float
    axis: float
    grid: float
    hull: float


@dataclass(frozen=True, slots=True)
class Markers:
    """Marker diameters in logical px and their opacity."""

    size: float
    size_dense: float
    size_selected: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Opacities:
    """Opacities between 0 and 1 of what lies over or under the data."""

    band: float
    bracket: float
    hull: float
    hull_edge: float
    unselected: float
    preview: float


@dataclass(frozen=True, slots=True)
class Motion:
    """Durations in ms."""

    popover_ms: int
    collapse_ms: int
    toast_ms: int
    toast_visible_ms: int
    progress_ms: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of the design."""

    light: Colours
    dark: Colours
    categories: dict[ThemeName, Categories]
    cycle: tuple[CycleStyle, ...]
    zero_based: dict[ThemeName, tuple[str, str]]
    family: str
    mono: str
    type: dict[TypeName, TypeStyle]
    size: Sizes
    radius: Radii
    line: Lines
    marker: Markers
    opacity: Opacities
    motion: Motion

    def colours(self, name: ThemeName) -> Colours:
        """Colours of the theme called ``name``."""
        return self.dark if name == "dark" else self.light


def _with_alpha(text: str) -> str:
    """Turn ``"#1A1B22 at 16%"`` into ``"#291A1B22"``, the order QColor reads."""
    colour, _, share = text.partition(" at ")
    alpha = round(float(share.rstrip("%")) * 2.55)
    return f"#{alpha:02X}{colour.lstrip('#')}"


def _pick(kind: type, values: dict[str, Any]) -> Any:
    """Build the frozen record ``kind`` from the entries of ``values`` that it names."""
    chosen = {f.name: values[f.name] for f in fields(kind)}
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in chosen.items()})


def _colours(raw: dict[str, Any], name: str) -> Colours:
    values = dict(raw[name], scrim=_with_alpha(raw["scrim"][name]))
    values["shadow"] = _with_alpha(values["shadow"])
    colours: Colours = _pick(Colours, values)
    return colours


def read_tokens(path: Path = RESOURCES / "tokens.json") -> Tokens:
    """Read the token file.

    Raises:
        KeyError: an entry the program uses is missing from the file.
    """
    raw = json.loads(path.read_text(encoding="utf-8"))
    themes: tuple[ThemeName, ThemeName] = ("light", "dark")
    categories, maps = raw["categorical"], raw["maps"]
    return Tokens(
        light=_colours(raw, "light"),
        dark=_colours(raw, "dark"),
        categories={t: _pick(Categories, categories[t]) for t in themes},
        cycle=tuple(CycleStyle(tuple(c["line"]), c["line_name"], c["marker"]) for c in categories["cycle"]),
        zero_based={t: tuple(maps["sequential_zero_based"][t]) for t in themes},
        family=raw["type"]["family"],
        mono=raw["type"]["mono"],
        type={name: TypeStyle(*values) for name, values in raw["type"]["scale"].items()},
        size=_pick(Sizes, raw["size"]),
        radius=_pick(Radii, raw["radius"]),
        line=_pick(Lines, raw["line"]),
        marker=_pick(Markers, raw["marker"]),
        opacity=_pick(Opacities, raw["opacity"]),
        motion=_pick(Motion, raw["motion"]),
    )


TOKENS = read_tokens()
"""The tokens of the shipped design."""
