"""Files: exact size, text as text, TrueType, the same bytes each time, whole or not at all."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from engine.core.board import Board
from engine.core.errors import StorageError, UnknownNameError
from engine.core.events import Show
from engine.core.figures.draw import DRAWINGS
from engine.core.figures.export import export, export_all
from engine.core.figures.style import PRESETS, FigureStyle
from engine.core.method import Cell, Method, Paper, Row
from engine.core.parameters import MethodParameters
from engine.core.views import KINDS, Column, Table, TableState

MM = 25.4
KIND_NAMES = sorted(KINDS)


def svg_texts(path: Path) -> list[str]:
    tree = ET.parse(path)
    return ["".join(t.itertext()) for t in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_every_kind_has_a_drawing() -> None:
    assert set(DRAWINGS) == set(KINDS)


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_size_fonts_and_texts(kind: str, samples: dict, tmp_path: Path) -> None:
    sample = samples[kind]
    style = PRESETS["single column"]
    width, height = style.millimetres
    for ending in ("pdf", "svg", "png"):
        path = tmp_path / f"figure.{ending}"
        report = export(sample.view, sample.state, path, style)
        assert report.bytes == path.stat().st_size > 500
        assert report.smallest_text >= 7
        assert report.missing == ()

    data = (tmp_path / "figure.pdf").read_bytes()
    box = re.search(rb"/MediaBox \[ ?([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) ?\]", data)
    assert box is not None
    left, low, right, high = (float(v) for v in box.groups())
    assert (right - left) / 72 * MM == pytest.approx(width, abs=0.1)
    assert (high - low) / 72 * MM == pytest.approx(height, abs=0.1)
    assert b"/Type3" not in data
    assert b"/FontFile2" in data

    root = ET.parse(tmp_path / "figure.svg").getroot()
    assert float(root.attrib["width"].removesuffix("pt")) / 72 * MM == pytest.approx(width, abs=0.1)
    assert float(root.attrib["height"].removesuffix("pt")) / 72 * MM == pytest.approx(height, abs=0.1)
    found = svg_texts(tmp_path / "figure.svg")
    assert not [text for text in sample.texts if not any(text in line for line in found)]

    with Image.open(tmp_path / "figure.png") as image:
        assert image.size[0] / 300 * MM == pytest.approx(width, abs=0.1)
        assert image.size[1] / 300 * MM == pytest.approx(height, abs=0.1)
        assert image.info["dpi"][0] == pytest.approx(300, abs=0.1)


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_nothing_reaches_over_the_edge(kind: str, samples: dict, tmp_path: Path) -> None:
    """The outermost millimetre of the page stays blank: nothing is cut off."""
    for legend in ("top", "right"):
        path = tmp_path / f"{legend}.png"
        export(samples[kind].view, samples[kind].state, path, FigureStyle(legend=legend, title=True))
        pixels = np.asarray(Image.open(path).convert("L"))
        rim = np.concatenate(
            (pixels[:3].ravel(), pixels[-3:].ravel(), pixels[:, :3].ravel(), pixels[:, -3:].ravel())
        )
        assert rim.min() == 255
        assert pixels.min() < 100


@pytest.mark.parametrize("kind", KIND_NAMES)
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="no program to render PDF")
def test_pdf_looks_like_png(kind: str, samples: dict, tmp_path: Path) -> None:
    """Blurred by a few pixels, both files agree: nothing is missing or elsewhere in one of them."""
    style = FigureStyle(dpi=150)
    for ending in ("pdf", "png"):
        export(samples[kind].view, samples[kind].state, tmp_path / f"figure.{ending}", style)
    command = [
        "pdftoppm",
        "-r",
        "150",
        "-png",
        "-singlefile",
        str(tmp_path / "figure.pdf"),
        str(tmp_path / "seen"),
    ]
    subprocess.run(command, check=True, timeout=60)
    size = (65, 48)
    seen = np.asarray(
        Image.open(tmp_path / "seen.png").convert("RGB").resize(size, Image.Resampling.BOX), float
    )
    drawn = np.asarray(
        Image.open(tmp_path / "figure.png").convert("RGB").resize(size, Image.Resampling.BOX), float
    )
    assert np.abs(seen - drawn).mean() < 4.5
    assert abs(seen.mean() - drawn.mean()) < 1
    assert np.abs(seen - drawn).max() < 110


@pytest.mark.parametrize("ending", ["pdf", "svg", "png", "csv"])
def test_same_bytes_each_time(ending: str, samples: dict, tmp_path: Path) -> None:
    sample = samples["scatter"]
    for name in ("one", "two"):
        export(sample.view, sample.state, tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_ground_of_each_theme(theme: str, samples: dict, tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    export(samples["lines"].view, samples["lines"].state, path, FigureStyle(theme=theme))
    corner = Image.open(path).convert("RGB").getpixel((1, 1))
    assert corner == ((0x1C, 0x1D, 0x21) if theme == "dark" else (255, 255, 255))


def test_dpi_changes_pixels_only(samples: dict, tmp_path: Path) -> None:
    sample = samples["lines"]
    images = []
    for dpi in (120, 480):
        export(sample.view, sample.state, tmp_path / f"{dpi}.png", FigureStyle(dpi=dpi))
        images.append(Image.open(tmp_path / f"{dpi}.png").convert("L"))
    assert images[1].size == (1560, 1152)
    small, large = (np.asarray(i.resize((130, 96), Image.Resampling.BOX), float) for i in images)
    assert np.abs(small - large).mean() < 2.5


def test_slide_has_larger_type(samples: dict, tmp_path: Path) -> None:
    report = export(samples["lines"].view, samples["lines"].state, tmp_path / "a.pdf", PRESETS["slide 16:9"])
    assert report.smallest_text == 19
    assert report.width / report.height == pytest.approx(16 / 9, abs=0.001)


def test_missing_letters_are_named(samples: dict, tmp_path: Path) -> None:
    import dataclasses

    sample = samples["bars"]
    names = ("α→β", "\U000f0000", *sample.state.categories[2:])
    state = dataclasses.replace(sample.state, categories=names)
    report = export(sample.view, state, tmp_path / "figure.svg")
    assert report.missing == ("\U000f0000",)
    assert "α→β" in svg_texts(tmp_path / "figure.svg")
    letters = dataclasses.replace(sample.state, categories=("𓀀 ⡿", *sample.state.categories[1:]))
    report = export(sample.view, letters, tmp_path / "figure.pdf")
    told = " ".join(report.notes) + "".join(report.missing)
    assert "⡿" in told
    assert "𓀀" in told


def test_dollar_signs_are_letters(samples: dict, tmp_path: Path) -> None:
    import dataclasses

    sample = samples["bars"]
    state = dataclasses.replace(sample.state, categories=("$a_1$ & <b>", *sample.state.categories[1:]))
    export(sample.view, state, tmp_path / "figure.svg")
    assert "$a_1$ & <b>" in svg_texts(tmp_path / "figure.svg")


def test_told_apart_without_colour(samples: dict, tmp_path: Path) -> None:
    import dataclasses

    sample = samples["lines"]
    assert export(sample.view, sample.state, tmp_path / "a.svg").told_apart
    plain = tuple(dataclasses.replace(s, marks=False, colour=i) for i, s in enumerate(sample.state.series))
    state = dataclasses.replace(sample.state, series=plain)
    assert not export(sample.view, state, tmp_path / "a.svg").told_apart
    assert export(sample.view, state, tmp_path / "a.svg", FigureStyle(legend="right")).told_apart


def test_a_failed_export_leaves_what_was_there(samples: dict, tmp_path: Path, monkeypatch) -> None:
    sample = samples["lines"]
    path = tmp_path / "figure.pdf"
    path.write_text("before")

    def full(*_args: object, **_words: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.core.figures.export._save", full)
    with pytest.raises(StorageError, match="No space left"):
        export(sample.view, sample.state, path)
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["figure.pdf"]


def test_what_cannot_be_written(samples: dict, tmp_path: Path) -> None:
    sample = samples["lines"]
    with pytest.raises(StorageError, match="cannot be written"):
        export(sample.view, sample.state, tmp_path / "absent" / "figure.pdf")
    with pytest.raises(UnknownNameError):
        export(sample.view, sample.state, tmp_path / "figure.gif")


def test_all_figures_of_a_run(samples: dict, tmp_path: Path) -> None:
    views = tuple(samples[kind].view for kind in ("lines", "table", "graph"))
    method = Method(
        "sample",
        title="Sample",
        area="Test",
        sentence="A sample",
        paper=Paper(title="", authors="", short="", venue="", year=2024, url="", bibtex=""),
        parameters=MethodParameters,
        presets=(),
        data=(),
        sets=(),
        views=views,
        layout=(Row((Cell(tuple(view.name for view in views)),)),),
        run="engine.core.board:Board",
    )
    board = Board()
    board.apply(Show("cohesion", samples["lines"].state))
    board.apply(Show("ratio", samples["table"].state))
    reports = export_all(method, board, tmp_path / "figures", ("svg", "csv"))
    names = sorted(p.name for p in (tmp_path / "figures").iterdir())
    assert names == ["sample-cohesion.csv", "sample-cohesion.svg", "sample-ratio.csv", "sample-ratio.svg"]
    assert [r.format for r in reports] == ["svg", "csv", "svg", "csv"]
    assert export_all(method, board, tmp_path / "none", ("svg",), stopped=lambda: True) == ()


def test_draws_without_pyplot_and_loads_late(tmp_path: Path) -> None:
    script = """
import sys
import numpy as np
import engine.core.figures
from engine.core.figures.export import export
assert "matplotlib" not in sys.modules
from engine.core.views import Axis, Lines, LinesState, Series
view = Lines("v", title="V", x=Axis("step"), y=Axis("loss"))
state = LinesState(series=(Series(name="a", x=np.arange(9.0), y=np.arange(9.0)),))
for ending in ("pdf", "svg", "png"):
    export(view, state, sys.argv[1] + "/a." + ending)
assert "matplotlib.pyplot" not in sys.modules
print("drawn")
"""
    root = Path(__file__).parents[4]
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=root, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "drawn", done.stderr


def test_a_long_table_is_as_high_as_its_rows_among_all_figures(tmp_path: Path) -> None:
    rows = 40
    view = Table("t", title="Rows")
    method = SimpleNamespace(slug="m", views=(view,))
    board = Board()
    names = tuple(f"row number {n}" for n in range(rows))
    board.apply(Show("t", TableState(columns=(Column(name="n", title="Name", values=names, kind="text"),))))
    (report,) = export_all(method, board, tmp_path, ("svg",))  # type: ignore[arg-type]
    text = report.path.read_text(encoding="utf-8")
    assert all(name in text for name in names)
    assert not report.notes
    assert 5 < report.height < 9
