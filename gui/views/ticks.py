"""Where ticks stand and how numbers are written. Pure functions."""

from __future__ import annotations

import math

import numpy as np

MINUS = "\N{MINUS SIGN}"
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_UNDER_A_DECADE = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
_ONE_TWO_FIVE = (1.0, 2.0, 5.0)
Ticks = list[tuple[float, str]]


def nice_step(span: float, wanted: float) -> float:
    """Step from 1, 2, 2.5, 5 × 10ⁿ that gives a number of steps nearest to ``wanted`` over ``span``."""
    raw = span / max(wanted, 1.0)
    base = 10.0 ** math.floor(math.log10(raw))
    steps = (base, 2 * base, 2.5 * base, 5 * base, 10 * base)
    # Quarters read worse than halves and fifths, so they must fit clearly better.
    return min(steps, key=lambda s: abs(math.log(s / raw)) + (0.15 if s == steps[2] else 0.0))


def linear_ticks(low: float, high: float, wanted: float = 5) -> Ticks:
    """Round values in [low, high] with their words."""
    span = high - low
    if not (math.isfinite(span) and span > 0):
        return []
    step, first, last = 0.0, 0, -1
    # One number alone does not tell the scale.
    for finer in (1, 2, 4):
        step = nice_step(span, finer * max(wanted, 1.0))
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last > first:
            break
    values = [index * step for index in range(first, last + 1)]
    return [(value, number_words(value, step)) for value in values]


def log_ticks(low: float, high: float, wanted: float = 6) -> Ticks:
    """Ticks of a logarithmic axis; ``low``, ``high`` and the positions are decimal exponents.

    Round values when under a third of a decade, 1-2-3-4-5-6-8 under one, 1-2-5 under two, powers of ten
    beyond.
    """
    span = high - low
    if not (math.isfinite(span) and span > 0):
        return []
    if span < 1 / 3:
        ticks = linear_ticks(10.0**low, 10.0**high, wanted)
        return [(math.log10(value), words) for value, words in ticks if value > 0]
    if span <= 2 + 1e-9:
        digits = _UNDER_A_DECADE if span <= 1 else _ONE_TWO_FIVE
        decades = range(math.floor(low), math.floor(high) + 1)
        places = [
            (math.log10(digit) + decade, digit * 10.0**decade) for decade in decades for digit in digits
        ]
    else:
        step = max(1, math.ceil(span / max(wanted, 2)))
        # One number alone does not tell the scale.
        while step > 1 and math.floor(high / step + 1e-9) <= math.ceil(low / step - 1e-9):
            step -= 1
        decades = range(math.ceil(low / step - 1e-9) * step, math.floor(high + 1e-9) + 1, step)
        places = [(float(decade), 10.0**decade) for decade in decades]
    return [(p, log_words(value)) for p, value in places if low - 1e-9 <= p <= high + 1e-9]


def degree_ticks(low: float, high: float, wanted: float, *, latitude: bool) -> Ticks:
    """Ticks of a map's axis in degrees: 20°N, 140°W."""
    letters = "NS" if latitude else "EW"

    def words(value: float) -> str:
        number = number_words(abs(value), step)
        return f"{number}°{'' if value == 0 else letters[value < 0]}"

    step = nice_step(high - low, wanted) if high > low else 1.0
    return [(value, words(value)) for value, _ in linear_ticks(low, high, wanted)]


def nice_limits(low: float, high: float, *, log: bool = False, zero: bool = False) -> tuple[float, float]:
    """The next round limits around [low, high]; of exponents where ``log``; with 0 inside where ``zero``."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    if log:
        return _nice_log_limits(low, high)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        pad = abs(high) * 0.1 or 0.5
        low, high = low - pad, high + pad
    # Half ticks are round enough and waste less of the plot.
    step = nice_step(high - low, 5) / 2
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def _nice_log_limits(low: float, high: float) -> tuple[float, float]:
    if high - low < 1e-9:
        low, high = low - 0.15, high + 0.15
    steps = [math.log10(digit) for digit in _ONE_TWO_FIVE]

    def below(value: float) -> float:
        decade = math.floor(value + 1e-9)
        return decade + max(step for step in steps if decade + step <= value + 1e-9)

    def above(value: float) -> float:
        decade = math.floor(value - 1e-9)
        return min([decade + step for step in steps if decade + step >= value - 1e-9], default=decade + 1.0)

    return below(low), above(high)


def number_words(value: float, step: float) -> str:
    """A tick's number with the decimals its step needs, thousands with a comma, a true minus."""
    if value == 0 or abs(value) < step * 1e-6:
        return "0"
    if step < 1e-4 or abs(value) >= 1e7:
        return _scientific(value, max(0, _order(value) - _order(step)))
    decimals = max(0, -_order(step))
    if not math.isclose(round(step, decimals), step, rel_tol=1e-6):
        decimals += 1
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def log_words(value: float) -> str:
    """A tick of a logarithmic axis: plain from 0.001 to 99,999, a power of ten beyond."""
    if 9.99e-4 <= value < 1e5:
        return f"{value:,.10g}"
    return _scientific(value, 0)


def value_words(value: float, digits: int = 4) -> str:
    """A number for reading: ``digits`` significant, thousands with a comma, a true minus."""
    if value is None or math.isnan(value):
        return "not defined"
    if math.isinf(value):
        return f"{MINUS if value < 0 else ''}∞"
    if value == 0:
        return "0"
    order = _order(value)
    if order >= 7 or order < -4:
        return _scientific(value, digits - 1)
    if float(value).is_integer() and order < 7:
        return f"{value:,.0f}".replace("-", MINUS)
    words = f"{value:,.{max(0, digits - 1 - order)}f}".replace("-", MINUS)
    return words.rstrip("0").rstrip(".") if "." in words else words


def aligned_words(values: list[float]) -> list[str]:
    """Numbers that stand under each other: equal decimals, by the largest of them to 3–4 digits."""
    finite = [abs(value) for value in values if math.isfinite(value)]
    if not finite or max(finite) == 0 or not 1e-3 <= max(finite) < 1e6:
        return [value_words(value) for value in values]
    if all(float(value).is_integer() for value in finite):
        return [value_words(value) for value in values]
    decimals = min(4, max(0, 2 - min(0, _order(max(finite)))) if max(finite) < 100 else 1)
    return [
        f"{value:,.{decimals}f}".replace("-", MINUS) if math.isfinite(value) else value_words(value)
        for value in values
    ]


def to_drawn(values: np.ndarray, log: bool) -> np.ndarray:
    """Data to the axis' own numbers: decimal exponents where ``log``; what cannot be shown is NaN."""
    values = np.asarray(values, np.float64)
    if not log:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log10(values), np.nan)


def from_drawn(value: float, log: bool) -> float:
    """Back from the axis' number to the data's."""
    return 10.0**value if log else value


def _order(value: float) -> int:
    return math.floor(math.log10(abs(value)) + 1e-9)


def _scientific(value: float, decimals: int) -> str:
    mantissa, exponent = f"{value:.{max(0, min(decimals, 6))}e}".split("e")
    power = "10" + str(int(exponent)).translate(_SUPERSCRIPTS)
    mantissa = mantissa.replace("-", MINUS)
    return power if mantissa == "1" else f"{mantissa} × {power}"
