"""Getting the compiled drawing loops ready before they are needed."""

from __future__ import annotations

import threading


def warm_kernels() -> threading.Thread:
    """Import and compile the drawing loops in a thread of their own, which ends by itself.

    To be called once the window is shown and idle. Importing the compiler takes half a second and
    compiling without its cache several: neither may happen in the first paint of a large plot.
    """

    def work() -> None:
        from gui.views.kernels import warm

        warm()

    thread = threading.Thread(target=work, name="kernels")
    thread.start()
    return thread
