"""How a file is to be read: every option "auto" until somebody decides; stored with a run, used again."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from engine.core.errors import FieldError, Repair, UnknownNameError

#: Raised when a stored recipe would give other data than before; an older number makes a warning.
READER_VERSION = 1

#: Words that mean "missing" in a column of numbers; in a text column only the empty cell is missing.
MISSING_CODES = ("NA", "NaN", "nan", "?", "null", "NULL")

_SEPARATOR_NAMES = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "\\t": "\t",
    "bar": "|",
    "blank": " ",
    "space": " ",
    "colon": ":",
}


class ReadOptions(BaseModel):
    """The recipe of one reading. Set from text by `with_setting("separator", "tab")`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    separator: str = Field("auto", description="Sign between values: a character, or tab, blank, comma …")
    decimal: Literal["auto", ".", ","] = Field("auto", description="Decimal sign")
    thousands: Literal["auto", "none", ",", ".", "'", " "] = Field("auto", description="Sign between groups")
    encoding: str = Field("auto", description="Encoding of the text, such as utf-8 or cp1252")
    header: Literal["auto", "none"] | int = Field("auto", description="Line of the column names, from 1")
    short_header: Literal["ask", "row-names"] = Field(
        "ask", description="What to do with a header one name short"
    )
    comment: str = Field("auto", description="Sign that begins a comment line, or none")
    missing: Literal["auto"] | tuple[str, ...] = Field("auto", description="Codes that mean missing")
    missing_in: dict[str, tuple[str, ...]] = Field(default_factory=dict, description="Codes for one column")
    types: dict[str, Literal["number", "text", "category", "skip"]] = Field(
        default_factory=dict, description="Type of single columns"
    )
    not_a_number: Literal["ask", "missing", "drop-row"] = Field("ask", description="Text in a number column")
    missing_cells: Literal["ask", "drop-row", "mean", "median"] = Field("ask", description="Missing numbers")
    unequal_rows: Literal["ask", "drop-row", "fill"] = Field("ask", description="Rows of another length")
    drop_rows: tuple[int, ...] = Field((), description="Lines of the file to leave out")
    label_column: str = Field("auto", description="Column of the labels: its name or number, or none")
    id_column: str = Field("auto", description="Column that names the rows: its name or number, or none")
    orientation: Literal["auto", "points", "distances", "linkage"] = Field(
        "auto", description="What a matrix means"
    )
    asymmetry: Literal["ask", "mean"] = Field("ask", description="Distances that differ by direction")
    array: str = Field("auto", description="Which array of an NPZ archive holds the values")
    first_index: Literal["0", "1"] = Field("1", description="Number of the first LIBSVM feature")
    reader: int = Field(READER_VERSION, description="Version of the reading rules the recipe was made with")

    @field_validator("separator")
    @classmethod
    def _one_character(cls, value: str) -> str:
        value = _SEPARATOR_NAMES.get(value, value)
        if value not in ("auto", "none") and (
            len(value) != 1 or not value.isascii() or value in '"\n\r.' or value.isalnum()
        ):
            raise ValueError("one character, or one of auto, none, tab, blank, comma, semicolon, bar, colon")
        return value

    @field_validator("encoding")
    @classmethod
    def _known_codec(cls, value: str) -> str:
        if value == "auto":
            return value
        try:
            codec = codecs.lookup(value)
            "a".encode(codec.name)
        except (LookupError, TypeError):
            raise ValueError("the name of a text encoding, such as utf-8, utf-16, cp1252, cp1251") from None
        return codec.name

    @field_validator("header")
    @classmethod
    def _from_one(cls, value: int | str) -> int | str:
        if isinstance(value, int) and value < 1:
            raise ValueError("auto, none, or a line number from 1")
        return value

    @field_validator("missing", "drop_rows", mode="before")
    @classmethod
    def _split_list(cls, value: Any) -> Any:
        return _split(value) if isinstance(value, str) and value != "auto" else value

    @field_validator("missing_in", mode="before")
    @classmethod
    def _split_lists(cls, value: Any) -> Any:
        return {name: _split(codes) for name, codes in value.items()} if isinstance(value, Mapping) else value

    def with_setting(self, key: str, value: Any) -> Self:
        """A copy with one option changed, as ``--set data.key=value`` does.

        `types.age` and `missing_in.age` reach a single column. Raises UnknownNameError for an unknown
        option and FieldError (field "data.key") for a value that is not allowed.
        """
        name, _, column = key.partition(".")
        if name not in type(self).model_fields or name == "reader":
            raise UnknownNameError(
                "loading option", name, [f for f in type(self).model_fields if f != "reader"]
            )
        if column:
            value = {**getattr(self, name), column: value} if name in ("types", "missing_in") else value
        data = {**self.model_dump(), name: value}
        try:
            return type(self).model_validate(data)
        except ValidationError as error:
            raise FieldError(f"data.{key}", found=_shown(value, column), allowed=_allowed(error)) from None

    def with_settings(self, settings: Mapping[str, Any]) -> Self:
        """Several `with_setting`, in order."""
        options = self
        for key, value in settings.items():
            options = options.with_setting(key, value)
        return options

    def repaired(self, choice: Repair) -> Self:
        """A copy with the way out taken that a DataError offered."""
        return self.with_setting(choice.key, choice.value)

    def changed(self) -> dict[str, Any]:
        """Only what differs from the defaults, JSON-ready: what is worth printing or storing."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def codes_for(self, column: str) -> tuple[str, ...]:
        """The words that mean missing in that column."""
        if column in self.missing_in:
            return self.missing_in[column]
        return MISSING_CODES if self.missing == "auto" else self.missing


def _split(value: Any) -> Any:
    return (
        tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
    )


def _shown(value: Any, column: str) -> Any:
    return value.get(column) if column and isinstance(value, Mapping) else value


def _allowed(error: ValidationError) -> str:
    message = error.errors()[0]["msg"]
    return message.removeprefix("Value error, ").replace("Input should be", "Allowed:")
