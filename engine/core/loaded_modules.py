"""Modules that are already imported, completely.

While another thread imports a library, its half-made module is in ``sys.modules`` already; touching it
then fails with "partially initialized module".
"""

from __future__ import annotations

import sys
from typing import Any


def loaded(name: str) -> Any:
    """The module `name` if its import is finished, else None. Never imports."""
    module = sys.modules.get(name)
    if module is None or getattr(module.__spec__, "_initializing", False):
        return None
    return module
