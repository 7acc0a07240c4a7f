"""Faces of a figure: Inter as shipped, DejaVu Sans behind it, and what neither can write."""

from __future__ import annotations

import dataclasses
import unicodedata
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from matplotlib import font_manager, ft2font

from engine.core.figures.palette import RESOURCES

FALLBACK = "DejaVu Sans"
TABULAR = ("tnum",)
MOST_FURTHER = 3

# What no font can write is named in the report; matplotlib would warn at every measurement.
warnings.filterwarnings("ignore", message="Glyph .* missing from font")
NAMED_FALLBACKS = ("Helvetica", "Arial", "sans-serif")


@cache
def register() -> bool:
    """Make the shipped faces known to matplotlib, before any of the same name; False if they are absent.

    An installed Inter is often a CFF font, which PDF cannot hold as TrueType: the shipped one wins.
    """
    files = sorted((RESOURCES / "fonts").glob("Inter-*.ttf"))
    known = font_manager.fontManager
    before = len(known.ttflist)
    for file in files:
        known.addfont(file)
    bold = [
        e for e in known.ttflist[:before] if e.name == FALLBACK and e.weight == 700 and e.style == "normal"
    ]
    known.ttflist += [dataclasses.replace(entry, weight=600) for entry in bold]
    known.ttflist[:] = [*known.ttflist[before:], *known.ttflist[:before]]
    return bool(files)


def families(family: str, texts: Iterable[str] = ()) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    """Families to draw with, characters taken from a fallback, and characters no font here can write.

    The chain is `family`, DejaVu Sans, then up to three installed TrueType faces for what both lack.
    """
    register()
    wanted = sorted({c for text in texts for c in text if not c.isspace() and _visible(c)})
    chain = [name for name in dict.fromkeys((family, FALLBACK)) if _file(name)]
    borrowed = [c for c in wanted if not chain or not _writes(_file(chain[0]), c)]
    lacking = [c for c in borrowed if not any(_writes(_file(name), c) for name in chain)]
    if lacking:
        for _ in range(MOST_FURTHER):
            helper, lacking = _face_for(lacking)
            chain += [helper] if helper else []
    return chain, tuple(c for c in borrowed if c not in lacking), tuple(lacking)


def tabular_width(text: str, prop: font_manager.FontProperties) -> float:
    """Advance width in points of `text` with figures of equal width.

    The ink box leaves out bearings, which differ from figure to figure: between two zeros they cancel.
    """
    font = font_manager.get_font(font_manager.fontManager._find_fonts_by_props(prop))
    font.set_size(prop.get_size_in_points(), 72)
    widths = []
    for padded in (f"0{text}0", "00"):
        font.set_text(padded, 0, flags=ft2font.LoadFlags.NO_HINTING, features=TABULAR)
        widths.append(font.get_width_height()[0] / 64)
    return widths[0] - widths[1]


def _visible(character: str) -> bool:
    """Whether the character has a glyph: not a control, a joiner or a variation selector."""
    selector = 0xFE00 <= ord(character) <= 0xFE0F
    return not selector and unicodedata.category(character) not in ("Cc", "Cf", "Cs")


@cache
def _file(family: str) -> str:
    try:
        return font_manager.findfont(family, fallback_to_default=False)
    except ValueError:
        return ""


@cache
def _opened(file: str) -> ft2font.FT2Font:
    return ft2font.FT2Font(file)


def _writes(file: str, character: str) -> bool:
    return bool(file) and _opened(file).get_char_index(ord(character)) != 0


def _face_for(characters: list[str]) -> tuple[str, list[str]]:
    """The installed TrueType family that writes most of `characters`, and what it lacks too."""
    best, left = "", characters
    for entry in _truetype_faces():
        try:
            missing = [c for c in characters if not _writes(entry.fname, c)]
        except (OSError, RuntimeError):
            continue
        if len(missing) < len(left):
            best, left = entry.name, missing
    return best, left


@cache
def _truetype_faces() -> tuple[Any, ...]:
    """One upright regular face per family; .otf files hold CFF outlines and are passed over."""
    faces: dict[str, Any] = {}
    for entry in font_manager.fontManager.ttflist:
        upright = entry.style == "normal" and entry.weight in (400, "normal", "regular", "book")
        if (
            upright
            and "Last Resort" not in entry.name
            and Path(entry.fname).suffix.lower() in (".ttf", ".ttc")
        ):
            faces.setdefault(entry.name, entry)
    return tuple(faces.values())


def svg_with_fallbacks(svg: str, families: list[str]) -> str:
    """The SVG with common families named after those drawn with, and figures of equal width in tables.

    matplotlib writes only its own families and no font features.
    """
    drawn = ", ".join(f"'{name}'" for name in families)
    named = ", ".join([drawn, *(f"'{name}'" if name != "sans-serif" else name for name in NAMED_FALLBACKS)])
    rule = "*{stroke-linejoin: round; stroke-linecap: butt}"
    tabular = "text{font-feature-settings: 'tnum'}"
    return svg.replace(f"font-family: {drawn}", f"font-family: {named}").replace(rule, f"{rule} {tabular}", 1)
