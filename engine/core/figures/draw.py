"""From a view and its state to a matplotlib figure; the table of drawings, one for each kind.

Figure and canvas are made explicitly, so that drawing needs no screen and touches no global figure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure
from matplotlib.text import Text

from engine.core.errors import UnknownNameError
from engine.core.figures import fonts
from engine.core.figures.bars import draw_bars
from engine.core.figures.dendrogram import draw_dendrogram
from engine.core.figures.graph import draw_graph
from engine.core.figures.heat_map import draw_heat_map
from engine.core.figures.image_grid import draw_image_grid
from engine.core.figures.lines import draw_lines
from engine.core.figures.panel import draw_panel
from engine.core.figures.scatter import draw_scatter
from engine.core.figures.sheet import Sheet, blank, settings, use_families
from engine.core.figures.style import FigureStyle
from engine.core.figures.table import draw_table
from engine.core.views import View, ViewState

Drawing = Callable[[Any, Any, Sheet], None]
DRAWINGS: dict[str, Drawing] = {
    "lines": draw_lines,
    "scatter": draw_scatter,
    "bars": draw_bars,
    "heat-map": draw_heat_map,
    "table": draw_table,
    "dendrogram": draw_dendrogram,
    "graph": draw_graph,
    "panel": draw_panel,
    "image-grid": draw_image_grid,
}


def draw(view: View, state: ViewState, style: FigureStyle | None = None) -> Figure:
    """The view as a figure of exactly the size in `style`.

    Raises:
        UnknownNameError: a kind of view that has no drawing.
    """
    return compose(view, state, style or FigureStyle()).figure


def compose(view: View, state: ViewState, style: FigureStyle) -> Sheet:
    """The figure together with what has to be said about it; `sheet.figure` is laid out for good.

    Characters Inter cannot write are looked for first, then the view is drawn, since a different face
    takes different room.

    Raises:
        UnknownNameError: a kind of view that has no drawing.
    """
    if view.kind not in DRAWINGS:
        raise UnknownNameError("kind of view", view.kind, DRAWINGS)
    chain, _, _ = fonts.families(style.family)
    sheet = _drawn(view, state, style, chain)
    borrowed, missing = use_families(sheet, sheet.figure.findobj(Text))
    if sheet.families != chain:
        sheet = _drawn(view, state, style, sheet.families)
    sheet.missing = missing
    if missing:
        sheet.notes.append(f"No font here can write: {' '.join(missing)}")
    if borrowed and sheet.families[0] == style.family:
        sheet.notes.append(f"Not in {style.family}, drawn from another font: {' '.join(borrowed)}")
    return sheet


def smallest_text(figure: Figure) -> float:
    """Size in points of the smallest text that is drawn; 0 where there is none."""
    sizes = [t.get_fontsize() for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    return float(min(sizes, default=0.0))


def _drawn(view: View, state: ViewState, style: FigureStyle, families: list[str]) -> Sheet:
    sheet = blank(style, families)
    with settings(families, style):
        DRAWINGS[view.kind](view, state, sheet)
        sheet.lay_out()
        sheet.figure.set_layout_engine("none")
    return sheet
