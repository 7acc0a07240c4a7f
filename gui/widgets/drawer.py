"""The bar under the views whose pages open upward: results, log, and what a tab adds."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.button import IconButton
from gui.widgets.label import ElidedLabel, Label

_SHARE = 0.4


class _PageButton(QAbstractButton):
    """Name of a page, and beside it how much is there."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setText(name)
        self.note = ""
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(name)
        typeset(self, "small", weight=500)

    def sizeHint(self) -> QSize:
        note = self.fontMetrics().horizontalAdvance(self.note) + theme().px(5) if self.note else 0
        return QSize(
            self.fontMetrics().horizontalAdvance(self.text()) + note + theme().px(16), theme().px(24)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            words = self.fontMetrics().horizontalAdvance(self.text())
            box = self.rect().adjusted(theme().px(6), 0, 0, 0)
            painter.setFont(theme().font("small", weight=600 if self.isChecked() else 500))
            token = "accent_text" if self.isChecked() else "text"
            painter.setPen(theme().colour(token))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self.text())
            painter.setFont(theme().font("small"))
            painter.setPen(theme().colour("text_tertiary"))
            painter.drawText(
                box.adjusted(words + theme().px(5), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.note
            )
        finally:
            painter.end()


class _NameField(QLineEdit):
    """The run's name while it is edited; Escape gives the old one back."""

    given_up = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)


class Drawer(QWidget):
    """Bar of 32 px; a press on a page's name opens it upward to two fifths of ``set_room``'s height.

    At the right stands the run's name, edited in place.
    """

    renamed = Signal(str)
    """The person gave the run this name."""
    page_opened = Signal(object)
    """Name of the page now open, None if the drawer was closed."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[str, _PageButton] = {}
        self._pages: dict[str, QWidget] = {}
        self._open: str | None = None
        self._last = ""
        self._stack = QStackedWidget()
        self._stack.hide()
        self._caret = IconButton("caret-up", "Open the drawer", small=True)
        self._row = QHBoxLayout()
        self._said = Label("", "small", "tertiary")
        self._name = ElidedLabel("", "small", "secondary")
        self._edit = _NameField()
        self._edit.hide()
        self._edit.setAccessibleName("Name of the run")
        typeset(self._edit, "small")
        self._pencil = IconButton("pencil-simple", "Rename the run", small=True)
        self._pencil.set_blocked("There is no run yet")
        self._lay_out()
        self._caret.clicked.connect(self._toggle)
        self._pencil.clicked.connect(self._begin_edit)
        self._edit.editingFinished.connect(self._end_edit)
        self._edit.given_up.connect(self._give_up)

    def add_page(self, name: str, page: QWidget) -> None:
        """Add a page under its name."""
        button = _PageButton(name)
        button.clicked.connect(lambda: self.open(None if self._open == name else name))
        self._row.addWidget(button)
        self._buttons[name], self._pages[name] = button, page
        self._stack.addWidget(page)
        self._last = self._last or name

    def set_note(self, name: str, note: str) -> None:
        """Say beside a page's name how much is there, as "12 values · 2 tables".

        Raises:
            KeyError: no page has this name.
        """
        button = self._buttons[name]
        button.note = note
        button.setAccessibleDescription(note)
        button.updateGeometry()
        button.update()

    def open(self, name: str | None) -> None:
        """Open a page, or close the drawer with None.

        Raises:
            KeyError: no page has this name.
        """
        if name is not None:
            self._stack.setCurrentWidget(self._pages[name])
            self._last = name
        self._open = name
        self._stack.setVisible(name is not None)
        for other, button in self._buttons.items():
            button.setChecked(other == name)
        self._caret.set_icon("caret-down" if name is not None else "caret-up")
        self._caret.set_name("Close the drawer" if name is not None else "Open the drawer")
        self.page_opened.emit(name)

    def open_page(self) -> str | None:
        """Name of the open page, None if closed."""
        return self._open

    def set_room(self, height: int) -> None:
        """Height of views and drawer together, logical px; an open page takes two fifths of it."""
        self._stack.setFixedHeight(max(theme().px(120), round(height * _SHARE)))

    def set_run_name(self, name: str, said: str = "Saved as") -> None:
        """Show the run's name with what is done with it; an empty name hides both."""
        self._said.setText(said if name else "")
        self._name.set_text(name)
        self._pencil.set_blocked("" if name else "There is no run yet")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(0, 0, self.width(), 1, theme().colour("border"))
        finally:
            painter.end()

    def _lay_out(self) -> None:
        bar = QWidget()
        bar.setFixedHeight(theme().px(TOKENS.size.drawer_bar) - 1)
        line = QHBoxLayout(bar)
        line.setContentsMargins(theme().px(10), 0, theme().px(10), 0)
        line.setSpacing(theme().px(6))
        self._row.setSpacing(theme().px(4))
        line.addWidget(self._caret)
        line.addLayout(self._row)
        line.addStretch(1)
        line.addWidget(self._said)
        line.addSpacing(theme().px(4))
        line.addWidget(self._name)
        line.addWidget(self._edit)
        line.addWidget(self._pencil)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 1, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack)
        column.addWidget(bar)

    def _toggle(self) -> None:
        if self._pages:
            self.open(None if self._open is not None else self._last)

    def _begin_edit(self) -> None:
        self._edit.setText(self._name.whole_text())
        self._name.hide()
        self._edit.show()
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._edit.selectAll()

    def _end_edit(self) -> None:
        # Hiding the field makes it lose the focus, which ends the editing a second time.
        if self._edit.isHidden():
            return
        name = self._edit.text().strip()
        self._give_up()
        if name and name != self._name.whole_text():
            self._name.set_text(name)
            self.renamed.emit(name)

    def _give_up(self) -> None:
        self._edit.hide()
        self._name.show()
