"""Say something to a screen reader without moving the focus."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str, *, urgent: bool = False) -> None:
    """Announce ``text`` politely, or at once if ``urgent``; nothing happens where no reader listens."""
    if text and QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(widget, text)
        kinds = QAccessible.AnnouncementPoliteness
        event.setPoliteness(kinds.Assertive if urgent else kinds.Polite)
        QAccessible.updateAccessibility(event)
