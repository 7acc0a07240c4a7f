"""Contrast ratio of two colours, WCAG 2.2, definitions of relative luminance and contrast ratio."""

from __future__ import annotations


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    """Relative luminance of ``#RRGGBB``, 0 for black to 1 for white."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.2126 * _channel(red) + 0.7152 * _channel(green) + 0.0722 * _channel(blue)


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two ``#RRGGBB`` colours, from 1 to 21; the order does not matter."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
