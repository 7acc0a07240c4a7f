"""The parameters of a tab as its form holds them: values, the chosen preset, presets of the person's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import FieldError, UnknownNameError
from engine.core.method import Method
from engine.core.parameters import MethodParameters


class ParameterValues:
    """Values may be wrong while they are typed; `parameters` is None then and `problems` says why."""

    def __init__(self, method: Method) -> None:
        self.method = method
        self.own: dict[str, dict[str, Any]] = {}
        self.preset = method.presets[0].name
        self.values: dict[str, Any] = self._of(self.preset)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def presets(self) -> tuple[str, ...]:
        """Names of the method's presets and of the person's own."""
        return (*(preset.name for preset in self.method.presets), *self.own)

    def choose(self, preset: str) -> str | None:
        """Take all values of a preset; returns the data set it names, if it names one.

        Raises:
            UnknownNameError: there is no such preset.
        """
        if preset not in self.presets():
            raise UnknownNameError("preset", preset, self.presets())
        self.preset = preset
        self.values = self._of(preset)
        return None if preset in self.own else self.method.preset(preset).data

    def set(self, name: str, value: Any) -> bool:
        """Change one value; False if it was that already."""
        before = self.values.get(name)
        if before == value and type(before) is type(value):
            return False
        self.values[name] = value
        return True

    def take(self, values: Mapping[str, Any]) -> None:
        """Values of a record or of the last session; names this version does not know are left out."""
        self.values = {**self.values, **{n: v for n, v in values.items() if n in self.values}}

    def keep_own(self, name: str) -> None:
        """Keep the present values under a name, and choose them.

        Raises:
            FieldError: the method has a preset of that name, or a value is wrong.
        """
        if name in {preset.name for preset in self.method.presets}:
            raise FieldError("name", found=name, allowed="a name the method's presets do not have")
        parameters = self.parameters()
        if parameters is None:
            raise FieldError("values", found="a wrong value", allowed="values that a run could use")
        self.own[name] = parameters.as_record()
        self.preset = name

    def forget_own(self, name: str) -> None:
        """Remove a preset of the person's own; its values stay in the form."""
        self.own.pop(name, None)
        if self.preset == name:
            self.preset = self.method.presets[0].name

    def take_own(self, stored: Mapping[str, Any]) -> None:
        """Own presets of the last session; those that no longer fit the method are left out."""
        for name, values in stored.items():
            if isinstance(values, Mapping) and not self.method.parameters.problems(
                {n: v for n, v in values.items() if n in self.values}
            ):
                self.own[str(name)] = dict(values)

    def changed(self) -> list[str]:
        """Fields that differ from the preset."""
        preset = self._of(self.preset)
        return [name for name, value in self.values.items() if _plain(value) != _plain(preset[name])]

    def preset_value(self, name: str) -> Any:
        """The value of a field in the chosen preset."""
        return self._of(self.preset)[name]

    def parameters(self) -> MethodParameters | None:
        """The checked parameters; None while a field is wrong."""
        if self.method.parameters.problems(self.values):
            return None
        return self.method.parameters.build(self.values)

    def problems(self) -> dict[str, FieldError]:
        """Field → what is wrong with its value, whatever the data."""
        return {
            error.field or "": error
            for error in self.method.parameters.problems(self.values)
            if isinstance(error, FieldError)
        }

    def _of(self, preset: str) -> dict[str, Any]:
        if preset in self.own:
            known = self.method.parameters.model_fields
            values = {n: v for n, v in self.own[preset].items() if n in known}
            parameters = self.method.settings(None, values)
        else:
            parameters = self.method.settings(preset)
        return {field: getattr(parameters, field) for field in self.method.parameters.model_fields}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (tuple, list, set, frozenset)) else value
