"""Times and sizes as a person reads them."""

from __future__ import annotations

SHOW_FROM_SHARE = 0.05
SHOW_FROM_SECONDS = 3.0
"""The remaining time is told once it can be backed: from 5% or three seconds on."""


def clock(seconds: float, *, tenths: bool = False) -> str:
    """0:42, 3:12, 1:04:30; under ten seconds "1.8 s" where `tenths`."""
    if tenths and seconds < 0.05:
        return "under 0.1 s"
    if tenths and seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def remaining(elapsed: float, share: float | None) -> str:
    """ "about 0:45 left", rounded to what can be known; empty while nothing can."""
    if not share or share >= 1 or (share < SHOW_FROM_SHARE and elapsed < SHOW_FROM_SECONDS):
        return ""
    seconds = elapsed * (1 - share) / share
    step = 5 if seconds < 60 else 10 if seconds < 600 else 60
    return f"about {clock(max(step * round(seconds / step), min(step, 5)))} left"


def bytes_in_words(count: float) -> str:
    """ "212 MB", "4.6 GB"."""
    if count < 1e6:
        return f"{max(count / 1e3, 1):.0f} kB"
    return f"{count / 1e6:,.0f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"
