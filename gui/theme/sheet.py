"""The application's one style sheet. Colours and boxes only: fonts are set as ``QFont``, since a sheet
cannot ask for tabular figures.

Roles are dynamic properties: ``kind`` of buttons (primary, secondary, ghost, danger, icon), ``tone`` of
labels (secondary, tertiary, accent, success, warning, danger), ``state`` of fields (error, warning),
``ground`` of panels (window, sidebar, surface, sunken, raised).
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from gui.theme.tokens import RESOURCES, TOKENS, Colours, ThemeName

Px = Callable[[float], int]


def repolish(widget: QWidget, name: str, value: object) -> None:
    """Set a dynamic property the sheet reads, and let the sheet see it; nothing happens if unchanged."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)
        widget.update()


def build_sheet(colours: Colours, name: ThemeName, outline: str, scale: float) -> str:
    """Style sheet of one theme.

    Args:
        colours: tokens of the theme.
        name: light or dark, for the drawn arrows and ticks.
        outline: colour of field and button outlines.
        scale: zoom; lengths other than hairlines grow with it.
    """

    def px(length: float) -> int:
        return round(length * scale)

    parts = (_grounds, _buttons, _fields, _choices, _checks, _lists, _menus, _scrolling, _tabs)
    return "\n".join(part(colours, name, outline, px) for part in parts)


def _picture(name: str) -> str:
    return f'url("{(RESOURCES / "icons" / name).as_posix()}")'


def _over_raised(c: Colours, name: ThemeName) -> str:
    """Ground of the entry under the pointer in what floats; in the dark ``hover`` is lost on ``raised``."""
    return c.pressed if name == "dark" else c.hover


def _grounds(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    tones = "\n".join(
        f'QLabel[tone="{tone}"] {{ color: {colour}; }}'
        for tone, colour in (
            ("secondary", c.text_secondary),
            ("tertiary", c.text_tertiary),
            ("accent", c.accent_text),
            ("success", c.success),
            ("warning", c.warning),
            ("danger", c.danger),
        )
    )
    grounds = "\n".join(
        f'QWidget[ground="{ground}"] {{ background: {getattr(c, ground)}; }}'
        for ground in ("window", "sidebar", "surface", "sunken", "raised")
    )
    return f"""
QMainWindow, QDialog {{ background: {c.window}; }}
QLabel {{ background: transparent; }}
QLabel:disabled {{ color: {c.text_disabled}; }}
{tones}
{grounds}
QToolTip {{ background: {c.tooltip}; color: {c.tooltip_text}; border: 1px solid {c.border_strong};
    padding: {px(4)}px {px(6)}px; }}
QSplitter::handle {{ background: transparent; }}
QSplitter::handle:hover {{ background: {c.hover}; }}
"""


def _buttons(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    radius, tall = px(TOKENS.radius.control), px(TOKENS.size.control) - 2
    large, large_radius = px(TOKENS.size.control_large) - 2, px(TOKENS.radius.button_large)
    return f"""
QPushButton, QToolButton {{ background: {c.surface}; color: {c.text}; border: 1px solid {outline};
    border-radius: {radius}px; padding: 0 {px(11)}px; min-height: {tall}px; max-height: {tall}px; }}
QPushButton:hover, QToolButton:hover {{ background: {c.hover}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {c.pressed}; }}
QPushButton:disabled, QToolButton:disabled {{ background: {c.sunken}; color: {c.text_disabled};
    border-color: {c.border}; }}
QPushButton[kind="primary"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; }}
QPushButton[kind="primary"]:hover {{ background: {c.accent_hover}; border-color: {c.accent_hover}; }}
QPushButton[kind="primary"]:pressed {{ background: {c.accent_pressed}; border-color: {c.accent_pressed}; }}
QPushButton[kind="primary"]:disabled {{ background: {c.sunken}; color: {c.text_disabled};
    border-color: {c.border}; }}
QPushButton[kind="danger"] {{ color: {c.danger}; }}
QPushButton[kind="danger"]:disabled {{ color: {c.text_disabled}; }}
QPushButton[kind="ghost"] {{ background: transparent; border-color: transparent; }}
QPushButton[kind="ghost"]:hover {{ background: {c.hover}; border-color: {c.hover}; }}
QPushButton[kind="ghost"]:pressed {{ background: {c.pressed}; border-color: {c.pressed}; }}
QPushButton[kind="ghost"]:disabled {{ background: transparent; border-color: transparent; }}
QPushButton[tall="true"] {{ min-height: {large}px; max-height: {large}px;
    border-radius: {large_radius}px; }}
QToolButton[kind="icon"] {{ background: transparent; border: none; padding: 0; border-radius: {radius}px;
    min-width: {px(24)}px; max-width: {px(24)}px; min-height: {px(24)}px; max-height: {px(24)}px; }}
QToolButton[kind="icon"]:hover {{ background: {c.hover}; }}
QToolButton[kind="icon"]:pressed {{ background: {c.pressed}; }}
QToolButton[kind="icon"]:checked {{ background: {c.accent_soft}; }}
QToolButton[kind="outlined"] {{ padding: 0; min-width: {large}px; max-width: {large}px;
    min-height: {large}px; max-height: {large}px; border-radius: {large_radius}px; }}
QToolButton::menu-indicator, QPushButton::menu-indicator {{ image: none; width: 0; }}
"""


def _fields(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    radius, tall, pad = px(TOKENS.radius.control), px(TOKENS.size.control), px(8)
    fields = ("QLineEdit", "QAbstractSpinBox", "QComboBox", "QPlainTextEdit", "QTextEdit")

    def each(suffix: str) -> str:
        return ", ".join(f"{field}{suffix}" for field in fields)

    # A border of 2 px takes 1 px off padding and height, or the form jumps.
    thick = f"padding-left: {pad - 1}px; padding-right: {pad - 1}px;"
    lower = f"min-height: {tall - 4}px; max-height: {tall - 4}px;"
    return f"""
{each("")} {{ background: {c.surface}; color: {c.text}; border: 1px solid {outline};
    border-radius: {radius}px; selection-background-color: {c.accent};
    selection-color: {c.on_accent}; placeholder-text-color: {c.text_tertiary}; }}
QLineEdit, QAbstractSpinBox, QComboBox {{ padding: 0 {pad}px; min-height: {tall - 2}px;
    max-height: {tall - 2}px; }}
QLineEdit[kind="bare"], QLineEdit[kind="bare"]:focus {{ border: none; background: transparent;
    padding: 0; min-height: {px(50)}px; max-height: {px(50)}px; }}
QPlainTextEdit, QTextEdit {{ padding: {px(4)}px {px(5)}px; }}
{each(":hover")} {{ border-color: {c.control_border}; }}
{each(":focus")} {{ border: 2px solid {c.focus}; }}
{each('[state="warning"]')} {{ border: 2px solid {c.warning}; }}
{each('[state="error"]')} {{ border: 2px solid {c.danger}; }}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {{ {thick} {lower} }}
QLineEdit[state="error"], QAbstractSpinBox[state="error"], QComboBox[state="error"],
QLineEdit[state="warning"], QAbstractSpinBox[state="warning"], QComboBox[state="warning"] {{
    {thick} {lower} }}
QPlainTextEdit:focus, QTextEdit:focus {{ padding: {px(4) - 1}px {px(5) - 1}px; }}
QPlainTextEdit[state="error"], QTextEdit[state="error"] {{ padding: {px(4) - 1}px {px(5) - 1}px; }}
{each(":disabled")} {{ background: {c.sunken}; color: {c.text_disabled}; border-color: {c.border}; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: none; background: transparent; padding: 0;
    min-height: 0; }}
QAbstractSpinBox, QAbstractSpinBox:focus, QAbstractSpinBox[state] {{ padding: 0; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: border; border: none;
    background: transparent; width: {px(24)}px; height: {tall // 2}px; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox[arrows="false"]::up-button, QAbstractSpinBox[arrows="false"]::down-button {{ width: 0; }}
QAbstractSpinBox::up-arrow {{ image: {_picture(f"spin-up-{name}.svg")};
    width: {px(10)}px; height: {px(10)}px; position: relative; top: {px(2)}px; }}
QAbstractSpinBox::down-arrow {{ image: {_picture(f"spin-down-{name}.svg")};
    width: {px(10)}px; height: {px(10)}px; position: relative; top: {px(-2)}px; }}
QAbstractSpinBox[arrows="false"]::up-arrow, QAbstractSpinBox[arrows="false"]::down-arrow {{ width: 0; }}
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off {{
    image: {_picture(f"spin-up-{name}-disabled.svg")}; }}
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off {{
    image: {_picture(f"spin-down-{name}-disabled.svg")}; }}
"""


def _choices(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    return f"""
QComboBox {{ padding-left: {px(8)}px; padding-right: {px(24)}px; }}
QComboBox:focus {{ padding-left: {px(8) - 1}px; padding-right: {px(24) - 1}px; }}
QComboBox[lines="2"] {{ min-height: {px(36) - 2}px; max-height: {px(36) - 2}px; }}
QComboBox[lines="2"]:focus {{ min-height: {px(36) - 4}px; max-height: {px(36) - 4}px; }}
QComboBox::drop-down {{ subcontrol-origin: border; subcontrol-position: center right; border: none;
    background: transparent; width: {px(28)}px; }}
QComboBox::down-arrow {{ image: {_picture(f"caret-down-{name}.svg")};
    width: {px(14)}px; height: {px(14)}px; }}
QComboBox::down-arrow:disabled {{ image: {_picture(f"caret-down-{name}-disabled.svg")}; }}
QComboBox QAbstractItemView {{ background: {c.raised}; color: {c.text};
    border: 1px solid {c.border_strong}; border-radius: 0; padding: {px(4)}px; outline: none; }}
QComboBox QAbstractItemView::item {{ min-height: {px(26)}px; padding: 0 {px(6)}px;
    border-radius: {px(4)}px; }}
QComboBox QAbstractItemView::item:hover, QComboBox QAbstractItemView::item:selected {{
    background: {_over_raised(c, name)}; color: {c.text}; }}
QComboBox QAbstractItemView::item:disabled {{ color: {c.text_disabled}; }}
"""


def _checks(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    size, radius = px(TOKENS.size.checkbox) - 2, px(TOKENS.radius.badge)
    return f"""
QCheckBox, QRadioButton {{ background: transparent; color: {c.text}; spacing: {px(8)}px;
    min-height: {px(24)}px; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {c.text_disabled}; }}
QCheckBox::indicator, QRadioButton::indicator {{ width: {size}px; height: {size}px;
    border: 1px solid {c.control_border}; background: {c.surface}; }}
QCheckBox::indicator {{ border-radius: {radius}px; }}
QRadioButton::indicator {{ border-radius: {size // 2 + 1}px; }}
QCheckBox::indicator:hover, QRadioButton::indicator:hover {{ border-color: {c.text_secondary}; }}
QCheckBox::indicator:checked, QCheckBox::indicator:indeterminate {{ background: {c.accent};
    border-color: {c.accent}; }}
QCheckBox::indicator:checked {{ image: {_picture(f"check-{name}.svg")}; }}
QCheckBox::indicator:indeterminate {{ image: {_picture(f"dash-{name}.svg")}; }}
QRadioButton::indicator:checked {{ border-color: {c.accent};
    image: {_picture(f"radio-{name}.svg")}; }}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ background: {c.sunken};
    border-color: {c.border_strong}; }}
QCheckBox::indicator:checked:disabled {{ image: {_picture(f"check-{name}-disabled.svg")}; }}
QRadioButton::indicator:checked:disabled {{ image: {_picture(f"radio-{name}-disabled.svg")}; }}
QSlider::groove:horizontal {{ height: {px(4)}px; border-radius: {px(2)}px;
    background: {c.border_strong}; }}
QSlider::sub-page:horizontal {{ height: {px(4)}px; border-radius: {px(2)}px; background: {c.accent}; }}
QSlider::handle:horizontal {{ width: {px(12)}px; height: {px(12)}px; margin: {px(-5)}px 0;
    border-radius: {px(7)}px; background: {c.surface}; border: 2px solid {c.accent}; }}
QSlider::sub-page:horizontal:disabled {{ background: {c.control_border}; }}
QSlider::handle:horizontal:disabled {{ border-color: {c.control_border}; }}
"""


def _lists(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    return f"""
QAbstractItemView {{ background: {c.surface}; color: {c.text}; border: none; outline: none;
    selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
QTableView {{ gridline-color: transparent; }}
QHeaderView, QHeaderView::section {{ background: {c.surface}; color: {c.text_tertiary}; border: none; }}
QTableCornerButton::section {{ background: {c.surface}; border: none; }}
QListView[ground="sidebar"] {{ background: {c.sidebar}; }}
QListView[ground="raised"] {{ background: {c.raised}; }}
"""


def _menus(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    return f"""
QMenu {{ min-width: {px(190)}px; background: {c.raised}; color: {c.text}; border: 1px solid {c.border_strong};
    border-radius: {px(TOKENS.radius.menu)}px; padding: {px(4)}px; }}
QMenu::item {{ min-height: {px(TOKENS.size.menu_item)}px; padding: 0 {px(10)}px 0 {px(8)}px;
    border-radius: {px(4)}px; background: transparent; }}
QMenu::item:selected {{ background: {_over_raised(c, name)}; }}
QMenu::item:disabled {{ color: {c.text_disabled}; }}
QMenu::icon {{ padding-left: {px(8)}px; }}
QMenu::separator {{ height: 1px; background: {c.border}; margin: {px(4)}px {px(-4)}px; }}
QMenuBar {{ background: {c.window}; color: {c.text}; }}
QMenuBar::item:selected {{ background: {c.hover}; }}
"""


def _scrolling(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    return f"""
QScrollArea, QScrollArea > QWidget > QWidget[ground="none"] {{ background: transparent; border: none; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollBar {{ background: transparent; border: none; margin: 0; }}
QScrollBar:vertical {{ width: {px(10)}px; }}
QScrollBar:horizontal {{ height: {px(10)}px; }}
QScrollBar::handle {{ background: {c.border_strong}; border-radius: {px(3)}px; margin: {px(2)}px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {c.control_border}; }}
QScrollBar::handle:vertical {{ min-height: {px(28)}px; }}
QScrollBar::handle:horizontal {{ min-width: {px(28)}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _tabs(c: Colours, name: ThemeName, outline: str, px: Px) -> str:
    return f"""
QTabWidget::pane {{ border: none; }}
QTabBar::tab {{ background: transparent; color: {c.text_secondary}; border: none;
    padding: {px(4)}px {px(10)}px; }}
QTabBar::tab:selected {{ color: {c.text}; }}
"""
