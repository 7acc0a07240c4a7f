"""Go back through what a run has shown, step by step or playing."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QStyle, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.button import Button, IconButton
from gui.widgets.label import Label
from gui.widgets.wheel_guard import guard_wheel

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_STEPS_A_SECOND = 8.0
_FRAME_MS = 33
"""No faster than 30 pictures a second: at higher speeds steps are passed over."""
_PAGE_SHARE = 10


class _Groove(QSlider):
    """Slider with ticks where phases change; a click goes to that place."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.ticks: tuple[int, ...] = ()
        self.setAccessibleName("Position in the history")
        self.setFixedHeight(theme().px(TOKENS.size.control))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        guard_wheel(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            half = TOKENS.size.slider_handle // 2
            place = QStyle.sliderValueFromPosition(
                self.minimum(), self.maximum(), int(event.position().x()) - half, self.width() - 2 * half
            )
            self.setValue(place)
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        span = self.maximum() - self.minimum()
        if not self.ticks or not span:
            return
        painter = QPainter(self)
        try:
            half = theme().px(TOKENS.size.slider_handle) / 2
            room = self.width() - 2 * half
            top = round(self.height() / 2 + half + 2)
            for tick in self.ticks:
                x = round(half + room * (tick - self.minimum()) / span)
                painter.fillRect(x, top, 1, theme().px(4), theme().colour("control_border"))
        finally:
            painter.end()


class HistoryScrubber(QWidget):
    """Step back, play, step on, speed, groove, and the position in words.

    Position ``steps - 1`` is the newest; while the run goes on and the handle is there, it stays there.
    """

    position_changed = Signal(int)
    """The person, or playing, went to this step."""
    at_end_changed = Signal(bool)
    """Whether the newest step is shown, or history."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._speed = 1.0
        self._was_at_end = True
        self._played = QElapsedTimer()
        self._owed = 0.0
        self.setAccessibleName("History")
        self._back = IconButton("skip-back", "Step back", ",")
        self._play = IconButton("play-fill", "Play the history")
        self._on = IconButton("skip-forward", "Step on", ".")
        self._pace = Button("1×", "ghost", tip="Speed of playing")
        self._pace.setAccessibleName("Speed of playing")
        typeset(self._pace, "small", tabular=True)
        self._groove = _Groove()
        self._groove.setRange(0, 0)
        self._words = Label("", "small", "secondary", tabular=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme().px(12), theme().px(4), theme().px(12), theme().px(4))
        row.setSpacing(theme().px(6))
        for widget in (self._back, self._play, self._on, self._pace):
            row.addWidget(widget)
        row.addWidget(self._groove, 1)
        row.addWidget(self._words)
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._tick)
        self._back.clicked.connect(lambda: self._groove.setValue(self._groove.value() - 1))
        self._on.clicked.connect(lambda: self._groove.setValue(self._groove.value() + 1))
        self._play.clicked.connect(lambda: self.set_playing(not self.is_playing()))
        self._pace.clicked.connect(self._next_speed)
        self._groove.valueChanged.connect(self._on_position)
        self._refresh()

    def set_steps(self, steps: int, phases: Iterable[int] = ()) -> None:
        """Say how many steps there are and at which of them phases change.

        The newest step stays on show if it was; no signal is sent for that.
        """
        end = self.at_end()
        self._groove.ticks = tuple(phases)
        blocked = self._groove.blockSignals(True)
        self._groove.setRange(0, max(0, steps - 1))
        self._groove.setPageStep(max(1, steps // _PAGE_SHARE))
        if end:
            self._groove.setValue(self._groove.maximum())
        self._groove.blockSignals(blocked)
        self._groove.update()
        self._refresh()

    def position(self) -> int:
        """Step on show, from 0."""
        return self._groove.value()

    def set_position(self, step: int) -> None:
        """Go to a step, with a signal if it is another."""
        self._groove.setValue(step)

    def set_words(self, text: str) -> None:
        """Say where that is, as "merge 112 of 148 · complete linkage"."""
        self._words.setText(text)
        self._groove.setAccessibleDescription(text)

    def at_end(self) -> bool:
        """Whether the newest step is on show."""
        return self._groove.value() == self._groove.maximum()

    def is_playing(self) -> bool:
        """Whether it moves by itself."""
        return self._clock.isActive()

    def set_playing(self, playing: bool) -> None:
        """Play from here, from the beginning if at the end; or hold."""
        if playing and self._groove.maximum() > 0:
            if self.at_end():
                self._groove.setValue(0)
            self._played.start()
            self._owed = 0.0
            self._clock.start(max(_FRAME_MS, round(1000 / (_STEPS_A_SECOND * self._speed))))
        else:
            self._clock.stop()
        self._play.set_icon("pause-fill" if self.is_playing() else "play-fill")
        self._play.set_name("Hold" if self.is_playing() else "Play the history")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.set_playing(False)

    def _tick(self) -> None:
        self._owed += self._played.restart() / 1000 * _STEPS_A_SECOND * self._speed
        steps = int(self._owed + 0.5)
        self._owed -= steps
        if steps:
            self._groove.setValue(self._groove.value() + steps)
        if self.at_end():
            self.set_playing(False)

    def _next_speed(self) -> None:
        self._speed = SPEEDS[(SPEEDS.index(self._speed) + 1) % len(SPEEDS)]
        self._pace.setText(f"{self._speed:g}×")
        if self.is_playing():
            self.set_playing(True)

    def _on_position(self, step: int) -> None:
        self._refresh()
        self.position_changed.emit(step)

    def _refresh(self) -> None:
        none = "There is no history yet" if self._groove.maximum() == 0 else ""
        first, last = self._groove.value() == 0, self.at_end()
        self._back.set_blocked(none or ("This is the first step" if first else ""))
        self._on.set_blocked(none or ("This is the newest step" if last else ""))
        self._play.set_blocked(none)
        if last != self._was_at_end:
            self._was_at_end = last
            self.at_end_changed.emit(last)
