"""Presets of the person's own: the present values kept under a name, or one of them removed."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from engine.core.errors import PapertabError
from gui.tab.values import ParameterValues
from gui.theme.theme import theme
from gui.widgets.button import Button
from gui.widgets.label import Label
from gui.widgets.text_field import TextField


class OwnPresetDialog(QDialog):
    """Asks for a name; lists the presets there are, each with a way to remove it."""

    def __init__(self, values: ParameterValues, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values = values
        self.setWindowTitle("Own presets")
        self.setMinimumWidth(theme().px(360))
        self.name = TextField("", placeholder="Name of the preset", name="Name of the preset")
        self.refusal = Label("", "caption", "danger", wrap=True)
        self.refusal.hide()
        self.keep = Button("Save preset", "primary")
        self.keep.clicked.connect(self._keep)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 16, 24, 16)
        self._column.setSpacing(8)
        self._column.addWidget(Label("Save the present values", "dialog"))
        self._column.addWidget(self.name)
        self._column.addWidget(self.refusal)
        for own in values.own:
            self._column.addWidget(self._own_row(own))
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = Button("Cancel")
        cancel.clicked.connect(self.reject)
        row.addWidget(cancel)
        row.addWidget(self.keep)
        self._column.addLayout(row)
        self.name.returnPressed.connect(self._keep)
        self.name.setFocus()

    def _own_row(self, own: str) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(Label(own, "body", "secondary"), 1)
        remove = Button("Remove", "ghost", "trash")
        remove.setAccessibleName(f"Remove {own}")
        remove.clicked.connect(lambda: self._forget(own))
        row.addWidget(remove)
        return box

    def _forget(self, own: str) -> None:
        self.values.forget_own(own)
        self.accept()

    def _keep(self) -> None:
        name = self.name.text().strip()
        try:
            if name:
                self.values.keep_own(name)
                self.accept()
                return
            self.refusal.setText("A preset needs a name.")
        except PapertabError as error:
            self.refusal.setText(str(error))
        self.refusal.show()
