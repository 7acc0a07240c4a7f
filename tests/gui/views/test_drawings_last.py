"""Many repaints, many plots, and their memory; in child processes, since a failure ends the interpreter."""

from __future__ import annotations

import subprocess
import sys
import textwrap

HEAD = """
import sys
import numpy as np
import psutil
import shiboken6
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QApplication
from engine.core.views import Axis, Lines, LinesState, Scatter, ScatterState, Series
from gui.views import make_drawing
app = QApplication([])
x = np.arange(400.0)
lines = LinesState(series=tuple(Series(name=n, x=x, y=np.sin(x / k)) for k, n in ((3, "a"), (9, "b"))))
view = Lines("c", title="T", x=Axis("x"), y=Axis("y"))
cloud = Scatter("s", title="T", x=Axis("x"), y=Axis("y"))
points = ScatterState(x=x, y=x)
def turn(ms=0):
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()
"""


def said(body: str) -> list[str]:
    """Words a child process printed last."""
    script = HEAD + textwrap.dedent(body)
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=110)
    assert child.returncode == 0, child.stderr[-2000:]
    return child.stdout.split()


def test_two_thousand_repaints_of_a_curve() -> None:
    printed = said(
        """
        drawing = make_drawing(view)
        drawing.resize(300, 200)
        drawing.show()
        drawing.show_state(lines)
        for step in range(2000):
            drawing.canvas.pan(0.01 if step % 2 else -0.01, 0)
            drawing.canvas.viewport().repaint()
        print("painted", step + 1)
        """
    )
    assert printed == ["painted", "2000"]


def test_three_hundred_plots_come_and_go_and_give_their_memory_back() -> None:
    printed = said(
        """
        process, alive = psutil.Process(), []
        def open_and_close(count):
            for number in range(count):
                drawing = make_drawing(view if number % 2 else cloud)
                drawing.resize(300, 200)
                drawing.show()
                drawing.show_state(lines if number % 2 else points)
                turn()
                drawing.close()
                drawing.deleteLater()
                alive.append(drawing)
                del drawing
                turn()
        open_and_close(100)
        before = process.memory_info().rss
        open_and_close(200)
        turn(20)
        grown = (process.memory_info().rss - before) / 2**20
        print(len(alive), sum(shiboken6.isValid(one) for one in alive), round(grown))
        """
    )
    made, valid, grown = map(int, printed)
    assert (made, valid) == (300, 0)
    assert grown < 40


def test_none_keeps_its_references() -> None:
    printed = said(
        """
        pen, before = QPen(), sys.getrefcount(None)
        for _ in range(300):
            pen.setWidth(2)
        print(sys.getrefcount(None) - before > -50)
        """
    )
    assert printed == ["True"]
