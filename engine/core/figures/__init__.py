"""Publication figures of any view, drawn by matplotlib from the same states the window draws.

``style`` says how large and in which colours; ``draw`` makes the figure; ``export`` writes it as PDF, SVG
or PNG, and the data behind it as CSV. Only ``style`` is imported here: matplotlib loads with ``draw``.

One file per kind of view: lines, scatter, bars, heat_map, table, dendrogram, graph, panel. What they share:
``palette`` (colours and shapes), ``fonts`` (faces and missing glyphs), ``ticks`` (numbers on axes),
``sheet`` (the page: axes, legend, notes), ``placing`` (labels beside curves), ``cell_text`` (numbers as a
paper prints them), ``tree_layout`` (places of merges). ``export`` writes files, ``series_data`` their CSV.
"""

from engine.core.figures.style import PRESETS, FigureStyle

__all__ = ["PRESETS", "FigureStyle"]
