"""Numbers as text: which texts are numbers, and which decimal and thousands signs a file uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.core.data.options import ReadOptions
from engine.core.data.source import Source
from engine.core.errors import DataError, Repair

_PIECE = 1 << 20
_NON_FINITE = {"nan", "inf"}
#: Blanks that people put between groups of digits: plain, no-break, narrow no-break.
_BLANKS = " \u00a0\u202f"


@dataclass(frozen=True)
class Notation:
    """How the file writes numbers: decimal sign, sign between groups of three digits or None."""

    decimal: str = "."
    thousands: str | None = None


def _number_text(notation: Notation) -> str:
    point = re.escape(notation.decimal)
    whole = r"\d+"
    if notation.thousands:
        group = f"[{_BLANKS}]" if notation.thousands == " " else re.escape(notation.thousands)
        whole = rf"(?:\d{{1,3}}(?:{group}\d{{3}})+|\d+)"
    return rf"[+-]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?"


@lru_cache(maxsize=32)
def number_reader(notation: Notation) -> Callable[[str], float | None]:
    """A function that gives the float64 nearest to a cell's text, or None when it is no number.

    ASCII digits only; "nan" and "inf" in any case are numbers here, so that the caller can name them as
    not finite.
    """
    is_number = re.compile(_number_text(notation), re.ASCII).fullmatch
    signs = _BLANKS if notation.thousands == " " else notation.thousands or ""
    changes = {ord(sign): None for sign in signs} | {ord(notation.decimal): "."}
    is_plain = not signs and notation.decimal == "."

    def read(text: str) -> float | None:
        if is_number(text):
            return float(text if is_plain else text.translate(changes))
        return float(text) if text[:4].lstrip("+-")[:3].lower() in _NON_FINITE and _is_word(text) else None

    return read


def _is_word(text: str) -> bool:
    return re.fullmatch(r"[+-]?(nan|inf|infinity)", text, re.IGNORECASE | re.ASCII) is not None


_ANY_NUMBER = re.compile(
    "|".join(
        _number_text(Notation(decimal, group))
        for decimal, group in ((".", ","), (",", "."), (".", " "), (",", " "), (".", "'"))
    ),
    re.ASCII,
)


def looks_like_number(text: str) -> bool:
    """A number in any of the usual notations."""
    return _ANY_NUMBER.fullmatch(text) is not None


def detect_notation(
    body: bytes, separator: str, lines: np.ndarray, sample: list[str], options: ReadOptions, source: Source
) -> Notation:
    """Decimal and thousands sign of the rows `body`, from every cell of the file.

    A number such as "0,5" or "12,34" can only be a decimal, "1,234,567" only groups; "1,234" fits both.
    When nothing in the file decides, DataError "decimal-or-thousands" asks; when the file holds both
    signs as decimals, DataError "two-decimal-signs" does. `lines` are the line numbers of the rows and
    `sample` some cells, used for the rarer groups by blanks or apostrophes.
    """
    evidence = _Evidence(body, separator, lines, source)
    decimal = _decimal_sign(evidence, separator, options)
    if options.thousands != "auto":
        return Notation(decimal, None if options.thousands in ("none", decimal) else options.thousands)
    other = "." if decimal == "," else ","
    if evidence.groups(other) or (evidence.sure(decimal) and evidence.either(other)):
        return Notation(decimal, other)
    if options.decimal == decimal and evidence.either(other):
        return Notation(decimal, other)
    return Notation(decimal, _rare_group(sample, decimal, separator))


def _decimal_sign(evidence: _Evidence, separator: str, options: ReadOptions) -> str:
    if options.decimal != "auto":
        return options.decimal
    if options.thousands in (",", "."):
        return "." if options.thousands == "," else ","
    comma, point = evidence.sure(","), evidence.sure(".")
    if comma and point:
        raise _two_signs(evidence, comma, point)
    if comma or point:
        return "," if comma else "."
    if evidence.groups(","):
        return "."
    if evidence.groups("."):
        return ","
    # With a comma between values a point is the decimal sign; with a semicolon it may separate groups.
    unclear = evidence.either(",") or (separator == ";" and evidence.either("."))
    if unclear:
        raise _ask(evidence, unclear)
    return "."


class _Evidence:
    """Finds the first cell of each sort, scanning the file at most once per sort."""

    def __init__(self, body: bytes, separator: str, lines: np.ndarray, source: Source) -> None:
        self._body, self._lines, self._source = body, lines, source
        self._separator = separator
        self._found: dict[str, re.Match[bytes] | None] = {}

    def sure(self, sign: str) -> re.Match[bytes] | None:
        """A cell where `sign` can only be the decimal sign."""
        other = "." if sign == "," else ","
        s, o = re.escape(sign), re.escape(other)
        return self._search(
            sign,
            rf"0\d*{s}\d+|\d+{s}(?:\d\d?|\d{{4,}}|)|\d{{4,}}{s}\d{{3}}|{s}\d+|\d{{1,3}}(?:{o}\d{{3}})+{s}\d+"
            rf"|\d+{s}\d+[eE][+-]?\d+|\d{{1,3}}(?:(?:'|{'|'.join(_BLANKS)})\d{{3}})+{s}\d+",
        )

    def groups(self, sign: str) -> re.Match[bytes] | None:
        """A cell where `sign` can only separate groups."""
        other = "." if sign == "," else ","
        s = re.escape(sign)
        numbers = rf"\d{{1,3}}(?:{s}\d{{3}}){{2,}}"
        if other != self._separator:
            numbers += rf"|\d{{1,3}}(?:{s}\d{{3}})+{re.escape(other)}\d+"
        return self._search(sign, numbers)

    def either(self, sign: str) -> re.Match[bytes] | None:
        """A cell such as "1,234" that fits both readings."""
        return self._search(sign, rf"[1-9]\d{{0,2}}{re.escape(sign)}\d{{3}}")

    def line(self, match: re.Match[bytes]) -> int:
        """Line number in the file of a match."""
        return int(self._lines[min(self._body.count(b"\n", 0, match.start(1)), len(self._lines) - 1)])

    def _search(self, sign: str, numbers: str) -> re.Match[bytes] | None:
        if numbers not in self._found:
            self._found[numbers] = self._scan(sign, numbers)
        return self._found[numbers]

    def _scan(self, sign: str, numbers: str) -> re.Match[bytes] | None:
        inside = '"' if sign == self._separator else '"\n' + self._separator
        if self._separator == " " and inside != '"':
            inside += "\t"
        body, code = self._body, sign.encode()
        if inside == '"' and body.find(b'"') < 0:
            return None
        edge = re.escape(inside)
        number = rf" *[+-]?({numbers}) *(?=[{edge}]|\Z)"
        if inside != '"' and (match := re.match(number.encode(), body)):
            return match
        pattern, start = re.compile(f"[{edge}]{number}".encode()), 0
        while start < len(body):
            # A piece ends with a line, and its search begins with the sign before it.
            end = body.find(b"\n", start + _PIECE) + 1 or len(body)
            if body.find(code, start, end) >= 0 and (match := pattern.search(body, max(start - 1, 0), end)):
                return match
            self._source.tick(end / len(body), "Finding the decimal sign")
            start = end
        return None


def _rare_group(sample: list[str], decimal: str, separator: str) -> str | None:
    for sign in ("'", " "):
        if sign == separator:
            continue
        is_number = re.compile(_number_text(Notation(decimal, sign)), re.ASCII).fullmatch
        signs = _BLANKS if sign == " " else sign
        if any(set(cell) & set(signs) and is_number(cell) for cell in sample):
            return sign
    return None


def _ask(evidence: _Evidence, match: re.Match[bytes]) -> DataError:
    text = match.group(1).decode()
    sign = "," if "," in text else "."
    other = "." if sign == "," else ","
    as_decimal, as_group = text.replace(sign, "."), text.replace(sign, "")
    return evidence._source.error(
        "decimal-or-thousands",
        f"“{text}” can be {as_decimal} or {as_group}, and no other number of the file decides",
        "say which sign is the decimal sign",
        row=evidence.line(match),
        choices=(
            Repair("decimal", sign, f"Read it as {as_decimal}", f"“{sign}” is the decimal sign"),
            Repair("decimal", other, f"read it as {as_group}", f"“{sign}” separates thousands"),
        ),
    )


def _two_signs(evidence: _Evidence, comma: re.Match[bytes], point: re.Match[bytes]) -> DataError:
    first, second = sorted((comma, point), key=lambda match: match.start())
    return evidence._source.error(
        "two-decimal-signs",
        f"“{first.group(1).decode()}” here and “{second.group(1).decode()}” in row "
        f"{evidence.line(second):,} use different decimal signs",
        "one decimal sign in a file",
        row=evidence.line(first),
        choices=(
            Repair("decimal", ".", "Take the point as decimal sign", "Numbers with a comma become text"),
            Repair("decimal", ",", "take the comma as decimal sign", "Numbers with a point become text"),
        ),
    )
