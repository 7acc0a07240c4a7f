"""Makes the figures of the start page from real runs: one quick run per method, light and dark.

Run from the top folder: python resources/gallery/make.py [slug ...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from engine.core.board import Board
from engine.core.figures.draw import draw
from engine.core.figures.style import FigureStyle
from engine.core.method import Method
from engine.core.records.library import Library
from engine.core.registry import method as method_named
from engine.core.registry import methods
from engine.core.running.engine import Engine
from engine.core.scripting import prepare

HERE = Path(__file__).parent
WIDTH, HEIGHT = 2.35, 0.96
"""Inches: the proportions of a card's figure."""
DPI = 288


def main(slugs: list[str]) -> None:
    """Make the figures of these methods, or of all."""
    for slug in slugs or list(methods()):
        method = method_named(slug)
        board = board_of(method)
        for theme in ("light", "dark"):
            save(method, board, theme)
            print(HERE / f"{slug}-{theme}.png")


def board_of(method: Method) -> Board:
    """What the views show after the quick preset."""
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Library(Path(folder) / "runs"), Path(folder) / "cache")
        try:
            request, _ = prepare(method.slug, preset=method.presets[0].name)
            job = engine.submit(request)
            job.ended.wait()
        finally:
            engine.close(timeout=30)
    return job.board


def save(method: Method, board: Board, theme: str) -> None:
    """The gallery view as data on the plot ground, without axes and words."""
    view = method.view(method.gallery or method.views[0].name)
    state = board.state(view.name)
    assert state is not None, f"{method.slug}: {view.name} shows nothing after a quick run"
    style = FigureStyle(width=4 * WIDTH / 2, height=4 * HEIGHT / 2, theme=theme, legend="none", title=False)
    figure = draw(view, state, style)
    figure.set_layout_engine("none")
    for axes in figure.axes[1:]:
        axes.remove()
    axes = figure.axes[0]
    axes.set_axis_off()
    for text in [*axes.texts, *figure.texts]:
        text.remove()
    axes.set_position((0.05, 0.1, 0.9, 0.8))
    figure.savefig(HERE / f"{method.slug}-{theme}.png", dpi=DPI * 2 / 4, facecolor=figure.get_facecolor())


if __name__ == "__main__":
    main(sys.argv[1:])
