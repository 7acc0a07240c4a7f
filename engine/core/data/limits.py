"""How large a file or table may be; looked at before memory is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Called while a file is read with the fraction done (0..1) and the phase in words; may raise to stop.
Tick = Callable[[float, str], None]


@dataclass(frozen=True)
class Limits:
    """Bounds in bytes: of the file on disk, of what it unpacks to, and of the table in memory."""

    file_bytes: int = 4 << 30
    unpacked_bytes: int = 4 << 30
    table_bytes: int = 8 << 30
    #: An archive that grows more than this when unpacked is taken for an attack.
    unpack_ratio: int = 1000


DEFAULT_LIMITS = Limits()


def size_in_words(count: float) -> str:
    """Bytes as a person reads them: "512 bytes", "1.5 MB", "2.0 GB" (powers of 1,000)."""
    if count < 1000:
        return f"{int(count)} bytes"
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 999.95:
            return f"{count:.1f} {unit}"
    return f"{count / 1000:.1f} TB"


def no_tick(fraction: float, phase: str) -> None:
    """The tick of a reader nobody watches."""
