"""Two numbers, the lower "to" the upper."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.widgets.label import Label
from gui.widgets.number_field import NumberField
from gui.widgets.number_text import format_number


class RangeField(QWidget):
    """Interval of whole or decimal numbers; its value is the pair ``(lower, upper)``."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        lower: int | float,
        upper: int | float,
        *,
        whole: bool = False,
        minimum: float | None = None,
        maximum: float | None = None,
        step: float | None = None,
        unit: str = "",
        word: str = "to",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._problem = ""
        self._ends = tuple(
            NumberField(
                value,
                whole=whole,
                minimum=minimum,
                maximum=maximum,
                step=step,
                unit=unit,
                name=f"{name}, {end}" if name else end,
            )
            for value, end in ((lower, "from"), (upper, "to"))
        )
        self._value = self._typed()
        self._judge()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._ends[0], 1)
        row.addWidget(Label(word, "small", "secondary"))
        row.addWidget(self._ends[1], 1)
        self.setFocusProxy(self._ends[0])
        for end in self._ends:
            end.value_changed.connect(self._on_edit)
            end.problem_changed.connect(self._on_edit)
            end.left.connect(self.left)

    def value(self) -> tuple[int | float, int | float]:
        """The last valid pair."""
        return self._value

    def set_value(self, value: object) -> None:
        """Show the pair ``value`` without ``value_changed``.

        Raises:
            TypeError: it is not a pair of numbers.
        """
        if not isinstance(value, tuple | list) or len(value) != 2:
            raise TypeError(f"a pair of numbers is needed, not {value!r}")
        for end, number in zip(self._ends, value, strict=True):
            end.set_value(number)
        self._value = self._typed()
        self._judge()

    def set_bounds(self, minimum: float | None, maximum: float | None) -> None:
        """Change what is allowed at both ends."""
        for end in self._ends:
            end.set_bounds(minimum, maximum)

    def problem(self) -> str:
        """What is wrong at the first end that is wrong, or that the ends are in the wrong order."""
        return self._problem

    def set_state(self, state: str) -> None:
        """Outline of the ends that are at fault; of both if neither is by itself."""
        faulty = [end for end in self._ends if end.problem()] or list(self._ends)
        for end in self._ends:
            end.set_state(state if end in faulty else "")

    def _typed(self) -> tuple[int | float, int | float]:
        return self._ends[0].value(), self._ends[1].value()

    def _judge(self) -> None:
        problem = self._ends[0].problem() or self._ends[1].problem()
        low, high = self._typed()
        if not problem and low > high:
            problem = f"{format_number(low)} is above {format_number(high)}. The lower end comes first."
        if problem != self._problem:
            self._problem = problem
            self.problem_changed.emit(problem)

    def _on_edit(self, _what: object) -> None:
        self._judge()
        if not self._problem and self._typed() != self._value:
            self._value = self._typed()
            self.value_changed.emit(self._value)
