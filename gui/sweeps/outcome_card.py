"""A result against a parameter, with bands; both can be chosen."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from engine.core.sweeps.pictures import Picture, numeric_parameters, parameter_titles, result_picture
from engine.core.sweeps.results import result_names
from gui.sweeps.sweep_model import SweepModel
from gui.views import make_drawing
from gui.views.drawing import Drawing
from gui.widgets.card import Card
from gui.widgets.choice_field import ChoiceField
from gui.widgets.empty_view import EmptyView
from gui.widgets.option import Option


class OutcomeCard(Card):
    """One plot; it follows the sweep."""

    def __init__(self, model: SweepModel, parent: QWidget | None = None) -> None:
        super().__init__("Result", tools=("export", "menu"), parent=parent)
        self.model = model
        self.drawing: Drawing | None = None
        self.result = ""
        self.against = ""
        self.result_field: ChoiceField | None = None
        self.against_field: ChoiceField | None = None
        self._offered: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._empty = EmptyView("Results appear here", "Mean and interval of each setting.", "chart-line")
        self.set_body(self._empty)
        self.copy_requested.connect(self._copy)
        self.reset_requested.connect(lambda: self.drawing.reset_view() if self.drawing else None)

    def refresh(self) -> None:
        """Show what the sweep found so far."""
        plan, subject = self.model.plan, self.model.subject
        results = self.model.results()
        names = tuple(result_names(results))
        numeric = tuple(numeric_parameters(plan)) if plan is not None else ()
        if plan is None or subject is None or not names:
            self.set_body(self._empty)
            return
        if (names, numeric) != self._offered:
            self._offer(names, numeric)
        picture = result_picture(subject.method, plan, results, self.result, self.against or None)
        self._show(picture)

    def picture(self) -> Picture | None:
        """What is on show."""
        if self.drawing is None or self.drawing.state is None:
            return None
        return self.drawing.view, self.drawing.state

    def choose(self, result: str = "", against: str = "") -> None:
        """Show another result, or against another parameter."""
        self.result, self.against = result or self.result, against or self.against
        self.refresh()

    def _show(self, picture: Picture) -> None:
        view, state = picture
        if self.drawing is None or self.drawing.view != view:
            self.drawing = make_drawing(view)
        if self.body() is not self.drawing:
            self.set_body(self.drawing)
        self.drawing.show_state(state)
        self.set_caption(state.caption)

    def _offer(self, names: tuple[str, ...], numeric: tuple[str, ...]) -> None:
        self._offered = names, numeric
        subject = self.model.subject
        assert subject is not None
        self.result = self.result if self.result in names else names[0]
        self.against = self.against if self.against in numeric else (numeric[0] if numeric else "")
        for old in (self.result_field, self.against_field):
            if old is not None:
                old.setParent(None)
                old.deleteLater()
        titles = parameter_titles(subject.method)
        self.against_field = None
        if len(numeric) > 1:
            offered = [Option(name, f"against {titles[name]}") for name in numeric]
            self.against_field = ChoiceField(offered, self.against, name="Parameter along the axis")
            self.against_field.value_changed.connect(lambda name: self.choose(against=str(name)))
            self.add_tool(self.against_field)
        self.result_field = ChoiceField([Option(n, n) for n in names], self.result, name="Result shown")
        self.result_field.value_changed.connect(lambda name: self.choose(result=str(name)))
        self.add_tool(self.result_field)

    def _copy(self) -> None:
        if self.drawing is not None:
            QGuiApplication.clipboard().setPixmap(self.drawing.grab())
