"""The window's drawings: one class per kind of view, found by its word and imported when first shown."""

from __future__ import annotations

import importlib

from PySide6.QtWidgets import QWidget

from engine.core.views import View
from gui.views.drawing import Drawing

DRAWINGS: dict[str, str] = {
    "lines": "gui.views.lines:LinesDrawing",
    "scatter": "gui.views.scatter:ScatterDrawing",
    "bars": "gui.views.bars:BarsDrawing",
    "heat-map": "gui.views.heat_map:HeatMapDrawing",
    "table": "gui.views.table:TableDrawing",
    "dendrogram": "gui.views.dendrogram:DendrogramDrawing",
    "graph": "gui.views.graph:GraphDrawing",
    "panel": "gui.views.panel:PanelDrawing",
    "image-grid": "gui.views.image_grid:ImageGridDrawing",
}
"""Kind of view → ``module:class`` of its drawing; exactly the kinds of ``engine.core.views.KINDS``."""


def drawing_class(kind: str) -> type[Drawing]:
    """The drawing of a kind of view.

    Raises:
        KeyError: there is no such kind.
    """
    module, name = DRAWINGS[kind].split(":")
    return getattr(importlib.import_module(module), name)


def make_drawing(view: View, parent: QWidget | None = None) -> Drawing:
    """A drawing of ``view``, empty until its first state."""
    return drawing_class(view.kind)(view, parent)
