"""The vocabulary of views: what a method can show.

A kind is a declaration (`View`), a state (`ViewState`), a drawing in ``gui/views`` and a drawing in
``engine/core/figures``; the tables of both are tested to hold exactly the kinds below.

========== ============================================================= ==============================
kind       shows                                                         asked for by
========== ============================================================= ==============================
lines      curves, bands, brackets, references, rugs, spans, stacks      all nineteen
scatter    points with hulls, segments, stars; latitude/longitude        linkage, benchmark_choice, …
bars       bars, histograms, whiskers, draggable heights                 best_arm, sleb, rule_music, …
heat-map   matrices; functions over the plane with contours              best_arm, mokd, mutation_effect, …
table      numbers as a paper prints them, intervals, editable cells     all nineteen
dendrogram merge trees with a cut                                        linkage, benchmark_choice
graph      nodes and edges                                               linkage (families), scenecraft, …
panel      toggles, sliders, buttons                                     benchmark_choice, localized_edit, …
image-grid thumbnails with states, filters and orders                    concept_memory, mokd, causal_iqa, …
========== ============================================================= ==============================

Kinds that arrive with the method that first needs them, each as one more file here: 3D scene and
molecules (scenecraft, mutation_effect), piano roll with sound
(rule_music), text, tokens and code with differences (sleb, scenecraft), trajectory tree (twisted_smc).
"""

from engine.core.views.bars import Bars, BarSeries, BarsState
from engine.core.views.controls import Button, Control, Slider, Switch, Toggle
from engine.core.views.declaration import Axis, View, ViewState
from engine.core.views.dendrogram import Dendrogram, DendrogramState
from engine.core.views.graph import Graph, GraphState
from engine.core.views.heat_map import HeatMap, HeatMapState
from engine.core.views.image_grid import ImageGrid, ImageGridState, TileFilter, TileMark, TileOrder
from engine.core.views.lines import Bracket, Level, Lines, LinesState, Reference, Rug, Series, Span
from engine.core.views.panel import Panel, PanelState
from engine.core.views.scatter import Group, Polygon, Scatter, ScatterState, Segments
from engine.core.views.table import Column, Table, TableState

KINDS: dict[str, type[View]] = {
    view.kind: view for view in (Lines, Scatter, Bars, HeatMap, Table, Dendrogram, Graph, Panel, ImageGrid)
}
STATES: dict[str, type[ViewState]] = {
    state.kind: state
    for state in (
        LinesState,
        ScatterState,
        BarsState,
        HeatMapState,
        TableState,
        DendrogramState,
        GraphState,
        PanelState,
        ImageGridState,
    )
}

__all__ = [
    "KINDS",
    "STATES",
    "Axis",
    "BarSeries",
    "Bars",
    "BarsState",
    "Bracket",
    "Button",
    "Column",
    "Control",
    "Dendrogram",
    "DendrogramState",
    "Graph",
    "GraphState",
    "Group",
    "HeatMap",
    "HeatMapState",
    "ImageGrid",
    "ImageGridState",
    "Level",
    "Lines",
    "LinesState",
    "Panel",
    "PanelState",
    "Polygon",
    "Reference",
    "Rug",
    "Scatter",
    "ScatterState",
    "Segments",
    "Series",
    "Slider",
    "Span",
    "Switch",
    "Table",
    "TableState",
    "TileFilter",
    "TileMark",
    "TileOrder",
    "Toggle",
    "View",
    "ViewState",
]
