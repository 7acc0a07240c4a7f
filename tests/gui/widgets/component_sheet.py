"""Draws every component in its states on one page and saves it as PNG, in light and in dark.

Run: xvfb-run -a python tests/gui/widgets/component_sheet.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from PySide6.QtCore import QEvent, QEventLoop, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QHoverEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from gui.theme.categories import entity_style
from gui.theme.colour_maps import colour_map
from gui.theme.plot import cosmetic_pen
from gui.theme.theme import Mode, theme
from gui.theme.tokens import TypeName
from gui.widgets.badge import Badge
from gui.widgets.banner import Banner, InlineNote
from gui.widgets.box import paint_box, paint_shape
from gui.widgets.button import Button, RunButton
from gui.widgets.card import Card
from gui.widgets.choice_field import ChoiceField
from gui.widgets.command_palette import CommandPalette
from gui.widgets.data_table import DataTable
from gui.widgets.drawer import Drawer
from gui.widgets.empty_view import EmptyView
from gui.widgets.field_row import FieldRow
from gui.widgets.focus_ring import FocusRing
from gui.widgets.history_scrubber import HistoryScrubber
from gui.widgets.label import Label
from gui.widgets.number_field import NumberField
from gui.widgets.option import Option
from gui.widgets.palette_items import PaletteItem
from gui.widgets.path_field import PathField
from gui.widgets.preset_chips import PresetChips
from gui.widgets.progress import ProgressBar
from gui.widgets.range_field import RangeField
from gui.widgets.search_field import SearchField
from gui.widgets.section import Section
from gui.widgets.segmented_control import SegmentedControl
from gui.widgets.several_field import SeveralField
from gui.widgets.sidebar_list import SidebarEntry, SidebarList, heading
from gui.widgets.table_column import Column
from gui.widgets.text_field import TextArea, TextField
from gui.widgets.toast import Toast, floating_shadow
from gui.widgets.toggle_switch import ToggleSwitch

PAGE = (1440, 1000)


class Swatches(QWidget):
    """Row of colours with their names."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._names = names
        self.setFixedSize(92 * len(names), 66)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for number, name in enumerate(self._names):
            left = 92 * number
            paint_box(painter, QRectF(left, 0, 84, 32), 6, name, theme().colour("border"))
            painter.setFont(theme().font("caption"))
            painter.setPen(theme().colour("text_secondary"))
            painter.drawText(QPointF(left, 46), name)
            painter.setFont(theme().font("code"))
            painter.drawText(QPointF(left, 60), getattr(theme().colours, name))
        painter.end()


class Categories(QWidget):
    """The eight categories, their second cycle and two maps."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(456, 150)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_box(painter, QRectF(0, 0, 456, 84), 8, "surface", theme().colour("border"))
        for index in range(8):
            x = 18 + index * 54
            for level in (0, 1):
                style = entity_style(index + 8 * level, theme().name)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(style.fill))
                paint_shape(painter, QPointF(x + 10 + 19 * level, 23), 11, style.marker)
                painter.setPen(cosmetic_pen(QColor(style.fill), 2, style.dash))
                painter.drawLine(QPointF(x, 38 + 10 * level), QPointF(x + 44, 38 + 10 * level))
            painter.setFont(theme().font("caption", tabular=True))
            painter.setPen(theme().colour("text_secondary"))
            painter.drawText(QRectF(x, 54, 44, 20), Qt.AlignmentFlag.AlignCenter, f"{index} · {index + 8}")
        for number, meaning in enumerate(("sequential", "signed")):
            stops = colour_map(meaning, theme().name).getLookupTable(nPts=216)  # type: ignore[arg-type]
            for step, rgb in enumerate(stops):
                painter.fillRect(QRectF(228 * number + step, 116, 1, 16), QColor(*map(int, rgb[:3])))
        painter.end()


class Surface(QWidget):
    """White box with a border around some widgets."""

    def __init__(self, *rows: QWidget | QHBoxLayout) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(13, 12, 13, 12)
        column.setSpacing(6)
        for row in rows:
            column.addLayout(row) if isinstance(row, QHBoxLayout) else column.addWidget(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_box(painter, self.rect(), 8, "surface", theme().colour("border"))
        painter.end()


def side_by_side(*widgets: QWidget | int, gap: int = 8) -> QHBoxLayout:
    """Row of widgets; a number is a stretch."""
    row = QHBoxLayout()
    row.setSpacing(gap)
    for widget in widgets:
        row.addStretch(widget) if isinstance(widget, int) else row.addWidget(widget)
    return row


class Sheet(QWidget):
    """The page."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self.setFixedSize(*PAGE)
        self.ringed: list[QWidget] = []
        self.hovered: list[QWidget] = []
        self.rings: list[FocusRing] = []
        self._app = app
        self._colours()
        self._buttons()
        self._list()
        self._fields()
        self._type()
        self._run_bars()
        self._reports()
        self._controls()
        self._views()

    def put(self, widget: QWidget, x: int, y: int, width: int = 0, height: int = 0) -> QWidget:
        """Place a widget by its corner; its own size where none is given."""
        widget.setParent(self)
        layout = widget.layout()
        if layout is not None:
            layout.activate()
        wide = width or widget.sizeHint().width()
        tall = height or (
            widget.heightForWidth(wide) if widget.hasHeightForWidth() else widget.sizeHint().height()
        )
        widget.setGeometry(x, y, wide, tall)
        widget.show()
        return widget

    def caption(self, text: str, x: int, y: int) -> None:
        """A line over a group."""
        self.put(Label(text, "small", "tertiary"), x, y)

    def force_states(self) -> None:
        """Show hover and focus rings where the pointer and the keyboard are not."""
        for widget in self.hovered:
            widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
            QApplication.sendEvent(
                widget, QHoverEvent(QEvent.Type.HoverEnter, QPointF(5, 5), QPointF(5, 5), QPointF(0, 0))
            )
        for widget in self.ringed:
            ring = FocusRing(self._app)
            ring.surround(widget)
            self.rings.append(ring)

    def _colours(self) -> None:
        self.caption("Surfaces and lines", 24, 24)
        grounds = ("window", "sidebar", "surface", "sunken", "raised", "hover", "border", "border_strong")
        self.put(Swatches((*grounds, "control_border")), 24, 48)
        self.caption("Text and state", 24, 126)
        texts = ("text", "text_secondary", "text_tertiary", "text_disabled", "accent", "accent_soft")
        self.put(Swatches((*texts, "success", "warning", "danger")), 24, 150)
        self.caption("Categories 0–7: solid, circle. 8–15: same colours, dashed, square", 876, 24)
        self.put(Categories(), 876, 48)
        self.caption("Sequential · diverging (centre at zero)", 876, 142)

    def _buttons(self) -> None:
        self.caption("Buttons: rest, hover, pressed, focus, disabled", 24, 232)
        for row, (word, kind) in enumerate((("Run", "primary"), ("Open", "secondary"), ("Help", "ghost"))):
            x = 24
            for state in range(5):
                button = Button(word, kind)  # type: ignore[arg-type]
                button.setDown(state == 2)
                if state == 1:
                    self.hovered.append(button)
                button.set_blocked("Nothing to run" if state == 4 else "")
                self.put(button, x, 256 + 36 * row)
                x += button.width() + 8
                if state == 3:
                    self.ringed.append(button)
        self.caption("Preset chips, badges", 364, 232)
        chips = PresetChips(("Quick", "Default", "Paper"), "Quick")
        self.put(chips, 364, 256, 280)
        badges = (
            (("finished", "finished"), ("running 40%", "running"), ("queued", "queued")),
            (("stopped", "stopped"), ("interrupted", "interrupted"), ("failed", "failed")),
            (("exact", "exact"), ("bracket", "bracket"), ("Live", "live"), ("Partial", "partial")),
        )
        for number, line in enumerate(badges):
            x = 364
            for text, state in line:
                x += self.put(Badge(text, state), x, 288 + 24 * number).width() + 8
        self.put(SearchField("Filter methods", "Ctrl+F"), 364, 364, 216)

    def _list(self) -> None:
        self.caption("List item: rest, current, running, waiting,\nqueued, done, failed, missing", 672, 224)
        entries = [heading("Language models"), SidebarEntry(0, "SLEB"), SidebarEntry(1, "SLEB")]
        states = ("running", "waiting", "queued", "finished", "failed", "missing")
        entries += [SidebarEntry(s, "SLEB", status=s, share=0.4) for s in states]  # type: ignore[arg-type]
        sidebar = SidebarList()
        sidebar.set_entries(entries)
        sidebar.set_current(1)
        self.put(sidebar, 672, 264, 220, 244)

    def _fields(self) -> None:
        self.caption("Field: rest, focus, error, changed, disabled", 924, 232)
        y = 256
        for state in ("rest", "focus", "error", "changed", "disabled"):
            value = {"changed": 80, "error": -3}.get(state, 60)
            field = NumberField(value, whole=True, minimum=1, maximum=2000, arrows=False)
            row = FieldRow("Epochs", field)
            row.setParent(self)
            if state == "focus":
                self.focused = field
            if state == "error":
                field.left.emit()
            row.set_changed(state == "changed", "60")
            row.set_blocked("Set by the preset Paper" if state == "disabled" else "")
            self.put(row, 924, y, 272)
            y += row.height() + 8

    def _type(self) -> None:
        self.caption("Type: Inter, JetBrains Mono", 1226, 232)
        y = 254
        lines: tuple[tuple[TypeName, str], ...] = (
            ("display", "Display 22 / 28"),
            ("title", "Title 18 / 24"),
            ("dialog", "Dialog 15 / 20"),
            ("section", "Section, card 13 / 20"),
            ("body", "Body 13 / 20 0123456789"),
            ("small", "Small 12 / 16, tables"),
            ("caption", "Caption 11 / 16, ticks"),
            ("code", "Code 12 / 18 k ≤ n"),
        )
        for role, text in lines:
            y += self.put(Label(text, role, tabular=role == "body"), 1226, y).height() + 5

    def _run_bars(self) -> None:
        self.caption("Run bar: running, paused, your turn", 24, 514)
        y = 538
        for phase, paused in (("Training, epoch 37 of 60", False), ("Paused at epoch 37", True)):
            bar = ProgressBar()
            bar.set_share(0.62)
            bar.set_paused(paused)
            rows: list[QWidget | QHBoxLayout] = [
                side_by_side(Label(phase, "small", weight=500), 1, Label("62%", "small", weight=500)),
                bar,
            ]
            if not paused:
                left = Label("about 0:13 left", "small", weight=500)
                rows.append(side_by_side(Label("0:21 elapsed", "small", "secondary"), 1, left))
            deed = (
                Button("Resume", "primary", "play-fill")
                if paused
                else Button("Pause", "secondary", "pause-fill")
            )
            rows.append(side_by_side(deed, Button("Stop", "danger", "stop-fill")))
            y += self.put(Surface(*rows), 24, y, 300).height() + 8
        asked = side_by_side(Badge("Your turn", "waiting"), Label("review 3 of 97", "small", "secondary"), 1)
        rows = [
            asked,
            side_by_side(Button("Finish review", "primary"), Button("Stop", "danger", "stop-fill")),
        ]
        y += self.put(Surface(*rows), 24, y, 300).height() + 8
        self.put(RunButton(), 24, y + 4, 250)

    def _reports(self) -> None:
        self.caption("Report banners, toast", 356, 514)
        choices = (
            Option("missing", "Treat “n/a” as missing", "2 cells; rows left out (5 in all)"),
            Option("rows", "Leave out the 2 rows", "210 rows remain"),
        )
        danger = Banner(
            "danger",
            "Row 41, column age: “n/a” is not a number",
            "A number is needed because linkage measures distances.",
            choices=choices,
            actions=("Show in file",),
        )
        y = 538 + self.put(danger, 356, 538, 420).height() + 8
        y += (
            self.put(Banner("warning", "", "Column batch is constant and is not used."), 356, y, 420).height()
            + 8
        )
        y += (
            self.put(
                InlineNote("Lamp moved: near(lamp, bench) fell from 0.98 to 0.41."), 356, y, 420
            ).height()
            + 8
        )
        toast = Toast("3 files exported.", "Documents/figures", action_word="Show", action=lambda: None)
        floating_shadow(toast)
        self.put(toast, 356, y, 420)
        table = DataTable(
            (
                Column(
                    "Linkage",
                    ("complete", "average", "single"),
                    marks=((7, "circle"), (3, "square"), (5, "triangle")),
                ),
                Column("k = 2", (1.05, 1.27, 1.27), "number", decimals=2, best="lowest"),
                Column("k = 3", (1.24, 1.05, 1.87), "number", decimals=2, best="lowest"),
                Column("share", (0.4, 0.9, 0.2), "number", decimals=2, bar=True),
                Column("k = 4", ("exact", "bracket", "exact"), "badge", states=("exact", "bracket", "exact")),
            )
        )
        table.set_selection([2])
        table.sort_by(0)
        holder = Card("Ratio to the optimum", "1.00 is the best possible · bold: best", tools=("menu",))
        holder.set_body(table)
        self.put(holder, 356, y + 60, 420, 142)

    def _controls(self) -> None:
        self.caption("Controls", 808, 514)
        y = 536
        for checked, word in ((True, "checked"), (False, "not checked")):
            box = QCheckBox(word)
            box.setChecked(checked)
            self.put(box, 808, y, 220, 26)
            y += 28
        segments = SegmentedControl(("none", "z-score", "min–max"), "z-score")
        y += self.put(segments, 808, y + 2, 220).height() + 8
        self.put(ToggleSwitch("on", True), 808, y)
        self.put(ToggleSwitch("off", False), 880, y)
        y += 34
        self.put(ChoiceField((Option(0, "Iris", "150 rows × 4 columns, cm"),), two_lines=True), 808, y, 220)
        self.put(ChoiceField(("euclidean", "cosine")), 808, y + 42, 220)
        self.put(RangeField(2, 10, whole=True, minimum=2), 808, y + 76, 220)
        self.put(NumberField(8, whole=True, unit="pt"), 808, y + 110, 104)
        self.put(NumberField(0.001, unit="s"), 920, y + 110, 108)
        self.put(TextField("iris-cohesion"), 808, y + 144, 220)
        self.put(PathField(str(Path.home()), "folder"), 808, y + 178, 220)
        self.put(TextArea("A lamp stands left of the bench.", lines=2), 808, y + 212, 220)

    def _views(self) -> None:
        self.caption("Empty view", 1060, 514)
        card = Card("Cohesion", "log scales · bound of complete")
        card.set_body(
            EmptyView("Largest diameter for k = 2 … 10", "One curve per linkage, and the proven bound.")
        )
        card.set_badge("Live")
        self.put(card, 1060, 538, 356, 150)
        several = SeveralField(("complete", "average", "single", "minimax"), ("complete", "single"))
        several.set_blocked("minimax", "Minimax is offered up to 3,000 rows; this set has 3,376.")
        section = Section("Parameters", "sliders-horizontal", resettable=True)
        section.set_note("changed: 1")
        section.set_reset_blocked("")
        section.add(FieldRow("Linkages", several, above=True))
        y = 700 + self.put(section, 1060, 700, 272).height() + 4
        advanced = Section("Advanced", collapsible=True, opened=False)
        advanced.set_note("· 9 fields, all at default")
        y += self.put(advanced, 1060, y, 272).height() + 4
        scrubber = HistoryScrubber()
        scrubber.set_steps(149, (0, 36, 84))
        scrubber.set_position(112)
        scrubber.set_words("merge 112 of 148")
        self.put(scrubber, 24, 900, 320)
        drawer = Drawer()
        drawer.add_page("Results", QWidget())
        drawer.add_page("Log", QWidget())
        drawer.set_note("Results", "12 values")
        drawer.set_run_name("iris · complete, average, single")
        self.put(drawer, 24, 960, 1392)


def settle(app: QApplication, milliseconds: int = 350) -> None:
    """Let layouts, animations and paints come to rest."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def main(folder: Path) -> None:
    """Save the sheet and the palette in both themes."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme().attach(app)
    folder.mkdir(parents=True, exist_ok=True)
    sheet = Sheet(app)
    palette = CommandPalette(sheet)
    sheet.show()
    modes: tuple[Mode, Mode] = ("light", "dark")
    for mode in modes:
        theme().set_mode(mode)
        sheet.activateWindow()
        sheet.focused.setFocus()
        settle(app)
        sheet.force_states()
        settle(app, 50)
        sheet.grab().save(str(folder / f"components-{mode}.png"))
        items = (
            PaletteItem(1, "Data", "Iris", "150 × 4, used by 3 methods", "use in this tab", icon="database"),
            PaletteItem(2, "Runs", "iris · raw", "Linkage clustering, finished", "today 14:30", icon="clock"),
            PaletteItem(
                3, "Actions", "Export all figures of iris · raw", shortcut="Ctrl+Shift+E", icon="export"
            ),
            PaletteItem(4, "Methods", "Feature importance disparity", "Fairness", icon="chart-bar"),
            PaletteItem(5, "Methods", "Twisted SMC", "Language models"),
        )
        palette.open(items, "iri")
        settle(app)
        sheet.grab().save(str(folder / f"palette-{mode}.png"))
        palette.close_palette()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("component-sheets"))
