"""Tokens, contrast, fonts, icons, and the switch between light and dark while the window is open."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QImage, QPalette, QPen
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.categories import COMPARED, GROUPS, entity_style
from gui.theme.colour_maps import colour_map
from gui.theme.contrast import contrast
from gui.theme.fonts import font, load_fonts
from gui.theme.icons import application_icon, icon, icon_names
from gui.theme.plot import PlotTheme, cosmetic_pen, typographic
from gui.theme.theme import Theme, theme
from gui.theme.tokens import RESOURCES, TOKENS, ThemeName
from gui.widgets.badge import _COLOURS, LOOKS
from gui.widgets.button import Button
from gui.widgets.label import Label
from gui.widgets.number_field import NumberField

THEMES: tuple[ThemeName, ThemeName] = ("light", "dark")
TEXTS = ("text", "text_secondary", "text_tertiary")
GROUNDS = ("window", "sidebar", "surface", "sunken", "raised", "hover", "accent_soft")


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)
    assert contrast("#FFFFFF", "#777777") == contrast("#777777", "#FFFFFF")


@pytest.mark.parametrize(("name", "token", "ground"), [*product(THEMES, TEXTS, GROUNDS)])
def test_text_can_be_read_on_every_ground(name: ThemeName, token: str, ground: str) -> None:
    colours = TOKENS.colours(name)
    assert contrast(getattr(colours, token), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_words_on_buttons_badges_and_messages_can_be_read(name: ThemeName) -> None:
    colours = TOKENS.colours(name)
    pairs = [("on_accent", g) for g in ("accent", "accent_hover", "accent_pressed")]
    pairs += [(text, ground) for ground, text in _COLOURS.values()]
    pairs += [(t, g) for t in ("danger", "warning", "success", "accent_text") for g in ("window", "surface")]
    pairs += [("tooltip_text", "tooltip"), ("tick_label", "plot_bg")]
    poor = [p for p in pairs if contrast(getattr(colours, p[0]), getattr(colours, p[1])) < 4.5]
    assert poor == []
    signs = [
        ("control_border", "surface"),
        ("focus", "sidebar"),
        ("axis", "plot_bg"),
        ("selection", "plot_bg"),
    ]
    assert all(contrast(getattr(colours, a), getattr(colours, b)) >= 3.0 for a, b in signs)


@pytest.mark.parametrize("name", THEMES)
def test_category_edges_can_be_read_as_text(name: ThemeName) -> None:
    ground = TOKENS.colours(name).plot_bg
    assert all(contrast(edge, ground) >= 4.5 for edge in TOKENS.categories[name].edge)


def test_every_good_or_bad_badge_has_a_sign_or_a_word_of_its_own() -> None:
    judging = {state for state, look in LOOKS.items() if look.tone in ("warning", "danger")}
    assert all(LOOKS[state].icon for state in judging)


def test_entities_beyond_eight_change_their_line_and_marker() -> None:
    styles = [entity_style(index, "light") for index in range(32)]
    assert len({(s.fill, s.marker) for s in styles}) == 32
    assert styles[11].fill == styles[3].fill
    assert (styles[11].dash, styles[11].marker) == ((6, 4), "square")
    assert entity_style(32, "light").fill == TOKENS.light.muted_mark
    assert sorted(GROUPS) == sorted(COMPARED) == list(range(8))
    with pytest.raises(ValueError, match="0 or more"):
        entity_style(-1, "light")


def test_pens_keep_dashes_in_pixels_at_any_width() -> None:
    pen = cosmetic_pen(QColor("#000000"), 2.0, (6, 4))
    assert pen.isCosmetic()
    assert pen.dashPattern() == [3.0, 2.0]


def test_the_plot_theme_follows(look: Theme) -> None:
    light = PlotTheme().curve_pen(0).color()
    look.set_mode("dark")
    assert PlotTheme().curve_pen(0).color() != light
    assert PlotTheme().curve_pen(4, curves=13).widthF() == 1.0
    assert PlotTheme().mark_size(5_001) == 3
    assert typographic("-3.5") == "−3.5"


@pytest.mark.parametrize("name", THEMES)
def test_signed_maps_are_centred(name: ThemeName) -> None:
    table = colour_map("signed", name).getLookupTable(nPts=257)
    low, middle, high = (table[i][:3].astype(int) for i in (0, 128, 256))
    assert low[2] > low[0], "negative is blue"
    assert high[0] > high[2], "positive is red"
    assert max(middle) - min(middle) < 20, "neutral is grey, white or black"


def test_the_shipped_fonts_are_there() -> None:
    loaded = load_fonts()
    assert len(loaded) == 4
    assert all(families for families in loaded.values())
    assert QFontInfo(font("body")).family() == "Inter"
    assert QFontInfo(font("code")).family() == "JetBrains Mono"
    assert (RESOURCES / "fonts" / "OFL-Inter.txt").is_file()
    assert (RESOURCES / "fonts" / "OFL-JetBrainsMono.txt").is_file()


def test_tabular_figures_are_equally_wide() -> None:
    plain, tabular = QFontMetricsF(font("body")), QFontMetricsF(font("body", tabular=True))
    assert tabular.horizontalAdvance("1111") == pytest.approx(tabular.horizontalAdvance("0000"), abs=0.01)
    assert plain.horizontalAdvance("1111") < plain.horizontalAdvance("0000") - 1


def test_weights_are_different_faces() -> None:
    widths = [
        QFontMetricsF(font("body", weight=w)).horizontalAdvance("merge height") for w in (400, 500, 600)
    ]
    assert widths == sorted(set(widths))


def test_nothing_is_smaller_than_eleven() -> None:
    assert min(style.size for style in TOKENS.type.values()) == 11
    assert font("caption", scale=0.9).pixelSize() == 11


def ink(image: QImage) -> set[str]:
    """Opaque colours in a picture."""
    spots = product(range(image.width()), range(image.height()))
    return {QColor(image.pixel(x, y)).name() for x, y in spots if image.pixelColor(x, y).alpha() > 250}


def test_icons_change_their_colour_by_themselves(look: Theme) -> None:
    shape = icon("ph.stop-fill", "danger")
    light = ink(shape.pixmap(QSize(16, 16)).toImage())
    look.set_mode("dark")
    dark = ink(shape.pixmap(QSize(16, 16)).toImage())
    assert TOKENS.light.danger.lower() in light
    assert TOKENS.dark.danger.lower() in dark
    assert not light & dark


def test_icons_are_drawn_at_the_resolution_of_the_screen(qapp: QApplication) -> None:
    pixmap = icon("export").pixmap(QSize(16, 16), 2.0)
    assert (pixmap.width(), pixmap.devicePixelRatio()) == (32, 2.0)


def test_an_unknown_icon_is_refused_at_once() -> None:
    assert {"export", "play-fill", "check-bold"} <= icon_names()
    with pytest.raises(KeyError, match="no-such"):
        icon("ph.no-such")
    assert not application_icon().isNull()


def page_with_everything(qtbot: QtBot) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    for widget in (
        Label("words"),
        Button("Open file…"),
        Button("Run", "primary"),
        NumberField(5),
        QLabel("plain"),
    ):
        column.addWidget(widget)
    qtbot.addWidget(page)
    page.show()
    return page


def test_the_theme_switches_while_the_window_is_open(qtbot: QtBot, look: Theme) -> None:
    page = page_with_everything(qtbot)
    grabs = {}
    with qtbot.waitSignal(look.changed):
        look.set_mode("dark")
    for name in THEMES:
        look.set_mode(name)
        QApplication.processEvents()
        grabs[name] = page.grab().toImage()
        assert grabs[name].pixelColor(1, 1).name() == TOKENS.colours(name).window.lower()
        found = ink(grabs[name])
        assert TOKENS.colours(name).accent.lower() in found
        assert TOKENS.colours(name).surface.lower() in found
    assert QApplication.palette().color(QPalette.ColorRole.Window).name() == TOKENS.dark.window.lower()
    assert TOKENS.light.window.lower() not in ink(grabs["dark"])


def test_the_system_is_followed_only_when_asked(look: Theme) -> None:
    look.set_mode("dark")
    assert (look.mode, look.name) == ("dark", "dark")
    look.set_mode("light")
    assert look.colours is TOKENS.light


def test_zoom_reaches_fonts_and_controls(qtbot: QtBot, look: Theme) -> None:
    page = page_with_everything(qtbot)
    button, label = page.findChild(QPushButton), page.findChild(Label)
    assert button is not None
    assert label is not None
    before = (label.font().pixelSize(), button.sizeHint().height())
    look.set_zoom(1.5)
    QApplication.processEvents()
    assert before == (13, 28)
    assert label.font().pixelSize() == round(13 * 1.5)
    assert button.sizeHint().height() == 42


def test_stronger_outlines_reach_three_to_one(look: Theme) -> None:
    look.set_strong_outlines(True)
    for name in THEMES:
        look.set_mode(name)
        assert contrast(look.outline, look.colours.surface) >= 3.0


def test_drawn_arrows_have_the_colours_of_their_theme() -> None:
    for name in THEMES:
        colours = TOKENS.colours(name)
        for file, token in (
            ("caret-down", "text_secondary"),
            ("spin-up", "text_secondary"),
            ("check", "on_accent"),
        ):
            text = (RESOURCES / "icons" / f"{file}-{name}.svg").read_text(encoding="utf-8")
            assert getattr(colours, token) in text


def test_qt_takes_no_reference_off_none() -> None:
    pen = QPen()
    before = sys.getrefcount(None)
    for _ in range(300):
        pen.setWidth(1)
    assert sys.getrefcount(None) >= before - 20


def test_widgets_are_imported_without_an_application_and_without_heavy_libraries() -> None:
    root = Path(__file__).resolve().parents[3]
    names = sorted(
        f"gui.widgets.{p.stem}" for p in (root / "gui" / "widgets").glob("*.py") if p.stem != "__init__"
    )
    code = (
        f"import sys, importlib\nfor n in {names!r}: importlib.import_module(n)\n"
        "from PySide6.QtWidgets import QApplication\n"
        "assert QApplication.instance() is None\n"
        "late = {'qtawesome', 'superqt', 'pyqtgraph', 'matplotlib', 'scipy', 'pandas', 'torch'}\n"
        "assert not late & set(sys.modules), late & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_an_unknown_token_is_an_error() -> None:
    with pytest.raises(AttributeError):
        theme().colour("mauve")
