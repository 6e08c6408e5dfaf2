"""Which encoding a file has, and its text line by line without holding more than one line.

The rules are few and fixed, so that the same file is always read alike: a byte order mark is
believed; then UTF-16 where every second byte is empty; then UTF-8; what is not UTF-8 at all is
Windows-1252, which Latin-1 files are, too. A byte that has no letter becomes ``BROKEN``, so that
its line can be named.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass

from collection.lists.errors import Unreadable

BROKEN = "\ufffd"
MAX_LINE_LENGTH = 20_000
"""Longer lines are read over and named, never held."""
_SAMPLE = 4096
_CHUNK = 65_536
_MAGIC = {
    b"PK\x03\x04": "a spreadsheet or a ZIP file",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x1f\x8b": "a compressed file",
    b"SQLite format": "a database",
}
_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with BOM",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": "Windows-1252",
}


def spoken(encoding: str) -> str:
    """An encoding's usual name."""
    return _NAMES.get(encoding, encoding)


def detect(data: bytes) -> str:
    """The encoding's name in Python; raises ``Unreadable`` for a file that is not text."""
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise Unreadable(f"This is {what}, not a list. Save it as CSV or text first.")
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = data[:_SAMPLE]
    if wide := _wide(sample):
        return wide
    strange = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in sample)
    if strange * 20 > len(sample):
        raise Unreadable("Not a text file. Use CSV, plain text or JSON.")
    return "utf-8" if _is_utf8(data) else "cp1252"


def _wide(sample: bytes) -> str:
    """UTF-16 without a mark has an empty byte in most pairs, always on the same side."""
    pairs = len(sample) // 2
    if pairs:
        high, low = sample[1 : 2 * pairs : 2].count(0), sample[0 : 2 * pairs : 2].count(0)
        if high * 2 > pairs and low == 0:
            return "utf-16-le"
        if low * 2 > pairs and high == 0:
            return "utf-16-be"
    return ""


def _is_utf8(data: bytes) -> bool:
    """True if all of it decodes, or at least the first of its characters outside ASCII."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    plain = True
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        try:
            decoder.decode(chunk, final=start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return not (plain and error.object[: error.start].isascii())
        plain = plain and chunk.isascii()
    return True


def _stream(data: bytes, encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace", newline="")


def pieces(data: bytes, encoding: str) -> Iterator[str]:
    """The text in pieces of no particular length, for what does not go by lines."""
    stream = _stream(data, encoding)
    while text := stream.read(MAX_LINE_LENGTH):
        yield text


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line with its end, as it stands in the file. A ``cut`` one was too long to be held."""

    number: int
    text: str
    cut: bool = False


def lines(data: bytes, encoding: str) -> Iterator[TextLine]:
    """The lines of a file, counted from 1; CR, LF and both together end one."""
    stream = _stream(data, encoding)
    number = 0
    while text := stream.readline(MAX_LINE_LENGTH):
        number += 1
        cut = len(text) == MAX_LINE_LENGTH and not text.endswith(("\n", "\r"))
        rest = text
        while rest and not rest.endswith(("\n", "\r")):
            rest = stream.readline(MAX_LINE_LENGTH)
        yield TextLine(number, text, cut)
