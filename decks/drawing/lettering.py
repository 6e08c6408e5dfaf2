"""Text on registration sheets and link pictures: every name in its own script.

Each sign is printed in the first of the sheets' fonts that has it, and only the signs that a sheet
shows come along in its file. Arabic letters are joined, and what is written from the right stands
so, line by line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from arabic_reshaper import ArabicReshaper
from bidi.algorithm import get_display
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

SANS, BOLD = "DejaVu Sans", "DejaVu Sans Bold"
_FOLDER = Path(__file__).resolve().parent / "fonts"
_FILES = {
    SANS: "dejavu-sans.ttf",
    BOLD: "dejavu-sans-bold.ttf",
    "Noto Sans Arabic": "noto-sans-arabic.ttf",
    "Riffle Hangul": "riffle-hangul.ttf",
    "Noto Emoji": "noto-emoji.ttf",
    "Droid Sans Fallback": "droid-sans-fallback.ttf",
}
_FURTHER = tuple(name for name in _FILES if name != BOLD)
"""Where a sign is looked for that the text's own font lacks: the largest file comes last."""
_FROM_THE_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_UNSEEN = re.compile("[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
                     "\U000e0000-\U000e0fff]")  # fmt: skip
"""Signs that say how others are joined and drawn, and are nothing by themselves."""
_ORDERS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Control characters of direction, left out: on a sheet the characters alone decide it."""
_ARABIC = ArabicReshaper({"use_unshaped_instead_of_isolated": True})


@lru_cache(maxsize=2048)
def lettered(words: str, font: str, size: float, width: float) -> str:
    """Markup for a paragraph: the words with the font of each; they are broken into lines here
    where some are written from the right."""
    words = unicodedata.normalize("NFC", words)
    if not _FROM_THE_RIGHT.search(words):
        return _marked(words, font)
    lines = _lines(_joined(words), font, size, width)
    return "<br/>".join(_marked(get_display(line, base_dir="L"), font) for line in lines)


def in_pieces(words: str, has: Callable[[str], bool]) -> list[tuple[Path | None, str]]:
    """A line in pieces from left to right, each with the file of its font.

    None is the text's own, of which ``has`` knows whether a sign is in it.
    """
    words = unicodedata.normalize("NFC", words)
    if _FROM_THE_RIGHT.search(words):
        words = get_display(_joined(words), base_dir="L")
    drawable = []
    for sign in _seen(words):
        name, plain = ("", sign) if has(sign) else _printed(sign, SANS)
        own = all(map(has, plain))
        drawable.append((None if own else _FOLDER / _FILES[name or SANS], plain))
    pieces = groupby(drawable, key=lambda pair: pair[0])
    return [(file, "".join(plain for _, plain in signs)) for file, signs in pieces]


def _joined(words: str) -> str:
    """Arabic characters in the forms that they have within words."""
    return str(_ARABIC.reshape("".join(map(_directed, words))))


def _seen(words: str) -> str:
    return _UNSEEN.sub("", _SKIN_TONES.sub("", words))


def _directed(sign: str) -> str:
    """A sign whose direction is known; those that only turn others round are left out."""
    if _ORDERS.match(sign):
        return ""
    return sign if unicodedata.bidirectional(sign) else "?"


def printable(words: str) -> str:
    """The words with a question mark for each sign that no font of the sheets has."""
    return "".join(run for _, run in _runs(unicodedata.normalize("NFC", words), SANS))


def _lines(words: str, font: str, size: float, width: float) -> Iterator[str]:
    line = ""
    for word in words.split():
        longer = f"{line} {word}" if line else word
        if line and _width(longer, font, size) > width:
            yield line
            longer = word
        line = longer
    yield line


def _width(words: str, font: str, size: float) -> float:
    return float(
        sum(pdfmetrics.stringWidth(run, name or font, size) for name, run in _runs(words, font))
    )


def _marked(words: str, font: str) -> str:
    return "".join(
        f'<font name="{name}">{escape(run)}</font>' if name else escape(run)
        for name, run in _runs(words, font)
    )


def _runs(words: str, font: str) -> list[tuple[str, str]]:
    """Words in pieces: each with the name of its font, "" for the text's own."""
    printed = [_printed(sign, font) for sign in _seen(words)]
    pieces = groupby(printed, key=lambda pair: pair[0])
    return [(name, "".join(sign for _, sign in signs)) for name, signs in pieces]


@lru_cache(maxsize=2048)
def _printed(sign: str, font: str) -> tuple[str, str]:
    """The font of a sign, and what is printed for it: a plainer one where no font has it."""
    if sign.isspace():
        return "", " "
    for plain in (sign, unicodedata.normalize("NFKC", sign)):
        if all(ord(character) in _known(font) for character in plain):
            return "", plain
        for name in _FURTHER:
            if all(ord(character) in _known(name) for character in plain):
                return name, plain
    return "", "?"


@cache
def _known(name: str) -> frozenset[int]:
    """The signs in a font; makes it known to the PDF's makers, when it is first asked for."""
    font = TTFont(name, str(_FOLDER / _FILES[name]), shapable=False)
    pdfmetrics.registerFont(font)
    return frozenset(font.face.charToGlyph)
