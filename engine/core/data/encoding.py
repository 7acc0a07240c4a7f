"""From bytes to text: UTF-8, UTF-16 and single-byte pages, with or without a mark.

The result is UTF-8 bytes with "\\n" line ends, so that the parsers meet one form only. A byte that cannot
be decoded is an error with its line; no character is ever replaced.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from engine.core.data.options import ReadOptions
from engine.core.data.source import Source
from engine.core.errors import DataError, Repair

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Tried in this order; an earlier page wins when two explain the bytes equally well.
_PAGES = ("cp1252", "cp1250", "cp1251", "koi8-r", "cp1253")
_CHUNK = 4 << 20
_SAMPLE = 64 << 10
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")


@dataclass(frozen=True)
class Text:
    """UTF-8 bytes without a mark, lines ended by "\\n"; `guessed` when a single-byte page was inferred."""

    data: bytes
    encoding: str
    guessed: bool = False


def read_text(source: Source, options: ReadOptions) -> Text:
    """The content of a text file. Raises DataError naming the line of the first undecodable byte."""
    raw = source.read_bytes()
    encoding = _marked(raw) if options.encoding == "auto" else options.encoding
    encoding = encoding or _two_byte(source, raw)
    if encoding:
        return Text(_one_line_end(source, _to_utf8(source, raw, encoding)), encoding)
    try:
        _check_utf8(source, raw)
        return Text(_one_line_end(source, raw), "utf-8")
    except UnicodeDecodeError as error:
        if _mostly_utf8(raw):
            raise _undecodable(source, raw, "utf-8", error.start) from None
    page = _single_byte_page(raw)
    if page is None:
        raise source.error("unknown-encoding", "no known encoding fits all bytes", "Text", choices=_choices())
    return Text(_one_line_end(source, _to_utf8(source, raw, page)), page, guessed=True)


def _marked(raw: bytes) -> str | None:
    return next((name for mark, name in _MARKS if raw.startswith(mark)), None)


def _two_byte(source: Source, raw: bytes) -> str | None:
    """UTF-16 without a mark: ASCII characters leave every second byte zero. Other zeros are no text."""
    sample = raw[:_SAMPLE]
    zeros = sample.count(0)
    if not zeros:
        return None
    odd = sample[1::2].count(0)
    if zeros > 0.3 * len(sample):
        if odd > 0.95 * zeros:
            return "utf-16-le"
        if zeros - odd > 0.95 * zeros:
            return "utf-16-be"
    raise source.error("not-text", "the file holds binary data (zero bytes)", "A text file")


def _check_utf8(source: Source, raw: bytes) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(raw), _CHUNK):
        kept = len(decoder.getstate()[0])
        try:
            decoder.decode(raw[start : start + _CHUNK], final=start + _CHUNK >= len(raw))
        except UnicodeDecodeError as error:
            place = start - kept + error.start
            raise UnicodeDecodeError("utf-8", b"", place, place + 1, error.reason) from None
        source.tick(start / len(raw), "Checking the encoding")


def _to_utf8(source: Source, raw: bytes, encoding: str) -> bytes:
    """Decoded strictly and written again as UTF-8, in pieces; a leading mark is dropped."""
    mark = next((mark for mark, _ in _MARKS if raw.startswith(mark)), b"")
    if encoding == "utf-8":
        raw = raw.removeprefix(codecs.BOM_UTF8)
        try:
            _check_utf8(source, raw)
        except UnicodeDecodeError as error:
            raise _undecodable(source, raw, encoding, error.start) from None
        return raw
    if mark and encoding.startswith("utf-") and encoding not in ("utf-16", "utf-32"):
        raw = raw.removeprefix(mark)
    decoder = codecs.getincrementaldecoder(encoding)()
    pieces: list[bytes] = []
    for start in range(0, len(raw), _CHUNK):
        try:
            text = decoder.decode(raw[start : start + _CHUNK], final=start + _CHUNK >= len(raw))
        except UnicodeDecodeError as error:
            done = "".join(piece.decode("utf-8") for piece in pieces)
            line = done.count("\n") + _lines_before(error, encoding) + 1
            raise _undecodable(source, raw, encoding, start + error.start, line) from None
        pieces.append(text.encode("utf-8"))
        source.tick(start / len(raw), "Decoding the text")
    return b"".join(pieces)


def _lines_before(error: UnicodeDecodeError, encoding: str) -> int:
    """Line ends in the good part of the piece that failed."""
    return error.object[: error.start].decode(encoding, "ignore").count("\n")


def _undecodable(source: Source, raw: bytes, encoding: str, place: int, line: int | None = None) -> DataError:
    start = raw.rfind(b"\n", 0, place) + 1
    line = line or raw.count(b"\n", 0, place) + 1
    byte = f"byte 0x{raw[place]:02X}" if place < len(raw) else "the end of the file"
    return source.error(
        "undecodable-byte",
        f"{byte} (number {place - start + 1} of the line) does not fit the encoding {encoding}",
        f"every byte of the file fits {encoding}",
        row=line,
        choices=_choices(besides=encoding),
    )


def _choices(besides: str = "") -> tuple[Repair, ...]:
    names = [name for name in ("utf-8", "cp1252", "cp1251", "utf-16") if name != besides][:3]
    return tuple(
        Repair("encoding", name, f"{'Read' if i == 0 else 'read'} the file as {name}", "The letters change")
        for i, name in enumerate(names)
    )


def _mostly_utf8(raw: bytes) -> bool:
    """A UTF-8 file with a few damaged bytes, rather than a single-byte page?"""
    text = raw[: 16 << 20].decode("utf-8", "surrogateescape")
    special = [c for c in text if c > "\x7f"] if not text.isascii() else []
    bad = sum("\udc80" <= c <= "\udcff" for c in special)
    return len(special) - bad > bad


def _single_byte_page(raw: bytes) -> str | None:
    """The page whose letters make the likeliest words; None when none decodes every byte."""
    words = [match.group() for match, _ in zip(_WORD.finditer(raw), range(5000), strict=False)]
    scores = {page: score for page in _PAGES if (score := _score(page, words)) is not None}
    for page in sorted(scores, key=lambda name: -scores[name]):
        try:
            raw.decode(page)
        except UnicodeDecodeError:
            continue
        return page
    return None


def _score(page: str, words: list[bytes]) -> int | None:
    """Letters that fit their neighbours count for a page; signs inside words, mixed scripts and a capital
    after a small letter count against it. Rows of accented Latin letters are rare in any language."""
    total = 0
    for raw in words:
        try:
            word = raw.decode(page)
        except UnicodeDecodeError:
            return None
        latin = page in ("cp1252", "cp1250")
        for i, letter in enumerate(word):
            before = word[max(i - 2, 0) : i]
            after = word[i + 1 : i + 2]
            if letter < "\x80":
                continue
            if not letter.isalpha():
                total -= 1 if len(word) > 1 else 0
            elif before and before[-1].islower() and letter.isupper():
                total -= 2
            elif latin:
                accents = sum(other > "\x80" for other in before)
                total += (1, 0, -2)[accents]
            else:
                total += -2 if (before + after).strip() and min(before[-1:] + after) < "\x80" else 1
    return total


def _one_line_end(source: Source, data: bytes) -> bytes:
    """ "\\r\\n" and a lone "\\r" become "\\n"."""
    if b"\r" not in data:
        return data
    pieces = []
    for start in range(0, len(data), _CHUNK):
        piece = data[start : start + _CHUNK]
        # A pair cut by the piece's edge: its "\n" opens the next piece and is dropped there.
        if start and data[start - 1 : start + 1] == b"\r\n":
            piece = piece[1:]
        pieces.append(piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
        source.tick(start / len(data), "Finding the lines")
    return b"".join(pieces)
