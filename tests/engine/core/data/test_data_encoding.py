"""Encodings: found, told, changeable; an undecodable byte is an error with its line."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.data import ReadOptions

GERMAN = "größe;länge\n1,5;2\n3;4\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (GERMAN.encode("utf-8"), "utf-8"),
        (GERMAN.encode("utf-8-sig"), "utf-8"),
        (GERMAN.encode("utf-16"), "utf-16"),
        (codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be"), "utf-16"),
        (GERMAN.encode("utf-16-le"), "utf-16-le"),
        (GERMAN.encode("utf-16-be"), "utf-16-be"),
        (GERMAN.encode("utf-32"), "utf-32"),
        (GERMAN.encode("cp1252"), "cp1252"),
    ],
)
def test_encoding_is_found_and_told(load, content, encoding):
    loaded = load(content)
    assert loaded.value.names == ("größe", "länge")
    assert loaded.report.encoding == loaded.options.encoding == encoding
    guessed = any("inferred" in warning for warning in loaded.report.warnings)
    assert guessed == (encoding == "cp1252")


@pytest.mark.parametrize(
    ("names", "page"),
    [
        (("возраст", "город"), "cp1251"),
        (("Возраст", "Имя"), "koi8-r"),
        (("ηλικία", "πόλη"), "cp1253"),
        (("âge", "préfecture"), "cp1252"),
    ],
)
def test_single_byte_pages_are_told_apart_by_their_words(load, names, page):
    loaded = load(";".join(names).encode(page) + b"\n1;2\n3;4\n")
    assert loaded.value.names == names
    assert loaded.report.encoding == page


def test_mark_before_a_quoted_header_is_no_part_of_the_name(load):
    loaded = load('"a b","c"\n1,2\n3,5\n'.encode("utf-8-sig"))
    assert loaded.value.names == ("a b", "c")


def test_encoding_can_be_chosen(load):
    content = "vêtement;n\n1;2\n3;4\n".encode("cp1250", "replace").replace(b"?", b"\xea")
    assert load(content, encoding="cp1250").value.names[0] == "vętement"
    assert load(content, encoding="latin-1").value.names[0] == "vêtement"


def test_undecodable_byte_is_an_error_with_its_line(refusal):
    error = refusal(b"name;v\nM\xc3\xbcller;1\nGr\xc3\xb6\xc3\x9fe;2\nbad\xff;3\n")
    assert error.code == "undecodable-byte"
    assert error.row == 4
    assert "byte 0xFF (number 4 of the line) does not fit the encoding utf-8" in str(error)
    assert [choice.key for choice in error.choices] == ["encoding"] * 3


def test_undecodable_byte_of_a_chosen_encoding(refusal):
    error = refusal(b"a;b\n1;2\n\x81;3\n", encoding="cp1252")
    assert (error.code, error.row) == ("undecodable-byte", 3)
    assert refusal(GERMAN.encode("cp1252"), encoding="utf-8").row == 1


def test_zero_bytes_are_no_text(refusal):
    error = refusal(b"a,b\n1,\x00\x002\n")
    assert (error.code, str(error)) == (
        "not-text",
        "t.csv: the file holds binary data (zero bytes). A text file.",
    )


def test_characters_cut_by_a_chunk_edge(load, monkeypatch):
    monkeypatch.setattr("engine.core.data.encoding._CHUNK", 16)
    content = "größe,高さ\r\n" + "\r\n".join(f"{i},{i * i}" for i in range(30))
    for encoding in ("utf-8", "utf-16"):
        loaded = load(content.encode(encoding))
        assert loaded.value.names == ("größe", "高さ")
        assert loaded.value.n == 30


def test_unknown_encoding_is_a_field_error():
    with pytest.raises(Exception, match=r"data.encoding: “klingon” is not allowed. The name of a text enc"):
        ReadOptions().with_setting("encoding", "klingon")


_SCRIPT = """
import sys, locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from engine.core.data import TableKind, read
for path in sys.argv[1:]:
    loaded = read(path, [TableKind()])
    print(ascii(loaded.value.names), loaded.value.fingerprint(), loaded.report.encoding)
"""


def test_reading_is_the_same_in_three_locales(folder: Path):
    samples = {
        "a.csv": GERMAN.encode("utf-8"),
        "b.csv": GERMAN.encode("cp1252"),
        "c.csv": "Iı,i\n1.5,2\n3,4\n".encode("utf-16"),
    }
    for name, content in samples.items():
        (folder / name).write_bytes(content)
    printed = set()
    for language in ("C", "C.UTF-8", "de_DE.ISO-8859-1"):
        env = {**os.environ, "LC_ALL": language, "LANG": language, "PYTHONIOENCODING": "ascii"}
        env["PYTHONUTF8"] = "0"
        command = [sys.executable, "-c", _SCRIPT, *(str(folder / name) for name in samples)]
        root = Path(__file__).parents[4]
        run = subprocess.run(command, env=env, cwd=root, capture_output=True, check=True, timeout=60)
        printed.add(run.stdout)
    assert len(printed) == 1
    assert b"gr\\xf6\\xdfe" in printed.pop()
