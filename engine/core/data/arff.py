"""ARFF, the format of Weka and OpenML: typed attributes, dense or sparse rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from engine.core.data.assemble import assemble
from engine.core.data.cells import RawColumn, classify
from engine.core.data.encoding import read_text
from engine.core.data.kinds import TableKind
from engine.core.data.loaded import Loaded
from engine.core.data.notation import Notation
from engine.core.data.options import ReadOptions
from engine.core.data.report import Report, counted, some_of
from engine.core.data.source import Source
from engine.core.data.values import text_array

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(\{{.*\}}|\S+.*)$", re.IGNORECASE)
_VALUE = re.compile(rf"\s*({_QUOTED}|[^,'\"\t{{}}]*)\s*(?:[,\t]|$)")
_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True)
class Attribute:
    """A declared column: `type` "number", "text" or "category", with the values a category may take."""

    name: str
    type: str
    values: tuple[str, ...] = ()


def load(source: Source, options: ReadOptions, kind: TableKind) -> Loaded:
    """A table from an ARFF file.

    Raises DataError with the line: "not-arff", "bad-attribute", "unequal-rows", "not-in-list" (a value
    that its nominal attribute does not declare), "not-a-number" and the others of `assemble`.
    """
    text = read_text(source, options)
    report = Report(file=source.name, format="ARFF", encoding=text.encoding, separator=",", decimal=".")
    content = text.data.decode("utf-8").split("\n")
    attributes, start = _head(content, report, source)
    rows, lines = _rows(content, start, attributes, report, source)
    if not rows:
        raise source.error("no-table", "there is no row after @data", "at least one row is needed")
    source.check_table(len(rows), len(attributes))
    report.rows_in_file = len(rows)
    columns = []
    for j, attribute in enumerate(attributes):
        cells = text_array(row[j] for row in rows)
        columns.append(_column(attribute, cells, lines, options, source))
        source.tick((j + 1) / len(attributes), "Finding the types")
    options = options.with_setting("encoding", text.encoding)
    last = attributes[-1]
    if options.label_column == "auto" and last.type == "category" and kind.label_column:
        options = options.with_setting("label_column", last.name)
    return assemble(columns, np.array(lines), report, options, kind, source)


def _head(content: list[str], report: Report, source: Source) -> tuple[list[Attribute], int]:
    """The attributes, and the place in `content` of the first line after @data."""
    attributes: list[Attribute] = []
    for i, line in enumerate(content):
        word = line.strip()
        lower = word.lower()
        if not word or word.startswith("%") or lower.startswith("@relation"):
            report.comment_lines += word.startswith("%")
        elif lower.startswith("@attribute"):
            attributes.append(_attribute(word, i + 1, source))
        elif lower == "@data":
            if not attributes:
                raise source.error("not-arff", "@data comes before any @attribute", "ARFF", row=i + 1)
            return attributes, i + 1
        else:
            allowed = "before @data lines begin with @relation, @attribute or %"
            raise source.error("not-arff", f"“{word[:40]}” is no ARFF declaration", allowed, row=i + 1)
    raise source.error("not-arff", "there is no @data line", "an ARFF file has one")


def _attribute(line: str, number: int, source: Source) -> Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise source.error("bad-attribute", f"“{line[:60]}”", "@attribute name type", row=number)
    name, declared = _unquoted(match.group(1)), match.group(2).strip()
    if declared.startswith("{"):
        values = _split(declared[1:-1])
        if values is None:
            raise source.error("bad-attribute", f"“{declared[:60]}”", "{value, value, …}", row=number)
        return Attribute(name, "category", tuple(values))
    base = declared.split()[0].lower()
    types = {"numeric": "number", "real": "number", "integer": "number", "string": "text", "date": "text"}
    if base not in types:
        allowed = "numeric, real, integer, string, date or a list of values in braces"
        raise source.error("bad-attribute", f"there is no type “{base}”", allowed, row=number, column=name)
    return Attribute(name, types[base])


def _rows(
    content: list[str], start: int, attributes: list[Attribute], report: Report, source: Source
) -> tuple[list[list[str]], list[int]]:
    """The cells of each row (a missing one is empty) and its line number."""
    rows, lines = [], []
    blanks = [attribute.values[0] if attribute.type == "category" else "0" for attribute in attributes]
    for number, line in enumerate(content[start:], start + 1):
        if number % 1000 == 0:
            source.tick(number / len(content), "Reading the rows")
        word = line.strip()
        if not word or word.startswith("%"):
            report.comment_lines += word.startswith("%")
            continue
        if word.startswith("{") and word.endswith("}"):
            cells = _sparse(word[1:-1], blanks, number, source)
        else:
            cells = _dense(word, len(attributes), number, source)
        rows.append(cells)
        lines.append(number)
    return rows, lines


def _dense(word: str, expected: int, number: int, source: Source) -> list[str]:
    cells = _split(word)
    if cells is None:
        raise source.error(
            "unclosed-quote", "a quote does not close", "quotes around whole values", row=number
        )
    if len(cells) != expected:
        raise source.error(
            "unequal-rows",
            f"{counted(len(cells), 'value')} instead of {expected:,}",
            f"there are {expected:,} attributes",
            row=number,
        )
    return cells


def _sparse(word: str, blanks: list[str], number: int, source: Source) -> list[str]:
    """A row {index value, …}: what is not named is 0, or the first value of its list."""
    cells = list(blanks)
    for part in filter(None, (part.strip() for part in word.split(","))):
        index, _, value = part.partition(" ")
        if not (index.isdecimal() and int(index) < len(cells)):
            allowed = f"index value, with an index from 0 to {len(cells) - 1}"
            raise source.error("not-a-pair", f"“{part}”", allowed, row=number)
        cells[int(index)] = _cell(value.strip())
    return cells


def _split(text: str) -> list[str] | None:
    """Values between commas or tabs, unquoted; None when a quote does not close."""
    cells, place = [], 0
    while True:
        match = _VALUE.match(text, place)
        if match is None:
            return None
        cells.append(_cell(match.group(1).strip()))
        if match.end() == len(text) and not text[match.start() : match.end()].rstrip(" ").endswith(
            (",", "\t")
        ):
            return cells
        place = match.end()


def _cell(word: str) -> str:
    return "" if word == "?" else _unquoted(word)


def _unquoted(word: str) -> str:
    return (
        _ESCAPE.sub(r"\1", word[1:-1]) if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0] else word
    )


def _column(
    attribute: Attribute, cells: np.ndarray, lines: list[int], options: ReadOptions, source: Source
) -> RawColumn:
    if attribute.type == "category":
        known = {"", *attribute.values}
        for i, cell in enumerate(cells):
            if cell not in known:
                raise source.error(
                    "not-in-list",
                    f"“{cell}” is not declared",
                    f"the attribute takes {some_of(attribute.values)}",
                    row=lines[i],
                    column=attribute.name,
                )
    types = {attribute.name: attribute.type} | options.types
    typed = options.model_copy(update={"types": types})
    column = classify(attribute.name, cells, Notation(), typed, source.tick)
    column.reason = "chosen" if attribute.name in options.types else "declared"
    return column
