"""Parameters of a method or an action, declared once.

Type, default, range, help, unit, group and visibility stand on the field and nowhere else; the form,
``--set`` on the terminal, the message beside a wrong field, the record and the reference page read them
from here. Stored form: JSON values. Typed form: `str` (from the terminal) or Python values (from the form).
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo

from engine.core.errors import FieldError, UnknownNameError, listing

Group = Literal["basic", "advanced"]
FieldKind = Literal["integer", "number", "toggle", "choice", "several", "range", "text", "path"]


@dataclass(frozen=True)
class When:
    """A field is shown only when another has (or holds) one of `values`."""

    field: str
    values: tuple[Any, ...]

    def holds(self, current: Mapping[str, Any]) -> bool:
        value = current.get(self.field)
        held = value if isinstance(value, (tuple, list, set, frozenset)) else (value,)
        return any(item in self.values for item in held)


def field(
    default: Any,
    *,
    help: str,
    title: str | None = None,
    unit: str = "",
    group: Group = "basic",
    section: str = "Parameters",
    when: When | None = None,
    labels: Mapping[Any, str] | None = None,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    lt: float | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    path: bool = False,
) -> Any:
    """Declare one parameter.

    `help` is one sentence; `title` the label on the form (from the name if left out); `labels` gives a
    choice's words where they differ from its value; `section` groups fields under a heading of the form.
    """
    extra: dict[str, Any] = {
        "unit": unit,
        "group": group,
        "section": section,
        "when": {"field": when.field, "values": list(when.values)} if when else None,
        "labels": {str(key): text for key, text in (labels or {}).items()},
        "path": path,
    }
    return Field(
        default,
        title=title,
        description=help,
        ge=ge,
        gt=gt,
        le=le,
        lt=lt,
        min_length=min_length,
        max_length=max_length,
        pattern=pattern,
        json_schema_extra=extra,
    )


def range_field(
    default: tuple[float, float],
    *,
    help: str,
    ge: float,
    le: float,
    title: str | None = None,
    unit: str = "",
    group: Group = "basic",
    section: str = "Parameters",
    when: When | None = None,
) -> Any:
    """Declare two numbers, low and high, both from `ge` to `le`."""
    declared = field(default, help=help, title=title, unit=unit, group=group, section=section, when=when)
    declared.json_schema_extra["within"] = [ge, le]
    return declared


class MethodParameters(BaseModel):
    """Base of every method's and action's parameters: frozen, no unknown fields, finite numbers only."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False, str_strip_whitespace=True
    )

    @field_validator("*")
    @classmethod
    def _ordered_within(cls, value: Any, info: ValidationInfo) -> Any:
        """Range fields: low ≤ high, both within the declared ends."""
        extra = cls.model_fields[str(info.field_name)].json_schema_extra
        within = extra.get("within") if isinstance(extra, dict) else None
        if isinstance(within, list):
            low, high = value
            if not within[0] <= low <= high <= within[1]:  # type: ignore[operator]
                raise ValueError(FieldSpec.of("", cls.model_fields[str(info.field_name)]).allowed())
        return value

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Self:
        """The parameters with `values` over the defaults.

        Raises:
            UnknownNameError: a name that is no field.
            FieldError: the first value that is not allowed (`problems` gives all of them).
        """
        errors = cls.problems(values)
        if errors:
            raise errors[0]
        return cls.model_validate(dict(values))

    @classmethod
    def problems(cls, values: Mapping[str, Any]) -> list[FieldError | UnknownNameError]:
        """Everything wrong with `values`, one error per field, in the order of the fields."""
        unknown: list[FieldError | UnknownNameError] = [
            UnknownNameError("parameter", name, cls.model_fields)
            for name in values
            if name not in cls.model_fields
        ]
        known = {name: value for name, value in values.items() if name in cls.model_fields}
        try:
            cls.model_validate(known)
        except ValidationError as error:
            return unknown + [_field_error(cls, item, known) for item in _first_per_field(error)]
        return unknown

    @classmethod
    def fields(cls) -> tuple[FieldSpec, ...]:
        """One `FieldSpec` per parameter, in declared order: what a form needs to build its editor."""
        return tuple(FieldSpec.of(name, info) for name, info in cls.model_fields.items())

    @classmethod
    def parse(cls, assignments: Mapping[str, str]) -> dict[str, Any]:
        """Values from text as typed on a terminal: ``k_max=10``, ``linkages=single,complete``."""
        specs = {spec.name: spec for spec in cls.fields()}
        parsed: dict[str, Any] = {}
        for name, text in assignments.items():
            if name not in specs:
                raise UnknownNameError("parameter", name, specs)
            parsed[name] = specs[name].parse(text)
        return parsed

    def as_record(self) -> dict[str, Any]:
        """All values as JSON data, for ``run.json``."""
        return self.model_dump(mode="json")


@dataclass(frozen=True)
class FieldSpec:
    """What there is to know about one parameter; `kind` decides the editor."""

    name: str
    title: str
    kind: FieldKind
    default: Any
    help: str
    unit: str
    group: Group
    section: str
    when: When | None
    choices: tuple[Any, ...] = ()
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    integer: bool = False
    optional: bool = False
    max_length: int | None = None

    @classmethod
    def of(cls, name: str, info: FieldInfo) -> FieldSpec:
        extra = typing.cast(dict[str, Any], info.json_schema_extra or {})
        annotation, optional = _without_none(info.annotation)
        kind, choices = _kind(annotation, bool(extra.get("path")))
        bounds = _bounds(info)
        when = extra.get("when")
        if within := extra.get("within"):
            bounds = {"ge": within[0], "le": within[1]}
        return cls(
            name=name,
            title=info.title or name.replace("_", " ").capitalize(),
            kind=kind,
            default=info.default,
            help=info.description or "",
            unit=extra.get("unit", ""),
            group=extra.get("group", "basic"),
            section=extra.get("section", "Parameters"),
            when=When(when["field"], tuple(when["values"])) if when else None,
            choices=choices,
            labels=extra.get("labels", {}),
            low=bounds.get("ge", bounds.get("gt")),
            high=bounds.get("le", bounds.get("lt")),
            low_open="gt" in bounds,
            high_open="lt" in bounds,
            integer=_is_integer(annotation),
            optional=optional,
            max_length=bounds.get("max_length"),
        )

    def label(self, choice: Any) -> str:
        """The word a person reads for one of the choices."""
        return self.labels.get(str(choice), str(choice))

    def allowed(self) -> str:
        """What may stand in the field, in words: "an integer from 2 to 500"."""
        if self.kind in ("choice", "several"):
            head = "one of" if self.kind == "choice" else "one or more of"
            return f"{head} {listing([str(c) for c in self.choices], 'or')}"
        if self.kind == "toggle":
            return "true or false"
        if self.kind in ("text", "path"):
            return f"text of at most {self.max_length:,} characters" if self.max_length else "text"
        what = "an integer" if self.integer else "a number"
        if self.kind == "range":
            what = f"{'integers' if self.integer else 'numbers'} low,high with low at most high"
            return f"{what},{_between(self)}" if _between(self) else what
        return f"{what}{_between(self)}{' or empty' if self.optional else ''}"

    def parse(self, text: str) -> Any:
        """The value `text` stands for; what does not parse is returned as text, for validation to refuse."""
        text = text.strip()
        if self.optional and text.lower() in ("", "none", "null"):
            return None
        if self.kind in ("text", "path"):
            return text
        if self.kind in ("several", "range"):
            return [self._scalar(part.strip()) for part in text.strip("[]()").split(",") if part.strip()]
        return self._scalar(text)

    def _scalar(self, text: str) -> Any:
        bare = text.strip("\"'")
        for choice in self.choices:
            if str(choice) == bare:
                return choice
        if self.kind == "toggle":
            return {"yes": True, "on": True, "no": False, "off": False}.get(bare.lower(), bare)
        try:
            return json.loads(bare)
        except ValueError:
            return bare


def _between(spec: FieldSpec) -> str:
    low = _bound(spec.low) if spec.low is not None else None
    high = _bound(spec.high) if spec.high is not None else None
    if low and high and not spec.low_open and not spec.high_open:
        return f" from {low} to {high}"
    parts = []
    if low:
        parts.append(f"above {low}" if spec.low_open else f"at least {low}")
    if high:
        parts.append(f"below {high}" if spec.high_open else f"at most {high}")
    return f", {' and '.join(parts)}" if parts else ""


def _bound(value: float) -> str:
    """A bound as a person reads it: 10,000,000; 0.001; 1e-09."""
    return f"{int(value):,}" if value == int(value) and abs(value) < 1e15 else f"{value:g}"


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """The annotation without its "or None", and whether it had one."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, False
    rest = [item for item in typing.get_args(annotation) if item is not type(None)]
    return rest[0], len(rest) < len(typing.get_args(annotation))


def _kind(annotation: Any, path: bool) -> tuple[FieldKind, tuple[Any, ...]]:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return "choice", args
    if origin in (tuple, list, frozenset, set):
        inner = args[0]
        if typing.get_origin(inner) is Literal:
            return "several", typing.get_args(inner)
        return "range", ()
    if annotation is bool:
        return "toggle", ()
    if annotation is int:
        return "integer", ()
    if annotation is float:
        return "number", ()
    return ("path" if path else "text"), ()


def _is_integer(annotation: Any) -> bool:
    args = typing.get_args(annotation)
    return annotation is int or (bool(args) and all(arg in (int, ...) for arg in args))


def _bounds(info: FieldInfo) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for constraint in info.metadata:
        for name in ("ge", "gt", "le", "lt", "max_length"):
            value = getattr(constraint, name, None)
            if value is not None:
                found[name] = value
    return found


def _first_per_field(error: ValidationError) -> list[Any]:
    seen: dict[Any, Any] = {}
    for item in error.errors(include_url=False):
        seen.setdefault(item["loc"][:1], item)
    return list(seen.values())


def _field_error(cls: type[MethodParameters], item: Any, values: Mapping[str, Any]) -> FieldError:
    if not item["loc"]:
        reason = item.get("ctx", {}).get("error", item["msg"])
        name = getattr(reason, "field", None) or next(iter(cls.model_fields))
        return reason if isinstance(reason, FieldError) else FieldError(name, found="", allowed=str(reason))
    name = str(item["loc"][0])
    spec = FieldSpec.of(name, cls.model_fields[name])
    custom = item.get("ctx", {}).get("error")
    allowed = str(custom) if item["type"] == "value_error" and custom else spec.allowed()
    return FieldError(name, found=values.get(name, item.get("input")), allowed=allowed, label=spec.title)
