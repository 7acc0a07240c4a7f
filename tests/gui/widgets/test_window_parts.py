"""Cards, banners, toasts, palette, sidebar, history, drawer, progress, focus ring."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QRadioButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.theme.tokens import TOKENS
from gui.widgets.badge import Badge
from gui.widgets.banner import Banner
from gui.widgets.button import Button, IconButton, RunButton, shortcut_text
from gui.widgets.card import Card, _TitleBar
from gui.widgets.command_palette import CommandPalette
from gui.widgets.drawer import Drawer
from gui.widgets.focus_ring import FocusRing
from gui.widgets.fuzzy import fuzzy_match
from gui.widgets.history_scrubber import HistoryScrubber
from gui.widgets.option import Option
from gui.widgets.palette_items import PaletteItem, find_items
from gui.widgets.progress import ProgressBar
from gui.widgets.sidebar_list import SidebarEntry, SidebarList, heading
from gui.widgets.toast import ToastStack

ITEMS = (
    PaletteItem("iris", "Data", "Iris"),
    PaletteItem("run", "Runs", "iris · raw"),
    PaletteItem("fid", "Methods", "Feature importance disparity"),
    PaletteItem("smc", "Methods", "Twisted SMC"),
)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    page = QWidget()
    page.resize(1100, 700)
    qtbot.addWidget(page)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    return page


def named(root: QWidget, name: str) -> QWidget:
    """The child with this accessible name."""
    return next(w for w in root.findChildren(QWidget) if w.accessibleName() == name)


def test_letters_match_in_order() -> None:
    assert fuzzy_match("iri", "Iris").positions == (0, 1, 2)  # type: ignore[union-attr]
    assert fuzzy_match("xyz", "Iris") is None
    assert fuzzy_match("si", "Iris") is None
    assert fuzzy_match("", "Iris").positions == ()  # type: ignore[union-attr]
    assert fuzzy_match("cbm", "Concept bottleneck memory").positions == (0, 8, 19)  # type: ignore[union-attr]


def test_together_and_at_word_starts_come_first() -> None:
    def score(name: str) -> float:
        match = fuzzy_match("lin", name)
        assert match is not None
        return match.score

    assert score("Linkage") > score("Multi-linear") > score("Alpine")


def test_groups_come_by_their_best_match() -> None:
    groups = find_items(ITEMS, "iri")
    assert [name for name, _ in groups] == ["Data", "Runs", "Methods"]
    assert [f.item.key for _, found in find_items(ITEMS, "smc") for f in found] == ["smc"]
    assert [name for name, _ in find_items(ITEMS, "")] == ["Data", "Runs", "Methods"]


def test_the_palette_by_keyboard(window: QWidget, qtbot: QtBot) -> None:
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    palette = CommandPalette(window)
    chosen: list[tuple[object, bool]] = []
    palette.chosen.connect(lambda key, second: chosen.append((key, second)))
    palette.open(ITEMS)
    search = QApplication.focusWidget()
    assert palette.isAncestorOf(search)
    qtbot.keyClicks(search, "iri")
    assert [item.key for item in palette.found()] == ["iris", "run", "fid"]
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClick(search, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert chosen == [("run", True)]
    assert not palette.isVisible()
    assert QApplication.focusWidget() is field
    palette.open(ITEMS)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert chosen[-1] == ("smc", False), "up from the first goes round to the last"
    palette.open(ITEMS)
    with qtbot.waitSignal(palette.closed):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)


def test_a_click_beside_the_palette_closes_it(window: QWidget, qtbot: QtBot) -> None:
    palette = CommandPalette(window)
    palette.open(ITEMS)
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not palette.isVisible()


def test_the_sidebar_filters_and_passes_over_headings(qtbot: QtBot) -> None:
    sidebar = SidebarList()
    qtbot.addWidget(sidebar)
    sidebar.set_entries(
        [heading("Clustering"), SidebarEntry("a", "Linkage"), heading("Vision"), SidebarEntry("b", "MOKD")]
    )
    sidebar.resize(200, 200)
    sidebar.show()
    opened: list[object] = []
    sidebar.opened.connect(opened.append)
    sidebar.set_current("a")
    sidebar.setFocus()
    qtbot.keyClick(sidebar, Qt.Key.Key_Down)
    qtbot.keyClick(sidebar, Qt.Key.Key_Return)
    assert opened == ["b"]
    sidebar.set_filter("link")
    assert sidebar.shown_keys() == ["a"]
    assert sidebar.model().rowCount() == 2, "the heading of what is left stays"
    sidebar.set_filter("")
    sidebar.set_status("b", "running", 0.4)
    said = sidebar.model().data(sidebar.model().index(3, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert said == "MOKD, running 40%"


def test_a_banner_sends_the_chosen_way_out(qtbot: QtBot) -> None:
    banner = Banner(
        "danger",
        "Row 41, column age: “n/a” is not a number",
        choices=(Option("missing", "Treat as missing"), Option("rows", "Leave out the rows")),
        actions=(Option("show", "Show in file"),),
    )
    qtbot.addWidget(banner)
    banner.show()
    assert banner.chosen() == "missing"
    banner.findChildren(QRadioButton)[1].click()
    with qtbot.waitSignal(banner.applied) as sent:
        named(banner, "Apply").click()  # type: ignore[attr-defined]
    assert sent.args == ["rows"]
    with qtbot.waitSignal(banner.action) as sent:
        named(banner, "Show in file").click()  # type: ignore[attr-defined]
    assert sent.args == ["show"]


def test_three_toasts_at_most_and_errors_stay(window: QWidget, qtbot: QtBot) -> None:
    stack = ToastStack(window)
    error = stack.show("The disk is full.", error=True)
    pressed: list[int] = []
    others = [
        stack.show(f"Report {n}", action_word="Show", action=lambda n=n: pressed.append(n)) for n in range(3)
    ]
    assert stack.toasts() == (error, *others[1:])
    assert not error._life.isActive()
    assert others[-1]._life.isActive()
    bottoms = [t.geometry().bottom() for t in stack.toasts()]
    assert bottoms == sorted(bottoms)
    assert max(bottoms) < window.height() - 8
    button = next(b for b in others[2].findChildren(Button) if b.text() == "Show")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pressed == [2]
    assert others[2] not in stack.toasts()
    others[1]._life.setInterval(10)
    others[1].start()
    qtbot.waitUntil(lambda: stack.toasts() == (error,), timeout=1000)
    window.resize(600, 400)
    assert error.geometry().right() < 600


def test_a_card_names_its_tools_and_shows_its_focus(window: QWidget, qtbot: QtBot) -> None:
    card = Card("Cohesion", "log scales")
    inside = QLineEdit()
    card.set_body(inside)
    column = QVBoxLayout(window)
    column.addWidget(card)
    column.addWidget(QLineEdit())
    QApplication.processEvents()
    border = lambda: card.grab().toImage().pixelColor(card.width() // 2, 0).name()  # noqa: E731
    assert border() == TOKENS.light.border.lower()
    inside.setFocus()
    assert border() == TOKENS.light.accent.lower()
    for name in ("Export Cohesion", "Maximise", "More for Cohesion"):
        tool = named(card, name)
        assert tool.toolTip()
        assert min(tool.width(), tool.height()) >= 24
    with qtbot.waitSignal(card.export_requested):
        named(card, "Export Cohesion").click()  # type: ignore[attr-defined]
    with qtbot.waitSignal(card.maximise_requested):
        qtbot.mouseDClick(card.findChild(_TitleBar), Qt.MouseButton.LeftButton)
    words = [action.text() for action in card.menu().actions() if action.text()]
    assert words == ["Export figure…", "Copy image", "Show the data", "Maximise", "Hide", "Reset the view"]
    card.set_body(QLabel("other"))
    assert inside.parent() is None


def test_badges_come_and_go_inside_a_card(window: QWidget) -> None:
    badge = Badge("", "live", window)
    assert badge.isHidden()
    badge.set_badge("Partial", "partial")
    assert badge.isVisible()
    with pytest.raises(KeyError, match="nonsense"):
        badge.set_badge("x", "nonsense")


def test_progress_runs_and_knows_no_total(window: QWidget, qtbot: QtBot, look: Theme) -> None:
    look.set_reduce_motion(False)
    bar = ProgressBar(parent=window)
    bar.resize(200, 6)
    bar.show()
    bar.set_share(0.5)
    assert bar.value() == 500
    assert bar._drawn < 0.5, "it runs there"
    qtbot.waitUntil(lambda: bar._drawn == 0.5, timeout=1000)
    bar.set_share(0.25)
    assert bar._drawn == 0.25, "never slowly backwards"
    bar.set_share(None)
    assert bar._stripe.isActive()
    bar.set_paused(True)
    assert not bar._stripe.isActive()
    bar.set_share(1.0)
    bar.hide()
    assert not bar._stripe.isActive()


def test_the_history_is_walked_played_and_kept_at_its_end(qtbot: QtBot) -> None:
    scrubber = HistoryScrubber()
    qtbot.addWidget(scrubber)
    scrubber.show()
    play, back = named(scrubber, "Play the history"), named(scrubber, "Step back")
    assert not play.isEnabled()
    assert play.toolTip() == "There is no history yet"
    seen: list[int] = []
    scrubber.position_changed.connect(seen.append)
    scrubber.set_steps(5)
    scrubber.set_steps(10, phases=(4,))
    assert (scrubber.position(), seen) == (9, [])
    with qtbot.waitSignal(scrubber.at_end_changed) as sent:
        qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert sent.args == [False]
    scrubber.set_steps(12)
    assert (scrubber.position(), seen) == (8, [8]), "history stays where the person put it"
    scrubber._clock.setInterval(1)
    scrubber.set_playing(True)
    scrubber._clock.setInterval(1)
    qtbot.waitUntil(lambda: not scrubber.is_playing(), timeout=3000)
    assert scrubber.at_end()
    assert seen == [8, 9, 10, 11]


def test_the_drawer_opens_its_pages_and_renames_the_run(window: QWidget, qtbot: QtBot) -> None:
    drawer = Drawer(parent=window)
    results, log = QLabel("results"), QLabel("log")
    drawer.add_page("Results", results)
    drawer.add_page("Log", log)
    drawer.set_room(500)
    drawer.show()
    pages: list[object] = []
    drawer.page_opened.connect(pages.append)
    qtbot.mouseClick(named(drawer, "Log"), Qt.MouseButton.LeftButton)
    assert log.isVisible()
    assert drawer.sizeHint().height() >= 200
    qtbot.mouseClick(named(drawer, "Log"), Qt.MouseButton.LeftButton)
    named(drawer, "Open the drawer").click()  # type: ignore[attr-defined]
    assert pages == ["Log", None, "Log"]
    pencil = named(drawer, "Rename the run")
    assert not pencil.isEnabled()
    drawer.set_run_name("run 25")
    qtbot.mouseClick(pencil, Qt.MouseButton.LeftButton)
    edit = named(drawer, "Name of the run")
    qtbot.keyClicks(edit, "airports")
    with qtbot.waitSignal(drawer.renamed) as sent:
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert sent.args == ["airports"]
    qtbot.mouseClick(pencil, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(edit, "x")
    with qtbot.assertNotEmitted(drawer.renamed):
        qtbot.keyClick(edit, Qt.Key.Key_Escape)


def test_the_focus_ring_comes_by_keyboard_only(window: QWidget, qtbot: QtBot, qapp: QApplication) -> None:
    column = QVBoxLayout(window)
    first, second = QPushButton("first"), QPushButton("second")
    column.addWidget(first)
    column.addWidget(second)
    QApplication.processEvents()
    ring = FocusRing(qapp)
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert ring.isVisible()
    assert ring.geometry() == second.geometry().adjusted(-4, -4, 4, 4)
    second.resize(second.width() - 20, second.height())
    assert ring.width() == second.width() + 8
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert not ring.isVisible()


def test_blocked_buttons_say_why(qtbot: QtBot) -> None:
    button, run, tool = Button("Open"), RunButton(), IconButton("export", "Export", "Ctrl+E")
    for widget in (button, run, tool):
        qtbot.addWidget(widget)
        widget.set_blocked("Two things to settle before a run")
        assert not widget.isEnabled()
        assert widget.toolTip() == "Two things to settle before a run"
        widget.set_blocked("")
        assert widget.isEnabled()
    assert tool.toolTip() == "Export (Ctrl E)"
    assert run.toolTip() == "Run (Ctrl ↵)"
    assert run.sizeHint().height() == 36
    assert shortcut_text("F11") == "F11"
