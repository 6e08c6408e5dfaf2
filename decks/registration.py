"""Registration sheets: a deck on paper, with its hash and verdict, to be signed.

They carry their letters with them: people's names are not all in the alphabet that a PDF knows by
itself. Chinese, Japanese and Korean have too many signs for that: each is printed in the letters
that whoever opens the sheet has for it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby, zip_longest
from typing import IO, Any
from xml.sax.saxutils import escape  # nosec B406 (writes markup, reads none)

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from collection.drawing import FONTS

_SANS, _BOLD = "DejaVu Sans", "DejaVu Sans Bold"
_FILES = {_SANS: "dejavu-sans.ttf", _BOLD: "dejavu-sans-bold.ttf"}
_EASTERN = {
    "chinese": "STSong-Light",
    "japanese": "HeiseiKakuGo-W5",
    "korean": "HYSMyeongJo-Medium",
}
"""The letters that are not carried along; PDF readers know them by these names."""
_CODECS = {"chinese": "gbk", "japanese": "cp932", "korean": "cp949"}
"""What there is in them."""
_FIRST_EASTERN = 0x1100
"""Below are the alphabets of the West, which most names are in."""
_TEXT = ParagraphStyle("text", fontName=_SANS, fontSize=8, leading=12)
_SMALL = ParagraphStyle("small", _TEXT, fontSize=7, leading=10, textColor=colors.grey)
_HEAD = ParagraphStyle("head", _TEXT, fontName=_BOLD, fontSize=15, leading=20)
_PART = ParagraphStyle("part", _TEXT, fontName=_BOLD, fontSize=9.5, spaceBefore=6)
_KIND = ParagraphStyle("kind", _TEXT, fontName=_BOLD, fontSize=8, spaceBefore=3)
_COLUMNS, _LINES = 3, 40
_SHOWN = 20
"""How many problems, and how many lines that were not read, stand on a sheet."""
_HASH = ParagraphStyle("hash", _TEXT, fontName="Courier", fontSize=8, leading=10)


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that stands on one sheet. ``parts``: section, then kind, then (count, title)."""

    event: str
    play: str
    format: str
    player: str
    deck: str
    parts: Sequence[tuple[str, Sequence[tuple[str, Sequence[tuple[int, str]]]]]]
    unread: Sequence[str]
    digest: str
    legal: bool | None
    problems: Sequence[Mapping[str, Any]]
    locked_at: datetime | None


def write_sheets(sheets: Iterable[Sheet], title: str, file: IO[bytes]) -> None:
    """A PDF with one sheet after another, each beginning on a page of its own."""
    document = _Document(
        iter(sheets),
        file,
        pagesize=A4,
        title=title,
        creator="Riffle",
        leftMargin=18 * mm,
        rightMargin=18 * mm,
        topMargin=16 * mm,
        bottomMargin=16 * mm,
    )
    document.build(document.story)


class _Document(SimpleDocTemplate):
    """A document that lays out one sheet after the other: thousands need no more room than one."""

    def __init__(self, sheets: Iterator[Sheet], file: IO[bytes], **about: Any) -> None:
        super().__init__(file, **about)
        self._sheets = sheets
        self.story = self._next_sheet()

    def _next_sheet(self) -> list[Flowable]:
        """What stands on the next sheet; nothing after the last."""
        sheet = next(self._sheets, None)
        return [] if sheet is None else _flowables(sheet)

    def filterFlowables(self, flowables: list[Flowable]) -> None:
        """Before the last part of a sheet is drawn the next one is put behind it.

        It is called for parts that the document itself adds too: those are in lists of their own.
        """
        if flowables is self.story and len(flowables) == 1 and (more := self._next_sheet()):
            flowables += [PageBreak(), *more]


def _flowables(sheet: Sheet) -> list[Flowable]:
    total = sum(count for _, kinds in sheet.parts for _, cards in kinds for count, _ in cards)
    about = [
        ["Player", sheet.player],
        ["Deck", f"{sheet.deck} ({total} card{'' if total == 1 else 's'})"],
        ["Event", sheet.event],
        ["For", f"{sheet.play}{', ' + sheet.format if sheet.format else ''}"],
        ["Verdict", _verdict(sheet)],
    ]
    rows = [[_paragraph(name, _SMALL), _paragraph(words, _TEXT)] for name, words in about]
    table = Table(rows, colWidths=[22 * mm, 150 * mm], hAlign="LEFT")
    table.setStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)])
    found: list[Flowable] = [_paragraph("Deck registration", _HEAD), table, Spacer(0, 3 * mm)]
    for section, kinds in sheet.parts:
        if len(sheet.parts) > 1:
            found.append(_paragraph(section.capitalize(), _PART))
        found += _columns(kinds)
    found += [_paragraph(f"Not read: {line[:200]}", _TEXT) for line in sheet.unread[:_SHOWN]]
    found += _and_more(len(sheet.unread))
    found.append(KeepTogether([Spacer(0, 4 * mm), *_proof(sheet)]))
    return found


def _columns(kinds: Sequence[tuple[str, Sequence[tuple[int, str]]]]) -> list[Flowable]:
    """Cards in columns, read downwards in blocks that are no higher than a page where titles are
    of usual length; longer ones go on overleaf."""
    lines: list[Flowable] = []
    for kind, cards in kinds:
        count = sum(copies for copies, _ in cards)
        lines.append(_paragraph(f"{kind.capitalize()} ({count})", _KIND))
        lines += [_paragraph(f"{copies}  {title}", _TEXT) for copies, title in cards]
    blocks: list[Flowable] = []
    for start in range(0, len(lines), _COLUMNS * _LINES):
        block = lines[start : start + _COLUMNS * _LINES]
        height = -(-len(block) // _COLUMNS)
        cells = [block[column * height : (column + 1) * height] for column in range(_COLUMNS)]
        lined_up = list(zip_longest(*cells, fillvalue=""))
        table = Table(lined_up, colWidths=[57 * mm] * _COLUMNS, hAlign="LEFT")
        table.setStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
            ]
        )
        blocks.append(table)
    return blocks


def _and_more(count: int) -> list[Flowable]:
    """A sheet is paper to be signed, no log: what is wrong with a list ends somewhere."""
    more = count - _SHOWN
    return [_paragraph(f"and {more} more", _SMALL)] if more > 0 else []


def _verdict(sheet: Sheet) -> str:
    if sheet.legal is None:
        return "Not judged yet"
    noticed = any(_is_notice(problem) for problem in sheet.problems)
    return ("Legal" if sheet.legal else "Not legal") + (", with a notice below" if noticed else "")


def _is_notice(problem: Mapping[str, Any]) -> bool:
    return bool(problem.get("severity") == "warning")


def _proof(sheet: Sheet) -> list[Flowable]:
    """Problems, hash and lines to sign on."""
    found: list[Flowable] = [
        _paragraph(
            f"{'Notice, ' if _is_notice(problem) else ''}"
            f"{problem['rule']}: {problem['message'][:400]}",
            _TEXT,
        )
        for problem in sheet.problems[:_SHOWN]
    ]
    found += _and_more(len(sheet.problems))
    locked = (
        f"Locked on {sheet.locked_at:%d %B %Y at %H:%M} UTC."
        if sheet.locked_at
        else "Not locked yet: the list may still change."
    )
    signatures = Table(
        [[_paragraph("Player", _SMALL), _paragraph("Judge", _SMALL)]],
        colWidths=[80 * mm, 80 * mm],
        rowHeights=[10 * mm],
        hAlign="LEFT",
    )
    signatures.setStyle(
        [("LINEABOVE", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    )
    return [
        *found,
        Spacer(0, 3 * mm),
        _paragraph("SHA-256 of the list", _SMALL),
        _paragraph(sheet.digest, _HASH),
        _paragraph(locked, _SMALL),
        Spacer(0, 12 * mm),
        signatures,
    ]


def _paragraph(words: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph("".join(_marked(*run) for run in _runs(words)), style)


def _marked(font: str, words: str) -> str:
    return f'<font name="{font}">{escape(words)}</font>' if font else escape(words)


def printable(words: str) -> str:
    """The words with a question mark for each sign that the sheets' letters lack."""
    return "".join(run for _, run in _runs(words))


def _runs(words: str) -> list[tuple[str, str]]:
    """Printable words in pieces: each with the letters for it, "" for the sheets' own."""
    words = unicodedata.normalize("NFC", words)
    known, eastern = _letters(), _by_language(words)
    found = (_printed(sign, known, eastern) for sign in words)
    pieces = groupby(found, key=lambda one: one[0])
    return [(font, "".join(sign for _, sign in signs)) for font, signs in pieces]


def _printed(sign: str, known: frozenset[int], eastern: Sequence[str]) -> tuple[str, str]:
    """The letters for a sign, and what is printed for it."""
    if ord(sign) in known:
        return "", sign
    if sign.isspace():
        return "", " "
    # What a codec keeps for private use is a sign to nobody else.
    for language in eastern if unicodedata.category(sign) != "Co" else ():
        try:
            sign.encode(_CODECS[language])
        except UnicodeEncodeError:
            continue
        return _EASTERN[language], sign
    return "", "?"


def _by_language(words: str) -> list[str]:
    """Whose letters to take first: the same sign is drawn a little differently in each country."""
    names = [unicodedata.name(sign, "") for sign in words if ord(sign) >= _FIRST_EASTERN]
    said = {
        "korean": any(name.startswith("HANGUL") for name in names),
        "japanese": any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names),
    }
    return sorted(_EASTERN, key=lambda language: not said.get(language))


@cache
def _letters() -> frozenset[int]:
    """The sheets' own signs; makes all letters known to the PDF's makers."""
    for name in _EASTERN.values():
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    known = []
    for name, file in _FILES.items():
        found = TTFont(name, str(FONTS / file))
        pdfmetrics.registerFont(found)
        known.append(set(found.face.charToGlyph))
    return frozenset(set.intersection(*known))
