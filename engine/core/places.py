"""Where things lie on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

RESOURCES = Path(__file__).parents[2] / "resources"
"""Icons, fonts, help pages, sample data, small weights: read only."""


def data_folder() -> Path:
    """The person's runs; ``PAPERTAB_HOME`` moves it (tests, network homes)."""
    home = os.environ.get("PAPERTAB_HOME")
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir("papertab", appauthor=False))


def cache_folder() -> Path:
    """Prepared data and converted weights: may be deleted at any time."""
    home = os.environ.get("PAPERTAB_HOME")
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("papertab", appauthor=False))


def settings_folder() -> Path:
    """Window geometry, last tab, presets of the person's own."""
    home = os.environ.get("PAPERTAB_HOME")
    return Path(home) / "config" if home else Path(platformdirs.user_config_dir("papertab", appauthor=False))
