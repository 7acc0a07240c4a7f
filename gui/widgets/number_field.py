"""A number, taken exactly as typed or marked wrong."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QResizeEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy, QWidget

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.field import show_state
from gui.widgets.label import Label
from gui.widgets.number_text import NotANumber, bounds_problem, format_number, parse_number, step_number
from gui.widgets.wheel_guard import guard_wheel

_SHIFT_STEPS = 10
_ARROWS = 24


class NumberField(QAbstractSpinBox):
    """Whole or decimal number with its unit inside.

    Text is never rewritten while it is typed or when the field is left. Arrows step, with Shift ten
    times as far.
    """

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        value: int | float,
        *,
        whole: bool = False,
        minimum: float | None = None,
        maximum: float | None = None,
        step: float | None = None,
        unit: str = "",
        arrows: bool = True,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._whole = whole
        self._minimum, self._maximum = minimum, maximum
        self._step = step
        self._value: int | float = int(value) if whole else float(value)
        self._problem = bounds_problem(self._value, minimum, maximum)
        self._unit = Label(unit, "small", "tertiary", parent=self)
        self._unit.setVisible(bool(unit))
        self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # Qt's own NoButtons gives the text no width under a style sheet.
        self._arrows = arrows
        self.setProperty("arrows", "true" if arrows else "false")
        self.setAccessibleName(name)
        self.setAccessibleDescription(unit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        typeset(self, "body", tabular=True)
        guard_wheel(self)
        self.lineEdit().setText(format_number(self._value))
        self.lineEdit().textChanged.connect(self._on_text)

    def value(self) -> int | float:
        """The last valid value."""
        return self._value

    def set_value(self, value: object) -> None:
        """Show ``value``; it may lie outside the bounds and is then marked wrong.

        Raises:
            TypeError: the value is no number, or not whole in a field of whole numbers.
        """
        if isinstance(value, bool) or not isinstance(value, int | float) or (self._whole and value % 1):
            raise TypeError(f"{'a whole number' if self._whole else 'a number'} is needed, not {value!r}")
        number = int(value) if self._whole else float(value)
        self._value = number
        blocked = self.lineEdit().blockSignals(True)
        self.lineEdit().setText(format_number(number))
        self.lineEdit().blockSignals(blocked)
        self._set_problem(bounds_problem(number, self._minimum, self._maximum))

    def set_bounds(self, minimum: float | None, maximum: float | None) -> None:
        """Change what is allowed, and judge the text anew."""
        self._minimum, self._maximum = minimum, maximum
        self._on_text(self.lineEdit().text())

    def problem(self) -> str:
        """What is wrong with the text and what is allowed; empty if nothing."""
        return self._problem

    def set_state(self, state: str) -> None:
        """Outline: empty, ``error`` or ``warning``."""
        show_state(self, state)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        # Everything may be typed; what cannot be taken is marked, never changed.
        return QValidator.State.Acceptable, text, position

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        flags = QAbstractSpinBox.StepEnabledFlag.StepNone
        if self.isReadOnly():
            return flags
        if self._maximum is None or self._value < self._maximum:
            flags |= QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
        if self._minimum is None or self._value > self._minimum:
            flags |= QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        return flags

    def stepBy(self, steps: int) -> None:
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier and abs(steps) == 1:
            steps *= _SHIFT_STEPS
        moved = step_number(self._value, self._step, steps)
        if self._minimum is not None:
            moved = max(moved, self._minimum)
        if self._maximum is not None:
            moved = min(moved, self._maximum)
        self.lineEdit().setText(format_number(int(moved) if self._whole else float(moved)))
        self.lineEdit().selectAll()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(96), theme().px(TOKENS.size.control))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(56), theme().px(TOKENS.size.control))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_unit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._place_unit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def _place_unit(self) -> None:
        self._unit.adjustSize()
        end = theme().px(_ARROWS + 2 if self._arrows else 9)
        top = (self.height() - self._unit.height()) // 2
        self._unit.move(self.width() - end - self._unit.width(), top)
        unit = self._unit.width() + theme().px(4) if self._unit.text() else 0
        self.lineEdit().setTextMargins(theme().px(6), 0, unit if self._arrows else unit + theme().px(6), 0)

    def _on_text(self, text: str) -> None:
        try:
            value = parse_number(text, whole=self._whole)
        except NotANumber as refusal:
            self._set_problem(str(refusal))
            return
        problem = bounds_problem(value, self._minimum, self._maximum)
        self._set_problem(problem)
        if not problem and value != self._value:
            self._value = value
            self.value_changed.emit(value)

    def _set_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self.problem_changed.emit(problem)
