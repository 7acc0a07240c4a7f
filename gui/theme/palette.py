"""The tokens as a ``QPalette``, so that what the style sheet does not name agrees with it."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from gui.theme.tokens import Colours


def build_palette(colours: Colours) -> QPalette:
    """Palette of one theme, active and inactive alike."""
    role = QPalette.ColorRole
    general = {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.sunken,
        role.Text: colours.text,
        role.Button: colours.surface,
        role.ButtonText: colours.text,
        role.BrightText: colours.on_accent,
        role.ToolTipBase: colours.tooltip,
        role.ToolTipText: colours.tooltip_text,
        role.PlaceholderText: colours.text_tertiary,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Accent: colours.accent,
        role.Link: colours.accent_text,
        role.LinkVisited: colours.accent_text,
        role.Light: colours.raised,
        role.Midlight: colours.hover,
        role.Mid: colours.border_strong,
        role.Dark: colours.control_border,
        role.Shadow: colours.border_strong,
    }
    disabled = {
        role.WindowText: colours.text_disabled,
        role.Text: colours.text_disabled,
        role.ButtonText: colours.text_disabled,
        role.Base: colours.sunken,
        role.Button: colours.sunken,
        role.Highlight: colours.border_strong,
        role.HighlightedText: colours.text,
    }
    palette = QPalette()
    for entry, colour in general.items():
        palette.setColor(entry, QColor(colour))
    for entry, colour in disabled.items():
        palette.setColor(QPalette.ColorGroup.Disabled, entry, QColor(colour))
    return palette
