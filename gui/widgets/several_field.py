"""Several of many, as check boxes in two columns."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QSizePolicy, QWidget

from gui.theme.typeset import typeset
from gui.widgets.option import Option, as_options


class SeveralField(QWidget):
    """Set of options; its value is the tuple of chosen values in the order of the options."""

    value_changed = Signal(object)
    problem_changed = Signal(str)
    left = Signal()

    def __init__(
        self,
        options: Iterable[Option | str],
        value: Iterable[object] = (),
        *,
        at_least: int = 0,
        columns: int = 2,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._options = as_options(options)
        self._at_least = at_least
        self._problem = ""
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        self._boxes: list[QCheckBox] = []
        for index, option in enumerate(self._options):
            box = QCheckBox(option.label)
            box.setAccessibleName(option.label)
            typeset(box, "body")
            box.clicked.connect(self._on_click)
            box.installEventFilter(self)
            grid.addWidget(box, *divmod(index, columns))
            self._boxes.append(box)
            self.set_blocked(option.value, option.reason)
        for column in range(columns):
            grid.setColumnStretch(column, 1)
        self.set_value(tuple(value))

    def value(self) -> tuple[object, ...]:
        """Chosen values, in the order of the options."""
        return tuple(o.value for o, b in zip(self._options, self._boxes, strict=True) if b.isChecked())

    def set_value(self, value: object) -> None:
        """Choose exactly these values, without ``value_changed``.

        Raises:
            TypeError: it is no collection.
            ValueError: one of them is not offered.
        """
        if not isinstance(value, tuple | list | set | frozenset):
            raise TypeError(f"a collection is needed, not {value!r}")
        unknown = [v for v in value if all(v != o.value for o in self._options)]
        if unknown:
            raise ValueError(f"not offered: {unknown[0]!r}")
        for option, box in zip(self._options, self._boxes, strict=True):
            box.setChecked(option.value in value)
        self._judge()

    def set_blocked(self, value: object, reason: str) -> None:
        """Make the option with this value unavailable, with the reason, or available with an empty one."""
        for option, box in zip(self._options, self._boxes, strict=False):
            if option.value == value:
                box.setEnabled(not reason)
                box.setToolTip(reason or option.help)
                box.setAccessibleDescription(reason or option.help)

    def problem(self) -> str:
        """That too few are chosen; empty if enough are."""
        return self._problem

    def set_state(self, state: str) -> None:
        """Nothing is drawn: the line below the boxes says it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.left.emit()
        return False

    def _on_click(self) -> None:
        self._judge()
        if not self._problem:
            self.value_changed.emit(self.value())

    def _judge(self) -> None:
        count = len(self.value())
        short = count < self._at_least
        problem = f"{count or 'None'} chosen. At least {self._at_least}." if short else ""
        if problem != self._problem:
            self._problem = problem
            self.problem_changed.emit(problem)
