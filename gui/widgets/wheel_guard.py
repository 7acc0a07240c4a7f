"""The wheel scrolls the page; it changes a field only when the field has focus after a click in it."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QWidget

_ARMED = "wheelArmed"
_GUARDED = "wheelGuarded"


class WheelGuard(QObject):
    """Event filter on spin boxes, combo boxes and sliders; see ``guard_wheel``."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Wheel:
            field = _field_of(watched)
            if not (field.hasFocus() and field.property(_ARMED)):
                # Ignored, so that Qt hands it on to the parent: the page scrolls.
                event.ignore()
                return True
        elif kind == QEvent.Type.MouseButtonPress:
            _field_of(watched).setProperty(_ARMED, True)
        elif kind == QEvent.Type.FocusOut:
            _field_of(watched).setProperty(_ARMED, False)
        return False


def _field_of(watched: QObject) -> QWidget:
    """The guarded field itself when its inner line edit was hit."""
    parent = watched.parent()
    if isinstance(parent, QAbstractSpinBox | QComboBox):
        return parent
    assert isinstance(watched, QWidget)
    return watched


@lru_cache(maxsize=1)
def _guard() -> WheelGuard:
    return WheelGuard()


def guard_wheel(root: QWidget) -> None:
    """Guard ``root``, if it is a field, and every field inside it; guarding twice does nothing.

    Call it once more after fields were added. Scroll bars are left alone.
    """
    kinds = (QAbstractSpinBox, QComboBox, QAbstractSlider)
    fields = [root] if isinstance(root, kinds) else []
    for kind in kinds:
        fields.extend(root.findChildren(kind))
    for field in fields:
        if isinstance(field, QScrollBar) or field.property(_GUARDED):
            continue
        field.setProperty(_GUARDED, True)
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(_guard())
        line = None if isinstance(field, QAbstractSlider) else field.lineEdit()
        if line is not None:
            line.installEventFilter(_guard())
