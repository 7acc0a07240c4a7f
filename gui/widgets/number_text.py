"""Numbers as a person types them and as the window writes them; no Qt here."""

from __future__ import annotations

import math
import re
import sys
from decimal import Decimal

MINUS = "\N{MINUS SIGN}"
_PATTERN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_LARGEST_EXPONENT = 308
_LARGEST = Decimal(sys.float_info.max)


class NotANumber(ValueError):
    """What was typed cannot be taken as it stands; the text says what was found and what is allowed."""


def parse_number(text: str, *, whole: bool) -> int | float:
    """Read a number exactly, or refuse it.

    Decimal point, optional exponent, hyphen or true minus; blanks around it do not matter. Commas are
    refused, since "1,000" is a thousand to some and one to others.

    Args:
        text: what was typed.
        whole: whether only whole numbers are allowed; "1e3" is one, "2.5" is not.

    Raises:
        NotANumber: the text is empty, no number, too large for a double, or not whole.
    """
    typed = text.strip()
    if not typed:
        raise NotANumber("Empty. A number is needed.")
    plain = typed.replace(MINUS, "-")
    if "," in plain and _PATTERN.fullmatch(plain.replace(",", "")):
        raise NotANumber(f"“{typed}” can be read in two ways. Write {plain.replace(',', '')} or a point.")
    if not _PATTERN.fullmatch(plain):
        raise NotANumber(f"“{typed}” is not a number. Such as 0.5 or 1e-3.")
    value = Decimal(plain)
    if value and (value.adjusted() > _LARGEST_EXPONENT or abs(value) > _LARGEST):
        raise NotANumber(f"{typed} is too large.")
    if whole:
        if value != value.to_integral_value():
            raise NotANumber(f"{typed} is not a whole number.")
        return int(value)
    number = float(value)
    if value and not number:
        raise NotANumber(f"{typed} is too small to be told from 0.")
    return number


def format_number(value: int | float) -> str:
    """Shortest text that reads back as exactly ``value``, with a true minus.

    Fixed notation between 1e-4 and 1e15, else scientific without padding ("1e-6").

    Raises:
        ValueError: the value is not finite.
    """
    if isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"no number: {value!r}")
    if isinstance(value, int):
        text = str(value)
    else:
        text = repr(float(value))
        if "e" in text:
            digits, _, exponent = text.partition("e")
            text = f"{digits}e{int(exponent)}"
        elif text.endswith(".0"):
            text = text[:-2]
    return text.replace("-", MINUS)


def step_number(value: int | float, step: float | None, count: int) -> int | float:
    """``value`` moved by ``count`` steps, in decimal arithmetic, so that 0.1 + 0.2 is 0.3.

    Without a step it is 1 for whole numbers, else one unit of the leading digit, or of the digit below
    when moving down from a power of ten: 0.001 goes up to 0.002 and down to 0.0009.
    """
    exact = Decimal(str(value))
    if step is not None:
        size = Decimal(str(step))
    elif isinstance(value, int):
        size = Decimal(1)
    elif not exact:
        size = Decimal("0.1")
    else:
        power = exact.adjusted()
        toward_zero = (count < 0) == (exact > 0)
        size = Decimal(1).scaleb(
            power - 1 if toward_zero and abs(exact) == Decimal(1).scaleb(power) else power
        )
    moved = exact + size * count
    return int(moved) if isinstance(value, int) and moved == moved.to_integral_value() else float(moved)


def bounds_text(minimum: float | None, maximum: float | None) -> str:
    """What is allowed, as a sentence: "Between 1 and 2000.", "1 or more.", "At most 5."; empty if all."""
    if minimum is not None and maximum is not None:
        return f"Between {format_number(minimum)} and {format_number(maximum)}."
    if minimum is not None:
        return f"{format_number(minimum)} or more."
    if maximum is not None:
        return f"At most {format_number(maximum)}."
    return ""


def bounds_problem(value: float, minimum: float | None, maximum: float | None) -> str:
    """What is wrong with ``value`` and what is allowed, or an empty text if nothing is wrong."""
    if minimum is not None and value < minimum:
        found = f"{format_number(value)} is below {format_number(minimum)}."
    elif maximum is not None and value > maximum:
        found = f"{format_number(value)} is above {format_number(maximum)}."
    else:
        return ""
    return f"{found} {bounds_text(minimum, maximum)}"
