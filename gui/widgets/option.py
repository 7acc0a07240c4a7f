"""One of the things a field offers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """A value with its label.

    Attributes:
        value: what the field returns when this is chosen.
        label: what the person reads.
        note: second line or consequence.
        reason: why it cannot be chosen now; empty if it can.
        help: tooltip.
    """

    value: object
    label: str
    note: str = ""
    reason: str = ""
    help: str = ""


def as_options(options: Iterable[Option | str]) -> tuple[Option, ...]:
    """Options with plain words turned into options whose value is the word itself."""
    return tuple(o if isinstance(o, Option) else Option(o, o) for o in options)
