"""The export dialog: the figure as printed at the left, settings at the right, files in the background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from engine.core.errors import FieldError, PapertabError
from gui.export.figure_preview import FigurePreview
from gui.export.on_screen import Shown, as_shown
from gui.export.settings import ExportSettings
from gui.export.style_form import StyleForm
from gui.export.writing import Writing, file_name
from gui.tab.hairline import Hairline
from gui.theme.theme import theme
from gui.theme.tokens import TOKENS
from gui.theme.typeset import typeset
from gui.widgets.box import paint_box
from gui.widgets.button import Button, IconButton
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.progress import ProgressBar

if TYPE_CHECKING:
    from gui.tab.method_tab import MethodTab
    from gui.window.main_window import MainWindow

LARGEST = (980, 640)
FORM_WIDTH = 324
PROGRESS_MS = 100


class Scrim(QWidget):
    """Dims the window behind a dialog."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setGeometry(window.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme().colour("scrim"))
        finally:
            painter.end()


class ExportDialog(QDialog):
    """Exports some views of a tab as they are on the screen; the engine goes on behind it."""

    told = Signal(str)

    def __init__(self, tab: MethodTab, views: list[str], window: MainWindow) -> None:
        super().__init__(window)
        self.window_ = window
        self.tab = tab
        self.views = views
        self.writing: Writing | None = None
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export figure")
        everything = [name for name in tab.views.cards if tab.views.state_of(name) is not None]
        self._all_views = everything
        stored = ExportSettings.of_record(window.session.get("export", {}))
        self.form = StyleForm(stored, file_name(tab.experiment.data.title(), views[0]))
        self.preview = FigurePreview(window.bridge, window.figures)
        self.everything = QCheckBox(f"All figures of this run ({len(everything)})")
        typeset(self.everything, "body")
        self.everything.setChecked(len(views) > 1 and len(views) == len(everything))
        self.progress = ProgressBar(name="Progress of the export")
        self.stop_button = Button("Stop", "danger", "stop-fill")
        self.copy_button = Button("Copy image", icon_name="copy")
        self.cancel_button = Button("Cancel")
        self.export_button = Button("Export", "primary")
        self.refusal = Label("", "small", "danger", wrap=True)
        self._watch = QTimer(self)
        self._watch.setInterval(PROGRESS_MS)
        self._watch.timeout.connect(self._show_progress)
        self._lay_out()
        self._connect()
        room = window.size()
        self.resize(
            *(min(theme().px(side), most - 48) for side, most in zip(LARGEST, room.toTuple(), strict=True))
        )
        self._scrim = Scrim(window)
        self.finished.connect(self._scrim.hide)
        self.finished.connect(self._scrim.deleteLater)
        self._refresh()

    def figures(self) -> list[Shown]:
        """What will be exported, as it is on the screen."""
        names = self._all_views if self.everything.isChecked() else self.views[:1]
        found = [as_shown(self.tab.view(name), self.tab.views.state_of(name)) for name in names]
        return [shown for shown in found if shown is not None]

    def export(self) -> None:
        """Begin to write; the dialog shows how far it is and may be closed meanwhile."""
        try:
            settings = self.form.settings()
        except FieldError as error:
            self._refuse(str(error))
            return
        self._keep(settings)
        figures, stem = self.figures(), file_name(self.form.name.value())
        names = [stem] if len(figures) == 1 else self._names(figures)
        self.writing = Writing(figures, names, Path(settings.folder), settings.formats, settings.style)
        future = self.window_.figures.call(self.writing.write)
        writing = self.writing
        self.window_.bridge.then(future, lambda _: self._written(writing), self._failed, self.window_)
        self._show_writing(True)

    def stop(self) -> None:
        """Write no further file."""
        if self.writing is not None:
            self.writing.stop()

    def copy(self) -> None:
        """The figure as drawn in the preview, to the clipboard."""
        QGuiApplication.clipboard().setImage(self.preview.image())
        self.told.emit("The figure is in the clipboard.")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme().colour("surface"))
            paint_box(
                painter, self.rect(), theme().px(TOKENS.radius.popover), "surface", theme().outline_colour()
            )
        finally:
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        path, radius = QPainterPath(), theme().px(TOKENS.radius.popover)
        path.addRoundedRect(QRectF(self.rect()), radius, radius)
        self.setMask(QRegion(path.toFillPolygon().toPolygon()))
        parent = self.window_.frameGeometry().center()
        self.move(parent.x() - self.width() // 2, parent.y() - self.height() // 2)

    def _names(self, figures: list[Shown]) -> list[str]:
        title = self.tab.experiment.data.title()
        return [file_name(title, shown.view.name) for shown in figures]

    def _refresh(self) -> None:
        """Draw anew and say how many files there will be."""
        try:
            settings = self.form.settings()
        except FieldError as error:
            self._refuse(str(error))
            return
        figures = self.figures()
        count = len(figures) * len(settings.formats)
        self.export_button.setText(f"Export {count} file{'s' * (count != 1)}")
        reason = "" if count else "Choose a kind of file first."
        if not Path(settings.folder).is_dir():
            reason = "The folder does not exist."
        self._refuse(reason)
        self.form.name.setEnabled(len(figures) == 1)
        self.form.name.setToolTip("" if len(figures) == 1 else "Each file is named after its view")
        if figures:
            self.preview.show_figure(figures[0], settings.style)
            named = " · ".join((figures[0].view.title, self.tab.experiment.data.title()))
            more = f" and {len(figures) - 1} more" if len(figures) > 1 else ""
            self.caption.set_text(f"{named}{more}")

    def _refuse(self, reason: str) -> None:
        self.refusal.setText(reason)
        self.export_button.set_blocked(reason)

    def _keep(self, settings: ExportSettings) -> None:
        self.window_.session.set("export", settings.as_record())
        self.window_.session.save()

    def _show_writing(self, on: bool) -> None:
        while_writing: tuple[QWidget, ...] = (self.progress, self.stop_button)
        otherwise: tuple[QWidget, ...] = (self.everything, self.copy_button, self.export_button)
        for widget in while_writing:
            widget.setVisible(on)
        for widget in otherwise:
            widget.setVisible(not on)
        self.form.setEnabled(not on)
        self.cancel_button.setText("Close" if on else "Cancel")
        if on:
            self._watch.start()
            self._show_progress()
        else:
            self._watch.stop()

    def _show_progress(self) -> None:
        if self.writing is not None:
            self.progress.set_share(self.writing.done / max(1, self.writing.total))

    def _written(self, writing: Writing) -> None:
        count = len(writing.reports)
        files = f"{count} file{'s' * (count != 1)}"
        how = "Stopped: exported" if writing.stopped else "Exported"
        folder = writing.folder
        self.window_.toasts.show(
            f"{how} {files} to {folder.name or folder}.",
            action_word="Open folder",
            action=lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))),
        )
        self._close_if_there()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, PapertabError):
            self._close_if_there()
            raise error
        self.window_.tell(str(error), error=True)
        self._close_if_there()

    def _close_if_there(self) -> None:
        from shiboken6 import isValid

        if isValid(self):
            self.accept()

    def _connect(self) -> None:
        self.form.changed.connect(self._refresh)
        self.everything.toggled.connect(lambda _: self._refresh())
        self.copy_button.clicked.connect(self.copy)
        self.cancel_button.clicked.connect(self.reject)
        self.export_button.clicked.connect(self.export)
        self.stop_button.clicked.connect(self.stop)
        self.true_size.toggled.connect(self.preview.set_true_size)

    def _lay_out(self) -> None:
        self.caption = ElidedLabel("", "small", "secondary")
        self.true_size = QCheckBox("true size")
        typeset(self.true_size, "small")
        close = IconButton("x", "Close")
        close.clicked.connect(self.reject)
        head = _row((20, 12, 12, 12), Label("Export figure", "dialog"), self.caption, self.true_size, close)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.form)
        scroll.setFixedWidth(theme().px(FORM_WIDTH))
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.preview, 1)
        body.addWidget(Hairline(upright=True))
        body.addWidget(scroll)
        foot = _row((20, 14, 16, 14), self.everything, self.progress, self.refusal, self.stop_button,
                    self.copy_button, self.cancel_button, self.export_button)  # fmt: skip
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Hairline())
        column.addLayout(body, 1)
        column.addWidget(Hairline())
        column.addLayout(foot)
        self.progress.hide()
        self.stop_button.hide()


def _row(margins: tuple[int, int, int, int], *widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(*margins)
    row.setSpacing(8)
    for widget in widgets:
        grows = isinstance(widget, (ElidedLabel, ProgressBar)) or (
            isinstance(widget, Label) and widget.wordWrap()
        )
        row.addWidget(widget, 1 if grows else 0)
    return row
