"""Papertab without a screen: ``python main.py list | describe | run | sweep``.

Exit status: 0 finished, 1 failed, 2 the request was wrong (one line on stderr says which and why),
130 stopped by Ctrl-C.
"""

from engine.terminal.commands import serve

__all__ = ["serve"]
