"""The only entry: no arguments opens the window; list, describe, run and sweep work without a screen."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Open the window or serve the terminal; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] in ("--reset-window", "--theme"):
        from gui.start import open_window

        return open_window(arguments)
    from engine.terminal import serve

    return serve(arguments)


if __name__ == "__main__":
    sys.exit(main())
