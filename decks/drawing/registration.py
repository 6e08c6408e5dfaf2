"""Registration sheets: a deck on paper, with its hash and verdict, to be signed.

They carry their letters with them: people's names are in every alphabet, and a sheet looks the same
wherever it is opened (``decks.drawing.lettering``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, zip_longest
from typing import IO, Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from decks.drawing.lettering import BOLD, SANS, lettered

_TEXT = ParagraphStyle("text", fontName=SANS, fontSize=9, leading=13)
_SMALL = ParagraphStyle(
    "small", _TEXT, fontSize=7.5, leading=13, textColor=colors.HexColor(0x595959)
)
_HEAD = ParagraphStyle("head", _TEXT, fontName=BOLD, fontSize=16, leading=24)
_HASH = ParagraphStyle("hash", _TEXT, fontSize=8.5, leading=12)
_MARGIN, _FOOT = 18 * mm, 16 * mm
_WIDTH = A4[0] - 2 * _MARGIN
_HEIGHT = A4[1] - 2 * _FOOT - 12  # a frame pads what stands in it by 6 points on each side
_GAP = 6 * mm
_TALLY = 8 * mm
"""The box behind each card, for the judge's own count."""
_LAYOUTS = ((1, 12.0), (2, 12.0), (2, 11.0), (2, 10.0), (3, 9.5), (3, 8.5), (3, 8.0))
"""Columns and size of the cards, the airiest first: a sheet takes the first that fits on one page,
and the last where none does."""
_APART = "\N{LEFT-TO-RIGHT MARK}"
"""Between what people wrote and what stands behind it: names are written from the right, too."""
_BEFORE_KIND = 4
_LINES = 36
"""Of a column that goes on overleaf."""
_SHOWN = 20
"""How many problems, and how many lines that were not read, stand on a sheet."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of one sheet. ``parts``: section, then kind, then (count, title)."""

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
        initialFontName=SANS,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_FOOT,
        bottomMargin=_FOOT,
    )
    document.build(document.story)


class _Document(SimpleDocTemplate):
    """A document that lays out one sheet after the other: thousands need no more room than one."""

    def __init__(self, sheets: Iterator[Sheet], file: IO[bytes], **about: Any) -> None:
        super().__init__(file, **about)
        self._sheets = sheets
        self.story = self._next_sheet()

    def _next_sheet(self) -> list[Flowable]:
        """Return the content of the next sheet; empty after the last."""
        sheet = next(self._sheets, None)
        return [] if sheet is None else _flowables(sheet)

    def filterFlowables(self, flowables: list[Flowable]) -> None:
        """Before the last part of a sheet is drawn the next one is put behind it.

        It is called for parts that the document itself adds too: those are in lists of their own.
        """
        if flowables is self.story and len(flowables) == 1 and (more := self._next_sheet()):
            flowables += [PageBreak(), *more]


def _flowables(sheet: Sheet) -> list[Flowable]:
    about, rest, proof = _about(sheet), _not_read(sheet), _proof(sheet)
    room = _HEIGHT - _height([*about, *rest, *proof])
    lines = sum(1 + len(cards) for _, kinds in sheet.parts for _, cards in kinds)
    # What is too long even where each title takes one line need not be measured.
    layouts = [layout for layout in _LAYOUTS[:-1] if lines * layout[1] * 1.5 <= room * layout[0]]
    for columns, size in (*layouts, _LAYOUTS[-1]):
        parts = _parts(sheet, columns, size)
        left = room - 1 - sum(part.height() for part in parts)
        if left >= 0:
            cards = [flowable for part in parts for flowable in part.on_one_page()]
            # Who signs does so at the foot of the page.
            return [*about, *cards, *rest, Spacer(0, left), *proof]
    cards = [flowable for part in parts for flowable in part.on_several()]
    return [*about, *cards, *rest, KeepTogether(proof)]


def _height(flowables: Sequence[Flowable]) -> float:
    """How much of a page they take at most."""
    return float(
        sum(
            flowable.getSpaceBefore()
            + flowable.wrap(_WIDTH, 10 * _HEIGHT)[1]
            + flowable.getSpaceAfter()
            for flowable in flowables
        )
    )


def _about(sheet: Sheet) -> list[Flowable]:
    total = sum(count for _, kinds in sheet.parts for _, cards in kinds for count, _ in cards)
    about = [
        ["Player", sheet.player],
        ["Deck", f"{sheet.deck}{_APART} ({total} card{'' if total == 1 else 's'})"],
        ["Event", sheet.event],
        ["For", f"{sheet.play}{_APART + ', ' + sheet.format if sheet.format else ''}"],
        ["Verdict", _verdict(sheet)],
    ]
    widths = [22 * mm, _WIDTH - 22 * mm]
    rows = [
        [_paragraph(name, _SMALL, widths[0]), _paragraph(words, _TEXT, widths[1])]
        for name, words in about
    ]
    return [
        _paragraph("Deck registration", _HEAD),
        _plain_table(rows, widths),
        Spacer(0, 4 * mm),
    ]


def _not_read(sheet: Sheet) -> list[Flowable]:
    lines = [_paragraph(f"Not read: {line[:200]}", _TEXT) for line in sheet.unread[:_SHOWN]]
    return [*lines, *_and_more(len(sheet.unread))]


@dataclass(frozen=True, slots=True)
class _Part:
    """A section's cards in one layout. ``pieces``: lines that stay together, and the first of which
    is a heading where there is more than one."""

    heading: list[Flowable]
    pieces: list[list[Paragraph]]
    columns: int
    width: float

    def height(self) -> float:
        """How much of a page the part takes."""
        return _height(self.heading) + 1 + max(map(_column_height, self._balanced()), default=0)

    def on_one_page(self) -> list[Flowable]:
        """Columns of about the same height, read downwards."""
        tables = [_column(pieces, self.width) for pieces in self._balanced()]
        row = _with_gaps(tables + [""] * (self.columns - len(tables)))
        return [*self.heading, _plain_table([row], self._widths())] if tables else self.heading

    def on_several(self) -> list[Flowable]:
        """Blocks that are no higher than a page where titles are of usual length; longer ones go
        on overleaf."""
        lines = [line for piece in self.pieces for line in piece]
        headings = {id(piece[0]) for piece in self.pieces if len(piece) > 1}
        blocks = []
        for start in range(0, len(lines), self.columns * _LINES):
            block = lines[start : start + self.columns * _LINES]
            height = -(-len(block) // self.columns)
            cells = [block[n * height : (n + 1) * height] for n in range(self.columns)]
            rows = [
                [part for line in row for part in (line, "", "")][:-1]
                for row in zip_longest(*cells, fillvalue="")
            ]
            widths = [self.width - _TALLY, _TALLY, _GAP] * self.columns
            table = _plain_table(rows, widths[:-1])
            table.setStyle(
                [
                    _box(3 * column + 1, row)
                    for column, lines_below in enumerate(cells)
                    for row, line in enumerate(lines_below)
                    if id(line) not in headings
                ]
            )
            blocks.append(table)
        return [*self.heading, *blocks]

    def _widths(self) -> list[Any]:
        return _with_gaps([self.width] * self.columns, _GAP)

    def _balanced(self) -> list[list[list[Paragraph]]]:
        heights = [_column_height([piece]) for piece in self.pieces]
        limit = sum(heights) / self.columns
        while len(columns := self._filled(heights, limit)) > self.columns:
            limit += 4
        return columns

    def _filled(self, heights: list[float], limit: float) -> list[list[list[Paragraph]]]:
        """Columns of no more than this height, except where one piece alone is higher."""
        columns: list[list[list[Paragraph]]] = []
        taken = limit
        for piece, height in zip(self.pieces, heights, strict=True):
            if not columns or taken + height > limit:
                columns.append([])
                taken = 0
            columns[-1].append(piece)
            taken += height
        return columns


def _column_height(pieces: Sequence[Sequence[Paragraph]]) -> float:
    lines = sum(line.height + 1 for piece in pieces for line in piece)
    return float(lines + _BEFORE_KIND * sum(len(piece) > 1 for piece in pieces))


def _column(pieces: Sequence[Sequence[Paragraph]], width: float) -> Table:
    rows = [[line, ""] for piece in pieces for line in piece]
    table = _plain_table(rows, [width - _TALLY, _TALLY])
    cards = [not (len(piece) > 1 and n == 0) for piece in pieces for n in range(len(piece))]
    table.setStyle([_box(1, row) for row, is_card in enumerate(cards) if is_card])
    starts = accumulate((len(piece) for piece in pieces), initial=0)
    before = [
        ("TOPPADDING", (0, start), (0, start), _BEFORE_KIND)
        for start, piece in zip(starts, pieces, strict=False)
        if len(piece) > 1
    ]
    table.setStyle([("LINEBELOW", (0, 0), (0, -1), 0.25, colors.HexColor(0xC8C8C8)), *before])
    return table


def _box(column: int, row: int) -> tuple[Any, ...]:
    """A box to write a count into."""
    return ("BOX", (column, row), (column, row), 0.5, colors.HexColor(0x808080))


def _parts(sheet: Sheet, columns: int, size: float) -> list[_Part]:
    width = (_WIDTH - (columns - 1) * _GAP) / columns
    flowables = []
    for section, kinds in sheet.parts:
        heading: list[Flowable] = []
        if len(sheet.parts) > 1:
            style = ParagraphStyle(
                "part", _TEXT, fontName=BOLD, fontSize=size + 1.5, leading=size * 1.7, spaceBefore=6
            )
            heading = [_paragraph(section.capitalize(), style)]
        flowables.append(_Part(heading, _pieces(kinds, size, width - _TALLY), columns, width))
    return flowables


def _pieces(
    kinds: Sequence[tuple[str, Sequence[tuple[int, str]]]], size: float, width: float
) -> list[list[Paragraph]]:
    kind_style = ParagraphStyle("kind", _TEXT, fontName=BOLD, fontSize=size, leading=size * 1.5)
    card_style = ParagraphStyle(
        "card", _TEXT, fontSize=size, leading=size * 1.5, leftIndent=size * 2.6,
        bulletFontName=SANS, bulletFontSize=size,
    )  # fmt: skip
    pieces = []
    for kind, cards in kinds:
        count = sum(copies for copies, _ in cards)
        title = _paragraph(f"{kind.capitalize()} ({count})", kind_style, width)
        lines = [_paragraph(title, card_style, width, str(copies)) for copies, title in cards]
        pieces += [[title, *lines[:1]], *([line] for line in lines[1:])]
    for piece in pieces:
        for line in piece:
            line.wrap(width, _HEIGHT)
    return pieces


def _with_gaps(cells: Sequence[Any], gap: Any = "") -> list[Any]:
    """Cells with one between each two that nothing stands in."""
    return [part for cell in cells for part in (cell, gap)][:-1]


def _plain_table(rows: Sequence[list[Any]], widths: Sequence[float]) -> Table:
    table = Table(rows, colWidths=widths, hAlign="LEFT")
    table.setStyle(
        [
            ("FONTNAME", (0, 0), (-1, -1), SANS),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("RIGHTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ]
    )
    return table


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
    flowables: list[Flowable] = [
        _paragraph(
            f"{'Notice, ' if _is_notice(problem) else ''}"
            f"{problem['rule']}: {problem['message'][:400]}",
            _TEXT,
        )
        for problem in sheet.problems[:_SHOWN]
    ]
    flowables += _and_more(len(sheet.problems))
    locked = (
        f"Locked on {sheet.locked_at:%d %B %Y at %H:%M} UTC."
        if sheet.locked_at
        else "Not locked yet: the list may still change."
    )
    half = (_WIDTH - 2 * _GAP) / 2
    signatures = Table(
        [[_paragraph("Player", _SMALL), "", _paragraph("Judge", _SMALL)]],
        colWidths=[half, 2 * _GAP, half],
        rowHeights=[7 * mm],
        hAlign="LEFT",
    )
    signatures.setStyle(
        [
            ("LINEABOVE", (0, 0), (0, 0), 0.5, colors.grey),
            ("LINEABOVE", (2, 0), (2, 0), 0.5, colors.grey),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("FONTNAME", (0, 0), (-1, -1), SANS),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ]
    )
    return [
        Spacer(0, 4 * mm),
        *flowables,
        Spacer(0, 3 * mm),
        _paragraph("SHA-256 of the list", _SMALL),
        _paragraph(sheet.digest, _HASH),
        _paragraph(locked, _SMALL),
        _paragraph("The boxes are for the judge’s own count.", _SMALL),
        Spacer(0, 14 * mm),
        signatures,
    ]


def _paragraph(
    words: str, style: ParagraphStyle, width: float = _WIDTH, before: str | None = None
) -> Paragraph:
    room = width - style.leftIndent
    return Paragraph(lettered(words, style.fontName, style.fontSize, room), style, before)
