"""A card of controls as it stood: each with its label and value, in groups with their notes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from engine.core.figures.legend import wrapped
from engine.core.figures.sheet import Sheet
from engine.core.figures.ticks import THIN_SPACE, number_text
from engine.core.views import Button, Control, Panel, PanelState, Slider, Switch, Toggle

ROW, GROUP_GAP = 1.9, 0.7
MOST_COLUMNS = 4


def draw_panel(view: Panel, state: PanelState, sheet: Sheet) -> None:
    """Draw a panel on the sheet: groups downwards, in further columns where the page is too low."""
    ax = sheet.figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_axis_off()
    sheet.figure.set_layout_engine("none")
    width, height = sheet.style.width * 72, sheet.style.height * 72
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    size, edge = sheet.style.font_size, 6.0 * sheet.style.scale
    top = _title(view, state, ax, sheet, edge)
    rows = list(_rows(state))
    for columns in range(1, MOST_COLUMNS + 1):
        across = (width - 2 * edge - (columns - 1) * 2 * size) / columns
        places = _places(rows, top, height - edge, across, sheet)
        if places[-1:] and places[-1][0] < columns:
            break
    for (kind, value), (column, y) in zip(rows, places, strict=True):
        if column < columns:
            _draw_row(kind, value, edge + column * (across + 2 * size), y, across, ax, sheet)
    left_out = sum(
        kind == "control" and column >= columns for (kind, _), (column, _) in zip(rows, places, strict=True)
    )
    if left_out:
        sheet.notes.append(f"{left_out} of {len(state.controls)} controls find no room; all are in the data")


def _places(
    rows: list[tuple[str, str | Control]], top: float, foot: float, across: float, sheet: Sheet
) -> list[tuple[int, float]]:
    """Column and height of every row; a group's name stays with its first control."""
    size = sheet.style.font_size
    places = []
    column, y = 0, top
    for number, (kind, value) in enumerate(rows):
        own = _height(kind, value, size, across, sheet)
        needed = own
        if kind == "group" and number + 1 < len(rows):
            needed += _height(*rows[number + 1], size, across, sheet)
        if y + needed > foot and y > top:
            column, y = column + 1, top
        places.append((column, y))
        y += own
    return places


def value_text(control: Control) -> str:
    """What the control is set to, in words."""
    if isinstance(control, Slider):
        unit = f"{THIN_SPACE}{control.unit}" if control.unit else ""
        return f"{number_text(float(f'{control.value:.4g}'))}{unit}"
    if isinstance(control, Toggle):
        return "on" if control.value else "off"
    return control.value if isinstance(control, Switch) else ""


def grouped(state: PanelState) -> list[tuple[str, list[Control]]]:
    """Controls by their group, in order of first appearance; those without one come first."""
    groups: dict[str, list[Control]] = {"": []}
    for control in state.controls:
        groups.setdefault(getattr(control, "group", ""), []).append(control)
    return [(name, controls) for name, controls in groups.items() if controls]


def _rows(state: PanelState) -> Iterator[tuple[str, str | Control]]:
    notes = dict(state.notes)
    for name, controls in grouped(state):
        if name:
            yield "group", name
        for control in controls:
            yield "control", control
        if notes.get(name):
            yield "note", notes[name]
    known = {name for name, _ in grouped(state)}
    for name, note in state.notes:
        if name not in known:
            yield "group", name
            yield "note", note


def _height(kind: str, value: str | Control, size: float, width: float, sheet: Sheet) -> float:
    if kind == "group":
        return (ROW + GROUP_GAP) * size
    if kind == "note":
        return (1.25 * len(wrapped(sheet, str(value), width)) + 0.4) * sheet.style.small
    return ROW * size


def _draw_row(
    kind: str, value: str | Control, x: float, y: float, width: float, ax: Axes, sheet: Sheet
) -> None:
    size, small = sheet.style.font_size, sheet.style.small
    if kind == "group":
        _text(ax, x, y + (GROUP_GAP + ROW / 2) * size, str(value), sheet, weight="semibold")
    elif kind == "note":
        for number, line in enumerate(wrapped(sheet, str(value), width)):
            at = y + (0.6 + 1.25 * number) * small
            _text(ax, x, at, line, sheet, small=True, colour=sheet.colours.tertiary)
    else:
        _control(value, x, y + ROW * size / 2, width, ax, sheet)  # type: ignore[arg-type]


def _control(control: Control, x: float, y: float, width: float, ax: Axes, sheet: Sheet) -> None:
    size, right = sheet.style.font_size, x + width
    if isinstance(control, Button):
        wide = sheet.width_of(control.label) + 1.4 * size
        colour = sheet.colours.text if control.enabled else sheet.colours.muted
        _box(ax, x, y - 0.8 * size, wide, 1.6 * size, 0.35 * size, "none", sheet.colours.border, sheet)
        _text(ax, x + wide / 2, y, control.label, sheet, align="center", colour=colour)
        return
    shown = value_text(control)
    _text(ax, right, y, shown, sheet, align="right")
    room = width - sheet.width_of(shown) - 0.8 * size
    needed = sheet.width_of(control.label)
    track = min(0.3 * width, 8 * size)
    # On a narrow page the picture of a control gives way to its label; the value stays.
    if isinstance(control, Toggle) and needed <= width - 4.4 * size:
        _switch(control.value, right - 3.9 * size, y, ax, sheet)
    elif isinstance(control, Slider) and needed <= width - track - 5.4 * size:
        end = right - 4.6 * size
        _track(control, end - track, end, y, ax, sheet)
    _text(ax, x, y, sheet.fitted(control.label, room), sheet, colour=sheet.colours.secondary)


def _switch(on: bool, x: float, y: float, ax: Axes, sheet: Sheet) -> None:
    size = sheet.style.font_size
    face = sheet.colours.accent if on else "none"
    edge = sheet.colours.accent if on else sheet.colours.axis
    _box(ax, x, y - 0.5 * size, 1.8 * size, size, 0.5 * size, face, edge, sheet)
    at = x + (1.3 if on else 0.5) * size
    ax.add_patch(
        Circle(
            (at, y),
            0.32 * size,
            facecolor=sheet.colours.ground if on else sheet.colours.axis,
            linewidth=0,
            zorder=3,
        )
    )


def _track(control: Slider, left: float, right: float, y: float, ax: Axes, sheet: Sheet) -> None:
    low, high, value = control.low, control.high, control.value
    if control.log and low > 0:
        low, high, value = math.log(low), math.log(high), math.log(max(control.value, control.low))
    share = min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.0
    at, thick = left + share * (right - left), 0.22 * sheet.style.font_size
    ax.add_patch(
        Rectangle((left, y - thick / 2), right - left, thick, facecolor=sheet.colours.border, linewidth=0)
    )
    ax.add_patch(
        Rectangle((left, y - thick / 2), at - left, thick, facecolor=sheet.colours.accent, linewidth=0)
    )
    ax.add_patch(
        Circle(
            (at, y),
            0.42 * sheet.style.font_size,
            facecolor=sheet.colours.ground,
            edgecolor=sheet.colours.accent,
            linewidth=1.2 * sheet.hairline,
            zorder=3,
        )
    )


def _box(
    ax: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float,
    face: str,
    edge: str,
    sheet: Sheet,
) -> None:
    ax.add_patch(
        FancyBboxPatch(
            (x, y),
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={radius}",
            facecolor=face,
            edgecolor=edge,
            linewidth=sheet.hairline,
            zorder=2,
        )
    )


def _title(view: Panel, state: PanelState, ax: Axes, sheet: Sheet, edge: float) -> float:
    if not sheet.style.title:
        return edge
    size = sheet.style.font_size + 1
    _text(ax, edge, edge + 0.6 * size, view.title, sheet, weight="semibold")
    y = edge + 1.3 * size
    if state.caption:
        _text(ax, edge, y + 0.5 * size, state.caption, sheet, small=True, colour=sheet.colours.tertiary)
        y += 1.2 * size
    return y


def _text(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    sheet: Sheet,
    *,
    align: str = "left",
    weight: str = "normal",
    small: bool = False,
    colour: str | None = None,
) -> None:
    ax.text(
        x,
        y,
        text,
        ha=align,
        va="center_baseline",
        color=colour or sheet.colours.text,
        zorder=4,
        **sheet.font(sheet.style.small if small else None, weight),
    )
